//! Regions that contain a synchronisation of virtual processors.
//!
//! Their begin and end are ticks of the processor. The time between two phases has no relation to the virtual
//! time: the difference is recorded as a pause, with which readers of the trace correct the surrounding
//! regions.

use std::cell::Cell;

use cll_bsp::virtuals::PhaseCallbacks;
use cll_trace::clock::ClockPair;
use cll_trace::layout::{NO_PARENT, PAUSE};

use crate::clock;
use crate::entry::record_pause;

/// Callbacks about the phases of this process's processor.
pub const CALLBACKS: PhaseCallbacks = PhaseCallbacks { stopped, resumed };

/// The pauses of this thread.
#[derive(Clone, Copy)]
struct Pauses {
    /// When the first phase ended: the length of a tick is measured from here.
    first: ClockPair,
    /// When the last one ended, in ticks.
    stopped: u64,
}

thread_local! {
    static PAUSES: Cell<Option<Pauses>> = const { Cell::new(None) };
}

fn stopped() {
    let known = PAUSES.get().unwrap_or_else(|| Pauses { first: clock::pair(), stopped: 0 });
    PAUSES.set(Some(Pauses { stopped: clock::ticks(), ..known }));
}

fn resumed(virtual_ns: u64) {
    let Some(known) = PAUSES.get() else { return };
    let now = clock::pair();
    let passed_ns = now.mono_ns.saturating_sub(known.first.mono_ns).max(1);
    let ticks_per_ns = now.ticks.wrapping_sub(known.first.ticks) as f64 / passed_ns as f64;
    let passed = clock::ticks().wrapping_sub(known.stopped) as i64;
    let skipped = passed - (virtual_ns as f64 * ticks_per_ns) as i64;
    let word = u64::from(PAUSE) | u64::from(NO_PARENT) << 16;
    record_pause(known.stopped, known.stopped.wrapping_add(skipped as u64), word);
}
