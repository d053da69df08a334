//! The options of a fit that a user has given, checked.

use cll_fit::{Aggregate, Intervals, Loss, Options, Outliers, Weights};

use super::error::{MAX_INTERVALS, OptionError};
use super::words::IntervalRule;

/// Most intervals if nothing is said.
const DEFAULT_INTERVALS: usize = 6;
/// The error threshold of the papers' rule if none is given.
const DEFAULT_THRESHOLD: f64 = 0.10;

/// The options that a user has given; what is `None` was not given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenFit {
    /// How points are weighted.
    pub weights: Option<Weights>,
    /// Which function of the residuals is minimised.
    pub loss: Option<Loss>,
    /// The value that represents the repetitions of a point.
    pub aggregate: Option<Aggregate>,
    /// How it is decided where constants change.
    pub rule: Option<IntervalRule>,
    /// Most intervals.
    pub max_intervals: Option<usize>,
    /// The largest relative error that the papers' rule accepts.
    pub error_threshold: Option<f64>,
    /// Boundaries by hand: values of a variable or an expression.
    pub breaks: Vec<(String, f64)>,
    /// The variable or expression along which constants change.
    pub axis: Option<String>,
    /// Whether constants that do not differ stay apart.
    pub no_join: bool,
    /// Whether no constant may be negative.
    pub non_negative: bool,
    /// Whether constants with levels may be negative.
    pub signed: bool,
    /// Whether predictions are those of the formula alone.
    pub no_follow: bool,
    /// How outliers are treated.
    pub outliers: Option<Outliers>,
    /// Confidence of all intervals.
    pub confidence: Option<f64>,
}

impl GivenFit {
    /// The options as a fit takes them, with the defaults for what is not given.
    ///
    /// # Errors
    /// If two options contradict each other, or a value is out of its limits.
    pub fn options(self) -> Result<Options, OptionError> {
        let defaults = Options::default();
        let intervals = self.intervals()?;
        let confidence = self.confidence.unwrap_or(defaults.confidence);
        if !(confidence > 0.0 && confidence < 1.0) {
            return Err(OptionError::Confidence(confidence));
        }
        if self.signed && self.non_negative {
            return Err(OptionError::Sign);
        }
        Ok(Options {
            weights: self.weights.unwrap_or_default(),
            loss: self.loss.unwrap_or_default(),
            aggregate: self.aggregate.unwrap_or_default(),
            intervals,
            axis: self.axis,
            join: !self.no_join,
            non_negative: self.non_negative,
            signed: self.signed,
            outliers: self.outliers.unwrap_or_default(),
            follow: !self.no_follow,
            confidence,
            runs: defaults.runs,
        })
    }

    fn intervals(&self) -> Result<Intervals, OptionError> {
        let max_intervals = self.max_intervals.unwrap_or(DEFAULT_INTERVALS);
        if !(1..=MAX_INTERVALS).contains(&max_intervals) {
            return Err(OptionError::MaxIntervals(max_intervals));
        }
        let error_threshold = self.error_threshold.unwrap_or(DEFAULT_THRESHOLD);
        if error_threshold.is_nan() || error_threshold <= 0.0 {
            return Err(OptionError::ErrorThreshold(error_threshold));
        }
        if let Some((variable, _)) = self.breaks.first() {
            if let Some((other, _)) = self.breaks.iter().find(|(name, _)| name != variable) {
                return Err(OptionError::BreakVariables(variable.clone(), other.clone()));
            }
            let breaks = self.breaks.iter().map(|(_, value)| *value).collect();
            return Ok(Intervals::ByHand { variable: variable.clone(), breaks });
        }
        // A choice about intervals asks for them.
        let is_asked = self.max_intervals.is_some() || self.no_join;
        let by_default = if is_asked { IntervalRule::Dynamic } else { IntervalRule::Levels };
        Ok(match self.rule.unwrap_or(by_default) {
            IntervalRule::Levels => Intervals::levels(),
            IntervalRule::Dynamic => Intervals::Dynamic { max_intervals },
            IntervalRule::Greedy => Intervals::Greedy { error_threshold, max_intervals },
            IntervalRule::None => Intervals::None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_given_is_the_default() {
        assert_eq!(GivenFit::default().options(), Ok(Options::default()));
    }

    #[test]
    fn a_choice_about_intervals_asks_for_them() {
        let most = GivenFit { max_intervals: Some(3), ..GivenFit::default() };
        assert_eq!(most.options().unwrap().intervals, Intervals::Dynamic { max_intervals: 3 });
        let apart = GivenFit { no_join: true, ..GivenFit::default() };
        let options = apart.options().unwrap();
        assert_eq!(options.intervals, Intervals::dynamic());
        assert!(!options.join);
        let levels = GivenFit {
            rule: Some(IntervalRule::Levels),
            max_intervals: Some(3),
            ..GivenFit::default()
        };
        assert_eq!(levels.options().unwrap().intervals, Intervals::levels());
    }

    #[test]
    fn what_is_out_of_its_limits_is_refused() {
        let refused = |given: GivenFit| given.options().unwrap_err();
        let none = GivenFit::default;
        for count in [0, 65] {
            let given = GivenFit { max_intervals: Some(count), ..none() };
            assert_eq!(refused(given), OptionError::MaxIntervals(count));
        }
        for share in [0.0, 1.0, -0.5, f64::INFINITY] {
            let given = GivenFit { confidence: Some(share), ..none() };
            assert_eq!(refused(given), OptionError::Confidence(share));
        }
        let given = GivenFit { confidence: Some(f64::NAN), ..none() };
        assert!(matches!(refused(given), OptionError::Confidence(_)));
        let given = GivenFit { error_threshold: Some(0.0), ..none() };
        assert_eq!(refused(given), OptionError::ErrorThreshold(0.0));
        let given = GivenFit { signed: true, non_negative: true, ..none() };
        assert_eq!(refused(given), OptionError::Sign);
        let breaks = vec![("N".to_owned(), 1.0), ("P".to_owned(), 2.0)];
        let given = GivenFit { breaks, ..none() };
        assert_eq!(refused(given), OptionError::BreakVariables("N".to_owned(), "P".to_owned()));
    }
}
