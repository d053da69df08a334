//! A value before and after, with an interval if there are several runs.

use schemars::JsonSchema;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// A value of two sets of runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Change {
    /// The mean before.
    pub before: f64,
    /// The mean after.
    pub after: f64,
    /// After - before.
    pub difference: f64,
    /// The interval of the difference (Welch's), if both have several runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
}

impl Change {
    /// Computes the change from the values of all runs.
    pub fn new(before: &[f64], after: &[f64], confidence: f64) -> Change {
        let (a, b) = (Moments::new(before), Moments::new(after));
        let difference = b.mean - a.mean;
        let interval = (before.len() > 1 && after.len() > 1).then(|| {
            let (u, v) = (a.variance / a.count, b.variance / b.count);
            let half = match u + v {
                // All runs are equal: h, for instance.
                variance if variance <= 0.0 => 0.0,
                variance => {
                    let freedom =
                        variance * variance / (u * u / (a.count - 1.0) + v * v / (b.count - 1.0));
                    let t = StudentsT::new(0.0, 1.0, freedom)
                        .map_or(f64::INFINITY, |t| t.inverse_cdf(0.5 + confidence / 2.0));
                    t * variance.sqrt()
                }
            };
            (difference - half, difference + half)
        });
        Change { before: a.mean, after: b.mean, difference, interval }
    }

    /// After / before; 1 where both are 0.
    pub fn ratio(&self) -> f64 {
        ratio(self.after, self.before)
    }

    /// The ends of the interval of the difference; if there is none, both are the difference.
    pub fn ends(&self) -> (f64, f64) {
        self.interval.unwrap_or((self.difference, self.difference))
    }

    /// Whether the interval includes 0, no difference. False if there is no interval.
    pub fn may_be_chance(&self) -> bool {
        self.interval.is_some_and(|(low, high)| low <= 0.0 && high >= 0.0)
    }
}

/// a / b; 1 where both are 0.
fn ratio(a: f64, b: f64) -> f64 {
    if a == b { 1.0 } else { a / b }
}

struct Moments {
    count: f64,
    mean: f64,
    variance: f64,
}

impl Moments {
    fn new(values: &[f64]) -> Moments {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count.max(1.0);
        let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        Moments { count, mean, variance: squares / (count - 1.0).max(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_welch() {
        // Student's t for 4 degrees of freedom: 2.776; standard error sqrt(1/3 + 1/3).
        let change = Change::new(&[1.0, 2.0, 3.0], &[5.0, 6.0, 7.0], 0.95);
        let half = 2.776_445 * (2.0f64 / 3.0).sqrt();
        let (low, high) = change.interval.unwrap();
        assert!((low - (4.0 - half)).abs() < 1e-5 && (high - (4.0 + half)).abs() < 1e-5);
        assert!(!change.may_be_chance());
    }

    #[test]
    fn one_run_has_no_interval_and_equal_ones_a_point() {
        assert_eq!(Change::new(&[1.0], &[2.0, 3.0], 0.95).interval, None);
        assert_eq!(Change::new(&[8.0, 8.0], &[9.0, 9.0], 0.95).interval, Some((1.0, 1.0)));
    }
}
