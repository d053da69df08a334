//! Whether a thread was switched out while a region ran.
//!
//! The kernel has a word for each thread (`rseq_cs`) for sequences that must not be interrupted, and clears it
//! when it resumes a thread that was switched out. So a region reads that word when it begins and when it ends,
//! which costs a load. The word is also cleared for other reasons (a signal, a file that was closed): then the
//! kernel's count of switches decides. A sequence that other code of the program has put there is not replaced:
//! the kernel clears that one, too.

use crate::abi::{self, Thread};
use crate::sys;

/// Whether there is such a word, in the calling thread.
pub fn are_seen() -> bool {
    abi::kernel_word().is_some()
}

/// The calling thread begins to use its word, if it does not yet. If there is none it uses its own `calm`,
/// which nobody clears.
pub fn begin(thread: &mut Thread) {
    if !thread.watch.is_null() {
        return;
    }
    thread.watch = &raw mut thread.calm;
    if let Some((word, calm)) = abi::kernel_word() {
        thread.calm = calm;
        thread.watch = word;
        since_last(thread);
    }
}

/// Whether the calling thread was switched out since the last call; `false` if that is not known.
pub fn since_last(thread: &mut Thread) -> bool {
    begin(thread);
    let word = thread.watch;
    // SAFETY: the word in the calling thread's kernel area, or the thread's own `calm`.
    unsafe {
        if word.read_volatile() != 0 {
            return false;
        }
        // Before the count is read: a switch in between then belongs to the past.
        word.write_volatile(thread.calm);
    }
    let switches = sys::switches();
    std::mem::replace(&mut thread.switches, switches) != switches
}

/// If the calling thread was switched out, marks all open regions.
pub fn mark(thread: &mut Thread) {
    if since_last(thread) {
        thread.away = u64::from(abi::depth(thread.context));
    }
}

/// A region with `depth` regions around it ends. Returns whether the thread was switched out meanwhile.
pub fn end(thread: &mut Thread, depth: u32) -> bool {
    mark(thread);
    let depth = u64::from(depth);
    let away = depth < thread.away;
    thread.away = thread.away.min(depth);
    away
}
