//! `cll run --launcher`: a program as a job of a batch system.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use cll_campaign::Launcher;
use cll_campaign::batch::Job;
use cll_report::escape;

use crate::batch::{JobQuery, JobUpdate, Task, TaskResult, cancel, starter, submit, task_result};
use crate::calls::{self, LinkedMpi};
use crate::cli::RunArgs;
use crate::failure::{Failure, Status, unreadable};
use crate::files;
use crate::launch::{
    Finished, Gathering, Host, Instrumented, Interruption, Options, Parallelism, Program, Recorder,
    TIMED_OUT, launch,
};
use crate::terminal::Terminal;
use cll_contract::Engine;
use cll_counters::Observing;

/// Time between two polls of the job's files.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Submits a program, waits for it, and collects its samples.
///
/// # Errors
/// If the system refuses it, or it ends without a result.
pub fn run(
    args: &RunArgs,
    program: &Path,
    system: Launcher,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    let instrumented =
        if args.log { Instrumented::look(program)? } else { Instrumented::read(program)? };
    let folder = match &args.output {
        Some(folder) => folder.clone(),
        None => PathBuf::from("."),
    };
    files::make_folder(&folder)?;
    let folder = folder.canonicalize().map_err(|error| unreadable(&folder, error))?;
    let program = program.canonicalize().map_err(|error| unreadable(program, error))?;
    let place = tempfile::Builder::new().prefix(".cll-job-").tempdir_in(&folder);
    let place = place.map_err(|error| Failure::file("make a folder in", &folder, error))?;
    let linked = if args.log && !instrumented.is_bsp() {
        Some(LinkedMpi::read(&program)?.ok_or_else(|| calls::no_log(&program))?)
    } else {
        None
    };
    let before = linked.as_ref().map(calls::words_before).transpose()?;
    let job = job(args, &program, &instrumented, (system, before.as_deref()), place.path())?;
    let arguments = args.command.iter().skip(1);
    let arguments = arguments.map(|word| word.to_string_lossy().into_owned()).collect();
    let seed = fastrand::u32(..).into();
    // From here on there may be a job to cancel.
    let mut interruption = Interruption::new()?;
    let number = submit(&job, &[Task { run: 0, seed, arguments }], system)?;
    terminal.note(&format!("job {number} of {}", system.name()));
    let waited = SubmittedJob {
        query: JobQuery::new(&number, system),
        system,
        folder: place.path(),
        printed: 0,
    };
    let result = match waited.wait(&mut interruption, terminal)? {
        Ok(result) => result,
        Err(signal) => {
            terminal.warn(&format!("job {number} is cancelled"));
            return Ok((128 + signal) as u8);
        }
    };
    if linked.is_some() {
        return collect_logs(args, &program, (place.path(), &folder), &result, terminal);
    }
    collect(args, &program, &instrumented, (place.path(), &folder), &result, terminal)
}

fn job(
    args: &RunArgs,
    program: &Path,
    instrumented: &Instrumented,
    (system, before): (Launcher, Option<&[OsString]>),
    folder: &Path,
) -> Result<Job, Failure> {
    let refused = |what: &str, why: &str| {
        Failure::usage(format!("{what} cannot be used with --launcher: {why}"))
    };
    if let Some(option) = args.virtually.given() {
        return Err(refused(option, "virtual processors run on this computer"));
    }
    let mut observing = Observing::from_options(&args.observing.wanted(), None)?;
    // How many counters the processors there have is not known here.
    observing.at_once(&instrumented.counters())?;
    if observing.is_simulated() {
        return Err(refused("--simulate-caches", "it simulates this computer's caches"));
    }
    let engine = args.engine.or_else(super::environment::engine).filter(|_| instrumented.is_bsp());
    if engine == Some(Engine::Virtual) {
        return Err(refused("--engine virtual", "virtual processors run on this computer"));
    }
    let parallelism = Parallelism::for_program(program, instrumented);
    let processors = args.processors.unwrap_or(1);
    if processors > 1 && parallelism == Parallelism::Threads && !instrumented.is_parallel() {
        return Err(Failure::usage(format!(
            "-n {processors}: {} is sequential",
            program.display()
        )));
    }
    let is_ranks =
        parallelism == Parallelism::Ranks || before.is_some() || engine == Some(Engine::Mpi);
    let options = Options {
        // An MPI launcher passes the number to its processes.
        processors: (!is_ranks).then_some(processors),
        engine,
        logged: args.log,
        bound: true,
        settings: observing.environment(),
        ..Options::default()
    };
    let target = Program { path: program, parallelism, has_threads: false };
    let environment = launch(&options, &target, &Host::here(None)).environment;
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let here = Path::new(".").canonicalize().map_err(|error| unreadable(Path::new("."), error))?;
    let batch = args.batch.batch();
    Ok(Job {
        name: files::base(program),
        processors,
        tasks: 1,
        seconds: args.timeout.map(|time| time.as_secs_f64()),
        starter: starter(program, is_ranks, system, &batch),
        batch,
        wrapper: before
            .iter()
            .flat_map(|words| words.iter())
            .map(|word| word.to_string_lossy().into_owned())
            .collect(),
        program: text(program),
        folder: text(folder),
        work: text(&here),
        environment: environment
            .into_iter()
            .map(|(name, value)| (name, value.to_string_lossy().into_owned()))
            .collect(),
    })
}

/// A job in the batch system.
struct SubmittedJob<'a> {
    query: JobQuery,
    system: Launcher,
    folder: &'a Path,
    /// Bytes of the program's output that were printed.
    printed: u64,
}

impl SubmittedJob<'_> {
    /// Waits until it has ended, and prints its output. If we receive a signal, cancels the job and returns the
    /// signal.
    fn wait(
        mut self,
        interruption: &mut Interruption,
        terminal: &mut Terminal,
    ) -> Result<Result<TaskResult, i32>, Failure> {
        let name = self.system.name();
        loop {
            let option = task_result(self.folder, 0)?;
            self.print(terminal)?;
            if let Some(result) = option {
                return Ok(Ok(result));
            }
            if let Some(signal) = interruption.asked() {
                cancel(self.query.number(), self.system);
                return Ok(Err(signal));
            }
            let number = self.query.number().to_owned();
            match self.query.poll() {
                JobUpdate::None => {}
                JobUpdate::Waits(why) => {
                    terminal.note(&format!("job {number} waits: {}", escape(&why)));
                }
                JobUpdate::Never(why) => {
                    cancel(&number, self.system);
                    return Err(Failure::program(format!(
                        "{name} does not grant the job: {}",
                        escape(&why)
                    )));
                }
                JobUpdate::Over => {
                    return Err(Failure::program(format!(
                        "{name} has ended job {number}, and the program has no result: the job's \
                         time was up, it was cancelled, or its host failed"
                    ))
                    .help("all nodes must share the folder of the trace (-o DIR)"));
                }
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Prints the program's output since the last poll.
    fn print(&mut self, terminal: &mut Terminal) -> Result<(), Failure> {
        let Ok(mut file) = File::open(self.folder.join("0.log")) else { return Ok(()) };
        let mut bytes = Vec::new();
        let read = file
            .seek(SeekFrom::Start(self.printed))
            .and_then(|_| file.read_to_end(&mut bytes))
            .map_err(|error| unreadable(&self.folder.join("0.log"), error))?;
        self.printed += read as u64;
        terminal.print(&bytes)?;
        terminal.flush()
    }
}

/// Makes one trace of the job's files; returns the exit code.
fn collect(
    args: &RunArgs,
    program: &Path,
    instrumented: &Instrumented,
    (from, to): (&Path, &Path),
    result: &TaskResult,
    terminal: &Terminal,
) -> Result<u8, Failure> {
    let kind = if args.log { "log" } else { "dat" };
    let mut recorder = Recorder::new(to, &files::base(program), kind)?;
    let own = from.join("0.traces");
    if own.is_dir() {
        Gathering::append_folder(&own, &mut recorder)?;
    }
    let number = recorder.number();
    let (exit, signal) = result.ending();
    let limit = args.timeout.map(|time| time.as_secs_f64());
    let timeout = result.timed_out(limit);
    let command = args.command.iter().map(|word| word.to_string_lossy().into_owned());
    let Finished { trace, lost, moved } = recorder.finish(cll_trace::meta::Run {
        command: command.collect(),
        number,
        exit,
        signal,
        timeout,
        wall_ns: ((result.ended - result.began) * 1e9) as u64,
        ..Default::default()
    });
    if let Some(moved) = moved {
        terminal.warn(&moved);
    }
    if let Some(lost) = lost {
        terminal.complain(&lost.text(), &["-o DIR chooses another folder".to_owned()]);
        return Err(Failure::Reported(Status::System));
    }
    match trace {
        Some(trace) => {
            terminal.note(&format!("recorded in {}, on {}", trace.display(), escape(&result.host)));
        }
        None if instrumented.has_places() => {
            terminal.warn("nothing was recorded: no experiment was reached");
        }
        None => {}
    }
    Ok(exit_of(timeout, result, terminal))
}

/// Collects the logs of calls of the job's processes, as those of one run, and reports; returns the exit code.
fn collect_logs(
    args: &RunArgs,
    program: &Path,
    (from, to): (&Path, &Path),
    result: &TaskResult,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    let name = files::base(program);
    let stem = format!("{name}.cll");
    // The number is reserved until the logs have it.
    let recorder = Recorder::new(to, &name, "log")?;
    let run = recorder.number();
    let mut log_paths = Vec::new();
    let mut logs: Vec<_> = files::ranks_in(&from.join("0.traces"), &stem).collect();
    logs.sort();
    for (_, rank, log) in logs {
        let path = to.join(format!("{stem}.{run}.{rank}.dat"));
        files::keep_as(&log, &path)?;
        log_paths.push(path);
    }
    recorder.finish(cll_trace::meta::Run::default());
    let code =
        exit_of(result.timed_out(args.timeout.map(|time| time.as_secs_f64())), result, terminal);
    calls::report_logs(&log_paths, to, &name, run, terminal)?;
    Ok(code)
}

/// The program's exit code; it is reported if it is not 0.
fn exit_of(timeout: bool, result: &TaskResult, terminal: &Terminal) -> u8 {
    if timeout {
        terminal.warn("the program took too long and was ended");
        return TIMED_OUT;
    }
    if result.status != 0 {
        terminal.warn(&format!(
            "the program ended with {} on {}",
            result.status,
            escape(&result.host)
        ));
    }
    result.status as u8
}
