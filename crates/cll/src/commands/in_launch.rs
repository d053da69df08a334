//! `cll run` as one of the processes of a launch: `mpirun cll run --log ./program`, `srun cll run ./program`.
//!
//! Each becomes its process of the program. The first waits for the others' logs and reports.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::calls;
use crate::cli::RunArgs;
use crate::failure::{Failure, reason};
use crate::files;
use crate::launch::{
    Host, Instrumented, Launch, LaunchMember, Launcher, LinkedMpi, Local, Mpirun, Options, Others,
    Parallelism, Program, Recording, Run, Streams, TIMED_OUT, ending, exit_code, launch,
    mpi_of_command,
};
use crate::terminal::Terminal;
use cll_analysis::logs::{has_ended, parent_process};
use cll_contract::Engine;
use cll_counters::Observing;

/// How long the first process waits for the logs of the others, which may still be ending.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// Time between two polls of them.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs an MPI program, or a BSP program on MPI, as this process of the launch. `None`: the program is neither.
///
/// # Errors
/// If an option is only for launches by `cll run`, or the program cannot be started.
pub fn run(
    args: &RunArgs,
    program: &Path,
    joined: LaunchMember,
    terminal: &mut Terminal,
) -> Result<Option<u8>, Failure> {
    let instrumented = if args.log {
        Instrumented::look_or_script(program)?
    } else {
        Instrumented::look(program)?
    };
    let is_bsp = instrumented.is_bsp() && args.engine.is_none_or(|engine| engine == Engine::Mpi);
    let linked = linked(args, program, &instrumented)?;
    let is_mpi = linked.is_some() || instrumented.models().contains(&"MPI");
    if !is_bsp && (!is_mpi || instrumented.is_bsp()) {
        return Ok(None);
    }
    if let Some(processors) = args.processors {
        return Err(number_is_set(processors, &joined));
    }
    if is_mpi && linked.is_none() && !Mpirun::is_linked(program) {
        Instrumented::read(program)?;
    }
    let mut observing = Observing::from_options(&args.observing.wanted(), None)?;
    let note = observing.at_once(&instrumented.counters())?;
    let mut settings = observing.environment();
    if is_bsp {
        settings.extend(cll_analysis::machine_parameters(Engine::Mpi.name(), terminal)?);
    }
    let before = linked.as_ref().map(calls::words_before).transpose()?.unwrap_or_default();
    let before = [before, observing.wrapper()].concat();
    let folder = calls::folder_of_logs(args.output.clone())?;
    let program = std::path::absolute(program).unwrap_or_else(|_| program.to_path_buf());
    let arguments: Vec<OsString> = args.command.iter().skip(1).cloned().collect();
    let options = Options {
        engine: is_bsp.then_some(Engine::Mpi),
        logged: args.log,
        settings,
        before,
        arguments,
        ..Options::default()
    };
    let parallelism = if is_bsp { Parallelism::Bsp } else { Parallelism::Ranks };
    let target = Program { path: &program, parallelism, has_threads: false };
    let launch = launch(&options, &target, &Host::here(None));
    if joined.rank > 0 {
        return Err(become_it(launch, &folder));
    }
    if let Some(note) = note {
        terminal.note(&note);
    }
    let name = files::base(&program);
    let firsts = || first_files(&folder, &name);
    let there_before = firsts();
    let outcome = Local::new(terminal)?.launch(Run {
        launch,
        name: &name,
        kind: "log",
        number: None,
        processors: 1,
        engine: if is_bsp { Engine::Mpi.name().to_owned() } else { String::new() },
        machine: String::new(),
        work: None,
        folder: folder.clone(),
        timeout: args.timeout,
        others: Others::Join,
        ranks: None,
        streams: Streams::Inherited,
        place: None,
        watched: false,
    })?;
    if let Some(what) = ending(&outcome) {
        terminal.warn(&format!("process 0 {what}"));
    }
    let mut new = firsts();
    new.retain(|first| !there_before.contains(first));
    report(own_run(new), linked.is_some(), (&folder, &name), joined, terminal)?;
    Ok(Some(if outcome.timed_out { TIMED_OUT } else { exit_code(outcome.status) }))
}

/// The MPI of a program whose calls are to be logged.
fn linked(
    args: &RunArgs,
    program: &Path,
    instrumented: &Instrumented,
) -> Result<Option<LinkedMpi>, cll_launch::Error> {
    if !args.log || instrumented.is_bsp() {
        return Ok(None);
    }
    mpi_of_command(program, &args.command[1..], LaunchMember::family())
}

/// The failure for a number of processors, which the launch sets.
fn number_is_set(processors: u32, joined: &LaunchMember) -> Failure {
    Failure::usage(format!(
        "-n {processors}: this cll run is process {} of {} of a launch, which sets the number",
        joined.rank, joined.ranks
    ))
    .help("mpirun -n P cll run ./program, or cll run -n P ./program")
}

/// The first file of a run: the name and the number in the file's name, and its path.
type FirstFile = (String, u32, PathBuf);

/// The file of rank 0 of each run in a folder. A script starts a program of another name. A `report` of the program makes
/// one file of all.
fn first_files(folder: &Path, name: &str) -> Vec<FirstFile> {
    let stem = format!("{name}.cll");
    let own = files::launches_in(folder).into_iter().filter_map(|((name, run), mut files)| {
        let first = files.swap_remove(0);
        let rank = files::run_and_rank(&files::base(&first), &format!("{name}.cll"))?.1;
        (rank == 0).then_some((name, run, first))
    });
    let wholes = files::wholes_in(folder, &stem).into_iter();
    own.chain(wholes.map(|(run, path)| (name.to_owned(), run, path))).collect()
}

/// The one of the new runs that is ours: another launch may have begun meanwhile, and a script need not become its
/// program.
fn own_run(mut new: Vec<FirstFile>) -> Option<FirstFile> {
    let own = new.iter().position(|entry| parent_process(&entry.2) == Some(std::process::id()));
    own.or((new.len() == 1).then_some(0)).map(|at| new.swap_remove(at))
}

/// Reports where the processes have recorded.
fn report(
    run: Option<FirstFile>,
    logged: bool,
    (folder, name): (&Path, &str),
    joined: LaunchMember,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    let is_of_rank = |name: &str, first: &Path| {
        files::run_and_rank(&files::base(first), &format!("{name}.cll")).is_some()
    };
    match run {
        Some((name, run, first)) if logged => {
            let logs = if is_of_rank(&name, &first) {
                all_of(folder, &format!("{name}.cll"), run, joined.ranks)
            } else {
                vec![first]
            };
            calls::report_logs(&logs, folder, &name, run, terminal)?;
        }
        Some((name, run, first)) if is_of_rank(&name, &first) => terminal.note(&format!(
            "each process has recorded in its own file: {}",
            folder.join(format!("{name}.cll.{run}.*.dat")).display()
        )),
        Some((_, _, path)) => terminal.note(&format!("recorded in {}", path.display())),
        None if logged => calls::report_logs(&[], folder, name, 0, terminal)?,
        None => {}
    }
    Ok(())
}

/// The logs of a run, when all processes have completed theirs, or those that exist after a time limit.
fn all_of(folder: &Path, stem: &str, run: u32, ranks: u32) -> Vec<PathBuf> {
    let begin = Instant::now();
    loop {
        let files = files::ranks_of(folder, stem, run);
        if files.len() >= ranks as usize && files.iter().all(|file| has_ended(file))
            || begin.elapsed() > MAX_WAIT
        {
            return files;
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Becomes the program; returns only the reason of a failure.
fn become_it(launch: Launch, folder: &Path) -> Failure {
    let launch = launch.recording(Recording::LaunchMember(folder));
    let error = launch.process().exec();
    Failure::system(format!("cannot run {}: {}", launch.command.program.display(), reason(&error)))
}
