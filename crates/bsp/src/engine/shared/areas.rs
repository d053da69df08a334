//! Registered areas: how others access them, and what of other processors is accessed directly.

use std::ptr::NonNull;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::*;

use super::page::PAGE;
use super::window::MAX_POPS;
use super::{Shared, waiting};
use crate::Misuse;
use crate::engine::capabilities::DirectAccess;
use crate::engine::contract::{Areas, Engine, Remote};
use crate::engine::stop::Stopped;
use crate::registers::Slot;

impl Areas for Shared {
    unsafe fn publish(
        &mut self,
        slot: Slot,
        address: usize,
        size: usize,
        is_registered: &dyn Fn(usize, usize) -> bool,
    ) {
        let own = self.in_own_window(address, size);
        let piece = if own.is_none() && self.promotes && self.processors > 1 {
            // SAFETY: by the caller.
            unsafe {
                let mut heap = self.heap.lock().unwrap_or_else(PoisonError::into_inner);
                self.promoted.promote((address, size), &self.arena, &mut heap, is_registered)
            }
        } else {
            own
        };
        let entry = self.entry(self.me, slot);
        entry.address.store(address, Relaxed);
        entry.size.store(size, Relaxed);
        let (reach, offset) = match piece {
            Some(piece) => ((piece.address, piece.address + piece.size), piece.offset),
            None => ((address, address), 0),
        };
        entry.reach.0.store(reach.0, Relaxed);
        entry.reach.1.store(reach.1, Relaxed);
        entry.offset.store(offset, Relaxed);
    }

    #[inline]
    fn remote(&self, slot: Slot, pid: usize) -> Remote {
        let entry = self.entry(pid, slot);
        let (address, size) = (entry.address.load(Relaxed), entry.size.load(Relaxed));
        if pid == self.me || self.kind.shares_everything() {
            let reach = (address, address + size);
            return Remote { address, size, reach, here: address as *mut u8 };
        }
        let reach = (entry.reach.0.load(Relaxed), entry.reach.1.load(Relaxed));
        // SAFETY: an offset in the arena.
        let here = unsafe { self.arena.base().add(entry.offset.load(Relaxed)) };
        Remote { address, size, reach, here }
    }

    fn publish_pop(&mut self, index: usize, popped: u64) -> Result<(), Misuse> {
        if index >= MAX_POPS {
            return Err(Misuse::TooManyAreas(MAX_POPS));
        }
        self.pop(self.me, index).store(popped, Relaxed);
        Ok(())
    }

    fn pop_of(&self, pid: usize, index: usize) -> u64 {
        self.pop(pid, index).load(Relaxed)
    }

    fn pops_are_agreed(&mut self) -> Result<(), Stopped> {
        self.exchange_replies()
    }

    fn allocate(&mut self, size: usize) -> Result<NonNull<u8>, Misuse> {
        let too_much = || Misuse::NoMemory(format!("an area of {size} bytes"));
        let pages = whole_pages(size).ok_or_else(too_much)?;
        let offset = self.heap().take(pages).ok_or_else(too_much)?;
        // SAFETY: it is in the window.
        NonNull::new(unsafe { self.arena.base().add(offset) }).ok_or_else(too_much)
    }

    fn free(&mut self, memory: NonNull<u8>, size: usize) {
        if let Some(pages) = whole_pages(size) {
            let offset = self.offset_of(memory.as_ptr()) as usize;
            self.arena.release(offset, pages);
            self.heap().give_back(offset, pages);
        }
    }
}

impl DirectAccess for Shared {
    fn is_read_elsewhere(&self, to: usize) -> bool {
        to != self.me && self.processors <= self.cores
    }

    #[inline]
    fn has_ended(&self, pid: usize) -> bool {
        let processor_state = &self.arena.processor_states()[pid];
        let is_over = || processor_state.ended.is_over(self.superstep - 1);
        // An unsuccessful poll would count as computation of a virtual processor.
        pid == self.me || is_over() || !self.is_virtual && waiting::poll_shortly(is_over)
    }

    fn wait_until_ended(&self, pid: usize) -> Result<(), Misuse> {
        if self.is_virtual && pid != self.me {
            let why = "virtual processors compute in turns";
            return Err(Misuse::NotAtOnce(pid, why.to_owned()));
        }
        while !self.has_ended(pid) {
            if self.arena.control().is_stopped() {
                return Err(Misuse::Stopped);
            }
            self.kind.check_others(&self.arena);
            std::thread::yield_now();
        }
        Ok(())
    }

    unsafe fn read_now(
        &self,
        pid: usize,
        address: usize,
        into: *mut u8,
        size: usize,
    ) -> Result<(), Misuse> {
        let process = self.arena.processor_states()[pid].process.load(Acquire) as libc::pid_t;
        let mut done = 0;
        while done < size {
            let local =
                libc::iovec { iov_base: into.wrapping_add(done).cast(), iov_len: size - done };
            let remote = libc::iovec {
                iov_base: std::ptr::with_exposed_provenance_mut(address + done),
                iov_len: size - done,
            };
            // SAFETY: by the caller; the system checks the other end.
            let read = unsafe {
                libc::process_vm_readv(process, &raw const local, 1, &raw const remote, 1, 0)
            };
            match usize::try_from(read) {
                Ok(read) if read > 0 => done += read,
                _ => return Err(self.not_read(pid)),
            }
        }
        Ok(())
    }
}

impl Shared {
    /// Why the memory of a processor was not read.
    #[cold]
    fn not_read(&self, pid: usize) -> Misuse {
        let error = std::io::Error::last_os_error();
        if self.arena.control().is_stopped() {
            return Misuse::Stopped;
        }
        match error.raw_os_error() {
            Some(libc::EFAULT) => Misuse::Gone(pid),
            _ => Misuse::NotAtOnce(pid, format!("the system does not allow it ({error})")),
        }
    }
}

/// Size of the pages that hold this many bytes, at least one page.
fn whole_pages(size: usize) -> Option<usize> {
    size.max(1).checked_next_multiple_of(PAGE)
}
