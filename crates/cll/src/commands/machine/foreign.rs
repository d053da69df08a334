//! `cll machine import` and `export`: machines of and for other programs.

use cll_machine::{ImportDefaults, Machine, arch, schedulers, simgrid, write};

use super::json;
use crate::cli::{MachineExportArgs, MachineFormat, MachineImportArgs};
use crate::failure::{Failure, Status};
use crate::files::{Kept, Output, base, is_apart};
use crate::machine::{load, text};
use crate::terminal::{Terminal, Text};

/// Reads files, and writes what they have as one machine.
pub fn import(args: &MachineImportArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    is_apart(&args.out, &args.files)?;
    let output = Output::of_kind(&args.out, Kept::Machine)?;
    let defaults =
        ImportDefaults { mpi: args.mpi.clone(), hosts: args.hosts, processes: args.processes };
    let mut machine: Option<Machine> = None;
    let mut failed = false;
    for path in &args.files {
        let (bytes, name) = text(path)?;
        let imported = cll_machine::import(&bytes, &base(path), &defaults);
        terminal.diagnose(Text { name: &name, bytes: &bytes }, &imported.diagnostics);
        let Some(addition) = imported.machine else {
            failed = true;
            continue;
        };
        match &mut machine {
            None => machine = Some(addition),
            Some(all) => all.add(addition).map_err(|what| {
                Failure::input(format!("{name}: {what} was in an earlier file"))
                    .help("name each measurement once, or change --mpi or --hosts")
            })?,
        }
    }
    let Some(mut machine) = machine.filter(|_| !failed) else {
        return Err(Failure::Reported(Status::Input));
    };
    if let Some(name) = &args.name {
        machine.name.clone_from(name);
    }
    output.write(write(&machine).as_bytes())?;
    if args.json {
        json(&machine, terminal)?
    } else {
        terminal.line(format!("{}: {}", args.out.display(), super::contents(&machine)))?
    }
    Ok(0)
}

/// Writes a machine in the format of another program.
pub fn export(args: &MachineExportArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let machine = load(&args.machine, terminal)?;
    let output = args.out.as_deref().map(Output::at).transpose()?;
    let largest = machine.classic.iter().map(|classic| classic.processors).max();
    let written = match args.to {
        MachineFormat::Bsp if machine.classic.is_empty() => {
            return Err(none(&machine, "no (s, g, l)"));
        }
        MachineFormat::Bsp => {
            let text = serde_json::to_string_pretty(&schedulers(&machine));
            text.map_err(|error| Failure::system(error.to_string()))? + "\n"
        }
        MachineFormat::Arch => {
            let processors = args.processors.or(largest).unwrap_or(1);
            arch(&machine, args.engine.as_deref(), processors).ok_or_else(|| {
                none(&machine, &format!("no (s, g, l) with s for {processors} processors"))
            })?
        }
        MachineFormat::Simgrid => {
            let cores = machine.host.as_ref().and_then(|host| host.cores);
            let processes = args.processors.or(cores).unwrap_or(2).max(2);
            if args.speed.is_some_and(|speed| !(speed.is_finite() && speed > 0.0)) {
                return Err(Failure::usage("--speed is a number of operations per second above 0"));
            }
            simgrid(&machine, args.mpi.as_deref(), processes, args.speed)
                .map_err(|error| Failure::input(error.0))?
        }
    };
    match output {
        Some(output) => output.write(written.as_bytes())?,
        None => terminal.print(written)?,
    }
    Ok(0)
}

fn none(machine: &Machine, what: &str) -> Failure {
    Failure::input(format!("{} has {what}", machine.name))
        .help("cll machine show says what it has; cll machine probe --bsp measures it")
}
