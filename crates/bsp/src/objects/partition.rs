//! Parts of a machine. Neither creating nor leaving one communicates.

use crate::misuse::Misuse;
use crate::place::Place;

use super::barrier::release_all;
use super::object::Object;
use super::{Handle, Objects};

impl Objects {
    /// Divides a machine into parts: bounds\[0\] processors from number 0 on are part 0, those from
    /// bounds\[i-1\] to below bounds\[i\] part i. A part may be empty, and the last bound is the number of
    /// processors. Returns the part of this processor; its processors are numbered from 0, in the same order.
    /// All processors of the machine call it with the same bounds, but not necessarily at the same time.
    #[inline]
    pub fn partition(
        &mut self,
        handle: Handle,
        bounds: impl Iterator<Item = usize>,
    ) -> Result<Handle, Misuse> {
        let level = self.active(handle)?;
        let parent = &mut self.stack[level];
        let (mut before, mut own) = (0, None);
        for (index, bound) in bounds.enumerate() {
            if bound < before {
                return Err(Misuse::BoundsDescend { index, bound, before });
            }
            if (before..bound).contains(&parent.pid) {
                own = Some((index, before, bound));
            }
            before = bound;
        }
        if before != parent.nprocs {
            return Err(Misuse::LastBound { last: before, nprocs: parent.nprocs });
        }
        let Some((index, from, to)) = own else {
            return Err(Misuse::LastBound { last: before, nprocs: parent.nprocs });
        };
        parent.partitions += 1;
        let id = number(parent.id, parent.partitions, index as u64);
        let (base, pid) = (parent.base + from, parent.pid - from);
        if self.open == self.stack.len() {
            self.stack.push(Object::default());
        }
        let part = &mut self.stack[self.open];
        part.begin(id, base, pid, to - from);
        self.open += 1;
        if !self.strangers.is_empty()
            && let Some(waiting) = self.strangers.remove(&id)
        {
            let part = &mut self.stack[self.open - 1];
            waiting.into_iter().try_for_each(|record| part.arrive(record))?;
        }
        if self.recorder.is_some() {
            self.open_account();
        }
        Ok(self.innermost())
    }

    /// Leaves the part that was created last. Its messages can no longer be read; what this processor has sent
    /// in it since its last synchronisation is discarded.
    #[inline]
    pub fn done(&mut self, handle: Handle, place: Place) -> Result<(), Misuse> {
        let level = self.level(handle)?;
        if level == 0 {
            return Err(Misuse::DoneOfWhole);
        }
        if level + 1 < self.open {
            return Err(Misuse::DoneOutOfOrder);
        }
        self.take_in()?;
        let part = &mut self.stack[level];
        if let Some(record) = part.later.first() {
            let pid = record.from - part.base;
            let (done, machine) = (part.superstep, part.members());
            return Err(Misuse::MoreSupersteps { pid, done, machine });
        }
        if let Some(token) = part.tokens.first() {
            let pid = token.from - part.base;
            let (superstep, machine) = (part.superstep, part.members());
            return Err(Misuse::DoneMeetsSync { pid, superstep, machine });
        }
        self.ended.remember(part);
        part.inbox.empty(&mut *self.channels);
        part.parts.empty(&mut *self.channels);
        for records in
            [&mut part.arriving, &mut part.requests, &mut part.arriving_parts, &mut part.times]
        {
            release_all(records, &mut *self.channels);
        }
        part.sent.clear();
        part.remote.clear();
        if self.recorder.is_some() {
            self.close_account(place);
        }
        self.open -= 1;
        Ok(())
    }
}

/// The number of a part: the same on all its processors, and different from that of any other machine, except
/// with negligible probability.
#[inline]
fn number(parent: u64, partitions: u64, index: u64) -> u64 {
    let mix = |word: u64| {
        let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    };
    mix(mix(parent.wrapping_add(partitions.wrapping_mul(0x9E37_79B9_7F4A_7C15))) ^ index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn parts_of_all_depths_have_numbers_of_their_own() {
        let mut all = HashSet::from([super::super::WHOLE]);
        let mut level = vec![super::super::WHOLE];
        for _ in 0..4 {
            let parts = |&id: &u64| {
                (1..=10).flat_map(move |times| (0..4).map(move |part| number(id, times, part)))
            };
            let next: Vec<u64> = level.iter().flat_map(parts).collect();
            assert!(next.iter().all(|id| all.insert(*id)));
            level = next.into_iter().step_by(7).take(5_000).collect();
        }
    }
}
