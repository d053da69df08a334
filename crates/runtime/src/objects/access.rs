//! Access to the memory of a machine's processors.

use std::ffi::{c_char, c_int, c_void};

use cll_bsp::{Handle, Misuse};

use super::context::{named, objects};
use crate::bsp::area::{DESTINATION, SOURCE};
use crate::bsp::call::Call;
use crate::bsp::number;

/// `bsp_push_reg`.
///
/// # Safety
/// As `pub.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_push_reg(
    machine: *const Handle,
    address: *const c_void,
    size: c_int,
    file: *const c_char,
    line: c_int,
) {
    // SAFETY: by the caller.
    let call = unsafe { Call::new("bsp_push_reg", file, line) };
    let objects = objects(call);
    // SAFETY: by the caller.
    let handle = unsafe { named(call, machine) };
    let size = call.must(number::size(size));
    // SAFETY: by the caller.
    call.must(unsafe { objects.push_reg(handle, address.cast_mut().cast(), size) });
}

/// `bsp_pop_reg`.
///
/// # Safety
/// As `pub.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_pop_reg(
    machine: *const Handle,
    address: *const c_void,
    file: *const c_char,
    line: c_int,
) {
    // SAFETY: by the caller.
    let call = unsafe { Call::new("bsp_pop_reg", file, line) };
    let objects = objects(call);
    // SAFETY: by the caller.
    let handle = unsafe { named(call, machine) };
    call.must(objects.pop_reg(handle, address.cast()));
}

/// Checks that a buffer of the program is not NULL.
fn local(call: Call, pointer: *const c_void, what: &'static str) {
    if pointer.is_null() {
        call.must(Err(Misuse::NullPointer(what)))
    }
}

macro_rules! writing {
    ($name:literal $function:ident $inner:ident) => {
        #[doc = concat!("`", $name, "`.")]
        ///
        /// # Safety
        /// As `pub.h` says; `file` is null or a string literal.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(
            machine: *const Handle,
            to: c_int,
            source: *const c_void,
            destination: *mut c_void,
            offset: c_int,
            size: c_int,
            file: *const c_char,
            line: c_int,
        ) {
            // SAFETY: by the caller.
            let call = unsafe { Call::new($name, file, line) };
            let objects = objects(call);
            if size == 0 {
                return;
            }
            // SAFETY: by the caller.
            let handle = unsafe { named(call, machine) };
            let to = call.must(number::pid(to));
            let offset = call.must(number::offset(offset));
            let size = call.must(number::size(size));
            local(call, source, SOURCE);
            let (source, name) = (source.cast(), destination.cast_const().cast());
            // SAFETY: by the caller.
            call.must(unsafe { objects.$inner(handle, to, source, name, offset, size) });
        }
    };
}

writing!("bsp_put" cll_pub_put put);
writing!("bsp_hpput" cll_pub_hpput hpput);

macro_rules! reading {
    ($name:literal $function:ident $inner:ident) => {
        #[doc = concat!("`", $name, "`.")]
        ///
        /// # Safety
        /// As `pub.h` says; `file` is null or a string literal.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(
            machine: *const Handle,
            from: c_int,
            source: *const c_void,
            offset: c_int,
            destination: *mut c_void,
            size: c_int,
            file: *const c_char,
            line: c_int,
        ) {
            // SAFETY: by the caller.
            let call = unsafe { Call::new($name, file, line) };
            let objects = objects(call);
            if size == 0 {
                return;
            }
            // SAFETY: by the caller.
            let handle = unsafe { named(call, machine) };
            let from = call.must(number::pid(from));
            let offset = call.must(number::offset(offset));
            let size = call.must(number::size(size));
            local(call, destination, DESTINATION);
            let (name, to) = (source.cast(), destination.cast());
            // SAFETY: by the caller.
            call.must(unsafe { objects.$inner(handle, from, name, offset, to, size) });
        }
    };
}

reading!("bsp_get" cll_pub_get get);
reading!("bsp_hpget" cll_pub_hpget hpget);
