//! The position of every byte of a block and of a sample. All numbers are little endian.

mod block;
pub mod call;
mod sample;
mod seal;
mod superstep;
pub mod varint;

pub use block::{
    BLOCK_MAGIC, BlockHeader, FLAG_COPY, FLAG_SEALED, FLAG_WAITED, HEADER_SIZE, KIND_META,
    KIND_SAMPLES, LIBRARIES, MAX_CAPACITY, PID_BITS, field, pid_of,
};
pub use call::{KIND_CALLS, KIND_UNRECORDED};
pub use sample::{
    DEPTH_MASK, FLAG_BARRIER, FLAG_LATE, FLAG_LEFT, FLAG_SWITCHED, FLAG_WINDOW, FLAGS_SHIFT,
    MAX_PLACES, NO_PARENT, PAUSE, SAMPLE_HEADER_SIZE, SampleHeader, sample_size,
};
pub use seal::{compact, meta_block, round_up, seal};
pub use superstep::{
    KIND_SUPERSTEPS, SUPERSTEP_END, SUPERSTEP_OBLIVIOUS, SUPERSTEP_SIZE, SuperstepRecord,
    TRAFFIC_HEAD, TRAFFIC_SIZE, TrafficRecord, UNKNOWN_MACHINE,
};

/// Version of the container that this crate writes and reads, recorded in the process table
/// ([`crate::meta::Process::format`]). The `1` of the magic changes only when blocks can no longer
/// be found or skipped by their header.
pub const FORMAT_VERSION: u32 = 2;
