//! What the counters were at the begin of the regions that a thread has open.

use std::ptr;

use crate::sys;

use super::values::Values;

/// Regions in one another that have room at first.
const FIRST: usize = 64;
/// No region.
pub const NOBODY: u32 = u32::MAX;

/// An open region.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub values: Values,
    /// Address of its frame.
    pub frame: usize,
    /// Depth of the counted region around it, or [`NOBODY`].
    pub around: u32,
}

/// One for each depth, in pages of our own: nothing is allocated in regions.
#[derive(Clone, Copy, Debug)]
pub struct Starts {
    memory: *mut Start,
    count: usize,
}

impl Starts {
    pub const NONE: Starts = Starts { memory: ptr::null_mut(), count: 0 };

    /// That of a region with so many around it; `None` if there is no memory.
    pub fn at(&mut self, depth: u32) -> Option<&mut Start> {
        let depth = depth as usize;
        if depth >= self.count {
            self.grow(depth)?;
        }
        // SAFETY: within the pages, which are this thread's alone. Zeros are a valid value.
        unsafe { self.memory.add(depth).as_mut() }
    }

    fn grow(&mut self, depth: usize) -> Option<()> {
        let count = (depth + 1).next_power_of_two().max(FIRST);
        let more = sys::pages(count * size_of::<Start>()).ok()?.cast::<Start>();
        if self.count > 0 {
            // SAFETY: both are of this thread alone, and the new one is longer.
            unsafe { more.copy_from_nonoverlapping(self.memory, self.count) };
        }
        self.free();
        *self = Starts { memory: more, count };
        Some(())
    }

    /// Gives the pages back.
    pub fn free(&mut self) {
        if self.count > 0 {
            // SAFETY: our own pages, which nobody uses any more.
            unsafe { sys::unmap(self.memory.cast(), self.count * size_of::<Start>()) };
        }
        *self = Starts::NONE;
    }
}
