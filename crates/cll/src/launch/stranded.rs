//! Samples that nobody has taken away: those of a program that was killed together with its `cll run`.
//!
//! The memory in which a program records is a file of `/dev/shm` while it runs, so it is there when all processes are gone.
//! It is locked by whoever has it open; when it is not, its samples belong in its trace, where the next command puts them
//! that reads the trace.

use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cll_trace::layout::{BlockHeader, HEADER_SIZE, meta_block};
use cll_trace::live::Owner;
use cll_trace::meta::Meta;
use rustix::fs::{FlockOperation, Mode, OFlags, flock, open, statvfs};
use rustix::process::geteuid;

use super::memory::Memory;
use crate::failure::{Failure, reason};
use crate::terminal::Terminal;

/// A file system in memory that all processes of the machine see.
const FOLDER: &str = "/dev/shm";
/// How the names begin.
const PREFIX: &str = "cll-samples-";
/// How long samples whose trace is gone are kept: it may be there for others only.
const FORGOTTEN: Duration = Duration::from_secs(24 * 3600);

/// The name of memory that a program records in.
#[derive(Debug)]
pub struct Named(PathBuf);

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

/// Puts into these traces what belongs there and was left in memory.
///
/// # Errors
/// If samples are there and cannot be written.
pub fn recover(traces: &[PathBuf], terminal: &Terminal) -> Result<(), Failure> {
    let Ok(entries) = fs::read_dir(FOLDER) else { return Ok(()) };
    let is_one = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()))
    };
    let found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_one).collect();
    for path in found {
        let Some((mut memory, owner)) = stranded(&path) else { continue };
        let is_its = |trace: &&PathBuf| {
            fs::metadata(trace)
                .is_ok_and(|file| file.dev() == owner.device && file.ino() == owner.inode)
        };
        match traces.iter().find(is_its) {
            Some(trace) => {
                let bytes = put(&mut memory, owner, trace).map_err(|error| {
                    Failure::system(format!(
                        "cannot put into {} what was recorded when cll run was killed: {}",
                        trace.display(),
                        reason(&error)
                    ))
                    .help(format!("it stays in {} until then", path.display()))
                })?;
                // As long as it is locked: others would add it once more.
                Named(path).remove();
                drop(memory);
                terminal.note(&format!(
                    "cll run was killed while it recorded {}; {bytes} bytes that were still in memory have \
                     been added",
                    trace.display()
                ));
            }
            None if !Path::new(&owner.trace).exists() && is_old(&path) => Named(path).remove(),
            None => {}
        }
    }
    Ok(())
}

/// Memory of ours that no process has open.
fn stranded(path: &Path) -> Option<(Memory, Owner)> {
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = File::from(open(path, flags, Mode::empty()).ok()?);
    let about = file.metadata().ok()?;
    if !about.is_file() || about.uid() != geteuid().as_raw() {
        return None;
    }
    flock(&file, FlockOperation::NonBlockingLockExclusive).ok()?;
    // Another command may have been quicker.
    (file.metadata().ok()?.nlink() > 0).then_some(())?;
    Memory::found(file.into()).ok()?
}

fn is_old(path: &Path) -> bool {
    let written = fs::metadata(path).and_then(|file| file.modified()).ok();
    written.and_then(|time| time.elapsed().ok()).is_some_and(|age| age > FORGOTTEN)
}

/// Adds the blocks behind those of the trace; their bytes.
fn put(memory: &mut Memory, owner: Owner, trace: &Path) -> io::Result<u64> {
    let file = File::options().read(true).write(true).open(trace)?;
    let (begin, last) = whole(&file)?;
    let mut end = begin;
    let mut result = Ok(());
    let mut add = |block: &[u8]| {
        // The last one may have been written, and its place not yet freed.
        if result.is_ok() && BlockHeader::decode(block) != last {
            result = file.write_all_at(block, end);
            end += block.len() as u64;
        }
    };
    memory.collect(&mut add)?;
    let bytes = {
        add(&meta_block(&[Meta::Run(owner.run)], BlockHeader::default()));
        end - begin
    };
    if let Err(error) = result {
        // As it was: the memory still has everything.
        let _ = file.set_len(begin);
        return Err(error);
    }
    Ok(bytes)
}

/// Where the last whole block ends, and that block: behind it there may be a part of one. Cuts it off.
fn whole(file: &File) -> io::Result<(u64, Option<BlockHeader>)> {
    let length = file.metadata()?.len();
    let (mut at, mut last) = (0, None);
    while at + HEADER_SIZE as u64 <= length {
        let mut header = [0; HEADER_SIZE];
        file.read_exact_at(&mut header, at)?;
        let Some(header) = BlockHeader::decode(&header).filter(BlockHeader::is_plausible) else {
            break;
        };
        let next = at + u64::from(header.capacity);
        if next > length {
            break;
        }
        (at, last) = (next, Some(header));
    }
    file.set_len(at)?;
    Ok((at, last))
}
