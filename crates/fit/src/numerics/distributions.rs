//! Quantiles and tail probabilities of Student's t, the normal and the F distribution, for any
//! argument.

use std::f64::consts::FRAC_PI_2;

use statrs::distribution::{ContinuousCDF, FisherSnedecor, Normal, StudentsT};

/// Half width of a two-sided interval with this confidence, in standard errors (Student's t).
pub(crate) fn two_sided(confidence: f64, dof: f64) -> f64 {
    StudentsT::new(0.0, 1.0, dof.max(1.0))
        .map_or(f64::NAN, |t| t.inverse_cdf(0.5 + 0.5 * confidence))
}

/// Probability that a t-distributed variable is at most `t`.
pub(crate) fn student(t: f64, dof: f64) -> f64 {
    if !t.is_finite() || t.abs() > MAX_ARGUMENT {
        return if t > 0.0 { 1.0 } else { 0.0 };
    }
    StudentsT::new(0.0, 1.0, dof.max(1.0)).map_or(0.5, |d| d.cdf(t))
}

/// Degrees of freedom up to which [`student_within`] sums a finite series.
const MAX_SERIES: f64 = 1000.0;

/// Probability that a t-distributed variable is at most `t`, with an absolute error of about 1e-15: by the finite series for
/// whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4), which is much faster than a continued fraction.
pub(crate) fn student_within(t: f64, dof: f64) -> f64 {
    let dof = dof.max(1.0);
    if dof.fract() != 0.0 || dof > MAX_SERIES || !t.is_finite() || t.abs() > MAX_ARGUMENT {
        return student(t, dof);
    }
    let angle = (t / dof.sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let is_odd = dof % 2.0 == 1.0;
    let (mut power, mut term) = if is_odd { (1.0, cosine) } else { (0.0, 1.0) };
    let mut sum = 0.0;
    while power <= dof - 2.0 {
        sum += term;
        term *= cosine * cosine * (power + 1.0) / (power + 2.0);
        power += 2.0;
    }
    let both = if is_odd { (angle + sine * sum) / FRAC_PI_2 } else { sine * sum };
    0.5 + 0.5 * both
}

/// Probability that a standard normal variable is at most `z`.
pub(crate) fn normal(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// Probability that an F-distributed ratio of mean squares with these degrees of freedom exceeds
/// `f`. `None` for invalid degrees of freedom or a ratio that is NaN or negative.
pub(crate) fn f_tail(f: f64, above: f64, below: f64) -> Option<f64> {
    if f.is_nan() || f < 0.0 {
        return None;
    }
    if f > MAX_ARGUMENT {
        return Some(0.0);
    }
    Some(FisherSnedecor::new(above, below).ok()?.sf(f))
}

/// Beyond this the tails are zero in double precision, and intermediate results overflow.
const MAX_ARGUMENT: f64 = 1e100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabulated_values() {
        // Abramowitz and Stegun, tables 26.9 and 26.10.
        for (confidence, dof, t) in
            [(0.90, 1.0, 6.314), (0.90, 10.0, 1.812), (0.95, 5.0, 2.571), (0.99, 30.0, 2.750)]
        {
            assert!((two_sided(confidence, dof) - t).abs() < 5e-4);
            assert!((student(t, dof) - 0.5 - 0.5 * confidence).abs() < 1e-4);
        }
        for (f, above, below, p) in [(4.96, 1.0, 10.0, 0.05), (5.99, 4.0, 10.0, 0.01)] {
            assert!((f_tail(f, above, below).expect("a probability") - p).abs() < 2e-4);
        }
    }

    #[test]
    fn the_series_gives_the_same_shares() {
        for dof in [1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 59.0, 200.0, 999.0, 1500.0, 7.5, 0.2] {
            for t in [-1e120, -40.0, -3.1, -0.4, 0.0, 0.05, 0.7, 2.0, 9.0, f64::INFINITY] {
                let (series, fraction) = (student_within(t, dof), student(t, dof));
                assert!((series - fraction).abs() < 1e-10, "{t} {dof}: {series} {fraction}");
            }
        }
    }

    #[test]
    fn arguments_without_bounds() {
        assert_eq!(student(f64::INFINITY, 3.0), 1.0);
        assert_eq!(student(f64::NEG_INFINITY, 3.0), 0.0);
        assert_eq!(f_tail(f64::INFINITY, 1.0, 2.0), Some(0.0));
        assert_eq!(f_tail(1e300, 1.0, 2.0), Some(0.0));
        assert_eq!(f_tail(f64::NAN, 1.0, 2.0), None);
        assert_eq!(f_tail(1.0, 0.0, 2.0), None);
    }
}
