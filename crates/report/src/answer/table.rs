//! Several experiments: one table, then the answer on each.

use cll_fit::Prediction;
use cll_result::{Growth, PredictionView};

use super::experiment::{Subject, Told, data};
use super::lines::Lines;
use super::predictions::{PredictedText, distinct, label};
use super::remark::Remarks;
use super::{AnswerOptions, MAX_LINES_EACH, MAX_REMARKS, all_points, door};
use crate::model::{Causes, ModelView};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table, columns};

/// The table, the experiments, what concerns all of them, and the door.
pub(super) fn text(
    subjects: &[Subject<'_>],
    mut remarks: Remarks,
    options: AnswerOptions<'_>,
    style: &Style,
) -> String {
    let mut lines = Lines::new(style);
    let fitted: Vec<&Subject<'_>> =
        subjects.iter().filter(|subject| subject.view.is_some()).collect();
    let mut mentioned = Told { is_data: is_data_alike(&fitted, style), ..Told::default() };
    if fitted.len() > 1 {
        let count = style.notation().count(subjects.len(), "experiment", "experiments");
        let shared = fitted.first().and_then(|subject| subject.view).filter(|_| mentioned.is_data);
        let shared = shared.map_or(String::new(), |view| data(view.fit, style.notation()));
        lines.sides(&count, "", &shared);
        let (table, are_predictions) = table(&fitted, style);
        lines.push(&table);
        mentioned = Told { is_error: true, are_predictions, ..mentioned };
    } else {
        mentioned.is_data = false;
    }
    let mut all: Vec<Remarks> = subjects.iter().map(|subject| subject.remarks(style)).collect();
    remarks.extend(Remarks::take_common(&mut all));
    let mut notes = 0;
    for (index, (subject, own)) in subjects.iter().zip(&all).enumerate() {
        if index > 0 || fitted.len() > 1 {
            lines.push("\n");
        }
        // How to predict is said once.
        let answer = subject.answer(own, mentioned, (MAX_LINES_EACH, ""), style);
        notes += own.below(answer.remarks);
        lines.push(&answer.text);
    }
    let urgent = remarks.urgent();
    let shown = urgent.len().min(MAX_REMARKS);
    lines.push("\n");
    for remark in &urgent[..shown] {
        lines.short(2, "! ", &remark.text, Role::Plain);
    }
    let mut out = lines.finish();
    out += &all_points(subjects, options, style);
    out + &door::text(notes + remarks.below(shown), options, style)
}

/// Whether all have the same points.
fn is_data_alike(fitted: &[&Subject<'_>], style: &Style) -> bool {
    let all = fitted.iter().filter_map(|subject| Some(data(subject.view?.fit, style.notation())));
    let mut all: Vec<String> = all.collect();
    all.dedup();
    all.len() == 1
}

/// The table, and whether it has the predictions: if one was asked of each and there is room.
fn table(fitted: &[&Subject<'_>], style: &Style) -> (String, bool) {
    let asked = asked(fitted, style);
    let kinds = [(true, asked.as_deref()), (false, asked.as_deref()), (true, None), (false, None)];
    for (has_p90, asked) in kinds {
        let text = rows(fitted, has_p90, asked, style).render(style, 2);
        // Titles, a line below them, and a line for each.
        let is_whole = text.lines().count() == fitted.len() + 2;
        if is_whole && text.lines().all(|line| columns(line) <= style.columns()) {
            return (text, asked.is_some());
        }
    }
    (rows(fitted, false, None, style).render(style, 2), false)
}

/// The values that one prediction of each experiment was asked for.
fn asked(fitted: &[&Subject<'_>], style: &Style) -> Option<String> {
    let mut all = fitted.iter().map(|subject| {
        let (view, own) = subject.view.as_ref().and_then(|view| Some((view, single(view)?.0)))?;
        Some(label(view.fit, own, style))
    });
    let first = all.next()??;
    all.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

/// The only prediction.
fn single<'a>(view: &ModelView<'a>) -> Option<(&'a PredictionView, &'a Prediction)> {
    match distinct(view.predictions)[..] {
        [alone] if alone.measured.is_none() => Some((alone, alone.result.as_ref().ok()?)),
        _ => None,
    }
}

fn rows(fitted: &[&Subject<'_>], has_p90: bool, asked: Option<&str>, style: &Style) -> Table {
    let notation = style.notation();
    let mut titles =
        vec![Column::left("experiment"), Column::left("grows as"), Column::right("error")];
    titles.extend(has_p90.then(|| Column::right("9 of 10")));
    if let Some(asked) = asked {
        titles.extend([Column::left(asked), Column::left("").joined(), Column::left("data")]);
    }
    let mut table = Table::new(titles);
    for subject in fitted {
        let Some(view) = &subject.view else { continue };
        let fit = view.fit;
        let growth = Growth::from_fit(fit).map_or_else(
            || "-".to_owned(),
            |growth| match growth.term {
                term if term == "1" => "constant".to_owned(),
                term => notation.text(&term),
            },
        );
        let mut cells = vec![
            Cell::new(notation.text(view.name)).role(Role::Title),
            Cell::new(growth),
            Cell::new(notation.percent(fit.quality.median_error)),
        ];
        cells.extend(has_p90.then(|| Cell::new(notation.percent(fit.quality.p90_error))));
        if asked.is_some()
            && let Some((own, prediction)) = single(view)
        {
            let numbers = PredictedText::new(
                (fit, Causes::default()),
                own,
                prediction,
                &subject.doubts,
                notation,
            );
            cells.extend([
                Cell::new(numbers.value).role(Role::Value),
                Cell::new(numbers.range),
                Cell::new(numbers.words.replace(" the data", "")).role(numbers.role),
            ]);
        }
        table.row(cells);
    }
    table
}
