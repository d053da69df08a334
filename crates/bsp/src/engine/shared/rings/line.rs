//! A record in transit: one cache line. A short payload is in the line itself.
//!
//! Lines are one after the other in chunks, each in its own place, with numbers that count up for ever within
//! their channel. So an old line in a chunk that is used again is never taken for a new one, and nothing needs
//! to be cleared. The last line of a chunk refers to the next chunk.

use std::sync::atomic::{AtomicU64, Ordering::*};

use super::super::atomics::{self, fences};
use super::super::page::PAGE;
use super::memory::{ChunkSource, Chunks, HEAD};
use crate::Misuse;
use crate::channel::Header;

/// Longest payload that fits into the line, in bytes.
pub(super) const INLINE: usize = 32;
/// Size of a chunk of lines, in bytes.
const CHUNK: usize = PAGE;
/// Lines in a chunk.
const LINES: usize = (CHUNK - HEAD) / size_of::<Line>();
/// In place of a machine's kind and superstep: the payload is the next chunk.
const LINK: u64 = u64::MAX;
/// Number of bits for the superstep.
const SUPERSTEP: u32 = 48;

#[repr(C, align(64))]
#[derive(Debug)]
struct Line {
    number: atomics::AtomicU64,
    machine: u64,
    /// Superstep, with the kind in the bits above.
    what: u64,
    size: u64,
    /// The payload; or its offset and the offset of its chunk.
    payload: [u64; INLINE / 8],
}

/// The sender's end of a channel.
#[derive(Debug)]
pub(super) struct Sending {
    chunks: Chunks,
    next: *mut Line,
    /// The line that will refer to the next chunk.
    last: *mut Line,
    number: u64,
}

impl Sending {
    /// For a channel in which nothing was sent.
    pub const NEW: fn() -> Sending = || Sending {
        chunks: Chunks::default(),
        next: std::ptr::null_mut(),
        last: std::ptr::null_mut(),
        number: 0,
    };

    /// Makes sure that there is room for the next line. `begins` is set to the beginning of the channel.
    #[inline]
    pub fn prepare(&mut self, source: &ChunkSource, begins: &AtomicU64) -> Result<(), Misuse> {
        if self.next == self.last { self.grow(source, begins) } else { Ok(()) }
    }

    #[cold]
    fn grow(&mut self, source: &ChunkSource, begins: &AtomicU64) -> Result<(), Misuse> {
        let base = source.pointer_at(0) as usize;
        let full = (!self.last.is_null()).then(|| {
            let chunk = (self.last as usize - base) & !(CHUNK - 1);
            (chunk as u64, LINES as u64)
        });
        let before = self.last;
        let chunk = self.chunks.next(full, CHUNK, source)?;
        // SAFETY: a chunk has a header and lines.
        unsafe {
            self.next = source.pointer_at(chunk).add(HEAD).cast();
            self.last = self.next.add(LINES - 1);
        }
        if before.is_null() {
            begins.store(chunk, Release)
        } else {
            self.number += 1;
            // SAFETY: the line was reserved for this.
            unsafe {
                (*before).what = LINK;
                (*before).payload[0] = chunk;
                (*before).number.store(self.number, Release);
            }
        }
        Ok(())
    }

    /// Sends a record whose payload is elsewhere, at an offset and in a chunk; the line is prepared.
    #[inline]
    pub fn refer(&mut self, header: &Header, offset: u64, chunk: u64) {
        // SAFETY: `prepare` has made it ours.
        unsafe {
            (*self.next).payload[0] = offset;
            (*self.next).payload[1] = chunk;
        }
        self.finish(header);
    }

    /// Sends a record with a short payload; the line is prepared.
    ///
    /// # Safety
    /// The payload can be read, and has at most [`INLINE`] bytes.
    #[inline]
    pub unsafe fn copy(&mut self, header: &Header, payload: *const u8) {
        // SAFETY: by the caller; `prepare` has made the line ours.
        unsafe {
            let to = (&raw mut (*self.next).payload).cast::<u8>();
            match header.size {
                8 => to.cast::<u64>().write(payload.cast::<u64>().read_unaligned()),
                0 => {}
                size => payload.copy_to_nonoverlapping(to, size),
            }
        }
        self.finish(header);
    }

    #[inline]
    fn finish(&mut self, header: &Header) {
        self.number += 1;
        // SAFETY: `prepare` has made the line ours.
        unsafe {
            let line = self.next;
            (*line).machine = header.machine;
            (*line).what = header.superstep | u64::from(header.kind) << SUPERSTEP;
            (*line).size = header.size as u64;
            // Only after that the sender checks whether the receiver sleeps.
            fences::store(&(*line).number, self.number);
            self.next = line.add(1);
        }
    }
}

/// The receiver's end of a channel.
#[derive(Debug)]
pub(super) struct Receiving {
    next: *const Line,
    /// The number of the next line.
    number: u64,
}

/// A record that has arrived: its header, the address of the payload, the chunk to release.
pub(super) type Arrived = (Header, *mut u8, u64);

impl Receiving {
    /// For a channel of which nothing was received.
    pub const NEW: fn() -> Receiving = || Receiving { next: std::ptr::null(), number: 1 };

    /// Whether there is something to receive. `begins`: the beginning of the channel.
    #[inline]
    pub fn has_some(&self, begins: &AtomicU64) -> bool {
        if self.next.is_null() {
            return begins.load(Relaxed) != 0;
        }
        // SAFETY: a line of the sender, in memory that stays.
        unsafe { (*self.next).number.load(Relaxed) == self.number }
    }

    #[inline(always)]
    pub fn take(&mut self, source: &ChunkSource, begins: &AtomicU64) -> Option<Arrived> {
        loop {
            if self.next.is_null() {
                self.begin(source, begins)?;
            }
            let line = self.next.cast_mut();
            // SAFETY: the sender does not change a line any more once it has its number, until it was released.
            unsafe {
                if (*line).number.load(Acquire) != self.number {
                    return None;
                }
                self.number += 1;
                let chunk = (line as u64 - source.pointer_at(0) as u64) & !(CHUNK as u64 - 1);
                if (*line).what == LINK {
                    self.next = source.pointer_at((*line).payload[0]).add(HEAD).cast();
                    source.release(chunk);
                    continue;
                }
                self.next = line.add(1);
                let what = (*line).what;
                let header = Header {
                    machine: (*line).machine,
                    superstep: what & ((1 << SUPERSTEP) - 1),
                    kind: (what >> SUPERSTEP) as u16,
                    size: (*line).size as usize,
                };
                if header.size <= INLINE {
                    return Some((header, (&raw mut (*line).payload).cast(), chunk));
                }
                let (payload, record_chunk) = ((*line).payload[0], (*line).payload[1]);
                source.release(chunk);
                return Some((header, source.pointer_at(payload), record_chunk));
            }
        }
    }

    #[cold]
    fn begin(&mut self, source: &ChunkSource, begins: &AtomicU64) -> Option<()> {
        let chunk = begins.load(Acquire);
        if chunk == 0 {
            return None;
        }
        // SAFETY: the sender's first chunk.
        self.next = unsafe { source.pointer_at(chunk).add(HEAD).cast() };
        Some(())
    }
}

// The checker's atomics are larger.
#[cfg(not(loom))]
const _: () = assert!(size_of::<Line>() == 64 && LINES == 63);
