//! Limits of this process (`ulimit`).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::Builder;

use cll_system::{field, text};
use rustix::process::Signal;

/// Bytes of the stack of commands, for any `ulimit -s`.
const STACK: usize = 16 << 20;

/// Makes a write beyond `ulimit -f` return an error instead of ending this process. The handler does nothing;
/// ignoring the signal would also ignore it in the programs that we start.
pub fn report_file_size() {
    let signal = Signal::XFSZ.as_raw();
    if !is_ignored(signal) {
        // If this fails, the signal ends us, as usual.
        let _ = signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)));
    }
}

/// Whether the process that started us ignores the signal, so that it is inherited as ignored.
fn is_ignored(signal: i32) -> bool {
    let status = text("/proc/self/status");
    let ignored = field(&status, "SigIgn").and_then(|mask| u64::from_str_radix(mask, 16).ok());
    let ignored = ignored.unwrap_or(0);
    ignored >> (signal - 1) & 1 == 1
}

/// Runs in a thread with a stack of `STACK` bytes, or in this thread if the system refuses one.
pub fn with_stack<T: Send + 'static>(run: fn() -> T) -> T {
    match Builder::new().name("cll".to_owned()).stack_size(STACK).spawn(run) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => run(),
    }
}
