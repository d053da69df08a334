//! P and pid for generated code: the processors of a BSP program.

use std::ffi::c_double;

use crate::{bsp, objects};

/// The number of processors and the number of this one, in any state of the program: `(count, number)`.
fn processors() -> (usize, usize) {
    bsp::processors().or_else(objects::processors).unwrap_or((1, 0))
}

/// `cll_processors`.
#[unsafe(no_mangle)]
pub extern "C" fn cll_processors() -> c_double {
    processors().0 as c_double
}

/// `cll_processor`.
#[unsafe(no_mangle)]
pub extern "C" fn cll_processor() -> c_double {
    processors().1 as c_double
}

/// `cll_barrier`: waits for all processors without ending the superstep.
#[unsafe(no_mangle)]
pub extern "C" fn cll_barrier() {
    bsp::meet();
    objects::meet();
}
