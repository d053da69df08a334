//! Messages.

use std::ffi::{c_char, c_int, c_void};

use cll_bsp::{Delivered, Handle, Misuse};

use super::context::{named, objects};
use crate::bsp::call::Call;
use crate::bsp::number::{self, Number};

macro_rules! sending {
    ($name:literal $function:ident $inner:ident) => {
        #[doc = concat!("`", $name, "`.")]
        ///
        /// # Safety
        /// As `pub.h` says; `file` is null or a string literal.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(
            machine: *const Handle,
            to: c_int,
            data: *const c_void,
            size: c_int,
            file: *const c_char,
            line: c_int,
        ) {
            // SAFETY: by the caller.
            let call = unsafe { Call::new($name, file, line) };
            let objects = objects(call);
            // SAFETY: by the caller.
            let handle = unsafe { named(call, machine) };
            let to = call.must(number::pid(to));
            let size = call.must(number::size(size));
            if size > 0 && data.is_null() {
                call.must(Err(Misuse::NullPointer("the message")))
            }
            // SAFETY: by the caller.
            call.must(unsafe { objects.$inner(handle, to, data.cast(), size) });
        }
    };
}

sending!("bsp_send" cll_pub_send send);
sending!("bsp_hpsend" cll_pub_hpsend hpsend);

/// `bsp_nmsgs`.
///
/// # Safety
/// As `pub.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_nmsgs(
    machine: *const Handle,
    file: *const c_char,
    line: c_int,
) -> c_int {
    // SAFETY: by the caller.
    let call = unsafe { Call::new("bsp_nmsgs", file, line) };
    let objects = objects(call);
    // SAFETY: by the caller.
    let messages = call.must(objects.messages(unsafe { named(call, machine) }));
    c_int::from_count(messages.len())
}

/// `bsp_getmsg`.
///
/// # Safety
/// As `pub.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_getmsg(
    machine: *const Handle,
    index: c_int,
    file: *const c_char,
    line: c_int,
) -> *const Delivered {
    // SAFETY: by the caller.
    let call = unsafe { Call::new("bsp_getmsg", file, line) };
    let objects = objects(call);
    // SAFETY: by the caller.
    let handle = unsafe { named(call, machine) };
    let index = call.must(index.count().map_err(Misuse::NegativeIndex));
    std::ptr::from_ref(call.must(objects.message(handle, index)))
}

/// `bsp_findmsg`.
///
/// # Safety
/// As `pub.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_findmsg(
    machine: *const Handle,
    source: c_int,
    index: c_int,
    file: *const c_char,
    line: c_int,
) -> *const Delivered {
    // SAFETY: by the caller.
    let call = unsafe { Call::new("bsp_findmsg", file, line) };
    let objects = objects(call);
    // SAFETY: by the caller.
    let handle = unsafe { named(call, machine) };
    let source = call.must(number::pid(source));
    let index = call.must(index.count().map_err(Misuse::NegativeIndex));
    let delivered = call.must(objects.find(handle, source, index));
    delivered.map_or(std::ptr::null(), std::ptr::from_ref)
}

/// # Safety
/// `message` is null or a message that still exists.
unsafe fn read<'a>(
    name: &'static str,
    message: *const Delivered,
    file: *const c_char,
    line: c_int,
) -> &'a Delivered {
    // SAFETY: by the caller.
    match unsafe { message.as_ref() } {
        Some(message) => message,
        None => {
            // SAFETY: by the caller.
            let call = unsafe { Call::new(name, file, line) };
            call.must(Err(Misuse::NullPointer("the message")))
        }
    }
}

/// `bspmsg_data`.
///
/// # Safety
/// As `pub.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_msg_data(
    message: *const Delivered,
    file: *const c_char,
    line: c_int,
) -> *mut c_void {
    // SAFETY: by the caller.
    unsafe { read("bspmsg_data", message, file, line) }.data().cast()
}

/// `bspmsg_size`.
///
/// # Safety
/// As `pub.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_msg_size(
    message: *const Delivered,
    file: *const c_char,
    line: c_int,
) -> c_int {
    // SAFETY: by the caller.
    c_int::from_count(unsafe { read("bspmsg_size", message, file, line) }.size())
}

/// `bspmsg_src`.
///
/// # Safety
/// As `pub.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_msg_src(
    message: *const Delivered,
    file: *const c_char,
    line: c_int,
) -> c_int {
    // SAFETY: by the caller.
    c_int::from_count(unsafe { read("bspmsg_src", message, file, line) }.source())
}
