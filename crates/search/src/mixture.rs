//! What several models say together of a value: a mixture of Student distributions.

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::erf::erfc;

/// What one model says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Component {
    pub(crate) weight: f64,
    pub(crate) value: f64,
    pub(crate) scale: f64,
    pub(crate) dof: f64,
}

/// Above so many degrees of freedom a Student distribution is taken as normal.
const NORMAL: f64 = 60.0;

impl Component {
    fn below(&self, x: f64) -> f64 {
        if self.scale <= 0.0 {
            return if x >= self.value { 1.0 } else { 0.0 };
        }
        let z = (x - self.value) / self.scale;
        if self.dof > NORMAL {
            return 0.5 * erfc(-z * std::f64::consts::FRAC_1_SQRT_2);
        }
        StudentsT::new(0.0, 1.0, self.dof.max(1.0)).map_or(0.5, |t| t.cdf(z))
    }
}

/// The value below which `share` of the mixture lies.
pub(crate) fn quantile(components: &[Component], share: f64) -> f64 {
    let all: f64 = components.iter().map(|c| c.weight).sum();
    let below = |x: f64| components.iter().map(|c| c.weight * c.below(x)).sum::<f64>() / all;
    let (mut low, mut high) =
        components.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), c| {
            (low.min(c.value - 8.0 * c.scale), high.max(c.value + 8.0 * c.scale))
        });
    // Student distributions have long tails.
    let width = (high - low).max(f64::MIN_POSITIVE);
    for _ in 0..60 {
        if below(low) > share {
            low -= width;
        } else if below(high) < share {
            high += width;
        } else {
            break;
        }
    }
    for _ in 0..200 {
        let middle = low + 0.5 * (high - low);
        if high - low <= 1e-9 * high.abs().max(low.abs()) {
            break;
        }
        if below(middle) < share { low = middle } else { high = middle }
    }
    low + 0.5 * (high - low)
}

/// Centers that are looked at closely.
const MAX_CENTERS: usize = 48;
/// A center with this share of the most probable neighbours is as good.
const AS_GOOD: f64 = 0.98;

/// The value with the largest share of the mixture within `within` times itself on either side, among the values of
/// the components. Where components disagree their median is what none of them says.
pub(crate) fn most_probable(components: &[Component], within: f64) -> f64 {
    let near = |value: f64| -> f64 {
        let (a, b) = (value * (1.0 - within), value * (1.0 + within));
        components.iter().map(|c| c.weight * (c.below(a.max(b)) - c.below(a.min(b)))).sum()
    };
    // Those with most weight of centers about them are looked at closely.
    let mut sorted: Vec<(f64, f64)> = components.iter().map(|c| (c.value, c.weight)).collect();
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let sums: Vec<f64> = std::iter::once(0.0)
        .chain(sorted.iter().scan(0.0, |sum, c| {
            *sum += c.1;
            Some(*sum)
        }))
        .collect();
    let about = |value: f64| {
        let (a, b) = (value * (1.0 - within), value * (1.0 + within));
        let first = sorted.partition_point(|c| c.0 < a.min(b));
        let last = sorted.partition_point(|c| c.0 <= a.max(b));
        sums[last] - sums[first]
    };
    let mut centers: Vec<(f64, f64)> = sorted.iter().map(|c| (about(c.0), c.0)).collect();
    centers.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let mut chosen: Vec<f64> = Vec::with_capacity(MAX_CENTERS);
    for (_, value) in centers {
        // Values so near to each other have the same neighbours.
        let is_new = chosen.iter().all(|other| (value - other).abs() > 0.1 * within * value.abs());
        if is_new {
            chosen.push(value);
        }
        if chosen.len() == MAX_CENTERS {
            break;
        }
    }
    let centers: Vec<(f64, f64)> = chosen.into_iter().map(|value| (near(value), value)).collect();
    let most = centers.iter().map(|c| c.0).fold(0.0, f64::max);
    // Many values may be the center of nearly the same neighbours: of these the one that weighs most itself.
    let weight =
        |value: f64| components.iter().filter(|c| c.value == value).map(|c| c.weight).sum::<f64>();
    let as_good = centers
        .into_iter()
        .filter(|c| c.0 >= AS_GOOD * most)
        .map(|(_, value)| (weight(value), value));
    as_good.fold((-1.0, f64::NAN), |best, next| if next.0 > best.0 { next } else { best }).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_one_and_of_two() {
        let one = [Component { weight: 1.0, value: 2.0, scale: 1.0, dof: 1e6 }];
        assert!((quantile(&one, 0.5) - 2.0).abs() < 1e-6);
        assert!((quantile(&one, 0.95) - 3.644_854).abs() < 1e-4);
        let student = [Component { weight: 1.0, value: 0.0, scale: 1.0, dof: 2.0 }];
        assert!((quantile(&student, 0.95) - 2.919_986).abs() < 1e-4);
        let exact = Component { weight: 0.6, value: 10.0, scale: 0.0, dof: 9.0 };
        let two = [exact, Component { weight: 0.4, value: 20.0, scale: 0.0, dof: 9.0 }];
        assert!(
            (quantile(&two, 0.5) - 10.0).abs() < 1e-6 && (quantile(&two, 0.7) - 20.0).abs() < 1e-6
        );
    }

    #[test]
    fn the_most_probable_value_is_one_that_several_say() {
        let component = |weight, value| Component { weight, value, scale: 0.1, dof: 1e6 };
        let all = [component(0.4, 10.0), component(0.35, 100.0), component(0.25, 101.0)];
        assert!((most_probable(&all, 0.05) - 100.0).abs() < 1.1);
    }
}
