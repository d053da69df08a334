//! `bsp_put` and `bsp_hpput`: writing into registered areas of other processors.
//!
//! A put copies the bytes at the call, as a record (address at the receiver, size, bytes) in the stream of requests to
//! the receiver. At the end of the superstep the receiver writes the bytes to its memory; sometimes the sender does
//! that (`delivery`). There are three ways to make the copy, fastest first:
//! - [`Processor::put_short`]: for a few bytes to the same area as the last put. It is inlined and calls no function on
//!   its usual path.
//! - `request_put`: for all other sizes. If the bytes go to the addresses right after those of the last put, the record
//!   of that put is extended. Otherwise a new record is written.
//! - `put_copy_large`: on engines that send messages (MPI), for at least `large_from` bytes. The record has only the
//!   address and the size. The copy of the bytes is sent as a separate message.
//!
//! `hpput` may copy at any time until the superstep ends. Most areas are promoted: their pages are in memory that all
//! processors share. `hpput` copies to promoted pages during the call, if the receiver has also begun this superstep
//! (until then it may still write puts of the previous one). Bytes at the beginning and end of an area, which share a
//! page with other data, are not promoted. They are put as above, except that a large put is sent without a copy.

use crate::copy::{MAX_SHORT, copy_short};
use crate::engine::traffic::Stream;
use crate::misuse::Misuse;
use crate::processor::{Processor, begin, record};

impl Processor {
    /// Copies `size` bytes from `src` during the call. At the end of the superstep they are written to processor `to`:
    /// into the area that corresponds to `dst` (the address of this processor's area in the same registration), from
    /// byte `offset` on. If `size` is 0 the call does nothing, and the other arguments are not checked.
    ///
    /// # Errors
    /// If there is no such processor or registered area, or the area is too short.
    ///
    /// # Safety
    /// `size` bytes can be read at `src`.
    pub unsafe fn put(
        &mut self,
        to: usize,
        src: *const u8,
        dst: *const u8,
        offset: usize,
        size: usize,
    ) -> Result<(), Misuse> {
        if size == 0 {
            return Ok(());
        }
        // SAFETY: by the caller.
        unsafe {
            if self.put_short(to, src, dst, offset, size) {
                Ok(())
            } else {
                self.put_any(to, src, dst, offset, size)
            }
        }
    }

    /// As [`Processor::put`], for puts that [`Processor::put_short`] has not done. `size` is not 0.
    ///
    /// # Safety
    /// As for `put`.
    pub unsafe fn put_any(
        &mut self,
        to: usize,
        src: *const u8,
        dst: *const u8,
        offset: usize,
        size: usize,
    ) -> Result<(), Misuse> {
        let last = &self.last;
        let address = if last.is(to, dst as usize) && last.has(offset, size) {
            last.remote.address + offset
        } else {
            self.remote(to, dst, offset, size)?.1
        };
        // SAFETY: by the caller.
        unsafe { self.request_put(to, src, address, size) }
    }

    /// As [`Processor::put`], if the put is short, goes to the area that was accessed last, and there is room in the
    /// stream. Otherwise it does nothing. Returns whether it made the put.
    ///
    /// # Safety
    /// As for `put`.
    // The usual path has no function call: for a call the compiler would save and restore registers on every path.
    #[inline(always)]
    pub unsafe fn put_short(
        &mut self,
        to: usize,
        src: *const u8,
        dst: *const u8,
        offset: usize,
        size: usize,
    ) -> bool {
        let last = &self.last;
        let is_short = size.wrapping_sub(1) < MAX_SHORT && size < self.large_from;
        if !(is_short && last.is(to, dst as usize) && last.has(offset, size)) {
            return false;
        }
        let address = last.remote.address + offset;
        let Some(out) = self.out.get_mut(to) else { return false };
        // SAFETY: `last_put` is reset whenever another record is written; the record has room for address, size and
        // bytes, and is aligned to 8; `src` by the caller.
        unsafe {
            let bytes = match out.last_put.extend(&mut out.requests, address, size) {
                Some(bytes) => bytes,
                None => {
                    if !(out.requests.is_open()
                        || begin(out, to, Stream::Requests, &mut self.touched, &mut self.engine))
                    {
                        return false;
                    }
                    let begin = record::put_begin(size);
                    let Some(record) = out.requests.place(begin + size.next_multiple_of(8)) else {
                        return false;
                    };
                    record::write_put(record, address, size);
                    out.last_put.is_at(record, address, size);
                    record.add(begin)
                }
            };
            copy_short(src, bytes, size);
        }
        out.puts += 1;
        out.put_bytes += size as u64;
        true
    }

    /// # Safety
    /// `size` bytes can be read at `src`.
    unsafe fn request_put(
        &mut self,
        to: usize,
        src: *const u8,
        address: usize,
        size: usize,
    ) -> Result<(), Misuse> {
        if size >= self.large_from {
            // SAFETY: by the caller.
            return unsafe { self.put_copy_large(to, src, address, size) };
        }
        let (out, supply) = self.to(to, Stream::Requests);
        // SAFETY: as in `put_short`.
        unsafe {
            let bytes = match out.last_put.extend(&mut out.requests, address, size) {
                Some(bytes) => bytes,
                None => {
                    let begin = record::put_begin(size);
                    let record_size = begin + size.next_multiple_of(8);
                    let record = if size >= record::MIN_ALIGNED_BYTES {
                        let room = out.requests.record(record::FILLER + record_size, supply)?;
                        let record = room.add(record::fill_up(room, begin));
                        out.requests.extend(record.add(record_size));
                        record
                    } else {
                        out.requests.record(record_size, supply)?
                    };
                    record::write_put(record, address, size);
                    out.last_put.is_at(record, address, size);
                    record.add(begin)
                }
            };
            out.copy(src, bytes, size, out.requests.is_staged());
        }
        out.puts += 1;
        out.put_bytes += size as u64;
        Ok(())
    }

    /// As [`Processor::put`], but the bytes may be read and written at any time until the superstep ends. If the
    /// receiver has ended the previous superstep, the bytes for the promoted part of the area are copied during the
    /// call.
    ///
    /// # Safety
    /// As for `put`. Until the superstep ends, the program changes no byte at `src` and does not use the bytes at the
    /// receiver.
    pub unsafe fn hpput(
        &mut self,
        to: usize,
        src: *const u8,
        dst: *const u8,
        offset: usize,
        size: usize,
    ) -> Result<(), Misuse> {
        if size == 0 {
            return Ok(());
        }
        let (remote, address) = self.remote(to, dst, offset, size)?;
        let parts = self.split_now(to, &remote, address, size);
        // SAFETY: by the caller; the parts are within the source and within the area.
        unsafe {
            if parts.reached.1 > 0 {
                let (from, size) = (src.add(parts.reached.0), parts.reached.1);
                self.out[to].copy_into(from, parts.here, size);
            }
            if parts.reached.1 > 0
                && let Some(recorder) = &mut self.recorder
            {
                // The log counts one request for this call. If a request is made for the rest below, that one counts.
                let alone = parts.others.iter().all(|part| part.1 == 0);
                recorder.note(to, alone.into(), parts.reached.1 as u64, 0);
            }
            for (from, size) in parts.others.into_iter().filter(|part| part.1 > 0) {
                if size >= self.large_from {
                    self.put_large(to, src.add(from), address + from, size)?
                } else {
                    self.request_put(to, src.add(from), address + from, size)?
                }
            }
            if parts.others.iter().all(|part| part.1 > 0) {
                // Two requests were made, one for each end of the area, but the program made one call.
                self.out[to].puts -= 1;
            }
        }
        Ok(())
    }
}
