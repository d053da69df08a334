//! One machine object on one of its processors.

use crate::channel::Record;
use crate::misuse::{Members, Misuse};

use super::inbox::Inbox;
use super::remote::Remote;
use super::{Handle, kind};

/// A machine object. One that has ended is used again for another; its collections are empty then.
#[derive(Debug, Default)]
pub(super) struct Object {
    pub id: u64,
    /// The number of its processor 0 in the whole program.
    pub base: usize,
    pub pid: usize,
    pub nprocs: usize,
    /// From 1.
    pub superstep: u64,
    /// How many times it was partitioned.
    pub partitions: u64,
    pub inbox: Inbox,
    /// Parts of the collective call that has ended the previous superstep.
    pub parts: Inbox,
    /// Parts that have arrived in this one.
    pub arriving_parts: Vec<Record>,
    /// Messages of this superstep that have arrived.
    pub arriving: Vec<Record>,
    /// The other records of this superstep that have arrived.
    pub requests: Vec<Record>,
    pub tokens: Vec<Record>,
    /// Whether the last barrier that ended no superstep was an odd one.
    pub is_odd_barrier: bool,
    /// The data that gets of this superstep have read. The data may arrive before the last of the requests.
    pub replies: Vec<Record>,
    /// Times and shares of virtual processors that have arrived.
    pub times: Vec<Record>,
    /// Records of later supersteps that have arrived.
    pub later: Vec<Record>,
    pub remote: Remote,
    pub sent: Sent,
    /// How the last supersteps ended.
    ends: [Option<u64>; ENDS],
}

/// Number of supersteps whose ending is remembered.
const ENDS: usize = 16;

impl Object {
    /// Begins as another machine.
    pub fn begin(&mut self, id: u64, base: usize, pid: usize, nprocs: usize) {
        self.id = id;
        self.base = base;
        self.pid = pid;
        self.nprocs = nprocs;
        self.superstep = 1;
        self.partitions = 0;
    }

    pub fn handle(&self, level: usize) -> Handle {
        Handle {
            id: self.id,
            level: level as u32,
            pid: self.pid as u32,
            nprocs: self.nprocs as u32,
        }
    }

    /// Returns the processors of the object, as messages name them.
    pub fn members(&self) -> Members {
        Members { first: self.base, count: self.nprocs }
    }

    /// Whether a record has arrived that occurs only in a superstep that ends in a barrier.
    #[inline]
    pub fn is_synchronised(&self) -> bool {
        !(self.tokens.is_empty() && self.requests.is_empty() && self.arriving_parts.is_empty())
    }

    /// Takes over a record of this machine.
    #[inline]
    pub fn arrive(&mut self, record: Record) -> Result<(), Misuse> {
        let header = &record.header;
        if record.from.wrapping_sub(self.base) >= self.nprocs {
            return Err(Misuse::OtherParts { machine: self.members(), from: record.from });
        }
        if header.superstep != self.superstep {
            return self.arrive_out_of_turn(record);
        }
        match header.kind {
            kind::MESSAGE => self.arriving.push(record),
            kind::PART => self.arriving_parts.push(record),
            kind::REPLY => self.replies.push(record),
            kind::TIME | kind::SHARE => self.times.push(record),
            kind if kind >= kind::TOKEN => self.tokens.push(record),
            _ => self.requests.push(record),
        }
        Ok(())
    }

    #[cold]
    fn arrive_out_of_turn(&mut self, record: Record) -> Result<(), Misuse> {
        let header = record.header;
        if header.superstep > self.superstep {
            self.later.push(record);
            return Ok(());
        }
        let pid = record.from - self.base;
        Err(late(&record, pid, self.announced(header.superstep), self.members()))
    }

    /// The number of messages that were announced for a superstep that has ended, if it ended in an oblivious
    /// synchronisation not long ago.
    pub fn announced(&self, superstep: u64) -> Option<u64> {
        if self.superstep - superstep <= ENDS as u64 {
            self.ends[superstep as usize % ENDS]
        } else {
            None
        }
    }

    /// Ends the superstep: messages that have arrived can be read, and records that have arrived for the next
    /// superstep now belong to the current one. `announced`: the number of messages, if the end was oblivious.
    #[inline]
    pub fn advance(&mut self, announced: Option<u64>) -> Result<(), Misuse> {
        self.ends[self.superstep as usize % ENDS] = announced;
        self.superstep += 1;
        self.sent.clear();
        if self.later.is_empty() {
            Ok(())
        } else {
            std::mem::take(&mut self.later).into_iter().try_for_each(|r| self.arrive(r))
        }
    }
}

/// The error for a record of a superstep that has ended here.
pub(super) fn late(
    record: &Record,
    pid: usize,
    announced: Option<u64>,
    machine: Members,
) -> Misuse {
    let superstep = record.header.superstep;
    match (record.header.kind, announced) {
        (kind::MESSAGE, Some(announced)) => {
            Misuse::Excess { announced, came: announced + 1, superstep, machine }
        }
        _ => Misuse::SyncMeetsOblivious { pid, superstep, machine },
    }
}

/// The amounts that this processor has sent in a superstep, by receiver.
#[derive(Debug, Default)]
pub(super) struct Sent {
    /// By number in the machine; all zero except for those in `touched`.
    to: Vec<Traffic>,
    touched: Vec<u32>,
}

/// Messages, puts and parts of collective calls, and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Traffic {
    pub requests: u64,
    pub bytes: u64,
}

impl Sent {
    #[inline]
    pub fn count(&mut self, pid: usize, bytes: usize) {
        if pid >= self.to.len() {
            self.to.resize(pid + 1, Traffic::default());
        }
        let traffic = &mut self.to[pid];
        if *traffic == Traffic::default() {
            self.touched.push(pid as u32);
        }
        traffic.requests += 1;
        traffic.bytes += bytes as u64;
    }

    /// Returns the amounts that were sent to each receiver, in the order of the first sends.
    pub fn partners(&self) -> impl Iterator<Item = (usize, Traffic)> {
        self.touched.iter().map(|&pid| (pid as usize, self.to[pid as usize]))
    }

    #[inline]
    pub fn clear(&mut self) {
        for pid in self.touched.drain(..) {
            self.to[pid as usize] = Traffic::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sent_data_is_counted_by_receiver_until_the_superstep_ends() {
        let mut sent = Sent::default();
        for (to, bytes) in [(5, 8), (0, 100), (5, 16)] {
            sent.count(to, bytes);
        }
        let partners: Vec<_> = sent.partners().collect();
        let traffic = |requests, bytes| Traffic { requests, bytes };
        assert_eq!(partners, [(5, traffic(2, 24)), (0, traffic(1, 100))]);
        sent.clear();
        assert_eq!(sent.partners().count(), 0);
        sent.count(5, 1);
        assert_eq!(sent.partners().next(), Some((5, traffic(1, 1))));
    }
}
