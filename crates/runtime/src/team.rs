//! Who shares the work, for generated code: the processors of a BSP program.

use std::ffi::c_double;

use crate::{bsp, objects};

/// How many processors there are and which this is, wherever the program stands: `(count, number)`.
fn team() -> (usize, usize) {
    bsp::team().or_else(objects::team).unwrap_or((1, 0))
}

/// `cll_processors`.
#[unsafe(no_mangle)]
pub extern "C" fn cll_processors() -> c_double {
    team().0 as c_double
}

/// `cll_processor`.
#[unsafe(no_mangle)]
pub extern "C" fn cll_processor() -> c_double {
    team().1 as c_double
}

/// `cll_barrier`: all processors wait for each other; no superstep ends.
#[unsafe(no_mangle)]
pub extern "C" fn cll_barrier() {
    bsp::meet();
    objects::meet();
}
