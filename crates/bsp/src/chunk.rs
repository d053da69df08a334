//! Pieces of an engine's memory. Streams are made of them.

use std::ptr::NonNull;

/// The beginning of a chunk. Offsets count from the base of the engine's memory.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct ChunkHeader {
    /// Offset of the next chunk; 0: none.
    pub next: u64,
    /// Bytes of records in this chunk.
    pub used: u64,
}

/// Bytes before a chunk's records: its header and a word for the engine. Chunks are aligned to 16, so records
/// begin at 8 modulo 16, and what follows the first word of a record is aligned to 16.
pub(crate) const HEADER: usize = size_of::<ChunkHeader>() + 8;

/// A piece of the engine's memory: the header, and room for records after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk {
    pub header: NonNull<ChunkHeader>,
    /// Size of the room after the header, in bytes.
    pub room: usize,
}

impl Chunk {
    pub fn data(self) -> *mut u8 {
        // SAFETY: a chunk is a header and `room` bytes.
        unsafe { self.header.as_ptr().cast::<u8>().add(HEADER) }
    }
}
