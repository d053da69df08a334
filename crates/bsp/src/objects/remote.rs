//! The areas of the processors of a machine object, as the object knows them, and its requests in this superstep.

use crate::misuse::Misuse;
use crate::registers::{Registers, Slot};

/// A get of this superstep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Get {
    pub from: usize,
    pub dst: *mut u8,
    pub size: usize,
}

/// An area: address and size on its processor. Address 0: the processor has registered NULL.
pub(super) type Area = (usize, usize);

/// Registrations and requests of a machine object.
#[derive(Debug, Default)]
pub(super) struct Remote {
    pub registers: Registers,
    /// For each slot, the areas by processor.
    areas: Vec<Vec<Area>>,
    /// Slots and areas that were registered in this superstep.
    pub pushed: Vec<(Slot, Area)>,
    pub gets: Vec<Get>,
    /// Puts of this superstep.
    pub puts: u64,
    /// Whether anything was ever registered.
    used: bool,
}

impl Remote {
    pub fn push(&mut self, address: usize, size: usize) -> Result<(), Misuse> {
        let slot = self.registers.push(address, size)?;
        self.pushed.push((slot, (address, size)));
        self.used = true;
        Ok(())
    }

    pub fn pushes(&self) -> u64 {
        self.pushed.len() as u64
    }

    pub fn pops(&self) -> u64 {
        self.registers.popped().len() as u64
    }

    pub fn has_gets(&self) -> bool {
        !self.gets.is_empty()
    }

    /// Whether this superstep must end in a barrier.
    #[inline]
    pub fn is_used(&self) -> bool {
        self.used && (self.puts > 0 || self.has_gets() || self.pushes() + self.pops() > 0)
    }

    /// A processor's area in a slot.
    pub fn area(&self, slot: Slot, pid: usize) -> Area {
        self.areas.get(slot as usize).and_then(|areas| areas.get(pid)).copied().unwrap_or((0, 0))
    }

    /// Takes over what a processor has registered in this superstep.
    pub fn learn(&mut self, pid: usize, nprocs: usize, areas: impl Iterator<Item = Area>) {
        for (&(slot, _), area) in self.pushed.iter().zip(areas) {
            let slot = slot as usize;
            if slot >= self.areas.len() {
                self.areas.resize(slot + 1, Vec::new());
            }
            self.areas[slot].resize(nprocs, (0, 0));
            self.areas[slot][pid] = area;
        }
    }

    /// Ends the superstep.
    pub fn end_superstep(&mut self) {
        self.registers.end_superstep();
        self.pushed.clear();
        self.gets.clear();
        self.puts = 0;
    }

    /// The machine has ended.
    #[inline]
    pub fn clear(&mut self) {
        if self.used {
            *self = Remote::default();
        }
    }
}
