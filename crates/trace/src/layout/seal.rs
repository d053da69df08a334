use crate::meta::Meta;

use super::{BlockHeader, FLAG_SEALED, HEADER_SIZE, KIND_META};

/// Seals the block that begins at `block[0]`: sets the time of sealing, the flag and both
/// checksums. `block` must contain the payload in use; its header must be complete except for what
/// is set here.
///
/// Returns the header as written, or `None` (nothing is changed) if there is no block or `used`
/// exceeds the capacity or `block`.
pub fn seal(block: &mut [u8], ticks: u64, mono_ns: u64) -> Option<BlockHeader> {
    let mut header = BlockHeader::decode(block)?;
    header.flags |= FLAG_SEALED;
    header.ticks_seal = ticks;
    header.mono_seal = mono_ns;
    finish(block, header)
}

/// Prepares a block that was copied from a live slot for the file: removes what is not used
/// (capacity becomes the header and payload in use, rounded up to 8) and recomputes the checksums.
/// A block that the program did not seal is sealed with `ticks_seal` and `mono_seal` 0, which
/// readers do not use for calibration. A sealed block whose payload no longer matches its checksum
/// keeps the old one, so that the damage stays visible.
///
/// Returns `false`, with `block` unchanged, if `block` does not begin with a block or `used`
/// exceeds it: then there is nothing to keep.
pub fn compact(block: &mut Vec<u8>) -> bool {
    let Some(mut header) = BlockHeader::decode(block) else { return false };
    let used = header.used as usize;
    let Some(payload) = block.get(HEADER_SIZE..HEADER_SIZE + used) else { return false };
    if header.kind == 0 || header.used > header.capacity.saturating_sub(HEADER_SIZE as u32) {
        return false;
    }
    if !header.is_sealed() {
        header.flags |= FLAG_SEALED;
        (header.ticks_seal, header.mono_seal) = (0, 0);
        header.payload_crc = crc32fast::hash(payload);
    }
    header.capacity = round_up(HEADER_SIZE + used, 8) as u32;
    header.header_crc = header.checksum();
    block.resize(header.capacity as usize, 0);
    block[HEADER_SIZE + used..].fill(0);
    block[..HEADER_SIZE].copy_from_slice(&header.encode());
    true
}

/// A sealed block with the tables `metas`. `header` gives process, thread and the times; all else
/// is set here.
pub fn meta_block(metas: &[Meta], header: BlockHeader) -> Vec<u8> {
    let mut block = vec![0; HEADER_SIZE];
    for meta in metas {
        block.extend_from_slice(meta.to_json().as_bytes());
        block.push(b'\n');
    }
    let used = block.len() - HEADER_SIZE;
    block.resize(round_up(block.len(), 8), 0);
    let capacity = block.len() as u32;
    let flags = header.flags | FLAG_SEALED;
    finish(
        &mut block,
        BlockHeader { kind: KIND_META, flags, capacity, used: used as u32, ..header },
    );
    block
}

/// `n` rounded up to a multiple of `to`.
pub const fn round_up(n: usize, to: usize) -> usize {
    n.div_ceil(to) * to
}

fn finish(block: &mut [u8], mut header: BlockHeader) -> Option<BlockHeader> {
    if header.used > header.capacity.checked_sub(HEADER_SIZE as u32)? {
        return None;
    }
    let payload = block.get(HEADER_SIZE..HEADER_SIZE + header.used as usize)?;
    header.payload_crc = crc32fast::hash(payload);
    header.header_crc = header.checksum();
    block[..HEADER_SIZE].copy_from_slice(&header.encode());
    Some(header)
}
