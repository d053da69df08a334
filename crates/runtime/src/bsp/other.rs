//! The functions of `bsp.h` that are the same for both kinds of types.

use std::ffi::{CStr, c_char, c_int, c_void};

use crate::objects;

use super::call::Call;
use super::context::{self, Stage};
use super::start::{self, Spmd};
use super::stop::stop;
use super::{area, collective};

/// `bsp_init`.
///
/// # Safety
/// As `bsp.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_init(
    spmd: Option<Spmd>,
    _argc: c_int,
    _argv: *mut *mut c_char,
    file: *const c_char,
    line: c_int,
) {
    // SAFETY: by the caller.
    unsafe { start::init(Call::new("bsp_init", file, line), spmd) };
}

/// `bsp_end`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_end(file: *const c_char, line: c_int) {
    // SAFETY: by the caller.
    start::end(unsafe { Call::ending("bsp_end", file, line) });
}

/// The end of `bsp_abort`, with its text; called by `abort.c`.
///
/// # Safety
/// `text` is a string of C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_stop_text(text: *const c_char) -> ! {
    // SAFETY: by the caller.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let by = match context::stage() {
        Stage::Inside(part) => {
            format!(" by processor {} of {}", part.processor.pid(), part.processor.nprocs())
        }
        _ => objects::processor()
            .map_or(String::new(), |(pid, nprocs)| format!(" by processor {pid} of {nprocs}")),
    };
    stop(&format!("{text}{end}cll: bsp_abort was called{by}"))
}

/// `bsp_time`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_time(file: *const c_char, line: c_int) -> f64 {
    // SAFETY: by the caller.
    unsafe { Call::new("bsp_time", file, line) }.part().processor.time()
}

/// `bsp_sync`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_sync(file: *const c_char, line: c_int) {
    // SAFETY: by the caller.
    let call = unsafe { Call::ending("bsp_sync", file, line) };
    call.must(call.part().sync(call.place));
}

/// `bsp_pop_reg`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_pop_reg(address: *const c_void, file: *const c_char, line: c_int) {
    // SAFETY: by the caller.
    area::pop_reg(unsafe { Call::new("bsp_pop_reg", file, line) }, address.cast());
}

/// `bsp_all`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_all(condition: c_int, file: *const c_char, line: c_int) -> c_int {
    // SAFETY: by the caller.
    let call = unsafe { Call::ending("bsp_all", file, line) };
    c_int::from(collective::conditions(call, condition != 0).all(|condition| condition))
}

/// `bsp_any`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_any(condition: c_int, file: *const c_char, line: c_int) -> c_int {
    // SAFETY: by the caller.
    let call = unsafe { Call::ending("bsp_any", file, line) };
    c_int::from(collective::conditions(call, condition != 0).any(|condition| condition))
}

/// `bsp_s`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_s(file: *const c_char, line: c_int) -> f64 {
    // SAFETY: by the caller.
    parameter(unsafe { Call::new("bsp_s", file, line) })
}

/// `bsp_l`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_l(file: *const c_char, line: c_int) -> f64 {
    // SAFETY: by the caller.
    parameter(unsafe { Call::new("bsp_l", file, line) })
}

/// `bsp_g`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_g(file: *const c_char, line: c_int) -> f64 {
    // SAFETY: by the caller.
    parameter(unsafe { Call::new("bsp_g", file, line) })
}

/// `bsp_nhalf`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_nhalf(file: *const c_char, line: c_int) -> f64 {
    // SAFETY: by the caller.
    parameter(unsafe { Call::new("bsp_nhalf", file, line) })
}

/// No machine has a record of its parameters yet, so every call of these is too early.
fn parameter(call: Call) -> ! {
    call.part();
    call.fail_with(
        "the parameters of this machine were never measured",
        "cll machine probe --bsp measures and keeps them",
    )
}
