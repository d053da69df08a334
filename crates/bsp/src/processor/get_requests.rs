//! `bsp_get`, `bsp_hpget`, `bsp_direct_get`: requests to read memory of other processors.

use super::gets::Get;
use super::requests::SplitRange;
use crate::engine::traffic::Stream;
use crate::misuse::Misuse;
use crate::processor::{Processor, record};

impl Processor {
    /// Reads bytes of a processor's area with the values that they have when all have ended their computation,
    /// and writes them here before any put.
    ///
    /// # Safety
    /// `size` bytes can be written at `dst` until the superstep has ended.
    #[inline(always)]
    pub unsafe fn get(
        &mut self,
        from: usize,
        src: *const u8,
        offset: usize,
        dst: *mut u8,
        size: usize,
    ) -> Result<(), Misuse> {
        if size == 0 {
            return Ok(());
        }
        let last = &self.last;
        let (parts, address) = if last.is(from, src as usize) && last.has(offset, size) {
            let address = last.remote.address + offset;
            (SplitRange::new(&last.remote, address, size), address)
        } else {
            let (remote, address) = self.remote(from, src, offset, size)?;
            (SplitRange::new(&remote, address, size), address)
        };
        self.request_get(from, &parts, address, dst, size, 1)
    }

    /// As [`Processor::get`], but bytes may be read and written at any time until the superstep has ended.
    ///
    /// # Safety
    /// As for `get`; and neither the source nor the destination is used otherwise in this superstep.
    pub unsafe fn hpget(
        &mut self,
        from: usize,
        src: *const u8,
        offset: usize,
        dst: *mut u8,
        size: usize,
    ) -> Result<(), Misuse> {
        if size == 0 {
            return Ok(());
        }
        let (remote, address) = self.remote(from, src, offset, size)?;
        let mut parts = self.split_now(from, &remote, address, size);
        if parts.reached.1 > 0 {
            // SAFETY: by the caller; the part is in both.
            unsafe { copy_any(parts.here, dst.add(parts.reached.0), parts.reached.1) };
        }
        if parts.reached.1 > 0
            && let Some(recorder) = &mut self.recorder
        {
            let alone = parts.others.iter().all(|part| part.1 == 0);
            recorder.note(from, alone.into(), 0, parts.reached.1 as u64);
        }
        let mut calls = 1;
        for part in &mut parts.others {
            if part.1 > 0 {
                let (from_here, size) = *part;
                let (source, dst) = (address + from_here, dst.wrapping_add(from_here));
                self.request_get(from, &SplitRange::none(size), source, dst, size, calls)?;
                calls = 0;
            }
        }
        Ok(())
    }

    /// Reads bytes of a processor's area immediately, with their current values. Puts of the previous superstep
    /// are complete.
    ///
    /// # Safety
    /// `size` bytes can be written at `dst`.
    pub unsafe fn direct_get(
        &mut self,
        from: usize,
        src: *const u8,
        offset: usize,
        dst: *mut u8,
        size: usize,
    ) -> Result<(), Misuse> {
        if size == 0 {
            return Ok(());
        }
        let (remote, address) = self.remote(from, src, offset, size)?;
        self.engine.wait_until_ended(from)?;
        let parts = SplitRange::new(&remote, address, size);
        if parts.reached.1 > 0 {
            // SAFETY: by the caller; the part is in both.
            unsafe { copy_any(parts.here, dst.add(parts.reached.0), parts.reached.1) };
        }
        for (start, size) in parts.others.into_iter().filter(|part| part.1 > 0) {
            // SAFETY: by the caller.
            unsafe { self.engine.read_now(from, address + start, dst.wrapping_add(start), size)? };
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.note(from, 1, 0, size as u64);
        }
        Ok(())
    }

    #[inline(always)]
    fn request_get(
        &mut self,
        from: usize,
        parts: &SplitRange,
        address: usize,
        dst: *mut u8,
        size: usize,
        calls: u64,
    ) -> Result<(), Misuse> {
        let get = Get {
            from,
            calls,
            dst,
            size,
            address,
            reached: parts.reached,
            here: parts.here,
            others: parts.others,
        };
        let nth = self.gets.len();
        if self.held == nth && self.repeated.is_nth(nth, &get) {
            self.held += 1;
        } else {
            self.ask_with_held(&get)?;
        }
        self.gets.push(get);
        Ok(())
    }

    /// Sends the request for a get that repeats no earlier one, and the requests that were held back.
    #[inline(never)]
    fn ask_with_held(&mut self, get: &Get) -> Result<(), Misuse> {
        if self.held > 0 {
            self.ask_for_held()?;
        }
        self.ask(get)
    }

    /// Sends the request for what cannot be accessed from here.
    pub(super) fn ask(&mut self, get: &Get) -> Result<(), Misuse> {
        for (offset, size) in get.others.into_iter().filter(|part| part.1 > 0) {
            let (out, supply) = self.to(get.from, Stream::Requests);
            let record = out.requests.record(record::LONG, supply)?;
            out.last_put = record::LastPut::default();
            // SAFETY: the record has room for it, and is aligned to 8.
            unsafe { record::write_get(record, get.address + offset, size) };
            out.sent.gets += 1;
        }
        Ok(())
    }
}

/// Copies; both may be the same memory.
///
/// # Safety
/// As for `std::ptr::copy`.
unsafe fn copy_any(from: *const u8, to: *mut u8, size: usize) {
    // SAFETY: by the caller.
    unsafe { std::ptr::copy(from, to, size) };
}
