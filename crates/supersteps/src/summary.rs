//! The summary of a run: its supersteps with the times of their processors, in the order in which they ended.

use std::collections::HashMap;

use cll_units::{Bytes, ProcessorId, Seconds, SuperstepNumber};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Ending, Log, Relation};

/// Supersteps of all machines, and the processor that was the last to end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct RunSummary {
    /// From the first begin to the last end of a superstep.
    #[serde(rename = "total_s")]
    pub total: Seconds,
    /// The processor that ended last.
    pub last: TimeShares,
    /// In the order in which they ended.
    pub supersteps: Vec<SuperstepSummary>,
}

/// The time of a processor by what it was used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct TimeShares {
    /// The number in the program.
    pub processor: ProcessorId,
    /// Computation.
    #[serde(rename = "computation_s")]
    pub computation: Seconds,
    /// Communication.
    #[serde(rename = "communication_s")]
    pub communication: Seconds,
    /// Waiting for others.
    #[serde(rename = "waiting_s")]
    pub waiting: Seconds,
}

/// A superstep of a machine on all its processors.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SuperstepSummary {
    /// Key of the machine; `0` is that of all processors.
    pub machine: String,
    /// The number in the machine, from 1.
    pub superstep: SuperstepNumber,
    /// The number of the machine's processor 0 in the program.
    pub first: ProcessorId,
    /// Processors of the machine.
    pub nprocs: u32,
    /// Processors whose logs have it.
    pub processors: u32,
    /// `sync`, `oblivious` or `end`.
    pub ending: &'static str,
    /// File of the call that ended it on the first of them, empty if unknown.
    pub file: String,
    /// Correction of that call.
    pub line: u32,
    /// When the last of them had ended it, since the first begin.
    #[serde(rename = "end_s")]
    pub end: Seconds,
    /// The longest computation.
    #[serde(rename = "computation_s")]
    pub computation: Seconds,
    /// The mean of the computations.
    #[serde(rename = "mean_computation_s")]
    pub mean_computation: Seconds,
    /// The longest communication.
    #[serde(rename = "communication_s")]
    pub communication: Seconds,
    /// The longest waiting.
    #[serde(rename = "waiting_s")]
    pub waiting: Seconds,
    /// The largest h: the larger of received and sent.
    #[serde(rename = "h_bytes")]
    pub h: Bytes,
}

impl RunSummary {
    /// The summary of a log.
    pub fn new(log: &Log) -> RunSummary {
        let relation = Relation::new(log);
        let all = || {
            log.processors
                .iter()
                .flat_map(|processor| processor.supersteps.iter().map(move |s| (processor, s)))
        };
        let begin =
            all().map(|(_, superstep)| superstep.start).fold(Seconds(f64::INFINITY), Seconds::min);
        let mut steps: HashMap<(&str, SuperstepNumber, bool), SuperstepSummary> = HashMap::new();
        let mut last = (Seconds(f64::NEG_INFINITY), None);
        for (processor, superstep) in all() {
            let machine = processor.machine(superstep.machine);
            let key = machine.map_or("", |machine| machine.key.as_str());
            let pid = machine.map_or(processor.number.get(), |machine| machine.pid);
            let end = superstep.end() - begin;
            if end > last.0 {
                last = (end, Some(processor));
            }
            let number = superstep.number;
            let step = steps.entry((key, number, machine.is_some())).or_insert_with(|| {
                let point = processor.point(superstep);
                SuperstepSummary {
                    machine: key.to_owned(),
                    superstep: number,
                    first: ProcessorId(machine.map_or(0, |machine| machine.first)),
                    nprocs: machine.map_or(0, |machine| machine.nprocs),
                    processors: 0,
                    ending: superstep.ending.name(),
                    file: point.map_or(String::new(), |point| point.file.clone()),
                    line: point.map_or(0, |point| point.line),
                    end,
                    computation: Seconds::ZERO,
                    mean_computation: Seconds::ZERO,
                    communication: Seconds::ZERO,
                    waiting: Seconds::ZERO,
                    h: Bytes(0),
                }
            });
            step.processors += 1;
            step.end = step.end.max(end);
            step.computation = step.computation.max(superstep.computation);
            step.mean_computation += superstep.computation;
            step.communication = step.communication.max(superstep.communication);
            step.waiting = step.waiting.max(superstep.waiting);
            step.h = step.h.max(relation.share(key, superstep, pid).h());
        }
        let mut supersteps: Vec<SuperstepSummary> = steps.into_values().collect();
        for step in &mut supersteps {
            step.mean_computation = step.mean_computation / f64::from(step.processors);
        }
        let by_name = |a: &SuperstepSummary, b: &SuperstepSummary| {
            (&a.machine, a.superstep).cmp(&(&b.machine, b.superstep))
        };
        supersteps.sort_by(|a, b| a.end.total_cmp(&b.end).then_with(|| by_name(a, b)));
        let total = last.0.max(Seconds::ZERO);
        RunSummary {
            total,
            last: last.1.map_or_else(TimeShares::default, TimeShares::new),
            supersteps,
        }
    }
}

impl TimeShares {
    /// A part of a machine counts once: its supersteps are computation of its parent's superstep, whose record
    /// includes them.
    fn new(processor: &super::Processor) -> TimeShares {
        let mut shares = TimeShares { processor: processor.number, ..TimeShares::default() };
        for superstep in &processor.supersteps {
            let machine = processor.machine(superstep.machine);
            shares.computation += if machine.is_some_and(|machine| machine.key != machine.parent) {
                // Communication and waiting in a part are included in its parent's computation.
                -(superstep.communication + superstep.waiting)
            } else {
                superstep.computation
            };
            shares.communication += superstep.communication;
            shares.waiting += superstep.waiting;
        }
        shares
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
