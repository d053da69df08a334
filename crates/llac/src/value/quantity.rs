//! Numbers with a unit and their uncertainty.
//!
//! The uncertainty of a number is a linear form: a sum of independent standard normal sources, each with a
//! coefficient in the number's unit. A model has a source for each independent direction of its constants, and one
//! for the variation of measurements. So the same constant has the same error wherever it is used, and sums and
//! products of predictions have the interval that follows to first order (JCGM 100:2008, 5.2.2).
//!
//! Why: decision 0098.

use std::sync::Arc;

use super::unit::Unit;

/// A source of uncertainty. Equal numbers are the same source.
pub type UncertaintySource = u64;

/// A number with unit and uncertainty.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// The value, in the unit.
    pub value: f64,
    /// The unit.
    pub unit: Unit,
    /// Sources, ascending, with their coefficients; `None`: the number is exact.
    pub parts: Option<Arc<[(UncertaintySource, f64)]>>,
    /// The interval of a model's own prediction, of the session's confidence. It is more exact than the parts, and
    /// lost in most calculations.
    pub band: Option<(f64, f64)>,
    /// Whether a model was used beyond its data for it.
    pub beyond: bool,
    /// Whether it is from a model that is not measurable.
    pub doubtful: bool,
}

impl Quantity {
    /// An exact number without a unit.
    pub fn exact(value: f64) -> Quantity {
        Quantity::with_unit(value, Unit::NONE)
    }

    /// An exact number.
    pub fn with_unit(value: f64, unit: Unit) -> Quantity {
        Quantity { value, unit, parts: None, band: None, beyond: false, doubtful: false }
    }

    /// Whether it has no uncertainty.
    pub fn is_exact(&self) -> bool {
        self.parts.is_none() && self.band.is_none()
    }

    /// The standard deviation, in the unit.
    pub fn deviation(&self) -> f64 {
        let parts = self.parts.as_deref().unwrap_or_default();
        parts.iter().map(|(_, c)| c * c).sum::<f64>().sqrt()
    }

    /// The interval: `normal` standard deviations to both sides, or the model's own.
    pub fn interval(&self, normal: f64) -> Option<(f64, f64)> {
        self.band.or_else(|| {
            self.parts.as_ref()?;
            let half = normal * self.deviation();
            Some((self.value - half, self.value + half))
        })
    }

    /// `f(self)`, where `slope` is the derivative of `f` here.
    pub fn mapped(&self, value: f64, slope: f64, unit: Unit) -> Quantity {
        let parts = self.parts.as_deref().map(|parts| scaled(parts, slope));
        let (beyond, doubtful) = (self.beyond, self.doubtful);
        Quantity { value, unit, parts, band: None, beyond, doubtful }
    }

    /// `f(self, other)`, with both derivatives.
    pub fn joined(&self, other: &Quantity, value: f64, slopes: (f64, f64), unit: Unit) -> Quantity {
        let parts = match (&self.parts, &other.parts) {
            (None, None) => None,
            (Some(own), None) => Some(scaled(own, slopes.0)),
            (None, Some(slope)) => Some(scaled(slope, slopes.1)),
            (Some(a), Some(b)) => Some(sum(a, slopes.0, b, slopes.1)),
        };
        let beyond = self.beyond || other.beyond;
        let doubtful = self.doubtful || other.doubtful;
        Quantity { value, unit, parts, band: None, beyond, doubtful }
    }

    /// The sum; both have one unit.
    pub fn plus(&self, other: &Quantity) -> Quantity {
        let sum = self.joined(other, self.value + other.value, (1.0, 1.0), self.common_unit(other));
        let moved = |quantity: &Quantity, by: &Quantity| {
            quantity.band.filter(|_| by.is_exact()).map(|(l, h)| (l + by.value, h + by.value))
        };
        Quantity { band: moved(self, other).or_else(|| moved(other, self)), ..sum }
    }

    /// The negative.
    pub fn negative(&self) -> Quantity {
        let band = self.band.map(|(low, high)| (-high, -low));
        Quantity { band, ..self.mapped(-self.value, -1.0, self.unit.clone()) }
    }

    /// The product.
    pub fn times(&self, other: &Quantity) -> Quantity {
        let unit = self.unit.times(&other.unit);
        let value = self.value * other.value;
        let product = self.joined(other, value, (other.value, self.value), unit);
        let stretched = |quantity: &Quantity, by: &Quantity| {
            let (low, high) = quantity.band.filter(|_| by.is_exact())?;
            let (low, high) = (low * by.value, high * by.value);
            Some((low.min(high), low.max(high)))
        };
        Quantity { band: stretched(self, other).or_else(|| stretched(other, self)), ..product }
    }

    /// The quotient.
    pub fn per(&self, other: &Quantity) -> Quantity {
        let inverse = other.mapped(
            1.0 / other.value,
            -1.0 / (other.value * other.value),
            Unit::NONE.per(&other.unit),
        );
        let quotient = self.times(&inverse);
        // Not by way of the inverse: 6/3 is 2.
        Quantity { value: self.value / other.value, ..quotient }
    }

    /// The unit of a sum; a bare zero has every unit.
    fn common_unit(&self, other: &Quantity) -> Unit {
        if self.unit.is_none() { other.unit.clone() } else { self.unit.clone() }
    }

    /// Whether both may be added or compared: equal units, or one is zero without a unit.
    pub fn fits(&self, other: &Quantity) -> bool {
        let bare = |quantity: &Quantity| quantity.unit.is_none() && quantity.value == 0.0;
        self.unit == other.unit || bare(self) || bare(other)
    }
}

fn scaled(parts: &[(UncertaintySource, f64)], by: f64) -> Arc<[(UncertaintySource, f64)]> {
    parts.iter().map(|(source, c)| (*source, c * by)).collect()
}

/// `x*a + y*b`.
fn sum(
    a: &[(UncertaintySource, f64)],
    x: f64,
    b: &[(UncertaintySource, f64)],
    y: f64,
) -> Arc<[(UncertaintySource, f64)]> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut k) = (0, 0);
    while i < a.len() || k < b.len() {
        let first = a.get(i).map_or(u64::MAX, |pair| pair.0);
        let second = b.get(k).map_or(u64::MAX, |pair| pair.0);
        let source = first.min(second);
        let mut coefficient = 0.0;
        if first == source {
            coefficient += x * a[i].1;
            i += 1;
        }
        if second == source {
            coefficient += y * b[k].1;
            k += 1;
        }
        all.push((source, coefficient));
    }
    all.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uncertain(value: f64, source: UncertaintySource, deviation: f64) -> Quantity {
        Quantity {
            parts: Some(Arc::from([(source, deviation)])),
            ..Quantity::with_unit(value, Unit::seconds())
        }
    }

    #[test]
    fn the_same_source_adds_up_and_others_by_squares() {
        let (a, b) = (uncertain(1.0, 1, 0.3), uncertain(2.0, 2, 0.4));
        assert!((a.plus(&b).deviation() - 0.5).abs() < 1e-12);
        assert!((a.plus(&a).deviation() - 0.6).abs() < 1e-12);
        assert!(a.plus(&a.negative()).deviation() < 1e-12);
        let ratio = a.per(&a);
        assert!(ratio.deviation() < 1e-12 && ratio.unit.is_none() && ratio.value == 1.0);
    }

    #[test]
    fn a_product_has_the_relative_errors_of_both() {
        let product = uncertain(10.0, 1, 0.3).times(&uncertain(5.0, 2, 0.2));
        let expected = ((0.03f64).powi(2) + (0.04f64).powi(2)).sqrt() * 50.0;
        assert!((product.deviation() - expected).abs() < 1e-12);
        assert_eq!(product.unit.to_string(), "s^2");
    }

    #[test]
    fn a_models_interval_is_kept_by_exact_factors() {
        let band = Some((0.5, 3.0));
        let quantity = Quantity { band, ..uncertain(1.0, 1, 0.3) };
        assert_eq!(quantity.times(&Quantity::exact(-2.0)).band, Some((-6.0, -1.0)));
        assert_eq!(
            quantity.plus(&Quantity::with_unit(1.0, Unit::seconds())).band,
            Some((1.5, 4.0))
        );
        assert_eq!(quantity.plus(&quantity).band, None);
    }
}
