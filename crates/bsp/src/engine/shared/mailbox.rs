//! What one processor sends to another in one superstep.
//!
//! It lies in the sender's window, once for even and once for odd supersteps: it is read while
//! the sender fills the other. The first records lie in it, beside what says that there are any, so
//! that little sent is one line of memory fetched from the sender's cache: requests, messages and
//! replies have a part each, of which those that nobody writes are not fetched.

use std::mem::offset_of;
use std::ptr::NonNull;
use std::sync::atomic::Ordering::*;

use super::atomics::AtomicU64;
use crate::chunk::{Chunk, ChunkHeader, HEADER};
use crate::engine::traffic::{Offer, Sent, Stream};

/// Bytes of a part; the checker's threads have small stacks.
const SIZE: usize = if cfg!(loom) { 16 + HEADER } else { 1024 };
const ROOM: usize = SIZE - 16 - HEADER;
/// Bytes of a line of the caches.
const LINE: usize = 64;

/// Requests, messages, or replies to requests: a stream's first chunk.
#[repr(C, align(64))]
#[derive(Debug)]
struct Part {
    /// The superstep of which it holds something; supersteps count from 1.
    stamp: AtomicU64,
    /// How many of them: of requests, those to read.
    count: AtomicU64,
    header: ChunkHeader,
    /// The last word before the records: bytes of the messages' payload; of requests, the superstep and what
    /// is offered in it.
    about: AtomicU64,
    room: [u8; ROOM],
}

#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct Mailbox {
    requests: Part,
    messages: Part,
    replies: Part,
}

impl Mailbox {
    /// Bytes of records in each of its first chunks.
    pub const ROOM: usize = ROOM;

    /// Offsets of the first chunks: requests, messages, replies.
    pub const CHUNKS: (usize, usize, usize) = (
        offset_of!(Mailbox, requests) + offset_of!(Part, header),
        offset_of!(Mailbox, messages) + offset_of!(Part, header),
        offset_of!(Mailbox, replies) + offset_of!(Part, header),
    );

    /// The lines that are read first: of requests, messages, replies.
    pub fn heads(mailbox: *const Mailbox) -> [*const u8; 3] {
        [0, SIZE, 2 * SIZE].map(|offset| mailbox.cast::<u8>().wrapping_add(offset))
    }

    /// Bytes of records in the first chunks of requests and messages.
    ///
    /// # Safety
    /// It is closed, and the caller's to fill.
    #[inline]
    pub unsafe fn written(mailbox: *const Mailbox, sent: &Sent) -> [usize; 2] {
        // SAFETY: by the caller; what was not sent is not looked at.
        let used = |is_sent: bool, header: *const ChunkHeader| match is_sent {
            true => unsafe { (*header).used as usize },
            false => 0,
        };
        // SAFETY: fields of it.
        let (requests, messages) = unsafe {
            (&raw const (*mailbox).requests.header, &raw const (*mailbox).messages.header)
        };
        [used(sent.requests, requests), used(sent.messages > 0, messages)]
    }

    /// How many lines so many bytes of records lie in, with what stands before them, as far as they are in the
    /// mailbox.
    #[inline]
    pub fn lines(bytes: usize) -> u8 {
        match bytes {
            0 => 0,
            _ => (size_of::<Part>() - ROOM + bytes).min(SIZE).div_ceil(LINE) as u8,
        }
    }

    /// The first lines of the parts: of requests, messages and replies, so many of each.
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
    /// The mailbox is the caller's to fill.
    pub unsafe fn replies(mailbox: *mut Mailbox) -> Chunk {
        // SAFETY: a field of it.
        chunk(unsafe { &raw mut (*mailbox).replies.header })
    }

    /// The first chunk of a stream.
    ///
    /// # Safety
    /// The mailbox is the caller's to fill.
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

    /// What was ordered is among the replies.
    #[inline]
    pub fn stamp_subscribed(&self, superstep: u64) {
        self.replies.stamp.store(superstep, Relaxed);
    }

    /// Whether it is, in a superstep.
    #[inline]
    pub fn has_subscribed(&self, superstep: u64) -> bool {
        self.replies.stamp.load(Relaxed) == superstep
    }

    /// Before it is closed: what the sender offers in this superstep.
    pub fn offer(&self, superstep: u64, offer: Offer) {
        self.requests.about.store(superstep << 2 | offer as u64, Relaxed);
    }

    /// What it has offered, of the requests that it has sent.
    pub fn offered(&self, superstep: u64) -> Offer {
        let word = self.requests.about.load(Relaxed);
        match (word >> 2 == superstep, word & 3) {
            (true, 1) => Offer::All,
            (true, 2) => Offer::Part,
            _ => Offer::Nothing,
        }
    }

    /// All of a superstep is in it.
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

    /// Whether requests and messages of a superstep are in it.
    #[inline(always)]
    pub fn has(&self, superstep: u64) -> (bool, bool) {
        let is_there = |part: &Part| part.stamp.load(Acquire) == superstep;
        (is_there(&self.requests), is_there(&self.messages))
    }

    /// What was sent, if anything was in this superstep.
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
        let part = || Part {
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
const _: () = assert!(offset_of!(Part, room) == offset_of!(Part, header) + HEADER);
#[cfg(not(loom))]
const _: () = assert!(size_of::<Mailbox>() == 3 * SIZE && offset_of!(Part, room) % 16 == 8);

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
