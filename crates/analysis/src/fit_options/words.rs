//! The words that stand for the values of options.

use cll_fit::{Aggregate, Loss, Outliers, Weights};

use super::error::OptionError;
use crate::Time;

/// The limit of a studentised residual if none is given.
const OUTLIER_LIMIT: f64 = 4.0;

/// A word that stands for a value.
#[derive(Clone, Copy, Debug)]
pub struct Word<T: 'static> {
    /// The word.
    pub word: &'static str,
    /// Another word for the same.
    pub alias: Option<&'static str>,
    /// A description for help; empty if the word says enough.
    pub summary: &'static str,
    /// The value.
    pub value: T,
}

/// A value of an option that is written as a word.
pub trait Words: Copy + PartialEq + Send + Sync + 'static {
    /// All words, in the order in which help shows them.
    const WORDS: &'static [Word<Self>];

    /// The value of a word or of its alias.
    fn from_word(text: &str) -> Option<Self> {
        let known =
            Self::WORDS.iter().find(|known| known.word == text || known.alias == Some(text));
        known.map(|known| known.value)
    }

    /// The word for a value.
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|known| known.value == self).map_or("", |known| known.word)
    }

    /// The words without their aliases.
    fn all() -> Vec<&'static str> {
        Self::WORDS.iter().map(|known| known.word).collect()
    }
}

const fn word<T>(word: &'static str, value: T) -> Word<T> {
    Word { word, alias: None, summary: "", value }
}

const fn described<T>(word: &'static str, summary: &'static str, value: T) -> Word<T> {
    Word { word, alias: None, summary, value }
}

const fn aliased<T>(word: &'static str, alias: &'static str, value: T) -> Word<T> {
    Word { word, alias: Some(alias), summary: "", value }
}

impl Words for Weights {
    const WORDS: &'static [Word<Weights>] =
        &[word("relative", Weights::Relative), aliased("absolute", "abs", Weights::Absolute)];
}

impl Words for Loss {
    const WORDS: &'static [Word<Loss>] =
        &[word("squares", Loss::Squares), word("huber", Loss::Huber)];
}

impl Words for Aggregate {
    const WORDS: &'static [Word<Aggregate>] = &[
        word("median", Aggregate::Median),
        aliased("minimum", "min", Aggregate::Minimum),
        word("mean", Aggregate::Mean),
        word("all", Aggregate::All),
    ];
}

impl Words for Time {
    const WORDS: &'static [Word<Time>] =
        &[word("inclusive", Time::Inclusive), word("exclusive", Time::Exclusive)];
}

/// How it is decided where constants change; [`cll_fit::Intervals`] has the limits, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalRule {
    /// Levels with jumps, rises and kinks between them.
    Levels,
    /// The best division into intervals.
    Dynamic,
    /// The rule of the 2003 paper.
    Greedy,
    /// One set of constants.
    None,
}

impl Words for IntervalRule {
    const WORDS: &'static [Word<IntervalRule>] = &[
        described(
            "levels",
            "No intervals: constants are costs with levels, and jump, rise or bend between them",
            IntervalRule::Levels,
        ),
        described(
            "dynamic",
            "The best division, by dynamic programming; their number by BIC",
            IntervalRule::Dynamic,
        ),
        described(
            "greedy",
            "The papers' rule, with the error threshold and the largest number of intervals",
            IntervalRule::Greedy,
        ),
        described("none", "One set of constants everywhere", IntervalRule::None),
    ];
}

/// Which values are outliers; [`Outliers`] has the limit, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlierRule {
    /// None.
    Keep,
    /// Repetitions far from the others of their point.
    Spikes,
    /// Points far from the model.
    Points,
}

impl Words for OutlierRule {
    const WORDS: &'static [Word<OutlierRule>] = &[
        word("keep", OutlierRule::Keep),
        word("spikes", OutlierRule::Spikes),
        word("points", OutlierRule::Points),
    ];
}

impl OutlierRule {
    /// The rule with the limit of the studentised residual of points.
    ///
    /// # Errors
    /// If the limit is not above 0.
    pub fn with_limit(self, limit: Option<f64>) -> Result<Outliers, OptionError> {
        match (self, limit.unwrap_or(OUTLIER_LIMIT)) {
            (OutlierRule::Keep, _) => Ok(Outliers::Keep),
            (OutlierRule::Spikes, _) => Ok(Outliers::Spikes),
            (OutlierRule::Points, limit) if limit > 0.0 => Ok(Outliers::Points { limit }),
            (OutlierRule::Points, limit) => Err(OptionError::OutlierLimit(limit.to_string())),
        }
    }
}

/// Reads `keep`, `spikes`, `points` or `points=LIMIT`.
///
/// # Errors
/// If it is none of these.
pub fn parse_outliers(text: &str) -> Result<Outliers, OptionError> {
    let (rule, limit) =
        text.split_once('=').map_or((text, None), |(rule, limit)| (rule, Some(limit)));
    match (OutlierRule::from_word(rule), limit) {
        (Some(rule), None) => rule.with_limit(None),
        (Some(OutlierRule::Points), Some(limit)) => match limit.parse() {
            Ok(number) => OutlierRule::Points.with_limit(Some(number)),
            Err(_) => Err(OptionError::OutlierLimit(limit.to_owned())),
        },
        _ => Err(OptionError::OutlierRule),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_are_read() {
        assert_eq!(parse_outliers("keep"), Ok(Outliers::Keep));
        assert_eq!(parse_outliers("points"), Ok(Outliers::Points { limit: 4.0 }));
        assert_eq!(parse_outliers("points=2.5"), Ok(Outliers::Points { limit: 2.5 }));
        for wrong in ["points=0", "points=-1", "points=x", "points=", "points=nan"] {
            let told = parse_outliers(wrong).unwrap_err().to_string();
            assert!(told.ends_with("is not a number above 0"), "{wrong}: {told}");
        }
        for wrong in ["", "spikes=2", "keep=1", "point", "Keep"] {
            assert!(
                parse_outliers(wrong).unwrap_err().to_string().contains("keep, spikes"),
                "{wrong}"
            );
        }
    }

    fn words_are_their_own<T: Words + std::fmt::Debug>() {
        for known in T::WORDS {
            assert_eq!(T::from_word(known.word), Some(known.value));
            assert_eq!(known.value.word(), known.word);
        }
        assert_eq!(T::from_word("something-else"), None);
    }

    #[test]
    fn words_stand_for_their_values() {
        words_are_their_own::<Weights>();
        words_are_their_own::<Loss>();
        words_are_their_own::<Aggregate>();
        words_are_their_own::<Time>();
        words_are_their_own::<IntervalRule>();
        words_are_their_own::<OutlierRule>();
        assert_eq!(Aggregate::from_word("min"), Some(Aggregate::Minimum));
    }
}
