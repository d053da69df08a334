//! Messages: tags, sending, the queue of what has arrived.

use cll_bsp::{Message, Misuse};

use super::area::local;
use super::call::Call;
use super::context::{self, Stage};

const PAYLOAD: &str = "the payload";
const TAG: &str = "the tag";

/// bsp_set_tagsize. Returns the size set last.
pub fn set_tagsize(call: Call, size: usize) -> usize {
    call.part().processor.set_tagsize(size)
}

/// bsp_send, if the message is short. Returns whether it was.
///
/// # Safety
/// The tag has the tag size, the payload `size` bytes.
#[inline(always)]
pub unsafe fn send_short(to: usize, tag: *const u8, payload: *const u8, size: usize) -> bool {
    let Stage::Inside(part) = context::stage() else { return false };
    let is_missing = |pointer: *const u8, size: usize| pointer.is_null() && size > 0;
    if is_missing(tag, part.processor.sent_tag_size()) || is_missing(payload, size) {
        return false;
    }
    // SAFETY: by the caller.
    unsafe { part.processor.send_short(to, tag, payload, size) }
}

/// bsp_send, and bsp_hpsend, which may be the same, for calls that [`send_short`] has not done.
///
/// # Safety
/// The tag has the tag size, the payload `size` bytes.
pub unsafe fn send(call: Call, to: usize, tag: *const u8, payload: *const u8, size: usize) {
    let part = call.part();
    call.must(has_bytes(tag, part.processor.sent_tag_size(), TAG));
    call.must(has_bytes(payload, size, PAYLOAD));
    // SAFETY: by the caller.
    call.must(unsafe { part.processor.send_any(to, tag, payload, size) });
}

#[inline(always)]
fn has_bytes(address: *const u8, size: usize, what: &'static str) -> Result<(), Misuse> {
    if size == 0 { Ok(()) } else { local(address, what) }
}

/// bsp_qsize: the number of messages, and the bytes of their payloads.
pub fn qsize(call: Call) -> (usize, usize) {
    let part = call.part();
    let (count, bytes) = part.processor.qsize();
    let kept: usize = part.kept.iter().map(|message| message.size).sum();
    (count + part.kept.len(), bytes + kept)
}

/// bsp_get_tag: the size of the first message's payload, if there is one.
///
/// # Safety
/// `tag` is null or has the tag size.
pub unsafe fn get_tag(call: Call, tag: *mut u8) -> Option<usize> {
    let part = call.part();
    let message = part.kept.front().copied().or_else(|| part.processor.peek())?;
    if message.tag_size > 0 {
        call.must(local(tag, TAG));
        // SAFETY: by the caller; the message is the library's.
        unsafe { tag.copy_from_nonoverlapping(message.tag, message.tag_size) };
    }
    Some(message.size)
}

/// bsp_move.
///
/// # Safety
/// `payload` has `most` bytes.
#[inline(always)]
pub unsafe fn move_payload(call: Call, payload: *mut u8, most: usize) {
    let message = call.must(take(call).ok_or(Misuse::EmptyQueue));
    call.must(has_bytes(payload, most, PAYLOAD));
    let size = most.min(message.size);
    if size > 0 {
        // SAFETY: by the caller; the message is the library's.
        unsafe { payload.copy_from_nonoverlapping(message.payload, size) };
    }
}

/// The first message, removed, aligned for every type: bsp_hpmove.
pub fn take_aligned(call: Call) -> Option<Message> {
    let message = take(call)?;
    Some(call.part().processor.aligned(message))
}

/// The first message, removed.
#[inline(always)]
pub fn take(call: Call) -> Option<Message> {
    let part = call.part();
    if part.kept.is_empty() { part.processor.take() } else { part.kept.pop_front() }
}
