//! Records of supersteps, and of the communication between processors in them.

/// Payload: the supersteps of one processor of the program, whose number is the header's `thread`;
/// and sets of its requests to other processors, each once, before the first record that has its
/// number.
pub const KIND_SUPERSTEPS: u16 = 3;
/// Bytes of a superstep record, and of the head of a set.
pub const SUPERSTEP_SIZE: usize = 40;
/// Bytes of an entry of a set.
pub const TRAFFIC_SIZE: usize = 24;

/// Flag: the superstep ended when as many messages had arrived as were announced.
pub const SUPERSTEP_OBLIVIOUS: u16 = 1;
/// Flag: it ended with its machine, without a synchronisation.
pub const SUPERSTEP_END: u16 = 2;
/// Number of a machine that no table describes: there were more machines than numbers in records.
pub const UNKNOWN_MACHINE: u16 = (1 << 14) - 1;
/// Both flags: this is the head of a set. `traffic` is its number, and `number` is the number of
/// entries that follow; more entries of the same set may follow another head.
pub const TRAFFIC_HEAD: u16 = 3;

/// A superstep of a machine on one processor. Times are ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SuperstepRecord {
    /// When its computation began.
    pub start: u64,
    /// When its computation ended: when the call that ended it began, less what was waited at `sync`.
    pub entered: u64,
    /// When that call returned.
    pub end: u64,
    /// Ticks spent waiting, of those from `entered` to `end`.
    pub waiting: f32,
    /// Number of the superstep in its machine, from 1, modulo 2^32.
    pub number: u32,
    /// Number of the machine in the processor's tables, or [`UNKNOWN_MACHINE`].
    pub machine: u16,
    /// [`SUPERSTEP_OBLIVIOUS`], [`SUPERSTEP_END`], or 0.
    pub flags: u16,
    /// Number of the call site at which it ended, in the processor's tables; 2^16 - 1: unknown.
    pub point: u16,
    /// Number of the set of its requests.
    pub traffic: u32,
}

impl SuperstepRecord {
    /// The head of a set with this number of entries.
    pub fn head(set: u32, entries: u32) -> SuperstepRecord {
        let (flags, number, traffic) = (TRAFFIC_HEAD, entries, set);
        SuperstepRecord { flags, number, traffic, ..SuperstepRecord::default() }
    }

    /// The record's bytes.
    pub fn encode(&self) -> [u8; SUPERSTEP_SIZE] {
        let mut out = [0; SUPERSTEP_SIZE];
        out[0..8].copy_from_slice(&self.start.to_le_bytes());
        out[8..16].copy_from_slice(&self.entered.to_le_bytes());
        out[16..24].copy_from_slice(&self.end.to_le_bytes());
        out[24..28].copy_from_slice(&self.waiting.to_le_bytes());
        out[28..32].copy_from_slice(&self.number.to_le_bytes());
        out[32..34].copy_from_slice(&(self.machine << 2 | self.flags & 3).to_le_bytes());
        out[34..36].copy_from_slice(&self.point.to_le_bytes());
        out[36..40].copy_from_slice(&self.traffic.to_le_bytes());
        out
    }

    /// The complete number, if this record follows one with the number `last` of the same machine:
    /// the record contains only its low half.
    #[inline]
    pub fn number_after(&self, last: u64) -> u64 {
        last + u64::from(self.number.wrapping_sub(last as u32))
    }

    /// Reads a record.
    #[inline]
    pub fn decode(bytes: &[u8; SUPERSTEP_SIZE]) -> SuperstepRecord {
        let long = |offset: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[offset + i]));
        let word = |offset: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[offset + i]));
        let half = |offset: usize| u16::from_le_bytes(std::array::from_fn(|i| bytes[offset + i]));
        SuperstepRecord {
            start: long(0),
            entered: long(8),
            end: long(16),
            waiting: f32::from_bits(word(24)),
            number: word(28),
            machine: half(32) >> 2,
            flags: half(32) & 3,
            point: half(34),
            traffic: word(36),
        }
    }
}

/// The requests of a processor to another one in a superstep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TrafficRecord {
    /// Number of the other processor in the machine.
    pub partner: u32,
    /// Puts, gets and messages.
    pub requests: u32,
    /// Bytes put and sent to it.
    pub sent: u64,
    /// Bytes got from it.
    pub got: u64,
}

impl TrafficRecord {
    /// The entry's bytes.
    pub fn encode(&self) -> [u8; TRAFFIC_SIZE] {
        let mut out = [0; TRAFFIC_SIZE];
        out[0..4].copy_from_slice(&self.partner.to_le_bytes());
        out[4..8].copy_from_slice(&self.requests.to_le_bytes());
        out[8..16].copy_from_slice(&self.sent.to_le_bytes());
        out[16..24].copy_from_slice(&self.got.to_le_bytes());
        out
    }

    /// Reads an entry.
    pub fn decode(bytes: &[u8; TRAFFIC_SIZE]) -> TrafficRecord {
        let long = |offset: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[offset + i]));
        let word = |offset: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[offset + i]));
        TrafficRecord { partner: word(0), requests: word(4), sent: long(8), got: long(16) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back() {
        let record = SuperstepRecord {
            start: 1 << 60,
            entered: (1 << 60) + 7,
            end: u64::MAX,
            waiting: 12345.5,
            number: u32::MAX,
            machine: (1 << 14) - 1,
            flags: SUPERSTEP_END,
            point: 0xFFFE,
            traffic: 0xDEAD_BEEF,
        };
        assert_eq!(SuperstepRecord::decode(&record.encode()), record);
        let traffic = TrafficRecord { partner: 3, requests: 9, sent: 1 << 40, got: 17 };
        assert_eq!(TrafficRecord::decode(&traffic.encode()), traffic);
    }
}
