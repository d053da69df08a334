//! The ranking of the experiments of traces by the time that they took in one run, all passages together.

use std::collections::{BTreeMap, BTreeSet};

use cll_result::{Estimate, HotSpot, ModelFile, Ranking, RegionSum, TotalTime};
use cll_samples::{Prepared, Total, totals};

use crate::searched_formula::{searched_formula, unranked};

#[cfg(test)]
mod tests;

/// The sum of the regions may be more than the time of the run by this, because clocks are read at different places.
const MAX_EXCESS: f64 = 0.02;

/// Ranks all experiments by their time in the run that took longest, without the experiments inside. Runs with the same
/// command are repetitions: of their times the median counts. `None` of fewer than two experiments.
pub(crate) fn run_ranking(
    model: &ModelFile,
    trace: &Prepared,
    observable: Option<&str>,
) -> Option<Ranking> {
    let observed: Vec<(usize, BTreeMap<u32, Total>)> = (0..trace.experiments.len())
        .map(|index| (index, totals(trace, &trace.experiments[index], observable)))
        .collect();
    let (reached, others): (Vec<_>, Vec<_>) =
        observed.into_iter().partition(|(_, totals)| !totals.is_empty());
    if reached.len() < 2 {
        return None;
    }
    let exclusive = |run: u32| -> f64 {
        let each = reached.iter().filter_map(|(_, totals)| totals.get(&run));
        each.map(|total| total.exclusive).sum()
    };
    let commands = commands(trace);
    let time = |runs: &[u32]| cll_statistics::median(runs.iter().map(|run| exclusive(*run)));
    let (command, runs) = commands
        .iter()
        .max_by(|a, b| time(a.1).unwrap_or(0.0).total_cmp(&time(b.1).unwrap_or(0.0)))?;
    let mut spots: Vec<HotSpot> = reached
        .iter()
        .map(|(index, totals)| {
            let experiment = &trace.experiments[*index];
            let total = |run: &u32| totals.get(run).copied().unwrap_or_default();
            let seconds: Vec<f64> = runs.iter().map(|run| total(run).exclusive).collect();
            let passages = runs.iter().map(|run| total(run).passages as f64);
            let fitted = model.experiments.iter().find(|fitted| fitted.name == experiment.name);
            let time = estimate(&seconds);
            HotSpot {
                name: experiment.name.clone(),
                place: experiment.places.first().map(ToString::to_string).unwrap_or_default(),
                share: 0.0,
                passages: cll_statistics::median(passages).unwrap_or(0.0),
                measured: time.map_or(0.0, |time| time.value),
                time: TotalTime {
                    estimate: time,
                    ..fitted.map_or_else(unsearched, searched_formula)
                },
            }
        })
        .collect();
    let all: f64 = spots.iter().map(|spot| spot.measured).sum();
    let wall = observable.is_none().then(|| wall(trace, runs)).flatten();
    let denominator = wall.map_or(all, |wall| wall.value.max(all));
    for spot in &mut spots {
        spot.share = if denominator > 0.0 { spot.measured / denominator } else { 0.0 };
    }
    spots.sort_by(|a, b| b.share.total_cmp(&a.share));
    let excess = wall.map(|wall| all / wall.value - 1.0).filter(|excess| *excess > MAX_EXCESS);
    let sum = excess.map(|excess| RegionSum { value: all, excess });
    let total = wall.map(|wall| TotalTime { estimate: Some(wall), ..unsearched() });
    let unit = reached.first().and_then(|(index, _)| {
        let experiment = &trace.experiments[*index];
        let series =
            experiment.observables.iter().find(|observed| Some(&*observed.name) == observable)?;
        Some(series.unit.clone()).filter(|unit| unit != "s")
    });
    let name = |index: &usize| trace.experiments[*index].name.clone();
    Some(Ranking {
        run: command.clone(),
        observable: observable.map(str::to_owned),
        unit,
        covered: wall.filter(|_| sum.is_none()).map(|wall| all / wall.value),
        total,
        sum,
        not_reached: others.iter().map(|(index, _)| name(index)).collect(),
        spots,
        ..unranked()
    })
}

/// The runs by their command. Traces that no launcher recorded cannot be told apart here: they are one.
fn commands(trace: &Prepared) -> BTreeMap<Vec<String>, Vec<u32>> {
    let mut runs: BTreeMap<u32, BTreeSet<Vec<String>>> = BTreeMap::new();
    for process in &trace.processes {
        let name = process.table.program.rsplit('/').next().unwrap_or_default().to_owned();
        let mut command = vec![name];
        command.extend(process.table.args.iter().cloned());
        runs.entry(process.run).or_default().insert(command);
    }
    let mut commands: BTreeMap<Vec<String>, Vec<u32>> = BTreeMap::new();
    for (run, mut known) in runs {
        let command = known.pop_first().unwrap_or_default();
        commands.entry(command).or_default().push(run);
    }
    commands
}

/// The wall time of these runs, if a launcher recorded each and one thread of one process measured.
fn wall(trace: &Prepared, runs: &[u32]) -> Option<Estimate> {
    let seconds: Option<Vec<f64>> = runs
        .iter()
        .map(|run| {
            let mut processes = trace.processes.iter().filter(|process| process.run == *run);
            let (process, others) = (processes.next()?, processes.next());
            let mut records = trace.runs.iter().filter(|record| record.trace == process.trace);
            let (record, more) = (records.next()?, records.next());
            let is_clear = others.is_none() && more.is_none() && process.threads <= 1;
            is_clear.then_some(record.table.wall_ns as f64 * 1e-9)
        })
        .collect();
    estimate(&seconds?).filter(|wall| wall.value > 0.0)
}

/// The median of repetitions, from the shortest to the longest.
fn estimate(repetitions: &[f64]) -> Option<Estimate> {
    Some(Estimate {
        value: cll_statistics::median(repetitions.iter().copied())?,
        low: repetitions.iter().copied().fold(f64::INFINITY, f64::min),
        high: repetitions.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    })
}

/// A time that was measured only.
fn unsearched() -> TotalTime {
    TotalTime {
        formula: None,
        constants: Vec::new(),
        ties: Vec::new(),
        estimate: None,
        predicted: None,
        why: None,
    }
}
