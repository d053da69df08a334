//! Every experiment with its fit, or the reason why there is none.

use std::collections::HashSet;

use cll_fit::{
    Data, Fit, FitError, HeldOut, HeldOutPoint, Options, Point, Warning, first_call, fit_powers,
    hold_out, sentences,
};
use cll_formula::{Complexity, Parsed};
use cll_result::HeldOutModel;
use cll_result::{ExperimentModel, Notice, SearchModel, SuggestionModel};
use cll_statistics::median;
use cll_trace::observable::Observable;

use super::data::{DataSource, Observed, select};
use super::held_out::{HoldOut, is_held_out};
use super::parts::{apart, named};
use super::searching::{SearchChoice, searched, suggested};
use super::thinned::{Thinned, thin};
use super::working_sets::{self, NamedExpression};
use crate::Error;
use crate::messages::Messages;
use crate::time::Time;
use cll_diagnostic::{nearest, suggestion};

/// By so many seconds a time between two markers may be wrong however often it is measured: a processor begins what
/// follows before what precedes has ended. It is a part of what markers cost.
pub const MARKERS_ERROR: f64 = 5e-9;

/// The user's options.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Options of the fit.
    pub options: Options,
    /// Formulas that replace those of the sources.
    pub formulas: Vec<Complexity>,
    /// Names of experiments; empty means all.
    pub experiments: Vec<String>,
    /// Bytes that experiments touch.
    pub working_sets: Vec<NamedExpression>,
    /// The observable to fit instead of the time.
    pub observable: Option<String>,
    /// Points that are excluded from the fit and compared with it.
    pub held_out: Vec<HoldOut>,
    /// The variable for whose values experiments are fitted apart.
    pub by: Option<String>,
    /// How formulas are searched, if all are.
    pub search: Option<SearchChoice>,
    /// How given formulas are repaired, if that is wanted.
    pub suggest: Option<cll_search::Options>,
    /// How the formulas of experiments are searched that say `auto`.
    pub auto: SearchChoice,
}

/// Reads the formulas of a command line.
///
/// # Errors
/// If one is wrong; the messages have its diagnostics.
pub fn formulas(texts: &[String], messages: &dyn Messages) -> Result<Vec<Complexity>, Error> {
    let read = |text: &String| {
        let Parsed { formula, diagnostics } = Complexity::parse_anonymous(text);
        messages.diagnose("--formula", text.as_bytes(), &diagnostics);
        formula.ok_or(Error::Diagnosed)
    };
    texts.iter().map(read).collect()
}

/// Fits everything that was chosen.
///
/// # Errors
/// If a named experiment or observable does not exist, or there is no formula.
pub fn fit_all(
    source: &DataSource,
    time: Time,
    choices: &Choices,
) -> Result<Vec<ExperimentModel>, Error> {
    fit_all_of(source, time, choices, choices.observable.as_deref())
}

/// [`fit_all`] of another observable than the chosen one.
///
/// # Errors
/// As [`fit_all`].
pub fn fit_all_of(
    source: &DataSource,
    time: Time,
    choices: &Choices,
    observable: Option<&str>,
) -> Result<Vec<ExperimentModel>, Error> {
    let observable = observable.map(|name| recorded(source, name)).transpose()?;
    fit_observed(source, source.observed(time, observable.as_deref()), choices)
}

/// [`fit_all`] of samples that nobody needs afterwards.
///
/// # Errors
/// As [`fit_all`].
pub fn fit_taken(
    source: &mut DataSource,
    time: Time,
    choices: &Choices,
) -> Result<Vec<ExperimentModel>, Error> {
    let observable = choices.observable.as_deref();
    let observable = observable.map(|name| recorded(source, name)).transpose()?;
    let observed = source.take_observed(time, observable.as_deref());
    fit_observed(source, observed, choices)
}

/// Fits data of a source.
fn fit_observed(
    source: &DataSource,
    observed: Vec<Observed>,
    choices: &Choices,
) -> Result<Vec<ExperimentModel>, Error> {
    let observed = match &choices.by {
        Some(name) => apart(observed, name)?,
        None => observed,
    };
    let of_traces;
    let choices = match source {
        DataSource::Trace(_) => {
            of_traces = choices.clone().with_unsure(MARKERS_ERROR);
            &of_traces
        }
        DataSource::Tables(_) => choices,
    };
    let jobs = match source {
        _ if choices.search.is_some() => searched_jobs(observed, choices)?,
        DataSource::Tables(_) => jobs_of_tables(observed, choices)?,
        DataSource::Trace(_) => jobs_of_traces(observed, choices)?,
    };
    let mut jobs = select(jobs, &choices.experiments, |job| &job.observed.name)?;
    if let (DataSource::Trace(trace), true) = (source, choices.experiments.is_empty()) {
        jobs.retain(|job| is_wanted(&job.observed.name, &trace.report, &choices.formulas));
    }
    let mut fitted = fit_each(jobs, choices);
    working_sets::assign(&mut fitted, &choices.working_sets)?;
    Ok(fitted)
}

fn fit_each(mut jobs: Vec<Job>, choices: &Choices) -> Vec<ExperimentModel> {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    // Starting a thread costs as much as about ten fits.
    let share = jobs.len().div_ceil(threads).max(16);
    if jobs.len() <= share {
        return jobs.into_iter().map(|job| job.fitted(choices)).collect();
    }
    let mut shares = Vec::new();
    while !jobs.is_empty() {
        let rest = jobs.split_off(share.min(jobs.len()));
        shares.push(std::mem::replace(&mut jobs, rest));
    }
    std::thread::scope(|scope| {
        let workers: Vec<_> = shares
            .into_iter()
            .map(|share| {
                scope.spawn(|| {
                    let fitted = share.into_iter().map(|job| job.fitted(choices));
                    fitted.collect::<Vec<_>>()
                })
            })
            .collect();
        let done = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        done.flatten().collect()
    })
}

/// The experiments that the program reports (by default all), and those for which the user has given a formula.
fn is_wanted(name: &str, report: &[String], formulas: &[Complexity]) -> bool {
    report.is_empty()
        || report.iter().any(|wanted| wanted == name)
        || formulas.iter().any(|formula| formula.experiment() == name)
}

/// Each of the data with the formula that a search finds.
fn searched_jobs(observed: Vec<Observed>, choices: &Choices) -> Result<Vec<Job>, Error> {
    let Some(choice) = &choices.search else { return Ok(Vec::new()) };
    let observed = select(observed, &choices.experiments, searched_name)?;
    Ok(observed.into_iter().map(|observed| searched_job(observed, choice, choices)).collect())
}

/// A table without a name has one, too.
fn searched_name(observed: &Observed) -> &str {
    if observed.name.is_empty() { "f" } else { &observed.name }
}

fn searched_job(mut observed: Observed, choice: &SearchChoice, choices: &Choices) -> Job {
    let thinned = thin(&mut observed.data);
    if thinned.is_some() {
        let kept: HashSet<Vec<u64>> =
            observed.data.points.iter().map(|point| bits(&point.values)).collect();
        observed.first_calls.retain(|values| kept.contains(&bits(values)));
    }
    let name = searched_name(&observed).to_owned();
    let mut data: Data = observed.data.clone();
    data.points.retain(|p| !is_held_out(&data.variables, &p.values, &choices.held_out));
    let lacking = observed.column.is_some() && data.variables.is_empty();
    let searched = if lacking {
        Err("the data have no variable on which it could depend: no other column or parameter \
                     has numbers"
            .to_owned())
    } else {
        searched(constants(&name), &data, choice)
    };
    let (formula, search) = match searched {
        Ok((formula, search)) => (Ok(Complexity::Linear(formula)), Some(search)),
        Err(why) => (Err(why), None),
    };
    Job { observed: Observed { name, ..observed }, formula, search, thinned }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Returns the name of an experiment's constants: the name of the experiment, if a formula can hold that. Call paths
/// and commands of other programs have other names.
fn constants(name: &str) -> &str {
    let mut letters = name.chars();
    let begins = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if begins && letters.all(|c| c.is_ascii_alphanumeric() || c == '_') { name } else { "f" }
}

/// Data with its formula, or the reason why there is none.
struct Job {
    observed: Observed,
    formula: Result<Complexity, String>,
    search: Option<SearchModel>,
    thinned: Option<Thinned>,
}

fn jobs_of_tables(observed: Vec<Observed>, choices: &Choices) -> Result<Vec<Job>, Error> {
    let formulas = &choices.formulas;
    let Some((last, others)) = formulas.split_last() else {
        let variables =
            observed.first().map_or(String::new(), |observed| observed.data.variables.join(", "));
        return Err(Error::request(format!(
            "a table needs a formula by --formula (its variables: {variables})"
        ))
        .advise("such as --formula 'f[0] + f[1]*N'"));
    };
    let job = |observed: Observed, formula: &Complexity| {
        let name = match (observed.name.is_empty(), others.is_empty()) {
            (true, _) => formula.experiment().to_owned(),
            (false, true) => observed.name.clone(),
            (false, false) => format!("{}.{}", observed.name, formula.experiment()),
        };
        Job {
            observed: Observed { name, ..observed },
            formula: Ok(formula.clone()),
            search: None,
            thinned: None,
        }
    };
    let mut jobs = Vec::new();
    for observed in observed {
        jobs.extend(others.iter().map(|formula| job(observed.clone(), formula)));
        jobs.push(job(observed, last));
    }
    Ok(jobs)
}

fn jobs_of_traces(observed: Vec<Observed>, choices: &Choices) -> Result<Vec<Job>, Error> {
    let formulas = &choices.formulas;
    let names: Vec<&str> = observed.iter().map(|observed| observed.name.as_str()).collect();
    // A single formula is that of a single experiment, whatever its constants are called.
    let alone = matches!((&observed[..], &formulas[..]), ([_], [_]));
    let other = formulas.iter().find(|formula| !names.contains(&formula.experiment()));
    if let Some(formula) = other.filter(|_| !alone) {
        let name = formula.experiment();
        return Err(Error::request(format!(
            "--formula: the trace has no experiment {name}: {}",
            suggestion(name, &names)
        )));
    }
    let job = |observed: Observed| {
        let given = formulas.iter().find(|formula| alone || formula.experiment() == observed.name);
        if given.is_none() && observed.formula == SEARCHED {
            return searched_job(observed, &choices.auto, choices);
        }
        let formula = given.map_or_else(|| own_formula(&observed), |formula| Ok(formula.clone()));
        Job { observed, formula, search: None, thinned: None }
    };
    // A search takes long: those that nobody asked for are left out before it.
    let observed = select(observed, &choices.experiments, |observed| &observed.name)?;
    Ok(observed.into_iter().map(job).collect())
}

/// The name of the observable; an error if it is recorded nowhere.
fn recorded(source: &DataSource, name: &str) -> Result<String, Error> {
    let wanted =
        Observable::parse(name).map_or_else(|| name.to_owned(), |observable| observable.name);
    let known = source.observables();
    if known.contains(&wanted.as_str()) {
        return Ok(wanted);
    }
    let refused = source.refused(&wanted);
    let failure = Error::request(match source {
        DataSource::Tables(_) => format!("--observable {name}: not for tables"),
        DataSource::Trace(_) if refused.is_some() => {
            format!("{wanted} was not recorded: {}", refused.unwrap_or_default())
        }
        DataSource::Trace(_) => {
            if known.is_empty() {
                format!("{wanted} was not recorded, and nothing else besides the time")
            } else {
                format!("{wanted} was not recorded: {}", suggestion(&wanted, &known))
            }
        }
    });
    Err(match source {
        DataSource::Tables(_) => failure.advise("--column chooses the column, --unit its unit"),
        // It was asked for: to ask again on this machine does not help.
        DataSource::Trace(_) if refused.is_some() => failure.advise(
            "cll counters lists the available counters; without --observable the times are fitted",
        ),
        DataSource::Trace(_) => {
            let advice = cll_counters::Availability::query().advice(&wanted);
            advice.into_iter().fold(failure, |failure, text| failure.advise(text))
        }
    })
}

/// The formula, in traces, of an experiment whose formula is searched.
const SEARCHED: &str = "auto";

fn own_formula(observed: &Observed) -> Result<Complexity, String> {
    let Parsed { formula, diagnostics } = Complexity::parse(&observed.name, &observed.formula);
    formula.ok_or_else(|| {
        let why = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        let why = why.map_or(String::new(), |diagnostic| format!(": {}", diagnostic.message));
        format!("its formula `{}` cannot be used{why}", observed.formula)
    })
}

impl Choices {
    /// Searches with times that may be wrong by so many seconds.
    fn with_unsure(mut self, unsure: f64) -> Choices {
        let searches = self.search.iter_mut().chain([&mut self.auto]);
        searches
            .map(|search| &mut search.options)
            .chain(&mut self.suggest)
            .for_each(|options| options.unsure = unsure);
        self
    }
}

impl Job {
    fn fitted(self, choices: &Choices) -> ExperimentModel {
        let Job { observed, formula, search, thinned } = self;
        let samples = observed.data.observations() as u64;
        let text = formula.as_ref().map_or(observed.formula.clone(), |f| f.text().to_owned());
        let repaired =
            formula.as_ref().ok().and_then(|formula| repaired(formula, &observed, choices));
        let is_thinned = thinned.is_some();
        let result = formula
            .and_then(|formula| observed.fit(&formula, choices, (search.as_ref(), is_thinned)));
        let (mut fit, points, failure) = match result {
            Ok((fit, points)) => (Some(fit), points, None),
            Err(failure) => (None, Vec::new(), Some(failure)),
        };
        if let Some(fit) = &mut fit {
            let emptied = observed.emptied();
            // A search has said more on other formulas; a region without code has none.
            if emptied.is_some() || matches!(repaired, Some(Ok(_))) {
                fit.warnings.retain(|warning| !matches!(warning, Warning::OtherFormula { .. }));
            }
            fit.warnings.splice(0..0, emptied);
        }
        let mut search = search;
        if let (Some(search), Some(fit)) = (&mut search, &fit) {
            search.average_beside(fit);
        }
        let held_out = points
            .into_iter()
            .map(|point| HeldOutModel { values: point.values, measured: point.measured });
        let mut warnings: Vec<Notice> = fit.as_ref().map(fit_notices).unwrap_or_default();
        warnings.extend(thinned.map(|Thinned { points, variable }| {
            let used = observed.data.points.len();
            let text = format!(
                "of {points} points {used} are fitted, chosen evenly over the sizes of {variable}: all would take long"
            );
            Notice::new("part-of-points", text)
        }));
        let suggestion = match repaired {
            Some(Ok(suggestion)) => Some(suggestion),
            Some(Err(why)) => {
                warnings.push(Notice::new("no-suggestion", format!("nothing is suggested: {why}")));
                None
            }
            None => None,
        };
        ExperimentModel {
            warnings,
            name: named(&observed.name, &observed.part),
            formula: text,
            places: observed.places,
            column: observed.column,
            variables: observed.data.variables,
            observable: observed.observable.unwrap_or_else(|| "time".to_owned()),
            unit: observed.data.unit.to_string(),
            time: observed.time.to_owned(),
            samples,
            working_set: None,
            imbalance: observed.imbalance,
            sync: observed.sync,
            counters: observed.counters,
            misses: observed.misses,
            held_out: held_out.collect(),
            search,
            suggestion,
            fit,
            failure,
            causes: Vec::new(),
            doubts: Vec::new(),
        }
    }
}

/// The formula that is suggested in place of one, if that was asked, or why there is none.
fn repaired(
    formula: &Complexity,
    observed: &Observed,
    choices: &Choices,
) -> Option<Result<SuggestionModel, String>> {
    let options = choices.suggest.as_ref()?;
    let Complexity::Linear(formula) = formula else {
        return Some(Err("terms with constants in exponents are not repaired".to_owned()));
    };
    let mut data: Data = observed.data.clone();
    data.points.retain(|p| !is_held_out(&data.variables, &p.values, &choices.held_out));
    Some(suggested(&data, formula, options))
}

impl Observed {
    /// The fit of a formula with the points that are held out. The search that has found the formula is given with
    /// whether only a part of the points is fitted.
    fn fit(
        &self,
        formula: &Complexity,
        choices: &Choices,
        (search, is_thinned): (Option<&SearchModel>, bool),
    ) -> Result<(Fit, Vec<HeldOutPoint>), String> {
        let why = |error| explain(&error, self, formula);
        let formula = match formula {
            Complexity::Linear(formula) => formula,
            Complexity::Power(_) if !choices.held_out.is_empty() => {
                return Err("--hold-out is not for formulas with constants in exponents".into());
            }
            Complexity::Power(power) => {
                let fit = fit_powers(power, &self.data, &choices.options).map_err(why)?;
                return Ok((fit, Vec::new()));
            }
        };
        let is_held =
            |point: &Point| is_held_out(&self.data.variables, &point.values, &choices.held_out);
        // Whether the data predict better than the formula is asked by leaving out each value once.
        let follow = choices.options.follow && !is_thinned;
        // A searched formula may be a difference, such as N^3 - N.
        let is_difference = search.is_some_and(|search| {
            let best = search.candidates.first();
            best.is_some_and(|best| best.constants.iter().any(|constant| *constant < 0.0))
        });
        let signed = choices.options.signed || is_difference;
        let options = Options { follow, signed, ..choices.options.clone() };
        let mut held =
            hold_out(formula, &self.data, &options, |_, point| is_held(point)).map_err(why)?;
        self.look_at_first_calls(&mut held, &options, is_held);
        Ok((held.fit, held.points))
    }

    /// The warning on a region that takes no more than an empty one, though a variable grows.
    fn emptied(&self) -> Option<Warning> {
        /// An empty region takes less, seconds: two readings of the clock.
        const EMPTY: f64 = 40e-9;
        /// The largest value of a variable by the least, from which on something should be seen of it.
        const RANGE: f64 = 4.0;
        if self.time.is_empty() || self.observable.is_some() {
            return None;
        }
        let points = &self.data.points;
        let medians = points.iter().map(|point| median(point.observations.iter().copied()));
        let value = medians.flatten().fold(f64::NEG_INFINITY, f64::max);
        let grows = |index: &usize| {
            let values = || points.iter().map(|point| point.values[*index]);
            let least = values().fold(f64::INFINITY, f64::min);
            least > 0.0 && values().fold(0.0, f64::max) >= RANGE * least
        };
        let growing = (0..self.data.variables.len()).filter(grows);
        let variables: Vec<String> =
            growing.map(|index| self.data.variables[index].clone()).collect();
        let is_empty = value.is_finite() && value < EMPTY && !variables.is_empty();
        is_empty.then_some(Warning::Emptied { value, variables })
    }

    /// Adds the notices on first calls among the points to the fit's warnings.
    fn look_at_first_calls(
        &self,
        held: &mut HeldOut,
        options: &Options,
        is_held: impl Fn(&Point) -> bool,
    ) {
        // An experiment that does not save a variable cannot be held out by its values.
        let is_whole = |values: &&Vec<f64>| values.iter().all(|value| value.is_finite());
        let firsts: Vec<Vec<f64>> = self.first_calls.iter().filter(is_whole).cloned().collect();
        if firsts.is_empty() {
            return;
        }
        let mut data: Data = self.data.clone();
        data.points.retain(|point| !is_held(point));
        held.fit.warnings.extend(first_call(&held.fit, &data, options, &firsts));
    }
}

/// The fit's warnings, and those that only the command can give.
fn explain(error: &FitError, observed: &Observed, formula: &Complexity) -> String {
    match error {
        FitError::NoData if observed.observable.is_some() && observed.samples > 0 => {
            format!("no sample has {}", observed.observable.as_deref().unwrap_or_default())
        }
        FitError::NoData if observed.thread_ends > 0 => format!(
            "no sample was recorded at {}: {} ended in it (pthread_exit in a called function, or cancelled); \
             end the region before",
            observed.places.join(", "),
            match observed.thread_ends {
                1 => "a thread".to_owned(),
                count => format!("{count} threads"),
            }
        ),
        FitError::NoData if !observed.places.is_empty() => format!(
            "no sample was recorded at {}: the program did not reach it, or left it by longjmp",
            observed.places.join(", ")
        ),
        FitError::UnknownVariable { variable, recorded } => {
            let near = nearest(variable, recorded.iter().map(String::as_str));
            let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
            format!("{error}{near}")
        }
        FitError::FewerPoints { points: 1, .. } if !observed.places.is_empty() => {
            let names: Vec<&str> =
                formula.variables().iter().map(|variable| variable.name.as_str()).collect();
            format!(
                "{error}; {} had one value in all runs: vary it by `#pragma cll for` or --vary",
                names.join(", ")
            )
        }
        _ => error.to_string(),
    }
}

fn fit_notices(fit: &Fit) -> Vec<Notice> {
    let all = sentences(&fit.warnings, &fit.unit).into_iter();
    all.map(|sentence| Notice::new(sentence.code, sentence.text)).collect()
}
