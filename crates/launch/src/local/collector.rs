//! Copies the samples of a running program from the memory to its trace.

use std::path::Path;
use std::time::{Duration, Instant};

use cll_files::{Notices, reason};
use cll_trace::meta;

use super::OUTPUT_DELAY;
use crate::Error;
use crate::child::{Running, Signals};
use crate::descendants;
use crate::gather::Gathering;
use crate::machine_state::LaunchObserver;
use crate::memory::Memory;
use crate::recorder::Recorder;
use crate::{Others, Run};

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
/// How long to wait for processes that the program left behind.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// How a program has ended.
pub(super) struct CollectedEnding {
    pub(super) status: std::process::ExitStatus,
    pub(super) timed_out: bool,
    pub(super) interrupted: Option<i32>,
}

/// Copies samples from the memory to the trace.
pub(super) struct Collector<'a> {
    notices: &'a dyn Notices,
    pub(super) memory: Memory,
    pub(super) recorder: Recorder,
    is_reported: bool,
}

impl<'a> Collector<'a> {
    /// With the memory for a run. `aside`: a folder in place of that of the run.
    ///
    /// # Errors
    /// If the trace or the memory cannot be made.
    pub(super) fn new(
        run: &Run<'_>,
        aside: Option<&Path>,
        notices: &'a dyn Notices,
    ) -> Result<Collector<'a>, Error> {
        let recorder = match run.number {
            None => Recorder::new(aside.unwrap_or(&run.folder), run.name, run.kind)?,
            Some(number) => Recorder::numbered(&run.folder, run.name, run.kind, number)?,
        };
        // Launches with a number are repeated if we are killed.
        let is_ours = run.number.is_none() && run.others == Others::None;
        let owner = is_ours.then(|| recorder.owner(run)).flatten();
        match Memory::new(run.processors, owner.as_ref()) {
            Ok(memory) => Ok(Collector { notices, memory, recorder, is_reported: false }),
            Err(error) => {
                recorder.finish(meta::Run::default());
                Err(Error::NoMemory(error))
            }
        }
    }
}

impl Collector<'_> {
    /// Copies the program's samples until it ends.
    pub(super) fn accompany(
        &mut self,
        running: &mut Running,
        signals: &mut Signals,
        run: &Run<'_>,
        start: Instant,
        mut machine: Option<&mut LaunchObserver>,
    ) -> Result<CollectedEnding, Error> {
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
                return Ok(CollectedEnding { status, timed_out, interrupted });
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
    /// that still record. A signal that requests the end ends the wait for them, and counts as one of the launch.
    pub(super) fn collect(
        &mut self,
        signals: &mut Signals,
        ending: &mut CollectedEnding,
    ) -> Result<Vec<u32>, Error> {
        let ended = Instant::now();
        let mut is_reported = false;
        let left = loop {
            self.drain()?;
            let writers = self.memory.writers().map_err(Error::Memory)?;
            let alive: Vec<u32> =
                writers.into_iter().filter(|&pid| cll_system::is_running(pid)).collect();
            ending.interrupted = ending.interrupted.or_else(|| signals.requested_end());
            if ending.timed_out || ending.interrupted.is_some() || ended.elapsed() > MAX_WAIT {
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

    /// Adds the files that processes have left in a folder.
    pub(super) fn gather(&mut self, gathering: Gathering) -> Result<(), Error> {
        let kept = gathering.gather(&mut self.recorder)?;
        self.report_loss();
        if let Some(kept) = kept {
            self.notices.warn(&format!(
                "the recorded samples of each process are kept in {}",
                kept.join("*.dat").display()
            ));
        }
        Ok(())
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
