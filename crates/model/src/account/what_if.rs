//! How the time of a program changes with its quantities.

use cll_statistics::quantile;
use cll_units::Seconds;
use schemars::JsonSchema;
use serde::Serialize;

use crate::evaluate::Evaluator;
use crate::parameters::{Quantities, Quantity};
use crate::price::Pricing;
use crate::program::Program;

use super::{Draws, Interval};

/// A time before and after a change.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Changed {
    /// Before.
    pub before: Interval,
    /// After.
    pub after: Interval,
    /// After divided by before.
    pub ratio: f64,
    /// The lower end of its interval.
    pub ratio_low: f64,
    /// The upper end.
    pub ratio_high: f64,
}

/// The time of a program if each quantity is multiplied by its factor.
///
/// Intervals follow from random draws, as in [`interval`](super::interval). Both times are computed with the same drawn
/// values, so what is uncertain in both does not widen the interval of their ratio. The critical path of the changed
/// program is its own.
pub fn what_if(
    program: &Program,
    pricing: &Pricing,
    quantities: &Quantities,
    draws: &Draws,
    factor: impl Fn(&Quantity) -> f64,
) -> Changed {
    let factors: Vec<f64> = quantities.all().iter().map(factor).collect();
    let mut evaluator = Evaluator::default();
    let mut both = |values: &mut Vec<f64>| {
        let before = evaluator.time(program, pricing, values).get();
        values.iter_mut().zip(&factors).for_each(|(value, factor)| *value *= factor);
        (before, evaluator.time(program, pricing, values).get())
    };
    let (before, after) = both(&mut quantities.values());
    let mut random = fastrand::Rng::with_seed(draws.seed);
    let mut values = Vec::new();
    let times: Vec<(f64, f64)> = (0..draws.count)
        .map(|_| {
            quantities.draw(&mut random, &mut values);
            both(&mut values)
        })
        .collect();
    let tail = 0.5 * (1.0 - draws.confidence);
    let ends = |value: f64, of: &dyn Fn(&(f64, f64)) -> f64| {
        let mut all: Vec<f64> = times.iter().map(of).filter(|time| time.is_finite()).collect();
        all.sort_by(f64::total_cmp);
        if all.is_empty() {
            (value, value)
        } else {
            (quantile(&all, tail).min(value), quantile(&all, 1.0 - tail).max(value))
        }
    };
    let interval = |value: f64, of: &dyn Fn(&(f64, f64)) -> f64| {
        let (low, high) = ends(value, of);
        let confidence = draws.confidence;
        Interval { value: Seconds(value), low: Seconds(low), high: Seconds(high), confidence }
    };
    let ratio = if before > 0.0 { after / before } else { 1.0 };
    let (ratio_low, ratio_high) = ends(ratio, &|(before, after)| after / before);
    Changed {
        before: interval(before, &|pair| pair.0),
        after: interval(after, &|pair| pair.1),
        ratio,
        ratio_low,
        ratio_high,
    }
}
