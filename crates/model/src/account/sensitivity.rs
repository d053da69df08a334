//! How sure a time is, and what it depends on.

use cll_statistics::quantile;
use cll_units::Seconds;
use schemars::JsonSchema;
use serde::Serialize;

use crate::evaluate::Evaluator;
use crate::parameters::{Quantities, QuantityKind};
use crate::price::Pricing;
use crate::program::Program;

use super::critical_path;

/// A predicted time and where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Interval {
    /// The time.
    #[serde(rename = "value_s")]
    pub value: Seconds,
    /// Lower end.
    #[serde(rename = "low_s")]
    pub low: Seconds,
    /// Upper end.
    #[serde(rename = "high_s")]
    pub high: Seconds,
    /// With what confidence, in (0, 1).
    pub confidence: f64,
}

/// How draws are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draws {
    /// The number of draws; if it is 0, the interval contains only the value.
    pub count: usize,
    /// The seed: the same seed gives the same interval.
    pub seed: u64,
    /// Confidence of the interval, in (0, 1).
    pub confidence: f64,
}

impl Default for Draws {
    /// 400 draws, 90 %.
    fn default() -> Draws {
        Draws { count: 400, seed: 1, confidence: 0.90 }
    }
}

/// The time of a program, with the interval that follows from the spreads of the quantities.
///
/// It is found by random draws. Every quantity is drawn once for a whole evaluation (constants of a fit together, by
/// their covariance), since a constant that is too high is too high everywhere. With drawn values the critical path may
/// change; derivatives would not include that.
pub fn interval(
    program: &Program,
    pricing: &Pricing,
    quantities: &Quantities,
    draws: &Draws,
) -> Interval {
    let mut evaluator = Evaluator::default();
    let value = evaluator.time(program, pricing, &quantities.values()).get();
    let mut random = fastrand::Rng::with_seed(draws.seed);
    let mut values = Vec::new();
    let mut times: Vec<f64> = (0..draws.count)
        .map(|_| {
            quantities.draw(&mut random, &mut values);
            evaluator.time(program, pricing, &values).get()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let tail = 0.5 * (1.0 - draws.confidence);
    let (low, high) = if times.is_empty() {
        (value, value)
    } else {
        (quantile(&times, tail), quantile(&times, 1.0 - tail))
    };
    Interval {
        value: Seconds(value),
        low: Seconds(low.min(value)),
        high: Seconds(high.max(value)),
        confidence: draws.confidence,
    }
}

/// The influence of a quantity on the total.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Influence {
    /// Index of the quantity.
    #[serde(skip)]
    pub quantity: usize,
    /// The kind of the quantity.
    #[serde(skip)]
    pub kind: QuantityKind,
    /// The share of the quantity in the total along the critical path; all shares and that of ξ sum to 1. If the
    /// quantity grows by 1 %, the total grows by this share of 1 %.
    pub share: f64,
    /// The total with the quantity at the lower end of its interval, minus the total.
    #[serde(rename = "at_low_s")]
    pub at_low: Seconds,
    /// The same at the upper end.
    #[serde(rename = "at_high_s")]
    pub at_high: Seconds,
}

/// The quantities that the total depends on, the largest share first.
pub fn influences(program: &Program, pricing: &Pricing, quantities: &Quantities) -> Vec<Influence> {
    let mut values = quantities.values();
    let path = critical_path(program, pricing, &values);
    let mut evaluator = Evaluator::default();
    let mut influences = Vec::new();
    for (index, (quantity, slope)) in quantities.all().iter().zip(&path.gradient).enumerate() {
        let share = slope * values[index] / path.total.get();
        let wide = quantity.value.has_spread();
        // One that is not on the path may come to lie on it.
        if *slope == 0.0 && !wide {
            continue;
        }
        let mut change_at = |value: f64| {
            let before = std::mem::replace(&mut values[index], value);
            let time = evaluator.time(program, pricing, &values);
            values[index] = before;
            time - path.total
        };
        let (at_low, at_high) = if wide {
            (change_at(quantity.value.low), change_at(quantity.value.high))
        } else {
            (Seconds::ZERO, Seconds::ZERO)
        };
        if *slope != 0.0 || at_high != Seconds::ZERO || at_low != Seconds::ZERO {
            let share = if share.is_finite() { share } else { 0.0 };
            influences.push(Influence {
                quantity: index,
                kind: quantity.kind,
                share,
                at_low,
                at_high,
            });
        }
    }
    influences.sort_by(|a, b| b.share.total_cmp(&a.share));
    influences
}
