//! The trace file of a process without `cll run`. The block in use is a mapped part of the file, and full blocks are
//! copied to its end: that costs 16 µs, to map a new part for each block 90 µs of page faults.

use std::ffi::{CStr, c_int};

use cll_trace::clock::ClockPair;
use cll_trace::layout::{BlockHeader, FLAG_COPY, FLAG_SEALED, HEADER_SIZE, KIND_META, round_up};
use cll_trace::live::SLOT_SIZE;

use crate::message::Message;
use crate::sys::{self, Errno, Identity, PAGE};

use super::{Block, Member};

/// The longest path, with the zero byte.
const PATH_MAX: usize = 4096;
/// Runs of a program in one folder, at most.
const RUNS: u32 = 1_000_000;

/// The trace file of this process.
///
/// Each thread writes to a live block, a mapped part of the file, so that the records of a killed process
/// remain. When it is full a copy is added at the file's end and the live block begins anew: this costs a fifth
/// of a new mapping each time.
///
/// It does not move: a path is longer than the stack of some signal handlers.
#[derive(Debug)]
pub struct TraceFile {
    /// -1 if there is none.
    fd: c_int,
    identity: Identity,
    path: Path,
    /// The length of the file; the next block begins there.
    end: u64,
}

/// The operation on the file that failed, and why.
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
        }
    }

    /// Creates `FOLDER/PROGRAM.cll.RUN.dat` with the lowest RUN that does not exist.
    pub fn create(&mut self, folder: &[u8], program: &[u8]) -> Result<(), Failure> {
        for run in 0..RUNS {
            self.path.set(folder, program, run, None);
            if self.is_created()? {
                return Ok(());
            }
        }
        Err(failure("create", libc::EEXIST))
    }

    /// Creates `FOLDER/PROGRAM.cll.RUN.RANK.dat` for a process of a launch.
    pub fn create_of(
        &mut self,
        folder: &[u8],
        program: &[u8],
        member: &Member,
    ) -> Result<(), Failure> {
        for run in member.runs(folder, program) {
            self.path.set(folder, program, run, Some(member.rank));
            if self.is_created()? {
                return Ok(());
            }
        }
        Err(failure("create", libc::EEXIST))
    }

    /// Creates it, unless the path exists.
    fn is_created(&mut self) -> Result<bool, Failure> {
        self.end = 0;
        match self.path.c_str().ok_or(libc::ENAMETOOLONG).and_then(sys::create) {
            Err(libc::EEXIST) => Ok(false),
            Err(error) => Err(failure("create", error)),
            Ok(fd) => {
                self.fd = fd;
                let (identity, _) = sys::identify(fd).map_err(|error| failure("create", error))?;
                self.identity = identity;
                Ok(true)
            }
        }
    }

    /// The length.
    pub fn size(&self) -> u64 {
        self.end
    }

    /// The path of the file.
    pub fn path(&self) -> &[u8] {
        self.path.bytes()
    }

    /// Adds `cannot WHAT PATH: WHY`.
    pub fn describe(&self, failure: Failure, message: Message) -> Message {
        let message = message.text("cannot ").text(failure.what).text(" ").bytes(self.path.bytes());
        match failure.error {
            Some(error) => message.text(": ").error(error),
            None => message.text(": the program closed, cut or replaced it"),
        }
    }

    /// Adds a live block.
    pub fn live(&mut self) -> Result<Block, Failure> {
        self.check()?;
        self.align()?;
        let capacity = SLOT_SIZE as usize;
        sys::grow(self.fd, self.end, capacity as u64).map_err(|error| failure("write", error))?;
        let memory =
            sys::map(self.fd, self.end, capacity).map_err(|error| failure("map", error))?;
        self.end += capacity as u64;
        if let Err(error) = sys::populate(memory, capacity) {
            // SAFETY: nobody knows the mapping.
            unsafe { sys::unmap(memory, capacity) };
            return Err(failure("write", error));
        }
        Ok(Block { memory, capacity, slot: u32::MAX })
    }

    /// Adds a copy of the used part of a block, sealed at this time.
    ///
    /// # Safety
    /// The block is readable and nobody writes to it.
    pub unsafe fn append(&mut self, block: Block, time: ClockPair) -> Result<(), Failure> {
        self.check()?;
        // SAFETY: by the caller.
        let bytes = unsafe { std::slice::from_raw_parts(block.memory, block.capacity) };
        // If the program has overwritten the header, what follows it cannot be understood either.
        let header = BlockHeader::decode(bytes).filter(BlockHeader::is_plausible);
        let mut header = header.ok_or(DAMAGED)?;
        let used = header.used as usize;
        let capacity = round_up(HEADER_SIZE + used, 8);
        header.flags |= FLAG_SEALED | if header.kind == KIND_META { 0 } else { FLAG_COPY };
        header.capacity = capacity as u32;
        (header.ticks_seal, header.mono_seal) = (time.ticks, time.mono_ns);
        header.payload_crc = crc32fast::hash(&bytes[HEADER_SIZE..HEADER_SIZE + used]);
        header.header_crc = header.checksum();
        // If the process is killed in between, only zeros or an empty block are added: the live block still has
        // everything.
        sys::lengthen(self.fd, self.end + capacity as u64)
            .map_err(|error| failure("write", error))?;
        let block_parts = [&empty(capacity)[..], &bytes[HEADER_SIZE..capacity]];
        self.write(self.end, block_parts, capacity)?;
        self.write(self.end, [&header.encode(), &[]], HEADER_SIZE)?;
        self.end += capacity as u64;
        Ok(())
    }

    /// Forgets the file, which belongs to the parent.
    pub fn leave_to_parent(&mut self) {
        if self.is_ours() {
            sys::close(self.fd);
        }
        self.fd = -1;
    }

    /// Extends the file to a multiple of a page.
    fn align(&mut self) -> Result<(), Failure> {
        let mut gap = round_up(self.end as usize, PAGE) - self.end as usize;
        if gap == 0 {
            return Ok(());
        }
        if gap < HEADER_SIZE {
            gap += PAGE;
        }
        self.write(self.end, [&empty(gap), &[]], HEADER_SIZE)?;
        self.end += gap as u64;
        Ok(())
    }

    fn write(&self, offset: u64, parts: [&[u8]; 2], length: usize) -> Result<(), Failure> {
        sys::write_at(self.fd, offset, parts).map_err(|error| {
            if offset + length as u64 > self.end {
                sys::cut(self.fd, self.end);
            }
            failure("write", error)
        })
    }

    /// Programs close descriptors that they did not open; then the file is opened again.
    fn check(&mut self) -> Result<(), Failure> {
        if !self.is_ours() {
            let path = self.path.c_str().ok_or(libc::ENAMETOOLONG);
            let fd = path.and_then(|path| sys::open(path, 0));
            self.fd = fd.map_err(|_| LOST)?;
        }
        match sys::identify(self.fd) {
            Ok((identity, length)) if identity == self.identity && length >= self.end => Ok(()),
            _ => Err(LOST),
        }
    }

    fn is_ours(&self) -> bool {
        sys::identify(self.fd).is_ok_and(|(identity, _)| identity == self.identity)
    }
}

const LOST: Failure = Failure { what: "go on writing", error: None };
const DAMAGED: Failure = Failure { what: "go on writing", error: Some(libc::EBADMSG) };

/// The header of an empty block of `capacity` bytes.
fn empty(capacity: usize) -> [u8; HEADER_SIZE] {
    let mut header = BlockHeader {
        kind: KIND_META,
        flags: FLAG_SEALED,
        capacity: capacity as u32,
        ..BlockHeader::default()
    };
    header.header_crc = header.checksum();
    header.encode()
}

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
    fn set(&mut self, folder: &[u8], program: &[u8], run: u32, rank: Option<usize>) {
        let (mut run_digits, mut rank_digits) = ([0; 20], [0; 20]);
        let run = decimal(u64::from(run), &mut run_digits);
        let rank = rank.map(|rank| decimal(rank as u64, &mut rank_digits));
        let (dot, rank): (&[u8], &[u8]) = match rank {
            Some(rank) => (b".", rank),
            None => (b"", b""),
        };
        self.length = 0;
        for part in [folder, b"/", program, b".cll.", run, dot, rank, b".dat", b"\0"] {
            // A path that is too long has no zero byte at its end.
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

/// A number in digits.
fn decimal(number: u64, digits: &mut [u8; 20]) -> &[u8] {
    let mut first = digits.len();
    let mut rest = number;
    while first == digits.len() || rest > 0 {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    &digits[first..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Opening;

    #[test]
    fn runs_count_up_and_a_path_that_is_too_long_is_an_error() {
        let mut path = TraceFile::new().path;
        path.set(b"/tmp", b"prog", 120, None);
        assert_eq!(path.bytes(), b"/tmp/prog.cll.120.dat");
        path.set(b"/tmp", b"prog", 1, Some(27));
        assert_eq!(path.bytes(), b"/tmp/prog.cll.1.27.dat");
        path.set(b".", b"p", 0, None);
        assert_eq!(path.bytes(), b"./p.cll.0.dat");
        path.set(&[b'x'; 5000], b"p", 0, None);
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
        file.live().unwrap();
        sys::close(file.fd);
        file.live().unwrap();
        assert_eq!(file.end, 2 << 16);
        sys::cut(file.fd, 4096);
        assert_eq!(file.live().unwrap_err(), LOST);
        let mut second = TraceFile::new();
        second.create(folder, b"prog").unwrap();
        assert!(second.path.bytes().ends_with(b"/prog.cll.1.dat"));
    }

    #[test]
    fn copies_are_short_and_live_blocks_lie_at_pages() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = TraceFile::new();
        file.create(folder.path().to_str().unwrap().as_bytes(), b"prog").unwrap();
        let block = file.live().unwrap();
        let time = ClockPair { ticks: 1, mono_ns: 1 };
        let opening =
            Opening { kind: KIND_META, process: 9, thread: 0, sequence: 0, waited_ns: 0, time };
        for length in [10, 3920, 3990] {
            // SAFETY: the block is new and only known here.
            unsafe {
                block.open(opening);
                assert!(block.push(&vec![b' '; length]));
                file.append(block, time).unwrap();
            }
            let before = file.end;
            assert_eq!(before % 8, 0);
            file.live().unwrap();
            assert!(file.end.is_multiple_of(PAGE as u64) && file.end < before + (2 << 16));
        }
        let trace =
            cll_trace::read(std::fs::File::open(folder.path().join("prog.cll.0.dat")).unwrap());
        let trace = trace.unwrap();
        let lost: u64 = trace.damage.iter().map(|damage| damage.lost.get()).sum();
        // Zeros at the very end are no loss.
        assert_eq!((trace.bytes.get(), lost), (file.end, 2 << 16), "{:?}", trace.damage);
    }
}
