//! Calls of MPI, as records of a few bytes.
//!
//! `op` has the calls and their classes, `record` reads what was written of them, `write` writes it as the wrapper
//! does.

mod op;
mod record;
mod write;

pub use op::{Class, Op, c_header};
pub use record::{Begun, CallRecord, CallRecords, Got, Mark};
pub use write::CallWriter;

/// Payload: the calls of MPI that a thread of a process made; the header's `thread` is its number among those that
/// call MPI.
pub const KIND_CALLS: u16 = 4;
/// The first number of a call; lower ones are of other records.
pub const FIRST_CALL: u8 = 16;

/// The call that was begun has returned; ticks that it took.
pub const RETURNED: u8 = 0;
/// As [`RETURNED`], with what was received: source, tag, bytes.
pub const RETURNED_GOT: u8 = 1;
/// As [`RETURNED`], with the number of the communicator or window that it made.
pub const RETURNED_NEW: u8 = 2;
/// As [`RETURNED`], with the error that it returned.
pub const RETURNED_ERROR: u8 = 3;
/// A request that the last call completed.
pub const DONE: u8 = 4;
/// As [`DONE`], with source, tag and bytes received, which were not as asked for.
pub const DONE_GOT: u8 = 5;
/// As [`DONE`]: it was cancelled.
pub const DONE_CANCELLED: u8 = 6;
/// A persistent request that the last call started.
pub const STARTED: u8 = 7;
/// As [`IN_VAIN`], written by earlier versions: how often (`u32`), and ticks from its begin until it returned for the last
/// time (`u64`), from which times that follow are told.
pub const IN_VAIN_SPAN: u8 = 8;
/// The call was made this often in vain, with nothing but other unsuccessful polls between; three numbers of fixed length: how
/// often (`u32`), ticks from its begin until it returned for the last time (`u64`), ticks in these calls (`u64`). Times that
/// follow are told from its begin.
pub const IN_VAIN: u8 = 9;

/// A partner that is any ([`Op`]s that receive), or all of a window.
pub const ANY: i64 = -1;
/// No partner: `MPI_PROC_NULL`.
pub const NOBODY: i64 = -2;
