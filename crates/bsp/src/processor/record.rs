//! The format of requests in a stream.
//!
//! A put begins with one word, address and size, if the size fits into 15 bits; the bytes follow. Otherwise,
//! and for a get, the size is a second word. Addresses of programs have at most 48 bits.
//!
//! Puts that follow each other in the program and in the destination become one record: an array that is put
//! word by word needs half the bytes.

use crate::copy::copy;
use crate::engine::contract::Remote;
use crate::stream::{StreamReader, StreamWriter};

const ADDRESS: u64 = (1 << 48) - 1;
/// The bit from which on the size of a short put is stored; 0 there: the size follows.
const SIZE: u32 = 48;
const LONGEST_SHORT: usize = (1 << 15) - 1;
/// The receiver must reply with these bytes; none follow.
const IS_GET: u64 = 1 << 63;

/// With the size of a long put: its bytes are a separate message, none follow.
const IS_SEPARATE: u64 = 1 << 63;

/// Bytes of a get, and of the beginning of a long put.
pub(super) const LONG: usize = 16;
/// Bytes of the beginning of a short put.
const SHORT: usize = 8;

/// Bytes of the beginning of a put with `size` bytes.
#[inline]
pub(super) fn put_begin(size: usize) -> usize {
    if size <= LONGEST_SHORT { SHORT } else { LONG }
}

/// Writes the beginning of a put; its size is not 0.
///
/// # Safety
/// There is room for it, aligned to 8.
#[inline]
pub(super) unsafe fn write_put(record: *mut u8, address: usize, size: usize) {
    let word = record.cast::<u64>();
    // SAFETY: by the caller.
    unsafe {
        if size <= LONGEST_SHORT {
            word.write(address as u64 | (size as u64) << SIZE);
        } else {
            word.write(address as u64);
            word.add(1).write(size as u64);
        }
    }
}

/// The last record of a stream, if it is a short put. A put to the bytes directly after its bytes extends it.
#[derive(Debug)]
pub(super) struct LastPut {
    record: *mut u64,
    /// The end of its bytes.
    behind: *mut u8,
    /// The end of the bytes that it writes at the receiver; 0: it is not a short put.
    end: usize,
}

impl Default for LastPut {
    fn default() -> LastPut {
        LastPut { record: std::ptr::null_mut(), behind: std::ptr::null_mut(), end: 0 }
    }
}

impl LastPut {
    /// From now on the last record is not extended.
    #[inline]
    pub fn end(&mut self) {
        self.end = 0;
    }

    /// This put is now the last record.
    #[inline]
    pub fn is_at(&mut self, record: *mut u8, address: usize, size: usize) {
        *self = if size <= LONGEST_SHORT {
            LastPut {
                record: record.cast(),
                behind: record.wrapping_add(SHORT + size),
                end: address + size,
            }
        } else {
            LastPut::default()
        };
    }

    /// Extends the last record by a put, if that is possible: returns where to copy its bytes.
    ///
    /// # Safety
    /// The put given to `is_at` last is the last record of the stream.
    #[inline(always)]
    pub unsafe fn extend(
        &mut self,
        stream: &mut StreamWriter,
        address: usize,
        size: usize,
    ) -> Option<*mut u8> {
        let bytes = self.behind;
        let behind = bytes.wrapping_add(size);
        let all = behind as usize - self.record as usize;
        // Records are aligned to 8 as their sizes are.
        if address != self.end
            || all > SHORT + LONGEST_SHORT
            || !stream.extend(behind.wrapping_add((behind as usize).wrapping_neg() & 7))
        {
            return None;
        }
        // SAFETY: by the caller; a short put begins with one word.
        unsafe { *self.record += (size as u64) << SIZE };
        self.behind = behind;
        self.end += size;
        Some(bytes)
    }
}

/// From this size on, in bytes, the data of a put begin at a cache line: copies to and from there are faster.
pub(super) const MIN_ALIGNED_BYTES: usize = 1024;
const LINE: usize = 64;
/// The largest padding for that, in bytes.
pub(super) const FILLER: usize = LINE - 8;

/// Writes padding, so that the data of a put, `begin` bytes after its beginning, begin at a cache line.
/// Returns its size.
///
/// # Safety
/// There is room for [`FILLER`] bytes and the put, aligned to 8.
pub(super) unsafe fn fill_up(record: *mut u8, begin: usize) -> usize {
    let filler = (record as usize + begin).wrapping_neg() % LINE;
    if filler > 0 {
        // SAFETY: by the caller.
        unsafe { record.cast::<u64>().write(IS_GET | (filler as u64) << SIZE) };
    }
    filler
}

/// Writes a put whose bytes are a separate message.
///
/// # Safety
/// There is room for [`LONG`] bytes, aligned to 8.
pub(super) unsafe fn write_large_put(record: *mut u8, address: usize, size: usize) {
    let word = record.cast::<u64>();
    // SAFETY: by the caller.
    unsafe {
        word.write(address as u64);
        word.add(1).write(size as u64 | IS_SEPARATE);
    }
}

/// Writes a get.
///
/// # Safety
/// There is room for it, aligned to 8.
pub(super) unsafe fn write_get(record: *mut u8, address: usize, size: usize) {
    let word = record.cast::<u64>();
    // SAFETY: by the caller.
    unsafe {
        word.write(address as u64 | IS_GET);
        word.add(1).write(size as u64);
    }
}

/// Writes which part of an area the sender can access and writes itself.
///
/// # Safety
/// There is room for [`AREA`] bytes, aligned to 8.
pub(super) unsafe fn write_area(record: *mut u8, area: &Remote) {
    let word = record.cast::<u64>();
    // SAFETY: by the caller.
    unsafe {
        word.write(area.address as u64 | IS_GET);
        word.add(1).write(area.size as u64 | IS_SEPARATE);
        word.add(2).write(area.reach.0 as u64);
        word.add(3).write(area.reach.1 as u64);
    }
}

/// Bytes of the record about an area.
pub(super) const AREA: usize = 32;

/// A request, as it is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Request {
    /// Destination, bytes, size.
    Put(*mut u8, *const u8, usize),
    /// The same, if the bytes are a separate message.
    LargePut(*mut u8, usize),
    /// Source, size.
    Get(*const u8, usize),
    /// Padding.
    Filler,
    /// An area, and which part of it the sender can access, without its address here.
    Area(Remote),
}

impl Request {
    /// The record, and the address of the next one.
    ///
    /// # Safety
    /// A record as the functions above write it.
    #[inline]
    unsafe fn read(record: *const u8) -> (Request, *const u8) {
        // SAFETY: by the caller.
        unsafe {
            let word = record.cast::<u64>().read();
            let address = (word & ADDRESS) as usize;
            let size = (word >> SIZE) as usize;
            if word & IS_GET == 0 && size != 0 {
                let bytes = record.add(SHORT);
                return (Request::Put(address as *mut u8, bytes, size), after(bytes, size));
            }
            if size & LONGEST_SHORT != 0 {
                return (Request::Filler, record.add(size & LONGEST_SHORT));
            }
            let size = record.cast::<u64>().add(1).read();
            let bytes = record.add(LONG);
            if size & IS_SEPARATE != 0 {
                let size = (size & !IS_SEPARATE) as usize;
                if word & IS_GET != 0 {
                    let part = bytes.cast::<(u64, u64)>();
                    return (Request::Area(read_area(address, size, part)), record.add(AREA));
                }
                return (Request::LargePut(address as *mut u8, size), bytes);
            }
            let size = size as usize;
            match word & IS_GET {
                0 => (Request::Put(address as *mut u8, bytes, size), after(bytes, size)),
                _ => (Request::Get(address as *const u8, size), bytes),
            }
        }
    }
}

/// The bounds of the part are there.
/// The ends of the part stand there.
#[cold]
unsafe fn read_area(address: usize, size: usize, part: *const (u64, u64)) -> Remote {
    // SAFETY: by the caller.
    let (from, to) = unsafe { part.read() };
    let reach = (from as usize, to as usize);
    Remote { address, size, reach, here: std::ptr::null_mut() }
}

#[inline]
fn after(bytes: *const u8, size: usize) -> *const u8 {
    bytes.wrapping_add(size.next_multiple_of(8))
}

/// Writes all puts, in the order of the calls.
///
/// # Safety
/// The stream is from a sender that has checked that its destinations are registered.
#[inline]
pub(super) unsafe fn write_puts<E>(
    mut requests: StreamReader,
    landing: &mut impl LargeReceiver<E>,
) -> Result<(), E> {
    while let Some((begin, end)) = requests.piece() {
        let mut position = begin.cast_const();
        while position < end.cast_const() {
            // SAFETY: by the caller; a record is not divided between chunks.
            unsafe {
                let (request, next) = Request::read(position);
                match request {
                    Request::Put(address, bytes, size) => {
                        if landing.is_busy() {
                            landing.settle(address, size)?;
                        }
                        copy(bytes, address, size);
                    }
                    Request::LargePut(address, size) => landing.receive(address, size)?,
                    Request::Get(..) | Request::Area(..) | Request::Filler => {}
                }
                position = next;
            }
        }
    }
    Ok(())
}

/// Receives bytes that are separate messages.
pub(super) trait LargeReceiver<E> {
    /// Whether some are in transit.
    fn is_busy(&self) -> bool;
    /// Waits for those in transit, if they are written to some of these bytes.
    fn settle(&mut self, address: *mut u8, size: usize) -> Result<(), E>;
    /// Begins to receive data of the sender whose requests are read.
    ///
    /// # Safety
    /// The bytes can be written until everything has arrived.
    unsafe fn receive(&mut self, address: *mut u8, size: usize) -> Result<(), E>;
}

/// Calls `reply` for each get, in the order of the calls.
///
/// # Safety
/// As for [`write_puts`].
pub(super) unsafe fn for_each_get<E>(
    mut requests: StreamReader,
    mut reply: impl FnMut(*const u8, usize) -> Result<(), E>,
) -> Result<(), E> {
    while let Some((begin, end)) = requests.piece() {
        let mut position = begin.cast_const();
        while position < end.cast_const() {
            // SAFETY: as above.
            let (request, next) = unsafe { Request::read(position) };
            if let Request::Get(address, size) = request {
                reply(address, size)?;
            }
            position = next;
        }
    }
    Ok(())
}

/// Calls `see` for all requests, in the order in which they were written.
///
/// # Safety
/// The stream is from a processor, written by the functions above.
pub(super) unsafe fn for_each_request(mut requests: StreamReader, see: &mut impl FnMut(Request)) {
    while let Some((begin, end)) = requests.piece() {
        let mut position = begin.cast_const();
        while position < end.cast_const() {
            // SAFETY: by the caller; a record is not divided between chunks.
            let (request, next) = unsafe { Request::read(position) };
            see(request);
            position = next;
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::ptr::NonNull;

    use super::*;
    use crate::Misuse;
    use crate::chunk::{Chunk, HEADER};
    use crate::processor::large::NoLargePuts;
    use crate::stream::Supply;

    /// Room of all chunks but the first.
    const LATER: usize = 512;

    /// Separate small chunks.
    #[derive(Default)]
    pub struct Chunks(Vec<Box<[u128]>>);

    impl Supply for Chunks {
        fn chunk(&mut self, min_room: usize) -> Result<Chunk, Misuse> {
            let size = (HEADER + min_room.min(LATER)).next_multiple_of(16);
            self.0.push(vec![0; size / 16].into());
            let memory = self.0.last_mut().unwrap().as_mut_ptr();
            Ok(Chunk { header: NonNull::new(memory.cast()).unwrap(), room: size - HEADER })
        }

        fn offset(&self, chunk: Chunk) -> u64 {
            chunk.header.as_ptr() as u64
        }
    }

    /// Puts bytes in pieces of these sizes, one after the other; the first chunk has this room. Returns the
    /// number of records.
    fn put(room: usize, sizes: &[usize], from: &[u8], to: &mut [u8]) -> usize {
        let mut chunks = Chunks::default();
        let first = chunks.chunk(room).unwrap();
        let (mut writer, mut last_put) = (StreamWriter::default(), LastPut::default());
        writer.restart(first);
        let (mut offset, mut records) = (0, 0);
        for &size in sizes {
            let address = to.as_mut_ptr() as usize + offset;
            // SAFETY: the records have room for what is written; both slices are long enough.
            unsafe {
                let bytes = last_put.extend(&mut writer, address, size).unwrap_or_else(|| {
                    records += 1;
                    let begin = put_begin(size);
                    let record_size = begin + size.next_multiple_of(8);
                    let record = writer.record(record_size, &mut chunks).unwrap();
                    write_put(record, address, size);
                    last_put.is_at(record, address, size);
                    record.add(begin)
                });
                copy(from[offset..].as_ptr(), bytes, size);
            }
            offset += size;
        }
        writer.finish();
        // SAFETY: the stream begins there; its puts are to the slice.
        unsafe {
            let reader = StreamReader::begin(std::ptr::null_mut(), chunks.offset(first));
            let Ok(()) = write_puts(reader, &mut NoLargePuts);
        }
        records
    }

    #[test]
    fn puts_behind_each_other_are_one_as_far_as_there_is_room() {
        let from: Vec<u8> = (0..400u32).map(|i| (i * 7 + 1) as u8).collect();
        for sizes in [vec![8; 50], vec![4; 100], vec![1; 400], vec![3, 5, 8, 9, 1, 2, 100, 8]] {
            for (room, records) in [(LATER, 1), (64, 2)] {
                let mut to = vec![0; 400];
                let all: usize = sizes.iter().sum();
                assert_eq!(put(room, &sizes, &from, &mut to), records, "{sizes:?}");
                assert_eq!(to[..all], from[..all], "{sizes:?}");
                assert!(to[all..].iter().all(|&byte| byte == 0), "{sizes:?}");
            }
        }
    }
}
