//! Checks for what machines could leave behind: processes, files of shared memory, descriptors.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crate::machine::Machine;

/// In the environment of all processes of a machine.
pub const MARK: &str = "CLL_TEST_MARK";

/// The longest time for ended processes to leave the system's list, and for launchers of other tests to remove their
/// files: longer than it takes on a loaded machine.
const TO_GO: Duration = Duration::from_secs(600);

/// The state of the system before a test's machines.
pub struct Surroundings {
    mark: String,
    machines: AtomicU32,
    files: BTreeSet<OsString>,
}

impl Surroundings {
    pub fn now() -> Surroundings {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        Surroundings {
            mark: format!("{}.{}.", std::process::id(), COUNT.fetch_add(1, Relaxed)),
            machines: AtomicU32::new(0),
            files: files(),
        }
    }

    /// A machine that must leave nothing.
    pub fn machine(&self, program: &Path, engine: &str, processors: usize) -> Machine {
        let mark = format!("{}{}", self.mark, self.machines.fetch_add(1, Relaxed));
        Machine::new(program, engine, processors, mark)
    }

    /// Fails if something of the machines is left.
    pub fn are_as_before(&self) {
        let begin = Instant::now();
        let left = loop {
            let left = marked(|mark| mark.starts_with(&self.mark));
            if left.is_empty() || begin.elapsed() > TO_GO {
                break left;
            }
            thread::sleep(Duration::from_millis(10));
        };
        assert!(left.is_empty(), "processes are left: {left:?}");
        // Launchers of other tests leave their files for a moment.
        let new = loop {
            let new = self.new_files();
            if new.is_empty() || begin.elapsed() > TO_GO {
                break new;
            }
            thread::sleep(Duration::from_millis(10));
        };
        assert_eq!(new, [""; 0], "left in /dev/shm");
    }

    /// New files that nobody uses: other programs also create and remove files.
    fn new_files(&self) -> Vec<OsString> {
        let new: Vec<OsString> = files().difference(&self.files).cloned().collect();
        if new.is_empty() {
            return new;
        }
        let used: Vec<String> = processes()
            .into_iter()
            .map(|pid| fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default())
            .collect();
        let is_used = |name: &OsString| {
            let path = format!("/dev/shm/{}", name.to_string_lossy());
            used.iter().any(|maps| maps.contains(&path))
        };
        new.into_iter().filter(|name| !is_used(name)).collect()
    }
}

impl Drop for Surroundings {
    /// A test that fails leaves nothing running.
    fn drop(&mut self) {
        for process in marked(|mark| mark.starts_with(&self.mark)) {
            // SAFETY: a process that was started here.
            unsafe { libc::kill(process as i32, libc::SIGKILL) };
        }
    }
}

/// Processes whose mark is such.
pub fn marked(is_such: impl Fn(&str) -> bool) -> Vec<u32> {
    let name = format!("{MARK}=");
    let is_ours = |pid: &u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .filter_map(|variable| std::str::from_utf8(variable).ok()?.strip_prefix(&name))
            .any(&is_such)
    };
    processes().into_iter().filter(is_ours).collect()
}

/// All processes of the system.
fn processes() -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Without the memory of `cll run`, which starts none of the machines here, and that of Open MPI: other tests kill
/// launchers, which then leave theirs.
fn files() -> BTreeSet<OsString> {
    const OF_LAUNCHERS: [&str; 2] = ["cll-samples-", "vader_segment."];
    let entries = fs::read_dir("/dev/shm").into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name());
    let is_theirs = |name: &OsString| {
        OF_LAUNCHERS.iter().any(|start| name.to_string_lossy().starts_with(start))
    };
    names.filter(|name| !is_theirs(name)).collect()
}
