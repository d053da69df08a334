//! Writing into other processors' memory.

use crate::copy::{MOST_SHORT, copy_short};
use crate::engine::traffic::Stream;
use crate::misuse::Misuse;
use crate::processor::{Processor, begin, record};

impl Processor {
    /// Copies bytes now, and at the end of the superstep into the area of a processor that is
    /// registered here by the name `dst`. No bytes are no request, and never wrong.
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
            match self.put_short(to, src, dst, offset, size) {
                true => Ok(()),
                false => self.put_any(to, src, dst, offset, size),
            }
        }
    }

    /// As [`Processor::put`], for what [`Processor::put_short`] has not done; it puts something.
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
        let address = match last.is(to, dst as usize) && last.has(offset, size) {
            true => last.remote.address + offset,
            false => self.remote(to, dst, offset, size)?.1,
        };
        // SAFETY: by the caller.
        unsafe { self.request_put(to, src, address, size) }
    }

    /// As [`Processor::put`], if it is a short put to the area that was reached last, for which there is room; else it
    /// does nothing. Whether it did.
    ///
    /// # Safety
    /// As for `put`.
    // It calls nothing: a call would have all that it uses saved and restored, also where it is not made.
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
        let is_short = size.wrapping_sub(1) < MOST_SHORT && size < self.apart;
        if !(is_short && last.is(to, dst as usize) && last.has(offset, size)) {
            return false;
        }
        let address = last.remote.address + offset;
        let Some(out) = self.out.get_mut(to) else { return false };
        // SAFETY: who writes another record says so; the record has room for both, and is aligned to 8; by the caller.
        unsafe {
            let bytes = match out.joint.prolong(&mut out.requests, address, size) {
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
                    out.joint.is_at(record, address, size);
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
        if size >= self.apart {
            // SAFETY: by the caller.
            return unsafe { self.put_copy_apart(to, src, address, size) };
        }
        let (out, supply) = self.to(to, Stream::Requests);
        // SAFETY: who writes another record says so; the record has room for both, and is aligned to 8.
        unsafe {
            let bytes = match out.joint.prolong(&mut out.requests, address, size) {
                Some(bytes) => bytes,
                None => {
                    let begin = record::put_begin(size);
                    let whole = begin + size.next_multiple_of(8);
                    let record = match size >= record::LARGE {
                        true => {
                            let room = out.requests.record(record::FILLER + whole, supply)?;
                            let record = room.add(record::fill_up(room, begin));
                            out.requests.prolong(record.add(whole));
                            record
                        }
                        false => out.requests.record(whole, supply)?,
                    };
                    record::write_put(record, address, size);
                    out.joint.is_at(record, address, size);
                    record.add(begin)
                }
            };
            out.copy(src, bytes, size, out.requests.is_staged());
        }
        out.puts += 1;
        out.put_bytes += size as u64;
        Ok(())
    }

    /// Like [`Processor::put`], but bytes may be read and written at any time until the superstep
    /// has ended: at once, where the receiver's memory can be reached from here.
    ///
    /// # Safety
    /// As for `put`; and neither place is used otherwise in this superstep.
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
        let parts = self.parts_now(to, &remote, address, size);
        // SAFETY: by the caller; the parts lie in both.
        unsafe {
            if parts.reached.1 > 0 {
                let (from, size) = (src.add(parts.reached.0), parts.reached.1);
                self.out[to].copy_into(from, parts.here, size);
            }
            if parts.reached.1 > 0
                && let Some(recorder) = &mut self.recorder
            {
                // What goes another way counts there.
                let alone = parts.others.iter().all(|part| part.1 == 0);
                recorder.note(to, alone.into(), parts.reached.1 as u64, 0);
            }
            for (from, size) in parts.others.into_iter().filter(|part| part.1 > 0) {
                match size >= self.apart {
                    true => self.put_apart(to, src.add(from), address + from, size)?,
                    false => self.request_put(to, src.add(from), address + from, size)?,
                }
            }
            if parts.others.iter().all(|part| part.1 > 0) {
                // Two requests, but one call.
                self.out[to].puts -= 1;
            }
        }
        Ok(())
    }
}
