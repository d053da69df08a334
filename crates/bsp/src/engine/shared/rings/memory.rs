//! Memory of the sender for records in transit, and how it is freed.
//!
//! A chunk begins with the count of its records that the receiver no longer needs; only the receiver changes
//! it. When it equals the number of records that the sender has placed there, the chunk is free again. The
//! sender checks this when it needs a chunk.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering::*};
use std::sync::{Arc, Mutex, PoisonError};

use super::super::arena::Arena;
use super::super::heap::Heap;
use super::super::page::PAGE;
use crate::Misuse;

/// Bytes before the records of a chunk.
pub(super) const HEAD: usize = 64;

/// Chunks in use that are checked when one is needed: few, since each check fetches a cache line.
const MAX_CHECKS: usize = 4;

/// The memory that chunks come from.
#[derive(Debug)]
pub(super) struct ChunkSource {
    pub arena: Arc<Arena>,
    pub heap: Arc<Mutex<Heap>>,
}

impl ChunkSource {
    /// Allocates pages that were never used, or used as chunks of the same kind.
    pub fn take(&self, size: usize) -> Result<u64, Misuse> {
        let mut heap = self.heap.lock().unwrap_or_else(PoisonError::into_inner);
        let offset = heap.take(size);
        offset.map(|offset| offset as u64).ok_or_else(|| Misuse::NoMemory(format!("{size} bytes")))
    }

    /// The count of a chunk's records that are no longer needed.
    pub fn released(&self, chunk: u64) -> &AtomicU64 {
        // SAFETY: chunks begin with this word; all zero is a valid value.
        unsafe { &*self.arena.base().add(chunk as usize).cast() }
    }

    pub fn pointer_at(&self, offset: u64) -> *mut u8 {
        // SAFETY: offsets are those of chunks, or are in them.
        unsafe { self.arena.base().add(offset as usize) }
    }

    /// Called by the receiver: one more of a chunk's records is no longer needed.
    #[inline]
    pub fn release(&self, chunk: u64) {
        let released = self.released(chunk);
        released.store(released.load(Relaxed) + 1, Release);
    }
}

/// A full chunk.
#[derive(Clone, Copy, Debug)]
struct Full {
    chunk: u64,
    placed: u64,
}

/// Chunks of one size for one receiver.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    full: VecDeque<Full>,
}

impl Chunks {
    /// A chunk in place of the full one, if there was one.
    pub fn next(
        &mut self,
        full: Option<(u64, u64)>,
        size: usize,
        source: &ChunkSource,
    ) -> Result<u64, Misuse> {
        self.full.extend(full.map(|(chunk, placed)| Full { chunk, placed }));
        for _ in 0..MAX_CHECKS.min(self.full.len()) {
            let Some(first) = self.full.pop_front() else { break };
            let released = source.released(first.chunk);
            if released.load(Acquire) == first.placed {
                released.store(0, Relaxed);
                return Ok(first.chunk);
            }
            self.full.push_back(first);
        }
        source.take(size)
    }
}

/// Records of less than a page, one after the other, for one receiver.
#[derive(Debug, Default)]
pub(super) struct Room {
    chunks: Chunks,
    /// Offset of the chunk, bytes used, and records placed.
    current: Option<(u64, usize, u64)>,
}

impl Room {
    /// Size of a chunk, in bytes.
    const SIZE: usize = 4 * PAGE;
    /// The longest record that is placed there, in bytes.
    pub const MAX_BYTES: usize = PAGE;

    /// Room for `size` bytes, aligned to a cache line. Returns its offset and the offset of its chunk.
    pub fn record(&mut self, size: usize, source: &ChunkSource) -> Result<(u64, u64), Misuse> {
        let size = size.next_multiple_of(64);
        let (chunk, used, placed) = match self.current {
            Some(current) if current.1 + size <= Room::SIZE => current,
            full => {
                let full = full.map(|(chunk, _, placed)| (chunk, placed));
                self.current = None;
                (self.chunks.next(full, Room::SIZE, source)?, HEAD, 0)
            }
        };
        self.current = Some((chunk, used + size, placed + 1));
        Ok((chunk + used as u64, chunk))
    }
}

/// Large records: a block for each.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    in_use: VecDeque<(u64, usize)>,
    spare: HashMap<usize, Vec<u64>>,
}

impl Blocks {
    /// Blocks in use that are checked when one is needed.
    const MAX_CHECKS: usize = 32;

    /// A block for `size` bytes. Returns the offset of the payload and that of the block.
    pub fn record(&mut self, size: usize, source: &ChunkSource) -> Result<(u64, u64), Misuse> {
        let too_much = || Misuse::NoMemory(format!("{size} bytes at once"));
        let block_size = size.checked_add(HEAD).and_then(usize::checked_next_power_of_two);
        let block_size = block_size.ok_or_else(too_much)?.max(PAGE);
        for _ in 0..Blocks::MAX_CHECKS.min(self.in_use.len()) {
            let Some((block, size)) = self.in_use.pop_front() else { break };
            let released = source.released(block);
            if released.load(Acquire) == 1 {
                released.store(0, Relaxed);
                self.spare.entry(size).or_default().push(block);
            } else {
                self.in_use.push_back((block, size));
            }
        }
        let block = match self.spare.get_mut(&block_size).and_then(Vec::pop) {
            Some(block) => block,
            None => source.take(block_size).map_err(|_| too_much())?,
        };
        self.in_use.push_back((block, block_size));
        Ok((block + HEAD as u64, block))
    }
}
