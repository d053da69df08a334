//! Processors and scheduling of threads and programs.
//!
//! A program inherits these from the thread that starts it. So it is started from a thread that has set them.

use rustix::process::{getpriority_process, setpriority_process};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use thread_priority::{
    NormalThreadSchedulePolicy, RealtimeThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy,
    set_thread_priority_and_policy, thread_native_id, thread_schedule_policy,
};

/// How a program is scheduled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheduler {
    /// Real-time: before all ordinary programs, with time slices among equals (`SCHED_RR` 1). With a processor for
    /// each thread this equals `SCHED_FIFO`. Otherwise two threads that wait for each other in a loop do not wait
    /// forever.
    RealTime,
    /// An ordinary program of the highest priority.
    Nice,
    /// An ordinary program.
    #[default]
    Ordinary,
}

impl Scheduler {
    /// The text in files.
    pub fn name(self) -> &'static str {
        match self {
            Scheduler::RealTime => "rr 1",
            Scheduler::Nice => "nice -20",
            Scheduler::Ordinary => "other",
        }
    }

    /// The best that the system grants.
    ///
    /// Some kernels stop real-time programs for 50 ms of every second, even if no other program is ready. There it
    /// is not used.
    pub fn granted() -> Scheduler {
        let tried = |scheduler: Scheduler| {
            let try_it = move || Placement { scheduler, ..Placement::default() }.take();
            std::thread::spawn(try_it).join().unwrap_or(false)
        };
        [Scheduler::RealTime, Scheduler::Nice]
            .into_iter()
            .filter(|scheduler| *scheduler != Scheduler::RealTime || !is_throttled())
            .find(|scheduler| tried(*scheduler))
            .unwrap_or_default()
    }
}

/// Processors and scheduling of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placement {
    /// The processors; `None`: all that we may use.
    pub cpus: Option<Vec<usize>>,
    /// How it is scheduled.
    pub scheduler: Scheduler,
    /// Whether each of its processes binds itself to one of the processors.
    pub binds: bool,
}

impl Placement {
    /// No binding and no priority.
    pub fn free() -> Placement {
        Placement::default()
    }

    /// Sets them for the calling thread; returns whether that was granted.
    pub fn take(&self) -> bool {
        let pinned = self.cpus.as_ref().is_none_or(|cpus| pin(cpus));
        let scheduled = match self.scheduler {
            Scheduler::RealTime => real_time(1),
            Scheduler::Nice => {
                // Threads inherit the scheduling of their creator, which may be real-time.
                ordinary();
                setpriority_process(None, -20).is_ok()
            }
            Scheduler::Ordinary => true,
        };
        pinned && scheduled
    }
}

/// Gives the calling thread a higher priority than the program, so that it can always be ended. Returns whether
/// that was granted; without permission nothing changes.
pub(super) fn foremost(program: &Placement) -> bool {
    program.scheduler != Scheduler::Ordinary && real_time(2)
}

/// Keeps the calling thread out of a measured program's way, until the value is dropped: with a higher priority,
/// and on other processors if there are any.
#[derive(Debug)]
pub struct ObserverPlacement {
    processors: Option<CpuSet>,
    was_ordinary: bool,
}

impl ObserverPlacement {
    /// For the program with these processors.
    pub fn for_program(program: &Placement) -> ObserverPlacement {
        let before = sched_getaffinity(None).ok();
        let elsewhere = |cpus: &Vec<usize>| {
            let mut set = before?;
            cpus.iter().for_each(|&cpu| set.unset(cpu));
            (set.count() > 0 && sched_setaffinity(None, &set).is_ok()).then_some(())
        };
        let moved = program.cpus.as_ref().and_then(elsewhere).is_some();
        let was_ordinary = matches!(thread_schedule_policy(), Ok(ThreadSchedulePolicy::Normal(_)));
        foremost(program);
        ObserverPlacement { processors: before.filter(|_| moved), was_ordinary }
    }
}

impl Drop for ObserverPlacement {
    fn drop(&mut self) {
        if let Some(processors) = &self.processors {
            // It was ours before.
            let _ = sched_setaffinity(None, processors);
        }
        if self.was_ordinary {
            ordinary();
        }
    }
}

/// The calling thread has ordinary scheduling again, with its former nice value.
fn ordinary() {
    let policy = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Other);
    if thread_schedule_policy().is_ok_and(|now| now == policy) {
        return;
    }
    let nice = getpriority_process(None).unwrap_or(0);
    // The library maps its 0 to 99 to the 40 nice values by rounding down.
    let value = 99.0 * (1.0 - (f64::from(nice) + 20.5) / 39.0);
    if let Ok(priority) = ThreadPriority::try_from(value.round().clamp(0.0, 99.0) as u8) {
        // It was granted before.
        let _ = set_thread_priority_and_policy(thread_native_id(), priority, policy);
    }
}

/// The calling thread may run on these processors only.
pub(super) fn pin(cpus: &[usize]) -> bool {
    let mut set = CpuSet::new();
    cpus.iter().for_each(|&cpu| set.set(cpu));
    sched_setaffinity(None, &set).is_ok()
}

fn real_time(priority: u8) -> bool {
    let policy = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::RoundRobin);
    ThreadPriority::try_from(priority).is_ok_and(|priority| {
        set_thread_priority_and_policy(thread_native_id(), priority, policy).is_ok()
    })
}

/// Whether the kernel stops real-time programs even if no other program is ready. Since 6.12 it does so only for
/// other programs, unless it was built with group scheduling.
fn is_throttled() -> bool {
    let unlimited = cll_system::text("/proc/sys/kernel/sched_rt_runtime_us") == "-1";
    let name = rustix::system::uname();
    let release = name.release().to_string_lossy();
    !unlimited && (!is_at_least(&release, (6, 12)) || has_group_shares(&release))
}

/// Whether the kernel has CONFIG_RT_GROUP_SCHED, as far as it is known.
fn has_group_shares(release: &str) -> bool {
    let group_files = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"];
    let has_file = |group| std::path::Path::new(group).join("cpu.rt_runtime_us").exists();
    let built = std::fs::read_to_string(format!("/boot/config-{release}"));
    group_files.into_iter().any(has_file)
        || built.is_ok_and(|text| text.lines().any(|line| line == "CONFIG_RT_GROUP_SCHED=y"))
}

fn is_at_least(release: &str, wanted: (u32, u32)) -> bool {
    let mut parts = release.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) >= wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_by_their_release() {
        assert!(is_at_least("6.18.44-x", (6, 12)) && is_at_least("7.0", (6, 12)));
        assert!(!is_at_least("6.1.0-43-amd64", (6, 12)) && !is_at_least("odd", (6, 12)));
    }

    #[test]
    fn beside_a_program_and_back_again() {
        let state = || {
            let nice = getpriority_process(None).unwrap();
            (format!("{:?}", thread_schedule_policy()), nice, sched_getaffinity(None).unwrap())
        };
        let try_it = move || {
            let before = state();
            let cpus = super::super::Processors::allowed().choose(1);
            drop(ObserverPlacement::for_program(&Placement {
                cpus,
                scheduler: Scheduler::RealTime,
                ..Placement::default()
            }));
            assert_eq!(state(), before);
        };
        std::thread::spawn(try_it).join().unwrap();
    }

    #[test]
    fn a_place_is_the_threads_own() {
        let before = rustix::thread::sched_getaffinity(None).unwrap();
        let numbers = super::super::Processors::allowed().choose(1).unwrap();
        let inside = std::thread::spawn(move || {
            assert!(pin(&numbers));
            rustix::thread::sched_getaffinity(None).unwrap().count()
        });
        assert_eq!(inside.join().unwrap(), 1);
        assert_eq!(rustix::thread::sched_getaffinity(None).unwrap(), before);
    }
}
