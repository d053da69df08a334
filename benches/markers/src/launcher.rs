use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering::*};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use cll_contract as contract;
use cll_trace::layout::compact;
use cll_trace::live::{self, Control};
use rustix::fs::{MemfdFlags, memfd_create};

const SLOTS: u32 = 1024;
const PAUSE: Duration = Duration::from_millis(2);

/// Takes full blocks away while a program runs, as `cll run` does.
pub struct Launcher {
    memory: File,
    control: Control,
    trace: File,
}

impl Launcher {
    /// The trace is written to `path`.
    pub fn new(path: &Path) -> Result<Launcher> {
        let memory = File::from(memfd_create("cll", MemfdFlags::empty())?);
        let control = Control { slots: SLOTS, slot_size: live::SLOT_SIZE, full_count: 0 };
        memory.set_len(control.size())?;
        memory.write_all_at(&control.encode(), 0)?;
        Ok(Launcher { memory, control, trace: File::create(path)? })
    }

    /// Runs a program to its end.
    pub fn run(&self, command: &mut Command) -> Result<Output> {
        command.env(contract::SHM_FD.name(), self.memory.as_raw_fd().to_string());
        let ended = AtomicBool::new(false);
        thread::scope(|scope| {
            let taking = scope.spawn(|| -> Result<()> {
                while !ended.load(Acquire) {
                    self.take()?;
                    thread::sleep(PAUSE);
                }
                Ok(())
            });
            let output = command.output();
            ended.store(true, Release);
            taking.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok(output?)
        })
    }

    fn take(&self) -> Result<()> {
        let mut states = vec![0; 4 * self.control.slots as usize];
        self.memory.read_exact_at(&mut states, live::STATES_AT as u64)?;
        for (slot, state) in (0u32..).zip(live::states(&states)) {
            if state != live::FULL {
                continue;
            }
            let mut block = vec![0; self.control.slot_size as usize];
            self.memory.read_exact_at(&mut block, self.control.slot_at(slot))?;
            if compact(&mut block) {
                (&self.trace).write_all(&block)?;
            }
            self.memory.write_all_at(&live::FREE.to_le_bytes(), live::state_at(slot))?;
        }
        Ok(())
    }
}
