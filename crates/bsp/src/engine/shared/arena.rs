//! The memory that all processors of a machine share.
//!
//! One file without a name (memfd), mapped at the same address in all of them before they fork: a control
//! block, and a window for each processor, from which only that processor allocates. Most of it is never
//! touched and uses no memory.

use std::io;
use std::mem::{align_of, size_of};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64};

use super::barrier::{Barrier, CacheLine, Gate};
use super::control::{Control, ProcessorState};
use super::page::PAGE;
use super::rings::waiters::{SleepWord, WaitReport};
use crate::maker::Maker;

/// Largest and smallest window, in bytes.
const WINDOWS: (usize, usize) = (1 << 40, 64 << 20);
/// All windows together, at most.
const ALL_WINDOWS: usize = 16 << 40;

/// The mapped memory; unmapped when dropped.
#[derive(Debug)]
pub(crate) struct Arena {
    base: NonNull<u8>,
    file: OwnedFd,
    inode: u64,
    /// Cores that the machine may use.
    cores: usize,
    layout: Layout,
}

// SAFETY: its contents are accessed through atomics, or by one processor at a time as the engine ensures.
unsafe impl Send for Arena {}
// SAFETY: as above.
unsafe impl Sync for Arena {}

/// Offsets of the regions from the base, in bytes.
#[derive(Clone, Copy, Debug)]
struct Layout {
    processors: usize,
    processor_states: usize,
    lines: usize,
    gates: usize,
    stamps: usize,
    sleep_words: usize,
    wait_reports: usize,
    arrivals: usize,
    starts: usize,
    queue: usize,
    windows: usize,
    window: usize,
}

/// Words with one bit for each processor, rounded up to whole cache lines.
fn arrival_words(processors: usize) -> usize {
    processors.div_ceil(64).next_multiple_of(8)
}

impl Layout {
    fn new(processors: usize, window: usize) -> Layout {
        let mut end = 0usize;
        let mut place = |size: usize, align: usize| {
            let offset = end.next_multiple_of(align);
            end = offset + size;
            offset
        };
        place(size_of::<Control>(), align_of::<Control>());
        let processor_states =
            place(processors * size_of::<ProcessorState>(), align_of::<ProcessorState>());
        let lines =
            place(Barrier::lines(processors) * size_of::<CacheLine>(), align_of::<CacheLine>());
        let gates = place(Barrier::GATES * size_of::<Gate>(), align_of::<Gate>());
        let stamps = place(2 * processors * processors * size_of::<AtomicU64>(), PAGE);
        let sleep_words = place(processors * size_of::<SleepWord>(), PAGE);
        let wait_reports = place(processors * size_of::<WaitReport>(), PAGE);
        let arrivals = place(processors * arrival_words(processors) * size_of::<AtomicU64>(), PAGE);
        let starts = place(processors * processors * size_of::<AtomicU64>(), PAGE);
        let queue = place(processors * size_of::<AtomicU32>(), PAGE);
        let windows = place(0, 2 << 20);
        Layout {
            processors,
            processor_states,
            lines,
            gates,
            stamps,
            sleep_words,
            wait_reports,
            arrivals,
            starts,
            queue,
            windows,
            window,
        }
    }

    fn size(&self) -> usize {
        self.windows + self.processors * self.window
    }
}

impl Arena {
    /// Memory for `processors` processors, with the largest windows that the system permits.
    pub fn new(processors: usize) -> io::Result<Arena> {
        let mut window = (ALL_WINDOWS / processors).min(WINDOWS.0) & !((2 << 20) - 1);
        loop {
            match Arena::with_layout(Layout::new(processors, window)) {
                Err(_) if window > WINDOWS.1 => window = (window / 4).max(WINDOWS.1),
                result => return result,
            }
        }
    }

    /// Maps the memory that another process has made; `window`: size of its windows.
    pub fn from_file(file: OwnedFd, processors: usize, window: usize) -> io::Result<Arena> {
        // SAFETY: the descriptor is open.
        unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFD, libc::FD_CLOEXEC) };
        Arena::map(file, Layout::new(processors, window))
    }

    fn with_layout(layout: Layout) -> io::Result<Arena> {
        // SAFETY: the name is a string of C.
        let file = unsafe { libc::memfd_create(c"cll-bsp".as_ptr(), libc::MFD_CLOEXEC) };
        if file < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it is open and ours.
        let file = unsafe { OwnedFd::from_raw_fd(file) };
        check_file_size(layout.size())?;
        // SAFETY: the descriptor is open.
        if unsafe { libc::ftruncate(file.as_raw_fd(), layout.size() as libc::off_t) } < 0 {
            return Err(io::Error::last_os_error());
        }
        let arena = Arena::map(file, layout)?;
        arena.control().set_maker(Maker::this());
        Ok(arena)
    }

    fn map(file: OwnedFd, layout: Layout) -> io::Result<Arena> {
        let (access, kind) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_NORESERVE);
        // SAFETY: a new mapping, which nobody uses yet.
        let base = unsafe {
            libc::mmap(std::ptr::null_mut(), layout.size(), access, kind, file.as_raw_fd(), 0)
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        // A program that crashes should not leave all of it in its core file.
        // SAFETY: the mapping is ours. If this fails, core files are large.
        unsafe { libc::madvise(base, layout.size(), libc::MADV_DONTDUMP) };
        let base = NonNull::new(base.cast()).ok_or_else(io::Error::last_os_error)?;
        // SAFETY: all zero is a valid value, which the call fills.
        let inode = unsafe {
            let mut about: libc::stat = std::mem::zeroed();
            libc::fstat(file.as_raw_fd(), &raw mut about);
            about.st_ino
        };
        Ok(Arena { base, file, inode, cores: cores(), layout })
    }

    /// Size of all of it, in bytes.
    pub fn size(&self) -> usize {
        self.layout.size()
    }

    pub fn base(&self) -> *mut u8 {
        self.base.as_ptr()
    }

    pub fn descriptor(&self) -> std::os::fd::RawFd {
        self.file.as_raw_fd()
    }

    /// Cores that the machine may use, determined when it was made.
    pub fn cores(&self) -> usize {
        self.cores
    }

    /// The inode of the file, by which its mappings are recognised.
    pub fn inode(&self) -> u64 {
        self.inode
    }

    pub fn processors(&self) -> usize {
        self.layout.processors
    }

    fn pointer_at<T>(&self, offset: usize) -> *mut T {
        // SAFETY: offsets come from `Layout`.
        unsafe { self.base.as_ptr().add(offset).cast() }
    }

    pub fn control(&self) -> &Control {
        // SAFETY: it is there; all zero is a valid value, and it has atomics only.
        unsafe { &*self.pointer_at(0) }
    }

    pub fn processor_states(&self) -> &[ProcessorState] {
        // SAFETY: as for `control`.
        unsafe {
            std::slice::from_raw_parts(
                self.pointer_at(self.layout.processor_states),
                self.layout.processors,
            )
        }
    }

    /// The last even or odd superstep in which processor `from` had something for `to`. The stamps for one
    /// receiver are contiguous.
    pub fn stamp(&self, is_odd: bool, to: usize, from: usize) -> &AtomicU64 {
        let count = self.layout.processors;
        let index = (usize::from(is_odd) * count + to) * count + from;
        // SAFETY: as for `control`.
        unsafe { &*self.pointer_at::<AtomicU64>(self.layout.stamps).add(index) }
    }

    /// The words on which processors sleep until something comes through channels.
    pub fn sleep_words(&self) -> &[SleepWord] {
        // SAFETY: as for `control`.
        unsafe {
            std::slice::from_raw_parts(
                self.pointer_at(self.layout.sleep_words),
                self.layout.processors,
            )
        }
    }

    /// Returns the reports of waiting processors about themselves.
    pub fn wait_reports(&self) -> &[WaitReport] {
        // SAFETY: as for `control`.
        unsafe {
            std::slice::from_raw_parts(
                self.pointer_at(self.layout.wait_reports),
                self.layout.processors,
            )
        }
    }

    /// One bit for each processor that has sent something to this one through its channel.
    pub fn arrivals(&self, to: usize) -> &[AtomicU64] {
        let words = arrival_words(self.layout.processors);
        // SAFETY: as for `control`.
        unsafe {
            let first = self.pointer_at::<AtomicU64>(self.layout.arrivals).add(to * words);
            std::slice::from_raw_parts(first, words)
        }
    }

    /// Offset of the beginning of the channel between two processors; 0: nothing was sent yet. Those to one
    /// receiver are contiguous.
    pub fn start(&self, from: usize, to: usize) -> &AtomicU64 {
        // SAFETY: as for `control`.
        unsafe {
            &*self
                .pointer_at::<AtomicU64>(self.layout.starts)
                .add(to * self.layout.processors + from)
        }
    }

    /// An entry of the queue for turns; `number`: how many entries were made before it.
    pub fn queue(&self, number: u64) -> &AtomicU32 {
        let index = number as usize % self.layout.processors;
        // SAFETY: as for `control`.
        unsafe { &*self.pointer_at::<AtomicU32>(self.layout.queue).add(index) }
    }

    /// Wakes all sleeping processors, for another reason than the condition they wait for.
    pub fn wake_all(&self) {
        self.barrier(self.processors(), 1).wake_all();
        self.sleep_words().iter().for_each(SleepWord::wake);
        self.control().turns.wake_all(self);
    }

    /// The barrier of the first `processors` processors.
    pub fn barrier(&self, processors: usize, cores: usize) -> Barrier<'_> {
        // SAFETY: as for `control`.
        let (lines, gates) = unsafe {
            let lines = self.pointer_at::<CacheLine>(self.layout.lines);
            (
                std::slice::from_raw_parts(lines, Barrier::lines(processors)),
                std::slice::from_raw_parts(
                    self.pointer_at::<Gate>(self.layout.gates),
                    Barrier::GATES,
                ),
            )
        };
        Barrier::new(lines, gates, processors, cores)
    }

    /// Offset and size of a processor's window.
    pub fn window(&self, processor: usize) -> (usize, usize) {
        (self.layout.windows + processor * self.layout.window, self.layout.window)
    }

    /// Maps pages of the arena at an address, replacing what is there.
    ///
    /// # Safety
    /// The contents have been copied to these pages, and nobody writes to them meanwhile.
    pub unsafe fn map_at(&self, address: usize, offset: usize, size: usize) -> bool {
        let kind = libc::MAP_SHARED | libc::MAP_FIXED | libc::MAP_POPULATE;
        // SAFETY: by the caller.
        let mapped = unsafe {
            libc::mmap(
                address as *mut libc::c_void,
                size,
                libc::PROT_READ | libc::PROT_WRITE,
                kind,
                self.file.as_raw_fd(),
                offset as libc::off_t,
            )
        };
        mapped as usize == address
    }

    /// Populates pages, so that their first use causes no page fault. Before Linux 5.14 it has no effect.
    pub fn bring_in(&self, offset: usize, size: usize) {
        let begin = offset & !(PAGE - 1);
        // SAFETY: the mapping is ours; the call changes no byte.
        unsafe {
            libc::madvise(self.pointer_at(begin), offset + size - begin, libc::MADV_POPULATE_READ)
        };
    }

    /// Populates what is before the windows.
    pub fn bring_in_what_all_use(&self) {
        self.bring_in(0, self.layout.queue + PAGE);
    }

    /// Releases pages; they read as zero afterwards.
    pub fn release(&self, offset: usize, size: usize) {
        let how = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        // SAFETY: the descriptor is open. If it fails, the memory stays in use.
        unsafe { libc::fallocate(self.file.as_raw_fd(), how, offset as _, size as _) };
    }

    /// Releases everything but these ranges of offsets, given in ascending order.
    pub fn release_all_but(&self, kept: &[(usize, usize)]) {
        let mut from = 0;
        for &(offset, size) in kept {
            self.release(from, offset - from);
            from = offset + size;
        }
        self.release(from, self.layout.size() - from);
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and nobody has a reference into it that outlives it.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.layout.size()) };
    }
}

/// The system would answer a file beyond the limit with a signal that ends the program.
fn check_file_size(size: usize) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is ours.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) } == 0;
    if known && limit.rlim_cur < size as libc::rlim_t {
        let text = format!("files may have {} bytes at most (ulimit -f)", limit.rlim_cur);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    Ok(())
}

/// Cores that this process may use.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
