//! Records in transit to a processor: a list of chunks in memory that both sides can access.
//!
//! The sender fills chunks and stores how much is used; the receiver reads them when the superstep has ended. A
//! record is never divided between chunks, so both sides see it as one piece of memory.

use crate::chunk::{Chunk, ChunkHeader, HEADER};
use crate::prefetch::fetch_to_write;
use crate::staging::{self, StagingBuffer};

/// The source of chunks.
pub(crate) trait Supply {
    /// A chunk with room for at least `min_room` bytes of records, which begin at 8 modulo 16.
    fn chunk(&mut self, min_room: usize) -> Result<Chunk, crate::Misuse>;
    /// The value of `next` that means this chunk.
    fn offset(&self, chunk: Chunk) -> u64;
}

/// The writing side.
#[derive(Debug)]
pub(crate) struct StreamWriter {
    next: *mut u8,
    end: *mut u8,
    /// Null: there is none.
    current: *mut ChunkHeader,
    /// Where the current chunk's records are written: in the chunk, or in the staging buffer.
    begin: *mut u8,
    /// Minimal room of the next chunk.
    next_room: usize,
    stage: Option<Box<StagingBuffer>>,
    /// The current chunk is written in the staging buffer.
    is_staged: bool,
}

/// Distance, in bytes, at which lines are prefetched from other cores before they are written: several fetches
/// take as long as one.
const PREFETCH_DISTANCE: usize = 512;

/// Room of the second chunk of a stream.
const SECOND_CHUNK_ROOM: usize = 4096 - HEADER;
/// Chunks do not grow beyond this, except for larger records.
const MAX_ROOM: usize = (1 << 20) - HEADER;

impl Default for StreamWriter {
    fn default() -> StreamWriter {
        let none = std::ptr::null_mut();
        let current = std::ptr::null_mut();
        StreamWriter {
            next: none,
            end: none,
            current,
            begin: none,
            next_room: SECOND_CHUNK_ROOM,
            stage: None,
            is_staged: false,
        }
    }
}

impl StreamWriter {
    /// For a receiver that has its own core.
    pub fn to_another_core() -> StreamWriter {
        StreamWriter { stage: Some(Box::new(StagingBuffer::new())), ..StreamWriter::default() }
    }

    /// Writes another stream, which begins in this chunk; the last one is finished. Its memory is not touched
    /// before something is written.
    #[inline(always)]
    pub fn restart(&mut self, chunk: Chunk) {
        self.enter_at(chunk.data(), chunk);
    }

    /// Whether a stream was begun and is not finished.
    #[inline(always)]
    pub fn is_open(&self) -> bool {
        !self.current.is_null()
    }

    #[inline(always)]
    fn enter_at(&mut self, begin: *mut u8, chunk: Chunk) {
        (self.begin, self.next) = (begin, begin);
        self.end = self.next.wrapping_add(chunk.room);
        self.current = chunk.header.as_ptr();
    }

    /// Room for a record of `size` bytes, a multiple of 8, in the stream that was begun.
    #[inline(always)]
    pub fn record(
        &mut self,
        size: usize,
        supply: &mut (impl Supply + ?Sized),
    ) -> Result<*mut u8, crate::Misuse> {
        if let Some(record) = self.place(size) {
            return Ok(record);
        }
        self.grow(size, supply)?;
        let record = self.next;
        // SAFETY: there is room.
        self.next = unsafe { self.next.add(size) };
        Ok(record)
    }

    /// Room for such a record in the current chunk, if there is enough.
    #[inline(always)]
    pub fn place(&mut self, size: usize) -> Option<*mut u8> {
        if (self.end as usize) - (self.next as usize) < size {
            return None;
        }
        let record = self.next;
        // SAFETY: there is room.
        self.next = unsafe { self.next.add(size) };
        self.prefetch_next();
        Some(record)
    }

    /// Prefetches the next line: the receiver has read it in an earlier superstep, and its core has it.
    #[inline]
    fn prefetch_next(&self) {
        let ahead = self.next.wrapping_add(PREFETCH_DISTANCE);
        if ahead < self.end {
            fetch_to_write(ahead);
        }
    }

    /// Moves the end of the last record, if there is room in its chunk: it becomes longer or shorter.
    #[inline(always)]
    pub fn extend(&mut self, end: *mut u8) -> bool {
        let there_is_room = end <= self.end;
        if there_is_room {
            self.next = end;
            self.prefetch_next();
        }
        there_is_room
    }

    #[cold]
    fn grow(
        &mut self,
        size: usize,
        supply: &mut (impl Supply + ?Sized),
    ) -> Result<(), crate::Misuse> {
        let chunk = supply.chunk(size.max(self.next_room))?;
        let largest = if self.stage.is_some() { staging::MAX_ROOM } else { MAX_ROOM };
        self.next_room = (2 * self.next_room + HEADER).min(largest);
        self.leave(supply.offset(chunk));
        let elsewhere = self.stage.as_mut().and_then(|stage| stage.enter(chunk.room));
        self.is_staged = elsewhere.is_some();
        self.enter_at(elsewhere.unwrap_or(chunk.data()), chunk);
        Ok(())
    }

    /// Whether records are copied once more, into the chunk.
    #[inline]
    pub fn is_staged(&self) -> bool {
        self.is_staged
    }

    /// Stores how far the current chunk is filled, and which one follows.
    fn leave(&mut self, following: u64) {
        if !self.current.is_null() {
            let used = self.used();
            // SAFETY: the chunk belongs to this stream only, and has room for what is used.
            unsafe {
                if self.is_staged
                    && let Some(stage) = &mut self.stage
                {
                    stage.leave(self.current.cast::<u8>().add(HEADER), used);
                    self.is_staged = false;
                }
                self.current.write(ChunkHeader { next: following, used: used as u64 });
            }
        }
    }

    /// Bytes in the current chunk.
    fn used(&self) -> usize {
        self.next as usize - self.begin as usize
    }

    /// Makes everything that was written readable. Returns whether anything was; if not, there is no stream to
    /// read.
    #[inline(always)]
    pub fn publish(&mut self) -> bool {
        let anything = self.is_open() && (self.next_room > SECOND_CHUNK_ROOM || self.used() > 0);
        if anything {
            self.leave(0);
        }
        anything
    }

    /// As [`StreamWriter::publish`]; nothing more is written to the stream.
    #[inline(always)]
    pub fn finish(&mut self) -> bool {
        let anything = self.publish();
        self.current = std::ptr::null_mut();
        if self.next_room > SECOND_CHUNK_ROOM {
            self.next_room = SECOND_CHUNK_ROOM;
        }
        anything
    }
}

/// The reading side: pieces of memory, in the order in which they were written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamReader {
    next: *mut u8,
    end: *mut u8,
    following: u64,
    base: *mut u8,
}

impl StreamReader {
    /// Reads nothing.
    pub fn nothing(base: *mut u8) -> StreamReader {
        StreamReader { next: base, end: base, following: 0, base }
    }

    /// Reads from the chunk at an offset.
    ///
    /// # Safety
    /// A finished stream begins there, and does not change while it is read.
    pub unsafe fn begin(base: *mut u8, chunk: u64) -> StreamReader {
        let mut reader = StreamReader { following: chunk, ..StreamReader::nothing(base) };
        // SAFETY: by the caller.
        unsafe { reader.follow() };
        reader
    }

    unsafe fn follow(&mut self) {
        // SAFETY: by the caller of `begin`.
        unsafe {
            // As a number: if chunks are named by their addresses there is no base.
            let address = (self.base as usize).wrapping_add(self.following as usize);
            let header = address as *mut ChunkHeader;
            self.next = header.cast::<u8>().add(HEADER);
            self.end = self.next.add((*header).used as usize);
            self.following = (*header).next;
        }
    }

    /// The address of the next record; `None`: there is no more.
    #[inline]
    pub fn record(&mut self) -> Option<*mut u8> {
        while self.next == self.end {
            if self.following == 0 {
                return None;
            }
            // SAFETY: by the caller of `begin`.
            unsafe { self.follow() };
        }
        Some(self.next)
    }

    /// The rest of the current chunk, begin and end, which counts as read then. `None`: there is no more.
    #[inline]
    pub fn piece(&mut self) -> Option<(*mut u8, *mut u8)> {
        let begin = self.record()?;
        self.next = self.end;
        Some((begin, self.end))
    }

    /// Skips `size` bytes of the record.
    #[inline]
    pub fn skip(&mut self, size: usize) {
        // SAFETY: the record that `record` gave has this size.
        self.next = unsafe { self.next.add(size) };
    }

    /// Continues at the end of the record that [`StreamReader::record`] returned.
    #[inline]
    pub fn go_on_at(&mut self, end: *mut u8) {
        self.next = end;
    }
}

#[cfg(test)]
mod tests {
    use std::ptr::NonNull;

    use super::*;

    /// Chunks from one piece of memory.
    struct Heap {
        memory: Vec<u128>,
        used: usize,
    }

    impl Heap {
        fn base(&self) -> *mut u8 {
            self.memory.as_ptr().cast_mut().cast()
        }
    }

    impl Supply for Heap {
        fn chunk(&mut self, min_room: usize) -> Result<Chunk, crate::Misuse> {
            let size = (HEADER + min_room).next_multiple_of(16);
            assert!(self.used + size <= size_of_val(self.memory.as_slice()));
            // SAFETY: it is in the memory.
            let header = unsafe { self.memory.as_mut_ptr().cast::<u8>().add(self.used) };
            self.used += size;
            Ok(Chunk { header: NonNull::new(header.cast()).unwrap(), room: size - HEADER })
        }

        fn offset(&self, chunk: Chunk) -> u64 {
            (chunk.header.as_ptr() as usize - self.base() as usize) as u64
        }
    }

    #[test]
    fn records_come_out_as_they_went_in_whatever_their_sizes() {
        send_and_read(&mut StreamWriter::default());
        // Chunks are written directly, and through the staging buffer.
        let mut writer = StreamWriter::to_another_core();
        (0..50).for_each(|_| send_and_read(&mut writer));
    }

    fn send_and_read(writer: &mut StreamWriter) {
        let mut heap = Heap { memory: vec![0; 1 << 18], used: 16 };
        let first = heap.chunk(64).unwrap();
        writer.restart(first);
        let sizes = [8, 56, 8, 4096, 16, 2000, 3000, 1 << 20, 8, 8, 100_000];
        for (i, &size) in sizes.iter().enumerate() {
            let record = writer.record(size, &mut heap).unwrap();
            // SAFETY: the record has this size.
            unsafe { record.write_bytes(i as u8, size) };
        }
        writer.finish();
        // SAFETY: the stream begins there.
        let mut reader = unsafe { StreamReader::begin(heap.base(), heap.offset(first)) };
        for (i, &size) in sizes.iter().enumerate() {
            let record = reader.record().unwrap();
            // SAFETY: as above.
            let bytes = unsafe { std::slice::from_raw_parts(record, size) };
            assert!(bytes.iter().all(|&byte| byte == i as u8), "record {i}");
            reader.skip(size);
        }
        assert!(reader.record().is_none());
    }
}
