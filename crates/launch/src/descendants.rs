//! The processes that a program has started.

use cll_system::{children, descendants, is_running, text};
use rustix::process::{
    Pid, Signal, WaitOptions, getpid, kill_process, kill_process_group, set_child_subreaper,
    waitpid,
};

/// Kills a process and all its descendants.
pub fn kill(child: u32, own_group: bool) {
    let below = descendants(child);
    let signal = |pid: u32| {
        if let Some(pid) = pid_of(pid) {
            // It may have ended already.
            let _ = kill_process(pid, Signal::KILL);
        }
    };
    if own_group && let Some(pid) = pid_of(child) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
    signal(child);
    below.into_iter().for_each(signal);
}

/// Kills the processes that remain of one that has ended.
pub fn kill_rest(child: u32, own_group: bool) {
    if own_group && let Some(group) = pid_of(child) {
        // The group keeps its number as long as it has members.
        let _ = kill_process_group(group, Signal::KILL);
    }
    for pid in adopted() {
        kill(pid, false);
    }
}

/// From now on, processes that a program leaves behind become our children, so that we can wait for them.
pub fn adopt() {
    // If the system does not support this, they are not waited for.
    let _ = set_child_subreaper(Some(getpid()));
}

/// The processes that became our children and still run. Those that have ended are reaped.
pub fn adopted() -> Vec<u32> {
    let alive = children(getpid().as_raw_nonzero().get() as u32);
    let (alive, ended): (Vec<u32>, Vec<u32>) = alive.into_iter().partition(|&pid| is_running(pid));
    for pid in ended.into_iter().filter_map(pid_of) {
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
    alive
}

/// Whether there is still a warden process of a BSP program, without its parent.
pub fn warden_is_here() -> bool {
    // No process is reaped here: its exit status is still needed.
    let own = getpid().as_raw_nonzero().get() as u32;
    let is_one = |pid: &u32| text(format!("/proc/{pid}/comm")) == "cll-warden" && is_running(*pid);
    children(own).iter().any(is_one)
}

pub(super) fn pid_of(pid: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(pid).ok()?)
}
