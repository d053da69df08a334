//! A call of the program, and the message if it is an error.

use std::ffi::{c_char, c_int};
use std::fmt::Display;

use cll_bsp::{Misuse, Place};

use crate::log;

use super::context::{self, ParallelPart, Stage};
use super::stop::{leave, location, stop, who};

/// The name of the called function, and the place of the call.
#[derive(Clone, Copy)]
pub struct Call {
    pub name: &'static str,
    pub place: Place,
}

impl Call {
    /// # Safety
    /// `file` is null, or a string literal of the program.
    #[inline(always)]
    pub unsafe fn new(name: &'static str, file: *const c_char, line: c_int) -> Call {
        // SAFETY: by the caller.
        Call { name, place: unsafe { Place::new(file, line as u32) } }
    }

    /// A call that ends a superstep.
    ///
    /// # Safety
    /// As for `new`.
    #[inline(always)]
    pub unsafe fn ending(name: &'static str, file: *const c_char, line: c_int) -> Call {
        log::entered();
        // SAFETY: by the caller.
        unsafe { Call::new(name, file, line) }
    }

    /// A call whose place is not known.
    pub fn nowhere(name: &'static str) -> Call {
        Call { name, place: Place::NOWHERE }
    }

    /// The parallel part of the program; an error if the call is outside of it. The reference must not be kept
    /// while the program runs.
    #[inline(always)]
    pub fn part(self) -> &'static mut ParallelPart {
        match context::stage() {
            Stage::Inside(part) => part,
            _ => stop_outside(self.name, self.place),
        }
    }

    /// The value of a result; an error ends all processors.
    #[inline(always)]
    pub fn must<T>(self, result: Result<T, Misuse>) -> T {
        match result {
            Ok(value) => value,
            Err(misuse) => stop_for(self.name, self.place, misuse),
        }
    }

    /// Ends all processors with a message.
    #[cold]
    pub fn fail(self, what: impl Display) -> ! {
        stop(&self.text(&what))
    }

    /// The same, with a second line that says what to do.
    #[cold]
    pub fn fail_with(self, what: impl Display, help: &str) -> ! {
        stop(&format!("{}\n  help: {help}", self.text(&what)))
    }

    fn text(self, what: &dyn Display) -> String {
        format!("cll: {}{}{}: {what}", who(), self.name, location(&self.place))
    }
}

// A `Call` would have to be in memory to be passed, even in correct calls.

#[cold]
fn stop_outside(name: &'static str, place: Place) -> ! {
    let what = match context::stage() {
        Stage::After { .. } => "the parallel part has ended",
        _ => "no parallel part has begun",
    };
    Call { name, place }.fail_with(what, "call it between bsp_begin and bsp_end")
}

#[cold]
fn stop_for(name: &'static str, place: Place, misuse: Misuse) -> ! {
    match misuse {
        // The processor that stopped the machine has given the reason.
        Misuse::Stopped => leave(),
        misuse => Call { name, place }.fail(misuse),
    }
}
