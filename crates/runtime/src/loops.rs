//! `cll for`: gives the values of a loop in the order of `CLL_ORDER`.

use std::ffi::{CStr, c_int, c_uint, c_void};
use std::sync::atomic::Ordering::*;
use std::{ptr, slice};

use crate::abi::{Loop, Unit};
use crate::critical_section::Inside;
use crate::library::LIBRARY;
use crate::message::Message;
use crate::order::{ASCENDING, ORDER, SEED, arrange, mix};

/// A loop with more values than this is taken for one without an end.
const MAX_VALUES: usize = 1 << 20;

/// `cll_loop_begin`.
///
/// # Safety
/// `state` is null or points to a loop that was initialised with `CLL_LOOP_INIT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_loop_begin(state: *mut Loop, number: c_uint, ordered: c_uint) {
    {
        let inside = Inside::enter();
        LIBRARY.lock(&inside).start();
    }
    // SAFETY: by the caller.
    unsafe {
        cll_loop_close(state);
        if let Some(state) = state.as_mut() {
            (state.number, state.ordered) = (number, ordered);
        }
    }
}

/// `cll_loop_push`.
///
/// # Safety
/// As [`cll_loop_begin`]; `value` points to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_loop_push(
    state: *mut Loop,
    value: *const c_void,
    size: c_uint,
) -> c_int {
    // SAFETY: by the caller.
    let Some(state) = (unsafe { state.as_mut() }) else { return 0 };
    let bytes = size as usize;
    if bytes == 0 || value.is_null() || (state.count > 0 && state.size != size) {
        return 0;
    }
    if state.count == MAX_VALUES {
        Message::new()
            .text("`cll for` has more than ")
            .number(MAX_VALUES as u64)
            .text(" values and uses only these: does its condition become false?")
            .send();
        return 0;
    }
    if state.count == 0 || state.count.is_power_of_two() {
        let room = (2 * state.count).max(1) * bytes;
        // SAFETY: null or allocated here.
        let grown: *mut u8 = unsafe { libc::realloc(state.values.cast(), room) }.cast();
        if grown.is_null() {
            Message::new().text("no memory for the values of `cll for`").send();
            return 0;
        }
        state.values = grown;
    }
    // SAFETY: there is room for one more; the caller's value has this many bytes.
    unsafe {
        state.values.add(state.count * bytes).copy_from_nonoverlapping(value.cast(), bytes);
    }
    state.size = size;
    state.count += 1;
    1
}

/// `cll_loop_next`.
///
/// # Safety
/// As [`cll_loop_begin`]; `value` points to as many bytes as each pushed value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_loop_next(state: *mut Loop, value: *mut c_void) -> c_int {
    // SAFETY: by the caller.
    let Some(open) = (unsafe { state.as_mut() }) else { return 0 };
    let size = open.size as usize;
    if open.position == 0 && open.count > 0 {
        let order = if open.ordered != 0 { ASCENDING } else { ORDER.load(Relaxed) };
        let seed = mix(SEED.load(Relaxed) ^ mix(u64::from(open.number)));
        // SAFETY: this many bytes were pushed.
        let values = unsafe { slice::from_raw_parts_mut(open.values, open.count * size) };
        arrange(values, size, order, seed);
    }
    if open.position == open.count || value.is_null() {
        // SAFETY: by the caller.
        unsafe { cll_loop_close(state) };
        return 0;
    }
    // SAFETY: by the caller.
    unsafe {
        let from = open.values.add(open.position * size);
        from.copy_to_nonoverlapping(value.cast(), size);
    }
    open.position += 1;
    1
}

/// `cll_loop_empty`.
///
/// # Safety
/// `unit` is null or points to a unit whose `file` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_loop_empty(unit: *const Unit, line: c_uint) {
    // SAFETY: by the caller.
    let file = unsafe { unit.as_ref() }.map_or(ptr::null(), |unit| unit.file);
    let file = if file.is_null() {
        c""
    } else {
        // SAFETY: by the caller.
        unsafe { CStr::from_ptr(file) }
    };
    Message::new()
        .bytes(file.to_bytes())
        .text(":")
        .number(u64::from(line))
        .text(": `cll for` has no values; its body runs once, as without the pragma")
        .send();
}

/// `cll_loop_close`.
///
/// # Safety
/// As [`cll_loop_begin`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_loop_close(state: *mut Loop) {
    // SAFETY: by the caller.
    let Some(state) = (unsafe { state.as_mut() }) else { return };
    // SAFETY: null or from `cll_loop_push`.
    unsafe { libc::free(state.values.cast()) };
    state.values = ptr::null_mut();
    (state.count, state.position, state.size) = (0, 0, 0);
}
