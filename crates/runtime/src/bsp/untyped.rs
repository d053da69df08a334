//! The functions of `bsp.h` that are the same for both kinds of types.

use std::ffi::{CStr, c_char, c_int, c_void};

use cll_contract::WrongValue;

use crate::objects;

use super::call::Call;
use super::context::Spmd;
use super::context::{self, Stage};
use super::environment;
use super::parameters::{self, Missing, Parameter};
use super::start;
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
    parameter(unsafe { Call::new("bsp_s", file, line) }, Parameter::Rate)
}

/// `bsp_l`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_l(file: *const c_char, line: c_int) -> f64 {
    // SAFETY: by the caller.
    parameter(unsafe { Call::new("bsp_l", file, line) }, Parameter::L)
}

/// `bsp_g`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_g(file: *const c_char, line: c_int) -> f64 {
    // SAFETY: by the caller.
    parameter(unsafe { Call::new("bsp_g", file, line) }, Parameter::G)
}

/// `bsp_nhalf`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_nhalf(file: *const c_char, line: c_int) -> f64 {
    // SAFETY: by the caller.
    parameter(unsafe { Call::new("bsp_nhalf", file, line) }, Parameter::Half)
}

/// A parameter of this machine with the present number of processors, from the table that `cll run` has
/// made of the machine's file.
fn parameter(call: Call, which: Parameter) -> f64 {
    let processors = call.part().processor.nprocs();
    let table = environment::parameters().unwrap_or_else(|WrongValue(table)| {
        call.fail_with(
            format_args!("CLL_PARAMETERS={} is not a table of parameters", table.escape_ascii()),
            "cll run makes it from the file that CLL_MACHINE names",
        )
    });
    let Some(table) = table else {
        call.fail_with(
            "the parameters of this machine were never measured",
            "cll machine probe --bsp --out FILE measures them; CLL_MACHINE=FILE cll run PROGRAM passes them to the program",
        )
    };
    match parameters::find(&table, processors, which) {
        Ok(value) => value,
        Err(Missing::Processors(known)) => call.fail_with(
            format_args!("the machine file has no parameters for {processors} processors"),
            &format!("it has them for {known}; cll machine probe --bsp measures others"),
        ),
        Err(Missing::Value) => call.fail_with(
            "the machine file does not have this parameter",
            "cll machine probe --bsp --out FILE measures all of them",
        ),
    }
}
