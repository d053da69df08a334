//! Calls of MPI, as records of a few bytes.
//!
//! `table` lists the calls with their `properties`, `op` answers by it, `arguments` says where the
//! arguments of a call stand, `record` reads records, `write` writes them as the
//! wrapper does. `unrecorded` counts calls without records.
//!
//! Why: decision 0053.

mod arguments;
mod op;
mod properties;
mod record;
mod table;
mod unrecorded;
mod write;

pub use arguments::{Arguments, SideArguments};
pub use op::c_header;
pub use properties::{Class, CollectiveGroup, CollectiveKind, Flow};
pub use record::{Begun, CallRecord, CallRecords, Got, Mark};
pub use table::Op;
pub use unrecorded::{KIND_UNRECORDED, UNRECORDED_SIZE, is_local, unrecorded, unrecorded_entry};
pub use write::CallWriter;

/// Payload: the calls of MPI made by a thread of a process. The header's `thread` numbers the
/// threads that call MPI.
pub const KIND_CALLS: u16 = 4;
/// Number of the first call; lower numbers are other records.
pub const FIRST_CALL: u8 = 16;

/// The call has returned; ticks that it took.
pub const RETURNED: u8 = 0;
/// As [`RETURNED`], with the message received: source, tag, bytes.
pub const RETURNED_GOT: u8 = 1;
/// As [`RETURNED`], with the number of the communicator or window that it made.
pub const RETURNED_NEW: u8 = 2;
/// As [`RETURNED`], with the error that it returned.
pub const RETURNED_ERROR: u8 = 3;
/// A request that the last call has completed.
pub const DONE: u8 = 4;
/// As [`DONE`], with source, tag and bytes received, if these differ from those requested.
pub const DONE_GOT: u8 = 5;
/// As [`DONE`]: it was cancelled.
pub const DONE_CANCELLED: u8 = 6;
/// A persistent request that the last call has started.
pub const STARTED: u8 = 7;
/// As [`UNSUCCESSFUL`], written by earlier versions: number of polls (`u32`), and ticks from the
/// begin of the first until the last returned (`u64`), to which later times are relative.
pub const UNSUCCESSFUL_SPAN: u8 = 8;
/// An unsuccessful poll was repeated, with only other unsuccessful polls in between. Three numbers
/// of fixed length: number of polls (`u32`), ticks from the begin of the first until the last
/// returned (`u64`), ticks inside these calls (`u64`). Later times are relative to the begin of the
/// first.
pub const UNSUCCESSFUL: u8 = 9;
/// Before the last call began, since the call before, the thread had no core for so many
/// nanoseconds; then, in how many of them it was ready to run, + 1, or 0 if that is not known.
pub const OFF_CORE: u8 = 10;

/// Any partner (for receiving [`Op`]s), or all partners of a window.
pub const ANY: i64 = -1;
/// No partner: `MPI_PROC_NULL`.
pub const NOBODY: i64 = -2;
