//! How long before its beginning a window is agreed upon: the lead time.

/// Shortest and longest lead time, in nanoseconds.
const MIN_NS: i64 = 5_000;
const MAX_NS: i64 = 10_000_000;
/// The lead time before anything is known, in nanoseconds.
const INITIAL_NS: i64 = 200_000;
/// The estimate falls by this fraction of its excess.
const DECAY: i64 = 16;

/// Twice the time that the slowest member has needed recently until it knew the agreement. All members have the
/// same value, since they compute it from the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeadTime {
    needed: i64,
}

impl LeadTime {
    pub fn new() -> LeadTime {
        LeadTime { needed: INITIAL_NS / 2 }
    }

    /// In nanoseconds.
    pub fn ns(self) -> i64 {
        (2 * self.needed).clamp(MIN_NS, MAX_NS)
    }

    /// Records that the slowest member has needed this many nanoseconds. A member that the system had stopped
    /// meanwhile at most doubles the estimate.
    pub fn learn(&mut self, needed: i64) {
        self.needed = if needed > self.needed {
            needed.min(2 * self.needed).min(MAX_NS)
        } else {
            let longer = (self.needed - needed.max(MIN_NS / 2)).max(0);
            self.needed - (longer + DECAY - 1) / DECAY
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_becomes_twice_the_needed_time() {
        for needed in [4_000, 60_000, 3_000_000] {
            let mut lead = LeadTime::new();
            (0..300).for_each(|_| lead.learn(needed));
            assert!((lead.ns() - 2 * needed).abs() < needed / 10, "{needed}: {lead:?}");
        }
    }

    #[test]
    fn one_that_was_stopped_is_forgotten() {
        let mut lead = LeadTime::new();
        (0..300).for_each(|_| lead.learn(10_000));
        let before = lead.ns();
        lead.learn(50_000_000);
        assert!(lead.ns() <= 2 * before);
        (0..100).for_each(|_| lead.learn(10_000));
        assert!(lead.ns() < before + 2_000);
    }

    #[test]
    fn it_has_bounds() {
        let mut lead = LeadTime::new();
        (0..1000).for_each(|_| lead.learn(i64::MIN / 4));
        assert_eq!(lead.ns(), MIN_NS);
        (0..1000).for_each(|_| lead.learn(i64::MAX / 4));
        assert_eq!(lead.ns(), MAX_NS);
    }
}
