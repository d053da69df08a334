//! Defines the options that the user may choose.

use cll_fit::Weights;
use cll_formula::Quantity;

/// The terms that are tried.
#[derive(Clone, Debug, Default)]
pub enum Dictionary {
    /// Products of x^i log2(x)^j, i from 0 to 3, j from 0 to 3, of each variable; where values grow faster also powers to
    /// x^6, exponentials and factorials; for numbers of processors and where times fall also 1/x and its relatives.
    #[default]
    Standard,
    /// Sums of these terms alone, any of them.
    Given(Vec<Quantity>),
}

/// All choices of a search.
#[derive(Clone, Debug)]
pub struct Options {
    /// How points are weighted.
    pub weights: Weights,
    /// The terms that are tried.
    pub dictionary: Dictionary,
    /// Names of variables that count processors: work may be divided by them.
    pub processors: Vec<String>,
    /// Constants may not be negative. If no such model fits, those of either sign are taken and said.
    pub non_negative: bool,
    /// Whether models of either sign are tried where those of non-negative constants do not explain the data: a difference of
    /// two functions fits a few values of a variable, and means nothing beyond them.
    pub differences: bool,
    /// Most terms beside the constant.
    pub max_terms: usize,
    /// Confidence of intervals, in (0, 1).
    pub confidence: f64,
    /// By so many seconds a time may be wrong however often it is measured, since what surrounds a region overlaps
    /// with it.
    pub unsure: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            weights: Weights::Relative,
            dictionary: Dictionary::Standard,
            processors: [
                "P",
                "p",
                "nprocs",
                "procs",
                "processes",
                "processors",
                "ranks",
                "threads",
                "np",
                "cores",
            ]
            .map(str::to_owned)
            .to_vec(),
            non_negative: true,
            differences: true,
            max_terms: 4,
            confidence: 0.90,
            unsure: 0.0,
        }
    }
}
