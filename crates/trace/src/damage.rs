use std::fmt;

use cll_units::Bytes;

use crate::layout;

/// Something of a trace that is missing, damaged or was never written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Index of the trace among those that were merged, 0 if there is one.
    pub trace: u32,
    /// Byte offset in that trace where it shows; `None` if it is nowhere in particular.
    pub offset: Option<u64>,
    /// Size of what could not be used.
    pub lost: Bytes,
    /// What is the matter.
    pub cause: Cause,
}

/// What is the matter with a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// Where a block should begin there is something else.
    NoBlock,
    /// A block begins, but its header is damaged.
    Header,
    /// A block's payload does not have its checksum; what it held is known from its header.
    Payload {
        /// The block's process.
        process: u32,
        /// The block's thread.
        thread: u32,
        /// Kind of the block.
        kind: u16,
    },
    /// A stretch of zeros between blocks, where one was reserved and not begun, or was wiped out.
    Zeros,
    /// The trace ends within a block.
    Cut {
        /// Bytes of the block's payload that are missing.
        missing: u64,
        /// Bytes of its payload that are there, and were read unverified.
        present: u64,
    },
    /// Reading the input failed here; what comes after is not known.
    Unreadable {
        /// The system's words.
        error: String,
    },
    /// A line of a meta block is not an object this version can read.
    Table {
        /// Why not.
        error: String,
    },
    /// No table tells of this place, so its samples, and those after it in the block, cannot be read.
    UnknownPlace {
        /// The process of the samples.
        process: u32,
        /// Their place.
        place: u16,
    },
    /// A place was told twice, differently; the first stands.
    PlaceConflict {
        /// The process.
        process: u32,
        /// The place's number.
        place: u32,
    },
    /// A block ends within a sample.
    PartialSample,
    /// A block of calls holds something that is no record of one, or ends within one.
    PartialCall,
    /// Blocks of a thread are missing.
    MissingBlocks {
        /// The process.
        process: u32,
        /// The thread.
        thread: u32,
        /// Number of the first one.
        first: u32,
        /// How many.
        count: u32,
    },
    /// A block of a thread is there twice; the second is left out.
    RepeatedBlock {
        /// The process.
        process: u32,
        /// The thread.
        thread: u32,
        /// Its number.
        sequence: u32,
    },
    /// No table tells of the process itself.
    NoProcessTable {
        /// The process.
        process: u32,
    },
    /// Places of the process record observables, and no table tells which: their samples cannot be
    /// read.
    NoObservables {
        /// The process.
        process: u32,
    },
    /// The process did not end by itself, or its last words were lost; what
    /// it had recorded until then is there.
    NoEnd {
        /// The process.
        process: u32,
        /// Which processor of a parallel program it is.
        processor: Option<u32>,
    },
    /// A launcher has written the trace, and not its end: it was killed, or it still runs.
    Unfinished,
    /// The process did not end by itself, and some of what it recorded is in blocks that were still
    /// open: they have no checksum.
    Unsealed {
        /// The process.
        process: u32,
        /// Kind of these blocks.
        kind: u16,
        /// Samples or calls in them; bytes if they are of another kind.
        count: u64,
    },
    /// The process recorded more samples than were read.
    MissingSamples {
        /// The process.
        process: u32,
        /// How many more.
        count: u64,
    },
    /// The process could not record some samples.
    Dropped {
        /// The process.
        process: u32,
        /// How many.
        count: u64,
    },
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(offset) = self.offset {
            write!(f, "at byte {offset}: ")?;
        }
        write!(f, "{}", self.cause)?;
        match self.lost.get() {
            0 => Ok(()),
            1 => f.write_str("; 1 byte lost"),
            n => write!(f, "; {n} bytes lost"),
        }
    }
}

/// What a block of a kind holds.
fn content(kind: u16) -> &'static str {
    match kind {
        layout::KIND_META => "tables",
        layout::KIND_SAMPLES => "samples",
        layout::KIND_SUPERSTEPS => "supersteps",
        layout::KIND_CALLS => "calls",
        _ => "data",
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::NoBlock => f.write_str("no block begins here"),
            Cause::Header => f.write_str("the header of a block is damaged"),
            Cause::Payload { process, thread, kind } => {
                write!(
                    f,
                    "the {} of thread {thread} of process {process} do not match their checksum",
                    content(*kind)
                )
            }
            Cause::Zeros => f.write_str("only zeros where a block should be"),
            Cause::Cut { missing, present } => write!(
                f,
                "the trace ends within a block: {present} bytes of its content are there and \
                 were read without a checksum, {missing} are missing"
            ),
            Cause::Unreadable { error } => write!(f, "reading failed here: {error}"),
            Cause::Table { error } => write!(f, "a table cannot be read: {error}"),
            Cause::UnknownPlace { process, place } => write!(
                f,
                "no table tells of place {place} of process {process}, so its samples cannot be read"
            ),
            Cause::PlaceConflict { process, place } => {
                write!(
                    f,
                    "place {place} of process {process} is told twice, differently; the first is used"
                )
            }
            Cause::PartialSample => f.write_str("a block ends within a sample"),
            Cause::PartialCall => {
                f.write_str("a block of calls ends within a record, or holds what is none")
            }
            Cause::MissingBlocks { process, thread, first, count: 1 } => {
                write!(f, "block {first} of thread {thread} of process {process} is missing")
            }
            Cause::MissingBlocks { process, thread, first, count } => write!(
                f,
                "{count} blocks of thread {thread} of process {process} are missing, from number {first}"
            ),
            Cause::RepeatedBlock { process, thread, sequence } => write!(
                f,
                "block {sequence} of thread {thread} of process {process} is there twice; \
                 the second is left out"
            ),
            Cause::NoProcessTable { process } => {
                write!(f, "the table of process {process} is missing")
            }
            Cause::NoObservables { process } => write!(
                f,
                "no table tells what process {process} recorded beside its times, so the samples \
                 that have it cannot be read"
            ),
            Cause::NoEnd { process, processor } => {
                match processor {
                    Some(number) => write!(f, "processor {number} (process {process})")?,
                    None => write!(f, "process {process}")?,
                }
                f.write_str(" did not end by itself; what is here of it was recorded before that")
            }
            Cause::Unfinished => f.write_str(
                "cll run has not finished this trace: it was killed, or it still runs; what it had not written \
                 yet is missing, up to a block (64 KiB) of each thread and those that were full",
            ),
            Cause::Unsealed { process, kind, count } => {
                let what = content(*kind);
                let unit = if ["samples", "calls"].contains(&what) { "" } else { "bytes of " };
                write!(
                    f,
                    "{count} {unit}{what} of process {process} are in blocks that were still open when it \
                     ended: they have no checksum, so damage to them would not be noticed"
                )
            }
            Cause::MissingSamples { process, count } => {
                write!(f, "{count} samples that process {process} recorded are missing")
            }
            Cause::Dropped { process, count } => {
                write!(f, "process {process} could not record {count} samples")
            }
        }
    }
}
