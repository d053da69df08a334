use std::fmt;

use cll_units::Bytes;

use crate::layout;

/// A part of a trace that is missing, damaged or was never written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Index of the trace among those that were merged, 0 if there is one.
    pub trace: u32,
    /// Byte offset in that trace where it was found; `None` if it is at no certain place.
    pub offset: Option<u64>,
    /// Size of the part that could not be used.
    pub lost: Bytes,
    /// The cause of the damage.
    pub cause: Cause,
}

/// A fault of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// There is no block where one should begin.
    NoBlock,
    /// A block begins, but its header is damaged.
    Header,
    /// A block's payload does not match its checksum; its content is known from the header.
    Payload {
        /// The block's process.
        process: u32,
        /// The block's thread.
        thread: u32,
        /// Kind of the block.
        kind: u16,
    },
    /// Zeros between blocks: a block was reserved but never begun, or was erased.
    Zeros,
    /// The trace ends within a block.
    Cut {
        /// Bytes of the block's payload that are missing.
        missing: u64,
        /// Bytes of its payload that are present and were read unverified.
        present: u64,
    },
    /// Reading the input failed here; what follows is unknown.
    Unreadable {
        /// The system's message.
        error: String,
    },
    /// A line of a meta block is not an object that this version can read.
    Table {
        /// Why not.
        error: String,
    },
    /// No table describes this place, so its samples, and those after it in the block, cannot be
    /// read.
    UnknownPlace {
        /// The process of the samples.
        process: u32,
        /// Their place.
        place: u16,
    },
    /// A place is described twice, differently; the first description is used.
    PlaceConflict {
        /// The process.
        process: u32,
        /// The place's number.
        place: u32,
    },
    /// A block ends within a sample.
    PartialSample,
    /// A block of calls contains something else than a record of a call, or ends within one.
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
    /// A block of a thread is present twice; the second is ignored.
    RepeatedBlock {
        /// The process.
        process: u32,
        /// The thread.
        thread: u32,
        /// The number of the block.
        sequence: u32,
    },
    /// The table of the process is missing.
    NoProcessTable {
        /// The process.
        process: u32,
    },
    /// Samples of the process contain observables, but the table of observables is missing, so the
    /// samples cannot be read.
    NoObservables {
        /// The process.
        process: u32,
    },
    /// The end record of the process is missing: it was killed or crashed, or the record was lost. The records that
    /// it had written before are present.
    NoEnd {
        /// The process.
        process: u32,
        /// Which processor of a parallel program it is.
        processor: Option<u32>,
    },
    /// The trace was written by a launcher and has no end: the launcher was killed, or it is still
    /// running.
    Unfinished,
    /// The process was killed or crashed, and some of its records are in blocks that were still
    /// open: they have no checksum.
    Unsealed {
        /// The process.
        process: u32,
        /// Kind of these blocks.
        kind: u16,
        /// Number of samples or calls in them; bytes for other kinds.
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

/// The content of a block by its kind.
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
        let text = match self {
            Cause::NoBlock
            | Cause::Header
            | Cause::Payload { .. }
            | Cause::Zeros
            | Cause::Cut { .. }
            | Cause::Unreadable { .. }
            | Cause::PartialSample
            | Cause::PartialCall
            | Cause::MissingBlocks { .. }
            | Cause::RepeatedBlock { .. } => in_bytes(self),
            Cause::Table { .. }
            | Cause::UnknownPlace { .. }
            | Cause::PlaceConflict { .. }
            | Cause::NoProcessTable { .. }
            | Cause::NoObservables { .. } => in_tables(self),
            Cause::NoEnd { .. }
            | Cause::Unfinished
            | Cause::Unsealed { .. }
            | Cause::MissingSamples { .. }
            | Cause::Dropped { .. } => at_end(self),
        };
        f.write_str(&text.unwrap_or_else(|| format!("{self:?}")))
    }
}

/// A fault in the bytes or blocks of a trace, in words; `None` for any other.
fn in_bytes(cause: &Cause) -> Option<String> {
    Some(match cause {
        Cause::NoBlock => "no block begins here".to_owned(),
        Cause::Header => "the header of a block is damaged".to_owned(),
        Cause::Payload { process, thread, kind } => {
            format!(
                "the {} of thread {thread} of process {process} do not match their checksum",
                content(*kind)
            )
        }
        Cause::Zeros => "only zeros where a block should be".to_owned(),
        Cause::Cut { missing, present } => format!(
            "the trace ends within a block: {present} bytes of its content are there and \
             were read without a checksum, {missing} are missing"
        ),
        Cause::Unreadable { error } => format!("reading failed here: {error}"),
        Cause::PartialSample => "a block ends within a sample".to_owned(),
        Cause::PartialCall => {
            "a block of calls ends within a record, or contains something else".to_owned()
        }
        Cause::MissingBlocks { process, thread, first, count: 1 } => {
            format!("block {first} of thread {thread} of process {process} is missing")
        }
        Cause::MissingBlocks { process, thread, first, count } => format!(
            "{count} blocks of thread {thread} of process {process} are missing, from number {first}"
        ),
        Cause::RepeatedBlock { process, thread, sequence } => format!(
            "block {sequence} of thread {thread} of process {process} is present twice; the \
             second is ignored"
        ),
        _ => return None,
    })
}

/// A fault in the tables of a trace, in words; `None` for any other.
fn in_tables(cause: &Cause) -> Option<String> {
    Some(match cause {
        Cause::Table { error } => format!("a table cannot be read: {error}"),
        Cause::UnknownPlace { process, place } => format!(
            "place {place} of process {process} is in no table, so its samples cannot be read"
        ),
        Cause::PlaceConflict { process, place } => {
            format!(
                "place {place} of process {process} is described twice, differently; the \
                 first description is used"
            )
        }
        Cause::NoProcessTable { process } => {
            format!("the table of process {process} is missing")
        }
        Cause::NoObservables { process } => format!(
            "the table of observables of process {process} is missing, so its samples with \
             observables cannot be read"
        ),
        _ => return None,
    })
}

/// A fault of what was recorded last or not at all, in words; `None` for any other.
fn at_end(cause: &Cause) -> Option<String> {
    Some(match cause {
        Cause::NoEnd { process, processor } => {
            let what = match processor {
                Some(number) => format!("processor {number} (process {process})"),
                None => format!("process {process}"),
            };
            format!("{what} did not end normally; only what it recorded before that is here")
        }
        Cause::Unfinished => {
            "cll run has not finished this trace: it was killed, or is still running; blocks \
             that it had not written yet are missing: up to one (64 KiB) of each thread, and \
             the full ones"
                .to_owned()
        }
        Cause::Unsealed { process, kind, count } => {
            let what = content(*kind);
            let unit = if ["samples", "calls"].contains(&what) { "" } else { "bytes of " };
            format!(
                "{count} {unit}{what} of process {process} are in blocks that were still open when it \
                 ended: they have no checksum, so damage to them would not be noticed"
            )
        }
        Cause::MissingSamples { process, count } => {
            let samples = if *count == 1 { "sample" } else { "samples" };
            let missing = if *count == 1 { "is missing" } else { "are missing" };
            format!("{count} {samples} that process {process} recorded {missing}")
        }
        Cause::Dropped { process, count } => {
            let samples = if *count == 1 { "sample" } else { "samples" };
            format!("process {process} could not record {count} {samples}")
        }
        _ => return None,
    })
}
