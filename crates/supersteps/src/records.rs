//! The records of a processor, one after the other. Only this module decodes them.

use std::collections::HashMap;

use cll_trace::clock::Calibration;
use cll_trace::layout::{
    KIND_SUPERSTEPS, SUPERSTEP_END, SUPERSTEP_OBLIVIOUS, SUPERSTEP_SIZE, SuperstepRecord,
    TRAFFIC_HEAD, TRAFFIC_SIZE, TrafficRecord, UNKNOWN_MACHINE,
};
use cll_trace::{Cause, Damage};
use cll_units::{Bytes, ProcessorId, Seconds, SuperstepNumber, Ticks};

use super::bytes::ReadAt;
use super::{Ending, Superstep};

/// The largest number of sets that a writer remembers. Twice as many are kept here, since a set may be requested some
/// time after the records that refer to it were read.
const SETS: usize = 1 << 16;

/// Where the records of a block are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) offset: u64,
    pub(crate) bytes: u32,
    /// The checksum, if the block was sealed and was not checked.
    pub(crate) crc: Option<u32>,
    /// The offset in the log that is reported of damage in it.
    pub(crate) reported_at: u64,
}

/// The content of a record, with its number in the machine; times count from `first_ns`, nanoseconds of
/// `CLOCK_MONOTONIC`.
pub(crate) fn superstep(
    clock: &Calibration,
    first_ns: u64,
    record: &SuperstepRecord,
    number: SuperstepNumber,
) -> Superstep {
    let [computation, communication, waiting] = time_shares(record, clock.tick);
    Superstep {
        machine: record.machine.into(),
        number,
        point: (record.point != u16::MAX).then_some(record.point.into()),
        ending: match record.flags {
            flags if flags & SUPERSTEP_END != 0 => Ending::End,
            flags if flags & SUPERSTEP_OBLIVIOUS != 0 => Ending::Oblivious,
            _ => Ending::Sync,
        },
        start: clock.seconds_since(first_ns, Ticks(record.start)),
        computation,
        communication,
        waiting,
        traffic: record.traffic,
    }
}

/// Computation, communication without waiting, and waiting of a record, by the length of a tick.
#[inline]
pub fn time_shares(record: &SuperstepRecord, tick: Seconds) -> [Seconds; 3] {
    let seconds = |from: u64, to: u64| Ticks(to).since(Ticks(from)) as f64 * tick;
    let call = seconds(record.entered, record.end);
    // It has 24 bits. Earlier versions also counted there what was waited at `sync`, before the call.
    let waiting = (f64::from(record.waiting) * tick).min(call);
    [seconds(record.start, record.entered), call - waiting, waiting]
}

/// The records of a processor, one after the other; a block of them is in memory.
pub struct Records<'a> {
    pieces: &'a [Piece],
    bytes: &'a dyn ReadAt,
    /// The process, and the processor's number.
    owner: (u32, ProcessorId),
    piece: usize,
    buffer: Vec<u8>,
    /// The number of bytes in the buffer that belong to the block.
    filled: usize,
    position: usize,
    /// The latest number, by machine.
    latest: Vec<u64>,
    sets: HashMap<u32, Vec<TrafficRecord>>,
    /// Whether all sets are kept.
    keeps_sets: bool,
    newest: u32,
    damage: Vec<Damage>,
}

impl<'a> Records<'a> {
    pub(crate) fn new(
        pieces: &'a [Piece],
        bytes: &'a dyn ReadAt,
        owner: (u32, ProcessorId),
        keeps_sets: bool,
    ) -> Records<'a> {
        Records {
            pieces,
            bytes,
            owner,
            piece: 0,
            buffer: Vec::new(),
            filled: 0,
            position: 0,
            latest: Vec::new(),
            sets: HashMap::new(),
            keeps_sets,
            newest: 0,
            damage: Vec::new(),
        }
    }

    /// The next record with its number in its machine; the following call gives the same one.
    #[inline]
    pub fn peek(&mut self) -> Option<(SuperstepRecord, SuperstepNumber)> {
        loop {
            let Some(bytes) = self.here().first() else {
                if !self.next_block() {
                    return None;
                }
                continue;
            };
            let record = SuperstepRecord::decode(bytes);
            if record.flags == TRAFFIC_HEAD {
                self.set(&record);
                continue;
            }
            if record.machine == UNKNOWN_MACHINE {
                return Some((record, SuperstepNumber(record.number.into())));
            }
            let latest = self.latest(record.machine).get();
            return Some((record, SuperstepNumber(record.number_after(latest))));
        }
    }

    /// Continues after the record that [`Records::peek`] gave.
    #[inline]
    pub fn advance(&mut self, record: &SuperstepRecord, number: SuperstepNumber) {
        self.pass(1, record.machine, number.get());
    }

    /// Passes on the next records of the block with their numbers, while they are of this machine, which is in a
    /// table, and their numbers are below the limit; continues after them.
    #[inline]
    pub fn each_of(
        &mut self,
        machine: u16,
        limit: SuperstepNumber,
        mut take: impl FnMut(&SuperstepRecord, SuperstepNumber),
    ) {
        let mut number = self.latest(machine).get();
        let mut passed = 0;
        for bytes in self.here() {
            let record = SuperstepRecord::decode(bytes);
            let next = record.number_after(number);
            if record.machine != machine || record.flags == TRAFFIC_HEAD || next >= limit.get() {
                break;
            }
            (number, passed) = (next, passed + 1);
            take(&record, SuperstepNumber(number));
        }
        self.pass(passed, machine, number);
    }

    /// The latest number of a machine, by its number in the processor's tables; 0: it has had no record.
    #[inline]
    pub fn latest(&self, machine: u16) -> SuperstepNumber {
        SuperstepNumber(self.latest.get(usize::from(machine)).copied().unwrap_or(0))
    }

    /// Returns the traffic requested from others, by the number of the set; `None` if the set is not in the log.
    pub fn traffic(&self, set: u32) -> Option<&[TrafficRecord]> {
        self.sets.get(&set).map(Vec::as_slice)
    }

    /// Returns the damage that was found so far.
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// Returns the traffic requested from others, by the number of the set, and the damage that was found.
    pub(crate) fn into_sets(self) -> (HashMap<u32, Vec<TrafficRecord>>, Vec<Damage>) {
        (self.sets, self.damage)
    }

    /// The rest of the block, unchanged: it may have heads of sets ([`TRAFFIC_HEAD`]), which are followed by entries
    /// and not by records.
    #[inline]
    fn here(&self) -> &[[u8; SUPERSTEP_SIZE]] {
        self.buffer[self.position..self.filled].as_chunks().0
    }

    /// Continues after a number of records of [`Records::here`], which are all of one machine; the last one has this
    /// number.
    #[inline]
    fn pass(&mut self, count: usize, machine: u16, number: u64) {
        let machine = usize::from(machine);
        if machine >= self.latest.len() {
            self.latest.resize(machine + 1, 0);
        }
        self.latest[machine] = number;
        self.position += count * SUPERSTEP_SIZE;
    }

    /// The next block; `false` if there is none.
    #[cold]
    fn next_block(&mut self) -> bool {
        if self.position < self.filled {
            self.add_damage(Bytes(0), Cause::PartialSample);
        }
        (self.position, self.filled) = (0, 0);
        let Some(&piece) = self.pieces.get(self.piece) else { return false };
        self.piece += 1;
        let size = piece.bytes as usize;
        if self.buffer.len() < size {
            self.buffer.resize(size, 0);
        }
        let cause = match self.bytes.read_at(piece.offset, &mut self.buffer[..size]) {
            Ok(count) => {
                let sound =
                    piece.crc.is_none_or(|crc| crc32fast::hash(&self.buffer[..count]) == crc);
                if sound {
                    self.filled = count;
                    return true;
                }
                let (process, ProcessorId(thread)) = self.owner;
                Cause::Payload { process, thread, kind: KIND_SUPERSTEPS }
            }
            Err(error) => Cause::Unreadable { error: error.to_string() },
        };
        self.add_damage(Bytes(piece.bytes.into()), cause);
        true
    }

    /// Reads the set whose head is here.
    #[cold]
    fn set(&mut self, head: &SuperstepRecord) {
        self.position += SUPERSTEP_SIZE;
        let (entries, _) = self.buffer[self.position..self.filled].as_chunks::<TRAFFIC_SIZE>();
        let Some(entries) = entries.get(..head.number as usize) else {
            self.add_damage(Bytes(0), Cause::PartialSample);
            self.position = self.filled;
            return;
        };
        if !self.keeps_sets && self.sets.len() > 3 * SETS {
            let newest = self.newest;
            self.sets.retain(|&set, _| newest.wrapping_sub(set) <= 2 * SETS as u32);
        }
        self.newest = head.traffic;
        let bytes = size_of_val(entries);
        let set = self.sets.entry(head.traffic).or_default();
        set.extend(entries.iter().map(TrafficRecord::decode));
        self.position += bytes;
    }

    fn add_damage(&mut self, lost: Bytes, cause: Cause) {
        let offset = self.piece.checked_sub(1).map(|piece| self.pieces[piece].reported_at);
        self.damage.push(Damage { trace: 0, offset, lost, cause });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_a_superstep_is_negative() {
        let record = SuperstepRecord {
            start: 100,
            entered: 1000,
            end: 16_778_217,
            // One more than the call, as 24 bits have it.
            waiting: 16_777_218.0,
            ..SuperstepRecord::default()
        };
        let [computation, communication, waiting] = time_shares(&record, Seconds(1.0));
        assert_eq!((computation, communication), (Seconds(900.0), Seconds(0.0)));
        assert_eq!(waiting, Seconds(16_777_217.0));
    }
}
