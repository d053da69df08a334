//! The supervisor: forks all processors but the first, waits for them, and ends all when one has failed.

use std::sync::atomic::Ordering::*;
use std::time::{Duration, Instant};

use super::join;
use super::signals::describe;
use crate::engine::shared::arena::Arena;
use crate::engine::shared::control::Stage;
use crate::say::say;

/// How long a processor may take to notice that the machine is stopped and to end on its own: processor time,
/// and elapsed time in which it does not wait for a core. On a loaded machine it takes some time until it gets one.
const TIME_TO_NOTICE: (Duration, Duration) =
    (Duration::from_millis(40), Duration::from_millis(250));
/// The longest wait for processes that get no core.
const LONGEST: Duration = Duration::from_secs(5);

/// In the forked process, with all signals blocked: forks the processors, in which it returns their numbers,
/// and supervises them. In the supervisor it never returns.
pub(super) fn supervise(arena: &Arena, first: u32, again: bool) -> usize {
    let mut supervisor = Supervisor {
        arena,
        first,
        first_fd: -1,
        first_ended: None,
        first_ended_well: false,
        workers: Vec::new(),
    };
    let own = std::process::id();
    let before = default_sigchld();
    // Before the forks, so that it is known by its name as soon as a processor runs; they keep the program's.
    let mut name = [0u8; 16];
    // SAFETY: the system writes and reads at most 16 bytes, with a zero at the end.
    unsafe {
        libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr());
        libc::prctl(libc::PR_SET_NAME, c"cll-warden".as_ptr());
    }
    for index in 1..arena.processors() {
        // SAFETY: this process has one thread.
        match unsafe { libc::fork() } {
            -1 => supervisor.cannot_fork(&std::io::Error::last_os_error()),
            0 => {
                // Ends with the supervisor, whatever happens to it. SAFETY: plain calls.
                unsafe {
                    libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                    libc::prctl(libc::PR_SET_NAME, name.as_ptr());
                    if libc::getppid() as u32 != own {
                        libc::_exit(1);
                    }
                    libc::sigaction(libc::SIGCHLD, &raw const before, std::ptr::null_mut());
                }
                if again {
                    join::run_main_again(arena, index);
                }
                arena.processor_states()[index].process.store(std::process::id(), Release);
                return index;
            }
            process => supervisor.workers.push(Worker { index, process, ended: false }),
        }
    }
    supervisor.wait_for_end()
}

/// Sets the default action for SIGCHLD, so that children can be waited for. Returns the previous action.
fn default_sigchld() -> libc::sigaction {
    // SAFETY: all zero is a valid value: the default action, no flags.
    unsafe {
        let mut before: libc::sigaction = std::mem::zeroed();
        let default: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGCHLD, &raw const default, &raw mut before);
        before
    }
}

struct Worker {
    index: usize,
    process: libc::pid_t,
    ended: bool,
}

struct Supervisor<'a> {
    arena: &'a Arena,
    /// The process of processor 0, our parent.
    first: u32,
    /// A pidfd that reports its end; -1: not available.
    first_fd: libc::c_int,
    first_ended: Option<libc::c_int>,
    /// It has ended after its part, and the others continue.
    first_ended_well: bool,
    workers: Vec<Worker>,
}

impl Supervisor<'_> {
    /// Waits until all processors have ended.
    fn wait_for_end(&mut self) -> ! {
        // SAFETY: plain calls with our own sets and descriptors.
        let children = unsafe {
            let mut set: libc::sigset_t = std::mem::zeroed();
            libc::sigaddset(&raw mut set, libc::SIGCHLD);
            self.first_fd = libc::syscall(libc::SYS_pidfd_open, self.first, 0) as libc::c_int;
            libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK)
        };
        // Without one of the two descriptors, check more often.
        let longest = if children < 0 || self.first_fd < 0 { 20 } else { 1000 };
        let mut wait = [children, self.first_fd].map(|fd| libc::pollfd {
            fd,
            events: libc::POLLIN,
            revents: 0,
        });
        loop {
            self.check();
            if self.first_ended_well {
                wait[1].fd = -1;
            }
            if self.workers.iter().all(|worker| worker.ended) {
                self.leave();
            }
            // SAFETY: two descriptors; what was signalled is read and discarded.
            unsafe {
                libc::poll(wait.as_mut_ptr(), 2, longest);
                let mut read = [0u8; 128];
                libc::read(children, read.as_mut_ptr().cast(), read.len());
            }
        }
    }

    fn leave(&self) -> ! {
        self.arena.control().gone.store(1, Release);
        // SAFETY: ends this process, which has nothing to clean up.
        unsafe { libc::_exit(0) }
    }

    /// Notices which processes have ended.
    fn check(&mut self) {
        while let Some((process, status)) = reap() {
            let Some(worker) = self.workers.iter_mut().find(|worker| worker.process == process)
            else {
                continue;
            };
            worker.ended = true;
            let index = worker.index;
            if self.may_end(index) {
                self.note(index, process as u32, status)
            } else {
                self.fail(index, process as u32, Some(status))
            }
        }
        if self.arena.control().is_stopped() {
            self.end_all();
        }
        if !self.first_ended_well && self.first_is_over() {
            match self.arena.processor_states()[0].stage() {
                Stage::Running => self.fail(0, self.first, self.first_ended),
                Stage::Ended if self.all_go_on() => self.first_ended_well = true,
                _ => {
                    // Before bsp_begin, or after bsp_end: nobody is needed any more.
                    self.arena.control().stop();
                    self.end_all();
                }
            }
        }
    }

    /// A processor's process has ended after its part. If all continue then, its status counts.
    fn note(&self, index: usize, process: u32, status: libc::c_int) {
        if !self.all_go_on() || status == 0 {
            return;
        }
        let status = if libc::WIFSIGNALED(status) {
            let signal = libc::WTERMSIG(status);
            let text = format!("was killed by {} after bsplib_done", describe(signal));
            report(self.arena, Some((index, process)), &text);
            128 + signal
        } else {
            libc::WEXITSTATUS(status)
        };
        let first = &self.arena.control().status;
        // That of another process may be there already.
        let _ = first.compare_exchange(0, status as u32, Release, Relaxed);
    }

    fn all_go_on(&self) -> bool {
        self.arena.control().all_go_on.load(Acquire) != 0
    }

    /// Whether this processor has nothing more to do.
    fn may_end(&self, index: usize) -> bool {
        let taking_part = self.arena.control().taking_part.load(Acquire) as usize;
        let has_no_part = taking_part > 0 && index >= taking_part;
        has_no_part || self.arena.processor_states()[index].stage() == Stage::Ended
    }

    /// Whether processor 0 has ended, even if its parent has not waited for it yet.
    fn first_is_over(&mut self) -> bool {
        // SAFETY: plain calls.
        let (orphaned, is_reported) = unsafe {
            let mut first = libc::pollfd { fd: self.first_fd, events: libc::POLLIN, revents: 0 };
            (libc::getppid() as u32 != self.first, libc::poll(&raw mut first, 1, 0) > 0)
        };
        let fields = fields_of(self.first);
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let seen = matches!(fields.first(), Some(&"Z" | &"X"));
        if seen {
            // The last field of all, the 52nd: the exit status. The first two are cut off.
            self.first_ended = fields.get(49).and_then(|code| code.parse().ok());
        } else if orphaned || is_reported {
            // Its parent has waited for it already.
            self.first_ended = self.first_ended.or_else(|| status_after_wait(self.first_fd));
        }
        orphaned || is_reported || seen
    }

    fn cannot_fork(&mut self, error: &std::io::Error) -> ! {
        if self.arena.control().stop() {
            let count = self.arena.processors();
            let more = "fewer processors (cll run -n), or a higher limit (ulimit -u)";
            let text = format!("cannot start {count} processes: {error}\n  help: {more}");
            report(self.arena, None, &text);
        }
        self.end_all();
        self.leave()
    }

    /// A processor has ended too early.
    fn fail(&mut self, index: usize, process: u32, status: Option<libc::c_int>) {
        if self.arena.control().stop() {
            let how = match status {
                Some(status) if libc::WIFSIGNALED(status) => {
                    format!("was killed by {}", describe(libc::WTERMSIG(status)))
                }
                Some(status) => {
                    format!("ended with status {} before {}", libc::WEXITSTATUS(status), self.end())
                }
                None => format!(
                    "was killed, crashed or called _exit before {} (the program that started it has taken \
                     its status)",
                    self.end()
                ),
            };
            let place = match self.arena.processor_states()[index].place() {
                Some(place) => format!("its last bsp_sync was at {place}"),
                None => "it had not reached a bsp_sync".to_owned(),
            };
            report(self.arena, Some((index, process)), &format!("{how}; {place}"));
        }
        self.end_all();
    }

    /// The function that ends the parallel part.
    fn end(&self) -> &'static str {
        if self.all_go_on() { "bsplib_done" } else { "bsp_end" }
    }

    /// Ends all processors: those that wait notice the stop; the others get a signal, and are killed after some
    /// time.
    fn end_all(&mut self) {
        self.arena.wake_all();
        let all = self.workers.iter().map(|worker| (worker.index, worker.process));
        let all = all.chain([(0, self.first as libc::pid_t)]);
        let mut all: Vec<Ending> =
            all.map(|(index, process)| Ending::new(index, process)).collect();
        let begin = Instant::now();
        while !self.all_gone() && begin.elapsed() < 3 * LONGEST {
            for ending in &mut all {
                if let Some(signal) = ending.next_signal() {
                    self.signal(ending.index, signal);
                }
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        self.leave();
    }

    fn all_gone(&mut self) -> bool {
        while let Some((process, _)) = reap() {
            self.workers.iter_mut().filter(|w| w.process == process).for_each(|w| w.ended = true);
        }
        let first = self.spares_first()
            || self.arena.processor_states()[0].stage() == Stage::Ended
            || self.first_is_over();
        first && self.workers.iter().all(|worker| worker.ended)
    }

    fn spares_first(&self) -> bool {
        self.arena.control().host_goes_on.load(Acquire) != 0
    }

    fn signal(&mut self, index: usize, signal: libc::c_int) {
        // A processor that waits for others ends on its own, with the right status.
        if signal == libc::SIGTERM && self.arena.processor_states()[index].is_sleeping() {
            return;
        }
        if index > 0 {
            let alive = self.workers.iter().find(|worker| worker.index == index && !worker.ended);
            if let Some(worker) = alive {
                // SAFETY: a child that was not reaped, so its number is still in use.
                unsafe { libc::kill(worker.process, signal) };
            }
            return;
        }
        let ends =
            self.arena.processor_states()[0].stage() == Stage::Running && !self.spares_first();
        // SAFETY: plain calls. While it is our parent, its number is still in use.
        unsafe {
            if ends && libc::getppid() as u32 == self.first {
                libc::kill(self.first as libc::pid_t, signal);
            }
        }
    }
}

/// A process that is to end.
struct Ending {
    index: usize,
    process: libc::pid_t,
    /// Since the stop, or since the signal that it has got.
    since: Instant,
    /// The processor time of the process at that moment.
    spent: Duration,
    /// Signals that are left.
    left: &'static [libc::c_int],
}

impl Ending {
    fn new(index: usize, process: libc::pid_t) -> Ending {
        let left = &[libc::SIGTERM, libc::SIGKILL];
        Ending { index, process, since: Instant::now(), spent: time_on_cores(process), left }
    }

    /// The signal that it gets now, if it has had its time.
    fn next_signal(&mut self) -> Option<libc::c_int> {
        let (&signal, left) = self.left.split_first()?;
        let (passed, own) = (self.since.elapsed(), time_on_cores(self.process));
        let has_worked = own.saturating_sub(self.spent) > TIME_TO_NOTICE.0;
        let is_late = passed > TIME_TO_NOTICE.1;
        // A signal is for a process that does not end, not for one that would if it had a core. SIGKILL waits in
        // any case, since SIGTERM may have a handler.
        let is_due = match signal {
            libc::SIGTERM => has_worked || is_late && !waits_for_core(self.process),
            _ => is_late && (has_worked || !waits_for_core(self.process)),
        };
        if !is_due && passed <= LONGEST {
            return None;
        }
        (self.since, self.spent, self.left) = (Instant::now(), own, left);
        Some(signal)
    }
}

/// Whether a process could run, or waits for a disk, and so may go on without us.
fn waits_for_core(process: libc::pid_t) -> bool {
    matches!(state_of(process as u32).as_deref(), Some("R" | "D"))
}

/// The state of a process, a letter of `/proc`.
fn state_of(process: u32) -> Option<String> {
    fields_of(process).split_whitespace().next().map(str::to_owned)
}

/// The fields of `/proc/PID/stat` after the name; empty if there is no /proc here, or no descriptor left to read
/// it: then nothing is known.
fn fields_of(process: u32) -> String {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name is in parentheses and may have any characters.
    stat.rsplit_once(')').map_or_else(String::new, |(_, fields)| fields.to_owned())
}

/// The exit status of a process whose parent has waited for it already: since Linux 6.15 it is kept with its
/// pidfd.
fn status_after_wait(pidfd: libc::c_int) -> Option<libc::c_int> {
    const EXIT: u64 = 1 << 3;
    /// The structure of the system.
    #[repr(C)]
    #[derive(Default)]
    struct Info {
        mask: u64,
        cgroup: u64,
        numbers: [u32; 11],
        exit_code: i32,
    }
    /// `PIDFD_GET_INFO`, with the size of that.
    const GET_INFO: libc::c_ulong = 0xC040_FF0B;
    const { assert!(size_of::<Info>() == 0x40) };
    let mut info = Info { mask: EXIT, ..Info::default() };
    // SAFETY: the system writes at most this many bytes; for another descriptor, or on an older system, it
    // returns an error.
    let known = unsafe { libc::ioctl(pidfd, GET_INFO as _, &raw mut info) } == 0;
    (known && info.mask & EXIT != 0).then_some(info.exit_code)
}

/// Processor time that a process has used; 0 if it has ended.
fn time_on_cores(process: libc::pid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let mut clock = 0;
    // SAFETY: both places are ours.
    let known = unsafe {
        libc::clock_getcpuclockid(process, &raw mut clock) == 0
            && libc::clock_gettime(clock, &raw mut time) == 0
    };
    if known { Duration::new(time.tv_sec as u64, time.tv_nsec as u32) } else { Duration::ZERO }
}

/// A child that has ended, and its status.
fn reap() -> Option<(libc::pid_t, libc::c_int)> {
    let mut status = 0;
    // SAFETY: it only asks.
    let process = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) };
    (process > 0).then_some((process, status))
}

/// Reports why the machine was stopped: what happened, to which processor and process if there is one.
pub(super) fn report(arena: &Arena, processor: Option<(usize, u32)>, text: &str) {
    let control = arena.control();
    if control.host_goes_on.load(Acquire) != 0 {
        let who = processor.map_or(String::new(), |(_, process)| format!("its process {process} "));
        return control.set_stop_reason(processor.map(|(index, _)| index), &format!("{who}{text}"));
    }
    match processor {
        Some((index, process)) => {
            let count = control.taking_part.load(Acquire).max(1);
            say(&format!("processor {index} of {count} (process {process}) {text}"));
        }
        None => say(text),
    }
}
