//! The short report on a model: the answer, how certain it is, what to do, and the command that prints the rest.
//!
//! One experiment takes at most [`MAX_LINES`] lines, each of several at most [`MAX_LINES_EACH`] below one table,
//! in 80 columns. Numbers and sentences are those of the long report ([`crate::model_report`]).

mod door;
mod experiment;
mod formula;
mod lines;
mod parts;
mod predictions;
mod ranking;
mod remark;
mod remarks;
mod table;
mod warnings;
mod wrong;

use cll_fit::rounds::State;
use cll_result::{DoubtKind, ModelFile, Predicted, Sampling};

use crate::model::{Views, flagged, points};
use crate::plot::{PlotOptions, experiment_plot};
use crate::style::{Role, Style};
use crate::terminal::small_plot;
use crate::text::escape;

pub(crate) use door::beside_notes;
use experiment::{Subject, Told};
use lines::Lines;
pub(crate) use parts::{AnswerFormula, AnswerParts, AnswerPrediction, answer_parts};
use remark::{Remark, Remarks};

/// Lines of the report on one experiment.
pub const MAX_LINES: usize = 14;
/// Lines on each of several experiments, below their table.
pub const MAX_LINES_EACH: usize = 10;
/// Lines that say what to do, of an experiment and of a ranking.
const MAX_REMARKS: usize = 3;

/// Facts that the short report needs beside the model.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnswerOptions<'a> {
    /// Numbers without a mark, even if the machine was too disturbed.
    pub accept: bool,
    /// The file or folder of the model; empty if it is not kept.
    pub model: &'a str,
    /// The page with everything; empty if there is none.
    pub page: &'a str,
    /// Whether every point is printed, with the model's value.
    pub points: bool,
    /// Whether there is room for a plot of a single experiment.
    pub plot: bool,
}

/// The answer of every experiment. If the sampling was disturbed too much, every line is marked, unless `accept` is set.
pub fn answer_report(
    model: &ModelFile,
    predicted: &[Predicted],
    options: AnswerOptions<'_>,
    style: &Style,
) -> String {
    match model.sampling.as_ref().filter(|sampling| sampling.is_not_measurable()) {
        Some(sampling) if !options.accept => {
            let head = refusal(sampling, style);
            let taken = head.lines().count();
            // Two columns are those of the marks.
            let narrow = Style { width: style.width.saturating_sub(2), ..*style };
            let options = AnswerOptions { plot: false, ..options };
            head + &flagged(&body(model, predicted, options, taken, &narrow))
        }
        _ => {
            let head = doubts(model, style);
            let taken = head.lines().count();
            head + &body(model, predicted, options, taken, style)
        }
    }
}

/// Why the numbers that follow must not be used, and what would help.
fn refusal(sampling: &Sampling, style: &Style) -> String {
    let mut lines = Lines::new(style);
    lines.hanging(0, "", "NOT MEASURABLE NOW", Role::Bad);
    for reason in sampling.verdict.reasons.iter().take(1) {
        lines.short(2, "! ", &style.notation().text(&reason.text), Role::Plain);
    }
    for advice in sampling.verdict.advice.iter().take(1) {
        lines.short(2, "> ", &style.notation().text(advice), Role::Plain);
    }
    lines.hanging(0, "", "The results, which must not be used:", Role::Plain);
    lines.finish()
}

/// Doubts of experiments from other files.
fn doubts(model: &ModelFile, style: &Style) -> String {
    let mut lines = Lines::new(style);
    let all = model.doubts();
    let grave = all.iter().filter(|doubt| doubt.kind == DoubtKind::NotMeasurable);
    let own = model.sampling.as_ref().and_then(Sampling::doubt);
    // It was accepted.
    for doubt in grave.filter(|doubt| own.as_ref() != Some(doubt)).take(1) {
        let text = format!("NOT MEASURABLE: {}", escape(&doubt.text));
        lines.short(0, "! ", &style.notation().text(&text), Role::Bad);
    }
    lines.finish()
}

/// All but the refusal, which has taken so many lines.
fn body(
    model: &ModelFile,
    predicted: &[Predicted],
    options: AnswerOptions<'_>,
    taken: usize,
    style: &Style,
) -> String {
    let views = Views::new(model, predicted);
    let subjects: Vec<Subject<'_>> = (0..model.experiments.len())
        .map(|index| Subject::new(model, index, views.view(index), predicted))
        .collect();
    let mut remarks = of_file(model, style);
    if let Some(ranking) = &model.ranking {
        return ranking::text(ranking, &subjects, remarks, options, style);
    }
    match &subjects[..] {
        [subject] => {
            remarks.extend(subject.remarks(style));
            // With as many digits as the number of notes can have.
            let door = door::text(remarks.below(0), options, style);
            let room = MAX_LINES.saturating_sub(taken + door.lines().count());
            let answer = subject.answer(&remarks, Told::default(), (room, options.model), style);
            let mut out = answer.text;
            out += &plot(model, subject, options, style);
            out += &all_points(&subjects, options, style);
            out + &door::text(remarks.below(answer.remarks), options, style)
        }
        _ => table::text(&subjects, remarks, options, style),
    }
}

/// Remarks on all experiments.
fn of_file(model: &ModelFile, style: &Style) -> Remarks {
    let mut remarks = of_notices(model, style);
    if let Some(sampling) = &model.sampling
        && sampling.verdict.state == State::Disturbed
    {
        remarks.push(Remark::disturbed(sampling, style.notation()));
    }
    remarks
}

/// Those that do not come from the state of the machine.
fn of_notices(model: &ModelFile, style: &Style) -> Remarks {
    let notation = style.notation();
    let mut remarks = Remarks::default();
    for shared in &model.shared {
        remarks.push(Remark::shared(shared, notation));
    }
    for notice in &model.warnings {
        remarks.push(Remark::of_file(notice, notation));
    }
    remarks
}

/// The measured points and the curve.
fn plot(
    model: &ModelFile,
    subject: &Subject<'_>,
    options: AnswerOptions<'_>,
    style: &Style,
) -> String {
    if !options.plot {
        return String::new();
    }
    let views = subject.view.map_or(&[][..], |view| view.predictions);
    let views: Vec<_> = views.iter().filter(|view| view.result.is_ok()).cloned().collect();
    match experiment_plot(model, subject.experiment, &views, &PlotOptions::default()) {
        Some(Ok(spec)) => small_plot(&spec, style),
        // A fit without a variable has no plot.
        _ => String::new(),
    }
}

/// Every point of every fit, if that was asked for.
fn all_points(subjects: &[Subject<'_>], options: AnswerOptions<'_>, style: &Style) -> String {
    if !options.points {
        return String::new();
    }
    let fits = subjects.iter().filter_map(|subject| Some(subject.view?.fit));
    fits.map(|fit| points::points_text(fit, style)).collect()
}
