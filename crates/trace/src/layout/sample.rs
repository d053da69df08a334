/// Bytes of a sample before its values.
pub const SAMPLE_HEADER_SIZE: usize = 24;
/// [`SampleHeader::parent`] of a sample outside all other regions.
pub const NO_PARENT: u16 = 0xFFFF;
/// [`SampleHeader::place`] of a record that is a pause, not a sample: at its `start` the clock of
/// the thread was set back by `end - start` ticks, which count for no region open at that time;
/// negative: forward.
pub const PAUSE: u16 = 0xFFFE;
/// Place numbers are below this.
pub const MAX_PLACES: u16 = PAUSE;
/// Flag: the region was left by a jump, a return or the end of its thread.
pub const FLAG_LEFT: u8 = 1;
/// Flag: the thread was switched out or moved to another core during the sample.
pub const FLAG_SWITCHED: u8 = 2;
/// Flag: the sample began after a barrier of its processors (`sync`).
pub const FLAG_BARRIER: u8 = 4;
/// Flag: the sample began at a time that its processors had agreed on (`sync`).
pub const FLAG_WINDOW: u8 = 8;
/// Flag: the sample began later than that time.
pub const FLAG_LATE: u8 = 16;
/// The bits of the depth in the record's last word.
pub const DEPTH_MASK: u32 = 0x00FF_FFFF;
/// By how many bits the flags are shifted in the record's last word.
pub const FLAGS_SHIFT: u32 = 24;

/// The header before a sample's values, which are `f64`, one for each variable of its place, in the
/// order of the place's variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleHeader {
    /// Ticks when the region was entered.
    pub start: u64,
    /// Ticks when the region was left.
    pub end: u64,
    /// The place, as numbered in the unit table of the process.
    pub place: u16,
    /// The place of the region around it in the same thread, or [`NO_PARENT`].
    pub parent: u16,
    /// Number of open regions around it in the same thread, below 2^24.
    pub depth: u32,
    /// [`FLAG_LEFT`], [`FLAG_SWITCHED`], [`FLAG_BARRIER`], [`FLAG_WINDOW`], [`FLAG_LATE`].
    pub flags: u8,
}

/// Bytes of a sample record with `values` values.
pub const fn sample_size(values: usize) -> usize {
    SAMPLE_HEADER_SIZE + 8 * values
}

impl SampleHeader {
    /// The record's first 24 bytes.
    pub fn encode(&self) -> [u8; SAMPLE_HEADER_SIZE] {
        let last = self.depth & DEPTH_MASK | u32::from(self.flags) << FLAGS_SHIFT;
        let mut out = [0; SAMPLE_HEADER_SIZE];
        out[0..8].copy_from_slice(&self.start.to_le_bytes());
        out[8..16].copy_from_slice(&self.end.to_le_bytes());
        out[16..18].copy_from_slice(&self.place.to_le_bytes());
        out[18..20].copy_from_slice(&self.parent.to_le_bytes());
        out[20..24].copy_from_slice(&last.to_le_bytes());
        out
    }

    /// Reads the first 24 bytes of a record.
    #[inline]
    pub fn decode(bytes: &[u8; SAMPLE_HEADER_SIZE]) -> SampleHeader {
        let (words, _) = bytes.as_chunks();
        let last = u64::from_le_bytes(words[2]);
        SampleHeader {
            start: u64::from_le_bytes(words[0]),
            end: u64::from_le_bytes(words[1]),
            place: last as u16,
            parent: (last >> 16) as u16,
            depth: (last >> 32) as u32 & DEPTH_MASK,
            flags: (last >> 56) as u8,
        }
    }
}
