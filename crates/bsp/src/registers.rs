//! Registration: which areas of memory the processors may access, and by which names.
//!
//! All processors call `bsp_push_reg` together, each with an area of its own memory. Afterwards the address of its
//! own area is the name with which a processor means the areas of the others: `bsp_put(to, source, address, …)`
//! writes to the area that processor `to` has registered in the same call.
//!
//! A registration is a slot: the areas that the processors passed in their k-th push. All processors push and pop in
//! the same order, so slots have the same numbers everywhere. [`Registers`] finds the slot for an address; if an
//! address was registered several times, the latest registration counts. Pushes and pops take effect at the end of
//! the superstep.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::misuse::Misuse;

/// Number of a registration, the same on all processors.
pub(crate) type Slot = u32;

/// Until the sync, means "the registration in which this processor has the null pointer".
pub(crate) const NULL_POP: u64 = u64::MAX;

/// Slots in use at the same time, at most.
pub(crate) const MAX_SLOTS: usize = 1 << 20;

#[derive(Clone, Copy, Debug)]
struct Area {
    address: usize,
    size: usize,
    /// Order of registration.
    serial: u64,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Free,
    /// Pushed in this superstep.
    Pushed,
    InForce,
    /// In force and popped in this superstep, or pushed and popped in it.
    Popped,
}

/// One processor's side of all registrations.
#[derive(Debug, Default)]
pub(crate) struct Registers {
    slots: Vec<Area>,
    free: Vec<Slot>,
    /// Registrations in force by local address, the most recent last.
    by_address: HashMap<usize, Vec<Slot>, FxBuildHasher>,
    pushed: Vec<Slot>,
    popped: Vec<u64>,
    serial: u64,
    /// The last address that was looked up; most programs use one for a long time.
    last: Option<(usize, Slot)>,
    /// Lowest and highest address of areas in force.
    hull: (usize, usize),
}

impl Registers {
    /// The slot of a new registration, in force from the next superstep on.
    pub fn push(&mut self, address: usize, size: usize) -> Result<Slot, Misuse> {
        if address == 0 && size != 0 {
            return Err(Misuse::NullArea(size));
        }
        self.serial += 1;
        let area = Area { address, size, serial: self.serial, stage: Stage::Pushed };
        let slot = match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize] = area;
                slot
            }
            None if self.slots.len() < MAX_SLOTS => {
                self.slots.push(area);
                (self.slots.len() - 1) as Slot
            }
            None => return Err(Misuse::TooManyAreas(MAX_SLOTS)),
        };
        self.pushed.push(slot);
        Ok(slot)
    }

    /// Removes the most recent registration of an address, at the end of the superstep. Returns its slot, or
    /// [`NULL_POP`]; the other processors must remove the same one.
    pub fn pop(&mut self, address: usize) -> Result<u64, Misuse> {
        let named = match address {
            0 => NULL_POP,
            _ => {
                let slot = self.most_recent(address).ok_or(Misuse::PopOfUnknown(address))?;
                self.slots[slot as usize].stage = Stage::Popped;
                u64::from(slot)
            }
        };
        self.popped.push(named);
        Ok(named)
    }

    /// The most recent registration of an address that is not popped, including those pushed in this superstep.
    fn most_recent(&self, address: usize) -> Option<Slot> {
        let fits = |&slot: &Slot| {
            let area = &self.slots[slot as usize];
            area.address == address && matches!(area.stage, Stage::Pushed | Stage::InForce)
        };
        let pushed = self.pushed.iter().rev().copied().find(fits);
        pushed.or_else(|| self.by_address.get(&address)?.iter().rev().copied().find(fits))
    }

    /// The registration that an address means in a remote access.
    #[inline]
    pub fn find(&mut self, address: usize) -> Result<Slot, Misuse> {
        match self.last {
            Some((last, slot)) if last == address => Ok(slot),
            _ => self.look_up(address),
        }
    }

    fn look_up(&mut self, address: usize) -> Result<Slot, Misuse> {
        match self.by_address.get(&address).and_then(|slots| slots.last()) {
            Some(&slot) => {
                self.last = Some((address, slot));
                Ok(slot)
            }
            None if self.most_recent(address).is_some() => Err(Misuse::JustRegistered(address)),
            None => Err(Misuse::NotRegistered(address)),
        }
    }

    /// Whether the `size` bytes from `from` on overlap an area in force.
    pub fn overlaps(&self, from: usize, size: usize) -> bool {
        let to = from + size;
        (from < self.hull.1 && self.hull.0 < to)
            && self.in_force().any(|area| from < area.address + area.size && area.address < to)
    }

    /// Whether these bytes overlap an area of another registration than this one, in force or pushed.
    pub fn is_used_but_by(&self, slot: Slot, from: usize, size: usize) -> bool {
        let others = self.slots.iter().enumerate().filter(|(i, _)| *i != slot as usize);
        others.into_iter().any(|(_, area)| {
            area.stage != Stage::Free
                && from < area.address + area.size
                && area.address < from + size
        })
    }

    fn in_force(&self) -> impl Iterator<Item = &Area> {
        self.slots.iter().filter(|area| matches!(area.stage, Stage::InForce | Stage::Popped))
    }

    /// Pops of this superstep, as [`Registers::pop`] returned them.
    pub fn popped(&self) -> &[u64] {
        &self.popped
    }

    /// Whether this processor passed the null pointer in a slot.
    pub fn is_null(&self, slot: Slot) -> bool {
        self.slots.get(slot as usize).is_some_and(|area| area.address == 0)
    }

    /// The slots in which this processor has the null pointer and which are not popped yet, the
    /// most recent first.
    pub fn nulls(&self) -> Vec<Slot> {
        let mut nulls: Vec<Slot> = (0..self.slots.len() as Slot)
            .filter(|&slot| {
                let area = &self.slots[slot as usize];
                area.address == 0 && matches!(area.stage, Stage::Pushed | Stage::InForce)
            })
            .collect();
        nulls.sort_by_key(|&slot| std::cmp::Reverse(self.slots[slot as usize].serial));
        nulls
    }

    /// Sets the slot that a pop of the null pointer meant.
    pub fn settle_null(&mut self, index: usize, slot: Slot) {
        self.popped[index] = u64::from(slot);
        self.slots[slot as usize].stage = Stage::Popped;
    }

    /// Ends the superstep: pushes and pops take effect.
    pub fn end_superstep(&mut self) {
        if self.pushed.is_empty() && self.popped.is_empty() {
            return;
        }
        self.last = None;
        for slot in std::mem::take(&mut self.pushed) {
            let area = &mut self.slots[slot as usize];
            if area.stage == Stage::Pushed {
                area.stage = Stage::InForce;
                self.by_address.entry(area.address).or_default().push(slot);
            }
        }
        for slot in std::mem::take(&mut self.popped) {
            let slot = slot as Slot;
            let area = &mut self.slots[slot as usize];
            area.stage = Stage::Free;
            if let Some(slots) = self.by_address.get_mut(&area.address) {
                slots.retain(|&other| other != slot);
                if slots.is_empty() {
                    self.by_address.remove(&area.address);
                }
            }
            self.free.push(slot);
        }
        let bounds = |hull: (usize, usize), area: &Area| {
            (hull.0.min(area.address), hull.1.max(area.address + area.size))
        };
        self.hull = self.in_force().filter(|area| area.size > 0).fold((usize::MAX, 0), bounds);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_force(areas: &[(usize, usize)]) -> Registers {
        let mut registers = Registers::default();
        for &(address, size) in areas {
            registers.push(address, size).unwrap();
        }
        registers.end_superstep();
        registers
    }

    #[test]
    fn the_most_recent_registration_of_an_address_counts_until_it_is_popped() {
        let mut registers = in_force(&[(64, 8), (64, 4)]);
        assert_eq!(registers.find(64), Ok(1));
        assert_eq!(registers.pop(64), Ok(1));
        assert_eq!(registers.find(64), Ok(1), "in force until the superstep ends");
        registers.end_superstep();
        assert_eq!(registers.find(64), Ok(0));
    }

    #[test]
    fn a_push_counts_from_the_next_superstep() {
        let mut registers = Registers::default();
        registers.push(64, 8).unwrap();
        assert_eq!(registers.find(64), Err(Misuse::JustRegistered(64)));
        assert_eq!(registers.find(72), Err(Misuse::NotRegistered(72)));
        registers.end_superstep();
        assert_eq!(registers.find(64), Ok(0));
    }

    #[test]
    fn a_pop_of_a_push_of_the_same_superstep_cancels_it() {
        let mut registers = in_force(&[(64, 8)]);
        registers.push(64, 80).unwrap();
        assert_eq!(registers.pop(64), Ok(1));
        assert_eq!(registers.pop(64), Ok(0));
        assert_eq!(registers.pop(64), Err(Misuse::PopOfUnknown(64)));
        registers.end_superstep();
        assert_eq!(registers.find(64), Err(Misuse::NotRegistered(64)));
    }

    #[test]
    fn numbers_of_registrations_are_given_again() {
        let mut registers = in_force(&[(64, 8), (128, 8)]);
        registers.pop(64).unwrap();
        registers.end_superstep();
        assert_eq!(registers.push(256, 8), Ok(0));
    }

    #[test]
    fn overlaps_are_found_among_areas_in_force() {
        let registers = in_force(&[(64, 8), (128, 8)]);
        assert!(registers.overlaps(60, 5) && registers.overlaps(135, 10));
        assert!(!registers.overlaps(72, 56) && !registers.overlaps(0, 64));
    }
}
