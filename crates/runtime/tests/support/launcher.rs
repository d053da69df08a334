//! The part of `cll run` for one program: shared memory, and taking away full blocks.

use std::ffi::CString;
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::os::unix::fs::FileExt;
use std::process::Command;

use cll_contract as contract;
use cll_trace::Trace;
use cll_trace::layout::compact;
use cll_trace::live::{self, Control};

/// The memory and what was taken from it.
pub struct Launcher {
    memory: File,
    control: Control,
    /// The trace so far.
    pub bytes: Vec<u8>,
    /// Blocks taken away.
    pub taken: u64,
}

impl Launcher {
    pub fn new(slots: u32) -> Launcher {
        let name = CString::new("cll").unwrap();
        // SAFETY: the descriptor is new and only here.
        let memory = unsafe { File::from_raw_fd(libc::memfd_create(name.as_ptr(), 0)) };
        let control = Control { slots, slot_size: live::SLOT_SIZE, full_count: 0 };
        memory.set_len(control.size()).unwrap();
        memory.write_all_at(&control.encode(), 0).unwrap();
        Launcher { memory, control, bytes: Vec::new(), taken: 0 }
    }

    pub fn fd(&self) -> RawFd {
        self.memory.as_raw_fd()
    }

    /// The command's program finds the memory.
    pub fn serve<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env(contract::SHM_FD.name(), self.fd().to_string())
    }

    /// Blocks that wait to be taken away.
    pub fn full(&self) -> u32 {
        let mut full = 0;
        for slot in 0..self.control.slots {
            full += u32::from(self.state(slot) == live::FULL);
        }
        full
    }

    fn state(&self, slot: u32) -> u32 {
        let mut state = [0; 4];
        self.memory.read_exact_at(&mut state, live::state_at(slot)).unwrap();
        u32::from_le_bytes(state)
    }

    /// Takes full blocks away; at the end the open ones, too.
    pub fn collect(&mut self, at_the_end: bool) {
        for slot in 0..self.control.slots {
            let state = self.state(slot);
            if state == live::FULL || (at_the_end && state == live::OPEN) {
                let mut block = vec![0; self.control.slot_size as usize];
                self.memory.read_exact_at(&mut block, self.control.slot_at(slot)).unwrap();
                if compact(&mut block) {
                    self.bytes.extend_from_slice(&block);
                    self.taken += 1;
                }
                let free = live::FREE.to_le_bytes();
                self.memory.write_all_at(&free, live::state_at(slot)).unwrap();
            }
        }
    }

    /// The trace, in which nothing may be damaged.
    pub fn trace(&mut self) -> Trace {
        self.collect(true);
        let trace = cll_trace::read(self.bytes.as_slice()).unwrap();
        assert!(trace.damage.is_empty(), "{:?}", trace.damage);
        trace
    }
}
