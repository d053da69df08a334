//! A log that stays where it lies: its tables are read at once, its records when they are asked for.

use std::io::{self, BufReader, Read};

use cll_trace::clock::Calibration;
use cll_trace::layout::{
    BlockHeader, FORMAT_VERSION, HEADER_SIZE, KIND_META, KIND_SUPERSTEPS, SUPERSTEP_SIZE,
    SuperstepRecord,
};
use cll_trace::meta;
use cll_trace::{Batch, Scanner, TraceError};
use cll_trace::{Cause, Damage};

use super::read::Reader;
use super::records::{self, Piece, Records};
use super::{Processor, Superstep};

/// Bytes that can be read anywhere, by several threads at once.
pub trait ReadAt: Sync {
    /// How many bytes there are.
    ///
    /// # Errors
    /// The system's.
    fn size(&self) -> io::Result<u64>;

    /// Reads from a place; fewer bytes than asked for only at the end.
    ///
    /// # Errors
    /// The system's.
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize>;
}

impl ReadAt for [u8] {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.get(offset..));
        let rest = rest.unwrap_or_default();
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

impl ReadAt for Vec<u8> {
    fn size(&self) -> io::Result<u64> {
        self.as_slice().size()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        self.as_slice().read_at(offset, into)
    }
}

/// A log whose records have not been read.
pub struct Stored<'a> {
    /// The processors of the program that have records, in ascending order of their numbers.
    pub processors: Vec<StoredProcessor<'a>>,
    /// What is missing or damaged, as far as headers and tables tell.
    pub damage: Vec<Damage>,
    /// What launchers saw of the runs.
    pub runs: Vec<meta::Run>,
}

/// A processor of it.
pub struct StoredProcessor<'a> {
    /// What its tables say; it has neither supersteps nor sets of traffic.
    pub tables: Processor,
    /// From its ticks to seconds.
    pub clock: Calibration,
    /// The earliest moment that a block of the log tells, nanoseconds of `CLOCK_MONOTONIC`.
    pub first_ns: u64,
    pieces: Vec<Piece>,
    bytes: &'a dyn ReadAt,
}

/// Reads a log's tables, and where its records lie.
///
/// # Errors
/// If there is nothing to read: see [`TraceError`].
pub fn stored(bytes: &dyn ReadAt) -> Result<Stored<'_>, TraceError> {
    let size = bytes.size()?;
    let mut reader = Reader::default();
    let mut damage = Vec::new();
    let mut at = 0;
    let mut payload = Vec::new();
    while at < size {
        let mut header = [0; HEADER_SIZE];
        let here = bytes.read_at(at, &mut header)?;
        let Some(header) = BlockHeader::decode(&header[..here])
            .filter(|header| header.is_plausible() && at + u64::from(header.capacity) <= size)
        else {
            damage = rest(bytes, at, &mut reader)?;
            break;
        };
        let begin = at + HEADER_SIZE as u64;
        match header.kind {
            KIND_META => {
                payload.resize(header.used as usize, 0);
                bytes.read_at(begin, &mut payload)?;
                let sound = !header.is_sealed() || crc32fast::hash(&payload) == header.payload_crc;
                if !sound {
                    damage.push(unsound(&header, at));
                }
                reader.block(&header, at, &payload, sound);
            }
            _ => reader.piece(&header, begin, header.used),
        }
        at += u64::from(header.capacity);
    }
    if at == 0 && size == 0 {
        return Err(TraceError::Empty);
    }
    if reader.format > FORMAT_VERSION {
        return Err(TraceError::Newer { found: reader.format });
    }
    Ok(reader.finish_stored(damage, bytes))
}

fn unsound(header: &BlockHeader, offset: u64) -> Damage {
    let BlockHeader { process, thread, kind, used, .. } = *header;
    let cause = Cause::Payload { process, thread, kind };
    Damage { trace: 0, offset: Some(offset), lost_bytes: used.into(), cause }
}

/// From where no whole block begins on, byte by byte.
fn rest(bytes: &dyn ReadAt, from: u64, reader: &mut Reader) -> Result<Vec<Damage>, TraceError> {
    let mut scanner = Scanner::new(From { bytes, at: from });
    let mut batch = Batch::default();
    while scanner.next(&mut batch)? {
        for block in &batch.blocks {
            let offset = from + block.offset;
            match block.header.kind {
                KIND_SUPERSTEPS if block.sound => {
                    let begin = offset + HEADER_SIZE as u64;
                    reader.piece(&block.header, begin, block.payload.len() as u32);
                }
                _ => {
                    let payload = &batch.bytes[block.payload.clone()];
                    reader.block(&block.header, offset, payload, block.sound);
                }
            }
        }
    }
    let mut damage = match scanner.finish() {
        Ok((_, damage)) => damage,
        Err(error) if from == 0 => return Err(error),
        // No block any more: room that was reserved, or rubbish.
        Err(_) if only_zeros(From { bytes, at: from }) => Vec::new(),
        Err(_) => {
            let lost_bytes = bytes.size()? - from;
            vec![Damage { trace: 0, offset: Some(0), lost_bytes, cause: Cause::NoBlock }]
        }
    };
    for one in &mut damage {
        one.offset = one.offset.map(|offset| offset + from);
    }
    Ok(damage)
}

fn only_zeros(rest: From<'_>) -> bool {
    BufReader::new(rest).bytes().all(|byte| byte.is_ok_and(|byte| byte == 0))
}

/// What comes from a place on.
struct From<'a> {
    bytes: &'a dyn ReadAt,
    at: u64,
}

impl Read for From<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read_at(self.at, into)?;
        self.at += count as u64;
        Ok(count)
    }
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

    /// How many supersteps there can be in it at most, by the bytes that its records take.
    pub fn most_supersteps(&self) -> u64 {
        self.pieces.iter().map(|piece| u64::from(piece.bytes) / SUPERSTEP_SIZE as u64).sum()
    }

    /// A record of it as a superstep; times count from `first_ns`, nanoseconds of `CLOCK_MONOTONIC` of its host.
    pub fn superstep(&self, first_ns: u64, record: &SuperstepRecord, number: u64) -> Superstep {
        records::superstep(&self.clock, first_ns, record, number)
    }

    /// Its records, from the first.
    pub fn records(&self) -> Records<'_> {
        let of = (self.tables.process.pid, self.tables.number);
        Records::new(&self.pieces, self.bytes, of, false)
    }
}
