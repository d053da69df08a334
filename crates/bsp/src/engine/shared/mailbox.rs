//! What one processor sends to another in one superstep.
//!
//! It lies in the sender's window, once for even and once for odd supersteps: it is read while
//! the sender fills the other. The first records lie in it, beside what says that there are any, so
//! that little sent is little fetched from the sender's cache.

use std::mem::offset_of;
use std::ptr::NonNull;
use std::sync::atomic::Ordering::*;

use super::atomics::{AtomicU32, AtomicU64};
use crate::stream::{Chunk, ChunkHeader, HEADER};

/// Bytes for requests (from `requests` on) and messages.
const HALF: usize = 512;

#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct Mailbox {
    /// The superstep of which it holds something; supersteps count from 1.
    stamp: AtomicU64,
    /// Offset of the stream of replies.
    replies: AtomicU64,
    gets: AtomicU32,
    messages: AtomicU32,
    requests: ChunkHeader,
    requests_room: [u8; HALF - 24 - HEADER],
    message_bytes: AtomicU64,
    _align: u64,
    message_records: ChunkHeader,
    message_room: [u8; HALF - 16 - HEADER],
}

/// How much was sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sent {
    /// Requests to read.
    pub gets: u32,
    pub messages: u32,
    /// Bytes of the messages' payload.
    pub message_bytes: u64,
}

impl Mailbox {
    /// Offsets of the first chunks: requests, messages.
    pub const CHUNKS: (usize, usize) =
        (offset_of!(Mailbox, requests), offset_of!(Mailbox, message_records));

    /// The lines that are read first: of requests, and of messages.
    pub fn heads(mailbox: *const Mailbox) -> [*const u8; 2] {
        [mailbox.cast(), mailbox.cast::<u8>().wrapping_add(HALF)]
    }

    /// The first chunks of a mailbox: requests, messages.
    ///
    /// # Safety
    /// The mailbox is the caller's to fill.
    pub unsafe fn chunks(mailbox: *mut Mailbox) -> (Chunk, Chunk) {
        // SAFETY: fields of it.
        let (requests, messages) =
            unsafe { (&raw mut (*mailbox).requests, &raw mut (*mailbox).message_records) };
        let chunk = |header: *mut ChunkHeader, room: usize| Chunk {
            header: NonNull::new(header).unwrap_or(NonNull::dangling()),
            room,
        };
        (chunk(requests, HALF - 24 - HEADER), chunk(messages, HALF - 16 - HEADER))
    }

    /// All of a superstep is in it. Without messages their half is not touched, neither here nor by who
    /// reads.
    pub fn close(&self, superstep: u64, sent: Sent) {
        self.gets.store(sent.gets, Relaxed);
        self.messages.store(sent.messages, Relaxed);
        if sent.messages > 0 {
            self.message_bytes.store(sent.message_bytes, Relaxed);
        }
        self.stamp.store(superstep, Release);
    }

    /// What was sent, if anything was in this superstep.
    #[inline]
    pub fn sent(&self, superstep: u64) -> Option<Sent> {
        (self.stamp.load(Acquire) == superstep).then(|| {
            let messages = self.messages.load(Relaxed);
            let message_bytes = if messages > 0 { self.message_bytes.load(Relaxed) } else { 0 };
            Sent { gets: self.gets.load(Relaxed), messages, message_bytes }
        })
    }

    pub fn set_replies(&self, offset: u64) {
        self.replies.store(offset, Release);
    }

    pub fn replies(&self) -> u64 {
        self.replies.load(Acquire)
    }
}

#[cfg(loom)]
impl Mailbox {
    pub fn empty() -> Mailbox {
        let chunk = || ChunkHeader { next: 0, used: 0 };
        Mailbox {
            stamp: AtomicU64::new(0),
            replies: AtomicU64::new(0),
            gets: AtomicU32::new(0),
            messages: AtomicU32::new(0),
            requests: chunk(),
            requests_room: [0; HALF - 24 - HEADER],
            message_bytes: AtomicU64::new(0),
            _align: 0,
            message_records: chunk(),
            message_room: [0; HALF - 16 - HEADER],
        }
    }
}

// The checker's atomics are larger.
#[cfg(not(loom))]
const _: () = assert!(size_of::<Mailbox>() == 2 * HALF);
#[cfg(not(loom))]
const _: () = assert!((Mailbox::CHUNKS.1 + HEADER).is_multiple_of(16));
