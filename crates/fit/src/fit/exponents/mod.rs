//! From a formula with constants in exponents, and data, to a fit: variable projection.
//!
//! For given exponents the formula is linear in its other constants. So only the exponents are
//! sought: by the method of Levenberg and Marquardt on the residuals that the best other constants
//! leave (Golub and Pereyra, *The differentiation of pseudo-inverses and nonlinear least squares
//! problems whose variables separate*, 1973), from several starts.

mod projection;

use cll_formula::{Formula, MAX_EXPONENTS, PowerFormula};
use nalgebra::{DMatrix, DVector};

use crate::numerics::two_sided;
use crate::result::{Direction, Exponent};
use crate::{Data, Fit, FitError, Intervals, Options, fit};
use projection::Projection;

/// Exponents whose directions differ by this factor in variance cannot be told apart.
const CONDITION: f64 = 1e12;

/// Fits a formula with constants in exponents. Intervals of validity, joins and following the data are
/// off: `options.intervals` must be [`Intervals::None`] or the default.
///
/// # Errors
/// As [`fit`](crate::fit()), and if the exponents are not determined.
pub fn fit_powers(formula: &PowerFormula, data: &Data, options: &Options) -> Result<Fit, FitError> {
    let names = formula.names();
    if names.len() > MAX_EXPONENTS {
        return Err(FitError::Exponents {
            exponents: names.to_vec(),
            why: format!("at most {MAX_EXPONENTS} exponents can be sought together"),
        });
    }
    let options = Options { intervals: Intervals::None, follow: false, ..options.clone() };
    let projection = Projection::new(formula, data, &options)?;
    let undetermined =
        |why: &str| FitError::Exponents { exponents: names.to_vec(), why: why.to_owned() };
    let best = projection.best().ok_or_else(|| {
        undetermined("no exponents were found for which the other constants are determined")
    })?;
    if best.at_limit {
        return Err(undetermined(
            "the best ones are beyond 8: the terms with them may be zero, or grow in another way than a power",
        ));
    }
    let (rows, linear) = (best.residuals.len() as f64, best.constants as f64);
    let left = rows - linear - names.len() as f64;
    if left < 1.0 {
        return Err(undetermined(&format!(
            "{rows} points for {} constants; measure at more values of the variables",
            linear + names.len() as f64
        )));
    }
    let jacobian = projection.jacobian(&best.exponents).ok_or_else(|| {
        undetermined("the residuals cannot be computed next to the best exponents")
    })?;
    let normal = jacobian.transpose() * &jacobian;
    let eigen = normal.clone().symmetric_eigen();
    let largest = eigen.eigenvalues.max();
    let smallest = eigen.eigenvalues.min();
    if largest.is_nan() || smallest <= largest / CONDITION {
        return Err(undetermined("other exponents fit the data as well"));
    }
    let variance = best.rss / left;
    let inverse = normal.try_inverse();
    let covariance =
        inverse.ok_or_else(|| undetermined("other exponents fit the data as well"))? * variance;
    finished(&projection, &best.exponents, &covariance, (rows - linear, left), (data, &options))
}

/// The fit with these exponents, and their uncertainty in all that follows.
fn finished(
    projection: &Projection,
    exponents: &[f64],
    covariance: &DMatrix<f64>,
    (before, left): (f64, f64),
    (data, options): (&Data, &Options),
) -> Result<Fit, FitError> {
    let t = two_sided(options.confidence, left);
    let error = |k: usize| covariance[(k, k)].max(0.0).sqrt();
    // As many digits as the exponent is known to, and some more.
    let rounded: Vec<f64> =
        exponents.iter().enumerate().map(|(k, value)| to_digits(*value, error(k))).collect();
    let undetermined = || FitError::Exponents {
        exponents: projection.names().to_vec(),
        why: "the formula with them cannot be fitted".to_owned(),
    };
    let formula = projection.formula(&rounded).ok_or_else(undetermined)?;
    let mut fitted = fit(&formula, data, options)?;
    fitted.exponents = projection
        .names()
        .iter()
        .enumerate()
        .map(|(k, name)| Exponent {
            constant: name.clone(),
            value: rounded[k],
            standard_error: error(k),
            low: rounded[k] - t * error(k),
            high: rounded[k] + t * error(k),
        })
        .collect();
    // The exponents cost degrees of freedom.
    let wider = before / left;
    let interval = &mut fitted.intervals[0];
    interval.dof = (interval.dof - (before - left)).max(1.0);
    interval.sigma = interval.sigma.map(|sigma| sigma * wider.sqrt());
    interval.covariance.iter_mut().flatten().for_each(|entry| *entry *= wider);

    // One standard deviation along each principal direction of the exponents.
    let eigen = covariance.clone().symmetric_eigen();
    for (k, variance) in eigen.eigenvalues.iter().enumerate() {
        let step = eigen.eigenvectors.column(k) * variance.max(0.0).sqrt();
        let moved: Vec<f64> = rounded.iter().zip(step.iter()).map(|(a, b)| a + b).collect();
        let direction = projection.formula(&moved).and_then(|formula| {
            let solution = projection.solution(&formula)?;
            Some(Direction { formula, solution })
        });
        fitted.directions.push(direction.ok_or_else(undetermined)?);
    }
    widen(&mut fitted, t);
    fitted.negative_by_intervals();
    Ok(fitted)
}

/// The other constants vary with the exponents.
fn widen(fitted: &mut Fit, t: f64) {
    let interval = &mut fitted.intervals[0];
    for (term, constant) in fitted.constants.iter_mut().enumerate() {
        let value = interval.solution[term];
        let with: f64 = fitted.directions.iter().map(|d| (d.solution[term] - value).powi(2)).sum();
        let own = interval.covariance.get(term).map_or(0.0, |row| row[term].max(0.0));
        let error = (own + with).sqrt();
        let segments = constant.segments.iter_mut().map(|segment| &mut segment.estimate);
        for estimate in segments.chain(interval.constants.get_mut(term)) {
            if estimate.standard_error.is_some() {
                estimate.standard_error = Some(error);
                let own = (value - t * error, value + t * error);
                let (low, high) = fitted.widening.wider(value, own, fitted.options.confidence);
                (estimate.low, estimate.high) = (Some(low), Some(high));
            }
        }
    }
}

/// A number with a hundredth of its standard error as the last digit, at most 12 digits.
fn to_digits(value: f64, error: f64) -> f64 {
    if error <= 0.0 || !error.is_finite() {
        return value;
    }
    let digit = 10f64.powi(((error / 100.0).log10().floor() as i32).max(-12));
    let rounded = (value / digit).round() * digit;
    // Free of the last binary digits: as it would be typed.
    format!("{rounded:.12}").parse().unwrap_or(rounded)
}

impl Fit {
    /// Variance of a prediction by that of the exponents.
    pub(crate) fn exponent_variance(&self, point: &[f64]) -> f64 {
        let Some(here) = self.formula_at(point).filter(|_| !self.directions.is_empty()) else {
            return 0.0;
        };
        let value = |direction: &Direction| -> Option<f64> {
            let Direction { formula, solution } = direction;
            let order = formula.variables().iter().map(|v| {
                let place = self.variables.iter().position(|own| *own == v.name)?;
                point.get(place).copied()
            });
            let values: Vec<f64> = order.collect::<Option<_>>()?;
            (solution.len() == formula.terms().len()).then(|| formula.evaluate(&values, solution))
        };
        let off = self.directions.iter().filter_map(value).map(|there| there - here);
        let sum: f64 = off.map(|off| off * off).sum();
        if sum.is_finite() { sum } else { 0.0 }
    }
}

/// Formulas are compared by their terms' places, so the order must not change with exponents.
pub(crate) fn same_shape(a: &Formula, b: &Formula) -> bool {
    a.terms().len() == b.terms().len()
        && a.terms().iter().zip(b.terms()).all(|(x, y)| x.constant_name() == y.constant_name())
}

/// A vector of numbers.
pub(crate) fn vector(numbers: Vec<f64>) -> DVector<f64> {
    DVector::from_vec(numbers)
}
