//! Runs programs on this machine, with shared memory for their samples.

mod collector;

use std::io;
use std::process::Stdio;
use std::time::{Duration, Instant};

use cll_files::Notices;
use cll_trace::meta;

use super::child::{Running, Signals};
use super::descendants;
use super::first_failure::{self, OutputTail};
use super::gather::Gathering;
use super::memory::Memory;
use super::process_limits::{ProcessKind, ProcessLimits};
use super::recorder::Finished;
use super::{Launcher, Others, Outcome, Recording, Run, Streams};
use crate::Error;
use crate::files;
use crate::machine_state::{Allowance, LaunchObserver, ObserverPlacement};
use collector::{CollectedEnding, Collector};

/// How long the last output of a launcher may take to arrive.
const OUTPUT_DELAY: Duration = Duration::from_secs(2);

/// Runs programs here.
pub struct Local<'a> {
    notices: &'a dyn Notices,
    signals: Signals,
    /// Whether a note has reported processes that the program left running.
    is_reported: bool,
}

impl<'a> Local<'a> {
    /// From now on signals are passed on to the program.
    ///
    /// # Errors
    /// If signals cannot be caught.
    pub fn new(notices: &'a dyn Notices) -> Result<Local<'a>, Error> {
        let signals = Signals::new().map_err(Error::Signals)?;
        descendants::adopt();
        Ok(Local { notices, signals, is_reported: false })
    }

    /// Processes that a launch leaves running would disturb the next launches.
    fn end_what_is_left(&mut self, run: &Run<'_>, running: &Running) {
        let left = descendants::adopted().len();
        if left == 0 || run.place.is_none() {
            return;
        }
        running.kill_rest();
        if !std::mem::replace(&mut self.is_reported, true) {
            let are = if left == 1 { "process" } else { "processes" };
            self.notices.note(&format!(
                "the program leaves {left} {are} running when it ends; they are ended, so that they do \
                 not disturb the next launch"
            ));
        }
    }
}

/// Checks the number of processes started on this machine, one for each processor. Virtual processors take turns
/// and have another limit; MPI ranks may be on other hosts, which their launcher knows.
fn started_here(run: &Run<'_>) -> Option<ProcessKind> {
    let is_bsp = run.launch.has_processors();
    let elsewhere = run.ranks.is_some() || matches!(run.engine.as_str(), "virtual" | "mpi");
    match run.processors {
        0..=1 => None,
        _ if elsewhere => None,
        _ if is_bsp => Some(ProcessKind::Processors),
        _ => Some(ProcessKind::Threads),
    }
}

/// The output of a launcher of MPI as it is printed, and the streams for it; neither for other programs.
fn output_of_launcher(run: &Run<'_>) -> Result<(Option<OutputTail>, Option<[Stdio; 2]>), Error> {
    if run.ranks.is_none() || !matches!(run.streams, Streams::Inherited) {
        return Ok((None, None));
    }
    let (output_tail, streams) = OutputTail::new().map_err(Error::Output)?;
    Ok((Some(output_tail), Some(streams)))
}

/// The end of a launcher's output. `printed`: the length of the log before the run.
fn last_output(output_tail: Option<&OutputTail>, run: &Run<'_>, printed: u64) -> String {
    match (output_tail, &run.streams) {
        (Some(output_tail), _) => output_tail.end(OUTPUT_DELAY),
        (None, Streams::Log(log)) if run.ranks.is_some() => first_failure::end_of(log, printed),
        (None, _) => String::new(),
    }
}

/// How the ranks of a failed run have ended, by its launcher's output; `None` if we have ended the run.
fn failures(
    run: &Run<'_>,
    ending: &CollectedEnding,
    said: &str,
) -> Option<first_failure::Failures> {
    let is_own = !ending.timed_out && ending.interrupted.is_none();
    let launcher_kind = run.ranks.filter(|_| is_own && !ending.status.success())?;
    Some(first_failure::Failures::from_output(said, launcher_kind, ending.status))
}

impl Launcher for Local<'_> {
    fn launch(&mut self, run: Run<'_>) -> Result<Outcome, Error> {
        if let Some(kind) = started_here(&run) {
            ProcessLimits::here().check(run.processors, kind)?;
        }
        files::make_folder(&run.folder)?;
        // The launcher's processes choose the number.
        let aside = (run.others == Others::Join).then(files::temporary_folder).transpose()?;
        let aside = aside.as_ref().map(|aside| aside.path());
        let mut recording = Collector::new(&run, aside, self.notices)?;
        let number = recording.recorder.number();
        let gathering = match run.others {
            Others::Gather => Some(Gathering::new(&run.folder)?),
            Others::None | Others::Leave | Others::Join => None,
        };
        let printed = match &run.streams {
            Streams::Log(log) => log.metadata().map_or(0, |file| file.len()),
            Streams::Inherited => 0,
        };
        let (output_tail, streams) = output_of_launcher(&run)?;
        let allowed = Allowance::now();
        let mut machine = run.place.as_ref().filter(|_| run.watched).map(LaunchObserver::begin);
        let observer_placement = run.place.as_ref().map(ObserverPlacement::for_program);
        let start = Instant::now();
        let own =
            LaunchedProgram { memory: &recording.memory, gathering: gathering.as_ref(), number };
        let started = start_placed(&run, &own, streams);
        let mut running = match started {
            Ok(running) => running,
            Err(error) => {
                recording.memory.release();
                recording.recorder.finish(meta::Run::default());
                return Err(files::Error::refused("run", &run.launch.command.program, error).into());
            }
        };
        let mut ending =
            recording.accompany(&mut running, &mut self.signals, &run, start, machine.as_mut())?;
        let wall = start.elapsed();
        drop(observer_placement);
        let left = recording.collect(&mut self.signals, &mut ending)?;
        recording.memory.release();
        self.end_what_is_left(&run, &running);
        let seen = machine.map(LaunchObserver::end);
        let allowed = Allowance::now().since(&allowed);
        let seen = seen.map(|seen| seen.with_stops(&allowed));
        // The launcher's last output is printed before our messages.
        let said = last_output(output_tail.as_ref(), &run, printed);
        let ends = failures(&run, &ending, &said);
        if let Some(gathering) = gathering {
            recording.gather(gathering)?;
        }
        let table = meta::Run {
            exit: ending.status.code(),
            signal: std::os::unix::process::ExitStatusExt::signal(&ending.status),
            timeout: ending.timed_out,
            wall_ns: wall.as_nanos() as u64,
            allowed: Some(allowed.clone()),
            ..run.table(number)
        };
        let Finished { trace, lost, moved } = recording.recorder.finish(table);
        if let Some(moved) = moved {
            self.notices.warn(&moved);
        }
        let CollectedEnding { status, timed_out, interrupted } = ending;
        let first_failure = ends.as_ref().and_then(|ends| ends.with_trace(trace.as_deref()));
        Ok(Outcome {
            status,
            number,
            timed_out,
            wall,
            trace,
            lost,
            left,
            interrupted,
            seen,
            allowed,
            ends,
            first_failure,
        })
    }
}

/// Where its processes record.
struct LaunchedProgram<'a> {
    memory: &'a Memory,
    gathering: Option<&'a Gathering>,
    /// The run's number.
    number: u32,
}

/// Starts it from a thread with the program's processors and priority, which it inherits.
fn start_placed(
    run: &Run<'_>,
    own: &LaunchedProgram<'_>,
    streams: Option<[Stdio; 2]>,
) -> io::Result<Running> {
    let Some(place) = &run.place else {
        return start_program(run, own, streams);
    };
    let start = || {
        place.take();
        start_program(run, own, streams)
    };
    std::thread::scope(|scope| {
        scope.spawn(start).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn start_program(
    run: &Run<'_>,
    own: &LaunchedProgram<'_>,
    streams: Option<[Stdio; 2]>,
) -> io::Result<Running> {
    let recording = match run.others {
        Others::None => Recording::Memory(own.memory.descriptor()),
        Others::Leave | Others::Gather => {
            let folder = own.gathering.map_or(run.folder.as_path(), Gathering::path);
            Recording::Files(folder, own.number)
        }
        Others::Join => Recording::LaunchMember(&run.folder),
    };
    let launch = run.launch.clone().recording(recording);
    let mut command = launch.process();
    if let Some(work) = &run.work {
        command.current_dir(work);
    }
    let own_streams = match &run.streams {
        Streams::Inherited => {
            if let Some([out, err]) = streams {
                command.stdout(out).stderr(err);
            }
            true
        }
        Streams::Log(log) => {
            command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log.try_clone()?);
            false
        }
    };
    Running::start(&mut command, own_streams)
}
