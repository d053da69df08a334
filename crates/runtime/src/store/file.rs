use std::ffi::{CStr, c_int};

use cll_trace::live::SLOT_SIZE;

use crate::message::Message;
use crate::sys::{self, Errno, Identity};

use super::Block;

/// What is added to the file at once, bytes: at first, and at most.
const FIRST_STEP: u64 = SLOT_SIZE as u64;
const LONGEST_STEP: u64 = 16 * SLOT_SIZE as u64;
/// Longest path, with the zero byte.
const PATH_MAX: usize = 4096;
/// Runs of a program in one folder.
const RUNS: u32 = 1_000_000;

/// The trace file of this process, to which blocks are added at the end.
///
/// It stays where it is: a path is longer than the stack of some signal handlers.
#[derive(Debug)]
pub struct TraceFile {
    /// -1 if there is none.
    fd: c_int,
    identity: Identity,
    path: Path,
    /// Where the next block goes.
    end: u64,
    /// How long the file is.
    length: u64,
    step: u64,
}

/// What could not be done with the file, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    what: &'static str,
    /// `None` if the program closed, cut or replaced the file.
    error: Option<Errno>,
}

impl TraceFile {
    pub const fn new() -> TraceFile {
        TraceFile {
            fd: -1,
            identity: Identity { device: 0, inode: 0 },
            path: Path { bytes: [0; PATH_MAX], length: 0 },
            end: 0,
            length: 0,
            step: FIRST_STEP,
        }
    }

    /// Creates `FOLDER/PROGRAM.cll.RUN.dat` with the lowest RUN that is not there.
    pub fn create(&mut self, folder: &[u8], program: &[u8]) -> Result<(), Failure> {
        (self.end, self.length, self.step) = (0, 0, FIRST_STEP);
        for run in 0..RUNS {
            self.path.set(folder, program, run);
            let created = self.path.c_str().ok_or(libc::ENAMETOOLONG).and_then(sys::create);
            match created {
                Err(libc::EEXIST) => {}
                Err(error) => return Err(failure("create", error)),
                Ok(fd) => {
                    self.fd = fd;
                    let (identity, _) =
                        sys::identify(fd).map_err(|error| failure("create", error))?;
                    self.identity = identity;
                    return Ok(());
                }
            }
        }
        Err(failure("create", libc::EEXIST))
    }

    /// Adds `cannot WHAT PATH: WHY`.
    pub fn tell(&self, failure: Failure, message: Message) -> Message {
        let message = message.text("cannot ").text(failure.what).text(" ").bytes(self.path.bytes());
        match failure.error {
            Some(error) => message.text(": ").error(error),
            None => message.text(": the program closed, cut or replaced it"),
        }
    }

    /// Adds a block of `capacity` bytes (a multiple of a page), all zero, in place of what is
    /// mapped at `over` if that is not null.
    ///
    /// # Safety
    /// As [`sys::map`].
    pub unsafe fn add(&mut self, capacity: usize, over: *mut u8) -> Result<Block, Failure> {
        self.check()?;
        if self.end + capacity as u64 > self.length {
            self.grow(capacity as u64)?;
        }
        // SAFETY: by the caller.
        let memory = unsafe { sys::map(self.fd, self.end, capacity, over) }
            .map_err(|error| failure("map", error))?;
        if let Err(error) = sys::populate(memory, capacity) {
            if over.is_null() {
                // SAFETY: nobody knows the mapping.
                unsafe { sys::unmap(memory, capacity) };
            }
            return Err(failure("write", error));
        }
        self.end += capacity as u64;
        Ok(Block { memory, capacity, slot: u32::MAX })
    }

    /// Gives back what was reserved and is not used.
    pub fn finish(&mut self) {
        if self.check().is_ok() {
            sys::cut(self.fd, self.end);
            self.length = self.end;
        }
    }

    /// Forgets the file, which stays the parent's.
    pub fn leave_to_parent(&mut self) {
        if self.is_ours() {
            sys::close(self.fd);
        }
        self.fd = -1;
    }

    fn grow(&mut self, least: u64) -> Result<(), Failure> {
        let wanted = self.step.max(least);
        self.step = (self.step * 2).min(LONGEST_STEP);
        let grown = match sys::grow(self.fd, self.length, wanted) {
            // Almost full: what is needed now may still fit.
            Err(_) if wanted > least => sys::grow(self.fd, self.length, least).map(|()| least),
            other => other.map(|()| wanted),
        };
        self.length += grown.map_err(|error| failure("write", error))?;
        Ok(())
    }

    /// Programs close descriptors that they did not open; the file is then opened again.
    fn check(&mut self) -> Result<(), Failure> {
        if !self.is_ours() {
            let path = self.path.c_str().ok_or(libc::ENAMETOOLONG);
            let fd = path.and_then(|path| sys::open(path, 0));
            self.fd = fd.map_err(|_| LOST)?;
        }
        match sys::identify(self.fd) {
            Ok((identity, length)) if identity == self.identity && length >= self.length => Ok(()),
            _ => Err(LOST),
        }
    }

    fn is_ours(&self) -> bool {
        sys::identify(self.fd).is_ok_and(|(identity, _)| identity == self.identity)
    }
}

const LOST: Failure = Failure { what: "go on writing", error: None };

fn failure(what: &'static str, error: Errno) -> Failure {
    Failure { what, error: Some(error) }
}

/// A path that needs no memory of the program.
#[derive(Clone, Copy, Debug)]
struct Path {
    bytes: [u8; PATH_MAX],
    length: usize,
}

impl Path {
    fn set(&mut self, folder: &[u8], program: &[u8], run: u32) {
        let mut digits = [0; 10];
        let mut first = digits.len();
        let mut rest = run;
        while first == digits.len() || rest > 0 {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        self.length = 0;
        for part in [folder, b"/", program, b".cll.", &digits[first..], b".dat", b"\0"] {
            // One that is too long has no zero byte at its end.
            let count = part.len().min(PATH_MAX - self.length);
            self.bytes[self.length..self.length + count].copy_from_slice(&part[..count]);
            self.length += count;
        }
    }

    fn bytes(&self) -> &[u8] {
        self.c_str().map_or(&self.bytes, CStr::to_bytes)
    }

    fn c_str(&self) -> Option<&CStr> {
        CStr::from_bytes_with_nul(&self.bytes[..self.length]).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr;

    #[test]
    fn runs_count_up_and_a_path_that_is_too_long_is_an_error() {
        let mut path = TraceFile::new().path;
        path.set(b"/tmp", b"prog", 120);
        assert_eq!(path.bytes(), b"/tmp/prog.cll.120.dat");
        path.set(b".", b"p", 0);
        assert_eq!(path.bytes(), b"./p.cll.0.dat");
        path.set(&[b'x'; 5000], b"p", 0);
        assert!(path.c_str().is_none());
        let failed = TraceFile::new().create(&[b'x'; 5000], b"p");
        assert_eq!(failed, Err(failure("create", libc::ENAMETOOLONG)));
    }

    #[test]
    fn a_file_that_was_cut_or_closed_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().to_str().unwrap().as_bytes();
        let mut file = TraceFile::new();
        file.create(folder, b"prog").unwrap();
        // SAFETY: new mappings.
        let add = |file: &mut TraceFile| unsafe { file.add(1 << 16, ptr::null_mut()) };
        add(&mut file).unwrap();
        sys::close(file.fd);
        add(&mut file).unwrap();
        assert_eq!(file.end, 2 << 16);
        sys::cut(file.fd, 4096);
        assert_eq!(add(&mut file).unwrap_err(), LOST);
        let mut second = TraceFile::new();
        second.create(folder, b"prog").unwrap();
        assert!(second.path.bytes().ends_with(b"/prog.cll.1.dat"));
    }
}
