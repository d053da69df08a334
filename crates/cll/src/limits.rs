//! Limits that this program was started with (`ulimit`).

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::Builder;

use rustix::process::Signal;

/// Bytes of the stack that commands have, whatever `ulimit -s` says.
const STACK: usize = 16 << 20;

/// A file that would become larger than `ulimit -f` allows is an error of the write that says so. A
/// handler that does nothing, since a signal that is ignored stays ignored in the programs we start.
pub fn report_file_size() {
    let signal = Signal::XFSZ.as_raw();
    if !is_ignored(signal) {
        // Where this cannot be, the signal ends us, as it ends others.
        let _ = signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)));
    }
}

/// Whether whoever has started us wants a signal ignored in all that we start.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    ignored >> (signal - 1) & 1 == 1
}

/// Runs on a stack that is large enough under any `ulimit -s`; on the one that is there if the system
/// gives no other.
pub fn with_stack<T: Send + 'static>(run: fn() -> T) -> T {
    match Builder::new().name("cll".to_owned()).stack_size(STACK).spawn(run) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => run(),
    }
}
