//! The constants that another model implies for a fitted formula.

use cll_fit::Fit;
use nalgebra::DMatrix;

use crate::error::Error;
use crate::value::Quantity;

/// A constant of a fitted model beside the one that another model implies.
#[derive(Clone, Debug)]
pub struct ConstantRow {
    /// The name of the constant, `f[2]`.
    pub constant: String,
    /// The term of the constant.
    pub term: String,
    /// Where it holds, if the fitted model has several intervals.
    pub place: String,
    /// The fitted value.
    pub fitted: Quantity,
    /// The model that implies the other one.
    pub model: String,
    /// The implied value.
    pub implied: Quantity,
    /// Whether their difference may be zero, at the confidence of the comparison.
    pub agrees: bool,
}

/// Constants that describe values of another model best by the terms of a formula: weighted least squares on the
/// values themselves, relative errors. A model that is a sum of these terms is described exactly, so that its
/// constants follow, each with its uncertainty as a linear form of the values.
///
/// `values` are at `points`, whose values are in the order of the formula's variables. Gives the constants, in the
/// order of the terms, and the largest relative error of the description.
///
/// # Errors
/// If the points do not determine the constants.
pub fn constants(
    fit: &Fit,
    points: &[Vec<f64>],
    values: &[Quantity],
) -> Result<(Vec<Quantity>, f64), Error> {
    let count = fit.formula.terms().len();
    if points.len() < count {
        return Err(Error::FewPoints { points: points.len(), constants: count });
    }
    let mut design = DMatrix::zeros(points.len(), count);
    let mut terms = vec![0.0; count];
    for (row, point) in points.iter().enumerate() {
        fit.formula.terms_at(point, &mut terms);
        let weight = 1.0 / values[row].value.abs().max(f64::MIN_POSITIVE);
        for (column, term) in terms.iter().enumerate() {
            design[(row, column)] = term * weight;
        }
    }
    let scales: Vec<f64> = (0..count).map(|column| design.column(column).norm()).collect();
    if scales.iter().any(|scale| *scale == 0.0 || !scale.is_finite()) {
        return Err(Error::ZeroTerm);
    }
    for (column, scale) in scales.iter().enumerate() {
        design.column_mut(column).scale_mut(1.0 / scale);
    }
    let decomposed = design.clone().svd(true, true);
    let greatest = decomposed.singular_values.max();
    let rank = decomposed.rank(1e-9 * greatest);
    if rank < count {
        return Err(Error::EqualTerms);
    }
    let inverse = decomposed.pseudo_inverse(1e-12 * greatest).map_err(Error::Singular)?;
    let mut found: Vec<Quantity> = Vec::with_capacity(count);
    for (column, scale) in scales.iter().enumerate() {
        let mut sum = Quantity::with_unit(0.0, values[0].unit.clone());
        for (row, value) in values.iter().enumerate() {
            let weight = 1.0 / value.value.abs().max(f64::MIN_POSITIVE);
            let factor = inverse[(column, row)] * weight / scale;
            sum = sum.plus(&value.mapped(value.value * factor, factor, value.unit.clone()));
        }
        sum.beyond = false;
        found.push(sum);
    }
    let mut largest = 0.0f64;
    for (point, value) in points.iter().zip(values) {
        fit.formula.terms_at(point, &mut terms);
        let described: f64 = terms.iter().zip(&found).map(|(term, c)| term * c.value).sum();
        largest = largest.max(((described - value.value) / value.value).abs());
    }
    Ok((found, largest))
}
