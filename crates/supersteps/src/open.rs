//! Opening a log: its tables are read immediately, its records on request.

use std::io::{BufReader, Read};

use cll_trace::layout::{BlockHeader, FORMAT_VERSION, HEADER_SIZE, KIND_META, KIND_SUPERSTEPS};
use cll_trace::{Batch, Scanner, TraceError};
use cll_trace::{Cause, Damage};
use cll_units::Bytes;

use super::bytes::{From, ReadAt};
use super::read::Reader;
use super::stored::Stored;

/// Reads a log's tables, and where its records are.
///
/// # Errors
/// If the log cannot be read: see [`TraceError`].
pub fn stored(bytes: &dyn ReadAt) -> Result<Stored<'_>, TraceError> {
    let size = bytes.size()?;
    let mut reader = Reader::default();
    let mut damage = Vec::new();
    let mut offset = 0;
    let mut payload = Vec::new();
    while offset < size {
        let mut header = [0; HEADER_SIZE];
        let here = bytes.read_at(offset, &mut header)?;
        let Some(header) = BlockHeader::decode(&header[..here])
            .filter(|header| header.is_plausible() && offset + u64::from(header.capacity) <= size)
        else {
            damage = rest(bytes, offset, &mut reader)?;
            break;
        };
        let begin = offset + HEADER_SIZE as u64;
        match header.kind {
            KIND_META => {
                payload.resize(header.used as usize, 0);
                bytes.read_at(begin, &mut payload)?;
                let sound = !header.is_sealed() || crc32fast::hash(&payload) == header.payload_crc;
                if !sound {
                    damage.push(unsound(&header, offset));
                }
                reader.block(&header, offset, &payload, sound);
            }
            _ => reader.piece(&header, begin, header.used),
        }
        offset += u64::from(header.capacity);
    }
    if offset == 0 && size == 0 {
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
    Damage { trace: 0, offset: Some(offset), lost: Bytes(used.into()), cause }
}

/// From the first place without a complete block on, byte by byte.
fn rest(bytes: &dyn ReadAt, from: u64, reader: &mut Reader) -> Result<Vec<Damage>, TraceError> {
    let mut scanner = Scanner::new(From { bytes, offset: from });
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
        // No more blocks: reserved space, or damage.
        Err(_) if only_zeros(From { bytes, offset: from }) => Vec::new(),
        Err(_) => {
            let lost = Bytes(bytes.size()? - from);
            vec![Damage { trace: 0, offset: Some(0), lost, cause: Cause::NoBlock }]
        }
    };
    for damage in &mut damage {
        damage.offset = damage.offset.map(|offset| offset + from);
    }
    Ok(damage)
}

fn only_zeros(rest: From<'_>) -> bool {
    BufReader::new(rest).bytes().all(|byte| byte.is_ok_and(|byte| byte == 0))
}
