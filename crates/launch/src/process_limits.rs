//! The number of processes that the system grants, checked before they are started. A system without any free
//! process numbers is hard to use for everybody.

use std::fs;
use std::os::unix::fs::MetadataExt;

use cll_system::{available_memory, control_groups, load, number, processes};
use nix::sys::resource::{Resource, getrlimit};

use crate::Error;
use cll_units::text::{self, BinaryUnit, BytesDigits, BytesUnit};

/// Bytes that a processor of a BSP program needs at least, and additional bytes for each other processor: a
/// mailbox. Measured with 512 to 2048 processes, and with 1024 threads, that put one word each.
const PROCESSOR_BYTES: u64 = 64 << 10;
const MAILBOX_BYTES: u64 = 300;
/// Bytes that a thread needs at least: the kernel's stack and its first pages.
const THREAD_BYTES: u64 = 24 << 10;

/// The processes or threads that are to be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessKind {
    /// Processors of a BSP program: processes or threads.
    Processors,
    /// OpenMP threads.
    Threads,
}

impl ProcessKind {
    fn word(self) -> &'static str {
        match self {
            ProcessKind::Processors => "processors",
            ProcessKind::Threads => "threads",
        }
    }

    fn bytes(self, count: u64) -> u64 {
        let each = match self {
            ProcessKind::Processors => {
                PROCESSOR_BYTES.saturating_add(MAILBOX_BYTES.saturating_mul(count))
            }
            ProcessKind::Threads => THREAD_BYTES,
        };
        count.saturating_mul(each)
    }
}

/// A limit of the system on processes and threads, and their present number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Limit {
    name: String,
    most: u64,
    used: u64,
}

/// The present limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessLimits {
    limits: Vec<Limit>,
    /// Bytes, and the limit's description.
    memory: Option<(u64, String)>,
}

impl ProcessLimits {
    /// The limits as the system reports them; what it does not report is not limited.
    pub fn here() -> ProcessLimits {
        let total = load().map(|load| load.tasks);
        let mut limits = Vec::new();
        let mut add = |name: &str, most: Option<u64>, used: Option<u64>| {
            if let Some(most) = most {
                limits.push(Limit { name: name.to_owned(), most, used: used.unwrap_or(0) });
            }
        };
        for name in ["threads-max", "pid_max"] {
            let most = number(format!("/proc/sys/kernel/{name}"));
            add(&format!("kernel.{name}"), most, total);
        }
        // The kernel does not apply it to root.
        let own = fs::metadata("/proc/self").map_or(0, |process| process.uid());
        if own != 0
            && let Ok((soft, _)) = getrlimit(Resource::RLIMIT_NPROC)
            && soft != nix::sys::resource::RLIM_INFINITY
        {
            add("the user's limit of processes (ulimit -u)", Some(soft), Some(processes_of(own)));
        }
        for group in control_groups("pids") {
            let [most, used] =
                ["pids.max", "pids.current"].map(|name| number(group.folder.join(name)));
            add(&format!("the control group's pids.max ({})", group.folder.display()), most, used);
        }
        let memory = available_memory().map(|memory| {
            let whose = memory.group.map_or("the system has".to_owned(), |folder| {
                format!("the control group {} leaves", folder.display())
            });
            (memory.bytes, whose)
        });
        ProcessLimits { limits, memory }
    }

    /// Refuses to start more than the limits allow.
    ///
    /// # Errors
    /// With the limit that would be exceeded.
    pub fn check(&self, count: u32, kind: ProcessKind) -> Result<(), Error> {
        let asked = u64::from(count);
        let refused = |why: String| Err(Error::TooMany { count, kind: kind.word(), why });
        let left = |limit: &&Limit| limit.most.saturating_sub(limit.used);
        if let Some(limit) = self.limits.iter().min_by_key(left).filter(|limit| left(limit) < asked)
        {
            return refused(format!(
                "{} is {}, and {} exist already",
                limit.name, limit.most, limit.used
            ));
        }
        match &self.memory {
            Some((bytes, whose)) if kind.bytes(asked) > *bytes => refused(format!(
                "they need at least {}, and {whose} {}",
                megabytes(kind.bytes(asked)),
                megabytes(*bytes)
            )),
            _ => Ok(()),
        }
    }
}

fn megabytes(bytes: u64) -> String {
    let is_large = bytes >> 20 >= 10_000;
    let unit = if is_large { BinaryUnit::Gib } else { BinaryUnit::Mib };
    text::bytes(bytes as f64, BytesUnit::Only(unit), BytesDigits::Down)
}

/// The number of processes of a user.
fn processes_of(user: u32) -> u64 {
    let is_own =
        |pid: &u32| fs::metadata(format!("/proc/{pid}")).is_ok_and(|process| process.uid() == user);
    processes().filter(is_own).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn granted(most: u64, used: u64, memory: u64) -> ProcessLimits {
        let limit = |name: &str, most, used| Limit { name: name.to_owned(), most, used };
        ProcessLimits {
            limits: vec![
                limit("kernel.threads-max", 1 << 30, 0),
                limit("kernel.pid_max", most, used),
            ],
            memory: Some((memory, "the system has".to_owned())),
        }
    }

    #[test]
    fn what_fits_is_granted() {
        assert!(granted(32768, 700, 8 << 30).check(1024, ProcessKind::Processors).is_ok());
        assert!(granted(32768, 700, 8 << 30).check(20_000, ProcessKind::Threads).is_ok());
        assert!(ProcessLimits::default().check(u32::MAX, ProcessKind::Processors).is_ok());
    }

    #[test]
    fn the_limit_that_is_met_first_is_named() {
        let refused = granted(32768, 700, u64::MAX).check(32_100, ProcessKind::Threads);
        let text = refused.unwrap_err().to_string();
        for part in ["32100 threads cannot be started", "kernel.pid_max is 32768", "700 exist"] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn memory_is_asked_for_each_and_for_all_pairs() {
        let refused = granted(1 << 22, 0, 8 << 30).check(8192, ProcessKind::Processors);
        let text = refused.unwrap_err().to_string();
        assert!(text.contains("19 GiB") && text.contains("the system has 8192 MiB"), "{text}");
    }

    #[test]
    fn this_system_grants_one_process() {
        assert!(ProcessLimits::here().check(1, ProcessKind::Processors).is_ok());
    }
}
