//! The program as a process: waits for it, passes signals on, ends it.

use std::io::{self, IsTerminal};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    PidfdFlags, Signal, WaitId, WaitIdOptions, WaitIdStatus, getpgrp, kill_process, pidfd_open,
    waitid,
};
use rustix::termios::tcgetpgrp;
use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::flag::register_conditional_default;
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithOrigin;
use signal_hook::low_level::siginfo::{Cause, Origin};

use super::descendants;
use crate::Error;

/// The signals that are passed on to the program.
pub struct Signals {
    arriving: SignalsInfo<WithOrigin>,
    /// There is no program any more: from now on these signals end this process, as by default.
    over: Arc<AtomicBool>,
}

impl Signals {
    /// From now on these signals do not end this process.
    pub fn new() -> io::Result<Signals> {
        let all = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2];
        let over = Arc::new(AtomicBool::new(false));
        for signal in all {
            register_conditional_default(signal, Arc::clone(&over))?;
        }
        Ok(Signals { arriving: SignalsInfo::new(all)?, over })
    }

    /// The last one that has arrived and requests the end, when there is no program to pass it on to. It is given once:
    /// the caller must heed it.
    pub fn requested_end(&mut self) -> Option<i32> {
        let pending = self.arriving.pending().map(|origin| origin.signal);
        pending.filter(|signal| !matches!(*signal, SIGUSR1 | SIGUSR2)).last()
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// Signals that request the end while no program runs.
pub struct Interruption(SignalsInfo<WithOrigin>);

impl Interruption {
    /// From now on they do not end this process.
    ///
    /// # Errors
    /// If they cannot be caught.
    pub fn new() -> Result<Interruption, Error> {
        let signals = SignalsInfo::new([SIGHUP, SIGINT, SIGTERM]).map_err(Error::Signals)?;
        Ok(Interruption(signals))
    }

    /// One that has arrived.
    pub fn asked(&mut self) -> Option<i32> {
        self.0.pending().map(|origin| origin.signal).last()
    }
}

/// A running program.
pub struct Running {
    child: Child,
    ended: Option<OwnedFd>,
    /// Whether it has its own process group.
    own_group: bool,
}

impl Running {
    /// Starts it. On a terminal it stays in our process group, so that it can read from the terminal and receives
    /// its signals. Elsewhere it has its own group, so that all of it can be ended.
    pub fn start(command: &mut Command, own_streams: bool) -> io::Result<Running> {
        let own_group = !(own_streams && in_foreground());
        if own_group {
            command.process_group(0);
        }
        let child = command.spawn()?;
        let ended = descendants::pid_of(child.id())
            .and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        Ok(Running { child, ended, own_group })
    }

    /// Returns the process number.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended. It is not reaped.
    pub fn is_over(&self) -> bool {
        // An error is reported by the wait that follows.
        self.state().map_or(true, |state| state.is_some())
    }

    /// Whether it was ended by a signal, or with a status other than 0. It is not reaped.
    pub fn has_failed(&self) -> bool {
        let status = self.state().ok().flatten();
        status.is_some_and(|status| status.exit_status() != Some(0))
    }

    fn state(&self) -> io::Result<Option<WaitIdStatus>> {
        let Some(pid) = descendants::pid_of(self.pid()) else { return Ok(None) };
        let ask = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(pid), ask)?)
    }

    /// Returns the exit status, if the child has ended.
    pub fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }

    /// Waits for this time, or until it ends or a signal arrives.
    pub fn nap(&self, time: Duration) {
        let Some(ended) = &self.ended else {
            std::thread::sleep(time);
            return;
        };
        let time = Timespec { tv_sec: time.as_secs() as _, tv_nsec: time.subsec_nanos() as _ };
        // A signal ends the wait early, which is correct, too.
        let _ = poll(&mut [PollFd::new(ended, PollFlags::IN)], Some(&time));
    }

    /// Passes on signals that have arrived; returns the last one that requests the end.
    pub fn pass_on(&self, signals: &mut Signals) -> Option<i32> {
        let mut last = None;
        for origin in signals.arriving.pending() {
            if !matches!(origin.signal, SIGUSR1 | SIGUSR2) {
                last = Some(origin.signal);
            }
            if !self.has_it(&origin)
                && let Some(pid) = descendants::pid_of(self.pid())
                && let Some(signal) = Signal::from_named_raw(origin.signal)
            {
                // If it has ended, the next wait reports that.
                let _ = kill_process(pid, signal);
            }
        }
        last
    }

    /// Signals from the terminal reach every process of the foreground group.
    fn has_it(&self, origin: &Origin) -> bool {
        !self.own_group && matches!(origin.cause, Cause::Kernel)
    }

    /// Sends it SIGTERM.
    pub fn terminate(&self) {
        if let Some(pid) = descendants::pid_of(self.pid()) {
            let _ = if self.own_group {
                rustix::process::kill_process_group(pid, Signal::TERM)
            } else {
                kill_process(pid, Signal::TERM)
            };
        }
    }

    /// Kills the processes that it has left behind, when it has ended.
    pub fn kill_rest(&self) {
        descendants::kill_rest(self.pid(), self.own_group);
    }

    /// Kills it and all that it has started.
    pub fn kill(&self) {
        descendants::kill(self.pid(), self.own_group);
    }
}

/// Whether one of our streams is a terminal, and we are its foreground group.
fn in_foreground() -> bool {
    let holds = |terminal: bool, group: Result<rustix::process::Pid, rustix::io::Errno>| {
        terminal && group.is_ok_and(|group| group == getpgrp())
    };
    holds(io::stdin().is_terminal(), tcgetpgrp(io::stdin()))
        || holds(io::stdout().is_terminal(), tcgetpgrp(io::stdout()))
        || holds(io::stderr().is_terminal(), tcgetpgrp(io::stderr()))
}
