//! Logs of supersteps: what the processors of a BSP program did in each superstep of each machine.
//!
//! [`read`] makes a [`Log`] in memory; [`stored`] leaves the records in the file, and [`Records`] reads them one by
//! one.

#![forbid(unsafe_code)]

mod bytes;
mod clocks;
mod common_clock;
mod contention;
mod correction;
mod csv_names;
mod exchange;
mod export;
mod open;
mod read;
mod records;
mod relation;
mod stored;
mod summary;

use std::collections::HashMap;

use cll_trace::Damage;
use cll_trace::layout::TrafficRecord;
use cll_trace::meta;
use cll_units::{ProcessorId, Seconds, SuperstepNumber};

pub use bytes::ReadAt;
pub use clocks::Related;
pub use common_clock::CommonClock;
pub use contention::Contention;
pub use correction::{Correction, CorrectionBounds, fit_correction};
pub use csv_names::csv_names;
pub use export::LogExport;
pub use open::stored;
pub use read::read;
pub use records::{Records, time_shares};
pub use relation::{Relation, Share};
pub use stored::{Stored, StoredProcessor};
pub use summary::{RunSummary, SuperstepSummary, TimeShares};

/// The content of a log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// The processors of the program, in ascending order of their numbers.
    pub processors: Vec<Processor>,
    /// The parts that are missing or damaged.
    pub damage: Vec<Damage>,
    /// The engine on which the program ran, as its launcher or its processors have recorded; else empty.
    pub engine: String,
    /// The name that the processors' logs have in common if each may have one of its own; else empty.
    pub job: String,
    /// The zero of all times, nanoseconds of `CLOCK_MONOTONIC` of the first host.
    pub origin_ns: u64,
    /// The clocks of other hosts than the first, to which their times were corrected.
    pub clocks: Vec<Related>,
}

/// A processor of the program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Processor {
    /// The number in the program.
    pub number: ProcessorId,
    /// The process of the processor.
    pub process: meta::Process,
    /// Files with its code.
    pub modules: Vec<meta::Module>,
    /// The machines that it was in.
    pub machines: Vec<meta::Machine>,
    /// Where its supersteps ended.
    pub points: Vec<meta::Point>,
    /// The traffic that the processor requested from others, by number of the set, in ascending order of partners.
    pub traffic: HashMap<u32, Vec<TrafficRecord>>,
    /// The cost of running it, if it is a virtual processor that has ended. Then times are virtual.
    pub virtually: Option<meta::Virtual>,
    /// The supersteps, in the order in which they ended.
    pub supersteps: Vec<Superstep>,
}

/// How a superstep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// By a synchronisation of all processors of its machine.
    Sync,
    /// When all announced messages had arrived.
    Oblivious,
    /// At the end of the machine, without a synchronisation.
    End,
}

/// A superstep on one processor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Superstep {
    /// The machine: its number in the processor's tables.
    pub machine: u32,
    /// The number in the machine, from 1.
    pub number: SuperstepNumber,
    /// Where it ended: a number in the processor's tables, if the log has it.
    pub point: Option<u32>,
    /// How it ended.
    pub ending: Ending,
    /// When its computation began, since the log's earliest block; between hosts, as far as
    /// [`Log::clocks`] says.
    pub start: Seconds,
    /// Computation: until the call that ended it. If the machine was partitioned in it, the parts count as
    /// computation.
    pub computation: Seconds,
    /// Communication: the call, without waiting.
    pub communication: Seconds,
    /// Waiting for others, in the call.
    pub waiting: Seconds,
    /// The processor's set of requests in it, by its number.
    pub traffic: u32,
}

impl Superstep {
    /// When it had ended, since the log's earliest block.
    pub fn end(&self) -> Seconds {
        self.start + self.computation + self.communication + self.waiting
    }
}

impl Processor {
    /// The machine of this number in its tables.
    pub fn machine(&self, id: u32) -> Option<&meta::Machine> {
        // The table is in this order, unless it is damaged.
        let expected = self.machines.get(id as usize).filter(|machine| machine.id == id);
        expected.or_else(|| self.machines.iter().find(|machine| machine.id == id))
    }

    /// Where a superstep ended.
    pub fn point(&self, superstep: &Superstep) -> Option<&meta::Point> {
        let id = superstep.point?;
        // The table is in this order, unless it is damaged.
        let expected = self.points.get(id as usize).filter(|point| point.id == id);
        expected.or_else(|| self.points.iter().find(|point| point.id == id))
    }

    /// Returns the traffic that the processor requested from others in a superstep.
    pub fn traffic(&self, superstep: &Superstep) -> &[TrafficRecord] {
        self.traffic.get(&superstep.traffic).map_or(&[], Vec::as_slice)
    }
}

impl Log {
    /// One log from those of the processes of a run. Its times count from the origin of the first one, and clocks
    /// of several hosts are related.
    ///
    /// # Errors
    /// If a processor is in two of the logs, its number: then the logs are of different runs.
    pub fn gather(logs: impl IntoIterator<Item = Log>) -> Result<Log, ProcessorId> {
        let mut all = Log::default();
        for mut log in logs {
            if all.processors.is_empty() {
                all.origin_ns = log.origin_ns;
            }
            let later = Seconds(log.origin_ns.wrapping_sub(all.origin_ns) as i64 as f64 * 1e-9);
            let supersteps =
                log.processors.iter_mut().flat_map(|processor| &mut processor.supersteps);
            supersteps.for_each(|superstep| superstep.start += later);
            all.processors.extend(log.processors);
            all.damage.extend(log.damage);
            if all.engine.is_empty() {
                all.engine = log.engine;
            }
        }
        all.processors.sort_by_key(|processor| processor.number);
        match all.processors.windows(2).find(|pair| pair[0].number == pair[1].number) {
            Some(pair) => Err(pair[0].number),
            None => {
                all.clocks = clocks::relate(&mut all);
                Ok(all)
            }
        }
    }

    /// Whether there is a superstep.
    pub fn is_empty(&self) -> bool {
        self.processors.iter().all(|processor| processor.supersteps.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log_of(numbers: &[u32]) -> Log {
        let processor =
            |&number: &u32| Processor { number: ProcessorId(number), ..Processor::default() };
        Log { processors: numbers.iter().map(processor).collect(), ..Log::default() }
    }

    #[test]
    fn logs_of_processes_make_one_of_the_run() {
        let all = Log::gather([log_of(&[2]), log_of(&[0, 3]), log_of(&[1])]).unwrap();
        let numbers: Vec<u32> =
            all.processors.iter().map(|processor| processor.number.get()).collect();
        assert_eq!(numbers, [0, 1, 2, 3]);
    }

    #[test]
    fn times_of_all_count_from_one_moment() {
        let log_of = |number, origin_ns| {
            let superstep = Superstep {
                machine: 0,
                number: SuperstepNumber(1),
                point: None,
                ending: Ending::Sync,
                start: Seconds(0.5),
                computation: Seconds(1.0),
                communication: Seconds::ZERO,
                waiting: Seconds::ZERO,
                traffic: 0,
            };
            let number = ProcessorId(number);
            let processor =
                Processor { number, supersteps: vec![superstep], ..Processor::default() };
            Log { processors: vec![processor], origin_ns, ..Log::default() }
        };
        let all = Log::gather([log_of(1, 7_000_000_000), log_of(0, 5_000_000_000)]).unwrap();
        let starts: Vec<f64> =
            all.processors.iter().map(|processor| processor.supersteps[0].start.get()).collect();
        assert_eq!((starts, all.origin_ns), (vec![-1.5, 0.5], 7_000_000_000));
    }

    #[test]
    fn logs_of_different_runs_do_not() {
        assert_eq!(Log::gather([log_of(&[0, 1]), log_of(&[1])]), Err(ProcessorId(1)));
    }
}
