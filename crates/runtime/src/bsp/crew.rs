//! Holds what a copy of the program knows of the others: which copy has loaded it, and how many parallel parts there
//! were.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, Ordering::*};

/// The copies that another one has loaded. If they continue after the end of the machine, it waits for them at
/// its end.
pub struct Crew {
    pub running: AtomicU32,
    /// The first status that was not 0.
    pub status: AtomicI32,
    /// They call `bsplib_init`, not `bsp_begin`.
    pub in_objects: AtomicBool,
    /// A parallel part of the program has ended before.
    pub again: AtomicBool,
}

/// The copies that this one has loaded.
pub static LOADED: Crew = Crew {
    running: AtomicU32::new(0),
    status: AtomicI32::new(0),
    in_objects: AtomicBool::new(false),
    again: AtomicBool::new(false),
};

/// The crew to which this copy belongs; null in the first one.
pub static CREW: AtomicPtr<Crew> = AtomicPtr::new(std::ptr::null_mut());

pub fn crew() -> Option<&'static Crew> {
    // SAFETY: null, or a static of the first copy, which stays loaded.
    unsafe { CREW.load(Acquire).as_ref() }
}

pub fn in_objects() -> bool {
    crew().is_some_and(|crew| crew.in_objects.load(Acquire))
}

/// Whether the parallel part for which this copy was loaded is not the program's first one.
fn is_again() -> bool {
    crew().is_some_and(|crew| crew.again.load(Acquire))
}

/// Whether this is a copy of the program that another one has loaded.
pub fn is_a_copy() -> bool {
    crew().is_some()
}

/// A parallel part has ended before; processors that are forked later inherit this.
pub static IS_AGAIN: AtomicBool = AtomicBool::new(false);

/// Whether this is the program's first parallel part, the one that is logged.
pub fn is_first_part() -> bool {
    !IS_AGAIN.load(Relaxed) && !is_again()
}
