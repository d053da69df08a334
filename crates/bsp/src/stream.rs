//! Records on their way to a processor: a list of chunks in memory that both ends can reach.
//!
//! Who sends fills chunks and says how far; who receives reads them when the superstep has ended.
//! A record never lies in two chunks, so that both ends see it as one piece of memory.

use crate::chunk::{Chunk, ChunkHeader, HEADER};
use crate::prefetch::fetch_to_write;
use crate::stage::{self, Stage};

/// Where chunks come from.
pub(crate) trait Supply {
    /// A chunk with room for at least so many bytes of records, which begin at 8 modulo 16.
    fn chunk(&mut self, least: usize) -> Result<Chunk, crate::Misuse>;
    /// What `next` says of a chunk.
    fn offset(&self, chunk: Chunk) -> u64;
}

/// The end that writes.
#[derive(Debug)]
pub(crate) struct Writer {
    next: *mut u8,
    end: *mut u8,
    /// Null: there is none.
    current: *mut ChunkHeader,
    /// Where the current chunk's records are written, which need not be in it.
    begin: *mut u8,
    /// Room that the next chunk gets at least.
    wanted: usize,
    stage: Option<Box<Stage>>,
    /// The current chunk is written there.
    is_staged: bool,
}

/// As far ahead of what is written lines are taken from other cores: some of them take as long as one.
const AHEAD: usize = 512;

/// Room of the first chunk behind the one that a stream begins with.
const FIRST: usize = 4096 - HEADER;
/// Chunks do not grow beyond this by themselves.
const LARGEST: usize = (1 << 20) - HEADER;

impl Default for Writer {
    fn default() -> Writer {
        let none = std::ptr::null_mut();
        let current = std::ptr::null_mut();
        Writer {
            next: none,
            end: none,
            current,
            begin: none,
            wanted: FIRST,
            stage: None,
            is_staged: false,
        }
    }
}

impl Writer {
    /// For a receiver that has a core of its own.
    pub fn to_another_core() -> Writer {
        Writer { stage: Some(Box::new(Stage::new())), ..Writer::default() }
    }

    /// Writes another stream, which begins in this chunk; the last one is finished. Its memory is not touched as
    /// long as nothing is written.
    #[inline(always)]
    pub fn restart(&mut self, chunk: Chunk) {
        self.enter_at(chunk.data(), chunk);
    }

    /// Whether a stream was begun, and not finished.
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

    /// Room for a record of so many bytes, a multiple of 8, in the stream that was begun.
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

    /// Room for such a record in the current chunk, if there is as much.
    #[inline(always)]
    pub fn place(&mut self, size: usize) -> Option<*mut u8> {
        if (self.end as usize) - (self.next as usize) < size {
            return None;
        }
        let record = self.next;
        // SAFETY: there is room.
        self.next = unsafe { self.next.add(size) };
        self.go_ahead();
        Some(record)
    }

    /// The receiver has read what stood here in an earlier superstep, and its core has it.
    #[inline]
    fn go_ahead(&self) {
        let ahead = self.next.wrapping_add(AHEAD);
        if ahead < self.end {
            fetch_to_write(ahead);
        }
    }

    /// Makes the last record end there, if there is room in its chunk: it becomes longer or shorter.
    #[inline(always)]
    pub fn extend(&mut self, end: *mut u8) -> bool {
        let there_is_room = end <= self.end;
        if there_is_room {
            self.next = end;
            self.go_ahead();
        }
        there_is_room
    }

    #[cold]
    fn grow(
        &mut self,
        size: usize,
        supply: &mut (impl Supply + ?Sized),
    ) -> Result<(), crate::Misuse> {
        let chunk = supply.chunk(size.max(self.wanted))?;
        let largest = if self.stage.is_some() { stage::MOST } else { LARGEST };
        self.wanted = (2 * self.wanted + HEADER).min(largest);
        self.leave(supply.offset(chunk));
        let elsewhere = self.stage.as_mut().and_then(|stage| stage.enter(chunk.room));
        self.is_staged = elsewhere.is_some();
        self.enter_at(elsewhere.unwrap_or(chunk.data()), chunk);
        Ok(())
    }

    /// Whether records are copied once more, to where they belong.
    #[inline]
    pub fn is_staged(&self) -> bool {
        self.is_staged
    }

    /// Says how far the current chunk is filled, and which one follows.
    fn leave(&mut self, following: u64) {
        if !self.current.is_null() {
            let used = self.used();
            // SAFETY: the chunk is this stream's alone, and has room for what is used.
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

    /// What was written can be read; whether anything was: if not, there is no stream to read.
    #[inline(always)]
    pub fn publish(&mut self) -> bool {
        let anything = self.is_open() && (self.wanted > FIRST || self.used() > 0);
        if anything {
            self.leave(0);
        }
        anything
    }

    /// As [`Writer::publish`]; nothing more is written to the stream.
    #[inline(always)]
    pub fn finish(&mut self) -> bool {
        let anything = self.publish();
        self.current = std::ptr::null_mut();
        if self.wanted > FIRST {
            self.wanted = FIRST;
        }
        anything
    }
}

/// The end that reads: pieces of memory, in the order in which they were written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader {
    next: *mut u8,
    end: *mut u8,
    following: u64,
    base: *mut u8,
}

impl Reader {
    /// Reads nothing.
    pub fn nothing(base: *mut u8) -> Reader {
        Reader { next: base, end: base, following: 0, base }
    }

    /// Reads from the chunk at an offset.
    ///
    /// # Safety
    /// A finished stream begins there, and stays as it is while it is read.
    pub unsafe fn begin(base: *mut u8, chunk: u64) -> Reader {
        let mut reader = Reader { following: chunk, ..Reader::nothing(base) };
        // SAFETY: by the caller.
        unsafe { reader.follow() };
        reader
    }

    unsafe fn follow(&mut self) {
        // SAFETY: by the caller of `begin`.
        unsafe {
            // A number first: where chunks are named by their addresses there is no base.
            let address = (self.base as usize).wrapping_add(self.following as usize);
            let header = address as *mut ChunkHeader;
            self.next = header.cast::<u8>().add(HEADER);
            self.end = self.next.add((*header).used as usize);
            self.following = (*header).next;
        }
    }

    /// The next record's place; `None`: there is no more.
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

    /// The rest of the current chunk, begin and end; then the reader stands behind it. `None`: there is
    /// no more.
    #[inline]
    pub fn piece(&mut self) -> Option<(*mut u8, *mut u8)> {
        let begin = self.record()?;
        self.next = self.end;
        Some((begin, self.end))
    }

    /// Goes on behind so many bytes of the record.
    #[inline]
    pub fn skip(&mut self, size: usize) {
        // SAFETY: the record that `record` gave has this size.
        self.next = unsafe { self.next.add(size) };
    }

    /// Goes on at the end of the record that [`Reader::record`] gave.
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
        fn chunk(&mut self, least: usize) -> Result<Chunk, crate::Misuse> {
            let size = (HEADER + least).next_multiple_of(16);
            assert!(self.used + size <= size_of_val(self.memory.as_slice()));
            // SAFETY: it lies in the memory.
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
        send_and_read(&mut Writer::default());
        // Pieces are written where they belong, and elsewhere first.
        let mut writer = Writer::to_another_core();
        (0..50).for_each(|_| send_and_read(&mut writer));
    }

    fn send_and_read(writer: &mut Writer) {
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
        let mut reader = unsafe { Reader::begin(heap.base(), heap.offset(first)) };
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
