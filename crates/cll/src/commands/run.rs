//! `cll run`: runs a program and records its trace.

use std::collections::BTreeSet;
use std::env::var_os;
use std::fs::File;
use std::path::{Path, PathBuf};

use cll_contract::{self as contract, Engine};
use cll_diagnostic::counted;
use cll_result::VirtualPrediction;
use cll_trace::{Cause, Warning};

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
    let words = args.command.into_iter().skip(1);
    let instrumented = Instrumented::read_or_loader(&program)?;
    let mut observing = Observing::from_options(&args.observing.wanted(), None)?;
    if let Some(text) = observing.at_once(&instrumented.counters())? {
        terminal.note(&text);
    }
    let mut settings = observing.environment();
    let is_mpi = instrumented.models().contains(&"MPI") && !instrumented.is_bsp();
    if let Some(processors) = args.processors.filter(|_| !is_mpi) {
        check_processors(processors, &program, &instrumented)?;
    }
    if let Some(engine) = args.engine.filter(|_| !instrumented.is_bsp()) {
        return Err(Failure::usage(format!(
            "--engine {}: {} is not a BSP program",
            engine.name(),
            program.display()
        ))
        .help("compile a BSP program with our bsp.h or pub.h, or link it with libbsp.a"));
    }
    let engine = args.engine.or_else(super::environment::engine).filter(|_| instrumented.is_bsp());
    if instrumented.is_bsp() {
        let engine = engine.unwrap_or(Engine::Processes).name();
        settings.extend(cll_analysis::machine_parameters(engine, terminal)?);
    }
    let virtually = if engine == Some(Engine::Virtual) {
        Some(VirtualRun::from_options(&args.virtually, args.processors, terminal)?)
    } else {
        None
    };
    if let Some(option) = args.virtually.given().filter(|_| virtually.is_none()) {
        return Err(Failure::usage(format!("{option} is for virtual processors only"))
            .help("--engine virtual runs a BSP program on any number of them"));
    }
    if let Some(virtually) = &virtually {
        settings.extend(virtually.environment());
    }
    let mpirun = match engine {
        Some(Engine::Mpi) => Some(Mpirun::find()?),
        _ if is_mpi => Some(Mpirun::for_program(&program)?),
        _ => None,
    };
    let others = if engine == Some(Engine::Mpi) {
        Others::Leave
    } else if is_mpi {
        Others::Gather
    } else {
        Others::None
    };
    let folder = args.output.or_else(|| var_os(contract::OUT.name()).map(PathBuf::from));
    // The log of virtual processors is read for the prediction. Without --log it is removed.
    let passes = virtually.is_some() && !args.log && !instrumented.has_places();
    let passing = passes.then(files::temporary_folder).transpose()?;
    let folder = passing.as_ref().map(|passing| passing.path().to_path_buf()).or(folder);
    let parallelism = match () {
        () if instrumented.is_pub() => Parallelism::Objects,
        () if instrumented.is_bsp() => Parallelism::Bsp,
        () if is_mpi => Parallelism::Ranks,
        () => Parallelism::Threads,
    };
    let options = Options {
        processors: args.processors,
        engine,
        logged: args.log,
        attached: true,
        settings,
        before: observing.wrapper(),
        arguments: words.collect(),
        ..Options::default()
    };
    // Virtual processors take turns in any case.
    let asked = match parallelism {
        Parallelism::Threads => args.processors.or_else(threads_of_environment),
        _ if engine.is_some_and(|engine| matches!(engine, Engine::Virtual | Engine::Mpi)) => None,
        _ => args.processors,
    };
    let asked = asked.filter(|_| instrumented.is_parallel() || instrumented.is_bsp());
    let of = Program { path: &program, parallelism, has_threads: false };
    let name = files::base(&program);
    let run = |folder: PathBuf, streams: Streams| Run {
        launch: launch(&options, &of, &Host::here(mpirun.as_ref())),
        name: &name,
        number: None,
        kind: if args.log { "log" } else { "dat" },
        processors: args.processors.unwrap_or(1),
        engine: if instrumented.is_bsp() {
            engine.unwrap_or(Engine::Processes).name().to_owned()
        } else {
            String::new()
        },
        machine: virtually.as_ref().map_or(String::new(), VirtualRun::machine),
        work: None,
        folder,
        timeout: args.timeout,
        others,
        ranks: mpirun.as_ref().filter(|_| is_mpi).map(Mpirun::launcher_kind),
        streams,
        place: None,
        watched: false,
    };
    let folder = folder.unwrap_or_else(|| ".".into());
    let outcome = Local::new(terminal)?.launch(run(folder, Streams::Inherited))?;
    report_allowance(&outcome, parallelism, asked, terminal);
    if engine == Some(Engine::Mpi) && (instrumented.has_places() || args.log) {
        report_files(&outcome, &files::base(&program), terminal)
    } else {
        report_outcome(&outcome, &program, &instrumented, passes, is_mpi, terminal)
    }
    if let Some(virtually) = &virtually {
        let mut predictions: Vec<VirtualPrediction> =
            virtually.predict(&outcome)?.into_iter().collect();
        if ending(&outcome).is_none() && outcome.interrupted.is_none() {
            further(
                virtually.rounds(),
                terminal,
                |folder, streams, terminal| {
                    Ok(Local::new(terminal)?.launch(run(folder.to_path_buf(), streams))?)
                },
                |_, outcome| {
                    predictions.extend(virtually.predict(outcome)?);
                    Ok(())
                },
            )?;
        }
        virtually.report(predictions, terminal)?;
    }
    if let Some(lost) = &outcome.lost {
        terminal.complain(&lost.text(), &["-o DIR chooses another folder".to_owned()]);
        return Err(Failure::Reported(Status::System));
    }
    Ok(if outcome.timed_out { TIMED_OUT } else { exit_code(outcome.status) })
}

/// The number of threads that `OMP_NUM_THREADS` gives.
fn threads_of_environment() -> Option<u32> {
    let text = var_os("OMP_NUM_THREADS")?;
    text.to_str()?.split(',').next()?.trim().parse().ok()
}

/// Says that the program might not use as many processors as it had, or only a part of the time. Who asks for more than
/// the machine has knows that.
fn report_allowance(
    outcome: &Outcome,
    parallelism: Parallelism,
    asked: Option<u32>,
    terminal: &Terminal,
) {
    let what = match parallelism {
        Parallelism::Threads => "threads",
        Parallelism::Bsp | Parallelism::Objects => "processors",
        // They may be on other hosts.
        Parallelism::Ranks => "",
    };
    let is_told = !what.is_empty() && outcome.allowed.is_restricted();
    let asked = asked.filter(|_| is_told).map(f64::from);
    let short = asked.and_then(|asked| outcome.allowed.short_of(asked, what));
    for text in outcome.allowed.stopped_in_words().into_iter().chain(short) {
        terminal.warn(&text);
    }
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

/// For a program whose processes others have started.
fn report_files(outcome: &Outcome, name: &str, terminal: &Terminal) {
    if let Some(what) = ending(outcome) {
        terminal.warn(&format!("the program {what}"));
    }
    terminal.note(&format!(
        "each process has recorded in its own file: {name}.cll.{}.*.dat",
        outcome.number
    ));
}

/// For ranks that have left files on other hosts, since the program did not end normally.
fn report_other_hosts(trace: &Path, terminal: &Terminal) {
    let survey = File::open(trace).ok().and_then(|file| cll_trace::survey(file).ok());
    let warnings = survey.iter().flat_map(|survey| &survey.warnings);
    for warning in warnings.filter(|warning| matches!(warning, Warning::Elsewhere { .. })) {
        terminal.warn(&warning.to_string());
    }
}

/// Bytes of a trace that is read in a fraction of a second. Fits of larger ones tell what is lost.
const MAX_SURVEYED: u64 = 256 << 20;

/// Says that samples are lost which the system refused memory or space for. `is_whole`: the program ended by itself,
/// and each process wrote a file of its own, whose end must be there.
fn report_lost(trace: &Path, is_whole: bool, terminal: &Terminal) {
    let file = File::open(trace).ok();
    let file = file.filter(|file| file.metadata().is_ok_and(|about| about.len() <= MAX_SURVEYED));
    let Some(survey) = file.and_then(|file| cll_trace::survey(file).ok()) else { return };
    let counts = survey.damage.iter().map(|damage| match damage.cause {
        Cause::Dropped { count, .. } => count,
        _ => 0,
    });
    let dropped: u64 = counts.sum();
    if dropped > 0 {
        let all = survey.samples + dropped;
        terminal.warn(&format!(
            "{dropped} of {} lost: the program got no memory or no file for them; raise its limits \
             (ulimit -v, -f, -n), or time fewer passages: every(K)",
            counted(all as usize, "sample is", "samples are")
        ));
    }
    let cut: BTreeSet<u32> =
        survey.damage.iter().filter_map(|damage| cut(&damage.cause, is_whole)).collect();
    if !cut.is_empty() {
        let (processes, their) = match cut.len() {
            1 => ("1 process".to_owned(), "its"),
            count => (format!("{count} processes"), "their"),
        };
        terminal.warn(&format!(
            "samples of {processes} are lost: the end of {their} record is not there, as when a disk is full or a \
             file reaches its limit; -o DIR chooses another folder, ulimit -f shows the limit, and every(K) times \
             fewer passages"
        ));
    }
}

/// The process of which samples are missing by this damage.
fn cut(cause: &Cause, is_whole: bool) -> Option<u32> {
    match *cause {
        Cause::MissingBlocks { process, .. } | Cause::MissingSamples { process, .. } => {
            Some(process)
        }
        Cause::NoEnd { process, .. } if is_whole => Some(process),
        _ => None,
    }
}

/// `passes`: the trace is temporary. `has_files`: each process wrote a file of its own.
fn report_outcome(
    outcome: &Outcome,
    program: &Path,
    instrumented: &Instrumented,
    passes: bool,
    has_files: bool,
    terminal: &Terminal,
) {
    if let Some(what) = ending(outcome) {
        let kept = match outcome.trace {
            Some(_) if !passes => "; its recorded samples are kept",
            _ => "",
        };
        terminal.warn(&format!("the program {what}{kept}"));
    }
    if let (Some(_), Some(trace)) = (&outcome.ends, &outcome.trace) {
        report_other_hosts(trace, terminal);
    }
    for pid in &outcome.left {
        terminal.warn(&format!(
            "process {pid}, which the program started, still runs; samples that it records from now on are \
             lost"
        ));
    }
    match &outcome.trace {
        Some(_) if passes => {}
        Some(trace) => {
            terminal.note(&format!("recorded in {}", trace.display()));
            // Losses of ours are reported later.
            if outcome.lost.is_none() {
                let is_whole = has_files && ending(outcome).is_none() && outcome.left.is_empty();
                report_lost(trace, is_whole, terminal);
            }
        }
        // The reason is reported later.
        None if outcome.lost.is_some() => {}
        None if instrumented.units.is_empty() => terminal.warn(&format!(
            "nothing was recorded: {} was not built by cll cc, and no experiment was reached in the libraries that it loaded and that were built by \
             cll cc",
            program.display()
        )),
        None if !instrumented.has_places() => {}
        None => {
            let mut names: Vec<String> = Vec::new();
            for unit in &instrumented.units {
                for place in &unit.places {
                    names.push(format!("{} ({}:{})", place.experiment, unit.file, place.line));
                }
            }
            terminal.warn(&format!(
                "nothing was recorded: no experiment was reached; there are {}",
                names.join(", ")
            ));
        }
    }
}
