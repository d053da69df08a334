//! Processors that begin with `main` instead of a fork: `CLL_START=exec`.
//!
//! For programs that have threads before the machine begins. What is before `bsp_begin` then runs in
//! all processors, but only processor 0 has the standard input.

use std::ffi::CString;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;

use super::StartError;
use crate::engine::shared::arena::Arena;

/// Tells a re-executed program which machine it belongs to: `DESCRIPTOR:INDEX:COUNT:WINDOW`.
const VARIABLE: &str = "CLL_BSP_JOIN";

/// A machine that waits for this process.
#[derive(Debug)]
pub(super) struct Joining {
    file: RawFd,
    index: usize,
    count: usize,
    window: usize,
}

impl Joining {
    /// What the environment says.
    pub fn asked() -> Result<Option<Joining>, StartError> {
        let Some(value) = std::env::var_os(VARIABLE) else { return Ok(None) };
        let wrong = || StartError::Join(value.to_string_lossy().into_owned());
        let text = value.to_str().ok_or_else(wrong)?;
        let numbers: Option<Vec<usize>> = text.split(':').map(|part| part.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[file, index, count, window]) if index < count => {
                Ok(Some(Joining { file: file as RawFd, index, count, window }))
            }
            _ => Err(wrong()),
        }
    }

    /// The machine's memory, and which of its processes this is.
    pub fn join(self) -> Result<(Arena, usize), StartError> {
        // Programs that this one starts are not of the machine.
        // SAFETY: the other threads of the program do not use the environment while it calls BSPlib; as
        // for all who change it.
        unsafe { std::env::remove_var(VARIABLE) };
        // SAFETY: it was opened for this process alone.
        let file = unsafe { OwnedFd::from_raw_fd(self.file) };
        let arena = Arena::of(file, self.count, self.window);
        arena
            .map(|arena| (arena, self.index))
            .map_err(|error| StartError::Memory(self.count, error))
    }
}

/// In a forked process: runs the program from its beginning, as this processor.
pub(super) fn run_main_again(arena: &Arena, index: usize) -> ! {
    let value =
        format!("{}:{index}:{}:{}", arena.descriptor(), arena.processors(), arena.window(0).1);
    let mut environment: Vec<CString> = std::env::vars_os()
        .filter(|(name, _)| name != VARIABLE)
        .filter_map(|(name, value)| {
            let both = [name.as_bytes(), b"=", value.as_bytes()].concat();
            CString::new(both).ok()
        })
        .collect();
    environment.extend(CString::new(format!("{VARIABLE}={value}")));
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
