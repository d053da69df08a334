//! Reports which processor's thread was hit by a signal that ends the process.
//!
//! With the threads engine a crash ends the whole process, and no other process could report whose thread it
//! was. So a signal handler reports it, on its own stack, and then lets the signal have its default effect.

use std::fmt::{self, Write};
use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering::*};

use crate::engine::shared::arena::Arena;
use crate::processes::signal_name;

/// Signals with which the system or the C library ends a program because of an error.
const SIGNALS: [libc::c_int; 7] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGILL,
    libc::SIGFPE,
    libc::SIGABRT,
    libc::SIGTRAP,
    libc::SIGSYS,
];

/// Size of the handler's stack in bytes.
const STACK: usize = 64 << 10;

/// The threads of a machine's processors.
#[derive(Debug)]
pub(super) struct CrashHandler {
    process: u32,
    /// The thread of each processor; 0: it has not begun or has ended.
    threads: Vec<AtomicI32>,
    arena: *const Arena,
}

// SAFETY: the arena is accessed only by a processor's own thread, which keeps it while its number is here.
unsafe impl Send for CrashHandler {}
// SAFETY: as above.
unsafe impl Sync for CrashHandler {}

/// For the machine that was created last. It is never freed, since a handler may run at any time.
static CRASH_HANDLER: AtomicPtr<CrashHandler> = AtomicPtr::new(std::ptr::null_mut());

/// From now on a signal that ends one of these processors' threads is reported. Signals for which the program
/// has its own handler are left alone.
pub(super) fn install(arena: &Arena) -> &'static CrashHandler {
    let threads = (0..arena.processors()).map(|_| AtomicI32::new(0)).collect();
    let handler = Box::new(CrashHandler { process: std::process::id(), threads, arena });
    let handler: &'static CrashHandler = Box::leak(handler);
    CRASH_HANDLER.store(std::ptr::from_ref(handler).cast_mut(), Release);
    for signal in SIGNALS {
        // SAFETY: all zero is a value; the handler calls only what handlers may call.
        unsafe {
            let mut before: libc::sigaction = std::mem::zeroed();
            let known = libc::sigaction(signal, std::ptr::null(), &raw mut before) == 0;
            if !known || before.sa_sigaction != libc::SIG_DFL {
                continue;
            }
            let mut ours: libc::sigaction = std::mem::zeroed();
            ours.sa_sigaction = report as *const () as libc::sighandler_t;
            ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(signal, &raw const ours, std::ptr::null_mut());
        }
    }
    handler
}

impl CrashHandler {
    /// The calling thread becomes this processor, and gets a stack for the handler.
    pub fn enter(&self, index: usize) {
        // SAFETY: plain calls; our own memory, which stays.
        unsafe {
            let mut before: libc::stack_t = std::mem::zeroed();
            let known = libc::sigaltstack(std::ptr::null(), &raw mut before) == 0;
            if known && before.ss_flags & libc::SS_DISABLE != 0 {
                let access = libc::PROT_READ | libc::PROT_WRITE;
                let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
                let stack = libc::mmap(std::ptr::null_mut(), STACK, access, kind, -1, 0);
                if stack != libc::MAP_FAILED {
                    let ours = libc::stack_t { ss_sp: stack, ss_flags: 0, ss_size: STACK };
                    libc::sigaltstack(&raw const ours, std::ptr::null_mut());
                }
            }
            self.threads[index].store(libc::gettid(), Release);
        }
    }

    /// The processor has ended.
    pub fn leave(&self, index: usize) {
        self.threads[index].store(0, Release);
    }

    fn processor(&self) -> Option<usize> {
        // SAFETY: a plain call.
        let thread = unsafe { libc::gettid() };
        self.threads.iter().position(|entry| entry.load(Acquire) == thread)
    }

    fn describe(&self, index: usize, signal: libc::c_int, text: &mut Text) -> fmt::Result {
        // SAFETY: the calling thread is this processor, so its machine exists.
        let arena = unsafe { &*self.arena };
        let count = arena.processors();
        write!(text, "cll: processor {index} of {count} was killed by signal {signal}")?;
        if let Some(name) = signal_name(signal) {
            write!(text, " ({name})")?;
        }
        match arena.processor_states()[index].line() {
            0 => text.write_str("; it had not reached a bsp_sync\n"),
            line => {
                text.write_str("; its last bsp_sync was at ")?;
                arena.processor_states()[index].file_bytes().for_each(|byte| text.push(byte));
                writeln!(text, ":{line}")
            }
        }
    }
}

/// The handler: nothing in it allocates or takes a lock.
extern "C" fn report(signal: libc::c_int, about: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: null, or never freed.
    let handler = unsafe { CRASH_HANDLER.load(Acquire).as_ref() };
    // SAFETY: passed by the system.
    let from_outside = unsafe {
        about.as_ref().is_some_and(|about| {
            about.si_code == libc::SI_USER && about.si_pid() as u32 != std::process::id()
        })
    };
    if let Some(handler) = handler
        && !from_outside
        && handler.process == std::process::id()
        && let Some(index) = handler.processor()
    {
        let mut text = Text { bytes: [0; 512], length: 0 };
        // SAFETY: as in `describe`.
        let first = unsafe { &*handler.arena }.control().stop();
        if first && handler.describe(index, signal, &mut text).is_ok() {
            // SAFETY: the bytes exist.
            unsafe { libc::write(2, text.bytes.as_ptr().cast(), text.length) };
        }
    }
    // SAFETY: plain calls. The signal is blocked until the handler returns.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::syscall(libc::SYS_tgkill, std::process::id(), libc::gettid(), signal);
    }
}

/// Text in the handler's own memory; what does not fit is left out.
struct Text {
    bytes: [u8; 512],
    length: usize,
}

impl Text {
    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte;
            self.length += 1;
        }
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| self.push(byte));
        Ok(())
    }
}
