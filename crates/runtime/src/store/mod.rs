//! Memory for the records of a measured program.
//!
//! Threads write their records, such as samples, into blocks: pieces of memory with a header, one thread at a time
//! (`block`). A block is in one of two places:
//! - With `cll run`, in memory that it shares with the program. That memory is divided into slots of one block each.
//!   `cll run` takes full slots away and writes them to the trace (`pool`).
//! - Otherwise in a mapped part of the trace file of this process (`file`). `launch` chooses the file's name if a
//!   launcher has started several processes together.
//!
//! Tables, which describe the process and its experiments as text, are written in separate blocks.

mod block;
mod file;
mod launch;
mod pool;

use cll_trace::layout::{KIND_META, PID_BITS};
use cll_trace::live::SLOT_SIZE;

use crate::clock;
use crate::message::Message;
use crate::sys::{self, Errno};

pub use block::{Block, Opening};
pub use file::{Failure, TraceFile};
pub use launch::{LockedFolder, Member};
pub use pool::{Exhausted, Pool};

/// Where this process's blocks go.
#[derive(Debug)]
pub struct Store {
    /// The launcher's memory, if there is one.
    pub pool: Option<Pool>,
    pub file: TraceFile,
    /// The process ID in headers.
    pub process: u32,
    /// The number of this library in the process, if several write to the same memory.
    pub library: u32,
    /// Whether samples wait when the launcher's memory is full.
    pub patient: bool,
    /// The largest size of the file.
    pub limit: u64,
}

/// Why there is no block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    File(Failure),
    Pool(Exhausted),
    Memory(Errno),
    /// A table that is longer than a slot; in bytes.
    TooLong(usize),
    /// The file has the largest size that it may have.
    Full,
}

impl Store {
    pub const fn new() -> Store {
        Store {
            pool: None,
            file: TraceFile::new(),
            process: 0,
            library: 0,
            patient: true,
            limit: u64::MAX,
        }
    }

    /// Begins the trace of this process, which may belong to a launch.
    pub fn begin(
        &mut self,
        folder: &[u8],
        program: &[u8],
        member: Option<&Member>,
    ) -> Result<(), Problem> {
        match (&self.pool, member) {
            (Some(_), _) => Ok(()),
            (None, None) => self.file.create(folder, program).map_err(Problem::File),
            (None, Some(member)) => {
                self.file.create_of(folder, program, member).map_err(Problem::File)
            }
        }
    }

    /// An empty block for records of `thread`, its `sequence`-th of this kind, in place of `old`, which is
    /// complete.
    ///
    /// # Safety
    /// `old` is a block of this store, and nobody writes to it any more.
    pub unsafe fn renew(
        &mut self,
        kind: u16,
        thread: u32,
        sequence: u32,
        old: Option<Block>,
    ) -> Result<Block, Problem> {
        if self.pool.is_none() && self.file.size() + SLOT_SIZE as u64 > self.limit {
            if let Some(old) = old {
                // SAFETY: by the caller.
                unsafe { old.seal(clock::pair()) };
            }
            return Err(Problem::Full);
        }
        if let (None, Some(old)) = (&self.pool, old) {
            let time = clock::pair();
            // SAFETY: by the caller.
            unsafe {
                self.file.append(old, time).map_err(Problem::File)?;
                old.reopen(sequence, clock::pair());
            }
            return Ok(old);
        }
        if let Some(old) = old {
            // SAFETY: by the caller.
            unsafe { self.give(old) };
        }
        let (block, waited_ns) = match &self.pool {
            Some(_) => self.slot(self.patient)?,
            None => (self.file.live().map_err(Problem::File)?, 0),
        };
        // SAFETY: the block belongs only to this call.
        unsafe { self.open(block, kind, thread, sequence, waited_ns) };
        Ok(block)
    }

    /// A block for samples is complete. In a file it stays in its place.
    ///
    /// # Safety
    /// Nobody writes to the block any more.
    pub unsafe fn give(&self, block: Block) {
        match &self.pool {
            // The launcher seals what it takes: another core computes the checksums.
            Some(pool) => pool.give(block.slot),
            // SAFETY: by the caller.
            None => unsafe { block.seal(clock::pair()) },
        }
    }

    /// Writes lines of tables.
    pub fn write_tables<'a>(
        &mut self,
        lines: impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), Problem> {
        let mut open: Option<Block> = None;
        for line in lines {
            // SAFETY: the block is only known here.
            if open.is_some_and(|block| unsafe { block.push(line) }) {
                continue;
            }
            if let Some(block) = open.take() {
                self.close(block)?;
            }
            let block = self.table()?;
            open = Some(block);
            // SAFETY: as above.
            if !unsafe { block.push(line) } {
                self.close(block)?;
                return Err(Problem::TooLong(line.len()));
            }
        }
        open.map_or(Ok(()), |block| self.close(block))
    }

    /// An empty block for tables.
    fn table(&mut self) -> Result<Block, Problem> {
        let (block, waited_ns) = match self.pool {
            // Without a table the records cannot be read: wait for it in any case.
            Some(_) => self.slot(true)?,
            None => {
                let capacity = SLOT_SIZE as usize;
                let memory = sys::pages(capacity).map_err(Problem::Memory)?;
                (Block { memory, capacity, slot: u32::MAX }, 0)
            }
        };
        // SAFETY: the block belongs only to this call.
        unsafe { self.open(block, KIND_META, 0, 0, waited_ns) };
        Ok(block)
    }

    /// A block of tables is complete.
    fn close(&mut self, block: Block) -> Result<(), Problem> {
        let time = clock::pair();
        match &self.pool {
            Some(pool) => {
                // SAFETY: the block is from `table` and belongs to nobody else.
                unsafe { block.seal(time) };
                pool.give(block.slot);
                Ok(())
            }
            None => {
                // SAFETY: as above.
                let appended = unsafe { self.file.append(block, time) };
                // SAFETY: as above.
                unsafe { sys::unmap(block.memory, block.capacity) };
                appended.map_err(Problem::File)
            }
        }
    }

    fn slot(&mut self, patient: bool) -> Result<(Block, u64), Problem> {
        let Some(pool) = &self.pool else { return Err(Problem::Pool(Exhausted::Abandoned)) };
        let taken = pool.take(patient).map_err(Problem::Pool)?;
        self.patient = true;
        Ok(taken)
    }

    unsafe fn open(&self, block: Block, kind: u16, thread: u32, sequence: u32, waited_ns: u64) {
        let (process, time) = (self.process | self.library << PID_BITS, clock::pair());
        // SAFETY: by the caller.
        unsafe { block.open(Opening { kind, process, thread, sequence, waited_ns, time }) };
    }

    /// Adds the error to a message.
    pub fn explain(&self, problem: Problem, message: Message) -> Message {
        match problem {
            Problem::File(failure) => self.file.describe(failure, message),
            Problem::Pool(Exhausted::Abandoned) => {
                message.text("the launcher no longer takes away the records")
            }
            Problem::Pool(Exhausted::Held) => {
                message.text("there are more threads than the launcher has blocks of memory")
            }
            Problem::Memory(error) => message.text("no memory for a table: ").error(error),
            Problem::Full => message
                .bytes(self.file.path())
                .text(" has reached ")
                .number(self.limit)
                .text(" bytes, the most that is recorded without `cll run` (CLL_LIMIT)"),
            Problem::TooLong(length) => message
                .text("the description of a source file takes ")
                .number(length as u64)
                .text(" bytes in one piece, more than a block holds"),
        }
    }
}
