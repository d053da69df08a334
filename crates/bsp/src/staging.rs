//! A staging buffer: a chunk of a stream is written there first if stores to the chunk itself are slow, and
//! then copied to the chunk in one piece.
//!
//! Many short records are many stores to lines that are in the receiver's cache; see [`crate::copy_tuning`].

use crate::chunk::HEADER;
use crate::copy_tuning::{CopyTuner, ticks};

/// Larger chunks are not staged; the buffer stays in a core's cache.
pub(crate) const MAX_ROOM: usize = (64 << 10) - HEADER;

#[derive(Debug)]
pub(crate) struct StagingBuffer {
    copies: CopyTuner,
    memory: Vec<u128>,
    /// Room of the chunk that is being written.
    room: usize,
}

impl StagingBuffer {
    pub fn new() -> StagingBuffer {
        StagingBuffer { copies: CopyTuner::new(ticks), memory: Vec::new(), room: 0 }
    }

    /// Where to write a chunk with this room, aligned as records are; `None`: in the chunk itself.
    pub fn enter(&mut self, room: usize) -> Option<*mut u8> {
        self.room = 0;
        if room > MAX_ROOM || !self.copies.is_wanted(room) {
            return None;
        }
        self.room = room;
        let needed = room.div_ceil(16) + 1;
        if self.memory.len() < needed {
            self.memory.resize(needed, 0);
        }
        // Records begin at 8 modulo 16.
        Some(self.memory.as_mut_ptr().cast::<u8>().wrapping_add(8))
    }

    /// Copies the `used` bytes that were written to the chunk.
    ///
    /// # Safety
    /// They can be written at `to`.
    pub unsafe fn leave(&mut self, to: *mut u8, used: usize) {
        let room = std::mem::take(&mut self.room);
        if room > 0 {
            let from = self.memory.as_ptr().cast::<u8>().wrapping_add(8);
            // SAFETY: by the caller; the chunk has this room.
            unsafe { self.copies.copy_as(room, from, to, used) };
        }
    }
}
