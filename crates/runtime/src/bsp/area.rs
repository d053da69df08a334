//! Registration of areas, and access to those of other processors.

use cll_bsp::Misuse;

use super::call::Call;
use super::context::{self, Stage};

/// bsp_push_reg.
///
/// # Safety
/// The area belongs to the program and stays at its address while it is registered.
pub unsafe fn push_reg(call: Call, address: *const u8, size: usize) {
    let part = call.part();
    // SAFETY: by the caller.
    call.must(unsafe { part.processor.push_reg(address.cast_mut(), size) });
}

/// bsp_pop_reg.
pub fn pop_reg(call: Call, address: *const u8) {
    let part = call.part();
    call.must(part.processor.pop_reg(address));
}

/// bsp_put, if it is short and to the same area as the last one. Returns whether it was.
///
/// # Safety
/// The source has `size` bytes.
#[inline(always)]
pub unsafe fn put_short(
    to: usize,
    source: *const u8,
    destination: *const u8,
    offset: usize,
    size: usize,
) -> bool {
    let Stage::Inside(part) = context::stage() else { return false };
    // SAFETY: by the caller.
    !source.is_null() && unsafe { part.processor.put_short(to, source, destination, offset, size) }
}

/// bsp_put, for calls that [`put_short`] has not done.
///
/// # Safety
/// The source has `size` bytes.
pub unsafe fn put(
    call: Call,
    to: usize,
    source: *const u8,
    destination: *const u8,
    offset: usize,
    size: usize,
) {
    let part = call.part();
    call.must(local(source, SOURCE));
    // SAFETY: by the caller.
    call.must(unsafe { part.processor.put_any(to, source, destination, offset, size) });
}

/// bsp_hpput.
///
/// # Safety
/// As [`put`], until the superstep ends.
pub unsafe fn hpput(
    call: Call,
    to: usize,
    source: *const u8,
    destination: *const u8,
    offset: usize,
    size: usize,
) {
    let part = call.part();
    call.must(local(source, SOURCE));
    // SAFETY: by the caller.
    call.must(unsafe { part.processor.hpput(to, source, destination, offset, size) });
}

/// bsp_get.
///
/// # Safety
/// The destination has `size` bytes, until the superstep ends.
#[inline(always)]
pub unsafe fn get(
    call: Call,
    from: usize,
    source: *const u8,
    offset: usize,
    destination: *mut u8,
    size: usize,
) {
    let part = call.part();
    call.must(local(destination, DESTINATION));
    // SAFETY: by the caller.
    call.must(unsafe { part.processor.get(from, source, offset, destination, size) });
}

/// bsp_hpget.
///
/// # Safety
/// As [`get`].
pub unsafe fn hpget(
    call: Call,
    from: usize,
    source: *const u8,
    offset: usize,
    destination: *mut u8,
    size: usize,
) {
    let part = call.part();
    call.must(local(destination, DESTINATION));
    // SAFETY: by the caller.
    call.must(unsafe { part.processor.hpget(from, source, offset, destination, size) });
}

/// bsp_direct_get.
///
/// # Safety
/// The destination has `size` bytes.
pub unsafe fn direct_get(
    call: Call,
    from: usize,
    source: *const u8,
    offset: usize,
    destination: *mut u8,
    size: usize,
) {
    let part = call.part();
    call.must(local(destination, DESTINATION));
    // SAFETY: by the caller.
    call.must(unsafe { part.processor.direct_get(from, source, offset, destination, size) });
}

pub const SOURCE: &str = "the source";
pub const DESTINATION: &str = "the destination";

/// Checks that a buffer of this processor is not NULL.
#[inline(always)]
pub fn local(address: *const u8, what: &'static str) -> Result<(), Misuse> {
    if address.is_null() { Err(Misuse::NullPointer(what)) } else { Ok(()) }
}
