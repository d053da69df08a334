//! `cll run`: runs a program and records its trace.

mod reports;

use std::env::var_os;
use std::path::{Path, PathBuf};

use cll_contract::{self as contract, Engine};
use cll_result::VirtualPrediction;

use super::{in_launch, submitted};
use crate::calls;
use crate::cli::RunArgs;
use crate::failure::{Failure, Status};
use crate::files;
use crate::launch::{
    Host, Instrumented, LaunchMember, Launcher, Local, Mpirun, Options, Others, Outcome,
    Parallelism, Program, Run, Streams, TIMED_OUT, ending, exit_code, find, launch, mpi_of_command,
};
use crate::rounds::further;
use crate::terminal::Terminal;
use crate::virtual_run::VirtualRun;
use cll_counters::Observing;
use reports::{report_allowance, report_files, report_outcome};

/// Runs the program and reports the path of the trace.
pub fn run(args: RunArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    // Required by the command line's definition.
    let word = args.command.first().cloned().unwrap_or_default();
    let program = find(&word)?;
    if let Some(system) =
        args.batch.launcher.filter(|launcher| *launcher != cll_campaign::Launcher::Here)
    {
        return submitted::run(&args, &program, system, terminal);
    }
    let joined = LaunchMember::here();
    if let Some(joined) = joined.filter(|member| member.ranks > 1 || args.processors.is_none())
        && let Some(code) = in_launch::run(&args, &program, joined, terminal)?
    {
        return Ok(code);
    }
    let is_virtual = args.engine == Some(Engine::Virtual);
    if (args.log || is_virtual) && !Instrumented::look_or_script(&program)?.is_bsp() {
        return match mpi_of_command(&program, &args.command[1..], None)? {
            None if is_virtual => Err(not_virtual(&program)),
            Some(linked) => calls::run(args, &program, linked, terminal),
            None => Err(calls::no_log(&program)),
        };
    }
    record(&args, &program, terminal)
}

/// Runs a program that is not logged as one of MPI.
fn record(args: &RunArgs, program: &Path, terminal: &mut Terminal) -> Result<u8, Failure> {
    let instrumented = Instrumented::read_or_loader(program)?;
    let mut observing = Observing::from_options(&args.observing.wanted(), None)?;
    if let Some(text) = observing.at_once(&instrumented.counters())? {
        terminal.note(&text);
    }
    let mut settings = observing.environment();
    let is_mpi = instrumented.models().contains(&"MPI") && !instrumented.is_bsp();
    if let Some(processors) = args.processors.filter(|_| !is_mpi) {
        check_processors(processors, program, &instrumented)?;
    }
    let engine = engine(args, program, &instrumented)?;
    let bsp_engine = engine.unwrap_or(Engine::Processes);
    if instrumented.is_bsp() {
        settings.extend(cll_analysis::machine_parameters(bsp_engine.name(), terminal)?);
    }
    let virtually = virtual_run(args, engine, terminal)?;
    settings.extend(virtually.iter().flat_map(VirtualRun::environment));
    let mpirun = mpirun(engine, is_mpi, program)?;
    // The log of virtual processors is read for the prediction. Without --log it is removed.
    let passes = virtually.is_some() && !args.log && !instrumented.has_places();
    let passing = passes.then(files::temporary_folder).transpose()?;
    let folder = passing.as_ref().map(|passing| passing.path().to_path_buf());
    let folder =
        folder.or(args.output.clone()).or_else(|| var_os(contract::OUT.name()).map(PathBuf::from));
    let parallelism = parallelism(&instrumented, is_mpi);
    let options = Options {
        processors: args.processors,
        engine,
        logged: args.log,
        attached: true,
        settings,
        before: observing.wrapper(),
        arguments: args.command.iter().skip(1).cloned().collect(),
        ..Options::default()
    };
    let launched = Program { path: program, parallelism, has_threads: false };
    let name = files::base(program);
    let run = |folder: PathBuf, streams: Streams| Run {
        launch: launch(&options, &launched, &Host::here(mpirun.as_ref())),
        name: &name,
        number: None,
        kind: if args.log { "log" } else { "dat" },
        processors: args.processors.unwrap_or(1),
        engine: if instrumented.is_bsp() { bsp_engine.name().to_owned() } else { String::new() },
        machine: virtually.as_ref().map_or(String::new(), VirtualRun::machine),
        work: None,
        folder,
        timeout: args.timeout,
        others: others(engine, is_mpi),
        ranks: mpirun.as_ref().filter(|_| is_mpi).map(Mpirun::launcher_kind),
        streams,
        place: None,
        watched: false,
    };
    let folder = folder.unwrap_or_else(|| ".".into());
    let outcome = Local::new(terminal)?.launch(run(folder, Streams::Inherited))?;
    let asked = asked_processors(args, parallelism, engine)
        .filter(|_| instrumented.is_parallel() || instrumented.is_bsp());
    report_allowance(&outcome, parallelism, asked, terminal);
    if engine == Some(Engine::Mpi) && (instrumented.has_places() || args.log) {
        report_files(&outcome, &name, terminal)
    } else {
        report_outcome(&outcome, program, &instrumented, passes, is_mpi, terminal)
    }
    if let Some(virtually) = &virtually {
        predict(virtually, &outcome, terminal, |folder, streams, terminal| {
            Ok(Local::new(terminal)?.launch(run(folder.to_path_buf(), streams))?)
        })?;
    }
    if let Some(lost) = &outcome.lost {
        terminal.complain(&lost.text(), &["-o DIR chooses another folder".to_owned()]);
        return Err(Failure::Reported(Status::System));
    }
    Ok(if outcome.timed_out { TIMED_OUT } else { exit_code(outcome.status) })
}

/// The engine of a BSP program; `None` if it is the default one, or if the program is no BSP program.
fn engine(
    args: &RunArgs,
    program: &Path,
    instrumented: &Instrumented,
) -> Result<Option<Engine>, Failure> {
    if let Some(engine) = args.engine.filter(|_| !instrumented.is_bsp()) {
        return Err(Failure::usage(format!(
            "--engine {}: {} is not a BSP program",
            engine.name(),
            program.display()
        ))
        .help("compile a BSP program with our bsp.h or pub.h, or link it with libbsp.a"));
    }
    let engine = args.engine.or_else(super::environment::engine);
    Ok(engine.filter(|_| instrumented.is_bsp()))
}

/// The mpirun that starts the processes, if one does.
fn mpirun(
    engine: Option<Engine>,
    is_mpi: bool,
    program: &Path,
) -> Result<Option<Mpirun>, cll_launch::Error> {
    match engine {
        Some(Engine::Mpi) => Mpirun::find().map(Some),
        _ if is_mpi => Mpirun::for_program(program).map(Some),
        _ => Ok(None),
    }
}

/// How virtual processors run, if they do; otherwise no option is for them.
fn virtual_run(
    args: &RunArgs,
    engine: Option<Engine>,
    terminal: &Terminal,
) -> Result<Option<VirtualRun>, Failure> {
    if engine == Some(Engine::Virtual) {
        let virtually = VirtualRun::from_options(&args.virtually, args.processors, terminal)?;
        return Ok(Some(virtually));
    }
    match args.virtually.given() {
        None => Ok(None),
        Some(option) => Err(Failure::usage(format!("{option} is for virtual processors only"))
            .help("--engine virtual runs a BSP program on any number of them")),
    }
}

/// How the program is parallel.
fn parallelism(instrumented: &Instrumented, is_mpi: bool) -> Parallelism {
    match () {
        () if instrumented.is_pub() => Parallelism::Objects,
        () if instrumented.is_bsp() => Parallelism::Bsp,
        () if is_mpi => Parallelism::Ranks,
        () => Parallelism::Threads,
    }
}

/// Who collects the samples of processes that an mpirun starts.
fn others(engine: Option<Engine>, is_mpi: bool) -> Others {
    if engine == Some(Engine::Mpi) {
        Others::Leave
    } else if is_mpi {
        Others::Gather
    } else {
        Others::None
    }
}

/// The processors that are asked for at once. Virtual processors take turns in any case.
fn asked_processors(
    args: &RunArgs,
    parallelism: Parallelism,
    engine: Option<Engine>,
) -> Option<u32> {
    match parallelism {
        Parallelism::Threads => args.processors.or_else(threads_of_environment),
        _ if engine.is_some_and(|engine| matches!(engine, Engine::Virtual | Engine::Mpi)) => None,
        _ => args.processors,
    }
}

/// Prints the prediction of virtual processors; `run` makes further rounds.
fn predict(
    virtually: &VirtualRun,
    outcome: &Outcome,
    terminal: &mut Terminal,
    run: impl FnMut(&Path, Streams, &mut Terminal) -> Result<Outcome, Failure>,
) -> Result<(), Failure> {
    let mut predictions: Vec<VirtualPrediction> = virtually.predict(outcome)?.into_iter().collect();
    if ending(outcome).is_none() && outcome.interrupted.is_none() {
        further(virtually.rounds(), terminal, run, |_, outcome| {
            predictions.extend(virtually.predict(outcome)?);
            Ok(())
        })?;
    }
    virtually.report(predictions, terminal)
}

/// The number of threads that `OMP_NUM_THREADS` gives.
fn threads_of_environment() -> Option<u32> {
    let text = var_os("OMP_NUM_THREADS")?;
    text.to_str()?.split(',').next()?.trim().parse().ok()
}

/// The failure for a program without virtual processors.
fn not_virtual(program: &Path) -> Failure {
    Failure::usage(format!(
        "--engine virtual: {} is not a BSP program and is not linked with MPI",
        program.display()
    ))
    .help("compile a BSP program with our bsp.h or pub.h, or link it with libbsp.a")
}

/// Whether the program can have this number of processors.
fn check_processors(
    processors: u32,
    program: &Path,
    instrumented: &Instrumented,
) -> Result<(), Failure> {
    if processors > 1 && !instrumented.is_bsp() && !instrumented.is_parallel() {
        return Err(Failure::usage(format!(
            "-n {processors}: {} is sequential",
            program.display()
        ))
        .help("a parallel program needs #pragma cll parallel OpenMP, or #include <bsp.h>"));
    }
    Ok(())
}
