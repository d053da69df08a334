//! Recovers samples of a program that was killed together with its `cll run`.
//!
//! The memory in which a program records is a file in `/dev/shm`, so it remains when all processes are gone.
//! Processes that have it open hold a lock on it. If it is not locked, the next command that reads the trace moves
//! the samples there.

use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};

use cll_files::Notices;
use cll_trace::layout::{BlockHeader, HEADER_SIZE, meta_block};
use cll_trace::live::Owner;
use cll_trace::meta::Meta;
use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use rustix::process::geteuid;

use super::memory::Memory;
use super::memory_name::{FOLDER, NamedMemory, PREFIX};
use crate::Error;

/// How long samples are kept whose trace is gone: it may be visible to other processes only.
const MAX_AGE: Duration = Duration::from_secs(24 * 3600);

/// Moves the remaining samples of these traces from memory to the traces.
///
/// # Errors
/// If there are samples that cannot be written.
pub fn recover(traces: &[PathBuf], notices: &dyn Notices) -> Result<(), Error> {
    for (trace, bytes) in recovered(traces)? {
        notices.note(&format!(
            "cll run was killed while it recorded {}; {bytes} bytes that were still in memory have been added",
            trace.display()
        ));
    }
    Ok(())
}

/// The traces to which something was added, and the number of bytes.
fn recovered(traces: &[PathBuf]) -> Result<Vec<(&Path, u64)>, Error> {
    let mut added = Vec::new();
    let Ok(entries) = fs::read_dir(FOLDER) else { return Ok(added) };
    let is_one = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()))
    };
    let found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_one).collect();
    for path in found {
        // Read before it is locked: a command that locked the memory of another trace, even for a moment, would
        // block the command that reads that trace.
        let Some(owner) = owner(&path) else { continue };
        match traces.iter().find(|trace| is_of(&owner, trace)) {
            Some(trace) => {
                let _turn = turn(trace);
                let Some((mut memory, owner)) = stranded(&path) else { continue };
                let bytes = put(&mut memory, owner, trace).map_err(|source| {
                    Error::NotRecovered { trace: trace.clone(), memory: path.clone(), source }
                })?;
                // Removed while it is locked: others would add it again.
                NamedMemory(path).remove();
                drop(memory);
                added.push((trace.as_path(), bytes));
            }
            None if !Path::new(&owner.trace).exists()
                && is_old(&path)
                && stranded(&path).is_some() =>
            {
                NamedMemory(path).remove();
            }
            None => {}
        }
    }
    Ok(added)
}

/// How long a command waits for another one that adds to the same trace.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// A lock on a trace while samples are added. A command that has waited for it finds the samples of the other
/// command in the trace. The wait is limited, since other programs may hold the lock.
fn turn(trace: &Path) -> Option<File> {
    let file = File::open(trace).ok()?;
    let begin = Instant::now();
    while flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
        if begin.elapsed() > MAX_WAIT {
            return None;
        }
        thread::sleep(Duration::from_millis(2));
    }
    Some(file)
}

/// When a file was made, nanoseconds since 1970; 0 if the file system does not store that.
pub fn made_ns(file: &Metadata) -> u64 {
    let created = file.created().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    created.map_or(0, |time| time.as_nanos() as u64)
}

/// Whether a file is the trace of the samples. Inode numbers are used again, so its time or its name must be
/// equal, too. A file that is not a trace is never written.
fn is_of(owner: &Owner, path: &Path) -> bool {
    let Ok(file) = fs::metadata(path) else { return false };
    let is_same = match owner.made_ns {
        0 => path.canonicalize().is_ok_and(|path| path == Path::new(&owner.trace)),
        created_ns => made_ns(&file) == created_ns,
    };
    let number = (file.dev(), file.ino()) == (owner.device, owner.inode);
    number && is_same && file.is_file() && (file.len() == 0 || begins_as_trace(path))
}

fn begins_as_trace(path: &Path) -> bool {
    let mut start = [0; HEADER_SIZE];
    let read = File::open(path).and_then(|file| file.read_exact_at(&mut start, 0));
    read.is_ok() && BlockHeader::decode(&start).is_some_and(|header| header.is_plausible())
}

/// A shared memory of cll, which other processes may have open.
fn ours(path: &Path) -> Option<File> {
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = File::from(open(path, flags, Mode::empty()).ok()?);
    let about = file.metadata().ok()?;
    (about.is_file() && about.uid() == geteuid().as_raw()).then_some(file)
}

/// Returns the record of the owner of a memory, if it has been written.
fn owner(path: &Path) -> Option<Owner> {
    let (_, owner) = Memory::open(ours(path)?.into()).ok()??;
    Some(owner)
}

/// A shared memory of cll that no process has open.
fn stranded(path: &Path) -> Option<(Memory, Owner)> {
    let file = ours(path)?;
    flock(&file, FlockOperation::NonBlockingLockExclusive).ok()?;
    // Another command may have locked it first.
    (file.metadata().ok()?.nlink() > 0).then_some(())?;
    Memory::open(file.into()).ok()?
}

fn is_old(path: &Path) -> bool {
    let written = fs::metadata(path).and_then(|file| file.modified()).ok();
    written.and_then(|time| time.elapsed().ok()).is_some_and(|age| age > MAX_AGE)
}

/// Adds its blocks to the trace; returns their bytes.
fn put(memory: &mut Memory, owner: Owner, trace: &Path) -> io::Result<u64> {
    let file = File::options().read(true).write(true).open(trace)?;
    let (begin, last) = last_complete_block(&file)?;
    let mut end = begin;
    let mut result = Ok(());
    let mut add = |block: &[u8]| {
        // The last one may have been written before, and its slot not yet freed.
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
        // Restored: the memory still has all samples.
        let _ = file.set_len(begin);
        return Err(error);
    }
    Ok(bytes)
}

/// A block that was being written when its writer was killed is not longer.
const MAX_BLOCK_BYTES: u64 = 1 << 20;

/// The end of the last complete block, and that block. Bytes after it are part of a block and are cut off. A trace
/// that is damaged elsewhere is not changed.
fn last_complete_block(file: &File) -> io::Result<(u64, Option<BlockHeader>)> {
    let length = file.metadata()?.len();
    let (mut offset, mut last) = (0, None);
    while offset + HEADER_SIZE as u64 <= length {
        let mut header = [0; HEADER_SIZE];
        file.read_exact_at(&mut header, offset)?;
        let Some(header) = BlockHeader::decode(&header).filter(BlockHeader::is_plausible) else {
            break;
        };
        let next = offset + u64::from(header.capacity);
        if next > length {
            break;
        }
        (offset, last) = (next, Some(header));
    }
    if length - offset > MAX_BLOCK_BYTES {
        return Ok((length, None));
    }
    file.set_len(offset)?;
    Ok((offset, last))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::fs::statvfs;

    use super::*;

    #[test]
    fn a_file_that_has_only_got_the_number_of_a_trace_is_another() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().canonicalize().unwrap().join("p.cll.0.dat");
        fs::write(&path, meta_block(&[Meta::Run(Default::default())], BlockHeader::default()))
            .unwrap();
        let file = fs::metadata(&path).unwrap();
        let owner = |made_ns| Owner {
            trace: path.to_str().unwrap().to_owned(),
            device: file.dev(),
            inode: file.ino(),
            made_ns,
            ..Owner::default()
        };
        let own = made_ns(&file);
        assert!(is_of(&owner(own), &path) && is_of(&owner(0), &path));
        assert!(!is_of(&owner(own + 1), &path), "made at another time");
        let renamed = path.with_file_name("mine");
        fs::rename(&path, &renamed).unwrap();
        assert!(!is_of(&owner(0), &renamed), "the time is not known, and the name is another");
        fs::write(&renamed, "N,time\n1,2\n").unwrap();
        assert!(!is_of(&owner(own), &renamed), "no trace");
        fs::write(&renamed, "").unwrap();
        assert_eq!(is_of(&owner(own), &renamed), own != 0, "nothing was written yet");
    }

    /// Memory with a name that belongs to a trace, and that no process has open.
    fn left_behind(trace: &Path) {
        fs::write(trace, "").unwrap();
        let file = fs::metadata(trace).unwrap();
        let owner = Owner {
            trace: trace.to_str().unwrap().to_owned(),
            device: file.dev(),
            inode: file.ino(),
            made_ns: made_ns(&file),
            ..Owner::default()
        };
        drop(Memory::new(1, Some(&owner)).unwrap());
    }

    #[test]
    fn commands_side_by_side_add_what_is_of_their_own_traces_once() {
        if !statvfs(FOLDER).is_ok_and(|room| room.f_bavail * room.f_frsize > (256 << 20)) {
            return; // Without space there it has no name.
        }
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().canonicalize().unwrap();
        let (trace, other) = (folder.join("p.cll.0.dat"), folder.join("q.cll.0.dat"));
        fs::write(&other, "").unwrap();
        let is_over = AtomicBool::new(false);
        let lengths = thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    recovered(std::slice::from_ref(&other)).unwrap();
                }
            });
            let all: Vec<_> = (0..200)
                .map(|_| {
                    left_behind(&trace);
                    let both = [(); 2].map(|()| {
                        scope.spawn(|| {
                            recovered(std::slice::from_ref(&trace)).unwrap();
                            fs::metadata(&trace).unwrap().len()
                        })
                    });
                    let lengths = both.map(|handle| handle.join().ok());
                    fs::remove_file(&trace).unwrap();
                    lengths
                })
                .collect();
            is_over.store(true, Ordering::Relaxed);
            all
        });
        let run = meta_block(&[Meta::Run(Default::default())], BlockHeader::default());
        assert_eq!(lengths, [[Some(run.len() as u64); 2]; 200]);
        assert_eq!(fs::metadata(&other).unwrap().len(), 0);
    }

    #[test]
    fn half_a_block_is_cut_off_and_damage_elsewhere_stays() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("t");
        let block = meta_block(&[Meta::Run(Default::default())], BlockHeader::default());
        let lengths = |tail: usize| {
            fs::write(&path, [block.clone(), vec![7; tail]].concat()).unwrap();
            let file = File::options().read(true).write(true).open(&path).unwrap();
            (last_complete_block(&file).unwrap().0, fs::metadata(&path).unwrap().len())
        };
        let length = block.len() as u64;
        assert_eq!(lengths(0), (length, length));
        assert_eq!(lengths(1000), (length, length));
        assert_eq!(lengths(2 << 20), (length + (2 << 20), length + (2 << 20)));
    }
}
