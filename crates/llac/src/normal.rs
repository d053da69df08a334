//! Intervals of normal distributions.

use statrs::distribution::{ContinuousCDF, Normal};

/// Half the width of an interval of a normal distribution, in standard deviations.
pub(crate) fn deviations(confidence: f64) -> f64 {
    Normal::standard().inverse_cdf(0.5 + 0.5 * confidence)
}
