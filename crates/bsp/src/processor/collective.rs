//! The actions that all processors must do in the same way in a superstep, and the check that they have.

use crate::engine::agreement::CollectiveState;
use crate::misuse::{Areas, Difference, Misuse, Times};
use crate::processor::Processor;
use crate::registers::{NULL_POP, Slot};

impl Processor {
    /// Returns the actions of this processor in this superstep that all must do in the same way. At the end of the
    /// machine nothing else needs to be equal: it has no effect any more.
    pub(super) fn collective(&self, ends: bool) -> CollectiveState {
        if ends {
            return CollectiveState { ends, ..CollectiveState::default() };
        }
        CollectiveState {
            pushes: self.pushes,
            pops: self.registers.popped().len() as u64,
            tag_calls: self.tag_calls,
            tag_size: if self.tag_calls > 0 { self.tags.asked() as u64 } else { 0 },
            ..CollectiveState::default()
        }
    }

    /// Processors did not do the same though all must.
    #[cold]
    #[inline(never)]
    pub(super) fn difference(&self) -> Misuse {
        let (first, place) = self.engine.collective_state_of(0);
        let others = (1..self.nprocs).map(|pid| (pid, self.engine.collective_state_of(pid)));
        let different = others.into_iter().find(|(_, (collective, _))| *collective != first);
        let Some((pid, (other, its_place))) = different else {
            return Misuse::Differ(Difference::Order);
        };
        let describe = |collective: &CollectiveState, place: Option<String>| {
            let name = match collective {
                CollectiveState { ends: true, .. } => "bsp_end",
                CollectiveState { kind: 0, .. } => "bsp_sync",
                _ => "a collective call",
            };
            let location = place.map(|place| format!(" at {place}")).unwrap_or_default();
            format!("is in {name}{location}")
        };
        Misuse::Differ(if first.ends != other.ends {
            Difference::Ends(0, describe(&first, place), pid, describe(&other, its_place))
        } else if first.pushes != other.pushes {
            Difference::Pushes(0, Areas(first.pushes), pid, other.pushes)
        } else if first.pops != other.pops {
            Difference::Pops(0, Areas(first.pops), pid, other.pops)
        } else if first.tag_calls != other.tag_calls {
            Difference::TagCalls(0, Times(first.tag_calls), pid, Times(other.tag_calls))
        } else if first.kind != other.kind {
            Difference::Kinds(0, describe(&first, place), pid, describe(&other, its_place))
        } else {
            Difference::TagSizes(0, first.tag_size, pid, other.tag_size)
        })
    }

    /// All processors must have removed the same registrations. A null pointer means the registration in which
    /// that processor has a null pointer.
    pub(super) fn agree_on_pops(&mut self) -> Result<(), Misuse> {
        for index in 0..self.registers.popped().len() {
            let pop_of = |pid: usize| self.engine.pop_of(pid, index);
            let named = (0..self.nprocs).find(|&pid| pop_of(pid) != NULL_POP);
            let mine = self.registers.popped()[index];
            let Some(leader) = named else {
                let slot = self.all_null().ok_or(Misuse::PopOfNull)?;
                self.registers.settle_null(index, slot);
                continue;
            };
            let slot = pop_of(leader) as Slot;
            let other =
                |pid: usize| Misuse::Differ(Difference::PopsOther(index as u64 + 1, leader, pid));
            if let Some(pid) =
                (0..self.nprocs).find(|&pid| ![NULL_POP, u64::from(slot)].contains(&pop_of(pid)))
            {
                return Err(other(pid));
            }
            if mine == NULL_POP {
                if !self.registers.is_null(slot) {
                    return Err(other(self.pid));
                }
                self.registers.settle_null(index, slot);
            }
        }
        Ok(())
    }

    /// The most recent registration in which all processors have the null pointer.
    fn all_null(&self) -> Option<Slot> {
        let is_null_on = |slot, pid| self.engine.remote(slot, pid).address == 0;
        let everywhere = |slot: &Slot| (0..self.nprocs).all(|pid| is_null_on(*slot, pid));
        self.registers.nulls().into_iter().find(everywhere)
    }
}
