//! What the reader should know before using a number, each with what to do, the one that matters most first.

use cll_fit::{Fit, SharedConstant, Unit, Warning};
use cll_result::{
    DISPUTED, ExperimentModel, ModelFile, Notice, PredictionView, Sampling, SearchModel,
};

use crate::Notation;
use crate::model::ModelView;
use crate::model::shared::names;

/// What belongs into the long report only.
const NOTE: u8 = u8::MAX;

/// A sentence with its rank: the lower, the more it changes what the reader would do.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Remark {
    rank: u8,
    pub text: String,
}

/// The remarks on an experiment or a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Remarks {
    urgent: Vec<Remark>,
    notes: usize,
}

impl Remarks {
    pub fn push(&mut self, remark: Remark) {
        if remark.rank == NOTE {
            self.notes += 1;
        } else if !self.urgent.contains(&remark) {
            // Behind those of the same rank.
            let place = self.urgent.partition_point(|other| other.rank <= remark.rank);
            self.urgent.insert(place, remark);
        }
    }

    pub fn extend(&mut self, others: Remarks) {
        self.notes += others.notes;
        others.urgent.into_iter().for_each(|remark| self.push(remark));
    }

    /// Takes out what several experiments have in common.
    pub fn take_common(all: &mut [Remarks]) -> Remarks {
        let mut common = Remarks::default();
        let each = all.iter().flat_map(|one| &one.urgent);
        let each: Vec<&Remark> = each.collect();
        for (index, remark) in each.iter().enumerate() {
            if each[..index].contains(remark) {
                common.push((*remark).clone());
            }
        }
        for one in all {
            one.urgent.retain(|remark| !common.urgent.contains(remark));
        }
        common
    }

    /// Those that are worth a line, most important first.
    pub fn urgent(&self) -> &[Remark] {
        &self.urgent
    }

    /// How many stand in the long report only, if so many have a line.
    pub fn below(&self, shown: usize) -> usize {
        self.notes + self.urgent.len().saturating_sub(shown)
    }
}

impl Remark {
    fn new(rank: u8, text: impl Into<String>) -> Remark {
        Remark { rank, text: text.into() }
    }

    fn note() -> Remark {
        Remark::new(NOTE, "")
    }

    /// A notice that concerns all experiments.
    pub fn of_file(notice: &Notice, notation: Notation) -> Remark {
        let rank = match notice.code.as_str() {
            "simulated-time" => 1,
            "mixed-programs" | "oversubscribed" | "damage" | "formulas" | "variables"
            | "processors" => 2,
            "absent" | "elsewhere" | "engines" => 3,
            "unseen-variable" | "not-shared" | "quota" | "processor-time" | "skipped"
            | "left-out" | "odd-number" | "powers-of-two" | "text-column" => 6,
            _ => return Remark::note(),
        };
        Remark::new(rank, notation.text(&notice.text))
    }

    /// Constants that were to have one value.
    pub fn shared(shared: &SharedConstant, notation: Notation) -> Remark {
        if !shared.rejected {
            return Remark::note();
        }
        let text =
            format!("the data reject one value of {}: do not share it", names(shared).join(", "));
        Remark::new(1, notation.text(&text))
    }

    /// The machine was disturbed, but not too much.
    pub fn disturbed(sampling: &Sampling, notation: Notation) -> Remark {
        let Some(off) = sampling.verdict.off else { return Remark::note() };
        let wider = notation.percent(off.below.max(off.above));
        let text = format!(
            "the machine was disturbed, and intervals are up to {wider} wider: run this again when it is quiet"
        );
        Remark::new(6, text)
    }
}

/// The remarks on an experiment. Those on its formula are told below its name ([`super::wrong`]).
pub(super) fn remarks(
    model: &ModelFile,
    experiment: &ExperimentModel,
    view: &ModelView<'_>,
    is_wrong: bool,
    notation: Notation,
) -> Remarks {
    let (fit, mut all) = (view.fit, Remarks::default());
    let predicted = view.predictions.iter().filter_map(|view| view.result.as_ref().ok());
    let of_predictions = predicted.flat_map(|prediction| &prediction.warnings);
    let warnings: Vec<&Warning> = fit.warnings.iter().chain(of_predictions).collect();
    let is_not_level = warnings.iter().any(|one| matches!(one, Warning::NotLevel { .. }));
    let is_shape = warnings.iter().any(|one| matches!(one, Warning::ShapeBeyond { .. }));
    for (index, warning) in warnings.iter().enumerate() {
        let is_first = !warnings[..index].iter().any(|other| other.code() == warning.code());
        match warning {
            // Told below the name.
            Warning::OtherFormula { .. }
            | Warning::MissesExact { .. }
            | Warning::HeldAtZero { .. }
                if is_wrong => {}
            Warning::LackOfFit { .. }
            | Warning::Runs { .. }
            | Warning::Pattern { .. }
            | Warning::Negative { .. }
            | Warning::Follows { .. }
                if is_wrong =>
            {
                all.push(Remark::note());
            }
            Warning::Negative { .. } if is_first => all.push(negative(&warnings, fit, notation)),
            // Told by the first one.
            Warning::Negative { .. } | Warning::NotLevel { .. } | Warning::Beyond { .. }
                if !is_first => {}
            Warning::Beyond { .. } if is_not_level || is_shape => {}
            Warning::Beyond { .. } => all.push(beyond(&warnings, fit, notation)),
            warning => all.push(remark(warning, fit, notation)),
        }
    }
    if view.predictions.iter().any(PredictionView::is_disputed) {
        all.push(disputed(view, notation));
    }
    if let Some(search) = &experiment.search {
        of_search(search, &fit.unit, notation, &mut all);
    }
    let notes = experiment.suggestion.iter().flat_map(|suggestion| &suggestion.notes);
    notes.for_each(|_| all.push(Remark::note()));
    for notice in experiment.warnings.iter().filter(|notice| notice.code == "part-of-points") {
        all.push(Remark::new(2, notation.text(&notice.text)));
    }
    let dilation = model.sampling.iter().flat_map(|sampling| &sampling.dilation);
    if dilation.into_iter().any(|one| one.experiment == experiment.name && one.too_short) {
        let text = "the region is too short to be distinguished from its markers: measure more work in one region";
        all.push(Remark::new(0, text));
    }
    all
}

/// A warning in short, with what to do; a note if nothing has to be done.
fn remark(warning: &Warning, fit: &Fit, notation: Notation) -> Remark {
    let number = |value: f64| notation.number(value);
    let (rank, text) = match warning {
        Warning::Emptied { .. } => (
            0,
            "it takes no more than an empty region: use its results behind it, or the compiler removes it".to_owned(),
        ),
        Warning::MissesExact { largest, place } => (
            1,
            format!(
                "the formula misses exact values by up to {} (at {place}): a term is missing",
                notation.percent(*largest)
            ),
        ),
        Warning::OtherFormula { term, error, error_one, .. } => (
            4,
            format!(
                "with {term} the formula fits better ({} in place of {}): predictions beyond the data may be far off",
                notation.percent(*error),
                notation.percent(*error_one)
            ),
        ),
        Warning::Undetermined { constants, because } => (
            2,
            format!(
                "the data cannot determine {} ({}): measure at other values, or remove a term",
                constants.join(", "),
                because.split(", so ").next().unwrap_or_default()
            ),
        ),
        Warning::AllAlike { value } => (
            2,
            format!(
                "every observation is {}: is the clock too coarse, or the region without work?",
                notation.quantity(*value, &fit.unit)
            ),
        ),
        Warning::MissingVariable { variable, explained, .. } => (
            3,
            format!(
                "{} of the errors depend on {variable}: give the formula a term with {variable}",
                notation.percent(*explained)
            ),
        ),
        Warning::Pattern { variable, .. } => (
            3,
            format!("the errors still depend on {variable}: look for another term, cll fit --suggest"),
        ),
        Warning::Runs { size, axis, .. } => (
            3,
            format!(
                "neighbours along {axis} share an error of {}: the shape of the formula may be wrong",
                notation.percent(*size)
            ),
        ),
        Warning::HeldAtZero { constants, error, signed, .. } => (
            4,
            format!(
                "the data want {} below 0 (error {} in place of {}): write a difference as one term, as N*(N - 1)",
                constants.join(", "),
                notation.percent(*signed),
                notation.percent(*error)
            ),
        ),
        Warning::NotLevel { axis, last, ratio, .. } => (
            5,
            format!(
                "still {} at the largest {axis}: measure beyond {axis} = {} before you predict there",
                if ratio.is_none_or(|ratio| ratio > 1.0) { "rising" } else { "falling" },
                number(*last)
            ),
        ),
        Warning::ShapeBeyond { formula, value, ratio } => (
            1,
            format!(
                "beyond the data {formula} gives {}, {} as much: measure closer",
                notation.quantity(*value, &fit.unit),
                notation.ratio(*ratio)
            ),
        ),
        Warning::Apart { variables, .. } => (
            5,
            format!("how {} combine was not measured there: measure closer", variables.join(" and ")),
        ),
        Warning::FirstCall { points, largest_without, largest, .. } => (
            7,
            format!(
                "{} far from the others, errors are {} without in place of {}: leave out with --hold-out",
                notation.count(
                    points.len(),
                    "first call of a launch is",
                    "first calls of a launch are"
                ),
                notation.percent(*largest_without),
                notation.percent(*largest)
            ),
        ),
        Warning::OneAtATime { measure, .. } => {
            (7, format!("variables were changed one at a time: also measure {measure}"))
        }
        Warning::FewPoints { points, constants } => (
            7,
            format!(
                "{} for {}, intervals are unreliable: measure more sizes",
                notation.count(*points, "point", "points"),
                notation.count(*constants, "constant", "constants")
            ),
        ),
        Warning::NoRepetitions => {
            (8, "no point was measured twice, the noise is not known: repeat the run".to_owned())
        }
        Warning::RepetitionsTogether { deviation } => (
            7,
            format!(
                "runs differ by {}, which intervals do not contain: name the run of each row in a column `run`",
                notation.percent(*deviation)
            ),
        ),
        Warning::NotPositive { points, of, .. } => (
            7,
            format!("{points} of {of} points are not above 0 and left out: measure longer times"),
        ),
        Warning::LackOfFit { size, .. } if *size >= MIN_LACK => (
            8,
            format!(
                "the formula misses by {} more than the noise: it may lack a term, cll fit --suggest looks for it",
                notation.percent(*size)
            ),
        ),
        Warning::IllConditioned { terms, .. } => (
            8,
            format!(
                "the terms {} can hardly be distinguished: measure a wider range",
                terms.join(", ")
            ),
        ),
        Warning::Spikes { rate, .. } if *rate >= MIN_SPIKES => (
            9,
            format!(
                "{} of the observations are spikes: measure again when the machine is quiet",
                notation.percent(*rate)
            ),
        ),
        Warning::Negative { .. }
        | Warning::Beyond { .. }
        | Warning::Continuation { .. }
        | Warning::ManyIntervals { .. }
        | Warning::ManyChanges { .. }
        | Warning::LackOfFit { .. }
        | Warning::Spikes { .. }
        | Warning::Follows { .. }
        | Warning::NotPositiveObservations { .. }
        | Warning::OutliersLeftOut { .. }
        | Warning::DependentRepetitions { .. }
        | Warning::NoIntervals { .. }
        | Warning::Mean
        | Warning::Thinned { .. }
        | Warning::Between { .. } => return Remark::note(),
    };
    Remark::new(rank, notation.text(&text))
}

/// A smaller lack of fit is a note.
const MIN_LACK: f64 = 0.05;
/// Fewer spikes are a note.
const MIN_SPIKES: f64 = 0.2;

/// The prediction that is farthest beyond the data.
fn beyond(warnings: &[&Warning], fit: &Fit, notation: Notation) -> Remark {
    let what = match fit.unit {
        Unit::Seconds => "a cache may end",
        Unit::Other(_) => "the formula may end",
    };
    let places = warnings.iter().filter_map(|warning| match warning {
        Warning::Beyond { variable, value, nearest } => Some((variable, *value, *nearest)),
        _ => None,
    });
    let distance = |(_, value, nearest): &(&String, f64, f64)| (value / nearest).ln().abs();
    let farthest = places.max_by(|a, b| distance(a).total_cmp(&distance(b)));
    farthest.map_or_else(Remark::note, |(variable, value, _)| {
        let place = format!("{} = {}", notation.text(variable), notation.number(value));
        Remark::new(5, format!("{what} beyond the data: measure closer to {place}"))
    })
}

/// The constants that are below zero, each once.
fn negative(warnings: &[&Warning], fit: &Fit, notation: Notation) -> Remark {
    let mut names: Vec<&str> = Vec::new();
    for warning in warnings {
        if let Warning::Negative { constant, .. } = warning
            && !names.contains(&constant.as_str())
        {
            names.push(constant);
        }
    }
    let (verb, each) = if names.len() == 1 { ("is", "it is") } else { ("are", "each is") };
    let advice = match fit.intervals.len() {
        1 => "the formula may have a term too many or too few",
        _ => "the formula may lack a term, cll fit --suggest looks for it",
    };
    let text = format!("{} {verb} below 0, though {each} a cost: {advice}", names.join(", "));
    Remark::new(4, notation.text(&text))
}

/// The average over all formulas, where it contradicts the formula.
fn disputed(view: &ModelView<'_>, notation: Notation) -> Remark {
    let all = view.predictions.iter().filter(|view| view.is_disputed());
    let values: Vec<String> = all
        .filter_map(|view| view.averaged.as_ref()?.as_ref().ok())
        .map(|averaged| {
            let unit = &view.fit.unit;
            let value = notation.within(averaged.value, averaged.low, averaged.high, unit);
            format!("{value} ({})", notation.range(averaged.low, averaged.high, unit))
        })
        .take(2)
        .collect();
    match values.is_empty() {
        true => Remark::new(1, DISPUTED),
        false => Remark::new(
            1,
            format!(
                "other formulas are about as probable: use their average there, {}",
                values.join(" and ")
            ),
        ),
    }
}

/// Formulas that fit as well as the first.
fn of_search(search: &SearchModel, unit: &Unit, notation: Notation, all: &mut Remarks) {
    for note in &search.notes {
        all.push(match note.code.as_str() {
            "varies-with" => Remark::new(3, notation.text(&note.text)),
            _ => Remark::note(),
        });
    }
    for tie in search.ties.iter().take(1) {
        let Some(other) = search.candidates.get(tie.candidate) else { continue };
        let terms = notation.text(&other.terms.join(" + "));
        let weight = notation.percent(other.weight);
        let text = match (&tie.at, &tie.values) {
            (Some(at), Some((first, second))) => {
                let at: Vec<String> = at
                    .iter()
                    .map(|(name, value)| {
                        format!("{} = {}", notation.text(name), notation.number(*value))
                    })
                    .collect();
                format!(
                    "{terms} fits about as well ({weight}): measure {}, where they give {} and {}",
                    at.join(", "),
                    notation.quantity(*first, unit),
                    notation.quantity(*second, unit)
                )
            }
            _ => format!("{terms} fits about as well ({weight}), and no larger size would tell"),
        };
        all.push(Remark::new(4, text));
    }
    for _ in search.ties.iter().skip(1) {
        all.push(Remark::note());
    }
}
