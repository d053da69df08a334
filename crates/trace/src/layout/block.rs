/// First four bytes of every block, `CLL1`.
pub const BLOCK_MAGIC: u32 = u32::from_le_bytes(*b"CLL1");
/// Bytes of a block before its payload.
pub const HEADER_SIZE: usize = 80;
/// Payload: JSON objects, one on a line ([`crate::meta::Meta`]).
pub const KIND_META: u16 = 1;
/// Payload: sample records.
pub const KIND_SAMPLES: u16 = 2;
/// Header flag: the block is complete and its two checksums are valid.
pub const FLAG_SEALED: u16 = 1;
/// Header flag: the program had to wait for this block ([`BlockHeader::waited_ns`]).
pub const FLAG_WAITED: u16 = 2;
/// Header flag: a copy of an open block, written before that block is emptied. If the process is
/// killed in between, both are present.
pub const FLAG_COPY: u16 = 4;
/// Largest capacity that a reader accepts, bytes; a larger one is damage.
pub const MAX_CAPACITY: u32 = 1 << 24;

/// Bits of [`BlockHeader::process`] that hold the process id: Linux has no larger ones. The bits
/// above number the library within the process: 0, unless a process has several copies of it.
pub const PID_BITS: u32 = 22;
/// Number of copies of the library that a process can have.
pub const LIBRARIES: u32 = 1 << (32 - PID_BITS);

/// Byte offsets of the header's fields, for writers that fill a header in place.
pub mod field {
    /// `u32`, [`super::BLOCK_MAGIC`].
    pub const MAGIC: usize = 0;
    /// `u16`, [`super::KIND_META`] or [`super::KIND_SAMPLES`].
    pub const KIND: usize = 4;
    /// `u16`, [`super::FLAG_SEALED`], [`super::FLAG_WAITED`] and [`super::FLAG_COPY`].
    pub const FLAGS: usize = 6;
    /// `u32`, bytes of the whole block, a multiple of 8.
    pub const CAPACITY: usize = 8;
    /// `u32`, bytes of the payload that are in use.
    pub const USED: usize = 12;
    /// `u32`, the process.
    pub const PROCESS: usize = 16;
    /// `u32`, the thread.
    pub const THREAD: usize = 20;
    /// `u32`, the processor the thread ran on.
    pub const PROCESSOR: usize = 24;
    /// `u32`, number among the thread's sample blocks.
    pub const SEQUENCE: usize = 28;
    /// `u64`, ticks at opening.
    pub const TICKS_OPEN: usize = 32;
    /// `u64`, monotonic nanoseconds at opening.
    pub const MONO_OPEN: usize = 40;
    /// `u64`, ticks at sealing.
    pub const TICKS_SEAL: usize = 48;
    /// `u64`, monotonic nanoseconds at sealing.
    pub const MONO_SEAL: usize = 56;
    /// `u32`, checksum of the payload.
    pub const PAYLOAD_CRC: usize = 64;
    /// `u32`, checksum of the header without these four bytes.
    pub const HEADER_CRC: usize = 68;
    /// `u64`, nanoseconds waited for the block.
    pub const WAITED: usize = 72;
}

/// The header before a block's payload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockHeader {
    /// [`KIND_META`], [`KIND_SAMPLES`]; readers skip others.
    pub kind: u16,
    /// [`FLAG_SEALED`], [`FLAG_WAITED`] and [`FLAG_COPY`].
    pub flags: u16,
    /// Bytes of the whole block with its header, a multiple of 8.
    pub capacity: u32,
    /// Bytes of the payload in use, at most `capacity - 80`.
    pub used: u32,
    /// The process that wrote the block: its process id ([`pid_of`]), and above [`PID_BITS`] the
    /// number of the copy of the library in it. Each copy counts as a separate process.
    pub process: u32,
    /// The thread within the process, from 0 in order of first sample.
    pub thread: u32,
    /// The processor (core) the thread ran on at opening, `u32::MAX` if unknown.
    pub processor: u32,
    /// Number of the block among the sample blocks of its thread, from 0, without gaps.
    pub sequence: u32,
    /// Clock ticks when the block was opened.
    pub ticks_open: u64,
    /// `CLOCK_MONOTONIC` at the same moment, nanoseconds.
    pub mono_open: u64,
    /// Clock ticks when the block was sealed, 0 if it was not.
    pub ticks_seal: u64,
    /// `CLOCK_MONOTONIC` at the same moment, nanoseconds, 0 if not sealed.
    pub mono_seal: u64,
    /// CRC-32 (IEEE 802.3, as in zip) of the payload in use; 0 if not sealed.
    pub payload_crc: u32,
    /// CRC-32 of the header's bytes 0..68 and 72..80; 0 if not sealed.
    pub header_crc: u32,
    /// Nanoseconds the program waited for a free block before this one.
    pub waited_ns: u64,
}

/// The process id in [`BlockHeader::process`].
pub const fn pid_of(process: u32) -> u32 {
    process & ((1 << PID_BITS) - 1)
}

impl BlockHeader {
    /// The 80 bytes of the header, with the magic; checksums are not recomputed.
    pub fn encode(&self) -> [u8; HEADER_SIZE] {
        let mut out = [0; HEADER_SIZE];
        let mut put =
            |offset: usize, bytes: &[u8]| out[offset..offset + bytes.len()].copy_from_slice(bytes);
        put(field::MAGIC, &BLOCK_MAGIC.to_le_bytes());
        put(field::KIND, &self.kind.to_le_bytes());
        put(field::FLAGS, &self.flags.to_le_bytes());
        put(field::CAPACITY, &self.capacity.to_le_bytes());
        put(field::USED, &self.used.to_le_bytes());
        put(field::PROCESS, &self.process.to_le_bytes());
        put(field::THREAD, &self.thread.to_le_bytes());
        put(field::PROCESSOR, &self.processor.to_le_bytes());
        put(field::SEQUENCE, &self.sequence.to_le_bytes());
        put(field::TICKS_OPEN, &self.ticks_open.to_le_bytes());
        put(field::MONO_OPEN, &self.mono_open.to_le_bytes());
        put(field::TICKS_SEAL, &self.ticks_seal.to_le_bytes());
        put(field::MONO_SEAL, &self.mono_seal.to_le_bytes());
        put(field::PAYLOAD_CRC, &self.payload_crc.to_le_bytes());
        put(field::HEADER_CRC, &self.header_crc.to_le_bytes());
        put(field::WAITED, &self.waited_ns.to_le_bytes());
        out
    }

    /// Reads a header; `None` if `bytes` is shorter than one or has another magic.
    /// Nothing else is checked: see [`BlockHeader::is_plausible`].
    pub fn decode(bytes: &[u8]) -> Option<BlockHeader> {
        let bytes: &[u8; HEADER_SIZE] = bytes.first_chunk()?;
        let half = |offset: usize| u16::from_le_bytes([bytes[offset], bytes[offset + 1]]);
        let word = |offset: usize| u32::from(half(offset)) | u32::from(half(offset + 2)) << 16;
        let long = |offset: usize| u64::from(word(offset)) | u64::from(word(offset + 4)) << 32;
        (word(field::MAGIC) == BLOCK_MAGIC).then(|| BlockHeader {
            kind: half(field::KIND),
            flags: half(field::FLAGS),
            capacity: word(field::CAPACITY),
            used: word(field::USED),
            process: word(field::PROCESS),
            thread: word(field::THREAD),
            processor: word(field::PROCESSOR),
            sequence: word(field::SEQUENCE),
            ticks_open: long(field::TICKS_OPEN),
            mono_open: long(field::MONO_OPEN),
            ticks_seal: long(field::TICKS_SEAL),
            mono_seal: long(field::MONO_SEAL),
            payload_crc: word(field::PAYLOAD_CRC),
            header_crc: word(field::HEADER_CRC),
            waited_ns: long(field::WAITED),
        })
    }

    /// Whether the block is complete and has checksums.
    pub fn is_sealed(&self) -> bool {
        self.flags & FLAG_SEALED != 0
    }

    /// Whether the lengths are possible for a block, and the header is unchanged since it was
    /// sealed (or, for a block that was never sealed, has no sign of sealing).
    pub fn is_plausible(&self) -> bool {
        let lengths = self.capacity >= HEADER_SIZE as u32
            && self.capacity <= MAX_CAPACITY
            && self.capacity.is_multiple_of(8)
            && self.used <= self.capacity - HEADER_SIZE as u32;
        let seal = if self.is_sealed() {
            self.header_crc == self.checksum()
        } else {
            self.header_crc == 0 && self.payload_crc == 0
        };
        self.kind != 0 && lengths && seal
    }

    /// The checksum for [`BlockHeader::header_crc`].
    pub fn checksum(&self) -> u32 {
        let bytes = self.encode();
        let mut crc = crc32fast::Hasher::new();
        crc.update(&bytes[..field::HEADER_CRC]);
        crc.update(&bytes[field::WAITED..]);
        crc.finalize()
    }
}
