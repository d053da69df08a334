//! From two fits of one experiment to the constants, values and boundaries that have moved.

mod change;
mod matching;

use serde::{Deserialize, Serialize};

use crate::{Boundary, Estimate, Fit};
use change::{Compared, compared};

pub(crate) use matching::{common, pairs};

/// The options that decide what counts as a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompareOptions {
    /// Confidence of all intervals of one comparison together.
    pub confidence: f64,
    /// A smaller relative change is of no practical importance.
    pub threshold: f64,
}

impl Default for CompareOptions {
    fn default() -> CompareOptions {
        CompareOptions { confidence: 0.90, threshold: 0.05 }
    }
}

/// Whether something has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Moved {
    /// The interval of the change excludes zero, and reaches beyond the threshold.
    Moved,
    /// The interval of the change lies within the threshold.
    NotMoved,
    /// The interval contains both no change and more than the threshold, or is not known.
    CannotTell,
}

/// A change of a value with known uncertainty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// The value before.
    pub old: f64,
    /// The value now.
    pub new: f64,
    /// `new / old - 1`; `None` if the old value is zero.
    pub change: Option<f64>,
    /// Lower end of its interval; `None` if there is none.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Welch's statistic: the difference by its standard error; `None` without standard errors.
    pub t: Option<f64>,
    /// The degrees of freedom of the statistic (Satterthwaite).
    pub dof: Option<f64>,
    /// Probability of a difference as large by chance.
    pub p_value: Option<f64>,
    /// The same times the number of comparisons, at most 1 (Bonferroni).
    pub p_adjusted: Option<f64>,
    /// The verdict that follows.
    pub verdict: Moved,
}

/// A constant in both fits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConstantChange {
    /// The name of the constant in the new fit.
    pub constant: String,
    /// The expression of the constant's term.
    pub term: String,
    /// The place of the constant among the new fit's constants, and its segment.
    pub segment: (usize, usize),
    /// The same in the old fit.
    pub old_segment: (usize, usize),
    /// Both values with their intervals.
    pub old: Estimate,
    /// The new one.
    pub new: Estimate,
    /// The change; `None` if one of the values is not determined.
    pub change: Option<Change>,
}

/// A value of both models at the same place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValueChange {
    /// Values of the new fit's variables.
    pub at: Vec<f64>,
    /// The change of the model's value there, without the variation of single measurements.
    pub change: Change,
}

/// A boundary along an axis that both fits have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoundaryChange {
    /// The axis.
    pub axis: String,
    /// The boundary before; `None` if it is new.
    pub old: Option<Boundary>,
    /// The boundary now; `None` if it is gone.
    pub new: Option<Boundary>,
    /// Moved, if their plausible ranges have nothing in common, or if one of them does not exist.
    pub moved: bool,
}

/// Two fits of one experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FitComparison {
    /// Confidence of all intervals of the constants together, and of those of the values.
    pub confidence: f64,
    /// The number of experiments for whose comparison all intervals together have this confidence.
    pub experiments: usize,
    /// The practical threshold.
    pub threshold: f64,
    /// Variables, the order of [`ValueChange::at`].
    pub variables: Vec<String>,
    /// The old formula, if it is another one.
    pub old_formula: Option<String>,
    /// The new formula.
    pub formula: String,
    /// Constants whose terms both formulas have.
    pub constants: Vec<ConstantChange>,
    /// Constants of the old formula whose terms the new one does not have.
    pub gone: Vec<String>,
    /// Constants of the new formula whose terms the old one does not have.
    pub added: Vec<String>,
    /// Values at sizes measured for both; if there are none, at measured sizes of the new fit that
    /// are inside the old data.
    pub values: Vec<ValueChange>,
    /// Boundaries of intervals or regions.
    pub boundaries: Vec<BoundaryChange>,
}

/// Why two fits cannot be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CompareError {
    /// The observables have different units.
    #[error("the old values are in {old}, the new ones in {new}")]
    Units {
        /// Unit before.
        old: String,
        /// Unit now.
        new: String,
    },
    /// The confidence or the threshold makes no sense.
    #[error("{what} is {value}; it must be {expected}")]
    Option {
        /// Which.
        what: &'static str,
        /// The value of the option.
        value: f64,
        /// The values that are allowed.
        expected: &'static str,
    },
}

/// At most so many values are compared.
const MOST_VALUES: usize = 5;

/// Compares two fits of one experiment.
///
/// A constant's standard error is that of its confidence interval, which allows for other divisions
/// and for disturbed runs, too. The difference is tested by Welch's test (1947), the interval of the
/// relative change is Fieller's (1954). All constants are compared together: for m comparisons every
/// interval has the confidence 1 - (1 - c)/m (Bonferroni), and so have all values.
///
/// # Errors
/// [`CompareError`] if the units differ or an option makes no sense.
pub fn compare(
    old: &Fit,
    new: &Fit,
    options: &CompareOptions,
) -> Result<FitComparison, CompareError> {
    compare_among(old, new, options, 1)
}

/// [`compare`] of one of several experiments: the confidence is that of the intervals of all of them together.
///
/// # Errors
/// As [`compare`].
pub fn compare_among(
    old: &Fit,
    new: &Fit,
    options: &CompareOptions,
    experiments: usize,
) -> Result<FitComparison, CompareError> {
    check(old, new, options)?;
    let experiments = experiments.max(1);
    let pairs = pairs(old, new);
    let together = pairs.constants.len() * experiments;
    let constants = pairs.constants.iter().map(|pair| {
        let (term, segment) = pair.new;
        let (old_term, old_segment) = pair.old;
        let (before, now) = (&old.constants[old_term], &new.constants[term]);
        let (segment, other) = (&before.segments[old_segment], &now.segments[segment]);
        let sides = [
            Compared::of_estimate(old, &segment.estimate, segment.first_interval),
            Compared::of_estimate(new, &other.estimate, other.first_interval),
        ];
        ConstantChange {
            constant: now.constant.clone(),
            term: now.term.clone(),
            segment: pair.new,
            old_segment: pair.old,
            old: segment.estimate.clone(),
            new: other.estimate.clone(),
            change: match sides {
                [Some(a), Some(b)] => Some(compared(&a, &b, options, together)),
                _ => None,
            },
        }
    });
    let constants = constants.collect();
    let places = common(old, new, MOST_VALUES);
    let together = places.len() * experiments;
    let values = places.into_iter().filter_map(|place| {
        let a = Compared::of_value(old, &place.old)?;
        let b = Compared::of_value(new, &place.new)?;
        Some(ValueChange { at: place.new, change: compared(&a, &b, options, together) })
    });
    let formula = new.formula.text().to_owned();
    Ok(FitComparison {
        confidence: options.confidence,
        experiments,
        threshold: options.threshold,
        variables: new.variables.clone(),
        old_formula: (old.formula.text() != formula).then(|| old.formula.text().to_owned()),
        formula,
        constants,
        gone: pairs.gone,
        added: pairs.added,
        values: values.collect(),
        boundaries: matching::boundaries(old, new),
    })
}

fn check(old: &Fit, new: &Fit, options: &CompareOptions) -> Result<(), CompareError> {
    if old.unit != new.unit {
        return Err(CompareError::Units { old: old.unit.to_string(), new: new.unit.to_string() });
    }
    let CompareOptions { confidence, threshold } = *options;
    if !(confidence > 0.0 && confidence < 1.0) {
        let expected = "between 0 and 1, such as 0.9";
        return Err(CompareError::Option { what: "the confidence", value: confidence, expected });
    }
    if !(threshold >= 0.0 && threshold.is_finite()) {
        let expected = "a share of 0 or more, such as 0.05";
        return Err(CompareError::Option { what: "the threshold", value: threshold, expected });
    }
    Ok(())
}

impl FitComparison {
    /// Whether a value of the model is larger than before, for certain and by more than the
    /// threshold allows: its verdict is moved, and its change positive.
    pub fn is_slower(&self) -> bool {
        let slower = |change: &Change| {
            change.verdict == Moved::Moved && change.change.is_some_and(|change| change > 0.0)
        };
        self.values.iter().any(|value| slower(&value.change))
    }

    /// The constants with this verdict.
    pub fn with(&self, verdict: Moved) -> impl Iterator<Item = &ConstantChange> {
        self.constants.iter().filter(move |constant| {
            constant.change.as_ref().map_or(Moved::CannotTell, |change| change.verdict) == verdict
        })
    }
}
