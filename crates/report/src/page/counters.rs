//! Counters recorded with the time: how many samples have them, and their values at each point.

use cll_fit::Unit;
use cll_result::{CounterModel, ExperimentModel, MissesModel, ModelFile};

use super::MAX_POINTS;
use crate::document::{Block, Section};
use crate::notation::Notation;
use crate::style::Role;
use crate::text::{Cell, Column, Table};

const NOTATION: Notation = Notation::Unicode;

/// The section on counters; empty if there were none.
pub(crate) fn section(model: &ModelFile, experiment: &ExperimentModel, index: usize) -> Section {
    // The fitted counter is shown with the fit.
    let counters: Vec<&CounterModel> = experiment
        .counters
        .iter()
        .filter(|counter| counter.name != experiment.observable)
        .collect();
    if counters.is_empty() && experiment.misses.is_empty() {
        return Section::default();
    }
    let remark = "what was recorded beside the time: at each point the median, and misses per access \
                  of all samples together";
    let points = places(&counters, &experiment.misses);
    let each = table(experiment, &counters, &points);
    let each = Block::first_rows(each, "Counters at each point", points.len());
    let live = Block::Live { island: "counters", experiment: index, blocks: vec![each] };
    Section::new(
        "Counters",
        remark,
        vec![Block::table(recorded(model, experiment), "Counters"), live],
    )
}

/// A row for each counter: its unit, how many samples and runs have it, and misses per access.
fn recorded(model: &ModelFile, experiment: &ExperimentModel) -> Table {
    let mut table = Table::new(vec![
        Column::left("counter"),
        Column::left("unit"),
        Column::right("samples"),
        Column::right("runs"),
        Column::left("misses per access"),
        Column::left("").flexible(),
    ]);
    let misses = |name: &str| {
        let entry = experiment.misses.iter().find(|misses| misses.misses == name);
        entry
            .filter(|entry| entry.share.is_finite())
            .map(|entry| format!("{} of {}", NOTATION.percent(entry.share), entry.accesses))
    };
    for counter in &experiment.counters {
        let missing = match counter.samples {
            0 => "not counted: no sample has it",
            _ => "",
        };
        table.row([
            Cell::new(&counter.name),
            Cell::new(&counter.unit),
            Cell::new(format!(
                "{} of {}",
                counter.samples,
                experiment.samples.max(counter.samples)
            )),
            Cell::new(runs(model, &counter.name).unwrap_or_default()),
            Cell::new(misses(&counter.name).unwrap_or_default()),
            Cell::new(missing).role(Role::Caution),
        ]);
    }
    // Models that report misses alone.
    let is_reported = |name: &str| experiment.counters.iter().any(|counter| counter.name == name);
    for alone in experiment.misses.iter().filter(|misses| !is_reported(&misses.misses)) {
        let share = misses(&alone.misses).unwrap_or_default();
        let empty = Cell::default;
        table.row([Cell::new(&alone.misses), empty(), empty(), empty(), Cell::new(share)]);
    }
    table
}

/// In how many of the runs it was recorded, if not in all: `3 of 9`.
fn runs(model: &ModelFile, name: &str) -> Option<String> {
    let has =
        model.runs.iter().filter(|run| run.counters.iter().any(|counter| counter == name)).count();
    (0 < has && has < model.runs.len()).then(|| format!("{has} of {}", model.runs.len()))
}

/// Every point with a counter, in order.
fn places<'a>(counters: &[&'a CounterModel], misses: &'a [MissesModel]) -> Vec<&'a [f64]> {
    let with_counters =
        counters.iter().flat_map(|counter| &counter.points).map(|point| &point.values[..]);
    let with_misses =
        misses.iter().flat_map(|misses| &misses.points).map(|point| &point.values[..]);
    let mut all: Vec<&[f64]> = with_counters.chain(with_misses).collect();
    all.sort_by(|first, other| {
        known(first).partial_cmp(known(other)).unwrap_or_else(|| first.len().cmp(&other.len()))
    });
    all.dedup_by(|first, other| is_same(first, other));
    all
}

/// Values, `None` for NaN and infinity.
fn known(values: &[f64]) -> impl Iterator<Item = Option<f64>> {
    values.iter().map(|value| value.is_finite().then_some(*value))
}

fn is_same(values: &[f64], other: &[f64]) -> bool {
    known(values).eq(known(other))
}

/// A row for each point: variables, medians, misses per access.
fn table(experiment: &ExperimentModel, counters: &[&CounterModel], points: &[&[f64]]) -> Table {
    let columns = experiment.variables.iter().map(|name| Column::right(name));
    let columns = columns.chain(counters.iter().map(|counter| Column::right(&counter.name)));
    let share = |misses: &MissesModel| Column::right(&format!("{} per access", misses.misses));
    let mut table = Table::new(columns.chain(experiment.misses.iter().map(share)).collect());
    for &place in points.iter().take(MAX_POINTS) {
        let values = (0..experiment.variables.len()).map(|k| match place.get(k) {
            Some(value) if value.is_finite() => NOTATION.number(*value),
            _ => "?".to_owned(),
        });
        let medians = counters.iter().map(|counter| {
            let own = counter.points.iter().find(|point| is_same(&point.values, place));
            own.filter(|own| own.median.is_finite())
                .map(|own| amount(own.median, &counter.unit))
                .unwrap_or_default()
        });
        let shares = experiment.misses.iter().map(|misses| {
            let own = misses.points.iter().find(|point| is_same(&point.values, place));
            own.filter(|own| own.share.is_finite())
                .map(|own| NOTATION.percent(own.share))
                .unwrap_or_default()
        });
        table.row(values.chain(medians).chain(shares).map(Cell::new));
    }
    table
}

/// A median; the unit is in the title of its column.
fn amount(value: f64, unit: &str) -> String {
    match unit {
        "s" => NOTATION.rounded(value, 4, &Unit::Seconds),
        "B" => NOTATION.rounded(value, 4, &Unit::Other(unit.to_owned())),
        _ => NOTATION.number(value),
    }
}
