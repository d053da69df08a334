//! Who has mapped the memory of a process in which a processor and others work in turn.
//!
//! A library of messages allocates buffers when it first needs them, long after it began. They are not memory of the
//! program, which would find its own data in the cache of a core. Who allocated what is known by when it was mapped: a
//! mapping that came while the program computed is the program's, also if the library writes to it first, as to the
//! buffer of a receive.

use super::ranges;
use super::resident::mapped;

/// The mappings at the last look.
#[derive(Debug)]
pub(super) struct Owner {
    mapped: Vec<(usize, usize)>,
    /// Page faults of the process then: whoever maps memory touches some of it.
    faults: Option<i64>,
}

impl Owner {
    pub fn new(mapped: Vec<(usize, usize)>) -> Owner {
        Owner { mapped, faults: None }
    }

    /// The mappings at the last look.
    pub fn mapped(&self) -> &[(usize, usize)] {
        &self.mapped
    }

    /// Returns the ranges that were mapped since the last look; `None` if no page was touched since.
    pub fn look(&mut self, faults: i64) -> Option<Vec<(usize, usize)>> {
        if self.faults == Some(faults) {
            return None;
        }
        let now = mapped();
        let new_mappings = ranges::difference(&now, &self.mapped);
        self.mapped = now;
        self.faults = Some(super::page_faults());
        Some(new_mappings)
    }
}
