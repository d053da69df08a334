//! The processes that a program has started.

use std::fs;

use rustix::process::{
    Pid, Signal, WaitOptions, getpid, kill_process, kill_process_group, set_child_subreaper,
    waitpid,
};

/// Kills a process and all its descendants.
pub fn kill(child: u32, own_group: bool) {
    let below = descendants_of(child);
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
    let is_one = |pid: &u32| {
        fs::read(format!("/proc/{pid}/comm")).is_ok_and(|name| name == b"cll-warden\n")
            && is_running(*pid)
    };
    children(own).iter().any(is_one)
}

/// All descendants of a process.
fn descendants_of(parent: u32) -> Vec<u32> {
    let mut found = children(parent);
    let mut at = 0;
    while let Some(&next) = found.get(at) {
        found.extend(children(next));
        at += 1;
    }
    found
}

/// The children of a process, of all its threads.
fn children(parent: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()
        })
        .collect()
}

/// Whether a process exists and has not ended.
pub fn is_running(pid: u32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    // The state follows the name, which is in parentheses and may contain any characters.
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}

pub(super) fn pid_of(pid: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(pid).ok()?)
}
