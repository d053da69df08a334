//! Pieces of an engine's memory, of which streams are made.

use std::ptr::NonNull;

/// What a chunk begins with. Offsets count from the base of the engine's memory.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct ChunkHeader {
    /// The chunk after this one; 0: none.
    pub next: u64,
    /// Bytes of records in this one.
    pub used: u64,
}

/// Bytes before a chunk's records: its header, and a word of the engine's. Chunks are aligned to 16,
/// so that records begin 8 bytes behind a multiple of 16: what follows a record's first word is aligned.
pub(crate) const HEADER: usize = size_of::<ChunkHeader>() + 8;

/// A piece of the engine's memory: the header and room for records behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk {
    pub header: NonNull<ChunkHeader>,
    /// Bytes behind the header.
    pub room: usize,
}

impl Chunk {
    pub fn data(self) -> *mut u8 {
        // SAFETY: a chunk is a header and `room` bytes.
        unsafe { self.header.as_ptr().cast::<u8>().add(HEADER) }
    }
}
