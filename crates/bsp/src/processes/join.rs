//! Processors that begin with `main` instead of a fork: `CLL_START=exec`.
//!
//! For programs that have threads before the machine begins. What comes before `bsp_begin` then runs in all
//! processors, but only processor 0 has the standard input.

use std::ffi::CString;
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use cll_contract::{BSP_JOIN, Joining, WrongValue};

use super::StartError;
use crate::engine::shared::arena::Arena;

/// Reads from the environment whether a machine waits for this process.
pub(super) fn requested() -> Result<Option<Joining>, StartError> {
    let value = std::env::var_os(BSP_JOIN.name()).unwrap_or_default();
    let wrong = |WrongValue(_)| StartError::Join(value.to_string_lossy().into_owned());
    BSP_JOIN.read(Some(value.as_bytes())).map_err(wrong)
}

/// The memory of the waiting machine, and the index of this process in it.
pub(super) fn join(joining: Joining) -> Result<(Arena, usize), StartError> {
    let Joining { file, index, count, window } = joining;
    // Programs that this one starts do not belong to the machine.
    // SAFETY: the other threads of the program do not use the environment while it calls BSPlib; every program
    // that changes its environment must ensure that.
    unsafe { std::env::remove_var(BSP_JOIN.name()) };
    // SAFETY: it was opened for this process only.
    let file = unsafe { OwnedFd::from_raw_fd(file) };
    let arena = Arena::from_file(file, count, window);
    arena.map(|arena| (arena, index)).map_err(|error| StartError::Memory(count, error))
}

/// In a forked process: runs the program from its beginning, as this processor.
pub(super) fn run_main_again(arena: &Arena, index: usize) -> ! {
    let (file, count, window) = (arena.descriptor(), arena.processors(), arena.window(0).1);
    let (name, value) = BSP_JOIN.set(Joining { file, index, count, window });
    let environment: Vec<CString> = std::env::vars_os()
        .filter(|(other, _)| other != name)
        .chain([(name.into(), value)])
        .filter_map(|(name, value)| {
            let both = [name.as_bytes(), b"=", value.as_bytes()].concat();
            CString::new(both).ok()
        })
        .collect();
    let arguments = std::fs::read("/proc/self/cmdline").unwrap_or_default();
    let arguments: Vec<CString> = arguments
        .split_inclusive(|byte| *byte == 0)
        .filter_map(|word| CString::from_vec_with_nul(word.to_vec()).ok())
        .collect();
    let pointers = |strings: &[CString]| -> Vec<*const libc::c_char> {
        strings.iter().map(|s| s.as_ptr()).chain([std::ptr::null()]).collect()
    };
    let (arguments, environment) = (pointers(&arguments), pointers(&environment));
    // SAFETY: strings and lists outlive the calls; this process has one thread.
    unsafe {
        libc::fcntl(arena.descriptor(), libc::F_SETFD, 0);
        let nothing = libc::open(c"/dev/null".as_ptr(), libc::O_RDONLY);
        libc::dup2(nothing, 0);
        libc::close(nothing);
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
        libc::execve(c"/proc/self/exe".as_ptr(), arguments.as_ptr(), environment.as_ptr());
        libc::_exit(127)
    }
}
