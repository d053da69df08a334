//! Where a piece of a stream is written first, if stores to its place in the receiver's reach are slow: then it is
//! copied there at once.
//!
//! Many short records are many stores to lines that the receiver's core has; see [`crate::copies`].

use crate::chunk::HEADER;
use crate::copies::{Copies, ticks};

/// Pieces with more room are written where they belong; it stays in a core's cache.
pub(crate) const MOST: usize = (64 << 10) - HEADER;

#[derive(Debug)]
pub(crate) struct Stage {
    copies: Copies,
    memory: Vec<u128>,
    /// Of the piece that is being written.
    room: usize,
}

impl Stage {
    pub fn new() -> Stage {
        Stage { copies: Copies::new(ticks), memory: Vec::new(), room: 0 }
    }

    /// Where to write a piece with so much room, aligned as records are; `None`: where it belongs.
    pub fn enter(&mut self, room: usize) -> Option<*mut u8> {
        self.room = 0;
        if room > MOST || !self.copies.is_wanted(room) {
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

    /// The piece is written, so many bytes of it, and goes where it belongs.
    ///
    /// # Safety
    /// They can be written there.
    pub unsafe fn leave(&mut self, to: *mut u8, used: usize) {
        let room = std::mem::take(&mut self.room);
        if room > 0 {
            let from = self.memory.as_ptr().cast::<u8>().wrapping_add(8);
            // SAFETY: by the caller; the piece has this room.
            unsafe { self.copies.copy_as(room, from, to, used) };
        }
    }
}
