//! System calls as the library needs them: none is a point of cancellation
//! (the caller is `Inside`, which blocks the signal that cancels), none allocates.

use std::ffi::{CStr, c_int};
use std::ptr;

use cll_contract::{Kind, Variable, Wrong};

/// An error number.
pub type Errno = c_int;

/// Bytes of a page, and the unit in which blocks lie in a file.
pub const PAGE: usize = 4096;

const MADV_POPULATE_WRITE: c_int = 23;
/// Where our file descriptors go, out of the way of those of the program.
const HIGH_FD: c_int = 480;

/// The result of a system call.
pub fn check(result: i64) -> Result<i64, Errno> {
    match result {
        // SAFETY: the location is the thread's own.
        -1 => Err(unsafe { *libc::__errno_location() }),
        result => Ok(result),
    }
}

/// Text of an error number.
pub fn describe(error: Errno, buffer: &mut [u8; 96]) -> &[u8] {
    // SAFETY: the length is told.
    let known = unsafe { libc::strerror_r(error, buffer.as_mut_ptr().cast(), buffer.len()) } == 0;
    let length = buffer.iter().position(|&byte| byte == 0).unwrap_or(0);
    if known { &buffer[..length] } else { b"unknown error" }
}

/// Creates a file that was not there, for reading and writing.
pub fn create(path: &CStr) -> Result<c_int, Errno> {
    open(path, libc::O_CREAT | libc::O_EXCL)
}

/// Opens a file for reading and writing, if it is no link; the descriptor is a
/// high one where that can be had, and closed on exec.
pub fn open(path: &CStr, flags: c_int) -> Result<c_int, Errno> {
    let flags = flags | libc::O_RDWR | libc::O_CLOEXEC | libc::O_NOFOLLOW | libc::O_NOCTTY;
    // SAFETY: the path ends with a zero byte.
    let fd = check(unsafe {
        libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path.as_ptr(), flags, 0o666)
    })? as c_int;
    Ok(raise(fd))
}

/// Opens a file of the system that is there; as [`open`].
pub fn open_file(path: &CStr, flags: c_int) -> Result<c_int, Errno> {
    let flags = flags | libc::O_CLOEXEC | libc::O_NOCTTY;
    // SAFETY: the path ends with a zero byte.
    let fd =
        check(unsafe { libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path.as_ptr(), flags, 0) })?;
    Ok(raise(fd as c_int))
}

/// The same file under a high number, where that can be had.
pub fn raise(fd: c_int) -> c_int {
    // SAFETY: plain system calls on a descriptor of ours.
    unsafe {
        let high = libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, HIGH_FD);
        if high < 0 {
            return fd;
        }
        close(fd);
        high
    }
}

/// Locks a file or folder for this process, if nobody else has it locked.
pub fn lock(fd: c_int) -> Result<(), Errno> {
    // SAFETY: a plain system call.
    check(unsafe { libc::syscall(libc::SYS_flock, fd, libc::LOCK_EX | libc::LOCK_NB) }).map(drop)
}

/// Closes a descriptor of ours.
pub fn close(fd: c_int) {
    // SAFETY: nobody else uses the descriptor.
    unsafe { libc::syscall(libc::SYS_close, fd) };
}

/// What tells one file from another, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    pub device: u64,
    pub inode: u64,
}

/// Identity and length of an open file.
pub fn identify(fd: c_int) -> Result<(Identity, u64), Errno> {
    // SAFETY: all zeros is a valid `stat`, which the call fills.
    unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        check(i64::from(libc::fstat(fd, &mut stat)))?;
        Ok((Identity { device: stat.st_dev, inode: stat.st_ino }, stat.st_size as u64))
    }
}

/// Makes the file `length` bytes long from `from` on, on the disk and not only on
/// paper. A limit of the program (`RLIMIT_FSIZE`) is an error and no signal.
pub fn grow(fd: c_int, from: u64, length: u64) -> Result<(), Errno> {
    within_limit(from + length)?;
    // SAFETY: plain system calls; the buffer is as long as told.
    loop {
        match check(unsafe { libc::syscall(libc::SYS_fallocate, fd, 0, from, length) }) {
            Err(libc::EINTR) => {}
            Err(libc::EOPNOTSUPP | libc::ENOSYS) => break,
            other => return other.map(drop),
        }
    }
    // No such call on this file system: what is written has its room.
    static ZEROS: [u8; PAGE] = [0; PAGE];
    let mut at = from;
    while at < from + length {
        let count = (from + length - at).min(PAGE as u64);
        write_at(fd, at, [&ZEROS[..count as usize], &[]])?;
        at += count;
    }
    Ok(())
}

/// Makes the file longer, by zeros that take no room yet. A limit of the program is an error
/// and no signal.
pub fn lengthen(fd: c_int, length: u64) -> Result<(), Errno> {
    within_limit(length)?;
    // SAFETY: a plain system call.
    check(unsafe { libc::syscall(libc::SYS_ftruncate, fd, length) }).map(drop)
}

/// Cuts the file; an error is of no consequence.
pub fn cut(fd: c_int, length: u64) {
    // SAFETY: a plain system call.
    unsafe { libc::syscall(libc::SYS_ftruncate, fd, length) };
}

/// Writes two pieces at an offset of a file. A limit of the program is an error and no signal.
pub fn write_at(fd: c_int, at: u64, parts: [&[u8]; 2]) -> Result<(), Errno> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    within_limit(at + length as u64)?;
    let mut done = 0;
    while done < length {
        let left = |part: &[u8], skip: usize| {
            let rest = &part[skip.min(part.len())..];
            libc::iovec { iov_base: rest.as_ptr() as *mut _, iov_len: rest.len() }
        };
        let pieces = [left(parts[0], done), left(parts[1], done.saturating_sub(parts[0].len()))];
        let offset = at + done as u64;
        // SAFETY: both pieces are as long as told. The offset is given in two halves.
        let wrote = check(unsafe {
            libc::syscall(libc::SYS_pwritev, fd, pieces.as_ptr(), 2, offset, offset >> 32)
        });
        match wrote {
            Err(libc::EINTR) => {}
            Ok(0) => return Err(libc::ENOSPC),
            wrote => done += wrote? as usize,
        }
    }
    Ok(())
}

fn within_limit(length: u64) -> Result<(), Errno> {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: 0 };
    // SAFETY: writes to `limit` alone.
    unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) };
    match limit.rlim_cur != libc::RLIM_INFINITY && length > limit.rlim_cur {
        true => Err(libc::EFBIG),
        false => Ok(()),
    }
}

/// Maps part of a file, shared.
pub fn map(fd: c_int, at: u64, length: usize) -> Result<*mut u8, Errno> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_SHARED | libc::MAP_NORESERVE;
    // SAFETY: a new mapping.
    let memory =
        unsafe { libc::mmap(ptr::null_mut(), length, protection, flags, fd, at as libc::off_t) };
    match memory == libc::MAP_FAILED {
        true => Err(check(-1).unwrap_err()),
        false => Ok(memory.cast()),
    }
}

/// Takes a mapping away.
///
/// # Safety
/// Nobody may use it.
pub unsafe fn unmap(memory: *mut u8, length: usize) {
    // SAFETY: by the caller.
    unsafe { libc::munmap(memory.cast(), length) };
}

/// Maps the beginning of a file, to read from.
pub fn map_to_read(fd: c_int, length: usize) -> Result<*mut u8, Errno> {
    // SAFETY: a new mapping.
    let memory =
        unsafe { libc::mmap(ptr::null_mut(), length, libc::PROT_READ, libc::MAP_SHARED, fd, 0) };
    match memory == libc::MAP_FAILED {
        true => Err(check(-1).unwrap_err()),
        false => Ok(memory.cast()),
    }
}

/// Pages of our own, zero.
pub fn pages(length: usize) -> Result<*mut u8, Errno> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: a new mapping.
    let memory = unsafe { libc::mmap(ptr::null_mut(), length, protection, flags, -1, 0) };
    match memory == libc::MAP_FAILED {
        true => Err(check(-1).unwrap_err()),
        false => Ok(memory.cast()),
    }
}

/// Brings the pages of a shared mapping in, for writing, so that no region pays for
/// that; `Err` if the memory or the disk behind it cannot be had.
pub fn populate(memory: *mut u8, length: usize) -> Result<(), Errno> {
    // SAFETY: the mapping is ours; the call changes no byte.
    match check(i64::from(unsafe { libc::madvise(memory.cast(), length, MADV_POPULATE_WRITE) })) {
        // Before Linux 5.14: each page comes when it is first written.
        Err(libc::EINVAL) => Ok(()),
        Err(libc::EFAULT) => Err(libc::ENOSPC),
        other => other.map(drop),
    }
}

/// Reads at an offset of a file; how many bytes came.
pub fn read_at(fd: c_int, at: u64, into: &mut [u8]) -> Result<usize, Errno> {
    // SAFETY: the length is told.
    let got = unsafe { libc::syscall(libc::SYS_pread64, fd, into.as_mut_ptr(), into.len(), at) };
    check(got).map(|got| got as usize)
}

/// Reads from where a file is; how many bytes came.
pub fn read(fd: c_int, into: *mut u8, length: usize) -> Result<usize, Errno> {
    // SAFETY: the length is told.
    check(unsafe { libc::syscall(libc::SYS_read, fd, into, length) }).map(|got| got as usize)
}

/// Writes to where a file is, all in one piece or not at all.
pub fn write(fd: c_int, bytes: &[u8]) -> Result<(), Errno> {
    // SAFETY: the length is told.
    check(unsafe { libc::syscall(libc::SYS_write, fd, bytes.as_ptr(), bytes.len()) }).map(drop)
}

/// Copies from an address that may be gone; whether it could be.
pub fn peek(address: usize, into: &mut [u8]) -> bool {
    let local = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
    let remote = libc::iovec { iov_base: address as *mut _, iov_len: into.len() };
    // SAFETY: the kernel checks `address` itself and fails where nothing is.
    let got = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    got == into.len() as isize
}

/// Number of the calling thread.
pub fn thread() -> libc::pid_t {
    // SAFETY: a plain call.
    unsafe { libc::gettid() }
}

/// Ends the process; no function at exit runs. `_exit` may be one of ours, which asks whether it may be called.
pub fn end_process(status: c_int) -> ! {
    loop {
        // SAFETY: ends all threads.
        unsafe { libc::syscall(libc::SYS_exit_group, status) };
    }
}

/// Number of this process, never a remembered one.
pub fn pid() -> u32 {
    // SAFETY: cannot fail.
    unsafe { libc::syscall(libc::SYS_getpid) as u32 }
}

/// Number of the parent.
pub fn parent_pid() -> u32 {
    // SAFETY: cannot fail.
    unsafe { libc::getppid() as u32 }
}

/// Whether a process is known to be gone.
pub fn is_gone(pid: u32) -> bool {
    // SAFETY: signal 0 is none.
    pid != 0 && check(i64::from(unsafe { libc::kill(pid as i32, 0) })) == Err(libc::ESRCH)
}

/// The processor the thread runs on, `u32::MAX` if unknown.
pub fn processor() -> u32 {
    // SAFETY: cannot fail in a way that matters.
    unsafe { libc::sched_getcpu() as u32 }
}

/// Number of threads of this process; 0 if it cannot be known.
pub fn threads() -> u64 {
    // SAFETY: all zeros is a valid `stat`, which the call fills; the path ends with a zero byte.
    unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        match libc::stat(c"/proc/self/task".as_ptr(), &mut stat) {
            // A folder for each, and the two that every folder has.
            0 => stat.st_nlink.saturating_sub(2),
            _ => 0,
        }
    }
}

/// How often the calling thread was switched out since it began.
pub fn switches() -> u64 {
    let usage = usage();
    (usage.ru_nvcsw as u64).wrapping_add(usage.ru_nivcsw as u64)
}

/// How often of these it did not ask for it.
pub fn switches_against_its_will() -> u64 {
    usage().ru_nivcsw as u64
}

fn usage() -> libc::rusage {
    // SAFETY: all zeros is a valid value; the call writes to it alone.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_THREAD, &mut usage);
        usage
    }
}

/// A clock of the system, nanoseconds.
pub fn clock_ns(clock: libc::clockid_t) -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes to `now` alone.
    unsafe { libc::clock_gettime(clock, &mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// Sleeps; how long in fact is not told.
pub fn sleep_ns(nanoseconds: u64) {
    let time = libc::timespec { tv_sec: 0, tv_nsec: nanoseconds.min(999_999_999) as i64 };
    // SAFETY: a plain system call.
    unsafe { libc::syscall(libc::SYS_nanosleep, &time, ptr::null_mut::<libc::timespec>()) };
}

/// The value of a variable of ours.
pub fn setting<K: Kind>(
    variable: &Variable<K>,
) -> Result<Option<K::Value<'static>>, Wrong<'static>> {
    variable.read(self::variable(variable.c_name()))
}

/// As [`setting`], where what is no value is as nothing.
pub fn setting_or_none<K: Kind>(variable: &Variable<K>) -> Option<K::Value<'static>> {
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
    // SAFETY: both are strings of C. The value is looked at before the program runs.
    unsafe {
        let value = secure_getenv(name.as_ptr());
        (!value.is_null()).then(|| CStr::from_ptr(value))
    }
}
