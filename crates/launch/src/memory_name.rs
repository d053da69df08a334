//! The name of the memory that a program records in.

use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, Mode, OFlags, flock, open, statvfs};

/// A file system in memory that all processes of the machine see.
pub(crate) const FOLDER: &str = "/dev/shm";
/// How the names begin.
pub(crate) const PREFIX: &str = "cll-samples-";
/// The name of memory that a program records in.
#[derive(Debug)]
pub struct Named(pub(crate) PathBuf);

impl Named {
    /// A new file for so many bytes, locked; `None` where there is no room, or no such place.
    pub fn new(size: u64) -> Option<(OwnedFd, Named)> {
        let room = statvfs(FOLDER).ok()?;
        // Pages are taken when they are written to: a program that finds no more is ended.
        if room.f_bavail.saturating_mul(room.f_frsize) / 2 < size {
            return None;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let name = format!("{PREFIX}{}-{:x}", std::process::id(), now.as_nanos());
        let path = Path::new(FOLDER).join(name);
        // The program inherits it.
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let file = open(&path, flags, Mode::RUSR | Mode::WUSR).ok()?;
        let named = Named(path);
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Some((file, named)),
            Err(_) => {
                named.remove();
                None
            }
        }
    }

    /// Nobody finds it any more; who has it open keeps it.
    pub fn remove(self) {
        let _ = fs::remove_file(self.0);
    }
}
