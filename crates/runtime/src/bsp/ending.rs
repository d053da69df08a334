//! The end of the program before the end of its parallel part.

use std::ffi::c_int;
use std::sync::Once;

use cll_bsp::Place;

use crate::sys;

use super::context::{How, Stage, Start, stage};
use super::stop::{location, stop, who};

/// Once: arranges that a panic, and an early end of the program, end all processors.
pub fn watch_the_end() {
    static ONCE: Once = Once::new();
    crate::keep_loaded::keep_loaded();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            stop(&format!("cll: {}error in the library: {panic}", who()))
        }));
        // SAFETY: the function exists as long as the process. Without memory for it the supervisor notices the
        // end of the process, with a less exact message.
        unsafe { atexit(program_ends) };
    });
}

unsafe extern "C" {
    fn atexit(function: extern "C" fn()) -> c_int;
}

/// If processors are threads: the program is about to end at once, and no exit handler will report it.
pub fn exits_at_once(name: &str) {
    if let Stage::Inside(part) = stage()
        && part.process == sys::pid()
        && part.thread.is_some()
    {
        ended_early(&format!("by {name}()"), &part.last_sync);
    }
}

/// The program is about to end.
pub extern "C" fn program_ends() {
    if let Stage::Before(start @ Some(Start { how: How::Ranks(_), .. })) = stage() {
        // The other processes wait for bsp_begin of this one.
        if let Some(Start { how: How::Ranks(ranks), .. }) = start.take() {
            ranks.dismiss();
        }
    }
    let Stage::Inside(part) = stage() else { return };
    // Not for a process that the program has forked; not for the end of another processor's thread.
    if part.process != sys::pid() || part.thread.is_some_and(|thread| thread != sys::thread()) {
        return;
    }
    ended_early("by exit() or at the end of main", &part.last_sync)
}

fn ended_early(how: &str, last_sync: &Place) -> ! {
    stop(&format!(
        "cll: {}the program ended before bsp_end, {how}; its last synchronisation was{}\n  help: every \
         processor must call bsp_end; bsp_abort ends all processors",
        who(),
        location(last_sync)
    ))
}
