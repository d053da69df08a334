//! Parts of machines: how they begin and end.
//!
//! All processes of a part enter and leave it in the same superstep of the machine around it. If a process reaches a
//! call that involves processes outside the part, the conversion holds this process there until all the others have
//! reached such a call. It also continues if no process can do anything more in the part, since the others wait for a
//! message of a process that is leaving.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::Call;

use super::super::collective_match::Arrival;
use super::super::part::{MachineObject, Membership, Position};
use super::super::refused::{CallSite, Note, Refused};
use super::{Engine, QueueEntry, place};

/// Communication between some processes of a machine that are not a part of it.
#[derive(Debug, Default)]
pub(super) struct SeparateParts {
    /// Communicators whose processes do not have consecutive ranks, and the first call of one.
    scattered: HashSet<u64>,
    first_scattered: Option<CallSite>,
    /// Communicators of consecutive ranks with messages outside of a part; for each, whether it never had a collective,
    /// and its first call.
    messages: HashMap<u64, Option<CallSite>>,
    /// How often parts that overlap followed each other, and the first collective that began one.
    overlapping: u64,
    first_overlapping: Option<CallSite>,
    /// The first collective that could not begin a part, since there were too many.
    crowded: Option<CallSite>,
}

impl SeparateParts {
    /// Notes on the parts for users.
    pub(super) fn notes(&mut self) -> Vec<Note> {
        let mut notes = Vec::new();
        let communicators = self.scattered.len();
        notes.extend(
            self.first_scattered.take().map(|call| Note::Scattered { communicators, call }),
        );
        let mut without: Vec<CallSite> =
            std::mem::take(&mut self.messages).into_values().flatten().collect();
        without.sort_by(|site, other| {
            (site.rank, &site.place, site.call).cmp(&(other.rank, &other.place, other.call))
        });
        let communicators = without.len();
        notes.extend(
            without.into_iter().next().map(|call| Note::Uncollected { communicators, call }),
        );
        let times = self.overlapping;
        notes.extend(self.first_overlapping.take().map(|call| Note::Overlapping { times, call }));
        notes.extend(self.crowded.take().map(|call| Note::Crowded { call }));
        notes
    }
}

impl Engine<'_, '_> {
    /// Whether a process is in at most this number of parts. If not, it waits until they have ended.
    pub(super) fn leaves_to(&mut self, index: usize, depth: usize) -> Result<bool, Refused> {
        while self.processes[index].processor.depth() > depth {
            let processor = &mut self.processes[index].processor;
            let part = Rc::clone(processor.part());
            if !processor.is_leaving {
                processor.is_leaving = true;
                part.leaving.set(part.leaving.get() + 1);
            }
            if (part.leaving.get() as usize) < part.range.len() {
                return Ok(false);
            }
            self.end_part(&part, Some(index))?;
        }
        Ok(true)
    }

    /// Ends a part for all its processes. Those that waited for this continue, except the current one.
    fn end_part(
        &mut self,
        part: &Rc<MachineObject>,
        at_turn: Option<usize>,
    ) -> Result<(), Refused> {
        let range = part.range.start as usize..part.range.end as usize;
        let last =
            self.processes[range.clone()].iter_mut().map(|process| process.processor.top().last());
        let last = last.max().unwrap_or(0);
        for index in range {
            let process = &mut self.processes[index];
            let has_waited = process.processor.is_leaving && Some(index) != at_turn;
            process.processor.leave(last, &mut self.log)?;
            if let Some(call) = process.call.as_ref().filter(|_| has_waited) {
                self.queue.push(Reverse(QueueEntry(call.start.get(), index)));
            }
        }
        Ok(())
    }

    /// Called when no process can continue. Ends the parts that a process wants to leave and in which no process can
    /// continue. Returns whether there were any.
    pub(super) fn end_parts(&mut self) -> Result<bool, Refused> {
        let leaving = self.processes.iter().filter(|process| process.processor.is_leaving);
        let mut parts: Vec<Rc<MachineObject>> =
            leaving.map(|process| Rc::clone(process.processor.part())).collect();
        parts.sort_by_key(|part| part.number);
        parts.dedup_by(|part, other| Rc::ptr_eq(part, other));
        let mut any = false;
        for part in parts {
            let mut members =
                self.processes[part.range.start as usize..part.range.end as usize].iter();
            // If some of its processes are in a part of it, that part ends first.
            if members.all(|process| Rc::ptr_eq(process.processor.part(), &part)) {
                self.end_part(&part, None)?;
                any = true;
            }
        }
        Ok(any)
    }

    /// All have come to a collective who stay there until then: its superstep, which is the first one of a part if they
    /// are neighbours and some of a machine.
    pub(super) fn meet(&mut self, index: usize, coming: &Arrival) -> Result<Position, Refused> {
        let members = self.collectives.members(coming.key);
        for &member in &members {
            self.processes[member].processor.top().turn(&mut self.log)?;
        }
        let around = Rc::clone(self.processes[index].processor.part());
        let begins = self.begins(index, coming, &members, &around);
        let superstep = members.iter().map(|&member| {
            let processor = &self.processes[member].processor;
            if begins {
                processor.may_begin_part(coming.among)
            } else {
                processor.position().superstep
            }
        });
        let position = Position { superstep: superstep.max().unwrap_or(1), part: around };
        if !begins {
            return Ok(position);
        }
        let latest =
            members.iter().map(|&member| self.processes[member].processor.position().superstep);
        if latest.max() < Some(position.superstep) {
            self.separate.overlapping += 1;
            if self.separate.first_overlapping.is_none() {
                self.separate.first_overlapping = self.place(index);
            }
        }
        self.parts += 1;
        let part = MachineObject::within(position, coming.among.range(), self.parts);
        for member in members {
            let process = &mut self.processes[member];
            let point = process.call.as_ref().and_then(|call| call.point);
            process.processor.enter(&part, point, &mut self.log)?;
        }
        Ok(Position { part, superstep: 1 })
    }

    /// Whether a collective begins a part of the machine that its processes are in.
    fn begins(
        &mut self,
        index: usize,
        coming: &Arrival,
        members: &[usize],
        around: &MachineObject,
    ) -> bool {
        if !coming.among.are_neighbours {
            self.is_scattered(index, coming.key.1);
            return false;
        }
        if coming.among.range() == around.range {
            return false;
        }
        // Tables of several logs may contradict each other.
        let mut came: Vec<usize> = members.to_vec();
        came.sort_unstable();
        let is_there =
            |&member: &usize| self.processes[member].processor.part().number == around.number;
        if !came.iter().copied().eq(coming.among.range().map(|rank| rank as usize))
            || !members.iter().all(is_there)
        {
            return false;
        }
        if coming.key.0 == crate::collective::CollectiveGroup::Communicator {
            // From now on its messages count in the part.
            self.separate.messages.insert(coming.key.1, None);
        }
        if !members.iter().all(|&member| self.processes[member].processor.has_room()) {
            if self.separate.crowded.is_none() {
                self.separate.crowded = self.place(index);
            }
            return false;
        }
        true
    }

    fn is_scattered(&mut self, index: usize, key: u64) {
        if self.separate.scattered.insert(key) && self.separate.first_scattered.is_none() {
            self.separate.first_scattered = self.place(index);
        }
    }

    /// Called when a process sends in the communicator with this key, which may have only some of the processes of its
    /// machine.
    pub(super) fn note_separate(&mut self, index: usize, among: Membership, key: u64) {
        let is_whole =
            among.are_neighbours && among.range() == self.processes[index].processor.part().range;
        if is_whole || among.range().len() == 1 {
            return;
        }
        if !among.are_neighbours {
            self.is_scattered(index, key);
        } else if !self.separate.messages.contains_key(&key) {
            let call = self.place(index);
            self.separate.messages.insert(key, call);
        }
    }

    /// The call that a process is in.
    fn place(&mut self, index: usize) -> Option<CallSite> {
        let process = &self.processes[index];
        let call: &Call = process.call.as_ref()?;
        Some(place(process, call, self.sites))
    }
}
