//! System calls for the library: none is a cancellation point (the caller is `Inside`, which blocks the signal
//! that cancels), none allocates.

use std::ffi::{CStr, c_int};
use std::io::IoSlice;
use std::ptr;

use rustix::fd::{BorrowedFd, IntoRawFd};
use rustix::fs::{FallocateFlags, FlockOperation, Mode, OFlags};
use rustix::io::Errno as Error;
use rustix::mm::{Advice, MapFlags, ProtFlags};
use rustix::process::{Pid, Resource};
use rustix::thread::NanosleepRelativeResult;

use cll_contract::{ValueKind, Variable, WrongValue};

/// An error number.
pub type Errno = c_int;

/// Size of a page, and the unit of blocks in a file.
pub const PAGE: usize = 4096;

/// The lowest number of our descriptors, beyond those of the program.
const HIGH_FD: c_int = 480;
const READ_WRITE: ProtFlags = ProtFlags::READ.union(ProtFlags::WRITE);

fn number(error: Error) -> Errno {
    error.raw_os_error()
}

/// The result of a system call.
pub fn check(result: i64) -> Result<i64, Errno> {
    match result {
        // SAFETY: the location belongs to this thread.
        -1 => Err(unsafe { *libc::__errno_location() }),
        result => Ok(result),
    }
}

/// Text of an error number.
pub fn describe(error: Errno, buffer: &mut [u8; 96]) -> &[u8] {
    // SAFETY: the length is passed.
    let known = unsafe { libc::strerror_r(error, buffer.as_mut_ptr().cast(), buffer.len()) } == 0;
    let length = buffer.iter().position(|&byte| byte == 0).unwrap_or(0);
    if known { &buffer[..length] } else { b"unknown error" }
}

/// A descriptor of ours, for one call; an error if it is -1.
fn borrowed(fd: c_int) -> Result<BorrowedFd<'static>, Errno> {
    if fd < 0 {
        return Err(libc::EBADF);
    }
    // SAFETY: not -1. The call ends before the caller closes the descriptor.
    Ok(unsafe { BorrowedFd::borrow_raw(fd) })
}

/// Creates a file that did not exist, for reading and writing.
pub fn create(path: &CStr) -> Result<c_int, Errno> {
    open(path, libc::O_CREAT | libc::O_EXCL)
}

/// Opens a file for reading and writing, if it is not a link. The descriptor gets a high number if possible,
/// and is closed on exec.
pub fn open(path: &CStr, flags: c_int) -> Result<c_int, Errno> {
    open_file(path, flags | libc::O_RDWR | libc::O_NOFOLLOW)
}

/// Opens an existing file of the system, as [`open`].
pub fn open_file(path: &CStr, flags: c_int) -> Result<c_int, Errno> {
    let flags = OFlags::from_bits_retain(flags as u32) | OFlags::CLOEXEC | OFlags::NOCTTY;
    let fd = rustix::fs::open(path, flags, Mode::from_raw_mode(0o666)).map_err(number)?;
    Ok(raise(fd.into_raw_fd()))
}

/// The same file with a high descriptor, if possible.
pub fn raise(fd: c_int) -> c_int {
    let high = borrowed(fd)
        .and_then(|borrowed| rustix::io::fcntl_dupfd_cloexec(borrowed, HIGH_FD).map_err(number));
    match high {
        Ok(high) => {
            close(fd);
            high.into_raw_fd()
        }
        Err(_) => fd,
    }
}

/// Locks a file or folder for this process, if no other process has locked it.
pub fn lock(fd: c_int) -> Result<(), Errno> {
    rustix::fs::flock(borrowed(fd)?, FlockOperation::NonBlockingLockExclusive).map_err(number)
}

/// Closes a descriptor of ours.
pub fn close(fd: c_int) {
    if fd >= 0 {
        // SAFETY: nobody else uses the descriptor.
        unsafe { rustix::io::close(fd) };
    }
}

/// The identity of a file, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    pub device: u64,
    pub inode: u64,
}

/// Identity and length of an open file.
pub fn identify(fd: c_int) -> Result<(Identity, u64), Errno> {
    let stat = rustix::fs::fstat(borrowed(fd)?).map_err(number)?;
    Ok((Identity { device: stat.st_dev, inode: stat.st_ino }, stat.st_size as u64))
}

/// Extends the file to `length` bytes from `from` on, and reserves the disk space. A limit of the program
/// (`RLIMIT_FSIZE`) is an error, without a signal.
pub fn grow(fd: c_int, from: u64, length: u64) -> Result<(), Errno> {
    within_limit(from + length)?;
    loop {
        match rustix::fs::fallocate(borrowed(fd)?, FallocateFlags::empty(), from, length) {
            Err(Error::INTR) => {}
            Err(Error::OPNOTSUPP | Error::NOSYS) => break,
            other => return other.map_err(number),
        }
    }
    // This file system has no such call: written bytes have their space.
    static ZEROS: [u8; PAGE] = [0; PAGE];
    let mut offset = from;
    while offset < from + length {
        let count = (from + length - offset).min(PAGE as u64);
        write_at(fd, offset, [&ZEROS[..count as usize], &[]])?;
        offset += count;
    }
    Ok(())
}

/// Extends the file with zeros that use no disk space yet. A limit of the program is an error, without a
/// signal.
pub fn lengthen(fd: c_int, length: u64) -> Result<(), Errno> {
    within_limit(length)?;
    set_length(fd, length)
}

fn set_length(fd: c_int, length: u64) -> Result<(), Errno> {
    rustix::fs::ftruncate(borrowed(fd)?, length).map_err(number)
}

/// Cuts the file; an error does not matter.
pub fn cut(fd: c_int, length: u64) {
    let _ = set_length(fd, length);
}

/// Writes two pieces at an offset of a file. A limit of the program is an error, without a signal.
pub fn write_at(fd: c_int, offset: u64, parts: [&[u8]; 2]) -> Result<(), Errno> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    within_limit(offset + length as u64)?;
    let mut done = 0;
    while done < length {
        let first = &parts[0][done.min(parts[0].len())..];
        let second = &parts[1][done.saturating_sub(parts[0].len()).min(parts[1].len())..];
        let pieces = [IoSlice::new(first), IoSlice::new(second)];
        match rustix::io::pwritev(borrowed(fd)?, &pieces, offset + done as u64) {
            Err(Error::INTR) => {}
            Ok(0) => return Err(libc::ENOSPC),
            wrote => done += wrote.map_err(number)?,
        }
    }
    Ok(())
}

fn within_limit(length: u64) -> Result<(), Errno> {
    match rustix::process::getrlimit(Resource::Fsize).current {
        Some(limit) if length > limit => Err(libc::EFBIG),
        _ => Ok(()),
    }
}

/// Maps part of a file, shared.
pub fn map(fd: c_int, offset: u64, length: usize) -> Result<*mut u8, Errno> {
    let flags = MapFlags::SHARED | MapFlags::NORESERVE;
    // SAFETY: a new mapping.
    let memory = unsafe {
        rustix::mm::mmap(ptr::null_mut(), length, READ_WRITE, flags, borrowed(fd)?, offset)
    };
    memory.map(|memory| memory.cast()).map_err(number)
}

/// Removes a mapping.
///
/// # Safety
/// Nobody may use it.
pub unsafe fn unmap(memory: *mut u8, length: usize) {
    // SAFETY: by the caller. It does not fail for our mappings.
    let _ = unsafe { rustix::mm::munmap(memory.cast(), length) };
}

/// Maps the beginning of a file for reading.
pub fn map_to_read(fd: c_int, length: usize) -> Result<*mut u8, Errno> {
    let (protection, flags) = (ProtFlags::READ, MapFlags::SHARED);
    // SAFETY: a new mapping.
    let memory =
        unsafe { rustix::mm::mmap(ptr::null_mut(), length, protection, flags, borrowed(fd)?, 0) };
    memory.map(|memory| memory.cast()).map_err(number)
}

/// Pages of our own, zero.
pub fn pages(length: usize) -> Result<*mut u8, Errno> {
    // SAFETY: a new mapping.
    let memory = unsafe {
        rustix::mm::mmap_anonymous(ptr::null_mut(), length, READ_WRITE, MapFlags::PRIVATE)
    };
    memory.map(|memory| memory.cast()).map_err(number)
}

/// Populates the pages of a shared mapping for writing, so that no region pays for page faults; `Err` if the
/// memory or the disk space is not available.
pub fn populate(memory: *mut u8, length: usize) -> Result<(), Errno> {
    // SAFETY: the mapping is ours; the call changes no byte.
    match unsafe { rustix::mm::madvise(memory.cast(), length, Advice::LinuxPopulateWrite) } {
        // Before Linux 5.14: each page is populated when it is first written.
        Err(Error::INVAL) => Ok(()),
        Err(Error::FAULT) => Err(libc::ENOSPC),
        other => other.map_err(number),
    }
}

/// Reads at an offset of a file. Returns the number of bytes.
pub fn read_at(fd: c_int, offset: u64, into: &mut [u8]) -> Result<usize, Errno> {
    rustix::io::pread(borrowed(fd)?, into, offset).map_err(number)
}

/// Reads words at the current position of a file. Returns the number of bytes. It uses `syscall` of libc, as
/// the opening of counters does: a test replaces both.
pub fn read_words(fd: c_int, into: &mut [u64]) -> Result<usize, Errno> {
    // SAFETY: the words have the given length, and all bits are valid.
    let got = unsafe { libc::syscall(libc::SYS_read, fd, into.as_mut_ptr(), size_of_val(into)) };
    check(got).map(|got| got as usize)
}

/// Writes at the current position of a file, all or nothing.
pub fn write(fd: c_int, bytes: &[u8]) -> Result<(), Errno> {
    rustix::io::write(borrowed(fd)?, bytes).map(drop).map_err(number)
}

/// Copies from an address that may be unmapped. Returns whether it could.
pub fn peek(address: usize, into: &mut [u8]) -> bool {
    let local = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
    let remote = libc::iovec { iov_base: address as *mut _, iov_len: into.len() };
    // SAFETY: the kernel checks `address` and fails if nothing is mapped.
    let got = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    got == into.len() as isize
}

/// Number of the calling thread.
pub fn thread() -> libc::pid_t {
    rustix::thread::gettid().as_raw_nonzero().get()
}

/// Ends the process without exit handlers. `_exit` may be ours, which checks whether it may be called.
pub fn end_process(status: c_int) -> ! {
    loop {
        // SAFETY: ends all threads.
        unsafe { libc::syscall(libc::SYS_exit_group, status) };
    }
}

/// ID of this process, never a cached one.
pub fn pid() -> u32 {
    rustix::process::getpid().as_raw_nonzero().get() as u32
}

/// ID of the parent.
pub fn parent_pid() -> u32 {
    Pid::as_raw(rustix::process::getppid()) as u32
}

/// Whether a process is known to be gone.
pub fn is_gone(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| rustix::process::test_kill_process(pid) == Err(Error::SRCH))
}

/// The core on which the thread runs, `u32::MAX` if unknown.
pub fn processor() -> u32 {
    // SAFETY: it cannot fail in a relevant way. It reads a page of the system, without a call.
    unsafe { libc::sched_getcpu() as u32 }
}

/// Number of threads of this process; 0 if not known.
pub fn threads() -> u64 {
    // One folder for each, and the two that every folder has.
    rustix::fs::stat(c"/proc/self/task").map_or(0, |stat| stat.st_nlink.saturating_sub(2))
}

/// How many times the calling thread was switched out since it began.
pub fn switches() -> u64 {
    let usage = usage();
    (usage.ru_nvcsw as u64).wrapping_add(usage.ru_nivcsw as u64)
}

/// How many of these were involuntary.
pub fn switches_against_its_will() -> u64 {
    usage().ru_nivcsw as u64
}

fn usage() -> libc::rusage {
    // SAFETY: all zeros is a valid value; the call writes only to it.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_THREAD, &mut usage);
        usage
    }
}

/// A clock of the system, in nanoseconds.
pub fn clock_ns(clock: libc::clockid_t) -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes only to `now`.
    unsafe { libc::clock_gettime(clock, &mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// Sleeps for about this time.
pub fn sleep_ns(nanoseconds: u64) {
    let time = rustix::thread::Timespec { tv_sec: 0, tv_nsec: nanoseconds.min(999_999_999) as i64 };
    // A signal may end it early.
    let _: NanosleepRelativeResult = rustix::thread::nanosleep(&time);
}

/// The value of one of our variables.
pub fn setting<K: ValueKind>(
    variable: &Variable<K>,
) -> Result<Option<K::Value<'static>>, WrongValue<'static>> {
    variable.read(self::variable(variable.c_name()))
}

/// As [`setting`]; an invalid value counts as not set.
pub fn setting_or_none<K: ValueKind>(variable: &Variable<K>) -> Option<K::Value<'static>> {
    setting(variable).ok().flatten()
}

/// A variable of the environment; none in a program with more rights than its user.
pub fn variable(name: &CStr) -> Option<&'static [u8]> {
    variable_c(name).map(CStr::to_bytes)
}

/// As [`variable`], with the zero byte at its end.
pub fn variable_c(name: &CStr) -> Option<&'static CStr> {
    unsafe extern "C" {
        fn secure_getenv(name: *const std::ffi::c_char) -> *const std::ffi::c_char;
    }
    // SAFETY: both are strings of C. The value is read before the program runs.
    unsafe {
        let value = secure_getenv(name.as_ptr());
        (!value.is_null()).then(|| CStr::from_ptr(value))
    }
}
