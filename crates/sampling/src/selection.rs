//! Which rounds a fit may use, from the observed state of the machine and from the samples.

use cll_statistics::median;
use std::path::Path;

use cll_fit::rounds::{Mark, RoundSelection, RoundsTable, Signs, marks, select_rounds};
use cll_samples::{Prepared, can_spare};
use cll_trace::{Cell, Experiment, Trace};

use crate::Round;
use cll_launch::machine_state::{BestSeen, MachineObservation};

/// The observable that can replace wall time.
pub const CPU_TIME: &str = "cpu-time";
/// Both times of a region that only computes differ by less than this share...
const MAX_DIFFERENCE: f64 = 0.05;
/// ...in at least this number of samples.
const MIN_SAMPLES: usize = 10;

/// The input of the selection.
pub struct SelectionInput<'a> {
    /// The samples of all rounds.
    pub trace: &'a Prepared,
    /// The rounds.
    pub rounds: &'a [Round],
    /// The highest speed that this machine has shown.
    pub known: &'a BestSeen,
    /// For each process of the trace the index of its round.
    pub of_process: &'a [usize],
}

/// The result of the selection.
pub struct MarkedRounds {
    /// The marks of each round.
    pub marks: Vec<Vec<Mark>>,
    /// The rounds that are used, and how reliable they are.
    pub judgement: RoundSelection,
}

impl SelectionInput<'_> {
    /// By wall time, or another observable. `in_turns`: waiting of the program's processes for each other is not a
    /// disturbance.
    pub fn judged(&self, observable: Option<&str>, in_turns: bool) -> MarkedRounds {
        let mut signs = self.signs(observable.is_none());
        if observable == Some(CPU_TIME) {
            signs.iter_mut().for_each(ignore_waiting);
        }
        if in_turns {
            signs.iter_mut().for_each(ignore_turns);
        }
        let table = self.table(observable);
        let marks = marks(&signs, &table.slowness());
        let judgement = select_rounds(&marks, &signs, &table);
        MarkedRounds { marks, judgement }
    }

    /// For observables that do not depend on the machine's state.
    pub fn exact(&self, observable: Option<&str>) -> MarkedRounds {
        let table = self.table(observable);
        let marks = vec![Vec::new(); self.rounds.len()];
        let signs = vec![Signs::default(); self.rounds.len()];
        let judgement = select_rounds(&marks, &signs, &table);
        MarkedRounds { marks, judgement }
    }

    /// By processor time, if the wall time is not usable, the rounds have recorded processor time, and the program
    /// only computes.
    pub fn by_processor_time(&self, wall: &MarkedRounds) -> Option<MarkedRounds> {
        if !wall.judgement.is_wide() || !self.only_computes() {
            return None;
        }
        let table = self.table(Some(CPU_TIME));
        let slowness = table.slowness();
        let mut signs = self.signs(false);
        // A disturbed round stays marked: its caches were shared with others.
        let marks = marks(&signs, &slowness);
        signs.iter_mut().for_each(ignore_waiting);
        let judgement = select_rounds(&marks, &signs, &table);
        let judged = MarkedRounds { marks, judgement };
        (judged.judgement.width() < wall.judgement.width()).then_some(judged)
    }

    /// Whether wall time and processor time are equal in samples that were not switched out. If all were switched
    /// out that is not known; then the program must never have waited voluntarily.
    fn only_computes(&self) -> bool {
        /// Switches at the program's start and end.
        const WAITS_OF_A_LAUNCH: f64 = 4.0;
        let mut ratios = Vec::new();
        let mut recorded = 0usize;
        for experiment in &self.trace.experiments {
            let Some(index) = place_of(experiment, CPU_TIME) else { continue };
            for cell in &experiment.cells {
                let both = cell.inclusive.iter().zip(&cell.observed[index].inclusive);
                for ((wall, own), origin) in both.zip(cell.origins(experiment)) {
                    recorded += usize::from(!own.is_nan());
                    if !origin.switched && *own > 0.0 {
                        ratios.push(wall / own);
                    }
                }
            }
        }
        if ratios.len() >= MIN_SAMPLES {
            return median(ratios).is_some_and(|ratio| (ratio - 1.0).abs() <= MAX_DIFFERENCE);
        }
        let launches: f64 = self.rounds.iter().map(|round| f64::from(round.seen.launches)).sum();
        let waits: f64 = self.rounds.iter().map(|round| round.seen.voluntary).sum();
        recorded > 0 && waits <= WAITS_OF_A_LAUNCH * launches
    }

    /// The observed state in each round. For wall time also whether samples that were switched out can be left
    /// out.
    fn signs(&self, of_wall: bool) -> Vec<Signs> {
        let cells = || {
            let with_experiment = |experiment| move |cell| (experiment, cell);
            self.trace.experiments.iter().flat_map(move |experiment| {
                experiment.cells.iter().map(with_experiment(experiment))
            })
        };
        let exposed = |(experiment, cell): (&Experiment, &Cell)| !can_spare(experiment, cell);
        let sheltered = of_wall && cells().next().is_some() && !cells().any(exposed);
        let of_round = |round: &Round| Signs { sheltered, ..signs(&round.seen, self.known) };
        self.rounds.iter().map(of_round).collect()
    }

    /// The time of every point in every round, without the samples that are not fitted.
    fn table(&self, observable: Option<&str>) -> RoundsTable {
        self.trace.by_round(observable, self.of_process, self.rounds.len())
    }
}

fn place_of(experiment: &Experiment, observable: &str) -> Option<usize> {
    experiment.observables.iter().position(|observed| observed.name == observable)
}

/// For each process of the traces the index of its round.
pub fn rounds_of_processes(trace: &Trace, rounds: &[Round], folder: &Path) -> Vec<usize> {
    let of_run: Vec<usize> = rounds
        .iter()
        .enumerate()
        .flat_map(|(index, round)| round.traces(folder).into_iter().map(move |_| index))
        .collect();
    let last = rounds.len().saturating_sub(1);
    let round = |run: u32| of_run.get(run as usize).copied().unwrap_or(last);
    trace.processes.iter().map(|process| round(process.run)).collect()
}

/// Processor time does not grow while others have the processor. The caches and the other half of the core still
/// matter.
fn ignore_waiting(signs: &mut Signs) {
    *signs =
        Signs { waiting: None, stopped: 0.0, interruptions: 0.0, others: 0.0, ..signs.clone() };
}

/// Virtual processors wait for each other's turns; load by other programs is observed separately.
fn ignore_turns(signs: &mut Signs) {
    *signs = Signs { waiting: None, interruptions: 0.0, ..signs.clone() };
}

/// The observed state during a round, as the statistics need it.
pub fn signs(seen: &MachineObservation, known: &BestSeen) -> Signs {
    /// The share of the speed test that a busy other half of the core costs: a third to two thirds were measured.
    const PRESSED: f64 = 0.6;
    /// Fewer switches are caused by the kernel.
    const MAX_KERNEL_SWITCHES: f64 = 5.0;
    let per_second =
        |count: f64| if count > MAX_KERNEL_SWITCHES { count / seen.wall.max(1e-3) } else { 0.0 };
    let waiting = known.extra_waiting(seen).map(|seconds| seconds / seen.wall.max(1e-6));
    let others = seen.others().unwrap_or(0.0);
    let elsewhere = seen.others_elsewhere().unwrap_or(0.0);
    // If the highest speed is not known, speed tests beside a constant load all give equal results.
    let unseen = if known.from_before { 0.0 } else { PRESSED * elsewhere };
    Signs {
        waiting,
        stopped: (seen.stopped / seen.wall.max(1e-6)).min(1.0),
        interruptions: per_second(known.extra_waits(seen)),
        steal: seen.steal(),
        others,
        sheltered: false,
        polluted: others.max(waiting.unwrap_or(0.0)),
        elsewhere,
        chain: known.chain_ratio(&seen.speed_tests),
        narrow: known.shared_share(&seen.speed_tests),
        pressed: known.mean_excess(&seen.speed_tests).map(|seen| seen.max(unseen)),
        partner: known.message_ratio(seen.message_ns),
    }
}

#[cfg(test)]
mod tests;
