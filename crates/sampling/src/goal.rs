//! When to end sampling.

use cll_fit::{is_hopeless, is_misfit};

use cll_campaign::Budget;
use cll_result::Stopped;

/// Rounds before the first evaluation, unless the time is too short for them.
pub const MIN_ROUNDS: u32 = 5;

/// The goal of sampling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Half the width of intervals, as a share.
    pub precision: f64,
    /// The time limit.
    pub budget: Budget,
    /// Whether the user gave the limit: then it applies to the first rounds, too.
    pub strict: bool,
    /// A number of rounds; replaces both.
    pub launches: Option<u32>,
}

/// The progress.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SamplingProgress {
    /// Completed rounds, including those of earlier calls.
    pub rounds: u32,
    /// Seconds of the budget that this call has spent: since its beginning, or of core time.
    pub elapsed: f64,
    /// Seconds of the budget that a round takes.
    pub round_time: f64,
    /// Rounds that were used and the widest interval with them, by time.
    pub history: Vec<(usize, f64)>,
    /// Share of that interval that any number of rounds leaves, by the last fit.
    pub remaining: f64,
    /// Rounds at the last fit; 0: none yet.
    pub fitted_at: u32,
    /// Whether the rounds can be fitted, and the fit is reliable.
    pub is_measurable: bool,
    /// Whether disturbed rounds are fitted since there are no others: a quieter time would help more than more
    /// rounds.
    pub may_become_quiet: bool,
    /// Whether processor time was fitted instead of wall time.
    pub by_processor_time: bool,
}

impl Goal {
    /// Whether to fit now. Not after each round, so that reading the traces repeatedly takes at most a few times
    /// as long as reading them once.
    pub fn is_due(&self, progress: &SamplingProgress) -> bool {
        self.launches.is_none()
            && progress.rounds >= MIN_ROUNDS
            && progress.rounds >= progress.fitted_at + (progress.fitted_at / 5).max(1)
    }

    /// Why to stop; `None` to continue.
    pub fn stop(&self, progress: &SamplingProgress) -> Option<Stopped> {
        if let Some(launches) = self.launches {
            return (progress.rounds >= launches).then_some(Stopped::Launches);
        }
        let spent = progress.elapsed + progress.round_time > self.budget.seconds;
        if progress.rounds < MIN_ROUNDS {
            return (self.strict && progress.rounds > 0 && spent).then_some(Stopped::Budget);
        }
        let is_current = progress.fitted_at > 0;
        if is_current && progress.is_measurable {
            match progress.history.last() {
                Some((_, share)) if *share <= self.precision => return Some(Stopped::Precise),
                Some(_) if progress.may_become_quiet => {}
                Some(_)
                    if is_hopeless(&progress.history, self.precision)
                        || is_misfit(&progress.history, self.precision, progress.remaining) =>
                {
                    return Some(Stopped::Hopeless);
                }
                // Nothing can be fitted, and more rounds will not change that.
                None if progress.rounds >= 2 * MIN_ROUNDS => return Some(Stopped::Hopeless),
                _ => {}
            }
        }
        spent.then_some(Stopped::Budget)
    }

    /// The remaining seconds.
    pub fn left(&self, progress: &SamplingProgress) -> f64 {
        match self.launches {
            Some(launches) => {
                f64::from(launches.saturating_sub(progress.rounds)) * progress.round_time
            }
            None => (self.budget.seconds - progress.elapsed).max(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn elapsed(seconds: f64) -> Budget {
        Budget { seconds, is_core_time: false }
    }

    const GOAL: Goal =
        Goal { precision: 0.02, budget: elapsed(60.0), strict: false, launches: None };

    fn progress(rounds: u32, elapsed: f64, history: &[(usize, f64)]) -> SamplingProgress {
        SamplingProgress {
            rounds,
            elapsed,
            round_time: 1.0,
            history: history.to_vec(),
            fitted_at: rounds,
            is_measurable: true,
            ..SamplingProgress::default()
        }
    }

    #[test]
    fn it_goes_on_until_the_intervals_are_narrow() {
        assert_eq!(GOAL.stop(&progress(3, 3.0, &[])), None);
        assert_eq!(GOAL.stop(&progress(5, 5.0, &[(5, 0.05)])), None);
        assert_eq!(GOAL.stop(&progress(8, 8.0, &[(5, 0.05), (8, 0.019)])), Some(Stopped::Precise));
    }

    #[test]
    fn time_ends_it_but_not_before_the_fewest_rounds_unless_the_user_said_so() {
        assert_eq!(GOAL.stop(&progress(12, 59.5, &[(5, 0.05)])), Some(Stopped::Budget));
        assert_eq!(GOAL.stop(&progress(2, 100.0, &[])), None);
        let strict = Goal { strict: true, budget: elapsed(10.0), ..GOAL };
        assert_eq!(strict.stop(&progress(2, 9.5, &[])), Some(Stopped::Budget));
        assert_eq!(strict.stop(&progress(0, 100.0, &[])), None, "one round there is");
    }

    #[test]
    fn what_more_rounds_do_not_help_is_given_up() {
        let history = [(5, 0.2), (6, 0.2), (10, 0.198)];
        assert_eq!(GOAL.stop(&progress(10, 10.0, &history)), Some(Stopped::Hopeless));
        assert_eq!(GOAL.stop(&progress(10, 10.0, &[])), Some(Stopped::Hopeless), "nothing to fit");
    }

    #[test]
    fn a_misfit_that_decides_ends_it_after_the_first_rounds() {
        let history = [(5, 0.06), (6, 0.061)];
        let misfit = SamplingProgress { remaining: 0.97, ..progress(6, 6.0, &history) };
        assert_eq!(GOAL.stop(&misfit), Some(Stopped::Hopeless));
        assert_eq!(GOAL.stop(&SamplingProgress { remaining: 0.5, ..misfit }), None);
    }

    #[test]
    fn on_a_loaded_machine_it_waits_for_better_times() {
        let loaded = SamplingProgress { is_measurable: false, ..progress(8, 8.0, &[(8, 0.001)]) };
        assert_eq!(GOAL.stop(&loaded), None);
        assert_eq!(GOAL.stop(&SamplingProgress { elapsed: 60.0, ..loaded }), Some(Stopped::Budget));
    }

    #[test]
    fn disturbed_rounds_are_not_given_up_while_there_is_time() {
        let history = [(5, 0.2), (6, 0.2), (10, 0.198)];
        let disturbed = SamplingProgress { may_become_quiet: true, ..progress(10, 10.0, &history) };
        assert_eq!(GOAL.stop(&disturbed), None);
        assert_eq!(
            GOAL.stop(&SamplingProgress { elapsed: 60.0, ..disturbed }),
            Some(Stopped::Budget)
        );
    }

    #[test]
    fn a_number_of_rounds_is_that_number() {
        let goal = Goal { launches: Some(3), ..GOAL };
        assert_eq!(goal.stop(&progress(2, 1e9, &[(2, 0.0)])), None);
        assert_eq!(goal.stop(&progress(3, 0.0, &[])), Some(Stopped::Launches));
        assert!(!goal.is_due(&progress(50, 0.0, &[])));
    }

    #[test]
    fn looks_become_rarer() {
        let mut progress = progress(0, 0.0, &[]);
        progress.fitted_at = 0;
        let mut looks = Vec::new();
        for rounds in 1..=100 {
            progress.rounds = rounds;
            if GOAL.is_due(&progress) {
                progress.fitted_at = rounds;
                looks.push(rounds);
            }
        }
        assert_eq!(looks[..4], [5, 6, 7, 8]);
        assert!(looks.len() < 20, "{looks:?}");
        assert!(looks.iter().sum::<u32>() < 700, "read seven times in all");
    }
}
