//! The machine, and how the program was built and run.

use cll_fit::Unit;
use cll_result::{ModelFile, RunModel};

use crate::document::{Block, Document, Section};
use crate::notation::Notation;
use crate::text::{Cell, Column, Table};

/// Runs in the table.
const MAX_RUNS: usize = 500;

/// Machine, compiler, clock, scheduler, and the runs.
pub(crate) fn document(model: &ModelFile) -> Document {
    let facts = facts(model).into_iter().filter(|(_, text)| !text.is_empty());
    let facts = facts.map(|(name, text)| (name, Notation::Unicode.text(&text)));
    let mut sections = vec![Section::untitled(vec![Block::named(facts)])];
    if !model.runs.is_empty() {
        let table = Block::first_rows(runs(&model.runs), "Runs", model.runs.len());
        sections.push(Section::new("Runs", "", vec![table]));
    }
    Document::new(sections)
}

fn facts(model: &ModelFile) -> Vec<(&'static str, String)> {
    let notation = Notation::Unicode;
    let mut facts = Vec::new();
    if let Some(machine) = &model.machine {
        facts.push(("Machine", machine.host.clone()));
        facts.push(("Processor", machine.cpu.clone()));
        if machine.processors > 0 {
            facts.push(("Processors", machine.processors.to_string()));
        }
        let caches = machine.caches.iter();
        let caches =
            caches.map(|cache| format!("{} {}", cache.name, notation.bytes(cache.bytes.get())));
        facts.push(("Caches", caches.collect::<Vec<_>>().join(", ")));
    }
    facts.push(("Clock", clock(&model.clock)));
    if let Some(sampling) = &model.sampling {
        facts.push(("Scheduler", sampling.scheduler.clone()));
        if let Some(pinned) = &sampling.pinned {
            let numbers: Vec<String> = pinned.iter().map(usize::to_string).collect();
            facts.push(("Pinned to processors", numbers.join(", ")));
        }
    }
    if let Some(program) = &model.program {
        facts.push(("Program", program.name.clone()));
        facts.push(("Parallel model", program.model.clone()));
        if let Some(compiled) = &program.compiled {
            facts.push(("Compiled by", compiled.command.clone()));
            facts.push(("Compiler", compiled.version.clone()));
        }
    }
    facts.push(("Seed of the order", model.seed.map(|seed| seed.to_string()).unwrap_or_default()));
    facts.push(("Modelled", model.created.clone()));
    facts.push(("By", model.tool.clone()));
    facts
}

fn clock(name: &str) -> String {
    match name {
        "tsc" => "the processor's time stamp counter (tsc)".to_owned(),
        "cntvct" => "the processor's virtual counter (cntvct)".to_owned(),
        "mono" => "the system's monotonic clock (mono)".to_owned(),
        other => other.to_owned(),
    }
}

fn runs(runs: &[RunModel]) -> Table {
    let notation = Notation::Unicode;
    let mut table = Table::new(vec![
        Column::right("run"),
        Column::right("round"),
        Column::left("arguments"),
        Column::right("processors"),
        Column::left("order"),
        Column::right("wall time"),
        Column::left("ended"),
    ]);
    for (number, run) in runs.iter().take(MAX_RUNS).enumerate() {
        let seconds = run.wall.map(|wall| notation.quantity(wall.get(), &Unit::Seconds));
        table.row([
            Cell::new(number.to_string()),
            Cell::new(run.round.map(|round| round.to_string()).unwrap_or_default()),
            Cell::new(run.arguments.join(" ")),
            Cell::new(run.processors.map(|p| p.to_string()).unwrap_or_default()),
            Cell::new(&run.order),
            Cell::new(seconds.unwrap_or_default()),
            Cell::new(ended(run)),
        ]);
    }
    table
}

fn ended(run: &RunModel) -> String {
    match (run.timed_out, run.signal, run.exit) {
        (true, ..) => "timed out".to_owned(),
        (_, Some(signal), _) => format!("signal {signal}"),
        (_, _, Some(0)) => "exit code 0".to_owned(),
        (_, _, Some(code)) => format!("exit code {code}"),
        _ => String::new(),
    }
}
