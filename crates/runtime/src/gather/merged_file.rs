//! The merged file, written by processor 0 in pieces.
//!
//! It has a temporary name until it is complete. Then it replaces processor 0's own file in one step, and only
//! then the others remove theirs: nothing is lost, whatever happens before.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::library::TraceFiles;
use crate::message::Message;
use crate::sys;

use super::mpi::{Failed, Mpi};
use super::{GO, PIECE};

/// The header of a message with bytes of a file: 0, or the error of reading them.
const HEAD: usize = 8;

/// The merged file.
pub struct MergedFile<'a> {
    part: &'a TraceFiles,
    path: PathBuf,
    file: Option<File>,
    length: u64,
    /// The first error.
    wrong: Option<io::Error>,
}

impl MergedFile<'_> {
    /// Gathers the files of the processes; `lengths`: their sizes in bytes.
    pub fn gather(mpi: Mpi, part: &TraceFiles, lengths: &[u64]) -> Result<(), Failed> {
        let mut pieces = [vec![0; HEAD + PIECE], vec![0; HEAD + PIECE]];
        let mut merged = MergedFile::begin(part, &mut pieces[0]);
        for (process, &length) in lengths.iter().enumerate().skip(1) {
            if length > 0 && merged.wrong.is_none() {
                mpi.send_byte(GO, process)?;
                merged.receive(mpi, process, length, &mut pieces)?;
            }
        }
        let end = merged.end();
        let keeps = end.is_err();
        for process in 1..lengths.len() {
            mpi.send_byte(if keeps { 0 } else { GO + 1 }, process)?;
        }
        for process in 1..lengths.len() {
            mpi.receive_byte(process)?;
        }
        match end {
            Ok(Some(path)) => lower(&path, part),
            Ok(None) => {}
            Err((path, error)) => Message::new()
                .text("cannot write ")
                .bytes(path.as_os_str().as_bytes())
                .text(" on ")
                .text(&part.host)
                .text(": ")
                .error(error.raw_os_error().unwrap_or(libc::EIO))
                .text("; nothing is gathered, each process keeps the file that it has written (cll fit and cll export accept all of them)")
                .send(),
        }
        Ok(())
    }

    fn begin<'a>(part: &'a TraceFiles, piece: &mut [u8]) -> MergedFile<'a> {
        let name =
            [&part.program[..], b".cll.gathering-", sys::pid().to_string().as_bytes()].concat();
        let path = Path::new(OsStr::from_bytes(&part.folder)).join(OsStr::from_bytes(&name));
        let created = File::options().write(true).create_new(true).open(&path);
        let mut merged = MergedFile { part, path, file: None, length: 0, wrong: None };
        let begun = created.and_then(|file| {
            merged.file = Some(file);
            let Some(own) = &part.path else { return Ok(()) };
            let mut own = File::open(OsStr::from_bytes(own))?;
            loop {
                match own.read(piece)? {
                    0 => return Ok(()),
                    count => merged.write(&piece[..count])?,
                }
            }
        });
        merged.wrong = begun.err();
        merged
    }

    /// Adds bytes. A limit on the size of files is an error, without its signal.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(file) = &self.file else { return Err(io::Error::from_raw_os_error(libc::EBADF)) };
        sys::write_at(file.as_raw_fd(), self.length, [bytes, &[]])
            .map_err(io::Error::from_raw_os_error)?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Receives all of a process's file, even if it can no longer be written: the other process sends it.
    fn receive(
        &mut self,
        mpi: Mpi,
        process: usize,
        length: u64,
        pieces: &mut [Vec<u8>; 2],
    ) -> Result<(), Failed> {
        let sizes = Sizes(length);
        let mut next_sizes = sizes;
        for (slot, size) in next_sizes.by_ref().take(2).enumerate() {
            // SAFETY: read when the slot is complete.
            unsafe { mpi.receive(slot, &mut pieces[slot][..HEAD + size], process)? };
        }
        for (number, size) in sizes.enumerate() {
            let slot = number % 2;
            mpi.wait(slot, None)?;
            let piece = &pieces[slot][..HEAD + size];
            let error = i64::from_ne_bytes([0, 1, 2, 3, 4, 5, 6, 7].map(|i| piece[i]));
            if error != 0 && self.wrong.is_none() {
                self.wrong = Some(io::Error::from_raw_os_error(error as i32));
            }
            if self.wrong.is_none() {
                self.wrong = self.write(&piece[HEAD..]).err();
            }
            if let Some(size) = next_sizes.next() {
                // SAFETY: as above.
                unsafe { mpi.receive(slot, &mut pieces[slot][..HEAD + size], process)? };
            }
        }
        Ok(())
    }

    /// The file has its final name, or does not exist. `None`: nobody has recorded anything.
    fn end(self) -> Result<Option<PathBuf>, (PathBuf, io::Error)> {
        let MergedFile { part, path, length, wrong, .. } = self;
        let named = wrong.map_or(Ok(()), Err).and_then(|()| match &part.path {
            _ if length == 0 => fs::remove_file(&path).map(|()| None),
            Some(own) => {
                let own = PathBuf::from(OsStr::from_bytes(own));
                fs::rename(&path, &own).map(|()| Some(own))
            }
            None => free(&path, part, usize::MAX).map(Some),
        });
        named.map_err(|error| {
            let _ = fs::remove_file(&path);
            (path, error)
        })
    }
}

/// Gives a file the lowest free number below `most`, as runs of a program are numbered.
fn free(path: &Path, part: &TraceFiles, most: usize) -> io::Result<PathBuf> {
    for run in 0..most {
        let name = [&part.program[..], b".cll.", run.to_string().as_bytes(), b".dat"].concat();
        let name = Path::new(OsStr::from_bytes(&part.folder)).join(OsStr::from_bytes(&name));
        // Unlike a rename this replaces nothing.
        match fs::hard_link(path, &name) {
            Ok(()) => return fs::remove_file(path).map(|()| name),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::from_raw_os_error(libc::EEXIST))
}

/// The processes' own files are removed: the merged file gets the name of the run without a rank, or the lowest
/// free number.
fn lower(path: &Path, part: &TraceFiles) {
    let name = path.to_str().unwrap_or_default();
    let mut numbers = name.rsplit('.').skip(1).map(|word| word.parse::<usize>().ok());
    // If that is not possible it keeps its name.
    let _ = match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(_rank), Some(run)) => {
            let of_run = [&part.program[..], format!(".cll.{run}.dat").as_bytes()].concat();
            let of_run =
                Path::new(OsStr::from_bytes(&part.folder)).join(OsStr::from_bytes(&of_run));
            fs::hard_link(path, &of_run).and_then(|()| fs::remove_file(path)).map(|()| of_run)
        }
        (run, _) => free(path, part, run.unwrap_or(0)),
    };
}

/// Sends a process's file when processor 0 requests it, and removes it when the merged file is complete.
pub fn send_file(mpi: Mpi, path: Option<&Path>, length: u64) -> Result<(), Failed> {
    let mut verdict = mpi.receive_byte(0)?;
    if verdict == GO
        && let Some(path) = path
    {
        send(mpi, path, length)?;
        verdict = mpi.receive_byte(0)?;
    }
    if let Some(path) = path.filter(|_| verdict > GO) {
        let _ = fs::remove_file(path);
    }
    mpi.send_byte(GO, 0)
}

fn send(mpi: Mpi, path: &Path, length: u64) -> Result<(), Failed> {
    let mut file = File::open(path);
    let mut pieces = [vec![0; HEAD + PIECE], vec![0; HEAD + PIECE]];
    let mut under_way = 0;
    for (number, size) in Sizes(length).enumerate() {
        let slot = number % 2;
        if number > 1 {
            mpi.wait(slot, None)?;
        }
        let piece = &mut pieces[slot][..HEAD + size];
        let read = match &mut file {
            Ok(file) => file.read_exact(&mut piece[HEAD..]).err(),
            Err(error) => {
                Some(io::Error::from_raw_os_error(error.raw_os_error().unwrap_or(libc::EIO)))
            }
        };
        let error = read.map_or(0, |error| i64::from(error.raw_os_error().unwrap_or(libc::EIO)));
        piece[..HEAD].copy_from_slice(&error.to_ne_bytes());
        // SAFETY: the piece stays until the slot is complete.
        unsafe { mpi.send(slot, piece, 0)? };
        under_way = number + 1;
    }
    (0..under_way.min(2)).try_for_each(|slot| mpi.wait(slot, None))
}

/// The sizes of the pieces of a file.
#[derive(Clone, Copy)]
struct Sizes(u64);

impl Iterator for Sizes {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let size = self.0.min(PIECE as u64);
        self.0 -= size;
        (size > 0).then_some(size as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_all_of_a_file() {
        for length in [0, 1, PIECE as u64, PIECE as u64 + 1, 5 * PIECE as u64 - 3] {
            let sizes: Vec<usize> = Sizes(length).collect();
            assert_eq!(sizes.iter().sum::<usize>() as u64, length);
            assert_eq!(sizes.len() as u64, length.div_ceil(PIECE as u64));
        }
    }

    #[test]
    fn the_lowest_number_is_taken_and_nothing_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let name = |name: &str| folder.path().join(name);
        let part = TraceFiles {
            folder: folder.path().as_os_str().as_bytes().to_vec(),
            program: b"p".to_vec(),
            path: None,
            host: String::new(),
        };
        fs::write(name("p.cll.0.dat"), "another").unwrap();
        fs::write(name("p.cll.3.dat"), "whole").unwrap();
        lower(&name("p.cll.3.dat"), &part);
        assert_eq!(fs::read(name("p.cll.1.dat")).unwrap(), b"whole");
        lower(&name("p.cll.1.dat"), &part);
        assert_eq!(fs::read(name("p.cll.1.dat")).unwrap(), b"whole");
        assert_eq!(fs::read(name("p.cll.0.dat")).unwrap(), b"another");
        assert!(!name("p.cll.3.dat").exists());
        fs::write(name("p.cll.2.0.dat"), "of a launch").unwrap();
        lower(&name("p.cll.2.0.dat"), &part);
        assert_eq!(fs::read(name("p.cll.2.dat")).unwrap(), b"of a launch");
        assert!(!name("p.cll.2.0.dat").exists());
        // The number belongs to another run.
        fs::write(name("p.cll.2.0.dat"), "of a launch").unwrap();
        lower(&name("p.cll.2.0.dat"), &part);
        assert!(name("p.cll.2.0.dat").exists());
    }
}
