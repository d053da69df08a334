//! A log whose tables were read and whose records are read on request.

use cll_trace::Damage;
use cll_trace::clock::Calibration;
use cll_trace::layout::{SUPERSTEP_SIZE, SuperstepRecord};
use cll_units::SuperstepNumber;

use super::bytes::ReadAt;
use super::records::{self, Piece, Records};
use super::{Processor, Superstep};

/// A log whose records have not been read.
pub struct Stored<'a> {
    /// The processors of the program that have records, in ascending order of their numbers.
    pub processors: Vec<StoredProcessor<'a>>,
    /// The parts that are missing or damaged, as far as headers and tables say.
    pub damage: Vec<Damage>,
    /// The engine on which the program ran, as in [`super::Log::engine`].
    pub engine: String,
    /// As in [`super::Log::job`].
    pub job: String,
}

/// A processor of it.
pub struct StoredProcessor<'a> {
    /// The content of its tables, without supersteps and sets of traffic.
    pub tables: Processor,
    /// From its ticks to seconds.
    pub clock: Calibration,
    /// The earliest moment in a block of the log, nanoseconds of `CLOCK_MONOTONIC`.
    pub first_ns: u64,
    pieces: Vec<Piece>,
    bytes: &'a dyn ReadAt,
}

impl<'a> StoredProcessor<'a> {
    pub(super) fn new(
        tables: Processor,
        clock: Calibration,
        first_ns: u64,
        pieces: Vec<Piece>,
        bytes: &'a dyn ReadAt,
    ) -> StoredProcessor<'a> {
        StoredProcessor { tables, clock, first_ns, pieces, bytes }
    }

    /// The largest possible number of supersteps in it, from the size of its records.
    pub fn max_supersteps(&self) -> u64 {
        self.pieces.iter().map(|piece| u64::from(piece.bytes) / SUPERSTEP_SIZE as u64).sum()
    }

    /// A record of it as a superstep; times count from `first_ns`, nanoseconds of `CLOCK_MONOTONIC` of its host.
    pub fn superstep(
        &self,
        first_ns: u64,
        record: &SuperstepRecord,
        number: SuperstepNumber,
    ) -> Superstep {
        records::superstep(&self.clock, first_ns, record, number)
    }

    /// Returns the records, from the first.
    pub fn records(&self) -> Records<'_> {
        let owner = (self.tables.process.pid, self.tables.number);
        Records::new(&self.pieces, self.bytes, owner, false)
    }
}
