//! Whether a model's accuracy is confirmed or rejected by measurements.

use statrs::distribution::{ContinuousCDF, Normal};

use super::ComparedPoint;

/// The verdict of the measurements on a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The error is within the tolerance at all points, for certain.
    Confirmed,
    /// The error is beyond the tolerance at some point, for certain.
    Rejected,
    /// Neither.
    CannotTell,
    /// There is no point with a measurement and a value.
    NoPoints,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Rejected => "rejected",
            Verdict::CannotTell => "cannot tell",
            Verdict::NoPoints => "not tested",
        }
    }
}

/// A verdict with its test.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Points with a measurement and a value.
    pub points: usize,
    /// Points at which the error is beyond the tolerance for certain.
    pub failing: Vec<usize>,
    /// Points at which it may be within or beyond.
    pub open: Vec<usize>,
    /// Median of the absolute relative errors.
    pub median_error: f64,
    /// The largest.
    pub largest_error: f64,
    /// The point with the largest.
    pub worst: Option<usize>,
    /// The number of measured values that are in the interval of their point, and the number of points with an
    /// interval.
    pub inside: (usize, usize),
    /// The smallest p-value of the test for rejection, for all points together (Holm).
    pub p: f64,
}

/// Tests the relative error of a model at each point against a tolerance.
///
/// The model is rejected if at some point the error is beyond the tolerance: one-sided normal tests with the
/// correction of Holm (1979). It is confirmed if at every point the error is within the tolerance: an
/// intersection-union test (Berger 1982), which needs no correction. The standard deviation of an error is
/// [`ComparedPoint::deviation`].
pub fn verdict(
    points: &[ComparedPoint],
    model: usize,
    tolerance: f64,
    confidence: f64,
) -> Judgement {
    let normal = Normal::standard();
    let z = crate::normal::deviations(confidence);
    let level = 1.0 - confidence;
    let mut errors: Vec<(usize, f64, f64)> = Vec::new();
    let mut inside = (0, 0);
    for (index, point) in points.iter().enumerate() {
        let (Some(error), Some(measured)) = (point.error(model), point.measured) else { continue };
        let Ok(value) = &point.values[model] else { continue };
        let deviation = point.deviation(value, measured) / measured.median.abs();
        errors.push((index, error, deviation));
        if let Some(is) = point.is_inside(model, z) {
            inside.0 += usize::from(is);
            inside.1 += 1;
        }
    }
    // The p-value of "the error is within the tolerance" and of "it is beyond".
    let p_of = |distance: f64, deviation: f64| {
        if deviation > 0.0 {
            normal.sf(distance / deviation)
        } else if distance > 0.0 {
            0.0
        } else {
            1.0
        }
    };
    let mut ordered: Vec<(f64, usize)> = errors
        .iter()
        .map(|(index, error, deviation)| (p_of(error.abs() - tolerance, *deviation), *index))
        .collect();
    ordered.sort_by(|a, b| a.0.total_cmp(&b.0));
    let count = ordered.len();
    let rejected = ordered.iter().enumerate().map(|(k, (p, _))| p * (count - k) as f64);
    let failing_count = rejected.clone().take_while(|p| *p < level).count();
    let mut failing: Vec<usize> = ordered[..failing_count].iter().map(|pair| pair.1).collect();
    failing.sort_unstable();
    let open: Vec<usize> = errors
        .iter()
        .filter(|(index, error, deviation)| {
            p_of(tolerance - error.abs(), *deviation) >= level && !failing.contains(index)
        })
        .map(|error| error.0)
        .collect();
    let worst = errors.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    let absolute: Vec<f64> = errors.iter().map(|error| error.1.abs()).collect();
    Judgement {
        verdict: match (count, failing.is_empty(), open.is_empty()) {
            (0, ..) => Verdict::NoPoints,
            (_, false, _) => Verdict::Rejected,
            (_, true, true) => Verdict::Confirmed,
            (_, true, false) => Verdict::CannotTell,
        },
        points: count,
        failing,
        open,
        median_error: cll_statistics::median(absolute).unwrap_or(f64::NAN),
        largest_error: worst.map_or(f64::NAN, |entry| entry.1.abs()),
        worst: worst.map(|entry| entry.0),
        inside,
        p: rejected.clone().next().unwrap_or(1.0).min(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::MeasuredPoint;
    use crate::value::Quantity;

    fn points(errors: &[f64], deviation: f64) -> Vec<ComparedPoint> {
        let point = |error: &f64| ComparedPoint {
            coordinates: vec![1.0],
            measured: Some(MeasuredPoint { median: 1.0, deviation, count: 5 }),
            values: vec![Ok(Quantity::exact(1.0 + error))],
        };
        errors.iter().map(point).collect()
    }

    #[test]
    fn accurate_models_are_confirmed_and_others_rejected() {
        let judgement_of =
            |errors: &[f64], deviation| verdict(&points(errors, deviation), 0, 0.1, 0.9);
        assert_eq!(judgement_of(&[0.01, -0.02, 0.03], 0.01).verdict, Verdict::Confirmed);
        let rejected = judgement_of(&[0.01, -0.4, 0.03], 0.01);
        assert_eq!((rejected.verdict, &rejected.failing[..]), (Verdict::Rejected, &[1][..]));
        assert_eq!(rejected.worst, Some(1));
        assert_eq!(judgement_of(&[0.01, 0.09, 0.11], 0.05).verdict, Verdict::CannotTell);
        assert_eq!(judgement_of(&[], 0.05).verdict, Verdict::NoPoints);
        // Exact values without repetitions.
        assert_eq!(judgement_of(&[0.05], 0.0).verdict, Verdict::Confirmed);
        assert_eq!(judgement_of(&[0.15], 0.0).verdict, Verdict::Rejected);
    }

    #[test]
    fn many_accurate_points_are_not_rejected_by_chance() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut rejected = 0;
        for _ in 0..500 {
            // The true error is the tolerance itself: the worst case that may not be rejected.
            let errors: Vec<f64> =
                (0..40).map(|_| 0.1 + 0.02 * cll_statistics::normal(|| random.f64())).collect();
            let judged = verdict(&points(&errors, 0.02), 0, 0.1, 0.9);
            rejected += usize::from(judged.verdict == Verdict::Rejected);
        }
        assert!(rejected <= 75, "{rejected} of 500");
        assert!(rejected >= 20, "{rejected} of 500: the test has no power");
    }
}
