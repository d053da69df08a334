//! How narrow the intervals of a fit are, and whether more samples would make them narrower.

use crate::{Fit, Prediction, Quality};

/// The widest interval of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Widest {
    /// The constant, `f[2]`.
    pub constant: String,
    /// Half the interval's width as a share of the reference value.
    pub share: f64,
}

/// The constant with the widest interval: half its width as a share of the constant, or of the
/// model's value where its term has the largest part, if that share is smaller. A constant that
/// contributes one per cent of the time need not be known to one per cent.
///
/// `None` if the residual variance is unknown, or if a constant is undetermined.
pub fn widest_constant(fit: &Fit) -> Option<Widest> {
    let columns: Option<Vec<usize>> = fit
        .variables
        .iter()
        .map(|name| fit.recorded.iter().position(|known| known == name))
        .collect();
    let columns = columns?;
    let mut widest: Option<Widest> = None;
    let mut terms = vec![0.0; fit.formula.terms().len()];
    for (index, interval) in fit.intervals.iter().enumerate() {
        // For each term the largest share of the model that one unit of its constant contributes.
        let mut parts = vec![0.0f64; terms.len()];
        for residual in fit.residuals.iter().filter(|residual| residual.interval == index) {
            let values: Vec<f64> = columns.iter().map(|&column| residual.values[column]).collect();
            fit.formula.terms_at(&values[..fit.formula.variables().len()], &mut terms);
            for (part, term) in parts.iter_mut().zip(&terms) {
                *part = part.max((term / residual.measured).abs());
            }
        }
        for (estimate, part) in interval.constants.iter().zip(parts) {
            let value = estimate.value?;
            let half = (estimate.high? - estimate.low?) / 2.0;
            let of_value = if value == 0.0 { f64::INFINITY } else { half / value.abs() };
            let share = of_value.min(half * part);
            if share.is_nan() {
                return None;
            }
            if widest.as_ref().is_none_or(|known| share > known.share) {
                widest = Some(Widest { constant: estimate.constant.clone(), share });
            }
        }
    }
    widest
}

/// Half the width of a prediction's band as a share of its value.
pub fn width(prediction: &Prediction) -> Option<f64> {
    let band = prediction.band?;
    (prediction.value != 0.0).then(|| (band.high - band.low) / 2.0 / prediction.value.abs())
}

/// Whether the widest interval no longer becomes narrower. Twice the rounds make it 0.7 times as
/// wide if only noise makes it wide; here it is hardly narrower. `history` has the number of rounds
/// and the share reached, in that order.
pub fn is_hopeless(history: &[(usize, f64)], wanted: f64) -> bool {
    const NARROWER: f64 = 0.9;
    let Some(&(rounds, now)) = history.last() else { return false };
    // Near the goal, more rounds may still reach it.
    now > 1.2 * wanted
        && history.iter().rev().find(|(earlier, _)| 2 * earlier <= rounds).is_some_and(
            |&(_, before)| now.is_finite() && before.is_finite() && now > NARROWER * before,
        )
}

/// Share of the width of a fit's intervals that any number of repetitions leaves: what the formula misses does not become
/// smaller. 0 if repetitions explain all of it, or if there are none.
pub fn remaining(fit: &Fit) -> f64 {
    let misfit = fit.quality.rmse_relative;
    let Some(noise) = noise(&fit.quality).filter(|_| misfit > 0.0) else { return 0.0 };
    (1.0 - (noise / misfit).powi(2)).max(0.0).sqrt()
}

/// How far the median of a point's repetitions varies, relative; `None` without repetitions.
pub(crate) fn noise(quality: &Quality) -> Option<f64> {
    /// A median varies by so much more than a mean, of normal noise.
    const MEDIAN: f64 = 1.2533;
    let spread = quality.repetition_spread?;
    Some(MEDIAN * spread / (quality.repetitions.0.max(1) as f64).sqrt())
}

/// Whether the formula's misfit decides the width of the widest interval, so that more rounds hardly make it narrower.
/// `history` as for [`is_hopeless`]; `remaining` is the share of the width that any number of them leaves.
pub fn is_misfit(history: &[(usize, f64)], wanted: f64, remaining: f64) -> bool {
    const MOST: f64 = 0.9;
    /// One round more of five makes an interval 0.91 times as wide if only noise makes it wide.
    const NARROWER: f64 = 0.95;
    let [.., (_, before), (_, now)] = history else { return false };
    remaining > MOST
        && now * remaining > 1.2 * wanted
        && now.is_finite()
        && before.is_finite()
        && *now > NARROWER * before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Data, Options, fit};

    /// t = 1 µs + 10 ns*N, each point five times with an alternating error.
    fn fitted(error: f64) -> Fit {
        let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.unwrap();
        let rows = (1..=12).flat_map(|k| {
            let n = 100.0 * f64::from(k * k);
            let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
            (0..5).map(move |_| (vec![n], (1e-6 + 1e-8 * n) * (1.0 + sign * error)))
        });
        fit(&formula, &Data::from_rows(vec!["N".into()], rows), &Options::default()).unwrap()
    }

    #[test]
    fn the_widest_interval_grows_with_the_noise() {
        let (little, much) =
            (widest_constant(&fitted(0.002)).unwrap(), widest_constant(&fitted(0.05)).unwrap());
        assert!(little.share < 0.02 && much.share > 0.02, "{little:?} {much:?}");
        assert_eq!(much.constant, "f[0]");
    }

    #[test]
    fn a_constant_that_hardly_matters_need_not_be_known() {
        let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.unwrap();
        let rows = (1..=12).flat_map(|k| {
            let n = 1000.0 * f64::from(k);
            let sign = if k % 3 == 0 { 1.0 } else { -0.5 };
            (0..3).map(move |_| (vec![n], 1e-8 * n * (1.0 + sign * 0.002)))
        });
        let data = Data::from_rows(vec!["N".into()], rows);
        let fit = fit(&formula, &data, &Options::default()).unwrap();
        let f0 = &fit.intervals[0].constants[0];
        assert!(f0.low.unwrap() < 0.0 && f0.high.unwrap() > 0.0, "of no known sign");
        assert!(widest_constant(&fit).unwrap().share < 0.02);
    }

    #[test]
    fn what_no_longer_narrows_is_hopeless() {
        assert!(is_hopeless(&[(5, 0.10), (7, 0.1), (10, 0.098)], 0.02));
        assert!(!is_hopeless(&[(5, 0.10), (10, 0.07)], 0.02), "it narrows");
        assert!(!is_hopeless(&[(5, 0.10), (8, 0.10)], 0.02), "too early to say");
        assert!(!is_hopeless(&[(5, 0.021), (10, 0.021)], 0.02), "nearly there");
        assert!(!is_hopeless(&[], 0.02));
    }

    #[test]
    fn a_band_as_a_share() {
        let prediction = fitted(0.01).predict(&[5000.0]).unwrap();
        let share = width(&prediction).unwrap();
        assert!(share > 0.01 && share < 0.05, "{share}");
    }

    #[test]
    fn misfit_decides_where_repetitions_explain_little() {
        let formula = cll_formula::parse("f", "f[0]*N").formula.unwrap();
        let noisy = |wave: f64, noise: f64| {
            let rows = (1..=7).flat_map(|k| {
                let n = 100.0 * f64::from(k);
                let off = if k % 2 == 0 { 1.0 + wave } else { 1.0 - wave };
                (0..5).map(move |r| (vec![n], n * off * (1.0 + noise * f64::from(r - 2))))
            });
            remaining(
                &fit(&formula, &Data::from_rows(vec!["N".into()], rows), &Options::default())
                    .unwrap(),
            )
        };
        assert!(noisy(0.05, 0.005) > 0.9);
        assert!(noisy(0.001, 0.02) < 0.5);
    }

    #[test]
    fn what_the_misfit_decides_ends_after_two_looks() {
        assert!(is_misfit(&[(5, 0.06), (6, 0.061)], 0.02, 0.97));
        assert!(!is_misfit(&[(5, 0.06)], 0.02, 0.97), "one look");
        assert!(!is_misfit(&[(5, 0.06), (6, 0.055)], 0.02, 0.97), "it becomes narrower");
        assert!(!is_misfit(&[(5, 0.06), (6, 0.061)], 0.02, 0.5), "noise decides");
        assert!(!is_misfit(&[(5, 0.022), (6, 0.022)], 0.02, 0.97), "near the goal");
    }
}
