//! Where blocks lie: in memory that the launcher shares, or in a file of the process.

mod block;
mod file;
mod pool;

use std::ptr;

use cll_trace::layout::{HEADER_SIZE, KIND_META, KIND_SAMPLES, round_up};
use cll_trace::live::SLOT_SIZE;

use crate::clock;
use crate::message::Message;
use crate::sys::PAGE;

pub use block::{Block, Opening};
pub use file::{Failure, TraceFile};
pub use pool::{Exhausted, Pool};

/// Where this process's blocks go.
#[derive(Debug)]
pub struct Store {
    /// The launcher's memory, if there is one.
    pub pool: Option<Pool>,
    pub file: TraceFile,
    /// The process that headers name.
    pub process: u32,
    /// Whether to wait when the launcher's memory is full.
    pub patient: bool,
}

/// Why there is no block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    File(Failure),
    Pool(Exhausted),
    /// A table that is longer than a slot, bytes.
    TooLong(usize),
}

impl Store {
    pub const fn new() -> Store {
        Store { pool: None, file: TraceFile::new(), process: 0, patient: true }
    }

    /// Begins the trace of this process.
    pub fn begin(&mut self, folder: &[u8], program: &[u8]) -> Result<(), Problem> {
        match self.pool {
            Some(_) => Ok(()),
            None => self.file.create(folder, program).map_err(Problem::File),
        }
    }

    /// An empty block for samples of `thread`, its `sequence`-th. In a file it takes the place
    /// of what is mapped at `over` if that is not null.
    ///
    /// # Safety
    /// Nobody uses what is mapped at `over`, a former block for samples.
    pub unsafe fn samples(
        &mut self,
        thread: u32,
        sequence: u32,
        over: *mut u8,
    ) -> Result<Block, Problem> {
        // SAFETY: by the caller.
        unsafe { self.block(KIND_SAMPLES, thread, sequence, SLOT_SIZE as usize, over) }
    }

    /// Writes lines of tables.
    pub fn tell<'a>(
        &mut self,
        lines: impl Iterator<Item = &'a [u8]> + Clone,
    ) -> Result<(), Problem> {
        let total: usize = lines.clone().map(<[u8]>::len).sum();
        let wanted = (HEADER_SIZE + total).min(SLOT_SIZE as usize);
        let mut open: Option<Block> = None;
        for line in lines {
            // SAFETY: the block is new and only here.
            if open.is_some_and(|block| unsafe { block.push(line) }) {
                continue;
            }
            if let Some(block) = open.take() {
                self.close(block);
            }
            let capacity = round_up(wanted.max(HEADER_SIZE + line.len()), PAGE);
            // SAFETY: a new mapping.
            let block = unsafe { self.block(KIND_META, 0, 0, capacity, ptr::null_mut()) }?;
            open = Some(block);
            // SAFETY: as above.
            if !unsafe { block.push(line) } {
                self.close(block);
                return Err(Problem::TooLong(line.len()));
            }
        }
        if let Some(block) = open {
            self.close(block);
        }
        Ok(())
    }

    /// A block for samples is complete. In a file it stays mapped.
    ///
    /// # Safety
    /// Nobody writes to the block any more.
    pub unsafe fn give(&self, block: Block) {
        match &self.pool {
            // The launcher seals what it takes: another processor does the sums.
            Some(pool) => pool.give(block.slot),
            // SAFETY: by the caller.
            None => unsafe { block.seal(clock::pair()) },
        }
    }

    /// The file, if it is one, is as long as what is in it.
    pub fn finish(&mut self) {
        if self.pool.is_none() {
            self.file.finish();
        }
    }

    unsafe fn block(
        &mut self,
        kind: u16,
        thread: u32,
        sequence: u32,
        capacity: usize,
        over: *mut u8,
    ) -> Result<Block, Problem> {
        let (block, waited_ns) = match &self.pool {
            Some(pool) => pool.take(self.patient).map_err(Problem::Pool)?,
            // SAFETY: by the caller.
            None => (unsafe { self.file.add(capacity, over) }.map_err(Problem::File)?, 0),
        };
        let (process, at) = (self.process, clock::pair());
        // SAFETY: the block is new.
        unsafe { block.open(Opening { kind, process, thread, sequence, waited_ns, at }) };
        self.patient = true;
        Ok(block)
    }

    /// A block of tables is complete.
    fn close(&self, block: Block) {
        // SAFETY: the block was made by `tell` and is nobody else's.
        unsafe {
            block.seal(clock::pair());
            match &self.pool {
                Some(pool) => pool.give(block.slot),
                None => crate::sys::unmap(block.memory, block.capacity),
            }
        }
    }

    /// Adds what went wrong.
    pub fn explain(&self, problem: Problem, message: Message) -> Message {
        match problem {
            Problem::File(failure) => self.file.tell(failure, message),
            Problem::Pool(Exhausted::Abandoned) => {
                message.text("the launcher no longer takes away what is recorded")
            }
            Problem::Pool(Exhausted::Held) => {
                message.text("there are more threads than the launcher has blocks of memory")
            }
            Problem::TooLong(length) => message
                .text("the description of a source file takes ")
                .number(length as u64)
                .text(" bytes in one piece, more than a block holds"),
        }
    }
}
