//! Logs of supersteps: what the processors of a BSP program did in each superstep of each machine.
//!
//! [`read`] makes a [`Log`] in memory; [`stored`] leaves the records where they lie, and [`Records`] gives one after the
//! other.

#![forbid(unsafe_code)]

mod bytes;
mod clocks;
mod common;
mod contention;
mod course;
mod exchange;
mod export;
mod line;
mod open;
mod read;
mod records;
mod relation;
mod stored;

use std::collections::HashMap;

use cll_trace::Damage;
use cll_trace::layout::TrafficRecord;
use cll_trace::meta;

pub use bytes::ReadAt;
pub use clocks::Related;
pub use common::Common;
pub use contention::Contention;
pub use course::{Course, Spent, Step};
pub use export::LogExport;
pub use line::{Bounds, Line, line};
pub use open::stored;
pub use read::read;
pub use records::{Records, spent};
pub use relation::{Relation, Share};
pub use stored::{Stored, StoredProcessor};

/// What a log holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// The processors of the program, in ascending order of their numbers.
    pub processors: Vec<Processor>,
    /// What is missing or damaged.
    pub damage: Vec<Damage>,
    /// What launchers saw of the runs.
    pub runs: Vec<meta::Run>,
    /// What times count from: nanoseconds of `CLOCK_MONOTONIC` of the first host.
    pub origin_ns: u64,
    /// The clocks of other hosts than the first, to which their times were corrected.
    pub clocks: Vec<Related>,
}

/// A processor of the program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Processor {
    /// Its number in the program.
    pub number: u32,
    /// Its process.
    pub process: meta::Process,
    /// Files that its code lies in.
    pub modules: Vec<meta::Module>,
    /// The machines that it was in.
    pub machines: Vec<meta::Machine>,
    /// Where its supersteps ended.
    pub points: Vec<meta::Point>,
    /// What it asked of others, by number of the set, in ascending order of partners.
    pub traffic: HashMap<u32, Vec<TrafficRecord>>,
    /// What it took to run it, if it is a virtual one that has ended: times are virtual then.
    pub virtually: Option<meta::Virtual>,
    /// Its supersteps, in the order in which they ended.
    pub supersteps: Vec<Superstep>,
}

/// How a superstep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// By a synchronisation of all processors of its machine.
    Sync,
    /// When as many messages had come as were announced.
    Oblivious,
    /// With the machine, in no synchronisation.
    End,
}

/// A superstep on one processor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Superstep {
    /// The machine: its number in the processor's tables.
    pub machine: u32,
    /// Its number in the machine, from 1.
    pub number: u64,
    /// Where it ended: a number in the processor's tables, if that was told.
    pub point: Option<u32>,
    /// How it ended.
    pub ending: Ending,
    /// When its computation began, seconds since the log's earliest block; between hosts, as far as
    /// [`Log::clocks`] says.
    pub start_s: f64,
    /// Seconds of computation: until the call that ended it. Where a part of the machine was
    /// partitioned in it, the part counts as computation.
    pub computation_s: f64,
    /// Seconds of communication: of the call, without waiting.
    pub communication_s: f64,
    /// Seconds of waiting for others, in the call.
    pub waiting_s: f64,
    /// What it asked of others: a set of the processor's.
    pub traffic: u32,
}

impl Superstep {
    /// When it had ended, seconds since the log's earliest block.
    pub fn end_s(&self) -> f64 {
        self.start_s + self.computation_s + self.communication_s + self.waiting_s
    }
}

impl Processor {
    /// The machine of this number in its tables.
    pub fn machine(&self, id: u32) -> Option<&meta::Machine> {
        // They are told in this order; only damage makes it otherwise.
        let told = self.machines.get(id as usize).filter(|machine| machine.id == id);
        told.or_else(|| self.machines.iter().find(|machine| machine.id == id))
    }

    /// Where a superstep ended.
    pub fn point(&self, superstep: &Superstep) -> Option<&meta::Point> {
        let id = superstep.point?;
        // They are told in this order; only damage makes it otherwise.
        let told = self.points.get(id as usize).filter(|point| point.id == id);
        told.or_else(|| self.points.iter().find(|point| point.id == id))
    }

    /// What was asked of others in a superstep.
    pub fn traffic(&self, superstep: &Superstep) -> &[TrafficRecord] {
        self.traffic.get(&superstep.traffic).map_or(&[], Vec::as_slice)
    }
}

impl Log {
    /// One log of those that the processes of a run have each written for themselves. Its times count
    /// from where the first one's do, and clocks of several hosts are related.
    ///
    /// # Errors
    /// The number of a processor that is in two of them: they are of different runs.
    pub fn gather(logs: impl IntoIterator<Item = Log>) -> Result<Log, u32> {
        let mut all = Log::default();
        for mut log in logs {
            if all.processors.is_empty() {
                all.origin_ns = log.origin_ns;
            }
            let later = log.origin_ns.wrapping_sub(all.origin_ns) as i64 as f64 * 1e-9;
            let supersteps = log.processors.iter_mut().flat_map(|one| &mut one.supersteps);
            supersteps.for_each(|superstep| superstep.start_s += later);
            all.processors.extend(log.processors);
            all.damage.extend(log.damage);
            all.runs.extend(log.runs);
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

    fn of(numbers: &[u32]) -> Log {
        let processor = |&number: &u32| Processor { number, ..Processor::default() };
        Log { processors: numbers.iter().map(processor).collect(), ..Log::default() }
    }

    #[test]
    fn logs_of_processes_make_one_of_the_run() {
        let all = Log::gather([of(&[2]), of(&[0, 3]), of(&[1])]).unwrap();
        let numbers: Vec<u32> = all.processors.iter().map(|processor| processor.number).collect();
        assert_eq!(numbers, [0, 1, 2, 3]);
    }

    #[test]
    fn times_of_all_count_from_one_moment() {
        let at = |number, origin_ns| {
            let superstep = Superstep {
                machine: 0,
                number: 1,
                point: None,
                ending: Ending::Sync,
                start_s: 0.5,
                computation_s: 1.0,
                communication_s: 0.0,
                waiting_s: 0.0,
                traffic: 0,
            };
            let processor =
                Processor { number, supersteps: vec![superstep], ..Processor::default() };
            Log { processors: vec![processor], origin_ns, ..Log::default() }
        };
        let all = Log::gather([at(1, 7_000_000_000), at(0, 5_000_000_000)]).unwrap();
        let starts: Vec<f64> = all.processors.iter().map(|one| one.supersteps[0].start_s).collect();
        assert_eq!((starts, all.origin_ns), (vec![-1.5, 0.5], 7_000_000_000));
    }

    #[test]
    fn logs_of_different_runs_do_not() {
        assert_eq!(Log::gather([of(&[0, 1]), of(&[1])]), Err(1));
    }
}
