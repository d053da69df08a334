//! Finds the blocks in a stream of bytes, whatever is between them.

use std::io::{self, Read};
use std::ops::Range;

use cll_units::Bytes;

use crate::damage::{Cause, Damage};
use crate::layout::{BLOCK_MAGIC, BlockHeader, HEADER_SIZE};

use super::TraceError;

/// Bytes read at a time: enough that passing them on is cheap, few enough to stay in the cache that
/// both threads share.
const BATCH: usize = 1024 * 1024;

/// A part of the stream, and the blocks in it.
#[derive(Debug, Default)]
pub struct Batch {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The blocks, in their order.
    pub blocks: Vec<Block>,
}

/// A block whose header is valid (or was never sealed).
#[derive(Clone, Debug)]
pub struct Block {
    /// Offset of the block in the stream.
    pub offset: u64,
    /// The header of the block.
    pub header: BlockHeader,
    /// The part of the used payload that is present, in [`Batch::bytes`].
    pub payload: Range<usize>,
    /// Whether the payload can be used: its checksum matches, or it has none.
    pub sound: bool,
}

/// Reads batch after batch.
#[derive(Debug)]
pub struct Scanner<R> {
    input: R,
    /// The end of the last batch, which belongs to the next.
    rest: Vec<u8>,
    /// Offset in the stream of the next batch's first byte.
    offset: u64,
    ended: bool,
    /// The current stretch without blocks.
    gap: Option<Gap>,
    /// The first bytes of the stream, for the error message if it is not a trace.
    start: Vec<u8>,
    has_block: bool,
    damage: Vec<Damage>,
}

#[derive(Debug, PartialEq)]
struct Gap {
    offset: u64,
    cause: Cause,
}

/// The next action at a position of the batch.
enum ScanAction {
    /// Skip this many bytes.
    Forward(usize),
    /// Read more: this many bytes are needed from here.
    More(usize),
}

impl<R: Read> Scanner<R> {
    /// Starts at the first of these bytes.
    pub fn new(input: R) -> Self {
        Scanner {
            input,
            rest: Vec::new(),
            offset: 0,
            ended: false,
            gap: None,
            start: Vec::new(),
            has_block: false,
            damage: Vec::new(),
        }
    }

    /// Fills `batch` with the next bytes and finds their blocks; `false` at the end.
    ///
    /// # Errors
    /// If the input cannot be read and nothing was read before.
    pub fn next(&mut self, batch: &mut Batch) -> Result<bool, TraceError> {
        batch.blocks.clear();
        batch.bytes.clear();
        batch.bytes.append(&mut self.rest);
        let mut position = 0;
        let mut wanted = BATCH;
        loop {
            self.fill(&mut batch.bytes, wanted)?;
            loop {
                if position == batch.bytes.len() && self.ended {
                    break;
                }
                match self.step(batch, position) {
                    ScanAction::Forward(bytes) => position += bytes,
                    ScanAction::More(bytes) => {
                        wanted = position + bytes;
                        break;
                    }
                }
            }
            if self.ended || !batch.blocks.is_empty() {
                break;
            }
            // No block yet: bytes already processed need not be kept.
            batch.bytes.drain(..position);
            self.offset += position as u64;
            wanted = (wanted - position).max(BATCH);
            position = 0;
        }
        self.rest.extend_from_slice(&batch.bytes[position..]);
        self.offset += position as u64;
        Ok(!batch.blocks.is_empty())
    }

    /// The number of bytes, and the damage found.
    ///
    /// # Errors
    /// If there was no block at all: what the stream is instead.
    pub fn finish(mut self) -> Result<(u64, Vec<Damage>), TraceError> {
        if self.has_block {
            // Zeros at the very end are reserved space that was not used.
            if self.gap.as_ref().is_some_and(|gap| gap.cause != Cause::Zeros) {
                self.close_gap(self.offset);
            }
            return Ok((self.offset, self.damage));
        }
        Err(match self.start.first_chunk() {
            None if self.start.is_empty() => TraceError::Empty,
            // Reserved space for a block that was never begun.
            _ if self.gap == Some(Gap { offset: 0, cause: Cause::Zeros }) => TraceError::Empty,
            Some([b'C', b'L', b'L', version @ b'2'..=b'9']) => {
                TraceError::NewerBlocks { magic: format!("CLL{}", char::from(*version)) }
            }
            _ => TraceError::NotATrace { start: self.start.escape_ascii().to_string() },
        })
    }

    /// Reads until `bytes` has `wanted` of them or the stream ends.
    fn fill(&mut self, bytes: &mut Vec<u8>, wanted: usize) -> Result<(), TraceError> {
        let before = bytes.len();
        if self.ended || wanted <= before {
            return Ok(());
        }
        bytes.resize(wanted, 0);
        let mut filled = before;
        while filled < wanted {
            match self.input.read(&mut bytes[filled..]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(n) => filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if filled == 0 && !self.has_block => return Err(TraceError::Io(error)),
                Err(error) => {
                    self.ended = true;
                    let offset = self.offset + filled as u64;
                    self.report_damage(offset, 0, Cause::Unreadable { error: error.to_string() });
                    break;
                }
            }
        }
        bytes.truncate(filled);
        if self.start.len() < 16 && self.offset == 0 {
            self.start = bytes[..bytes.len().min(16)].to_vec();
        }
        Ok(())
    }

    fn step(&mut self, batch: &mut Batch, position: usize) -> ScanAction {
        let here = &batch.bytes[position..];
        match BlockHeader::decode(here) {
            Some(header) if header.is_plausible() => {
                if here.len() < header.capacity as usize && !self.ended {
                    return ScanAction::More(header.capacity as usize);
                }
                self.block(batch, position, header)
            }
            Some(_) => self.seek(here, position, Cause::Header),
            None if here.len() < HEADER_SIZE && !self.ended => ScanAction::More(HEADER_SIZE),
            None if here[0] == 0
                && !matches!(self.gap, Some(Gap { cause: Cause::NoBlock | Cause::Header, .. })) =>
            {
                self.open_gap(position, Cause::Zeros);
                ScanAction::Forward(here.iter().position(|&byte| byte != 0).unwrap_or(here.len()))
            }
            None if here.starts_with(&BLOCK_MAGIC.to_le_bytes()) => {
                self.seek(here, position, Cause::Header)
            }
            None => self.seek(here, position, Cause::NoBlock),
        }
    }

    fn block(&mut self, batch: &mut Batch, position: usize, header: BlockHeader) -> ScanAction {
        let offset = self.offset + position as u64;
        self.close_gap(offset);
        self.has_block = true;
        let capacity = header.capacity as usize;
        let end = batch.bytes.len().min(position + capacity);
        let full_range = position + HEADER_SIZE..position + HEADER_SIZE + header.used as usize;
        let payload = full_range.start..full_range.end.min(end);
        let mut sound = true;
        if position + capacity > batch.bytes.len() {
            let missing = (full_range.len() - payload.len()) as u64;
            self.report_damage(
                offset,
                missing,
                Cause::Cut { missing, present: payload.len() as u64 },
            );
        }
        if payload.len() == full_range.len() && header.is_sealed() {
            sound = crc32fast::hash(&batch.bytes[payload.clone()]) == header.payload_crc;
            if !sound {
                let BlockHeader { process, thread, kind, .. } = header;
                self.report_damage(
                    offset,
                    payload.len() as u64,
                    Cause::Payload { process, thread, kind },
                );
            }
        }
        batch.blocks.push(Block { offset, header, payload, sound });
        ScanAction::Forward(end - position)
    }

    /// No block begins at `position`: skips to where one may begin.
    fn seek(&mut self, here: &[u8], position: usize, cause: Cause) -> ScanAction {
        self.open_gap(position, cause);
        let magic = BLOCK_MAGIC.to_le_bytes();
        match memchr::memmem::find(&here[1..], &magic) {
            Some(next) => ScanAction::Forward(1 + next),
            None if self.ended => ScanAction::Forward(here.len()),
            // The magic may begin in the last three bytes.
            None if here.len() > 4 => ScanAction::Forward(here.len() - 3),
            None => ScanAction::More(HEADER_SIZE),
        }
    }

    fn open_gap(&mut self, position: usize, cause: Cause) {
        let offset = self.offset + position as u64;
        match &self.gap {
            // Zeros followed by something that is no block: two messages.
            Some(gap) if gap.cause == Cause::Zeros && cause != Cause::Zeros => {
                self.close_gap(offset);
                self.gap = Some(Gap { offset, cause });
            }
            Some(_) => {}
            None => self.gap = Some(Gap { offset, cause }),
        }
    }

    fn close_gap(&mut self, until: u64) {
        if let Some(Gap { offset, cause }) = self.gap.take() {
            self.report_damage(offset, until - offset, cause);
        }
    }

    fn report_damage(&mut self, offset: u64, lost: u64, cause: Cause) {
        self.damage.push(Damage { trace: 0, offset: Some(offset), lost: Bytes(lost), cause });
    }
}
