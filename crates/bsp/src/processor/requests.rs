//! Registration, and writing into other processors' memory.

use std::ptr::NonNull;

use crate::engine::Remote;
use crate::engine::shared::mailbox::Stream;
use crate::misuse::Misuse;
use crate::processor::record::{self, MOST_SHORT, copy_short};
use crate::processor::{Processor, begin};

impl Processor {
    /// Registers an area, from the next superstep on. All processors do so together, each with its own
    /// address and size in bytes; who takes no part gives the null pointer and 0.
    ///
    /// # Safety
    /// The area is memory of the caller's, as long as it is registered.
    pub unsafe fn push_reg(&mut self, address: *mut u8, size: usize) -> Result<(), Misuse> {
        let slot = self.registers.push(address as usize, size)?;
        self.pushes += 1;
        let registers = &self.registers;
        let is_registered = |from: usize, size: usize| registers.is_used_but_by(slot, from, size);
        // SAFETY: by the caller.
        unsafe { self.engine.publish(slot, address as usize, size, &is_registered) };
        Ok(())
    }

    /// Memory of the machine's for an area, all zero, aligned to a page: others reach all of it without
    /// a copy in between. It lasts as long as the machine, or until it is freed.
    pub fn allocate(&mut self, size: usize) -> Result<NonNull<u8>, Misuse> {
        self.engine.allocate(size)
    }

    /// Takes back what was allocated with this size.
    ///
    /// # Safety
    /// It is not used any more, and is not registered.
    pub unsafe fn free(&mut self, memory: NonNull<u8>, size: usize) {
        self.engine.free(memory, size);
    }

    /// Removes the most recent registration of an address at the end of the superstep; all
    /// processors together.
    pub fn pop_reg(&mut self, address: *const u8) -> Result<(), Misuse> {
        let index = self.registers.popped().len();
        let popped = self.registers.pop(address as usize)?;
        self.engine.publish_pop(index, popped)
    }

    /// The area of a processor that an address of ours means, and the address in it.
    #[cold]
    fn remote(
        &mut self,
        pid: usize,
        address: *const u8,
        offset: usize,
        size: usize,
    ) -> Result<(Remote, usize), Misuse> {
        let remote = match self.last.is(pid, address as usize) {
            true => self.last.remote,
            false => self.look_up(pid, address as usize)?,
        };
        if offset > remote.size || size > remote.size - offset {
            return Err(Misuse::Beyond { pid, offset, size, registered: remote.size });
        }
        Ok((remote, remote.address + offset))
    }

    fn look_up(&mut self, pid: usize, name: usize) -> Result<Remote, Misuse> {
        let pid = self.checked(pid)?;
        let slot = self.registers.find(name)?;
        let remote = self.engine.remote(slot, pid);
        if remote.address == 0 {
            return Err(Misuse::NoPart(pid));
        }
        let before = std::mem::replace(&mut self.last, Last { name, pid, remote });
        if let Some(out) = self.out.get_mut(before.pid)
            && out.is_open()
        {
            out.areas.add(before.remote);
        }
        Ok(remote)
    }

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
                    if !out.requests.is_open() {
                        let Some(first) =
                            begin(out, to, Stream::Requests, &mut self.touched, &mut self.engine)
                        else {
                            return false;
                        };
                        out.requests.restart(first);
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
        let (out, supply) = self.requests_to(to);
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
                && let Some(ledger) = &mut self.ledger
            {
                // What goes another way counts there.
                let alone = parts.others.iter().all(|part| part.1 == 0);
                ledger.note(to, alone.into(), parts.reached.1 as u64, 0);
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

    /// Reads bytes of a processor's area, as they are when all have ended their computation, and writes
    /// them here before anything that is put.
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
        let (parts, address) = match last.is(from, src as usize) && last.has(offset, size) {
            true => {
                let address = last.remote.address + offset;
                (Parts::of(&last.remote, address, size), address)
            }
            false => {
                let (remote, address) = self.remote(from, src, offset, size)?;
                (Parts::of(&remote, address, size), address)
            }
        };
        self.request_get(from, &parts, address, dst, size, 1)
    }

    /// Like [`Processor::get`], but bytes may be read and written at any time until the superstep has
    /// ended.
    ///
    /// # Safety
    /// As for `get`; and neither place is used otherwise in this superstep.
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
        let mut parts = self.parts_now(from, &remote, address, size);
        if parts.reached.1 > 0 {
            // SAFETY: by the caller; the part lies in both.
            unsafe { copy_any(parts.here, dst.add(parts.reached.0), parts.reached.1) };
        }
        if parts.reached.1 > 0
            && let Some(ledger) = &mut self.ledger
        {
            let alone = parts.others.iter().all(|part| part.1 == 0);
            ledger.note(from, alone.into(), 0, parts.reached.1 as u64);
        }
        let mut calls = 1;
        for part in &mut parts.others {
            if part.1 > 0 {
                let (from_here, size) = *part;
                let (at, dst) = (address + from_here, dst.wrapping_add(from_here));
                self.request_get(from, &Parts::none(size), at, dst, size, calls)?;
                calls = 0;
            }
        }
        Ok(())
    }

    /// What of an access can be made now: nothing, while the processor still writes what was put in the
    /// superstep before.
    fn parts_now(&self, pid: usize, remote: &Remote, address: usize, size: usize) -> Parts {
        match self.engine.is_settled(pid) {
            true => Parts::of(remote, address, size),
            false => Parts::none(size),
        }
    }

    #[inline(always)]
    fn request_get(
        &mut self,
        from: usize,
        parts: &Parts,
        address: usize,
        dst: *mut u8,
        size: usize,
        calls: u64,
    ) -> Result<(), Misuse> {
        let get = super::gets::Get {
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
        if self.held == nth && self.foreseen.is_nth(nth, &get) {
            self.held += 1;
        } else {
            self.ask_with_held(&get)?;
        }
        self.gets.push(get);
        Ok(())
    }

    /// Asks the owner of a get that is not as it was foreseen, and those that were not asked yet.
    #[inline(never)]
    fn ask_with_held(&mut self, get: &super::gets::Get) -> Result<(), Misuse> {
        if self.held > 0 {
            self.ask_for_held()?;
        }
        self.ask(get)
    }

    /// Asks the owner for what cannot be reached from here.
    pub(super) fn ask(&mut self, get: &super::gets::Get) -> Result<(), Misuse> {
        for (at, size) in get.others.into_iter().filter(|part| part.1 > 0) {
            let (out, supply) = self.requests_to(get.from);
            let record = out.requests.record(record::LONG, supply)?;
            out.joint = record::Joint::default();
            // SAFETY: the record has room for it, and is aligned to 8.
            unsafe { record::write_get(record, get.address + at, size) };
            out.sent.gets += 1;
        }
        Ok(())
    }
}

/// The area that was reached last; most accesses are to the same one again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    /// Its address here.
    name: usize,
    pid: usize,
    remote: Remote,
}

impl Last {
    /// None: no area has this name.
    pub const NONE: Last = Last {
        name: 0,
        pid: usize::MAX,
        remote: Remote { address: 0, size: 0, reach: (0, 0), here: std::ptr::null_mut() },
    };

    /// The area, if it is one of this processor's.
    #[inline]
    pub fn of(&self, pid: usize) -> Option<Remote> {
        (self.pid == pid).then_some(self.remote)
    }

    #[inline]
    fn is(&self, pid: usize, name: usize) -> bool {
        self.name == name && self.pid == pid
    }

    /// Whether these bytes lie in it.
    #[inline]
    fn has(&self, offset: usize, size: usize) -> bool {
        let registered = self.remote.size;
        offset <= registered && size <= registered - offset
    }
}

/// Part of an access can be reached from here; what lies before and behind it cannot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// Offset in the access and size.
    pub reached: (usize, usize),
    pub here: *mut u8,
    pub others: [(usize, usize); 2],
}

impl Parts {
    /// Nothing can be reached.
    pub fn none(size: usize) -> Parts {
        Parts { reached: (0, 0), here: std::ptr::null_mut(), others: [(0, size), (0, 0)] }
    }

    pub fn of(remote: &Remote, address: usize, size: usize) -> Parts {
        let end = address + size;
        let from = remote.reach.0.clamp(address, end);
        let to = remote.reach.1.clamp(from, end);
        if from == to {
            return Parts::none(size);
        }
        Parts {
            reached: (from - address, to - from),
            here: remote.here.wrapping_add(from - remote.reach.0),
            others: [(0, from - address), (to - address, end - to)],
        }
    }
}

/// Copies, where both may be the same memory.
///
/// # Safety
/// As for `std::ptr::copy`.
unsafe fn copy_any(from: *const u8, to: *mut u8, size: usize) {
    // SAFETY: by the caller.
    unsafe { std::ptr::copy(from, to, size) };
}
