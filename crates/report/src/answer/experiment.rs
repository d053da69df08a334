//! The answer on one experiment.

use cll_diagnostic::shell_file;
use cll_fit::Fit;
use cll_result::{DoubtKind, Doubts, ExperimentModel, ModelFile, Predicted};

use super::lines::Lines;
use super::remark::Remarks;
use super::remarks::remarks;
use super::wrong::Wrong;
use super::{MAX_REMARKS, formula, predictions};
use crate::Notation;
use crate::model::ModelView;
use crate::style::{Role, Style};

/// An experiment, its fit if it has one, and what was asked.
pub(super) struct Subject<'a> {
    model: &'a ModelFile,
    pub experiment: &'a ExperimentModel,
    pub view: Option<ModelView<'a>>,
    pub doubts: Doubts,
    /// Why some predictions cannot be made.
    pub missing: Vec<&'a str>,
}

/// The parts of an answer that stand elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Told {
    /// The number of points and their range.
    pub is_data: bool,
    /// The errors.
    pub is_error: bool,
    /// The predictions.
    pub are_predictions: bool,
}

/// A text, and how many of the remarks are in it.
pub(super) struct Answer {
    pub text: String,
    pub remarks: usize,
}

impl<'a> Subject<'a> {
    pub fn new(
        model: &'a ModelFile,
        index: usize,
        view: Option<ModelView<'a>>,
        predicted: &'a [Predicted],
    ) -> Subject<'a> {
        let experiment = &model.experiments[index];
        let own = predicted.iter().filter(|prediction| prediction.experiment == index);
        let failures =
            own.filter_map(|own| Some((own.view.result.as_ref().err()?, own.failure.as_deref()?)));
        let missing = predictions::missing(failures);
        Subject { model, experiment, view, doubts: model.doubts_of(experiment), missing }
    }

    /// The fault of its formula, if it has one.
    pub fn wrong(&self, fit: &Fit, notation: Notation) -> Option<Wrong> {
        let disturbs = |kind| matches!(kind, DoubtKind::Disturbed | DoubtKind::NotMeasurable);
        let is_disturbed = (&self.doubts).into_iter().any(|doubt| disturbs(doubt.kind));
        Wrong::new(self.experiment, fit, is_disturbed, notation)
    }

    /// Remarks for the reader.
    pub fn remarks(&self, style: &Style) -> Remarks {
        let Some(view) = &self.view else { return Remarks::default() };
        let is_wrong = self.wrong(view.fit, style.notation()).is_some();
        remarks(self.model, self.experiment, view, is_wrong, style.notation())
    }

    /// The answer in so many lines, if the formula leaves that room.
    pub fn answer(
        &self,
        remarks: &Remarks,
        mentioned: Told,
        (room, kept): (usize, &str),
        style: &Style,
    ) -> Answer {
        let notation = style.notation();
        let mut lines = Lines::new(style);
        let name = notation.text(&self.experiment.name);
        let place = notation.text(&self.experiment.place());
        let Some(view) = &self.view else {
            lines.sides(&name, &place, "cannot be fitted");
            let why = self.experiment.failure.as_deref().unwrap_or("it has no fit");
            let formula = &self.experiment.formula;
            lines.short(2, "formula ", &notation.text(formula), Role::Plain);
            lines.short(2, "! ", &notation.text(why), Role::Caution);
            let others = remarks.urgent().iter().take(MAX_REMARKS - 1);
            others.clone().for_each(|remark| lines.short(2, "! ", &remark.text, Role::Plain));
            return Answer { text: lines.finish(), remarks: others.count() };
        };
        let fit = view.fit;
        lines.sides(
            &name,
            &place,
            &if mentioned.is_data { String::new() } else { data(fit, notation) },
        );
        if let Some(wrong) = self.wrong(fit, notation) {
            lines.push(&wrong.lines(style));
        }
        // An error, a prediction and what to do have room below.
        let below =
            2 + usize::from(!mentioned.is_error) + 2 * usize::from(!mentioned.are_predictions);
        let rest = room.saturating_sub(lines.count() + below).max(2);
        lines.push(&formula::text(view, rest, style));
        if !mentioned.is_error {
            lines.hanging(2, "error ", &error(fit, self.experiment, notation), Role::Plain);
        }
        let sentences: Vec<String> = remarks
            .urgent()
            .iter()
            .take(MAX_REMARKS)
            .map(|remark| {
                let mut own = Lines::new(style);
                own.short(2, "! ", &remark.text, Role::Plain);
                own.finish()
            })
            .collect();
        let first = sentences.first().map_or(0, |text| text.lines().count());
        let left = |lines: &Lines<'_>| room.saturating_sub(lines.count());
        if !mentioned.are_predictions {
            let room = left(&lines).saturating_sub(first);
            lines.push(&self.predictions(view, kept, room, style));
        }
        let mut shown = 0;
        for sentence in &sentences {
            if sentence.lines().count() > left(&lines) {
                break;
            }
            lines.push(sentence);
            shown += 1;
        }
        if view.predictions.is_empty()
            && self.missing.is_empty()
            && !kept.is_empty()
            && !fit.variables.is_empty()
            && left(&lines) > 0
        {
            lines.short(2, "predict: ", &predicting(fit, kept, notation), Role::Faint);
        }
        Answer { text: lines.finish(), remarks: shown }
    }

    /// The predictions in so many lines, at least one. Where there can be none, what was measured stands before.
    fn predictions(&self, view: &ModelView<'_>, kept: &str, room: usize, style: &Style) -> String {
        let notation = style.notation();
        let mut lines = Lines::new(style);
        for text in &self.missing {
            lines.short(2, "no prediction: ", &notation.text(text), Role::Caution);
        }
        let mut all = predictions::text(view, &self.doubts, style);
        let is_refused = view.predictions.iter().any(|prediction| prediction.result.is_err());
        if let Some(text) = predictions::largest(view.fit, notation).filter(|_| is_refused) {
            let mut own = Lines::new(style);
            own.short(2, "", &text, Role::Plain);
            all.insert(0, own.finish());
        }
        let total: usize = all.iter().map(|text| text.lines().count()).sum();
        let fits = lines.count() + total <= room;
        let mut shown = 0;
        for text in &all {
            // The last line says how many are left.
            let needed = lines.count() + text.lines().count() + usize::from(!fits);
            if shown > usize::from(is_refused) && needed > room {
                break;
            }
            lines.push(text);
            shown += 1;
        }
        let rest = all.len() - shown;
        if rest > 0 {
            let count = notation.count(rest, "prediction", "predictions");
            let text = match kept {
                "" => format!("{count} more: --details"),
                kept => format!("{count} more: {}", predicting(view.fit, kept, notation)),
            };
            lines.cut(2, "", &text, Role::Faint, 1);
        }
        lines.finish()
    }
}

/// `cll predict matrix.cll --at N=...`
fn predicting(fit: &Fit, kept: &str, notation: Notation) -> String {
    let values = fit.variables.iter().map(|name| format!("{}=...", notation.text(name)));
    let values: Vec<String> = values.collect();
    format!("cll predict {} --at {}", notation.text(&shell_file(kept)), values.join(","))
}

/// `69 sizes, N = 41 to 3501, 12 runs of each`
pub(super) fn data(fit: &Fit, notation: Notation) -> String {
    let mut parts = vec![notation.count(fit.quality.points, noun(fit).0, noun(fit).1)];
    for range in &fit.domain {
        let name = notation.text(&range.variable);
        let low = notation.number(range.low);
        let high = notation.number(range.high);
        parts.push(if range.low == range.high {
            format!("{name} = {low}")
        } else {
            format!("{name} = {low} to {high}")
        });
    }
    parts.push(match fit.quality.repetitions {
        (1, 1) => "measured once".to_owned(),
        (least, most) if least == most => format!("{most} runs of each"),
        (least, _) => notation.count(least, "run or more", "runs or more"),
    });
    parts.join(", ")
}

/// The name of the points.
fn noun(fit: &Fit) -> (&'static str, &'static str) {
    match (&fit.variables[..], &fit.recorded[..]) {
        ([name], [_]) if name != "P" => ("size", "sizes"),
        _ => ("point", "points"),
    }
}

/// `2.3 % (median), 9 % for 9 of 10 sizes`
pub(super) fn error(fit: &Fit, experiment: &ExperimentModel, notation: Notation) -> String {
    let quality = &fit.quality;
    let mut text = if quality.exact_misfit == Some(0.0) {
        format!("0 %: the formula gives all {} exactly", noun(fit).1)
    } else if quality.points <= quality.parameters {
        format!("not known: no more {} than constants", noun(fit).1)
    } else {
        format!(
            "{} (median), {} for 9 of 10 {}",
            notation.percent(quality.median_error),
            notation.percent(quality.p90_error),
            noun(fit).1
        )
    };
    let first = experiment.search.as_ref().and_then(|search| search.candidates.first());
    if let Some(first) = first {
        text.push_str(&format!("; formula {} probable", notation.percent(first.weight)));
    }
    let suggestion = experiment.suggestion.as_ref();
    if suggestion.is_some_and(|suggestion| suggestion.changes.is_empty()) {
        text.push_str("; the formula is as good as any tried");
    }
    text
}
