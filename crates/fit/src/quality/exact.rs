//! Observables that repeat exactly, such as counts of instructions or bytes: they have no noise, so
//! whatever a formula misses is a fault of the formula.

use crate::result::Residual;
use crate::warning::place;
use crate::{Band, Domain, Fit, Warning};

/// Residuals below this, relative, are rounding errors.
const ROUNDING: f64 = 1e-9;
/// The point that a formula misses most, relative, without rounding. `None` if it misses none.
pub(crate) fn missed(residuals: &[Residual]) -> Option<&Residual> {
    let used = residuals.iter().filter(|r| r.excluded.is_none() && r.measured != 0.0);
    let off = used.filter(|r| {
        let count = if r.measured.fract() == 0.0 { 0.5 } else { 0.0 };
        (r.measured - r.fitted).abs() > (ROUNDING * r.measured.abs()).max(count)
    });
    off.max_by(|a, b| a.error.abs().total_cmp(&b.error.abs()))
}

impl Fit {
    /// The warning that the formula misses observations that have no noise.
    pub(crate) fn misses_exact(&self) -> Option<Warning> {
        self.quality.exact_misfit?;
        let point = missed(&self.residuals)?;
        let place = place(&self.recorded, &point.values);
        Some(Warning::MissesExact { largest: point.error.abs(), place })
    }

    /// The band of a prediction by a formula that misses exact observations: at least as wide as its
    /// largest error. Beyond the data the error grows with the factor to the data, as that of a missing
    /// term of the next power does, and the band contains the value of the formula that explains the
    /// data better.
    pub(crate) fn exact_band(
        &self,
        point: &[f64],
        value: f64,
        band: Option<Band>,
        domain: &Domain,
    ) -> Option<Band> {
        let Some(misfit) = self.quality.exact_misfit.filter(|misfit| *misfit > 0.0) else {
            return band;
        };
        let factor = match domain {
            Domain::Beyond { factor, .. } => (*factor)?,
            Domain::Inside { .. } | Domain::Between { .. } | Domain::Apart { .. } => 1.0,
        };
        let half = misfit * factor * value.abs();
        let mut wide = Band { low: value - half, high: value + half };
        if domain.is_extrapolation()
            && let Some(there) = self.other_at(point)
        {
            let error = self.other.as_ref().map_or(0.0, |other| 2.0 * other.rmse_relative * factor);
            wide.low = wide.low.min(there - error * there.abs());
            wide.high = wide.high.max(there + error * there.abs());
        }
        let floor = if self.all_positive() { 0.0 } else { f64::NEG_INFINITY };
        let band = band.unwrap_or(wide);
        let wide = Band { low: wide.low.min(band.low).max(floor), high: wide.high.max(band.high) };
        (wide.low.is_finite() && wide.high.is_finite()).then_some(wide)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Data, Intervals, Options, Unit, fit};

    fn counted(formula: &str, sizes: &[f64], count: impl Fn(f64) -> f64) -> Fit {
        counted_with(&Options::default(), formula, sizes, count)
    }

    fn counted_with(
        options: &Options,
        formula: &str,
        sizes: &[f64],
        count: impl Fn(f64) -> f64,
    ) -> Fit {
        let rows = sizes.iter().flat_map(|&n| [(vec![n], count(n)), (vec![n], count(n))]);
        let data = Data::from_rows(vec!["n".into()], rows.collect::<Vec<_>>());
        let data = data.in_unit(Unit::Other("instructions".into()));
        let formula = cll_formula::parse("f", formula).formula.unwrap();
        fit(&formula, &data, options).unwrap()
    }

    fn codes(fit: &Fit) -> Vec<&'static str> {
        fit.warnings.iter().map(Warning::code).collect()
    }

    /// A search from the start of a table in every 50th step of a pass: 2 % at the largest size.
    #[test]
    fn a_small_quadratic_part_of_a_count_is_told_and_named() {
        let count = |n: f64| 900.0 + 1200.0 * n + (n / 50.0).floor() * (n / 50.0).floor();
        let sizes = [1000.0, 2000.0, 4000.0, 8000.0, 16_000.0, 32_000.0, 64_000.0];
        let fit = counted("f[0] + f[1]*n", &sizes, count);
        assert_eq!(codes(&fit)[0], "misses-exact", "{:?}", codes(&fit));
        let other = fit.other.as_ref().expect("another formula");
        assert_eq!(other.term, "n^2", "{}", other.formula.text());
        let prediction = fit.predict(&[4e6]).unwrap();
        let (band, truth) = (prediction.band.unwrap(), count(4e6));
        assert!(band.low <= truth && truth <= band.high, "{band:?} {truth}");
        assert!(band.high - band.low > 0.3 * prediction.value);
        // Inside the data it is as wide as the error.
        let band = fit.predict(&[20_000.0]).unwrap().band.unwrap();
        let truth = count(20_000.0);
        assert!(band.low <= truth && truth <= band.high, "{band:?} {truth}");
    }

    #[test]
    fn a_count_of_two_powers_is_not_divided() {
        let sizes: Vec<f64> = (0..10).map(|k| 25.0 * 2f64.powi(k)).collect();
        let count = |n: f64| 2.0 * n * n * n - n;
        for formula in ["f[0]*n^3", "f[0]*n^3 + f[1]*n"] {
            let fit = counted(formula, &sizes, count);
            assert_eq!(fit.intervals.len(), 1, "{formula}");
            let is_right = formula.contains("f[1]");
            assert_eq!(fit.quality.exact_misfit == Some(0.0), is_right, "{formula}");
            assert_eq!(codes(&fit).contains(&"misses-exact"), !is_right, "{:?}", codes(&fit));
            if !is_right {
                assert_eq!(fit.other.unwrap().term, "n");
            }
        }
    }

    #[test]
    fn a_count_that_jumps_is_divided() {
        let sizes: Vec<f64> = (1..=16).map(|k| 100.0 * f64::from(k)).collect();
        let count = |n: f64| if n > 850.0 { 70.0 * n + 12.0 } else { 20.0 * n + 12.0 };
        let levels = counted("f[0] + f[1]*n", &sizes, count);
        assert_eq!(levels.changes.iter().flatten().count(), 1);
        assert_eq!(levels.quality.exact_misfit, Some(0.0));
        let divided = counted_with(&Intervals::dynamic().into(), "f[0] + f[1]*n", &sizes, count);
        assert_eq!(divided.intervals.len(), 2);
        assert_eq!(divided.quality.exact_misfit, Some(0.0));
    }

    #[test]
    fn times_that_vary_are_not_exact() {
        let rows = (1..10).flat_map(|k| {
            let n = f64::from(k) * 10.0;
            [(vec![n], n), (vec![n], n * (1.0 + 0.01 * f64::from(k % 2)))]
        });
        let data = Data::from_rows(vec!["n".into()], rows.collect::<Vec<_>>());
        let formula = cll_formula::parse("f", "f[0]*n").formula.unwrap();
        assert_eq!(fit(&formula, &data, &Options::default()).unwrap().quality.exact_misfit, None);
    }
}
