//! The information in a trace about program, machine and runs, for the model fitted to it.

use std::path::PathBuf;

use cll_result::Machine;
use cll_result::{ModelFile, Notice, ProgramModel, RunModel, SourceModel};
use cll_trace::{Cause, Trace, Warning};

use cll_counters::this_machine;
use cll_units::Seconds;

use crate::allowance::allowance;

/// Fills in what the trace has and the model does not have yet.
pub fn describe(model: &mut ModelFile, trace: &Trace) {
    let Some(first) = trace.processes.first() else { return };
    let table = &first.table;
    model.clock = match table.clock {
        cll_trace::meta::Clock::Tsc => "tsc",
        cll_trace::meta::Clock::Cntvct => "cntvct",
        cll_trace::meta::Clock::Mono => "mono",
        cll_trace::meta::Clock::Unknown => "",
    }
    .to_owned();
    if model.machine.is_none() {
        // A trace has nothing else about another machine.
        let here = this_machine();
        let same = here.host == table.host && here.cpu == table.cpu;
        model.machine = Some(if same {
            here
        } else {
            Machine { host: table.host.clone(), cpu: table.cpu.clone(), ..Machine::default() }
        });
    }
    if model.program.is_none() {
        let source = |unit: &cll_trace::meta::Unit| SourceModel {
            file: unit.file.clone(),
            crc32: String::new(),
        };
        let parallel = first.units.iter().find(|unit| unit.model != "sequential");
        model.program = Some(ProgramModel {
            name: table.program.rsplit('/').next().unwrap_or_default().to_owned(),
            sources: first.units.iter().map(source).collect(),
            model: parallel
                .or(first.units.first())
                .map_or(String::new(), |unit| unit.model.clone()),
            compiled: None,
        });
    }
    if model.runs.is_empty() {
        model.runs = trace.runs.iter().map(|run| of_run(trace, run)).collect();
    }
}

fn of_run(trace: &Trace, run: &cll_trace::Run) -> RunModel {
    let process = trace.processes.iter().find(|process| process.trace == run.trace);
    RunModel {
        trace: String::new(),
        arguments: run.table.command.iter().skip(1).cloned().collect(),
        processors: process.map(|process| process.table.processors).filter(|&count| count > 0),
        order: process.map(|process| process.table.order.clone()).unwrap_or_default(),
        exit: run.table.exit,
        signal: run.table.signal,
        timed_out: run.table.timeout,
        wall: Some(Seconds(run.table.wall_ns as f64 * 1e-9)),
        round: None,
        counters: Vec::new(),
    }
}

/// Notices on a trace: what is missing, and what its reader should know.
///
/// `files` are the files of the traces, in order.
pub fn notices(trace: &Trace, files: &[PathBuf]) -> Vec<Notice> {
    let damage = trace.damage.iter().map(|damage| {
        let file = files.get(damage.trace as usize).filter(|_| damage.offset.is_some());
        let file = file.map_or(String::new(), |file| format!("{}: ", file.display()));
        // Nothing is missing here. Such notices must not displace those of missing data.
        let code = match damage.cause {
            Cause::Unsealed { .. } => "unsealed",
            _ => "damage",
        };
        Notice::new(code, format!("{file}{damage}"))
    });
    let warnings =
        trace.warnings.iter().map(|warning| Notice::new(code(warning), warning.to_string()));
    let mut all = allowance(trace);
    all.extend(few_of_each(damage.chain(warnings).collect()));
    all
}

/// A hundred launches repeat the same notice.
fn few_of_each(all: Vec<Notice>) -> Vec<Notice> {
    const SHOWN: usize = 3;
    let mut counts: Vec<(String, usize)> = Vec::new();
    let mut kept = Vec::new();
    for notice in all {
        let index = counts.iter().position(|(code, _)| *code == notice.code).unwrap_or_else(|| {
            counts.push((notice.code.clone(), 0));
            counts.len() - 1
        });
        counts[index].1 += 1;
        if counts[index].1 <= SHOWN {
            kept.push(notice);
        }
    }
    for (code, count) in counts.into_iter().filter(|(_, count)| *count > SHOWN) {
        let text = match count - SHOWN {
            1 => format!("1 more notice `{code}`"),
            more => format!("{more} more notices `{code}`"),
        };
        kept.push(Notice { code, text });
    }
    kept
}

fn code(warning: &Warning) -> &'static str {
    match warning {
        Warning::Formulas { .. } => "formulas",
        Warning::Variables { .. } => "variables",
        Warning::Calibration { .. } => "calibration",
        Warning::Negative { .. } => "negative-time",
        Warning::Exclusive { .. } => "exclusive",
        Warning::Left { .. } => "left",
        Warning::Waited { .. } => "waited",
        Warning::Open { .. } => "open",
        Warning::Run { .. } => "run",
        Warning::Absent { .. } => "absent",
        Warning::Elsewhere { .. } => "elsewhere",
        Warning::Processors { .. } => "processors",
        Warning::Engines { .. } => "engines",
        Warning::UnknownBlocks { .. } => "unknown-blocks",
        _ => "trace",
    }
}
