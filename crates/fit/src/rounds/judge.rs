//! Which rounds may be fitted, and whether what comes of it can be believed.

use serde::{Deserialize, Serialize};

use crate::rounds::{Mark, Table};

/// How far the rounds can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// No round was disturbed.
    Quiet,
    /// Some were: they are left out, or the intervals are wider by what they differ.
    Disturbed,
    /// The numbers are not those of this program on this machine.
    NotMeasurable,
}

/// Why the state is not quiet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// For scripts: a mark's name, `disagreement`, or `bimodal`.
    pub code: String,
    /// For people.
    pub text: String,
}

/// What may be done with the rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// How far they can be trusted.
    pub state: State,
    /// Which are fitted.
    pub used: Vec<bool>,
    /// By how much disturbed rounds that are used all the same differ from the others: a share by
    /// which every interval is to be widened.
    pub disagreement: Option<f64>,
    /// Why the state is not quiet.
    pub reasons: Vec<Reason>,
}

/// With so many clean rounds the others are not needed.
const CLEAN: usize = 3;
/// Disturbed rounds that differ by more say something else than the clean ones.
const MOST_DISAGREEMENT: f64 = 0.05;
/// With more points in two groups than this the machine had two regimes, or the program has.
const MOST_SPLIT: f64 = 1.0 / 3.0;

/// Decides which rounds are used: clean ones where there are enough; else all, with wider
/// intervals, if clean and disturbed ones agree; else nothing can be said now.
pub fn judge(marks: &[Vec<Mark>], table: &Table) -> Judgement {
    let clean: Vec<bool> = marks.iter().map(Vec::is_empty).collect();
    let count = clean.iter().filter(|is| **is).count();
    let mut reasons = counted(marks);
    let mut judged = |state, used: Vec<bool>, disagreement| {
        if table.split() > MOST_SPLIT {
            reasons.push(Reason {
                code: "bimodal".to_owned(),
                text: format!(
                    "at {:.0} % of the points the samples fall into two groups",
                    100.0 * table.split()
                ),
            });
        }
        Judgement { state, used, disagreement, reasons: std::mem::take(&mut reasons) }
    };
    if count == marks.len() {
        return judged(State::Quiet, clean, None);
    }
    if count >= CLEAN {
        return judged(State::Disturbed, clean, None);
    }
    let all = vec![true; marks.len()];
    match table.disagreement(&clean) {
        Some(share) if share <= MOST_DISAGREEMENT => judged(State::Disturbed, all, Some(share)),
        Some(share) => {
            let mut found = judged(State::NotMeasurable, all, Some(share));
            let text = format!(
                "clean and disturbed rounds differ by {:.0} %, and clean ones are too few ({count})",
                100.0 * share
            );
            found.reasons.push(Reason { code: "disagreement".to_owned(), text });
            found
        }
        None => judged(State::NotMeasurable, all, None),
    }
}

/// Each kind of mark with the number of its rounds.
fn counted(marks: &[Vec<Mark>]) -> Vec<Reason> {
    let mut kinds: Vec<Mark> = marks.iter().flatten().copied().collect();
    kinds.sort_unstable();
    kinds.dedup();
    let reason = |kind: Mark| {
        let count = marks.iter().filter(|of_round| of_round.contains(&kind)).count();
        let rounds = if marks.len() == 1 { "round" } else { "rounds" };
        Reason {
            code: kind.code().to_owned(),
            text: format!("in {count} of {} {rounds} {}", marks.len(), kind.in_words()),
        }
    };
    kinds.into_iter().map(reason).collect()
}

impl Mark {
    /// Its name for scripts.
    pub fn code(self) -> &'static str {
        match self {
            Mark::Interrupted => "interrupted",
            Mark::Stolen => "stolen",
            Mark::Loaded => "loaded",
            Mark::Regime => "regime",
            Mark::Clock => "clock",
            Mark::Partner => "partner",
            Mark::Slow => "slow",
        }
    }

    /// What it says of a round: `in 3 of 5 rounds …`.
    pub fn in_words(self) -> &'static str {
        match self {
            Mark::Interrupted => "the program was made to wait for a processor",
            Mark::Stolen => "the hypervisor took the processor away",
            Mark::Loaded => "other programs were at work",
            Mark::Regime => "the other half of the core was busy",
            Mark::Clock => "the processor's clock was slower than it can be",
            Mark::Partner => "messages between processors took longer than they can",
            Mark::Slow => "the program was slower than in the others",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rounds::table::tests::table;

    fn judged(factors: &[f64], disturbed: &[usize]) -> Judgement {
        let mut marks = vec![Vec::new(); factors.len()];
        for &round in disturbed {
            marks[round].push(Mark::Loaded);
        }
        judge(&marks, &table(factors, 0.01))
    }

    #[test]
    fn a_quiet_machine_uses_all() {
        let found = judged(&[1.0; 5], &[]);
        assert_eq!((found.state, found.used), (State::Quiet, vec![true; 5]));
        assert_eq!(found.reasons, []);
    }

    #[test]
    fn disturbed_rounds_are_left_out_where_enough_are_clean() {
        let found = judged(&[1.0, 1.0, 1.6, 1.0, 1.6], &[2, 4]);
        assert_eq!(found.state, State::Disturbed);
        assert_eq!(found.used, [true, true, false, true, false]);
        assert_eq!(found.disagreement, None);
        assert_eq!(found.reasons[0].text, "in 2 of 5 rounds other programs were at work");
    }

    #[test]
    fn with_few_clean_rounds_the_intervals_widen_or_nothing_is_said() {
        let found = judged(&[1.0, 1.03, 1.03, 1.0, 1.03], &[1, 2, 4]);
        assert_eq!((found.state, found.used), (State::Disturbed, vec![true; 5]));
        assert!((found.disagreement.unwrap() - 0.03).abs() < 0.01);
        let found = judged(&[1.0, 1.6, 1.6, 1.0, 1.6], &[1, 2, 4]);
        assert_eq!(found.state, State::NotMeasurable);
        assert!(found.reasons.iter().any(|reason| reason.code == "disagreement"));
    }

    #[test]
    fn a_load_that_never_ends_is_told_and_not_fitted_silently() {
        let found = judged(&[1.6; 5], &[0, 1, 2, 3, 4]);
        assert_eq!((found.state, found.disagreement), (State::NotMeasurable, None));
    }

    #[test]
    fn two_groups_of_samples_are_told() {
        let found = judged(&[1.0, 1.4, 1.0, 1.4, 1.0, 1.4], &[]);
        assert_eq!(found.reasons[0].code, "bimodal");
    }
}
