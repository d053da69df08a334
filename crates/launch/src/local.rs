//! Runs programs on this machine, with shared memory for their samples.

use std::io;
use std::process::Stdio;
use std::time::{Duration, Instant};

use cll_files::{Notices, reason};
use cll_trace::meta;

use super::child::{Running, Signals};
use super::descendants;
use super::first_failure::{self, OutputTail};
use super::gather::Gathering;
use super::memory::Memory;
use super::process_limits::{ProcessKind, ProcessLimits};
use super::recorder::{Finished, Recorder};
use super::{Launcher, Others, Outcome, Recording, Run, Streams};
use crate::Error;
use crate::files;
use crate::machine_state::{Allowance, LaunchObserver, ObserverPlacement};

/// The shortest time between two polls of the memory: a busy program fills a slot in some 30 µs.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(1);
/// The longest, while nothing is recorded.
const MAX_POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Time between the request to end and the kill.
const KILL_DELAY: Duration = Duration::from_secs(1);
/// Time between a fork and the first record.
const FORK_DELAY: Duration = Duration::from_millis(300);
/// Time between two checks of the program's processors and priority.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// How long the last output of a launcher may take to arrive.
const OUTPUT_DELAY: Duration = Duration::from_secs(2);
/// How long to wait for processes that the program left behind.
const MAX_WAIT: Duration = Duration::from_secs(5);

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

impl Launcher for Local<'_> {
    fn launch(&mut self, run: Run<'_>) -> Result<Outcome, Error> {
        if let Some(kind) = started_here(&run) {
            ProcessLimits::here().check(run.processors, kind)?;
        }
        files::make_folder(&run.folder)?;
        // The launcher's processes choose the number.
        let aside = (run.others == Others::Join).then(files::temporary_folder).transpose()?;
        let recorder = match run.number {
            None => {
                let folder = aside.as_ref().map_or(run.folder.as_path(), |aside| aside.path());
                Recorder::new(folder, run.name, run.kind)?
            }
            Some(number) => Recorder::numbered(&run.folder, run.name, run.kind, number)?,
        };
        let number = recorder.number();
        // Launches with a number are repeated if we are killed.
        let is_ours = run.number.is_none() && run.others == Others::None;
        let owner = is_ours.then(|| recorder.owner(&run)).flatten();
        let memory = match Memory::new(run.processors, owner.as_ref()) {
            Ok(memory) => memory,
            Err(error) => {
                recorder.finish(meta::Run::default());
                return Err(Error::NoMemory(error));
            }
        };
        let mut recording =
            Collector { notices: self.notices, memory, recorder, is_reported: false };
        let gathering = match run.others {
            Others::Gather => Some(Gathering::new(&run.folder)?),
            Others::None | Others::Leave | Others::Join => None,
        };
        let printed = match &run.streams {
            Streams::Log(log) => log.metadata().map_or(0, |file| file.len()),
            Streams::Inherited => 0,
        };
        let (output_tail, streams) = match (run.ranks, &run.streams) {
            (Some(_), Streams::Inherited) => {
                OutputTail::new().map(|(output_tail, streams)| (Some(output_tail), Some(streams)))
            }
            _ => Ok((None, None)),
        }
        .map_err(Error::Output)?;
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
        let ending =
            recording.accompany(&mut running, &mut self.signals, &run, start, machine.as_mut())?;
        let wall = start.elapsed();
        drop(observer_placement);
        let left = recording.collect(&mut self.signals, &ending)?;
        recording.memory.release();
        self.end_what_is_left(&run, &running);
        let seen = machine.map(LaunchObserver::end);
        let allowed = Allowance::now().since(&allowed);
        let seen = seen.map(|seen| seen.with_stops(&allowed));
        // The launcher's last output is printed before our messages.
        let said = match (&output_tail, &run.streams) {
            (Some(output_tail), _) => output_tail.end(OUTPUT_DELAY),
            (None, Streams::Log(log)) if run.ranks.is_some() => first_failure::end_of(log, printed),
            (None, _) => String::new(),
        };
        let is_own = !ending.timed_out && ending.interrupted.is_none();
        let launcher_kind = run.ranks.filter(|_| is_own && !ending.status.success());
        let ends = launcher_kind.map(|launcher_kind| {
            first_failure::Failures::from_output(&said, launcher_kind, ending.status)
        });
        if let Some(gathering) = gathering {
            let kept = gathering.gather(&mut recording.recorder)?;
            recording.report_loss();
            if let Some(kept) = kept {
                self.notices.warn(&format!(
                    "the recorded samples of each process are kept in {}",
                    kept.join("*.dat").display()
                ));
            }
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
        let Ending { status, timed_out, interrupted } = ending;
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

struct Ending {
    status: std::process::ExitStatus,
    timed_out: bool,
    interrupted: Option<i32>,
}

/// Copies samples from the memory to the trace.
struct Collector<'a> {
    notices: &'a dyn Notices,
    memory: Memory,
    recorder: Recorder,
    is_reported: bool,
}

impl Collector<'_> {
    /// Copies the program's samples until it ends.
    fn accompany(
        &mut self,
        running: &mut Running,
        signals: &mut Signals,
        run: &Run<'_>,
        start: Instant,
        mut machine: Option<&mut LaunchObserver>,
    ) -> Result<Ending, Error> {
        let mut nap = MIN_POLL_INTERVAL;
        let mut interrupted = None;
        let mut asked_to_end: Option<Instant> = None;
        let mut looked = Instant::now();
        let mut over: Option<Instant> = None;
        if let Some(machine) = &mut machine {
            machine.look(running.pid());
        }
        loop {
            running.nap(nap);
            nap = match self.drain()? {
                0 => (nap * 2).min(MAX_POLL_INTERVAL),
                _ => MIN_POLL_INTERVAL,
            };
            let signal = running.pass_on(signals);
            if signal.is_some() && interrupted.is_some() {
                // A second signal kills it at once.
                running.kill();
            }
            interrupted = signal.or(interrupted);
            if let Some(machine) = &mut machine
                && (looked.elapsed() >= CHECK_INTERVAL || running.is_over())
            {
                machine.look(running.pid());
                looked = Instant::now();
            }
            let is_over = running.is_over();
            if is_over && running.has_failed() && descendants::warden_is_here() {
                // Otherwise only this process would know how it has ended.
                let since = *over.get_or_insert_with(Instant::now);
                if since.elapsed() < OUTPUT_DELAY {
                    std::thread::sleep(MIN_POLL_INTERVAL);
                    continue;
                }
            }
            // Not if it has ended after that check: the warden would have had no time.
            let status = if is_over { running.ended().transpose() } else { None };
            let status = status.transpose().map_err(Error::Wait)?;
            if let Some(status) = status {
                let timed_out = asked_to_end.is_some();
                if timed_out {
                    running.kill_rest();
                }
                return Ok(Ending { status, timed_out, interrupted });
            }
            match asked_to_end {
                None if run.timeout.is_some_and(|limit| start.elapsed() >= limit) => {
                    running.terminate();
                    asked_to_end = Some(Instant::now());
                }
                Some(asked) if asked.elapsed() >= KILL_DELAY => running.kill(),
                _ => {}
            }
        }
    }

    /// Copies the remaining samples when the program has ended, including those of processes that it started and
    /// that still record.
    fn collect(&mut self, signals: &mut Signals, ending: &Ending) -> Result<Vec<u32>, Error> {
        let ended = Instant::now();
        let mut is_reported = false;
        let left = loop {
            self.drain()?;
            let writers = self.memory.writers().map_err(Error::Memory)?;
            let alive: Vec<u32> =
                writers.into_iter().filter(|&pid| cll_system::is_running(pid)).collect();
            let stop =
                ending.timed_out || ending.interrupted.is_some() || ended.elapsed() > MAX_WAIT;
            if stop || signals.ask_for_the_end() {
                break alive;
            }
            // A process that was forked just now has not recorded anything yet.
            let may_begin = ended.elapsed() < FORK_DELAY && !descendants::adopted().is_empty();
            if alive.is_empty() && !may_begin {
                break alive;
            }
            if !is_reported && !alive.is_empty() && ended.elapsed() > FORK_DELAY {
                is_reported = true;
                let who: Vec<String> = alive.iter().map(u32::to_string).collect();
                self.notices.note(&format!(
                    "the program has ended; waiting for processes that it started and that still record \
                     (process {})",
                    who.join(", ")
                ));
            }
            std::thread::sleep(MAX_POLL_INTERVAL);
        };
        let recorder = &mut self.recorder;
        self.memory.collect(|block| recorder.append(block)).map_err(Error::Memory)?;
        self.report_loss();
        Ok(left)
    }

    fn drain(&mut self) -> Result<usize, Error> {
        let recorder = &mut self.recorder;
        let count = self.memory.drain(|block| recorder.append(block)).map_err(Error::Memory)?;
        self.report_loss();
        Ok(count)
    }

    /// Reported at once, since the program may run for hours.
    fn report_loss(&mut self) {
        if let Some(error) = self.recorder.has_lost()
            && !self.is_reported
        {
            self.is_reported = true;
            self.notices.warn(&format!(
                "cannot write to {}: {}; the program continues, and samples that are recorded while there is no space \
                 are lost",
                self.recorder.path().display(),
                reason(error)
            ));
        }
    }
}
