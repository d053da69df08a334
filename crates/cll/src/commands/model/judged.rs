//! Which rounds a fit may use, by what was seen of the machine and what the samples say.

use cll_statistics::median;
use std::path::Path;

use cll_fit::rounds::{Mark, RoundSelection, Signs, Table, marks, select_rounds};
use cll_samples::{Prepared, can_spare};
use cll_trace::{Cell, Experiment, Trace};

use crate::regime::{Known, Seen};
use crate::sampling::Round;

/// The observable that serves where wall time does not.
pub const CPU_TIME: &str = "cpu-time";
/// Both times of a region that only computes differ by less than this share...
const SAME: f64 = 0.05;
/// ...in so many samples at least.
const FEWEST_COMPARED: usize = 10;

/// What can be judged.
pub struct Judging<'a> {
    /// The samples of all rounds.
    pub trace: &'a Prepared,
    /// The rounds.
    pub rounds: &'a [Round],
    /// The fastest that the machine is known to be.
    pub known: &'a Known,
    /// For each process of the trace the index of its round.
    pub of_process: &'a [usize],
}

/// What came of it.
pub struct Judged {
    /// What is wrong with each round.
    pub marks: Vec<Vec<Mark>>,
    /// Which rounds are used, and how well.
    pub judgement: RoundSelection,
}

impl Judging<'_> {
    /// By the time, or another observable. `in_turns`: what the program's processes wait for each other is no
    /// disturbance.
    pub fn judged(&self, observable: Option<&str>, in_turns: bool) -> Judged {
        let mut signs = self.signs(observable.is_none());
        if observable == Some(CPU_TIME) {
            signs.iter_mut().for_each(forgive_waiting);
        }
        if in_turns {
            signs.iter_mut().for_each(forgive_turns);
        }
        let table = self.table(observable);
        let marks = marks(&signs, &table.slowness());
        let judgement = select_rounds(&marks, &signs, &table);
        Judged { marks, judgement }
    }

    /// By what is the same whatever the machine does.
    pub fn exact(&self, observable: Option<&str>) -> Judged {
        let table = self.table(observable);
        let marks = vec![Vec::new(); self.rounds.len()];
        let signs = vec![Signs::default(); self.rounds.len()];
        let judgement = select_rounds(&marks, &signs, &table);
        Judged { marks, judgement }
    }

    /// By the processor time, where the wall time does not serve, the rounds have recorded it, and the program
    /// does nothing but compute.
    pub fn by_processor_time(&self, wall: &Judged) -> Option<Judged> {
        if !wall.judgement.is_wide() || !self.only_computes() {
            return None;
        }
        let table = self.table(Some(CPU_TIME));
        let slowness = table.slowness();
        let mut signs = self.signs(false);
        // A round is marked as it was: caches that others have used are not the program's own.
        let marks = marks(&signs, &slowness);
        signs.iter_mut().for_each(forgive_waiting);
        let judgement = select_rounds(&marks, &signs, &table);
        let judged = Judged { marks, judgement };
        (judged.judgement.width() < wall.judgement.width()).then_some(judged)
    }

    /// Whether wall time and processor time are the same where the program was not switched out. Where it always
    /// was that is not known; then it must never have waited by itself.
    fn only_computes(&self) -> bool {
        /// Those of the program's start and end.
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
        if ratios.len() >= FEWEST_COMPARED {
            return median(ratios).is_some_and(|ratio| (ratio - 1.0).abs() <= SAME);
        }
        let launches: f64 = self.rounds.iter().map(|round| f64::from(round.seen.launches)).sum();
        let waits: f64 = self.rounds.iter().map(|round| round.seen.voluntary).sum();
        recorded > 0 && waits <= WAITS_OF_A_LAUNCH * launches
    }

    /// What was seen in each round; of the wall time also whether samples that were switched out can be left out.
    fn signs(&self, of_wall: bool) -> Vec<Signs> {
        let cells = || {
            let of = |one| move |cell| (one, cell);
            self.trace.experiments.iter().flat_map(move |one| one.cells.iter().map(of(one)))
        };
        let exposed = |(one, cell): (&Experiment, &Cell)| !can_spare(one, cell);
        let sheltered = of_wall && cells().next().is_some() && !cells().any(exposed);
        let of_round = |round: &Round| Signs { sheltered, ..signs(&round.seen, self.known) };
        self.rounds.iter().map(of_round).collect()
    }

    /// What every point took in every round.
    fn table(&self, observable: Option<&str>) -> Table {
        self.trace.by_round(observable, self.of_process, self.rounds.len())
    }
}

fn place_of(experiment: &Experiment, observable: &str) -> Option<usize> {
    experiment.observables.iter().position(|one| one.name == observable)
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

/// Processor time does not grow while others have the processor: what is left are the caches and
/// the other half of the core.
fn forgive_waiting(signs: &mut Signs) {
    *signs = Signs { waiting: None, interruptions: 0.0, others: 0.0, ..signs.clone() };
}

/// Virtual processors wait for each other's turns; whether others were at work is seen by itself.
fn forgive_turns(signs: &mut Signs) {
    *signs = Signs { waiting: None, interruptions: 0.0, ..signs.clone() };
}

/// What was seen during a round, as what the statistics know of it.
pub fn signs(seen: &Seen, known: &Known) -> Signs {
    /// What a busy other half of the core costs the looks: a third to two thirds were seen.
    const PRESSED: f64 = 0.6;
    /// Fewer are the kernel's own.
    const FEW: f64 = 5.0;
    let per_second = |count: f64| if count > FEW { count / seen.wall.max(1e-3) } else { 0.0 };
    let waiting = known.waiting(seen).map(|seconds| seconds / seen.wall.max(1e-6));
    let others = seen.others().unwrap_or(0.0);
    let elsewhere = seen.others_elsewhere().unwrap_or(0.0);
    // Where the fastest is not known from before, looks beside a load that never ends all agree.
    let unseen = if known.from_before { 0.0 } else { PRESSED * elsewhere };
    Signs {
        waiting,
        interruptions: per_second(known.interruptions(seen)),
        steal: seen.steal(),
        others,
        sheltered: false,
        polluted: others.max(waiting.unwrap_or(0.0)),
        elsewhere,
        chain: known.chain_ratio(&seen.looks),
        narrow: known.narrow(&seen.looks),
        pressed: known.pressed(&seen.looks).map(|seen| seen.max(unseen)),
        partner: known.partner_ratio(seen.partner),
    }
}

#[cfg(test)]
mod tests;
