//! `cll machine`: machine files.

mod foreign;
mod probe;

use cll_diagnostic::LocatedDiagnostic;
use cll_machine::Machine;
use cll_report::{machine_comparison_text, machine_text, machines_text};
use cll_result::{MachineComparison, MachineJson, Machines};
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::{
    CheckArgs, ListArgs, MachineArgs, MachineCommand, MachineCompareArgs, MachineShowArgs,
};
use crate::failure::{Failure, Status};
use crate::machine::{check, kept, load, text};
use crate::terminal::{Terminal, Text};

/// Runs a command.
pub fn run(args: &MachineArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    match &args.command {
        MachineCommand::Probe(args) => probe::run(args, terminal),
        MachineCommand::List(args) => list(args, terminal),
        MachineCommand::Show(args) => show(args, terminal),
        MachineCommand::Compare(args) => compared(args, terminal),
        MachineCommand::Check(args) => checked(args, terminal),
        MachineCommand::Import(args) => foreign::import(args, terminal),
        MachineCommand::Export(args) => foreign::export(args, terminal),
    }
}

/// Prints a machine as JSON.
fn json(machine: &Machine, terminal: &mut Terminal) -> Result<(), Failure> {
    terminal.json(&MachineJson::of(machine))
}

fn list(args: &ListArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let mut machines = Machines::published();
    for kept in kept() {
        machines.add(&kept.name, kept.place, kept.machine.as_ref());
    }
    if args.json {
        terminal.json(&machines)?
    } else {
        terminal.print(machines_text(&machines, &terminal.style()))?
    }
    Ok(0)
}

fn show(args: &MachineShowArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if args.toml {
        let (bytes, _) = text(&args.machine)?;
        terminal.print(bytes)?;
        return Ok(0);
    }
    let machine = load(&args.machine, terminal)?;
    if args.json {
        json(&machine, terminal)?
    } else {
        terminal.print(machine_text(&machine, &terminal.style()))?
    }
    Ok(0)
}

fn compared(args: &MachineCompareArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let (first, second) = (load(&args.first, terminal)?, load(&args.second, terminal)?);
    let comparison = MachineComparison::new(&first, &second);
    if args.json {
        terminal.json(&comparison)?
    } else {
        terminal.print(machine_comparison_text(&comparison, args.all, &terminal.style()))?;
    }
    Ok(0)
}

/// A machine file that was checked.
#[derive(Serialize, JsonSchema)]
struct Checked {
    file: String,
    right: bool,
    diagnostics: Vec<LocatedDiagnostic>,
}

/// The machine files that were checked, as JSON.
#[derive(Serialize, JsonSchema)]
pub struct CheckedMachines {
    format: &'static str,
    version: u32,
    files: Vec<Checked>,
}

fn checked(args: &CheckArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let mut files = Vec::new();
    for path in &args.files {
        let (bytes, name) = text(path)?;
        let (machine, diagnostics) = check(&bytes);
        if !args.json {
            terminal.diagnose(Text { name: &name, bytes: &bytes }, &diagnostics);
            if let Some(machine) = &machine {
                terminal.line(format!("{name}: valid: {}", contents(machine)))?;
            }
        }
        files.push(Checked {
            file: name,
            right: machine.is_some(),
            diagnostics: LocatedDiagnostic::all(&bytes, diagnostics),
        });
    }
    let right = files.iter().all(|file| file.right);
    if args.json {
        terminal.json(&CheckedMachines { format: "cll-machine-check", version: 1, files })?;
    }
    if right { Ok(0) } else { Err(Failure::Reported(Status::Input)) }
}

/// A summary of a machine's file.
fn contents(machine: &Machine) -> String {
    let engines = match machine.engines()[..] {
        [] => String::new(),
        ref names => format!(" of {}", names.join(", ")),
    };
    let count = |number: usize, one: &str, many: &str| match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    };
    let mut text = format!(
        "{}, {}, {}{engines}",
        count(machine.classic.len(), "(s, g, l)", "(s, g, l)"),
        count(machine.empty.len(), "empty superstep", "empty supersteps"),
        count(machine.communication.len(), "line of g and L", "lines of g and L"),
    );
    let memory = &machine.memory;
    let curves = memory.latency.len()
        + memory.independent.len()
        + memory.bandwidth.len()
        + memory.loaded.len();
    let more = [
        (memory.levels.len(), "level of memory", "levels of memory"),
        (curves, "curve", "curves"),
        (machine.operations.len(), "operation", "operations"),
        (machine.message_passing.messages.len(), "time of messages", "times of messages"),
        (machine.message_passing.collectives.len(), "collective", "collectives"),
    ];
    for (number, singular, many) in more.into_iter().filter(|(number, _, _)| *number > 0) {
        text += &format!("; {}", count(number, singular, many));
    }
    text
}
