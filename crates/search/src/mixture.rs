//! Combines what several models say of a value: a mixture of Student distributions.

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::erf::erfc;

/// The prediction of one model.
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
/// Steps on either side by which the best of them is refined.
const STEPS: i32 = 6;
/// A value with this share of the most probable neighbours is as good.
const AS_GOOD: f64 = 0.999;

/// The probability and the mean of the values from which `value` differs by less than the share `within`, as the
/// components say.
struct Near {
    share: f64,
    mean: f64,
}

impl Near {
    fn new(components: &[Component], value: f64, within: f64) -> Near {
        let (a, b) = window(value, within);
        let mut near = Near { share: 0.0, mean: 0.0 };
        for c in components {
            let share = c.weight * (c.below(b) - c.below(a));
            near.share += share;
            near.mean += share * c.value.clamp(a, b);
        }
        near.mean /= near.share.max(f64::MIN_POSITIVE);
        near
    }
}

/// The truths from which `value` differs by less than the share `within`: |value/truth - 1| < within.
fn window(value: f64, within: f64) -> (f64, f64) {
    let (a, b) = (value / (1.0 + within), value / (1.0 - within));
    (a.min(b), a.max(b))
}

/// The value that most probably differs from the truth by less than the share `within`. Where components disagree
/// their median is what none of them says.
///
/// Among equally good values, the one in the middle of what the components say there is taken.
pub(crate) fn most_probable(components: &[Component], within: f64) -> f64 {
    let closer = |best: (f64, f64, f64), value: f64| {
        let near = Near::new(components, value, within);
        if near.share > best.0 { (near.share, value, near.mean) } else { best }
    };
    let none = (-1.0, f64::NAN, f64::NAN);
    let best = centers(components, within).into_iter().fold(none, closer);
    let step = within / f64::from(STEPS);
    let about = (-STEPS..=STEPS).map(|k| best.1 * (1.0 + f64::from(k) * step));
    let (share, value, mean) = about.fold(best, closer);
    let is_as_good = Near::new(components, mean, within).share >= AS_GOOD * share;
    if is_as_good { mean } else { value }
}

/// The values with most weight of others about them, each far enough from the others to have neighbours of its own.
fn centers(components: &[Component], within: f64) -> Vec<f64> {
    let mut sorted: Vec<(f64, f64)> = components.iter().map(|c| (c.value, c.weight)).collect();
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let sums: Vec<f64> = std::iter::once(0.0)
        .chain(sorted.iter().scan(0.0, |sum, c| {
            *sum += c.1;
            Some(*sum)
        }))
        .collect();
    let about = |value: f64| {
        let (a, b) = window(value, within);
        let first = sorted.partition_point(|c| c.0 < a);
        let last = sorted.partition_point(|c| c.0 <= b);
        sums[last] - sums[first]
    };
    let mut centers: Vec<(f64, f64)> = sorted.iter().map(|c| (about(c.0), c.0)).collect();
    centers.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let mut chosen: Vec<f64> = Vec::with_capacity(MAX_CENTERS);
    for (_, value) in centers {
        let is_new = chosen.iter().all(|other| (value - other).abs() > 0.1 * within * value.abs());
        if is_new {
            chosen.push(value);
        }
        if chosen.len() == MAX_CENTERS {
            break;
        }
    }
    chosen
}

/// An interval with the share `confidence` of the mixture that holds `value`: its ends have equal shares beyond them,
/// unless `value` lies beyond one of them. Then that end is moved, so that half of the share beyond `value` is in the
/// interval, and the other end follows.
pub(crate) fn interval(components: &[Component], value: f64, confidence: f64) -> (f64, f64) {
    let all: f64 = components.iter().map(|c| c.weight).sum();
    let below = components.iter().map(|c| c.weight * c.below(value)).sum::<f64>() / all;
    let (tails, above) = (1.0 - confidence, 1.0 - below);
    let mut low = 0.5 * tails;
    if 0.5 * below < low {
        low = 0.5 * below;
    } else if 0.5 * above < tails - low {
        low = tails - 0.5 * above;
    }
    let (from, to) = (quantile(components, low), quantile(components, low + confidence));
    (from.min(value), to.max(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_one_and_of_two() {
        let components = [Component { weight: 1.0, value: 2.0, scale: 1.0, dof: 1e6 }];
        assert!((quantile(&components, 0.5) - 2.0).abs() < 1e-6);
        assert!((quantile(&components, 0.95) - 3.644_854).abs() < 1e-4);
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
        assert!((most_probable(&all, 0.05) - 100.5).abs() < 1.1);
        // Of one component it is the middle.
        assert!((most_probable(&all[..1], 0.05) - 10.0).abs() < 1e-6);
        assert!((most_probable(&[component(1.0, -3.0)], 0.05) + 3.0).abs() < 0.05);
    }

    #[test]
    fn an_interval_holds_its_value_and_its_share() {
        let component = |weight, value| Component { weight, value, scale: 0.1, dof: 1e6 };
        // The most probable value, 10, is below all others, with less than half of a tail.
        let mut all = vec![component(0.03, 10.0)];
        all.extend((0..97).map(|k| component(0.01, 20.0 + 5.0 * f64::from(k))));
        let share = |(low, high): (f64, f64)| {
            all.iter().map(|c| c.weight * (c.below(high) - c.below(low))).sum::<f64>()
        };
        let held = interval(&all, 10.0, 0.9);
        assert!(held.0 < 10.0 && (share(held) - 0.9).abs() < 1e-6, "{held:?}");
        let middle = interval(&all, 100.0, 0.9);
        assert!((share(middle) - 0.9).abs() < 1e-6);
        assert!(middle.0 > held.0 && middle.1 > held.1, "{middle:?}");
        let end = interval(&all, 500.0, 0.9);
        assert!(end.1 > 500.0 && (share(end) - 0.9).abs() < 1e-6, "{end:?}");
    }
}
