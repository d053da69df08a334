//! The name of the shared memory in which a program records.
//!
//! Why: decision 0010.

use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, Mode, OFlags, flock, open, statvfs};

/// A file system in memory that all processes of the machine share.
pub(crate) const FOLDER: &str = "/dev/shm";
/// The beginning of the names.
pub(crate) const PREFIX: &str = "cll-samples-";
/// A shared memory with a name.
#[derive(Debug)]
pub struct NamedMemory(pub(crate) PathBuf);

impl NamedMemory {
    /// A new file of this size, locked; `None` if there is no space, or no such file system.
    pub fn new(size: u64) -> Option<(OwnedFd, NamedMemory)> {
        let room = statvfs(FOLDER).ok()?;
        // Pages are allocated when they are written: a program that gets none is killed.
        if room.f_bavail.saturating_mul(room.f_frsize) / 2 < size {
            return None;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let name = format!("{PREFIX}{}-{:x}", std::process::id(), now.as_nanos());
        let path = Path::new(FOLDER).join(name);
        // The program inherits the descriptor.
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let file = open(&path, flags, Mode::RUSR | Mode::WUSR).ok()?;
        let named = NamedMemory(path);
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Some((file, named)),
            Err(_) => {
                named.remove();
                None
            }
        }
    }

    /// Removes the name. Processes that have the memory open keep it.
    pub fn remove(self) {
        let _ = fs::remove_file(self.0);
    }
}
