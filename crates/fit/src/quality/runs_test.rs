//! Runs test: do the residuals change sign as often as by chance?

use statrs::function::gamma::ln_gamma;

use crate::Runs;
use crate::input::Samples;
use crate::solve::{Division, OrderedPoints, Solved, ranges, relative};

/// With more values the number of runs is assumed to be normally distributed.
const EXACT: usize = 2000;

/// The runs test of Wald and Wolfowitz (*On a test whether two samples are from the same
/// population*, 1940) of the residuals' signs in the order of the axis, one for each value, by the
/// exact distribution. One-sided: few runs mean that neighbouring errors have the same sign.
/// Residuals of a fit change sign a little more often than independent errors, so the test rejects
/// fewer right formulas than its level. `None` if all signs are equal, or if only rounding errors
/// are left.
pub(crate) fn runs(
    samples: &Samples,
    ordered: &OrderedPoints,
    division: &Division,
    solved: &Solved,
) -> Option<Runs> {
    let values = ranges(ordered, division).flat_map(|(from, to)| from..to);
    let means: Vec<f64> = values
        .map(|value| {
            let rows = ordered.row_range(value, value + 1);
            let count = rows.len() as f64;
            rows.map(|row| solved.rows[row].residual).sum::<f64>() / count
        })
        .filter(|mean| mean.abs() > ordered.resolution())
        .collect();
    let positive = means.iter().filter(|&&m| m > 0.0).count();
    let negative = means.len() - positive;
    if positive == 0 || negative == 0 {
        return None;
    }
    let runs = 1 + means.windows(2).filter(|pair| (pair[0] > 0.0) != (pair[1] > 0.0)).count();
    // The part that neighbouring residuals share is not noise.
    let products = means.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>();
    let common = (products / (means.len() - 1) as f64).max(0.0).sqrt();
    Some(Runs {
        runs,
        positive,
        negative,
        p_value: at_most(runs, positive, negative),
        size: relative(ordered, samples, common),
    })
}

/// Probability of this many runs or fewer of `a` signs of one kind and `b` of the other.
fn at_most(runs: usize, a: usize, b: usize) -> f64 {
    if a + b > EXACT {
        let (x, y) = (a as f64, b as f64);
        let n = x + y;
        let mean = 1.0 + 2.0 * x * y / n;
        let variance = (mean - 1.0) * (mean - 2.0) / (n - 1.0);
        let z = (runs as f64 + 0.5 - mean) / variance.sqrt();
        return crate::numerics::normal(z);
    }
    let ways = |n: usize, k: usize| -> f64 {
        if k > n {
            return f64::NEG_INFINITY;
        }
        let (n, k) = (n as f64, k as f64);
        ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0)
    };
    let all = ways(a + b, a);
    let probability = |runs: usize| -> f64 {
        let half = runs / 2;
        if runs.is_multiple_of(2) {
            return 2.0 * (ways(a - 1, half - 1) + ways(b - 1, half - 1) - all).exp();
        }
        let more = (ways(a - 1, half) + ways(b - 1, half - 1) - all).exp();
        more + (ways(a - 1, half - 1) + ways(b - 1, half) - all).exp()
    };
    (2..=runs).map(probability).sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::at_most;

    #[test]
    fn tabulated_values() {
        // Swed and Eisenhart 1943: of 10 and 10 signs at most 6 runs have the probability 0.019.
        assert!((at_most(6, 10, 10) - 0.019).abs() < 5e-4);
        // Of 2 and 3 signs: 2 runs in two of ten orders, 3 in three.
        assert!((at_most(2, 2, 3) - 0.2).abs() < 1e-12);
        assert!((at_most(3, 2, 3) - 0.5).abs() < 1e-12);
        assert!((at_most(5, 2, 3) - 1.0).abs() < 1e-12);
        assert!((at_most(4, 1, 7) - 1.0).abs() < 1e-12);
        // For many signs the normal distribution agrees with the exact one.
        assert!((at_most(980, 1001, 1000) - at_most(980, 1000, 1000)).abs() < 0.01);
    }
}
