//! A log, priced.

use std::fs::File;
use std::path::{Path, PathBuf};

use cll_machine::{Machine, Uncertain};
use cll_model::Kind;
use cll_model::log::{LogError, Logged, gather, program};
use cll_trace::log::Log;

use super::answer::{Subject, predict};
use super::{draws, print, target};
use crate::cli::ObspArgs;
use crate::failure::{Failure, unreadable};
use crate::machine::load;
use crate::model::traces_in;
use crate::terminal::Terminal;

/// Prices the logs that were given, as those of one run.
pub fn run(args: &ObspArgs, machine: &Machine, terminal: &mut Terminal) -> Result<u8, Failure> {
    let paths = logs_in(&args.files)?;
    let mut logs = Vec::new();
    for path in &paths {
        let file = File::open(path).map_err(|error| unreadable(path, &error))?;
        let log = cll_trace::supersteps(file)
            .map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
        for damage in &log.damage {
            terminal.warn(&format!("{}: {damage}", path.display()));
        }
        if log.is_empty() {
            return Err(Failure::input(format!("{} has no supersteps", path.display()))
                .help("cll run --log PROGRAM logs those of a BSP program"));
        }
        logs.push(log);
    }
    let log = gather(logs).map_err(|error| wrong(&paths, error))?;
    let mut logged = program(&log, paths.len() == 1).map_err(|error| wrong(&paths, error))?;
    let mut notes: Vec<String> = logged.notes.iter().map(ToString::to_string).collect();
    scale(&mut logged, args, machine, &log, terminal, &mut notes)?;
    for note in &notes {
        terminal.warn(note);
    }
    let target = target(args, machine, false);
    let subject = Subject {
        program: &logged.program,
        quantities: logged.quantities.clone(),
        at: &[],
        measured: Some((logged.total_s, &logged.measured)),
        notes,
    };
    let prediction = predict(subject, &target, &draws(args, logged.program.size()), true)?;
    let name = paths[0].display().to_string();
    let head = print::Head { subject: &name, about: "", machine, target: &target };
    match args.json {
        true => print::json(terminal, &head, std::slice::from_ref(&prediction))?,
        false => terminal.print(print::report(&head, &prediction, args.top, &terminal.style()))?,
    }
    Ok(0)
}

/// Files as they are; of a folder its logs.
fn logs_in(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if !path.is_dir() {
            found.extend(traces_in(std::slice::from_ref(path))?);
            continue;
        }
        let entries = std::fs::read_dir(path).map_err(|error| unreadable(path, &error))?;
        let mut logs: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        logs.retain(|file| file.extension().is_some_and(|extension| extension == "log"));
        logs.sort();
        if logs.is_empty() {
            return Err(Failure::input(format!("there is no log (*.log) in {}", path.display())));
        }
        found.extend(logs);
    }
    Ok(found)
}

fn wrong(paths: &[PathBuf], error: LogError) -> Failure {
    let name = |path: &Path| path.display().to_string();
    match &error {
        LogError::Twice { .. } | LogError::Programs { .. } | LogError::Runs { .. } => {
            Failure::usage(error.to_string())
                .help("one run at a time: one log, or those that its processes have each written")
        }
        LogError::Missing { .. } => Failure::fit(format!("{}: {error}", name(&paths[0])))
            .help("give the logs of all processes of the run together"),
        _ => Failure::input(format!("{}: {error}", name(&paths[0]))),
    }
}

/// Computation as long as it would take on the target, if both machines tell how quick they are.
fn scale(
    logged: &mut Logged,
    args: &ObspArgs,
    machine: &Machine,
    log: &Log,
    terminal: &Terminal,
    notes: &mut Vec<String>,
) -> Result<(), Failure> {
    let Some(source) = &args.measured_on else {
        let cpu = log.processors.first().map_or("", |one| one.process.cpu.as_str());
        let other = machine.host.as_ref().map_or("", |host| host.cpu.as_str());
        if machine.origin.source.is_some() {
            notes.push(format!(
                "computation is as it was measured{}, not as {} would take for it: --measured-on MACHINE \
                 scales it by both machines' rates",
                if cpu.is_empty() { String::new() } else { format!(" on {cpu}") },
                machine.name
            ));
        } else if !cpu.is_empty() && !other.is_empty() && cpu != other {
            notes.push(format!(
                "computation was measured on {cpu}, and {} is {other}: --measured-on MACHINE scales it by \
                 both machines' rates",
                machine.name
            ));
        }
        return Ok(());
    };
    let source = load(source, terminal)?;
    let processors = logged.program.processors();
    let rate = |machine: &Machine, engine: Option<&str>| {
        let classic = machine.classic(engine, processors).ok();
        classic.and_then(|classic| classic.rate)
    };
    match (rate(&source, None), rate(machine, args.engine.as_deref())) {
        (Some(from), Some(to)) if from.value > 0.0 && to.value > 0.0 => {
            let value = Uncertain {
                value: from.value / to.value,
                low: from.low / to.high,
                high: from.high / to.low,
            };
            logged.rescale(format!("{} by {}", source.name, machine.name), value);
            notes.push(format!(
                "computation is {:.3} times that of {}, by the operations per second of both machines",
                value.value, source.name
            ));
        }
        (from, _) => {
            let silent = if from.is_none() { &source } else { machine };
            notes.push(format!(
                "computation is as it was measured: {} does not tell its operations per second",
                silent.name
            ));
        }
    }
    debug_assert_eq!(logged.quantities.all()[logged.scale.index()].kind, Kind::Computation);
    Ok(())
}
