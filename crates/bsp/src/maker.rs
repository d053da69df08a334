//! The process that makes a machine, by which the processes of one run of a program recognise each other.

use std::fmt;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

/// The process that has made a machine, and when it made its first one: the same for all machines of a run of a
/// program, and for no other run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maker {
    process: u32,
    first_unix_ns: u64,
}

static THIS: Mutex<Option<Maker>> = Mutex::new(None);

impl Maker {
    /// This process.
    pub(crate) fn this() -> Maker {
        let process = std::process::id();
        let mut this = THIS.lock().unwrap_or_else(|broken| broken.into_inner());
        // In a forked process it is still that of the parent.
        let known = this.filter(|known| known.process == process);
        *this.insert(known.unwrap_or_else(|| Maker::now(process)))
    }

    fn now(process: u32) -> Maker {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Maker { process, first_unix_ns: u64::try_from(since.as_nanos()).unwrap_or(u64::MAX) }
    }

    pub(crate) fn from_parts(process: u32, first_unix_ns: u64) -> Maker {
        Maker { process, first_unix_ns }
    }

    pub(crate) fn parts(self) -> (u32, u64) {
        (self.process, self.first_unix_ns)
    }
}

impl fmt::Display for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} at {}", self.process, self.first_unix_ns)
    }
}
