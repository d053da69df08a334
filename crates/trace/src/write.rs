//! Makes blocks from values, for conversion, merging and tests. The runtime does not use this: it
//! fills its blocks in place.

use crate::layout::{
    BlockHeader, HEADER_SIZE, KIND_SAMPLES, SampleHeader, compact, field, sample_size, seal,
};

/// A block of samples that is being filled.
#[derive(Clone, Debug)]
pub struct SampleBlock {
    bytes: Vec<u8>,
    capacity: usize,
}

impl SampleBlock {
    /// An empty block of `capacity` bytes including its header. `header` gives process, thread,
    /// sequence and the times of opening.
    pub fn new(header: BlockHeader, capacity: u32) -> SampleBlock {
        let header = BlockHeader { kind: KIND_SAMPLES, capacity, used: 0, ..header };
        SampleBlock { bytes: header.encode().to_vec(), capacity: capacity as usize }
    }

    /// Adds a sample; `false` if it does not fit.
    pub fn push(&mut self, sample: &SampleHeader, values: &[f64]) -> bool {
        self.push_counted(sample, values, &[])
    }

    /// Adds a sample of a counted place, with a raw value for each observable; `false` if it does
    /// not fit.
    pub fn push_counted(
        &mut self,
        sample: &SampleHeader,
        values: &[f64],
        observed: &[u64],
    ) -> bool {
        let size = sample_size(values.len() + observed.len());
        if self.bytes.len() + size > self.capacity {
            return false;
        }
        self.bytes.extend_from_slice(&sample.encode());
        self.bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self.bytes.extend(observed.iter().flat_map(|value| value.to_le_bytes()));
        let used = (self.bytes.len() - HEADER_SIZE) as u32;
        self.bytes[field::USED..field::USED + 4].copy_from_slice(&used.to_le_bytes());
        true
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() == HEADER_SIZE
    }

    /// The block, sealed at these times, with its full capacity, as a program writes it.
    pub fn seal(mut self, ticks: u64, mono_ns: u64) -> Vec<u8> {
        self.bytes.resize(self.capacity, 0);
        seal(&mut self.bytes, ticks, mono_ns);
        self.bytes
    }

    /// The block, sealed and cut to its used part, as a launcher writes it.
    pub fn seal_compact(mut self, ticks: u64, mono_ns: u64) -> Vec<u8> {
        seal(&mut self.bytes, ticks, mono_ns);
        compact(&mut self.bytes);
        self.bytes
    }

    /// The block as a killed program leaves it.
    pub fn unsealed(mut self) -> Vec<u8> {
        self.bytes.resize(self.capacity, 0);
        self.bytes
    }
}
