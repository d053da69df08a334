//! The cost of communication on the requested machine: a small table that the caller makes.

use cll_contract::CostTable;
pub use cll_contract::{Combine, CostSegment};

use crate::log::Ending;

/// The segments of a machine. A superstep of n processors uses those for the smallest number of processors that
/// is at least n, otherwise those for the largest; of these, the last one that begins at or below its h.
/// Without segments, communication takes no time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    combine: Combine,
    /// Sorted by kind, processors, begin.
    segments: Vec<CostSegment>,
}

impl Costs {
    /// From segments in any order.
    pub fn new(combine: Combine, mut segments: Vec<CostSegment>) -> Costs {
        segments.sort_by_key(|segment| (segment.oblivious, segment.processors, segment.from));
        Costs { combine, segments }
    }

    /// How bytes in and out give h.
    pub fn combine(&self) -> Combine {
        self.combine
    }

    /// Whether communication takes any time.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// g·h + L of the segment for h, in nanoseconds; 0 if no synchronisation ends the superstep.
    pub fn ns(&self, ending: Ending, processors: usize, h: u64) -> u64 {
        let oblivious = match ending {
            Ending::Sync => false,
            Ending::Oblivious => true,
            Ending::End => return 0,
        };
        let is_wanted = |segment: &&CostSegment| segment.oblivious == oblivious;
        let counts = || self.segments.iter().filter(is_wanted).map(|segment| segment.processors);
        let least = counts().filter(|&count| count as usize >= processors).min();
        let Some(count) = least.or_else(|| counts().max()) else { return 0 };
        let mut all =
            self.segments.iter().filter(is_wanted).filter(|segment| segment.processors == count);
        let first = all.clone().next();
        let Some(segment) = all.rfind(|segment| segment.from <= h).or(first) else { return 0 };
        ((segment.g * h as f64 + segment.l) * 1e9).round().max(0.0) as u64
    }
}

impl From<CostTable> for Costs {
    fn from(table: CostTable) -> Costs {
        Costs::new(table.combine, table.segments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "max;b,2,0,1e-9,1e-6;b,2,1000,2e-9,5e-7;b,8,0,4e-9,1e-5;o,2,0,0e0,3e-6";

    #[test]
    fn the_piece_is_that_of_the_machine_and_the_size() {
        let table = cll_contract::COSTS.read(Some(TABLE.as_bytes())).unwrap().unwrap();
        let costs = Costs::from(table);
        assert_eq!(costs.ns(Ending::Sync, 2, 0), 1000);
        assert_eq!(costs.ns(Ending::Sync, 2, 999), 1999);
        assert_eq!(costs.ns(Ending::Sync, 2, 1000), 2500);
        // For 3 processors: those for 8; beyond the largest: the largest.
        assert_eq!(costs.ns(Ending::Sync, 3, 100), 10_400);
        assert_eq!(costs.ns(Ending::Sync, 64, 100), 10_400);
        assert_eq!(costs.ns(Ending::Oblivious, 64, 1 << 20), 3000);
        assert_eq!(costs.ns(Ending::End, 2, 5), 0);
        assert_eq!(Costs::default().ns(Ending::Sync, 2, 1 << 30), 0);
    }
}
