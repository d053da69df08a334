//! How much processors slow each other down when they compute at the same time.

use std::collections::HashMap;

use cll_statistics::{interval_of_median, quantile, sorted};
use cll_units::Seconds;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Log, Processor};

/// Shorter phases are governed by other effects.
const MIN_PHASE: Seconds = Seconds(5e-6);
/// Fewer pairs give no factor.
const MIN_PAIRS: usize = 10;

const CONFIDENCE: f64 = 0.95;

/// κ, the time of phases while others compute divided by their time alone, for the number of processors that computed
/// at the same time. It is a median over phases that were run alone. Each is compared with the phases before and after
/// it that ended at the same place of the program and were not run alone. The interval is the 95 % interval of the
/// median.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Contention {
    /// Number of processors that computed at the same time.
    pub cores: u32,
    /// The factor.
    pub factor: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
    /// Number of phases that were run alone and could be compared with others.
    pub phases: usize,
}

impl Contention {
    /// From the log of virtual processors; `None`, if too few phases were run alone.
    pub fn new(log: &Log) -> Option<Contention> {
        let cores = log
            .processors
            .iter()
            .filter_map(|processor| processor.virtually.as_ref())
            .map(|v| v.cores)
            .max()?;
        let ratios = sorted(log.processors.iter().flat_map(ratios));
        let count = ratios.len();
        if cores < 2 || count < MIN_PAIRS {
            return None;
        }
        let factor = quantile(&ratios, 0.5);
        let (low, high) = interval_of_median(&ratios, CONFIDENCE)?;
        Some(Contention { cores, factor, low, high, phases: count })
    }

    /// Makes the phases that were run alone as long as they would have been with others, so that all phases of the log
    /// have the same conditions.
    pub fn equalise(&self, log: &mut Log) {
        for processor in &mut log.processors {
            let Some(every) = every(processor) else { continue };
            let phases = phases(processor);
            let all = processor.supersteps.iter_mut().zip(phases);
            for (superstep, phase) in all.skip(every - 1).step_by(every) {
                superstep.computation += (self.factor - 1.0) * phase;
            }
        }
    }
}

/// n, if every n-th phase was run alone.
fn every(processor: &Processor) -> Option<usize> {
    let every = processor.virtually.as_ref().map_or(0, |table| table.alone as usize);
    (every >= 2).then_some(every)
}

/// The length of each phase. Phases follow each other without a gap, even if their supersteps are of different
/// machines.
fn phases(processor: &Processor) -> Vec<Seconds> {
    let mut before = processor.supersteps.first().map_or(Seconds::ZERO, |first| first.start);
    let phases = processor.supersteps.iter().map(|superstep| {
        let begin = std::mem::replace(&mut before, superstep.end());
        superstep.start + superstep.computation - begin
    });
    phases.collect()
}

fn ratios(processor: &Processor) -> Vec<f64> {
    let Some(every) = every(processor) else { return Vec::new() };
    let phases = phases(processor);
    let mut shared: HashMap<Option<u32>, Vec<usize>> = HashMap::new();
    for (index, superstep) in processor.supersteps.iter().enumerate() {
        if !(index + 1).is_multiple_of(every) {
            shared.entry(superstep.point).or_default().push(index);
        }
    }
    let ratio = |index: usize| {
        let others = shared.get(&processor.supersteps[index].point)?;
        let after = others.partition_point(|&other| other < index);
        let near = [after.checked_sub(1).map(|before| others[before]), others.get(after).copied()];
        let near: Vec<Seconds> = near.into_iter().flatten().map(|other| phases[other]).collect();
        let mean = near.iter().copied().sum::<Seconds>() / near.len() as f64;
        (phases[index] >= MIN_PHASE && mean.is_finite()).then(|| mean / phases[index])
    };
    (every - 1..phases.len()).step_by(every).filter_map(ratio).collect()
}

#[cfg(test)]
mod tests {
    use crate::{Ending, Superstep};
    use cll_trace::meta;
    use cll_units::SuperstepNumber;

    use super::*;

    fn log(every: u32, phases: impl Iterator<Item = f64>) -> Log {
        let mut start = Seconds::ZERO;
        let superstep = |computation: f64| {
            let superstep = Superstep {
                machine: 0,
                number: SuperstepNumber(1),
                point: Some(0),
                ending: Ending::Sync,
                start,
                computation: Seconds(computation),
                communication: Seconds(1e-6),
                waiting: Seconds::ZERO,
                traffic: 0,
            };
            start = superstep.end();
            superstep
        };
        let virtually = Some(meta::Virtual { cores: 2, alone: every, ..meta::Virtual::default() });
        let supersteps = phases.map(superstep).collect();
        Log {
            processors: vec![Processor { virtually, supersteps, ..Processor::default() }],
            ..Log::default()
        }
    }

    #[test]
    fn the_factor_is_that_of_shared_phases_by_those_alone() {
        // Every fourth alone; they grow, and the neighbours on both sides make up for it.
        let phases = (0..80)
            .map(|i| 1e-3 * (1.0 + 0.01 * f64::from(i)) * if i % 4 == 3 { 1.0 } else { 1.25 });
        let contention = Contention::new(&log(4, phases)).unwrap();
        assert!((contention.factor - 1.25).abs() < 1e-9, "{contention:?}");
        assert!(
            contention.low <= contention.factor
                && contention.factor <= contention.high
                && contention.phases == 20,
            "{contention:?}"
        );
    }

    #[test]
    fn equalised_phases_are_equal() {
        let each = |index: usize| if (index + 1).is_multiple_of(4) { 2e-3 } else { 3e-3 };
        let mut log = log(4, (0..100).map(each));
        let contention = Contention::new(&log).unwrap();
        assert!((contention.factor - 1.5).abs() < 1e-9, "{contention:?}");
        contention.equalise(&mut log);
        let took = log.processors[0].supersteps.iter().map(|superstep| superstep.computation.get());
        assert!(took.clone().count() == 100 && took.clone().all(|one| (one - 3e-3).abs() < 1e-9));
    }

    #[test]
    fn too_few_or_none_alone_give_no_factor() {
        assert_eq!(Contention::new(&log(4, (0..30).map(|_| 1e-3))), None);
        assert_eq!(Contention::new(&log(0, (0..300).map(|_| 1e-3))), None);
        assert_eq!(Contention::new(&log(4, (0..300).map(|_| 1e-7))), None);
    }
}
