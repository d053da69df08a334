//! The clocks of a communicator's hosts: the difference between each and the clock of the first member.
//!
//! One process asks another one for its time, and measures when the answer comes: the clock showed that time at
//! some moment in between. The quickest of several questions is the most exact (Cristian 1989). For clocks that
//! were compared twice, at least a second apart, the difference of their rates is known, too.

use crate::clock::monotonic_ns;

use super::communicator::{Failed, Pairs};

/// Number of questions. The quickest answer is used.
const QUESTIONS: usize = 30;
/// Two comparisons within a shorter time do not determine the rate.
const MIN_INTERVAL_NS: i64 = 1_000_000_000;

/// `CLOCK_MONOTONIC` of this host, in nanoseconds.
pub fn now() -> i64 {
    monotonic_ns() as i64
}

/// The difference between a clock and that of the first member, when the latter showed `at`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    pub at: i64,
    /// How much more the clock showed, in nanoseconds.
    pub ahead: i64,
    /// The largest error of that, in nanoseconds.
    pub within: i64,
}

impl Compared {
    /// Called by the first member: asks `other`.
    pub fn by_asking(pairs: Pairs<'_>, other: usize) -> Result<Compared, Failed> {
        let mut best = Compared { within: i64::MAX, ..Compared::default() };
        for _ in 0..QUESTIONS {
            let sent = now();
            pairs.give(sent, other)?;
            let shown = pairs.take(other)?;
            best = best.or(Compared::new(sent, shown, now()));
        }
        Ok(best)
    }

    /// Called by the other member: answers.
    pub fn by_answering(pairs: Pairs<'_>, first: usize) -> Result<(), Failed> {
        for _ in 0..QUESTIONS {
            pairs.take(first)?;
            pairs.give(now(), first)?;
        }
        Ok(())
    }

    fn new(sent: i64, shown: i64, answered: i64) -> Compared {
        let within = (answered - sent) / 2;
        let time = sent + within;
        Compared { at: time, ahead: shown - time, within: within + 1 }
    }

    fn or(self, other: Compared) -> Compared {
        if other.within < self.within { other } else { self }
    }
}

/// The relation between a clock and that of the first member, from all comparisons.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Relation {
    first: Compared,
    last: Compared,
    /// Nanoseconds that it gains in each nanosecond.
    gains: f64,
}

impl Relation {
    /// From a first comparison. The default is the same clock.
    pub fn new(first: Compared) -> Relation {
        Relation { first, last: first, gains: 0.0 }
    }

    /// Adds a comparison.
    pub fn renew(&mut self, last: Compared) {
        self.last = last;
        let between = last.at - self.first.at;
        if between >= MIN_INTERVAL_NS {
            self.gains = (last.ahead - self.first.ahead) as f64 / between as f64;
        }
    }

    /// Returns the time of the clock when the first member's shows `first`.
    pub fn own(&self, first: i64) -> i64 {
        first + self.last.ahead + (self.gains * (first - self.last.at) as f64) as i64
    }

    /// Returns the time of the first member's clock when the clock shows `own`.
    pub fn first(&self, own: i64) -> i64 {
        let near = own - self.last.ahead;
        near - (self.gains / (1.0 + self.gains) * (near - self.last.at) as f64) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quickest_answer_counts() {
        let slow = Compared::new(1000, 5_000_900, 3000);
        let quick = Compared::new(4000, 5_003_110, 4200);
        assert_eq!(slow.or(quick), quick);
        assert_eq!(quick.or(slow), quick);
        assert_eq!(quick, Compared { at: 4100, ahead: 4_999_010, within: 101 });
    }

    #[test]
    fn a_clock_with_another_rate_is_followed() {
        // 50 millionths faster, an hour ahead.
        let shows = |time: i64| time + 3_600_000_000_000 + time / 20_000;
        let compare = |time: i64| Compared { at: time, ahead: shows(time) - time, within: 500 };
        let mut relation = Relation::new(compare(7_000_000));
        relation.renew(compare(2_000_000_000));
        for time in [2_000_000_000, 5_000_000_000] {
            assert!((relation.own(time) - shows(time)).abs() < 10, "{relation:?}");
            assert!((relation.first(shows(time)) - time).abs() < 10, "{relation:?}");
        }
        let mut soon = Relation::new(compare(0));
        soon.renew(compare(1000));
        assert_eq!(soon.gains, 0.0);
        assert_eq!((Relation::default().own(42), Relation::default().first(42)), (42, 42));
    }
}
