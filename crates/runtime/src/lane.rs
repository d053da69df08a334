//! Lanes: each writes one block after the other.
//!
//! A thread takes a lane with its first record and gives it back when it ends; the next thread that begins
//! continues in the same block. So a hundred thousand short threads need only as many blocks as there were
//! threads at a time. The number of a "thread" in a trace is that of its lane.

use std::ptr;

use crate::abi::Thread;
use crate::counters::Counting;
use crate::store::Block;
use crate::sys;

/// One lane. It is never freed, but used again.
#[derive(Debug)]
pub struct Lane {
    /// Counted from 0, in the order of first use.
    pub number: u32,
    /// Number of its next block.
    pub sequence: u32,
    /// The block that is being written.
    pub block: Option<Block>,
    /// The thread that writes, null if none does.
    pub owner: *mut Thread,
    /// The counters of the writing thread, in addition to times; null if there are none.
    pub counting: *mut Counting,
    next: *mut Lane,
}

/// All lanes of a process.
#[derive(Debug)]
pub struct Lanes {
    first: *mut Lane,
    /// Next number.
    count: u32,
    /// Memory for further lanes.
    room: *mut Lane,
    left: usize,
}

impl Lanes {
    pub const fn new() -> Lanes {
        Lanes { first: ptr::null_mut(), count: 0, room: ptr::null_mut(), left: 0 }
    }

    /// A lane for `owner`: one without an owner if there is one, preferably with a block. `None` if there is no
    /// memory.
    pub fn take(&mut self, owner: *mut Thread) -> Option<&'static mut Lane> {
        let free = |lane: &&'static mut Lane| lane.owner.is_null();
        let option = match self.all().filter(free).find(|lane| lane.block.is_some()) {
            Some(lane) => Some(lane),
            None => self.all().find(free),
        };
        let lane = match option {
            Some(lane) => lane,
            None => self.add()?,
        };
        lane.owner = owner;
        Some(lane)
    }

    /// Every lane. The library's lock is held, so no other thread has a reference to one.
    pub fn all(&mut self) -> impl Iterator<Item = &'static mut Lane> + use<> {
        let mut next = self.first;
        std::iter::from_fn(move || {
            // SAFETY: lanes are never freed; null ends the list.
            let lane = unsafe { next.as_mut() }?;
            next = lane.next;
            Some(lane)
        })
    }

    fn add(&mut self) -> Option<&'static mut Lane> {
        if self.left == 0 {
            self.room = sys::pages(sys::PAGE).ok()?.cast();
            self.left = sys::PAGE / size_of::<Lane>();
        }
        let lane = self.room;
        self.left -= 1;
        // SAFETY: `room` has space for `left` more lanes.
        unsafe {
            self.room = lane.add(1);
            lane.write(Lane {
                counting: ptr::null_mut(),
                number: self.count,
                sequence: 0,
                block: None,
                owner: ptr::null_mut(),
                next: self.first,
            });
            self.count += 1;
            self.first = lane;
            lane.as_mut()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_used_again_those_with_a_block_first() {
        let mut lanes = Lanes::new();
        let mut thread = std::mem::MaybeUninit::<Thread>::uninit();
        let owner = thread.as_mut_ptr();
        for number in 0..200 {
            assert_eq!(lanes.take(owner).unwrap().number, number);
        }
        for lane in lanes.all().filter(|lane| lane.number == 3 || lane.number == 150) {
            lane.owner = ptr::null_mut();
            let block = Block { memory: ptr::null_mut(), capacity: 0, slot: 0 };
            lane.block = (lane.number == 3).then_some(block);
        }
        let numbers = [(); 3].map(|()| lanes.take(owner).unwrap().number);
        assert_eq!(numbers, [3, 150, 200]);
        assert_eq!(lanes.all().count(), 201);
    }
}
