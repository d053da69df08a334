//! Which rounds can be fitted, and whether the result is reliable.

use serde::{Deserialize, Serialize};

use super::marks::{Mark, Signs};
use super::shared_deviation::SharedDeviation;
use super::table::RoundsTable;
use crate::numerics::two_sided;
use cll_statistics::{median, quantile};
use cll_units::text::{PercentDigits, percent};

/// How reliable the rounds are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// No round was disturbed.
    Quiet,
    /// Some were disturbed: they are left out, or the intervals are wider.
    Disturbed,
    /// The times are not those of this program on this machine.
    NotMeasurable,
}

/// Why the state is not quiet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reason {
    /// For scripts: a mark's name, `too-wide`, or `bimodal`.
    pub code: String,
    /// The sentence for the user.
    pub text: String,
}

/// By how much measured times may differ from those on a quiet machine, as shares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PossibleError {
    /// By how much they may be shorter on a quiet machine.
    pub below: f64,
    /// By how much they may be longer, by the variation of the rounds.
    pub above: f64,
}

/// The decision about the rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundSelection {
    /// How reliable the rounds are.
    pub state: State,
    /// For each round whether it is fitted.
    pub used: Vec<bool>,
    /// By how much the times may be wrong if disturbed rounds are used: every interval is widened
    /// by it.
    pub off: Option<PossibleError>,
    /// How much runs at another time differ, in addition.
    pub shared: SharedDeviation,
    /// Why the state is not quiet.
    pub reasons: Vec<Reason>,
}

/// Times that may be wrong by less than this are as good as undisturbed ones.
const GOOD: f64 = 0.05;

impl RoundSelection {
    /// By how much times may be wrong, both sides together, as a share; infinite if unknown.
    pub fn width(&self) -> f64 {
        match (self.state, self.off) {
            (State::NotMeasurable, _) => f64::INFINITY,
            (_, Some(off)) => off.below + off.above,
            (_, None) => 0.0,
        }
    }

    /// Whether another observable that is less disturbed would be better.
    pub fn is_wide(&self) -> bool {
        self.width() > GOOD
    }
}

/// This many undisturbed rounds are enough to show their own variation.
const ENOUGH: usize = 3;
/// Wider intervals are useless: such rounds are not fitted.
const WIDEST: f64 = 0.5;
/// Lowest relative standard deviation assumed between rounds.
const MIN_SPREAD: f64 = 0.01;
/// Confidence of the interval for the noise of the rounds.
const CONFIDENCE: f64 = 0.9;
/// If the samples of more points than this share form two groups, the machine (or the program) had
/// two states.
const MAX_SPLIT: f64 = 1.0 / 3.0;

/// Decides which rounds are used: all of them if none is marked. Otherwise the samples decide.
/// Disturbances only lengthen times, and by no more than the signs explain, so each round gives an
/// interval for the quiet time. The rounds with the narrowest interval are fitted. If marked rounds
/// are among them, the confidence intervals are widened accordingly. If that is too wide, the
/// result is [`State::NotMeasurable`].
pub fn select_rounds(marks: &[Vec<Mark>], signs: &[Signs], table: &RoundsTable) -> RoundSelection {
    let mut reasons = counted(marks);
    if table.split() > MAX_SPLIT {
        let share = percent(table.split(), PercentDigits::Decimals(0));
        reasons.push(Reason {
            code: "bimodal".to_owned(),
            text: format!("at {share} of the points the samples fall into two groups"),
        });
    }
    let all = vec![true; marks.len()];
    let decided = |state, used: Vec<bool>, off, reasons| {
        let shared = table.shared(&used);
        RoundSelection { state, used, off, shared, reasons }
    };
    if marks.iter().all(Vec::is_empty) {
        return decided(State::Quiet, all, None, reasons);
    }
    let inflation: Vec<f64> = signs.iter().map(Signs::inflation).collect();
    let Some((used, off)) = best(&inflation, table) else {
        return decided(State::NotMeasurable, all, None, reasons);
    };
    let is_clean = |(of_round, is_used): (&Vec<Mark>, &bool)| !is_used || of_round.is_empty();
    let count = used.iter().filter(|is| **is).count();
    if count >= ENOUGH && marks.iter().zip(&used).all(is_clean) {
        return decided(State::Disturbed, used, None, reasons);
    }
    if off.below + off.above <= WIDEST {
        return decided(State::Disturbed, used, Some(off), reasons);
    }
    let below = percent(off.below.min(1.0), PercentDigits::Decimals(0));
    reasons.push(Reason {
        code: "too-wide".to_owned(),
        text: format!("on a quiet machine the times may be {below} shorter than what was measured"),
    });
    decided(State::NotMeasurable, used, Some(off), reasons)
}

/// The rounds that determine the times of a quiet machine best, and by how much those may be wrong:
/// as many of the least lengthened rounds as make the interval narrowest. Where rounds measure different
/// points, no point is left out with them. `None` if no round gives an interval.
fn best(inflation: &[f64], table: &RoundsTable) -> Option<(Vec<bool>, PossibleError)> {
    let slowness = table.slowness();
    let mut rounds: Vec<(usize, f64, f64)> = slowness
        .iter()
        .enumerate()
        .filter_map(|(round, value)| Some((round, inflation[round], (*value)?)))
        .collect();
    rounds.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut all: Vec<f64> = rounds.iter().map(|(_, _, slow)| *slow).collect();
    all.sort_unstable_by(f64::total_cmp);
    // Times of a quiet machine are not longer than those of the fast rounds.
    let quick = quantile(all.first().map(|_| all.as_slice())?, 0.25);
    // A round slower than its signs explain was disturbed by something unknown. For normal noise
    // these quantiles are about one standard deviation apart, whatever the slow rounds are.
    let spread = (quick / quantile(&all, 0.05) - 1.0).max(MIN_SPREAD);
    rounds.retain(|(_, by, slow)| slow / (1.0 + by) <= (1.0 + 3.0 * spread) * quick);
    let mut found: Option<(usize, PossibleError)> = None;
    let order: Vec<usize> = rounds.iter().map(|(round, ..)| *round).collect();
    for count in table.needed(&order)..=rounds.len() {
        let off = off(&rounds[..count], quick)?;
        let is_narrower =
            |known: &(usize, PossibleError)| off.below + off.above <= known.1.below + known.1.above;
        if found.as_ref().is_none_or(is_narrower) {
            found = Some((count, off));
        }
    }
    let (count, off) = found?;
    let mut used = vec![false; slowness.len()];
    rounds[..count].iter().for_each(|(round, ..)| used[*round] = true);
    Some((used, off))
}

/// By how much the times of these rounds (number, inflation, slowness) may be wrong.
fn off(rounds: &[(usize, f64, f64)], quick: f64) -> Option<PossibleError> {
    let level = median(rounds.iter().map(|(_, _, slow)| *slow))?;
    let least = median(rounds.iter().map(|(_, by, slow)| slow / (1.0 + by)))?;
    let count = rounds.len() as f64;
    // Not a robust estimate: the rounds should agree.
    let squares: f64 = rounds.iter().map(|(_, _, slow)| (slow / level - 1.0).powi(2)).sum();
    let spread = (squares / (count - 1.0).max(1.0)).sqrt().max(MIN_SPREAD);
    // The variation of one round is unknown: it counts as one of two.
    let noise = two_sided(CONFIDENCE, count - 1.0) * spread / count.sqrt();
    let below = 1.0 - least.min(quick) / level;
    Some(PossibleError { below: (below.max(0.0) + noise).min(1.0), above: noise })
}

/// Each kind of mark with its number of rounds.
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
    /// Returns the name of the mark for scripts.
    pub fn code(self) -> &'static str {
        match self {
            Mark::Throttled => "throttled",
            Mark::Interrupted => "interrupted",
            Mark::Stolen => "stolen",
            Mark::Loaded => "loaded",
            Mark::Regime => "regime",
            Mark::Clock => "clock",
            Mark::Partner => "partner",
            Mark::Slow => "slow",
        }
    }

    /// Returns the text of the mark after `in 3 of 5 rounds …`.
    pub fn in_words(self) -> &'static str {
        match self {
            Mark::Throttled => "the quota of the control group stopped the program",
            Mark::Interrupted => "the program had to wait for a processor",
            Mark::Stolen => "the hypervisor took the processor away",
            Mark::Loaded => "other programs were running",
            Mark::Regime => "the other hardware thread of the core was busy",
            Mark::Clock => "the processor's clock was below its maximum",
            Mark::Partner => "messages between processors took longer than the best known time",
            Mark::Slow => "the program was slower than in the others",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measuring::rounds::table::tests::{Noise, table};

    const LOADED: Signs = Signs { elsewhere: 1.0, ..NOTHING };
    const NOTHING: Signs = Signs {
        waiting: None,
        stopped: 0.0,
        interruptions: 0.0,
        steal: 0.0,
        others: 0.0,
        elsewhere: 0.0,
        sheltered: false,
        polluted: 0.0,
        chain: None,
        narrow: None,
        pressed: None,
        partner: None,
    };

    fn judged(factors: &[f64], disturbed: &[usize], sign: &Signs) -> RoundSelection {
        let mut signs = vec![NOTHING; factors.len()];
        disturbed.iter().for_each(|&round| signs[round] = sign.clone());
        let table = table(factors, 0.01);
        let marks = crate::measuring::rounds::marks::marks(&signs, &vec![None; factors.len()]);
        select_rounds(&marks, &signs, &table)
    }

    #[test]
    fn a_quiet_machine_uses_all() {
        let selection = judged(&[1.0; 5], &[], &LOADED);
        assert_eq!((selection.state, selection.used), (State::Quiet, vec![true; 5]));
        assert_eq!((selection.reasons, selection.off), (vec![], None));
    }

    #[test]
    fn disturbed_rounds_are_left_out_where_enough_are_clean() {
        let selection = judged(&[1.0, 1.0, 1.6, 1.0, 1.6], &[2, 4], &LOADED);
        assert_eq!(selection.state, State::Disturbed);
        assert_eq!(selection.used, [true, true, false, true, false]);
        assert_eq!(selection.off, None);
        assert_eq!(selection.reasons[0].text, "in 2 of 5 rounds other programs were running");
    }

    #[test]
    fn a_mark_that_lengthens_nothing_leaves_nothing_out() {
        let often = Signs { interruptions: 100.0, ..NOTHING };
        let selection = judged(&[1.0, 1.005, 1.0, 1.3, 1.005, 1.0], &[1, 2, 3], &often);
        assert_eq!(selection.state, State::Disturbed);
        assert_eq!(selection.used, [true, true, true, false, true, true]);
    }

    /// The command of the guide: an interruption in each round, but samples that agree.
    #[test]
    fn samples_that_agree_are_an_answer_whatever_the_symptoms() {
        let often = Signs { interruptions: 100.0, waiting: Some(0.02), ..NOTHING };
        let selection = judged(&[1.0, 1.01, 0.99, 1.0, 1.01, 1.0], &[0, 1, 2, 3, 4, 5], &often);
        assert_eq!(selection.state, State::Disturbed);
        let off = selection.off.unwrap();
        assert!(off.below > 0.02 && off.below < 0.06 && off.above < 0.04, "{off:?}");
    }

    #[test]
    fn with_few_clean_rounds_the_quickest_count_and_the_interval_says_how_well() {
        let selection = judged(&[1.0, 1.4, 1.4, 1.0, 1.4, 1.4, 1.4], &[1, 2, 4, 5, 6], &LOADED);
        assert_eq!(selection.state, State::Disturbed);
        assert_eq!(selection.used, [true, false, false, true, false, false, false]);
        assert!(selection.off.unwrap().below < 0.08, "{:?}", selection.off);
    }

    #[test]
    fn a_load_that_never_ends_is_in_the_interval_by_what_it_can_have_done() {
        let busy = Signs { narrow: Some(1.0), pressed: Some(0.3), ..NOTHING };
        let selection = judged(&[1.6, 1.61, 1.59, 1.6, 1.6], &[0, 1, 2, 3, 4], &busy);
        assert_eq!(selection.state, State::Disturbed);
        let off = selection.off.unwrap();
        assert!(off.below > 0.27 && off.below < 0.3 && off.above < 0.02, "{off:?}");
    }

    #[test]
    fn what_shares_its_processor_within_every_sample_is_not_measurable() {
        let shared = Signs { waiting: Some(0.5), ..NOTHING };
        let selection = judged(&[1.6, 2.2, 1.9, 2.0, 2.4], &[0, 1, 2, 3, 4], &shared);
        assert_eq!(selection.state, State::NotMeasurable);
        assert!(selection.reasons.iter().any(|reason| reason.code == "too-wide"));
    }

    /// Rounds of chosen points: the disturbed first ones have sizes that no other has.
    #[test]
    fn no_point_is_left_out_with_its_rounds() {
        let mut table = RoundsTable::new(9);
        let sizes: [(f64, std::ops::Range<usize>); 5] =
            [(1e-4, 0..3), (2e-4, 0..3), (4e-4, 0..3), (8e-4, 3..5), (16e-4, 5..9)];
        for (size, rounds) in sizes {
            let of_round =
                |round| if rounds.contains(&round) { vec![size, 1.01 * size] } else { Vec::new() };
            table.add((0..9).map(of_round).collect());
        }
        let mut signs = vec![NOTHING; 9];
        let busy = Signs { narrow: Some(1.0), pressed: Some(0.2), ..NOTHING };
        signs[..5].iter_mut().for_each(|sign| *sign = busy.clone());
        let marks = crate::measuring::rounds::marks::marks(&signs, &table.slowness());
        let selection = select_rounds(&marks, &signs, &table);
        let used: Vec<usize> = (0..9).filter(|&round| selection.used[round]).collect();
        assert!(used.iter().any(|round| (0..3).contains(round)), "{used:?}");
        assert!(used.contains(&3) || used.contains(&4), "{used:?}");
        // What the disturbed ones can be wrong by is known.
        assert!(selection.off.is_some_and(|off| off.below > 0.0), "{selection:?}");
    }

    /// Many kinds of load, each round lengthened by a share of what its signs explain: the quiet
    /// time is in the interval in at least nine of ten cases.
    #[test]
    fn answers_hold_the_quiet_time() {
        let mut noise = Noise::new(29);
        let (mut answers, mut covered) = (0, 0);
        for trial in 0..600 {
            let rounds = 5 + trial % 8;
            let load = [0.05, 0.2, 0.4][trial % 3];
            let mut signs = Vec::new();
            let mut factors = Vec::new();
            for _ in 0..rounds {
                let pressed = load * noise.around(0.3).clamp(0.0, 2.0);
                let share = noise.around(0.25).clamp(0.0, 2.0) / 2.0;
                let sign = Signs { narrow: Some(1.0), pressed: Some(pressed), ..NOTHING };
                factors.push((1.0 + share * sign.inflation()) * noise.around(0.01));
                signs.push(sign);
            }
            let table = table(&factors, 0.02);
            let selection = select_rounds(&vec![vec![Mark::Regime]; rounds], &signs, &table);
            let Some(off) = selection.off.filter(|_| selection.state == State::Disturbed) else {
                continue;
            };
            answers += 1;
            let used = factors.iter().zip(&selection.used).filter(|(_, is)| **is);
            let level = median(used.map(|(factor, _)| *factor)).unwrap();
            covered +=
                usize::from(level * (1.0 - off.below) <= 1.0 && 1.0 <= level * (1.0 + off.above));
        }
        assert!(answers > 500, "{answers}");
        assert!(covered * 10 >= answers * 9, "{covered} of {answers}");
    }

    #[test]
    fn two_groups_of_samples_are_reported() {
        let selection = judged(&[1.0, 1.4, 1.0, 1.4, 1.0, 1.4], &[], &LOADED);
        assert_eq!(selection.reasons[0].code, "bimodal");
    }
}
