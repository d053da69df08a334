//! Combines the log of a run from several files, and computes its times.

use cll_supersteps::{Log, Processor};
use cll_units::Seconds;

use super::machines::Machines;
use super::{LogError, Note};

/// The combined log of a run in which each process has written its own.
///
/// # Errors
/// If they are not of one run.
pub fn gather(logs: Vec<Log>) -> Result<Log, LogError> {
    let first = logs.iter().flat_map(|log| &log.processors).next();
    let Some(first) = first else { return Err(LogError::Empty) };
    let processor_count = |processor: &Processor| {
        processor.machines.iter().find(|machine| machine.key == "0").map(|machine| machine.nprocs)
    };
    for other in logs.iter().flat_map(|log| &log.processors) {
        let words = |member: &Processor| {
            let name = member.process.program.rsplit('/').next().unwrap_or_default();
            format!("{name} {}", member.process.args.join(" ")).trim_end().to_owned()
        };
        if (&first.process.program, &first.process.args)
            != (&other.process.program, &other.process.args)
        {
            return Err(LogError::Programs { first: words(first), other: words(other) });
        }
        if let (Some(first), Some(other)) = (processor_count(first), processor_count(other))
            && first != other
        {
            return Err(LogError::Runs { first, other });
        }
    }
    Log::gather(logs).map_err(|processor| LogError::Twice { processor })
}

/// When each processor began, in seconds (all at 0 if their clocks are not related), and the real time of the
/// whole.
///
/// Time that the log itself took counts in neither.
pub(super) fn times(
    log: &Log,
    machines: &Machines<'_>,
    notes: &mut Vec<Note>,
) -> (Vec<f64>, Seconds) {
    let root = machines.root();
    let mut unrelated = Vec::new();
    for clock in &log.clocks {
        let host = clock.host.clone();
        match clock.correction {
            Some(_) => notes.push(Note::Related {
                host,
                uncertainty_ns: (clock.uncertainty.get() * 1e9).round() as u64,
                drift_ppb: (clock.drift * 1e9).round() as i64,
            }),
            None => unrelated.push(host),
        }
    }
    let comparable = unrelated.is_empty();
    if !comparable {
        notes.push(Note::Hosts { hosts: unrelated });
    }
    let starts = root.members.iter().map(|member| {
        if comparable {
            member.supersteps.first().map_or(0.0, |superstep| superstep.start.get())
        } else {
            0.0
        }
    });
    let starts: Vec<f64> = starts.collect();
    let first = starts.iter().copied().fold(f64::INFINITY, f64::min);
    let joins: Vec<f64> = starts.iter().map(|start| start - first).collect();
    let lasted = root.members.iter().map(|member| {
        let parts = member.supersteps[..root.count].iter();
        parts
            .map(|superstep| {
                (superstep.computation + superstep.communication + superstep.waiting).get()
            })
            .sum::<f64>()
    });
    let total = lasted.zip(&joins).map(|(lasted, join)| lasted + join).fold(0.0, f64::max);
    (joins, Seconds(total))
}
