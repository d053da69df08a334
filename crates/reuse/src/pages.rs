//! Reuse distances in pages: how many different pages are used between two uses of the same one.

use std::collections::BTreeMap;

use crate::histogram::Histogram;
use crate::stack::{ByNumber, Stack};

/// Lines of the pages of records, as a power of two: `PAGE_LINE_BITS` of `probes/accesses.c`.
const LINE_BITS: u32 = 6;
/// Bytes of a page of records.
const SMALLEST: f64 = 4096.0;

/// The distances of a passage's accesses in pages of a size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paged {
    /// Bytes of a page.
    pub page: f64,
    /// One page of so many was followed.
    pub rate: u64,
    /// By index of the instruction and of the array: the accesses to pages that were used before, but not lately.
    pub cells: BTreeMap<(usize, usize), Histogram>,
}

/// Pages of a size in the order of their last use.
#[derive(Debug)]
pub(crate) struct Pages {
    size: f64,
    rate: u64,
    /// A page has two to the power of this many pages of records.
    shift: u32,
    /// The most recent ones, with how many of the most recent pages of records are in each. They are not in the stack.
    recent: ByNumber<u64, u32>,
    stack: Stack,
}

impl Pages {
    /// Makes the pages of this size in bytes; `None` if the size is no power of two times that of records. Of larger
    /// pages none is left out, since they have some of the records' pages in any case.
    pub(crate) fn new(size: f64, rate: u64) -> Option<Pages> {
        let times = size / SMALLEST;
        let shift = times.log2();
        let is_whole = times >= 1.0 && shift.fract() == 0.0 && shift < 40.0;
        is_whole.then(|| Pages {
            size,
            rate: rate.max(1),
            shift: shift as u32,
            recent: ByNumber::default(),
            stack: Stack::default(),
        })
    }

    /// How many each counts for.
    pub(crate) fn rate(&self) -> u64 {
        self.rate
    }

    pub(crate) fn no_cells(&self) -> Paged {
        Paged { page: self.size, rate: self.rate, cells: BTreeMap::new() }
    }

    /// Uses the page of a line; the page `before` of records leaves the most recent ones, if it is not 0. How many other
    /// pages were used since; `None` if that is its first use, or it is one of the most recent ones.
    pub(crate) fn used(&mut self, line: u64, before: u64) -> Option<f64> {
        let page = line >> (LINE_BITS + self.shift);
        let near = self.recent.contains_key(&page);
        let distance = if near { None } else { self.stack.removed(page) };
        let others = self.recent.len() as u64;
        *self.recent.entry(page).or_default() += 1;
        if before != 0 {
            let before = before >> self.shift;
            if let Some(number) = self.recent.get_mut(&before) {
                *number -= 1;
                if *number == 0 {
                    self.recent.remove(&before);
                    self.stack.pushed(before);
                }
            }
        }
        // Of large pages most have a part that is followed.
        let rate = if self.shift == 0 { self.rate } else { 1 };
        distance.map(|rest| ((rest + others) * rate) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The most recent pages, as `probes/accesses.c` keeps them.
    struct Program {
        recent: Vec<u64>,
    }

    impl Program {
        fn uses(&mut self, page: u64, into: &mut Pages) -> Option<f64> {
            if let Some(position) = self.recent.iter().position(|number| *number == page) {
                self.recent.remove(position);
                self.recent.insert(0, page);
                return None;
            }
            let before = if self.recent.len() == 16 { self.recent.pop().unwrap() } else { 0 };
            self.recent.insert(0, page);
            into.used(page << LINE_BITS, before)
        }
    }

    #[test]
    fn small_and_large_pages_have_their_own_distances() {
        for (size, pages) in [(4096.0, 200.0), (65536.0, 200.0 / 16.0)] {
            let mut all = Pages::new(size, 1).unwrap();
            let mut program = Program { recent: Vec::new() };
            let round = |program: &mut Program, all: &mut Pages| -> Vec<f64> {
                (1600..1800u64).filter_map(|page| program.uses(page, all)).collect()
            };
            assert!(round(&mut program, &mut all).is_empty());
            let values = round(&mut program, &mut all);
            assert_eq!(values.len() as f64, f64::ceil(pages), "{size}: {values:?}");
            // All others were used in between.
            assert!(values.iter().all(|one| *one == f64::ceil(pages) - 1.0), "{size}: {values:?}");
        }
        assert!(Pages::new(1024.0, 1).is_none() && Pages::new(12288.0, 1).is_none());
    }
}
