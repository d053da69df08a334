//! Where a program spends its time: the regions that make nearly all of it, and what to do.

use cll_fit::Unit;
use cll_result::{HotSpot, Ranking};

use super::experiment::Subject;
use super::lines::Lines;
use super::remark::Remarks;
use super::{AnswerOptions, all_points, door};
use crate::Notation;
use crate::model::ranking::{formula, predicted, remark, total_text, unit};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table, columns};

/// The share of the time that is listed.
const SHARE: f64 = 0.95;
/// Regions that are listed at most.
const MAX_SPOTS: usize = 12;
/// Lines of what to do.
const MAX_REMARKS: usize = 5;

/// The table, the whole program, what to do, and the door.
pub(super) fn text(
    ranking: &Ranking,
    subjects: &[Subject<'_>],
    remarks: Remarks,
    options: AnswerOptions<'_>,
    style: &Style,
) -> String {
    let notation = style.notation();
    let mut lines = Lines::new(style);
    let title = if ranking.of_experiments { "Ranking" } else { "Hot spots" };
    lines.sides(title, "", &remark(ranking, notation));
    let spots = &ranking.spots[..listed(ranking)];
    lines.push(&table(ranking, spots, style));
    let rest = &ranking.spots[spots.len()..];
    if !rest.is_empty() {
        let share: f64 = rest.iter().map(|spot| spot.share).sum();
        let names = if ranking.of_experiments {
            ("experiment", "experiments")
        } else {
            ("region", "regions")
        };
        let count = notation.count(rest.len(), names.0, names.1);
        let text = format!("{count} more: {} together", notation.percent(share.max(0.0)));
        lines.hanging(2, "", &text, Role::Faint);
    }
    if let Some(total) = &ranking.total {
        lines.hanging(2, "", &total_text(ranking, total, notation), Role::Plain);
    }
    let mut notes = remarks.below(0) - remarks.urgent().len();
    let mut all: Vec<String> = about(ranking, notation);
    all.extend(remarks.urgent().iter().map(|remark| remark.text.clone()));
    all.extend(spots.iter().filter_map(|spot| without_formula(spot, subjects, notation)));
    // One of each region first, the largest before.
    let own: Vec<(String, Remarks)> = spots
        .iter()
        .filter_map(|spot| {
            let subject = subjects.iter().find(|subject| subject.experiment.name == spot.name)?;
            Some((notation.text(&spot.name), subject.remarks(style)))
        })
        .collect();
    for rank in 0..2 {
        for (name, remarks) in &own {
            if let Some(remark) = remarks.urgent().get(rank) {
                all.push(format!("{name}: {}", remark.text));
            }
        }
    }
    let shown = all.len().min(MAX_REMARKS);
    for text in &all[..shown] {
        lines.short(2, "! ", text, Role::Plain);
    }
    notes += all.len() - shown;
    notes += own.iter().map(|(_, remarks)| remarks.below(2)).sum::<usize>();
    let left_out = ranking.left_out.len() + ranking.not_reached.len();
    notes += left_out;
    let mut out = lines.finish();
    out += &all_points(subjects, options, style);
    out + &door::text(notes, options, style)
}

/// How many regions make nearly all of the time.
fn listed(ranking: &Ranking) -> usize {
    let mut sum = 0.0;
    let enough = ranking.spots.iter().take_while(|spot| {
        let is_needed = sum < SHARE;
        sum += spot.share;
        is_needed
    });
    enough.count().clamp(1, MAX_SPOTS).min(ranking.spots.len())
}

/// Why a region has no formula, if that is known.
fn without_formula(spot: &HotSpot, subjects: &[Subject<'_>], notation: Notation) -> Option<String> {
    if spot.time.formula.is_some() {
        return None;
    }
    let failure = || {
        let subject = subjects.iter().find(|subject| subject.experiment.name == spot.name)?;
        subject.experiment.failure.clone()
    };
    let why = spot.time.why.clone().or_else(failure)?;
    Some(notation.text(&format!("{}: {why}", spot.name)))
}

/// Remarks on the whole table.
fn about(ranking: &Ranking, notation: Notation) -> Vec<String> {
    let mut all = Vec::new();
    if !ranking.asked.is_empty() {
        all.push(format!(
            "no formula fits all regions that matter: their shares at {} are not known, measure closer to it",
            notation.values(&ranking.asked)
        ));
    }
    if ranking.is_beyond {
        all.push(
            "this size is beyond the measured sizes, and the shares are extrapolated: measure closer"
                .to_owned(),
        );
    }
    all
}

/// The widest table that fits, with a line for each region if possible.
fn table(ranking: &Ranking, spots: &[HotSpot], style: &Style) -> String {
    let kinds = [(true, true), (false, true), (false, false)];
    for (has_places, has_intervals) in kinds {
        let text = rows(ranking, spots, (has_places, has_intervals), style).render(style, 2);
        let is_table = text.lines().count() <= 2 + 2 * spots.len();
        if is_table && text.lines().all(|line| columns(line) <= style.columns()) {
            return text;
        }
    }
    rows(ranking, spots, (false, false), style).render(style, 2)
}

fn rows(
    ranking: &Ranking,
    spots: &[HotSpot],
    (has_places, has_intervals): (bool, bool),
    style: &Style,
) -> Table {
    let notation = style.notation();
    let unit: Unit = unit(ranking);
    let is_asked = !ranking.asked.is_empty();
    let name = if ranking.of_experiments { "experiment" } else { "region" };
    let value = if ranking.observable.is_none() { "time" } else { "value" };
    let mut titles = vec![Column::right("share"), Column::left(name)];
    titles.extend(has_places.then(|| Column::left("place")));
    titles.push(Column::right(value));
    titles.extend(has_intervals.then(|| Column::left("interval")));
    let asked = notation.values(&ranking.asked);
    titles.extend(is_asked.then(|| Column::left(&format!("at {asked}"))));
    let per = if ranking.run.is_empty() { "formula" } else { "formula of a passage" };
    titles.push(Column::left(per).flexible());
    let mut table = Table::new(titles);
    for spot in spots {
        let time = spot.time.estimate.as_ref();
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let mut cells = vec![
            Cell::new(or_none(time.map(|_| notation.percent(spot.share)))),
            Cell::new(notation.text(&spot.name)).role(Role::Title),
        ];
        cells.extend(has_places.then(|| Cell::new(notation.text(&spot.place))));
        cells.push(Cell::new(or_none(time.map(|time| notation.quantity(time.value, &unit)))));
        cells.extend(has_intervals.then(|| {
            Cell::new(or_none(time.map(|time| notation.range(time.low, time.high, &unit))))
        }));
        cells.extend(is_asked.then(|| Cell::new(predicted(&spot.time, &unit, notation))));
        cells.push(Cell::new(formula(&spot.name, &spot.time, &unit, notation)));
        table.row(cells);
    }
    table
}
