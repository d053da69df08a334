//! Access to the memory of a machine's processors: registration, put and get.
//!
//! Requests are sent as records. At the end of the superstep the processor that has the memory carries them
//! out: first it replies to all gets, then it writes what its own gets have read, then the puts, by sender and
//! in the order of the calls.

use crate::channel::Record;
use crate::misuse::{Difference, Misuse};
use crate::registers::{NULL_POP, Slot};

use super::barrier::BarrierCall;
use super::remote::Get;
use super::wait_site::WaitReason;
use super::{Handle, Objects, kind};

/// Bytes of an address and a size.
const PAIR: usize = 16;
/// The largest put that is one record, in bytes.
const SHORT: usize = 1024;

impl Objects {
    /// Registers an area of a machine, from its next superstep on. All its processors do so together, each with
    /// its own address and size in bytes; a processor that has no area passes the null pointer and 0.
    ///
    /// # Safety
    /// The area is memory of the caller as long as it is registered.
    pub unsafe fn push_reg(
        &mut self,
        handle: Handle,
        address: *mut u8,
        size: usize,
    ) -> Result<(), Misuse> {
        let level = self.active(handle)?;
        self.stack[level].remote.push(address as usize, size)
    }

    /// Removes the most recent registration of an address at the end of the superstep; all processors of the
    /// machine do so together.
    pub fn pop_reg(&mut self, handle: Handle, address: *const u8) -> Result<(), Misuse> {
        let level = self.active(handle)?;
        self.stack[level].remote.registers.pop(address as usize).map(drop)
    }

    /// The target of an access: the object, the processor's number in the whole program, the address there.
    fn reach(
        &mut self,
        handle: Handle,
        pid: usize,
        name: *const u8,
        offset: usize,
        size: usize,
    ) -> Result<(usize, usize, usize), Misuse> {
        let (level, there) = self.addressed(handle, pid)?;
        let remote = &mut self.stack[level].remote;
        let slot = remote.registers.find(name as usize)?;
        let (address, registered) = remote.area(slot, pid);
        if address == 0 {
            return Err(Misuse::NoPart(pid));
        }
        if offset > registered || size > registered - offset {
            return Err(Misuse::Beyond { pid, offset, size, registered });
        }
        Ok((level, there, address + offset))
    }

    /// Copies bytes now; at the end of the superstep they are written into the area of a processor that is
    /// registered here as `dst`. With size 0 it does nothing and is never an error.
    ///
    /// # Safety
    /// `size` bytes can be read at `src`.
    pub unsafe fn put(
        &mut self,
        handle: Handle,
        to: usize,
        src: *const u8,
        dst: *const u8,
        offset: usize,
        size: usize,
    ) -> Result<(), Misuse> {
        // SAFETY: by the caller.
        unsafe { self.request_put(handle, to, (src, size), (dst, offset), false) }
    }

    /// As [`Objects::put`], but bytes may be read and written at any time until the superstep has ended.
    ///
    /// # Safety
    /// As for `put`; and neither the source nor the destination is used otherwise in this superstep.
    pub unsafe fn hpput(
        &mut self,
        handle: Handle,
        to: usize,
        src: *const u8,
        dst: *const u8,
        offset: usize,
        size: usize,
    ) -> Result<(), Misuse> {
        // SAFETY: by the caller.
        unsafe { self.request_put(handle, to, (src, size), (dst, offset), true) }
    }

    /// # Safety
    /// As for `put`; if in place, as for `hpput`.
    unsafe fn request_put(
        &mut self,
        handle: Handle,
        to: usize,
        (src, size): (*const u8, usize),
        (dst, offset): (*const u8, usize),
        in_place: bool,
    ) -> Result<(), Misuse> {
        if size == 0 {
            return Ok(());
        }
        let (level, there, address) = self.reach(handle, to, dst, offset, size)?;
        self.stack[level].remote.puts += 1;
        self.count(level, to, size);
        let pair = [address as u64, size as u64];
        if size <= SHORT {
            let mut record = [0u64; (PAIR + SHORT) / 8];
            record[..2].copy_from_slice(&pair);
            let header = self.header(level, kind::PUT, PAIR + size);
            // SAFETY: by the caller; there is room.
            return unsafe {
                src.copy_to_nonoverlapping(record.as_mut_ptr().add(2).cast(), size);
                self.channels.send(there, header, record.as_ptr().cast())
            };
        }
        let begin = self.header(level, kind::PUT, PAIR);
        let bytes = self.header(level, kind::PUT_BYTES, size);
        // SAFETY: by the caller.
        unsafe {
            self.channels.send(there, begin, pair.as_ptr().cast())?;
            if in_place {
                self.in_place = !self.copies_always;
                self.channels.send_in_place(there, bytes, src)
            } else {
                self.channels.send(there, bytes, src)
            }
        }
    }

    /// Reads bytes of a processor's area with the values that they have when all of the machine have ended
    /// their computation, and writes them here before any put.
    ///
    /// # Safety
    /// `size` bytes can be written at `dst` until the superstep has ended.
    pub unsafe fn get(
        &mut self,
        handle: Handle,
        from: usize,
        src: *const u8,
        offset: usize,
        dst: *mut u8,
        size: usize,
    ) -> Result<(), Misuse> {
        if size == 0 {
            return Ok(());
        }
        let (level, there, address) = self.reach(handle, from, src, offset, size)?;
        self.stack[level].remote.gets.push(Get { from, dst, size });
        let pair = [address as u64, size as u64];
        let header = self.header(level, kind::GET, PAIR);
        // SAFETY: the words exist.
        unsafe { self.channels.send(there, header, pair.as_ptr().cast()) }
    }

    /// As [`Objects::get`], but bytes may be read and written at any time until the superstep has ended.
    ///
    /// # Safety
    /// As for `get`; and neither the source nor the destination is used otherwise in this superstep.
    pub unsafe fn hpget(
        &mut self,
        handle: Handle,
        from: usize,
        src: *const u8,
        offset: usize,
        dst: *mut u8,
        size: usize,
    ) -> Result<(), Misuse> {
        // SAFETY: by the caller.
        unsafe { self.get(handle, from, src, offset, dst, size) }
    }

    /// Sends the others of the machine what was registered and removed in this superstep.
    pub(super) fn send_registrations(&mut self, level: usize) -> Result<(), Misuse> {
        let object = &self.stack[level];
        let (pid, nprocs, base) = (object.pid, object.nprocs, object.base);
        let remote = &object.remote;
        let pushed = remote.pushed.iter();
        let pushes: Vec<u64> =
            pushed.flat_map(|(_, (address, size))| [*address as u64, *size as u64]).collect();
        let pops = remote.registers.popped().to_vec();
        for (kind, words) in [(kind::PUSHES, pushes), (kind::POPS, pops)] {
            let header = self.header(level, kind, size_of_val(words.as_slice()));
            for to in (0..nprocs).filter(|&to| to != pid && !words.is_empty()) {
                // SAFETY: the words exist.
                unsafe { self.channels.send(base + to, header, words.as_ptr().cast()) }?;
            }
        }
        Ok(())
    }

    /// Carries out the requests of this superstep, after all of the machine have reached its end.
    pub(super) fn carry_out(&mut self, level: usize, call: BarrierCall) -> Result<(), Misuse> {
        let object = &mut self.stack[level];
        let mut requests = std::mem::take(&mut object.requests);
        requests.sort_by_key(|record| record.from);
        self.learn_registrations(level, &requests)?;
        self.reply(level, &requests)?;
        self.write_gets(level, call)?;
        // SAFETY: the senders have checked that what they put is registered.
        unsafe { write_puts(&requests) };
        requests.drain(..).for_each(|record| self.channels.release(&record));
        let object = &mut self.stack[level];
        object.remote.end_superstep();
        object.requests = requests;
        Ok(())
    }

    fn learn_registrations(&mut self, level: usize, requests: &[Record]) -> Result<(), Misuse> {
        let object = &mut self.stack[level];
        let (base, pid, nprocs) = (object.base, object.pid, object.nprocs);
        if object.remote.pushes() > 0 {
            let own: Vec<_> = object.remote.pushed.iter().map(|(_, area)| *area).collect();
            object.remote.learn(pid, nprocs, own.into_iter());
            for record in requests.iter().filter(|record| record.header.kind == kind::PUSHES) {
                let pairs = words(record).chunks_exact(2);
                let areas = pairs.map(|pair| (pair[0] as usize, pair[1] as usize));
                object.remote.learn(record.from - base, nprocs, areas);
            }
        }
        if object.remote.pops() > 0 {
            let mut pops = vec![Vec::new(); nprocs];
            pops[pid] = object.remote.registers.popped().to_vec();
            for record in requests.iter().filter(|record| record.header.kind == kind::POPS) {
                pops[record.from - base] = words(record).to_vec();
            }
            self.agree_on_pops(level, &pops)?;
        }
        Ok(())
    }

    /// All processors must have removed the same registrations. A null pointer means the registration in which
    /// that processor has a null pointer.
    fn agree_on_pops(&mut self, level: usize, pops: &[Vec<u64>]) -> Result<(), Misuse> {
        let object = &mut self.stack[level];
        let (pid, nprocs) = (object.pid, object.nprocs);
        let remote = &mut object.remote;
        for index in 0..pops[pid].len() {
            let pop_of = |pid: usize| pops[pid].get(index).copied().unwrap_or(NULL_POP);
            let Some(leader) = (0..nprocs).find(|&pid| pop_of(pid) != NULL_POP) else {
                let everywhere =
                    |slot: &Slot| (0..nprocs).all(|pid| remote.area(*slot, pid).0 == 0);
                let slot = remote.registers.nulls().into_iter().find(everywhere);
                remote.registers.settle_null(index, slot.ok_or(Misuse::PopOfNull)?);
                continue;
            };
            let slot = pop_of(leader);
            let other = |pid| Misuse::Differ(Difference::PopsOther(index as u64 + 1, leader, pid));
            if let Some(pid) = (0..nprocs).find(|&pid| ![NULL_POP, slot].contains(&pop_of(pid))) {
                return Err(other(pid));
            }
            if pop_of(pid) == NULL_POP {
                if !remote.registers.is_null(slot as Slot) {
                    return Err(other(pid));
                }
                remote.registers.settle_null(index, slot as Slot);
            }
        }
        Ok(())
    }

    /// Replies to all gets from this processor.
    fn reply(&mut self, level: usize, requests: &[Record]) -> Result<(), Misuse> {
        for record in requests.iter().filter(|record| record.header.kind == kind::GET) {
            let (address, size) = pair(record);
            let header = self.header(level, kind::REPLY, size);
            // SAFETY: the reader has checked that the bytes are registered.
            unsafe { self.channels.send(record.from, header, address) }?;
        }
        Ok(())
    }

    /// Waits for the data of this processor's gets and writes it: by owner, then in the order of the calls.
    fn write_gets(&mut self, level: usize, call: BarrierCall) -> Result<(), Misuse> {
        let mut gets = std::mem::take(&mut self.stack[level].remote.gets);
        if gets.is_empty() {
            return Ok(());
        }
        loop {
            self.take_in()?;
            let arrived = self.stack[level].replies.len();
            if arrived >= gets.len() {
                break;
            }
            self.wait(level, call, WaitReason::Replies(gets.len() - arrived))?;
        }
        gets.sort_by_key(|get| get.from);
        let mut replies = std::mem::take(&mut self.stack[level].replies);
        replies.sort_by_key(|record| record.from);
        for (get, reply) in gets.iter().zip(&replies) {
            // SAFETY: the caller of `get` has promised the memory.
            unsafe { reply.payload.copy_to_nonoverlapping(get.dst, get.size) };
        }
        replies.iter().for_each(|record| self.channels.release(record));
        Ok(())
    }
}

/// A record's payload as words.
fn words(record: &Record) -> &[u64] {
    // SAFETY: it has this many bytes, aligned to 16.
    unsafe { std::slice::from_raw_parts(record.payload.cast(), record.header.size / 8) }
}

/// The address and the size at the beginning of a request.
fn pair(record: &Record) -> (*mut u8, usize) {
    let words = words(record);
    (words[0] as *mut u8, words[1] as usize)
}

/// Writes all puts.
///
/// # Safety
/// The senders have checked that the bytes are registered.
unsafe fn write_puts(requests: &[Record]) {
    let mut long: Option<(usize, *mut u8)> = None;
    for record in requests {
        match record.header.kind {
            kind::PUT => {
                let (address, size) = pair(record);
                if record.header.size == PAIR {
                    long = Some((record.from, address));
                    continue;
                }
                // SAFETY: by the caller; the bytes follow.
                unsafe { record.payload.add(PAIR).copy_to_nonoverlapping(address, size) };
            }
            kind::PUT_BYTES => {
                if let Some((from, address)) = long.take()
                    && from == record.from
                {
                    // SAFETY: by the caller.
                    unsafe { record.payload.copy_to_nonoverlapping(address, record.header.size) };
                }
            }
            _ => {}
        }
    }
}
