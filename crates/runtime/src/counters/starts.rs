//! The values of the counters at the beginning of a thread's open regions.

use std::ptr;

use crate::sys;

use super::values::Values;

/// Number of nested regions that initially have room.
const INITIAL_REGIONS: usize = 64;
/// No region.
pub const NOBODY: u32 = u32::MAX;

/// An open region.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub values: Values,
    /// The address of its frame.
    pub frame: usize,
    /// The depth of the counted region around it, or [`NOBODY`].
    pub around: u32,
}

/// One for each depth, in our own pages: nothing is allocated in regions.
#[derive(Clone, Copy, Debug)]
pub struct Starts {
    memory: *mut Start,
    count: usize,
}

impl Starts {
    pub const NONE: Starts = Starts { memory: ptr::null_mut(), count: 0 };

    /// The entry of a region with `depth` regions around it; `None` if there is no memory.
    pub fn entry(&mut self, depth: u32) -> Option<&mut Start> {
        let depth = depth as usize;
        if depth >= self.count {
            self.grow(depth)?;
        }
        // SAFETY: within the pages, which belong only to this thread. Zeros are a valid value.
        unsafe { self.memory.add(depth).as_mut() }
    }

    fn grow(&mut self, depth: usize) -> Option<()> {
        let count = (depth + 1).next_power_of_two().max(INITIAL_REGIONS);
        let more = sys::pages(count * size_of::<Start>()).ok()?.cast::<Start>();
        if self.count > 0 {
            // SAFETY: both belong only to this thread, and the new one is longer.
            unsafe { more.copy_from_nonoverlapping(self.memory, self.count) };
        }
        self.free();
        *self = Starts { memory: more, count };
        Some(())
    }

    /// Frees the pages.
    pub fn free(&mut self) {
        if self.count > 0 {
            // SAFETY: our own pages, which nobody uses any more.
            unsafe { sys::unmap(self.memory.cast(), self.count * size_of::<Start>()) };
        }
        *self = Starts::NONE;
    }
}
