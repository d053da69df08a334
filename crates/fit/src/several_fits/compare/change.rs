//! The change of a value with its test and its interval.

use crate::numerics::{student, two_sided};
use crate::several_fits::compare::{Change, CompareOptions, Moved};
use crate::{Estimate, Fit};

/// A value with its standard error.
pub(crate) struct Compared {
    value: f64,
    /// Standard errors of independent causes, each with its degrees of freedom: the fit, and the occasion of its runs.
    /// `None` if the variance is not known.
    errors: Option<[(f64, f64); 2]>,
}

impl Compared {
    /// A constant; `None` if it is not determined.
    pub(crate) fn of_estimate(fit: &Fit, estimate: &Estimate, interval: usize) -> Option<Compared> {
        let dof = fit.intervals.get(interval)?.dof;
        let half = estimate.low.zip(estimate.high).map(|(low, high)| 0.5 * (high - low));
        let value = estimate.value?;
        let common = Compared::common(fit, value);
        let confidence = fit.options.confidence;
        let error = |half: f64| {
            let of_common = common.0 * two_sided(confidence, common.1);
            let own = (half * half - of_common * of_common).max(0.0).sqrt();
            (own / two_sided(confidence, dof), dof)
        };
        let errors = half.map(|half| [error(half), common]);
        Some(Compared { value, errors: errors.filter(|errors| errors[0].0.is_finite()) })
    }

    /// The model's value at a place, with the uncertainty of its constants; `None` if there is none.
    pub(crate) fn of_value(fit: &Fit, point: &[f64]) -> Option<Compared> {
        let here = fit.terms_at(point).ok()?;
        let interval = &fit.intervals[here.interval];
        let value = fit.predict(point).ok()?.value;
        let row = |row: &[f64]| -> f64 { row.iter().zip(&here.terms).map(|(a, x)| a * x).sum() };
        let variance: f64 =
            interval.covariance.iter().zip(&here.terms).map(|(c, x)| x * row(c)).sum();
        // Disturbed runs widen every interval.
        let disturbed = 0.5 * (fit.widening.below + fit.widening.above) * value.abs();
        let t = two_sided(fit.options.confidence, interval.dof);
        let error = (variance.max(0.0).sqrt() + disturbed / t, interval.dof);
        let known = !interval.covariance.is_empty() && error.0.is_finite();
        Some(Compared { value, errors: known.then(|| [error, Compared::common(fit, value)]) })
    }

    /// The uncertainty that all values of the fit share.
    fn common(fit: &Fit, value: f64) -> (f64, f64) {
        (fit.widening.common * value.abs(), fit.widening.dof)
    }
}

/// The change from `old` to `new`, one of `together` comparisons.
pub(crate) fn compared(
    old: &Compared,
    new: &Compared,
    options: &CompareOptions,
    together: usize,
) -> Change {
    let mut change = Change {
        old: old.value,
        new: new.value,
        change: (old.value != 0.0).then(|| new.value / old.value - 1.0),
        low: None,
        high: None,
        t: None,
        dof: None,
        p_value: None,
        p_adjusted: None,
        verdict: Moved::CannotTell,
    };
    let (Some(old_errors), Some(new_errors)) = (old.errors, new.errors) else { return change };
    let size = |errors: [(f64, f64); 2]| errors[0].0.hypot(errors[1].0);
    let (a, b) = (size(old_errors), size(new_errors));
    let variance = a * a + b * b;
    let difference = new.value - old.value;
    if variance <= 0.0 {
        // Exact values, such as counts.
        let relative = change.change;
        (change.low, change.high) = (relative, relative);
        change.verdict = verdict(relative, relative, options.threshold);
        return change;
    }
    // Satterthwaite's degrees of freedom.
    let part = |(error, dof): (f64, f64)| if dof > 0.0 { error.powi(4) / dof } else { 0.0 };
    let parts: f64 = old_errors.into_iter().chain(new_errors).map(part).sum();
    let dof = variance * variance / parts.max(f64::MIN_POSITIVE);
    let dof = dof.clamp(1.0, 1e9);
    let t = difference / variance.sqrt();
    let together = together.max(1) as f64;
    change.t = Some(t);
    change.dof = Some(dof);
    change.p_value = Some(2.0 * student(-t.abs(), dof));
    change.p_adjusted = change.p_value.map(|p| (p * together).min(1.0));
    let confidence = 1.0 - (1.0 - options.confidence) / together;
    let fieller = fieller((old.value, a), (new.value, b), two_sided(confidence, dof));
    (change.low, change.high) = (fieller.map(|f| f.0 - 1.0), fieller.map(|f| f.1 - 1.0));
    change.verdict = verdict(change.low, change.high, options.threshold);
    change
}

fn verdict(low: Option<f64>, high: Option<f64>, threshold: f64) -> Moved {
    match (low, high) {
        (Some(low), Some(high)) if -threshold <= low && high <= threshold => Moved::NotMoved,
        (Some(low), Some(high)) if low > 0.0 || high < 0.0 => Moved::Moved,
        _ => Moved::CannotTell,
    }
}

/// Fieller's interval of the quotient of two independent estimates with their standard errors;
/// `None` if it is not bounded: the divisor may be zero.
fn fieller((old, a): (f64, f64), (new, b): (f64, f64), t: f64) -> Option<(f64, f64)> {
    if old == 0.0 {
        return None;
    }
    let ratio = new / old;
    let g = (t * a / old).powi(2);
    if g.is_nan() || g >= 1.0 {
        return None;
    }
    let root = (b * b * (1.0 - g) + ratio * ratio * a * a).sqrt();
    let half = t / old.abs() * root / (1.0 - g);
    let middle = ratio / (1.0 - g);
    Some((middle - half, middle + half))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(value: f64, error: f64) -> Compared {
        Compared { value, errors: Some([(error, 1e6), (0.0, 0.0)]) }
    }

    #[test]
    fn verdicts_follow_from_interval_and_threshold() {
        let options = CompareOptions::default();
        let verdict_of = |old, new| compared(&old, &new, &options, 1).verdict;
        assert_eq!(verdict_of(value(1.0, 0.01), value(1.2, 0.01)), Moved::Moved);
        assert_eq!(verdict_of(value(1.0, 0.01), value(1.0, 0.01)), Moved::NotMoved);
        assert_eq!(verdict_of(value(1.0, 0.1), value(1.1, 0.1)), Moved::CannotTell);
        assert_eq!(verdict_of(value(0.0, 0.1), value(1.0, 0.1)), Moved::CannotTell);
        // Certain, but of no importance.
        assert_eq!(verdict_of(value(1.0, 1e-6), value(1.01, 1e-6)), Moved::NotMoved);
        let unknown = Compared { value: 2.0, errors: None };
        assert_eq!(verdict_of(value(1.0, 0.01), unknown), Moved::CannotTell);
    }

    /// Fieller's interval for normal numbers holds as often as it says.
    #[test]
    fn intervals_hold_as_often_as_they_say() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut normal = || cll_statistics::normal(|| random.f64());
        let (mut held, mut rejected) = (0, 0);
        const TRIALS: usize = 4000;
        for _ in 0..TRIALS {
            let (a, b) = (value(2.0 + 0.2 * normal(), 0.2), value(3.0 + 0.1 * normal(), 0.1));
            let change = compared(&a, &b, &CompareOptions::default(), 1);
            let (low, high) = (change.low.unwrap(), change.high.unwrap());
            held += usize::from(low <= 0.5 && 0.5 <= high);
            let same = value(2.0 + 0.1 * normal(), 0.1);
            let null =
                compared(&value(2.0 + 0.2 * normal(), 0.2), &same, &CompareOptions::default(), 1);
            rejected += usize::from(null.p_value.unwrap() < 0.1);
        }
        let share = held as f64 / TRIALS as f64;
        assert!((0.885..0.915).contains(&share), "{share}");
        let share = rejected as f64 / TRIALS as f64;
        assert!((0.085..0.115).contains(&share), "{share}");
    }

    #[test]
    fn more_comparisons_widen_each_interval() {
        let change_of = |together| {
            compared(&value(1.0, 0.05), &value(1.3, 0.05), &CompareOptions::default(), together)
        };
        let (change, ten) = (change_of(1), change_of(10));
        assert!(ten.low.unwrap() < change.low.unwrap() && ten.high.unwrap() > change.high.unwrap());
        assert!((ten.p_adjusted.unwrap() - 10.0 * ten.p_value.unwrap()).abs() < 1e-12);
    }
}
