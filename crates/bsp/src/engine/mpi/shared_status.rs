//! The state that the processes on one host share: whether the program was stopped, and where each process is.
//!
//! The state is in memory of the first process; the others get it through MPI. The process that watches a process
//! (`watch.c` of the C library) has it, too.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::*};

use super::transport::{MpiError, Transport};

/// As in `watch.c`.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct RankState {
    pub process: AtomicU32,
    pub rank: AtomicU32,
    pub processors: AtomicU32,
    stage: AtomicU32,
    line: AtomicU32,
    padding: AtomicU32,
    /// Written by the watching process when its process has ended.
    ended: AtomicU64,
    file: [AtomicU8; 96],
}

/// As in `watch.c`.
#[repr(C)]
#[derive(Debug)]
struct StatusHead {
    stopped: AtomicU32,
    gone: AtomicU32,
    ranks: AtomicU32,
    padding: [AtomicU32; 29],
}

// The sizes in `watch.c`.
const _: () = assert!(size_of::<StatusHead>() == 128 && size_of::<RankState>() == 128);

/// The state of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Running = 1,
    Ended = 2,
}

/// The shared memory.
#[derive(Debug)]
pub(crate) struct SharedNode {
    head: *const StatusHead,
    own: usize,
    ranks: usize,
    file: Option<OwnedFd>,
}

// SAFETY: it has atomics only, which exist as long as the process.
unsafe impl Send for SharedNode {}
// SAFETY: the same.
unsafe impl Sync for SharedNode {}

impl SharedNode {
    /// Called by all processes of a host, with their number among them.
    pub fn new(transport: &Transport, own: usize, ranks: usize) -> Result<SharedNode, NodeError> {
        let size = size_of::<StatusHead>() + ranks * size_of::<RankState>();
        let memory = if own == 0 { Some(make(size)?) } else { None };
        let mut named = match &memory {
            Some(file) => [std::process::id(), file.as_raw_fd() as u32],
            None => [0, 0],
        };
        transport.share_on_node(&mut named).map_err(NodeError::Mpi)?;
        // If that cannot be opened (another namespace, no /proc), each has its own memory.
        let file = match memory {
            Some(file) => file,
            None => open(named[0], named[1]).or_else(|_| make(size))?,
        };
        // SAFETY: a new mapping of a file that has this size.
        let head = unsafe {
            let flags = libc::PROT_READ | libc::PROT_WRITE;
            let fd = file.as_raw_fd();
            libc::mmap(std::ptr::null_mut(), size, flags, libc::MAP_SHARED, fd, 0)
        };
        if head == libc::MAP_FAILED {
            return Err(io::Error::last_os_error().into());
        }
        let node = SharedNode { head: head.cast(), own, ranks, file: Some(file) };
        node.head().ranks.store(ranks as u32, Release);
        node.rank_state().process.store(std::process::id(), Release);
        Ok(node)
    }

    /// The file, until [`SharedNode::close`].
    pub fn file(&self) -> Option<&OwnedFd> {
        self.file.as_ref()
    }

    /// Called when all have mapped it.
    pub fn close(&mut self) {
        self.file = None;
    }

    fn head(&self) -> &StatusHead {
        // SAFETY: it is mapped as long as the process exists.
        unsafe { &*self.head }
    }

    /// The state of this process.
    pub fn rank_state(&self) -> &RankState {
        // SAFETY: the header is followed by one for each process.
        unsafe { &*self.head.add(1).cast::<RankState>().add(self.own) }
    }

    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.head().stopped.load(Relaxed) != 0
    }

    /// Stops all processes. Returns whether this call was the first on this host.
    pub fn stop(&self) -> bool {
        self.head().stopped.swap(1, SeqCst) == 0
    }

    /// Records that this process is about to end, since the program was stopped.
    pub fn go(&self) {
        self.head().gone.fetch_add(1, AcqRel);
    }

    /// Whether all others on this host are about to end.
    pub fn others_are_gone(&self) -> bool {
        self.head().gone.load(Acquire) as usize + 1 >= self.ranks
    }
}

impl RankState {
    pub fn set_stage(&self, stage: Stage) {
        self.stage.store(stage as u32, Release);
    }

    pub fn set_line(&self, line: u32) {
        self.line.store(line, Relaxed);
    }

    /// The file of the last synchronisation; only its end if the name is long.
    pub fn set_file(&self, name: &str) {
        let bytes = name.as_bytes();
        let from = bytes.len().saturating_sub(self.file.len() - 1);
        for (to, &byte) in self.file.iter().zip(bytes[from..].iter().chain(&[0])) {
            to.store(byte, Relaxed);
        }
    }
}

/// Why the processes of a host cannot share memory.
#[derive(Debug)]
pub(crate) enum NodeError {
    Mpi(MpiError),
    System(io::Error),
}

impl From<io::Error> for NodeError {
    fn from(error: io::Error) -> NodeError {
        NodeError::System(error)
    }
}

fn make(size: usize) -> io::Result<OwnedFd> {
    // SAFETY: plain calls; the descriptor is ours.
    unsafe {
        let fd = libc::memfd_create(c"cll-mpi".as_ptr(), libc::MFD_CLOEXEC);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        let file = OwnedFd::from_raw_fd(fd);
        match libc::ftruncate(fd, size as libc::off_t) {
            0 => Ok(file),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

fn open(process: u32, descriptor: u32) -> io::Result<OwnedFd> {
    let file = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(format!("/proc/{process}/fd/{descriptor}"))?;
    Ok(file.into())
}
