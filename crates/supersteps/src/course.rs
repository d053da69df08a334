//! The course of a run: its supersteps with what their processors took, in the order in which they ended.

use std::collections::HashMap;

use serde::Serialize;

use super::{Ending, Log, Relation};

/// Supersteps of all machines, and the processor that was the last to end.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Course {
    /// Seconds from the first begin to the last end of a superstep.
    pub total_s: f64,
    /// The processor that ended last.
    pub last: Spent,
    /// In the order in which they ended.
    pub supersteps: Vec<Step>,
}

/// On what a processor spent its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spent {
    /// Its number in the program.
    pub processor: u32,
    /// Seconds of computation.
    pub computation_s: f64,
    /// Seconds of communication.
    pub communication_s: f64,
    /// Seconds of waiting for others.
    pub waiting_s: f64,
}

/// A superstep of a machine on all its processors.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// Key of the machine; `0` is that of all processors.
    pub machine: String,
    /// Its number in the machine, from 1.
    pub superstep: u64,
    /// Number in the program of the machine's processor 0.
    pub first: u32,
    /// Processors of the machine.
    pub nprocs: u32,
    /// Processors of which it is told.
    pub processors: u32,
    /// `sync`, `oblivious` or `end`.
    pub ending: &'static str,
    /// File of the call that ended it on the first of them, empty if unknown.
    pub file: String,
    /// Line of that call.
    pub line: u32,
    /// Seconds since the first begin, when the last of them had ended it.
    pub end_s: f64,
    /// The longest computation, seconds.
    pub computation_s: f64,
    /// The mean of them, seconds.
    pub mean_computation_s: f64,
    /// The longest communication, seconds.
    pub communication_s: f64,
    /// The longest waiting, seconds.
    pub waiting_s: f64,
    /// The largest h, bytes: the more of received and sent.
    pub h_bytes: u64,
}

impl Course {
    /// Of a log.
    pub fn of(log: &Log) -> Course {
        let relation = Relation::of(log);
        let all =
            || log.processors.iter().flat_map(|one| one.supersteps.iter().map(move |s| (one, s)));
        let begin = all().map(|(_, superstep)| superstep.start_s).fold(f64::INFINITY, f64::min);
        let mut steps: HashMap<(&str, u64, bool), Step> = HashMap::new();
        let mut last = (f64::NEG_INFINITY, None);
        for (processor, superstep) in all() {
            let machine = processor.machine(superstep.machine);
            let key = machine.map_or("", |machine| machine.key.as_str());
            let pid = machine.map_or(processor.number, |machine| machine.pid);
            let end = superstep.end_s() - begin;
            if end > last.0 {
                last = (end, Some(processor));
            }
            let number = superstep.number;
            let step = steps.entry((key, number, machine.is_some())).or_insert_with(|| {
                let point = processor.point(superstep);
                Step {
                    machine: key.to_owned(),
                    superstep: number,
                    first: machine.map_or(0, |machine| machine.first),
                    nprocs: machine.map_or(0, |machine| machine.nprocs),
                    processors: 0,
                    ending: superstep.ending.name(),
                    file: point.map_or(String::new(), |point| point.file.clone()),
                    line: point.map_or(0, |point| point.line),
                    end_s: end,
                    computation_s: 0.0,
                    mean_computation_s: 0.0,
                    communication_s: 0.0,
                    waiting_s: 0.0,
                    h_bytes: 0,
                }
            });
            step.processors += 1;
            step.end_s = step.end_s.max(end);
            step.computation_s = step.computation_s.max(superstep.computation_s);
            step.mean_computation_s += superstep.computation_s;
            step.communication_s = step.communication_s.max(superstep.communication_s);
            step.waiting_s = step.waiting_s.max(superstep.waiting_s);
            step.h_bytes = step.h_bytes.max(relation.share(key, superstep, pid).h());
        }
        let mut supersteps: Vec<Step> = steps.into_values().collect();
        for step in &mut supersteps {
            step.mean_computation_s /= f64::from(step.processors);
        }
        let by_name =
            |a: &Step, b: &Step| (&a.machine, a.superstep).cmp(&(&b.machine, b.superstep));
        supersteps.sort_by(|a, b| a.end_s.total_cmp(&b.end_s).then_with(|| by_name(a, b)));
        let total_s = last.0.max(0.0);
        Course { total_s, last: last.1.map_or_else(Spent::default, Spent::of), supersteps }
    }
}

impl Spent {
    /// A part of a machine counts once: its supersteps are computation of the one in which it was, and that
    /// is told by its parent.
    fn of(processor: &super::Processor) -> Spent {
        let mut spent = Spent { processor: processor.number, ..Spent::default() };
        for superstep in &processor.supersteps {
            let machine = processor.machine(superstep.machine);
            spent.computation_s += match machine.is_some_and(|one| one.key != one.parent) {
                // What was communicated and waited for in a part is in its parent's computation.
                true => -(superstep.communication_s + superstep.waiting_s),
                false => superstep.computation_s,
            };
            spent.communication_s += superstep.communication_s;
            spent.waiting_s += superstep.waiting_s;
        }
        spent
    }
}

impl Ending {
    /// `sync`, `oblivious` or `end`.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Sync => "sync",
            Ending::Oblivious => "oblivious",
            Ending::End => "end",
        }
    }
}
