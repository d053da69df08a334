//! Registration, and which parts of other processors' areas can be accessed.

use std::ptr::NonNull;

use crate::engine::contract::Remote;
use crate::misuse::Misuse;
use crate::processor::Processor;

impl Processor {
    /// Registers an area, from the next superstep on. All processors do so together, each with its own address
    /// and size in bytes; a processor that has no area passes the null pointer and 0.
    ///
    /// # Safety
    /// The area is memory of the caller as long as it is registered.
    pub unsafe fn push_reg(&mut self, address: *mut u8, size: usize) -> Result<(), Misuse> {
        let slot = self.registers.push(address as usize, size)?;
        self.pushes += 1;
        let registers = &self.registers;
        let is_registered = |from: usize, size: usize| registers.is_used_but_by(slot, from, size);
        // SAFETY: by the caller.
        unsafe { self.engine.publish(slot, address as usize, size, &is_registered) };
        Ok(())
    }

    /// Allocates memory of the machine for an area, all zero, aligned to a page. Others can access all of it
    /// directly. It exists as long as the machine, or until it is freed.
    pub fn allocate(&mut self, size: usize) -> Result<NonNull<u8>, Misuse> {
        self.engine.allocate(size)
    }

    /// Frees memory that was allocated with this size.
    ///
    /// # Safety
    /// It is not used any more, and is not registered.
    pub unsafe fn free(&mut self, memory: NonNull<u8>, size: usize) {
        self.engine.free(memory, size);
    }

    /// Removes the most recent registration of an address at the end of the superstep; all processors do so
    /// together.
    pub fn pop_reg(&mut self, address: *const u8) -> Result<(), Misuse> {
        let index = self.registers.popped().len();
        let popped = self.registers.pop(address as usize)?;
        self.engine.publish_pop(index, popped)
    }

    /// The area of a processor that is registered here at an address, and the address in it.
    #[cold]
    pub(super) fn remote(
        &mut self,
        pid: usize,
        address: *const u8,
        offset: usize,
        size: usize,
    ) -> Result<(Remote, usize), Misuse> {
        let remote = if self.last.is(pid, address as usize) {
            self.last.remote
        } else {
            self.look_up(pid, address as usize)?
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

    /// The part of an access that can be made now. It is empty while the other processor may still write the
    /// puts of the previous superstep.
    pub(super) fn split_now(
        &self,
        pid: usize,
        remote: &Remote,
        address: usize,
        size: usize,
    ) -> SplitRange {
        if self.engine.has_ended(pid) {
            SplitRange::new(remote, address, size)
        } else {
            SplitRange::none(size)
        }
    }
}

/// The area that was accessed last; most accesses are to the same one again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    /// The address of the area on this processor.
    name: usize,
    pid: usize,
    pub remote: Remote,
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
    pub fn for_processor(&self, pid: usize) -> Option<Remote> {
        (self.pid == pid).then_some(self.remote)
    }

    #[inline]
    pub fn is(&self, pid: usize, name: usize) -> bool {
        self.name == name && self.pid == pid
    }

    /// Whether these bytes are in it.
    #[inline]
    pub fn has(&self, offset: usize, size: usize) -> bool {
        let registered = self.remote.size;
        offset <= registered && size <= registered - offset
    }
}

/// An access split in three: the middle is promoted and can be accessed from here, the ends cannot.
#[derive(Clone, Copy, Debug)]
pub(super) struct SplitRange {
    /// Offset in the access, and size, of the middle. Size 0: nothing can be accessed.
    pub reached: (usize, usize),
    pub here: *mut u8,
    pub others: [(usize, usize); 2],
}

impl SplitRange {
    /// Nothing can be accessed.
    pub fn none(size: usize) -> SplitRange {
        SplitRange { reached: (0, 0), here: std::ptr::null_mut(), others: [(0, size), (0, 0)] }
    }

    pub fn new(remote: &Remote, address: usize, size: usize) -> SplitRange {
        let end = address + size;
        let from = remote.reach.0.clamp(address, end);
        let to = remote.reach.1.clamp(from, end);
        if from == to {
            return SplitRange::none(size);
        }
        SplitRange {
            reached: (from - address, to - from),
            here: remote.here.wrapping_add(from - remote.reach.0),
            others: [(0, from - address), (to - address, end - to)],
        }
    }
}
