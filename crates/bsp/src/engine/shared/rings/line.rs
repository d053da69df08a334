//! A record on its way: one cache line, in which a short payload lies whole.
//!
//! Lines lie one after the other in chunks, each at a place of its own, and have numbers that count up
//! for ever within their channel; so a line of a chunk that is used again is never taken for a new one,
//! and nothing is wiped. The last line of a chunk leads to the next.

use std::sync::atomic::{AtomicU64, Ordering::*};

use super::super::atomics::{self, order};
use super::super::page::PAGE;
use super::memory::{ChunkSource, Chunks, HEAD};
use crate::Misuse;
use crate::channel::Header;

/// Bytes of the longest payload that lies in the line.
pub(super) const INLINE: usize = 32;
/// Bytes of a chunk of lines.
const CHUNK: usize = PAGE;
/// Lines of a chunk.
const LINES: usize = (CHUNK - HEAD) / size_of::<Line>();
/// In place of a machine's kind and superstep: the payload is the next chunk.
const LINK: u64 = u64::MAX;
/// The superstep's bits.
const SUPERSTEP: u32 = 48;

#[repr(C, align(64))]
#[derive(Debug)]
struct Line {
    number: atomics::AtomicU64,
    machine: u64,
    /// Superstep, and the kind above.
    what: u64,
    size: u64,
    /// The payload; or its offset and its chunk's.
    payload: [u64; INLINE / 8],
}

/// The sender's end of a channel.
#[derive(Debug)]
pub(super) struct Sending {
    chunks: Chunks,
    next: *mut Line,
    /// The line that will lead on.
    last: *mut Line,
    number: u64,
}

impl Sending {
    /// Of a channel in which nothing was sent.
    pub const NEW: fn() -> Sending = || Sending {
        chunks: Chunks::default(),
        next: std::ptr::null_mut(),
        last: std::ptr::null_mut(),
        number: 0,
    };

    /// The place of the next line, once it is sure that there is one. `begins` is told where the channel
    /// begins.
    #[inline]
    pub fn prepare(&mut self, source: &ChunkSource, begins: &AtomicU64) -> Result<(), Misuse> {
        match self.next == self.last {
            true => self.grow(source, begins),
            false => Ok(()),
        }
    }

    #[cold]
    fn grow(&mut self, source: &ChunkSource, begins: &AtomicU64) -> Result<(), Misuse> {
        let base = source.at(0) as usize;
        let full = (!self.last.is_null()).then(|| {
            let chunk = (self.last as usize - base) & !(CHUNK - 1);
            (chunk as u64, LINES as u64)
        });
        let before = self.last;
        let chunk = self.chunks.next(full, CHUNK, source)?;
        // SAFETY: a chunk has a head and lines.
        unsafe {
            self.next = source.at(chunk).add(HEAD).cast();
            self.last = self.next.add(LINES - 1);
        }
        match before.is_null() {
            true => begins.store(chunk, Release),
            false => {
                self.number += 1;
                // SAFETY: the line was kept for this.
                unsafe {
                    (*before).what = LINK;
                    (*before).payload[0] = chunk;
                    (*before).number.store(self.number, Release);
                }
            }
        }
        Ok(())
    }

    /// Sends a record whose payload lies elsewhere, at an offset and in a chunk; the line is prepared.
    #[inline]
    pub fn refer(&mut self, header: &Header, at: u64, chunk: u64) {
        // SAFETY: `prepare` has made it ours.
        unsafe {
            (*self.next).payload[0] = at;
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
            // Only then it is looked whether the receiver sleeps.
            order::store(&(*line).number, self.number);
            self.next = line.add(1);
        }
    }
}

/// The receiver's end of a channel.
#[derive(Debug)]
pub(super) struct Receiving {
    next: *const Line,
    /// Of the next line.
    number: u64,
}

/// A record that has arrived: its header, where the payload lies, the chunk to release.
pub(super) type Arrived = (Header, *mut u8, u64);

impl Receiving {
    /// Of a channel of which nothing was received.
    pub const NEW: fn() -> Receiving = || Receiving { next: std::ptr::null(), number: 1 };

    /// Whether there is something to receive. `begins` tells where the channel begins.
    #[inline]
    pub fn has_some(&self, begins: &AtomicU64) -> bool {
        if self.next.is_null() {
            return begins.load(Relaxed) != 0;
        }
        // SAFETY: a line of the sender's, in memory that stays.
        unsafe { (*self.next).number.load(Relaxed) == self.number }
    }

    #[inline(always)]
    pub fn take(&mut self, source: &ChunkSource, begins: &AtomicU64) -> Option<Arrived> {
        loop {
            if self.next.is_null() {
                self.begin(source, begins)?;
            }
            let line = self.next.cast_mut();
            // SAFETY: the sender does not touch a line any more when it has its number, until it was
            // released.
            unsafe {
                if (*line).number.load(Acquire) != self.number {
                    return None;
                }
                self.number += 1;
                let chunk = (line as u64 - source.at(0) as u64) & !(CHUNK as u64 - 1);
                if (*line).what == LINK {
                    self.next = source.at((*line).payload[0]).add(HEAD).cast();
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
                let (payload, of) = ((*line).payload[0], (*line).payload[1]);
                source.release(chunk);
                return Some((header, source.at(payload), of));
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
        self.next = unsafe { source.at(chunk).add(HEAD).cast() };
        Some(())
    }
}

// The checker's atomics are larger.
#[cfg(not(loom))]
const _: () = assert!(size_of::<Line>() == 64 && LINES == 63);
