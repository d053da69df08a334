//! A model of an MPI program.

use cll_diagnostic::counted;
use cll_fit::{Fit, Unit};
use cll_result::{MpiModel, MpiModelPoint, MpiModelPrediction, roman};
use cll_units::Seconds;

use crate::Notation;
use crate::document::{Document, Section};
use crate::model::formula::fitted;
use crate::style::Style;
use crate::text::{Cell, Column, Table, escape};
use cll_units::text::{PercentDigits, percent};

/// Segments and calls that are shown, those with the largest share.
const ROWS: usize = 10;
/// Parts of the longest path that are shown.
const PARTS: usize = 5;
/// Held-out points and predictions that are shown.
const POINTS: usize = 24;
/// Points with more rounds than others that are named.
const MORE: usize = 8;

/// Predictions first, then errors, segments, calls, loops.
pub fn mpi_model_text(model: &MpiModel, style: &Style) -> String {
    let notation = style.notation();
    let mut head = Section::plain(format!(
        "{}: {} in {}, {}",
        escape(&model.program),
        runs(model),
        rounds(model),
        super::library_name(&model.library)
    ));
    let errors = &model.errors;
    let what =
        if errors.is_held_out { "held-out points" } else { "the points that the model is made of" };
    let compared = if errors.is_held_out { &model.held_out } else { &model.fitted };
    if compared.iter().any(|point| point.error.is_some()) {
        head = head.line(format!(
            "errors at {what}: mean {}, median {}, largest {}",
            notation.percent(errors.mean),
            notation.percent(errors.median),
            notation.percent(errors.largest)
        ));
    }
    if let Some(line) = more_rounds(model, notation) {
        head = head.line(line);
    }
    for note in &model.notes {
        head = head.line(format!("note: {}", escape(note)));
    }
    let mut sections = vec![head];
    sections.extend(
        model
            .predictions
            .iter()
            .take(POINTS)
            .map(|mpi_model_prediction| prediction(mpi_model_prediction, model, style)),
    );
    if !model.held_out.is_empty() {
        sections.push(points("Held-out points", &model.held_out, model, notation));
    }
    sections.push(segments(model, style));
    sections.extend(calls(model, style));
    sections.extend(loops(model));
    for start in &model.start {
        let line = format!(
            "start and end of {} processes: {} ({} to {})",
            start.processes,
            seconds(start.time, notation),
            seconds(start.low, notation),
            seconds(start.high, notation)
        );
        sections.push(Section::plain(line));
    }
    Document::new(sections).text(style)
}

fn all_points(model: &MpiModel) -> impl Iterator<Item = &MpiModelPoint> {
    model.fitted.iter().chain(&model.held_out)
}

/// `5 runs`; `the 5 quickest of 25 runs`.
fn runs(model: &MpiModel) -> String {
    match (model.runs, model.made) {
        (used, total) if used == total => counted(total, "run", "runs"),
        (1, total) => format!("the quickest of {total} runs"),
        (used, total) => format!("the {used} quickest of {total} runs"),
    }
}

/// `5 rounds`, `5 to 15 rounds`.
fn rounds(model: &MpiModel) -> String {
    let least = all_points(model).map(|point| point.rounds).min().unwrap_or(model.rounds);
    match (least, model.rounds) {
        (1, 1) => "1 round".to_owned(),
        (least, most) if least < most => format!("{least} to {most} rounds"),
        (_, most) => format!("{most} rounds"),
    }
}

/// The points that were run more often than others, with how much their two quickest runs differ now.
fn more_rounds(model: &MpiModel, notation: Notation) -> Option<String> {
    let least = all_points(model).map(|point| point.rounds).min()?;
    let more: Vec<&MpiModelPoint> =
        all_points(model).filter(|point| point.rounds > least).collect();
    let text_of = |point: &&MpiModelPoint| {
        let place = values(&point.values, point.processors, model);
        let differ = point.spread.map_or(String::new(), |by| notation.percent(by));
        format!("{place}: {} ({differ})", point.rounds)
    };
    let shown: Vec<String> = more.iter().take(MORE).map(text_of).collect();
    let others = match more.len().saturating_sub(MORE) {
        0 => String::new(),
        count => format!("; {count} others"),
    };
    (!more.is_empty()).then(|| {
        format!(
            "more than {least} rounds where the two quickest runs differed, with how much they differ now: {}{others}",
            shown.join("; ")
        )
    })
}

fn seconds(time: Seconds, notation: Notation) -> String {
    notation.quantity(time.get(), &Unit::Seconds)
}

/// `n=600 P=2`.
fn values(values: &[f64], processors: u32, model: &MpiModel) -> String {
    let named = model.variables.iter().zip(values);
    let words = named.map(|(name, value)| format!("{}={value}", escape(name)));
    words.chain([format!("P={processors}")]).collect::<Vec<_>>().join(" ")
}

fn prediction(predicted: &MpiModelPrediction, model: &MpiModel, style: &Style) -> Section {
    let notation = style.notation();
    let place = values(&predicted.values, predicted.processors, model);
    let Some(time) = predicted.time else {
        return Section::plain(format!("{place}: not known: {}", escape(&predicted.why)));
    };
    let outside = if predicted.is_outside { "; outside of what was run" } else { "" };
    let mut section = Section::plain(format!(
        "{place}: {} (90 %: {} to {}{outside})",
        seconds(time, notation),
        seconds(predicted.low, notation),
        seconds(predicted.high, notation)
    ));
    if let Some(start) = predicted.start {
        section = section.line(format!(
            "with start and end of the processes ({}): {}",
            seconds(start, notation),
            seconds(time + start, notation)
        ));
    }
    section = section.line(format!(
        "sum of the segments of rank 0: {}, k = {}",
        seconds(predicted.master, notation),
        seconds(predicted.k, notation)
    ));
    if let Some(changed) = predicted.changed {
        let line = format!("with the changes: {}", seconds(changed, notation));
        section = section.line(line);
    }
    if !predicted.unsure.is_empty() {
        let named: Vec<_> = predicted.unsure.iter().take(PARTS).map(|text| escape(text)).collect();
        section = section.line(format!(
            "the interval is wide since several formulas explain the runs of these parts and differ here (more values of the \
             variables would tell them apart): {}",
            named.join("; ")
        ));
    }
    if predicted.unmatched > 0 {
        section = section.line(format!(
            "not reliable: {} calls wait for something that no rank does in the model, since the passages of some loops do \
             not follow from the variables",
            predicted.unmatched
        ));
    }
    let waiting =
        predicted.ranks.iter().max_by(|rank, other| rank.waiting.total_cmp(&other.waiting));
    if let Some(most) = waiting.filter(|most| most.waiting > Seconds::ZERO) {
        section = section.line(format!(
            "rank {} waits most: {} of its time",
            most.rank,
            notation.percent(most.waiting / time)
        ));
    }
    let mut table = Table::new(vec![
        Column::left("Longest path"),
        Column::right("time"),
        Column::right("share"),
    ]);
    for part in predicted.path.iter().take(PARTS) {
        table.row(vec![
            Cell::from(escape(&part.what)),
            Cell::from(seconds(part.time, notation)),
            Cell::from(notation.percent(part.time / time)),
        ]);
    }
    section.table(table)
}

fn points(
    title: &'static str,
    all: &[MpiModelPoint],
    model: &MpiModel,
    notation: Notation,
) -> Section {
    let mut table = Table::new(vec![
        Column::left(""),
        Column::right("measured"),
        Column::right("model"),
        Column::right("error"),
    ]);
    for point in all.iter().take(POINTS) {
        table.row(vec![
            Cell::from(values(&point.values, point.processors, model)),
            Cell::from(seconds(point.measured, notation)),
            Cell::from(
                point.predicted.map_or("not known".to_owned(), |time| seconds(time, notation)),
            ),
            Cell::from(
                point.error.map_or(String::new(), |error| percent(error, PercentDigits::Signed(1))),
            ),
        ]);
    }
    Section::plain(title).table(table)
}

/// The formula of a time, of its first interval if it has several.
fn formula(fit: Option<&Fit>, time: Seconds, notation: Notation) -> String {
    let Some(fit) = fit else { return seconds(time, notation) };
    let Some(last) = fit.intervals.last() else { return seconds(time, notation) };
    let text = fitted(fit, last, notation);
    match fit.intervals.len() {
        1 => text,
        count => format!("{text} ({count} intervals, the last)"),
    }
}

fn segments(model: &MpiModel, style: &Style) -> Section {
    let notation = style.notation();
    let mut table = Table::new(vec![
        Column::left("Segment"),
        Column::left("ranks"),
        Column::left("before"),
        Column::left("time of a passage"),
        Column::right("of a rank's time"),
    ]);
    let mut shown: Vec<_> = model.segments.iter().collect();
    shown.sort_by(|segment, other| other.share.total_cmp(&segment.share));
    shown.truncate(ROWS);
    shown.sort_by_key(|segment| segment.number);
    for segment in &shown {
        table.row(vec![
            Cell::from(roman(segment.number)),
            Cell::from(segment.ranks.clone()),
            Cell::from(escape(&segment.before)),
            Cell::from(formula(segment.fit.as_ref(), segment.time, notation)),
            Cell::from(notation.percent(segment.share)),
        ]);
    }
    let section = Section::plain("Segments").table(table);
    others(section, model.segments.len(), shown.len(), style)
}

fn calls(model: &MpiModel, style: &Style) -> Option<Section> {
    let notation = style.notation();
    if model.primitives.is_empty() {
        return None;
    }
    let mut table = Table::new(vec![
        Column::left("Call"),
        Column::left("ranks"),
        Column::left("bytes"),
        Column::left("time without waiting"),
        Column::right("of a rank's time"),
    ]);
    let mut shown: Vec<_> = model.primitives.iter().collect();
    shown.sort_by(|primitive, other| other.share.total_cmp(&primitive.share));
    shown.truncate(ROWS);
    for primitive in &shown {
        let about = if primitive.is_exact || primitive.bytes.is_empty() { "" } else { "about " };
        let machine = if primitive.is_of_machine { " (machine)" } else { "" };
        table.row(vec![
            Cell::from(escape(&primitive.call)),
            Cell::from(primitive.ranks.clone()),
            Cell::from(format!("{about}{}", escape(&primitive.bytes))),
            Cell::from(format!(
                "{}{machine}",
                formula(primitive.fit.as_ref(), primitive.time, notation)
            )),
            Cell::from(notation.percent(primitive.share)),
        ]);
    }
    let section = Section::plain("Calls").table(table);
    let section = others(section, model.primitives.len(), shown.len(), style);
    Some(match model.rendezvous_bytes {
        Some(bytes) => {
            section.line(format!("sends of {bytes} bytes and more wait for their receivers"))
        }
        None => section,
    })
}

fn loops(model: &MpiModel) -> Option<Section> {
    if model.loops.is_empty() {
        return None;
    }
    let mut section = Section::plain("Loops");
    for mpi_model_loop in model.loops.iter().take(ROWS) {
        let about = if mpi_model_loop.is_exact { "" } else { "about " };
        section = section.line(format!(
            "{}, from {}: {about}{} passages",
            mpi_model_loop.ranks,
            escape(&mpi_model_loop.call),
            escape(&mpi_model_loop.passages)
        ));
    }
    Some(section)
}

fn others(section: Section, all: usize, shown: usize, style: &Style) -> Section {
    match all - shown {
        0 => section,
        more => {
            let and = style.glyph("… and", "... and");
            section.line(format!("{and} {more} with smaller shares (--json has all)"))
        }
    }
}
