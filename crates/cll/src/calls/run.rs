//! Runs a program and has its calls of MPI logged.

use std::collections::BTreeSet;
use std::env::var_os;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use cll_trace::live;

use crate::cli::RunArgs;
use crate::failure::Failure;
use crate::files;
use crate::launch::{
    Launch, Launcher, Local, Mpirun, Others, Outcome, Streams, TIMED_OUT, ending, exit_code,
};
use crate::observing::Observing;
use crate::terminal::Terminal;

use super::linked::Linked;
use super::{report, summary, wrapper};

/// Runs it by the mpirun of its MPI, with the wrapper before it.
pub fn run(
    args: RunArgs,
    program: &Path,
    linked: Linked,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    if let Some(engine) = args.engine {
        return Err(Failure::usage(format!(
            "--engine {}: {} is no BSP program",
            engine.name(),
            program.display()
        ))
        .help("it is started by the mpirun of its MPI"));
    }
    if let Some(option) = args.virtually.given() {
        return Err(Failure::usage(format!("{option} is of virtual processors"))
            .help("--engine virtual runs a BSP program on any number of them"));
    }
    let mpirun = Mpirun::of_family(program, linked.family)?;
    let preload = wrapper::preload(&linked)?;
    let mut observing = Observing::of(&args.observing, None)?;
    if let Some(text) = observing.at_once(&[])? {
        terminal.note(&text);
    }
    let mut environment = observing.environment();
    environment.push(("CLL_LOG", "1".into()));
    let names: Vec<&str> = environment.iter().map(|(name, _)| *name).collect();
    let names = [names.as_slice(), &[live::ENV_OUT]].concat();
    // `env` sets it for the program alone: launchers are programs of MPI's, too, and run on other hosts.
    let before: Vec<OsString> = vec!["env".into(), preload];
    let words = [mpirun.words(args.processors, &names), before, observing.wrapper()].concat();
    let folder = args.output.or_else(|| var_os(live::ENV_OUT).map(PathBuf::from));
    let folder = folder.unwrap_or_else(|| ".".into());
    files::make_folder(&folder)?;
    // Processes may have another folder to work in.
    let folder = std::path::absolute(&folder).unwrap_or(folder);
    let name = files::base(program);
    let there_before = logs(&folder, &name);
    let launch = Launch {
        program: &std::path::absolute(program).unwrap_or_else(|_| program.to_path_buf()),
        name: &name,
        kind: "log",
        number: None,
        wrapper: words,
        processors: args.processors.unwrap_or(1),
        engine: String::new(),
        machine: String::new(),
        arguments: args.command.into_iter().skip(1).collect(),
        environment,
        work: None,
        folder: folder.clone(),
        timeout: args.timeout,
        others: Others::Leave,
        ranks: Some(mpirun.speaker()),
        streams: Streams::Own,
        place: None,
        watched: false,
    };
    let mut outcome = Local::new(terminal)?.launch(launch)?;
    let made: Vec<PathBuf> = logs(&folder, &name).difference(&there_before).cloned().collect();
    tell(&mut outcome, &made, &folder, &name, terminal)?;
    Ok(match outcome.timed_out {
        true => TIMED_OUT,
        false => exit_code(outcome.status),
    })
}

/// The files in which processes of a program have recorded.
fn logs(folder: &Path, name: &str) -> BTreeSet<PathBuf> {
    let is_its = |path: &PathBuf| {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let run =
            file.strip_prefix(&format!("{name}.cll.")).and_then(|rest| rest.strip_suffix(".dat"));
        run.is_some_and(|run| !run.is_empty() && run.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(is_its).collect()
}

fn tell(
    outcome: &mut Outcome,
    made: &[PathBuf],
    folder: &Path,
    name: &str,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    if let Some(ends) = &outcome.ends {
        outcome.died = summary::first(ends, made);
    }
    if let Some(what) = ending(outcome) {
        let kept = if made.is_empty() { "" } else { "; what it had recorded is kept" };
        terminal.warn(&format!("the program {what}{kept}"));
    }
    if made.is_empty() {
        terminal.warn(&format!(
            "no process has recorded in {}: MPI was not begun (MPI_Init), or the processes ran on other \
             hosts, where their logs are",
            folder.display()
        ));
        return Ok(());
    }
    if report::tell(made, terminal)? {
        let files = match made {
            [one] => one.display().to_string(),
            _ => folder.join(format!("{name}.cll.*.dat")).display().to_string(),
        };
        terminal.note(&format!(
            "each process has logged its calls in a file of its own ({} files): {files}",
            made.len()
        ));
    }
    Ok(())
}
