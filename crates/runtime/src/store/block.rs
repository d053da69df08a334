use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};

use cll_trace::clock::ClockPair;
use cll_trace::layout::{BLOCK_MAGIC, BlockHeader, FLAG_WAITED, HEADER_SIZE, field, seal};

use crate::sys;

/// Memory of one block, which belongs only to this process until it is given away.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub memory: *mut u8,
    pub capacity: usize,
    /// Number of its slot, if it is in one.
    pub slot: u32,
}

/// The contents of a new block's header.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    pub kind: u16,
    pub process: u32,
    pub thread: u32,
    pub sequence: u32,
    pub waited_ns: u64,
    pub time: ClockPair,
}

impl Block {
    /// Writes the header of an empty block. A reader sees no block meanwhile.
    ///
    /// # Safety
    /// `memory` is writable for `capacity` bytes and nobody else writes there.
    pub unsafe fn open(&self, opening: Opening) {
        let header = BlockHeader {
            kind: opening.kind,
            flags: if opening.waited_ns > 0 { FLAG_WAITED } else { 0 },
            capacity: self.capacity as u32,
            process: opening.process,
            thread: opening.thread,
            processor: sys::processor(),
            sequence: opening.sequence,
            ticks_open: opening.time.ticks,
            mono_open: opening.time.mono_ns,
            waited_ns: opening.waited_ns,
            ..BlockHeader::default()
        };
        let bytes = header.encode();
        let rest = field::MAGIC + 4;
        // SAFETY: by the caller; a block begins at a multiple of a page.
        unsafe {
            let magic = AtomicU32::from_ptr(self.memory.add(field::MAGIC).cast());
            magic.store(0, SeqCst);
            self.memory
                .add(rest)
                .copy_from_nonoverlapping(bytes[rest..].as_ptr(), HEADER_SIZE - rest);
            magic.store(BLOCK_MAGIC.to_le(), SeqCst);
        }
    }

    /// Empties a block that is not sealed, for samples of the same thread. If the process is killed between any
    /// two of the stores, the block can be read.
    ///
    /// # Safety
    /// As [`Block::open`], which has been called.
    pub unsafe fn reopen(&self, sequence: u32, time: ClockPair) {
        // SAFETY: by the caller; all fields are aligned.
        let word = |field: usize| unsafe { AtomicU32::from_ptr(self.memory.add(field).cast()) };
        // SAFETY: as above.
        let long = |field: usize| unsafe { AtomicU64::from_ptr(self.memory.add(field).cast()) };
        word(field::USED).store(0, SeqCst);
        word(field::SEQUENCE).store(sequence.to_le(), SeqCst);
        word(field::PROCESSOR).store(sys::processor().to_le(), Relaxed);
        long(field::TICKS_OPEN).store(time.ticks.to_le(), Relaxed);
        long(field::MONO_OPEN).store(time.mono_ns.to_le(), Relaxed);
    }

    /// Adds bytes to the payload; `false`, without any change, if there is no room.
    ///
    /// # Safety
    /// As [`Block::open`], which has been called.
    pub unsafe fn push(&self, bytes: &[u8]) -> bool {
        // SAFETY: by the caller; the field is aligned to 4.
        unsafe {
            let used = AtomicU32::from_ptr(self.memory.add(field::USED).cast());
            let before = used.load(Relaxed) as usize;
            let fits = HEADER_SIZE + before + bytes.len() <= self.capacity;
            if fits {
                let destination = self.memory.add(HEADER_SIZE + before);
                destination.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
                used.store((before + bytes.len()) as u32, Release);
            }
            fits
        }
    }

    /// Writes the time and the checksums. A header that the program has overwritten is not changed: readers of
    /// the trace report the damage.
    ///
    /// # Safety
    /// As [`Block::open`]; nobody writes to the block any more.
    pub unsafe fn seal(&self, time: ClockPair) {
        // SAFETY: by the caller.
        let bytes = unsafe { std::slice::from_raw_parts_mut(self.memory, self.capacity) };
        seal(bytes, time.ticks, time.mono_ns);
    }
}
