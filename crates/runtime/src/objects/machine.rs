//! Machines: enquiry, partition, synchronisation.

use std::ffi::{c_char, c_int, c_void};

use cll_bsp::{Handle, Misuse};

use super::context::{Stage, named, objects, stage};
use crate::bsp::call::Call;
use crate::bsp::number;

/// `bsp_nprocs`.
///
/// # Safety
/// As `pub.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_nprocs(
    machine: *const Handle,
    file: *const c_char,
    line: c_int,
) -> c_int {
    // SAFETY: by the caller.
    unsafe { enquire(Call::new("bsp_nprocs", file, line), machine).nprocs() as c_int }
}

/// `bsp_pid`.
///
/// # Safety
/// As `pub.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_pid(
    machine: *const Handle,
    file: *const c_char,
    line: c_int,
) -> c_int {
    // SAFETY: by the caller.
    unsafe { enquire(Call::new("bsp_pid", file, line), machine).pid() as c_int }
}

/// `cll_pub_barrier`: waits for the machine's processors without ending the superstep.
///
/// # Safety
/// As `pub.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_barrier(machine: *const Handle) {
    let call = Call::nowhere("sync");
    // SAFETY: by the caller.
    let handle = unsafe { named(call, machine) };
    call.must(objects(call).barrier(handle, call.place));
}

/// Waits for all processors. Does nothing outside of machine objects.
pub fn meet() {
    if let Stage::Inside(inside) = stage() {
        let call = Call::nowhere("sync");
        let machine = inside.objects.root();
        call.must(inside.objects.barrier(machine, call.place));
    }
}

/// # Safety
/// As `pub.h` says.
unsafe fn enquire(call: Call, machine: *const Handle) -> Handle {
    let objects = objects(call);
    // SAFETY: by the caller.
    let handle = unsafe { named(call, machine) };
    call.must(objects.check(handle));
    handle
}

/// `bsp_time`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_time(
    _machine: *const c_void,
    file: *const c_char,
    line: c_int,
) -> f64 {
    // SAFETY: by the caller.
    objects(unsafe { Call::new("bsp_time", file, line) }).time()
}

/// `bsp_partition`.
///
/// # Safety
/// As `pub.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_partition(
    machine: *const Handle,
    part: *mut Handle,
    count: c_int,
    bounds: *const c_int,
    file: *const c_char,
    line: c_int,
) {
    // SAFETY: by the caller.
    let call = unsafe { Call::new("bsp_partition", file, line) };
    let objects = objects(call);
    // SAFETY: by the caller.
    let handle = unsafe { named(call, machine) };
    if count < 1 {
        call.must(Err(Misuse::NoParts))
    }
    if bounds.is_null() {
        call.must(Err(Misuse::NullPointer("the array of bounds")))
    }
    if part.is_null() {
        call.must(Err(Misuse::NullPointer("the machine object for the part")))
    }
    // SAFETY: by the caller: there are this many bounds.
    let bounds = unsafe { std::slice::from_raw_parts(bounds, count as usize) };
    if let Some(&negative) = bounds.iter().find(|bound| **bound < 0) {
        call.must(Err(Misuse::NegativeBound(negative.into())))
    }
    let partition = objects.partition(handle, bounds.iter().map(|&bound| bound as usize));
    // SAFETY: by the caller.
    unsafe { part.write(call.must(partition)) };
}

/// `bsp_done`.
///
/// # Safety
/// As `pub.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_done(machine: *const Handle, file: *const c_char, line: c_int) {
    // SAFETY: by the caller.
    let call = unsafe { Call::ending("bsp_done", file, line) };
    let objects = objects(call);
    // SAFETY: by the caller.
    call.must(objects.done(unsafe { named(call, machine) }, call.place));
}

/// `bsp_sync`.
///
/// # Safety
/// As `pub.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_sync(machine: *const Handle, file: *const c_char, line: c_int) {
    // SAFETY: by the caller.
    let call = unsafe { Call::ending("bsp_sync", file, line) };
    let objects = objects(call);
    // SAFETY: by the caller.
    call.must(objects.sync(unsafe { named(call, machine) }, call.place));
}

/// `bsp_oblsync`.
///
/// # Safety
/// As `pub.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_oblsync(
    machine: *const Handle,
    messages: c_int,
    file: *const c_char,
    line: c_int,
) {
    // SAFETY: by the caller.
    let call = unsafe { Call::ending("bsp_oblsync", file, line) };
    let objects = objects(call);
    // SAFETY: by the caller.
    let handle = unsafe { named(call, machine) };
    let count = call.must(number::Number::count(messages).map_err(Misuse::NegativeCount));
    call.must(objects.oblsync(handle, count, call.place));
}
