//! The data that one processor sends to another in one superstep.
//!
//! A mailbox is in the sender's window, once for even and once for odd supersteps: one is read while the sender fills
//! the other. The first records are beside the stamps that say whether there are any, so that for a small superstep
//! only one cache line is fetched from the sender's cache. Requests, messages and replies are separate; lines to
//! which nobody has written are not fetched.
//!
//! Why: decision 0014.

use std::mem::offset_of;
use std::ptr::NonNull;
use std::sync::atomic::Ordering::*;

use super::atomics::AtomicU64;
use crate::chunk::{Chunk, ChunkHeader, HEADER};
use crate::engine::traffic::{Offer, Sent, Stream};

/// Size of one of the three streams in bytes; the checker's threads have small stacks.
const SIZE: usize = if cfg!(loom) { 16 + HEADER } else { 1024 };
const ROOM: usize = SIZE - 16 - HEADER;
/// Size of a cache line.
const LINE: usize = 64;

/// The first chunk of a stream: requests, messages, or replies to requests.
#[repr(C, align(64))]
#[derive(Debug)]
struct FirstChunk {
    /// The superstep whose data it holds; supersteps count from 1.
    stamp: AtomicU64,
    /// Number of messages, or number of requests that read.
    count: AtomicU64,
    header: ChunkHeader,
    /// The last word before the records. For messages: bytes of their payload. For requests: the superstep and
    /// what is offered in it.
    about: AtomicU64,
    room: [u8; ROOM],
}

#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct Mailbox {
    requests: FirstChunk,
    messages: FirstChunk,
    replies: FirstChunk,
}

impl Mailbox {
    /// Room for records in each of the first chunks, in bytes.
    pub const ROOM: usize = ROOM;

    /// Offsets of the first chunks: requests, messages, replies.
    pub const CHUNKS: (usize, usize, usize) = (
        offset_of!(Mailbox, requests) + offset_of!(FirstChunk, header),
        offset_of!(Mailbox, messages) + offset_of!(FirstChunk, header),
        offset_of!(Mailbox, replies) + offset_of!(FirstChunk, header),
    );

    /// The lines that are read first: of requests, messages, replies.
    pub fn heads(mailbox: *const Mailbox) -> [*const u8; 3] {
        [0, SIZE, 2 * SIZE].map(|offset| mailbox.cast::<u8>().wrapping_add(offset))
    }

    /// Bytes of records in the first chunks of requests and messages.
    ///
    /// # Safety
    /// It is closed, and the caller may write it.
    #[inline]
    pub unsafe fn written(mailbox: *const Mailbox, sent: &Sent) -> [usize; 2] {
        // SAFETY: by the caller; what was not sent is not read.
        let used = |is_sent: bool, header: *const ChunkHeader| {
            if is_sent { unsafe { (*header).used as usize } } else { 0 }
        };
        // SAFETY: fields of it.
        let (requests, messages) = unsafe {
            (&raw const (*mailbox).requests.header, &raw const (*mailbox).messages.header)
        };
        [used(sent.requests, requests), used(sent.messages > 0, messages)]
    }

    /// Number of cache lines in the mailbox that `bytes` of records use, with what is before them.
    #[inline]
    pub fn lines(bytes: usize) -> u8 {
        match bytes {
            0 => 0,
            _ => (size_of::<FirstChunk>() - ROOM + bytes).min(SIZE).div_ceil(LINE) as u8,
        }
    }

    /// Calls `line` for the first lines of requests, messages and replies, as many as `lines` says.
    #[inline(always)]
    pub fn for_each_line(mailbox: *mut Mailbox, lines: [u8; 3], mut line: impl FnMut(*mut u8)) {
        let mut part = mailbox.cast::<u8>();
        for lines in lines {
            for nth in 0..usize::from(lines) {
                line(part.wrapping_add(nth * LINE));
            }
            part = part.wrapping_add(SIZE);
        }
    }

    /// The first chunk of the replies.
    ///
    /// # Safety
    /// The caller may write the mailbox.
    pub unsafe fn replies(mailbox: *mut Mailbox) -> Chunk {
        // SAFETY: a field of it.
        chunk(unsafe { &raw mut (*mailbox).replies.header })
    }

    /// The first chunk of a stream.
    ///
    /// # Safety
    /// The caller may write the mailbox.
    #[inline]
    pub unsafe fn first_chunk(mailbox: *mut Mailbox, stream: Stream) -> Chunk {
        // SAFETY: fields of it.
        chunk(unsafe {
            match stream {
                Stream::Requests => &raw mut (*mailbox).requests.header,
                Stream::Messages => &raw mut (*mailbox).messages.header,
            }
        })
    }

    /// Records that subscribed data is in the replies.
    #[inline]
    pub fn stamp_subscribed(&self, superstep: u64) {
        self.replies.stamp.store(superstep, Relaxed);
    }

    /// Whether it is there in a superstep.
    #[inline]
    pub fn has_subscribed(&self, superstep: u64) -> bool {
        self.replies.stamp.load(Relaxed) == superstep
    }

    /// Before it is closed: sets what the sender offers in this superstep.
    pub fn offer(&self, superstep: u64, offer: Offer) {
        self.requests.about.store(superstep << 2 | offer as u64, Relaxed);
    }

    /// Returns the sender's offer for its requests of a superstep.
    pub fn offered(&self, superstep: u64) -> Offer {
        let word = self.requests.about.load(Relaxed);
        match (word >> 2 == superstep, word & 3) {
            (true, 1) => Offer::All,
            (true, 2) => Offer::Part,
            _ => Offer::Nothing,
        }
    }

    /// All of a superstep is written.
    #[inline]
    pub fn close(&self, superstep: u64, sent: &Sent) {
        if sent.requests {
            self.requests.count.store(sent.gets.into(), Relaxed);
            self.requests.stamp.store(superstep, Release);
        }
        if sent.messages > 0 {
            self.messages.count.store(sent.messages.into(), Relaxed);
            self.messages.about.store(sent.message_bytes, Relaxed);
            self.messages.stamp.store(superstep, Release);
        }
    }

    /// Whether it has requests and messages of a superstep.
    #[inline(always)]
    pub fn has(&self, superstep: u64) -> (bool, bool) {
        let is_there = |part: &FirstChunk| part.stamp.load(Acquire) == superstep;
        (is_there(&self.requests), is_there(&self.messages))
    }

    /// Returns the amounts that were sent, if anything was sent in this superstep.
    #[inline]
    pub fn sent(&self, superstep: u64) -> Option<Sent> {
        let (requests, messages) = self.has(superstep);
        if !(requests | messages) {
            return None;
        }
        let mut sent = Sent { requests, ..Sent::default() };
        if requests {
            sent.gets = self.requests.count.load(Relaxed) as u32;
        }
        if messages {
            sent.messages = self.messages.count.load(Relaxed) as u32;
            sent.message_bytes = self.messages.about.load(Relaxed);
        }
        Some(sent)
    }
}

fn chunk(header: *mut ChunkHeader) -> Chunk {
    Chunk { header: NonNull::new(header).unwrap_or(NonNull::dangling()), room: ROOM }
}

#[cfg(loom)]
impl Mailbox {
    pub fn empty() -> Mailbox {
        let part = || FirstChunk {
            stamp: AtomicU64::new(0),
            count: AtomicU64::new(0),
            header: ChunkHeader { next: 0, used: 0 },
            about: AtomicU64::new(0),
            room: [0; ROOM],
        };
        Mailbox { requests: part(), messages: part(), replies: part() }
    }
}

// The checker's atomics are larger.
#[cfg(not(loom))]
const _: () = assert!(offset_of!(FirstChunk, room) == offset_of!(FirstChunk, header) + HEADER);
#[cfg(not(loom))]
const _: () = assert!(size_of::<Mailbox>() == 3 * SIZE && offset_of!(FirstChunk, room) % 16 == 8);

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{Mailbox, SIZE};

    #[test]
    fn lines_of_what_was_written_and_of_nothing_else() {
        let mut mailbox = std::mem::MaybeUninit::<Mailbox>::uninit();
        let begin = mailbox.as_mut_ptr();
        let lines = |bytes: [usize; 3]| -> Vec<usize> {
            let (mut lines, counts) = (Vec::new(), bytes.map(Mailbox::lines));
            Mailbox::for_each_line(begin, counts, |line| {
                lines.push(line as usize - begin as usize)
            });
            lines
        };
        assert!(lines([0, 0, 0]).is_empty());
        // Records begin within the first line.
        assert_eq!(lines([8, 0, 0]), [0]);
        assert_eq!(lines([0, 64, 1]), [SIZE, SIZE + 64, 2 * SIZE]);
        let all: Vec<usize> = (0..SIZE).step_by(64).collect();
        assert_eq!(lines([Mailbox::ROOM, 0, 0]), all);
        assert_eq!(lines([1 << 20, 0, 0]), all);
    }
}
