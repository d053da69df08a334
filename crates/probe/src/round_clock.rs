//! The time of rounds of launches: how many there are, and how much each may take.

use std::time::Instant;

use crate::Error;

/// Divides a time among rounds. The smallest number of rounds is made whatever they take; after them a round begins
/// only if the longest one so far would end in time.
pub struct RoundClock {
    begin: Instant,
    /// The time limit, in seconds.
    budget: f64,
    /// The smallest number of rounds.
    least: usize,
    /// The largest number of rounds.
    most: usize,
    /// The number of complete rounds.
    done: usize,
    /// The seconds of the longest round.
    longest: f64,
    /// When the current round has begun, in seconds.
    from: f64,
}

impl RoundClock {
    /// Begins now.
    pub fn begin(budget: f64, least: usize, most: usize) -> RoundClock {
        let begin = Instant::now();
        RoundClock { begin, budget, least, most, done: 0, longest: 0.0, from: 0.0 }
    }

    /// Seconds since the begin.
    pub fn elapsed(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }

    /// Seconds until the limit, negative beyond it.
    pub fn left(&self) -> f64 {
        self.budget - self.elapsed()
    }

    /// Whether the smallest number of rounds is made.
    pub fn has_enough(&self) -> bool {
        self.done >= self.least
    }

    /// Begins a round, and gives the seconds that it may take; `None` if there is to be no other one. The first round
    /// may take the time of all that must be made, divided by their number.
    pub fn next_round(&mut self) -> Option<f64> {
        self.from = self.elapsed();
        let fits = self.done < self.most && self.from + self.longest <= self.budget;
        let still = self.least.saturating_sub(self.done).max(1) as f64;
        (!self.has_enough() || fits).then(|| (self.budget - self.from).max(0.0) / still)
    }

    /// Ends a complete round.
    pub fn end_round(&mut self) {
        self.done += 1;
        self.longest = self.longest.max(self.elapsed() - self.from);
    }

    /// Whether the rounds that must still be made would go on beyond the limit if each takes as long as the longest.
    pub fn is_late(&self) -> bool {
        let rest = self.least.saturating_sub(self.done) as f64;
        self.elapsed() + rest * self.longest > self.budget
    }

    /// The rounds to come take a part of the time of those before.
    pub fn shorten(&mut self, part: f64) {
        self.longest *= part;
    }

    /// Ends the rounds because the user has interrupted one.
    ///
    /// # Errors
    /// If there are not enough.
    pub fn interrupt(&self) -> Result<(), Error> {
        if self.has_enough() {
            return Ok(());
        }
        Err(Error::Interrupted { done: self.done, least: self.least })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of rounds that are made if each takes no time.
    fn rounds(budget: f64, least: usize, most: usize) -> usize {
        let mut clock = RoundClock::begin(budget, least, most);
        let mut count = 0;
        while clock.next_round().is_some() {
            count += 1;
            clock.end_round();
        }
        count
    }

    #[test]
    fn there_are_neither_fewer_nor_more_rounds_than_asked_for() {
        assert_eq!(rounds(0.0, 3, 9), 3);
        assert_eq!(rounds(1e6, 3, 9), 9);
        assert_eq!(rounds(1e6, 3, 3), 3);
    }

    #[test]
    fn the_time_is_divided_among_the_rounds_that_must_be_made() {
        let mut clock = RoundClock::begin(3000.0, 3, 9);
        let first = clock.next_round().unwrap();
        assert!((900.0..=1000.0).contains(&first), "{first}");
        clock.end_round();
        let second = clock.next_round().unwrap();
        assert!((1400.0..=1500.0).contains(&second), "{second}");
    }

    #[test]
    fn an_interrupt_is_an_error_before_there_are_enough_rounds() {
        let mut clock = RoundClock::begin(100.0, 2, 5);
        for done in 0..2 {
            assert!(
                matches!(clock.interrupt(), Err(Error::Interrupted { done: told, least: 2 }) if told == done)
            );
            clock.next_round();
            clock.end_round();
        }
        assert!(clock.interrupt().is_ok());
    }

    #[test]
    fn a_round_that_would_not_end_in_time_does_not_begin() {
        let mut clock = RoundClock { longest: 60.0, done: 3, ..RoundClock::begin(50.0, 3, 9) };
        assert!(clock.next_round().is_none());
        clock.shorten(0.5);
        assert!(clock.next_round().is_some());
        let late = RoundClock { longest: 30.0, done: 1, ..RoundClock::begin(50.0, 3, 9) };
        assert!(late.is_late() && !late.has_enough());
    }
}
