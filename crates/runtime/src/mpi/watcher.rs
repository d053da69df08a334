//! Starts the watching process (`watch.c`).

use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::path::Path;
use std::sync::OnceLock;

/// Our end of the pipe to the watching process: it is closed when this process ends.
static ALIVE: OnceLock<OwnedFd> = OnceLock::new();

unsafe extern "C" {
    static environ: *const *mut libc::c_char;
}

const SETSID: libc::c_short = 0x80;

/// Starts it. `memory` is shared by the processes on this host; `rank_state` is the index of this one's state
/// in it.
pub fn start(program: &Path, rank_state: usize, memory: BorrowedFd<'_>) -> io::Result<()> {
    let mut ends = [0; 2];
    // SAFETY: two descriptors of ours.
    let (reading, writing) = unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(io::Error::last_os_error());
        }
        (
            above_others(&OwnedFd::from_raw_fd(ends[0]))?,
            above_others(&OwnedFd::from_raw_fd(ends[1]))?,
        )
    };
    let memory = above_others(&memory)?;
    let path = CString::new(program.as_os_str().as_encoded_bytes())?;
    let words = [
        c"cll-watch".to_owned(),
        CString::new(rank_state.to_string())?,
        CString::new(cll_bsp::mpi::host())?,
    ];
    let mut arguments: Vec<*mut libc::c_char> =
        words.iter().map(|word| word.as_ptr().cast_mut()).collect();
    arguments.push(std::ptr::null_mut());
    let mut child = 0;
    // SAFETY: the arguments exist until the child runs; we wait for it, and it continues as another process.
    unsafe {
        let mut actions: libc::posix_spawn_file_actions_t = std::mem::zeroed();
        let mut attributes: libc::posix_spawnattr_t = std::mem::zeroed();
        libc::posix_spawn_file_actions_init(&raw mut actions);
        libc::posix_spawnattr_init(&raw mut attributes);
        // Signals that a terminal sends to all must not reach it.
        libc::posix_spawnattr_setflags(&raw mut attributes, SETSID);
        libc::posix_spawn_file_actions_adddup2(&raw mut actions, reading.as_raw_fd(), 3);
        libc::posix_spawn_file_actions_adddup2(&raw mut actions, memory.as_raw_fd(), 4);
        let error = libc::posix_spawn(
            &raw mut child,
            path.as_ptr(),
            &raw const actions,
            &raw const attributes,
            arguments.as_ptr(),
            environ,
        );
        libc::posix_spawn_file_actions_destroy(&raw mut actions);
        libc::posix_spawnattr_destroy(&raw mut attributes);
        if error != 0 {
            return Err(io::Error::from_raw_os_error(error));
        }
        libc::waitpid(child, std::ptr::null_mut(), 0);
    }
    let _ = ALIVE.set(writing);
    Ok(())
}

/// A copy of a descriptor, with another number than those that the watching process expects.
fn above_others(descriptor: &impl AsRawFd) -> io::Result<OwnedFd> {
    // SAFETY: a new descriptor of ours.
    unsafe {
        match libc::fcntl(descriptor.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 480) {
            -1 => match libc::fcntl(descriptor.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 5) {
                -1 => Err(io::Error::last_os_error()),
                low => Ok(OwnedFd::from_raw_fd(low)),
            },
            high => Ok(OwnedFd::from_raw_fd(high)),
        }
    }
}
