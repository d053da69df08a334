//! Between measured points, where the formula misses them: the formula times what the points near by
//! say of it.

mod judge;
mod process;
mod shapes;

use serde::{Deserialize, Serialize};

use crate::axis::Axis;
use crate::mixture::{Component, quantile};
use crate::{Band, Data, Fit, Warning};
use judge::correction;
use process::Shape;

/// How measurements differ from a formula that does not fit, as a function of the place: predictions
/// between measured values follow it. The logarithm of measurement over formula (with one set of constants)
/// is a Gaussian process over the logarithms of the axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Correction {
    /// The formula's variables, and the products and quotients of variables that it speaks of.
    pub axes: Vec<CorrectionAxis>,
    /// The constants of the formula, in the order of its terms, that the correction is a factor to.
    pub solution: Vec<f64>,
    /// The points that were fitted.
    pub points: Vec<CorrectionPoint>,
    /// Shapes of the process with their weights, which add to 1.
    pub shapes: Vec<CorrectionShape>,
    /// Degrees of freedom of each shape's sigma.
    pub dof: f64,
    /// How good predictions are so, where each value of a variable is left out in turn but for the smallest
    /// and the largest: mean of the absolute values of the logarithms of measurement over prediction.
    pub error: f64,
    /// The same of the formula by itself.
    pub formula_error: f64,
}

/// A coordinate of the process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorrectionAxis {
    /// A variable, or an expression such as `N/P`.
    pub name: String,
    /// Whether it is its logarithm, as where all values are positive.
    pub logarithm: bool,
    /// Distances are shares of this, the range of (logarithms of) measured values.
    pub range: f64,
}

/// A measured point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorrectionPoint {
    /// Its coordinates: (logarithms of) the axes over their ranges.
    pub at: Vec<f64>,
    /// Logarithm of measurement over formula.
    pub log_ratio: f64,
}

/// A possible shape of the process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorrectionShape {
    /// By how much the measurements favour it.
    pub weight: f64,
    /// Over what distance values hang together, for each axis; `None`: everywhere.
    pub lengths: Vec<Option<f64>>,
    /// Whether it changes smoothly (Matérn's correlation with parameter 5/2), or may jump (1/2).
    pub smooth: bool,
    /// Variance of a measurement over that of the process.
    pub noise: f64,
    /// Mean and standard deviation of the process.
    pub mean: f64,
    /// Standard deviation of the process.
    pub sigma: f64,
}

impl CorrectionShape {
    fn shape(&self) -> Shape {
        let lengths = self.lengths.iter().map(|l| l.unwrap_or(f64::INFINITY)).collect();
        Shape { lengths, noise: self.noise, smooth: self.smooth }
    }
}

impl CorrectionAxis {
    fn coordinate(&self, value: f64) -> Option<f64> {
        let value = if self.logarithm { value.ln() } else { value };
        value.is_finite().then(|| value / self.range)
    }
}

impl Fit {
    /// Finds out whether predictions are to follow the data that were fitted.
    pub(crate) fn follow(&mut self, data: &Data) {
        self.correction = correction(&self.formula, data, self);
        if let Some(Correction { error, formula_error, .. }) = self.correction {
            self.warnings.push(Warning::Follows { error, formula_error });
        }
    }

    /// The value and band at a place between measured ones where predictions follow the data. `terms` are
    /// those of the formula there.
    pub(crate) fn followed(&self, at: &[f64], terms: &[f64]) -> Option<(f64, Option<Band>)> {
        let correction = self.correction.as_ref()?;
        let place = correction.place(&self.variables, at)?;
        correction.predict(&place, terms, self.options.confidence)
    }
}

impl Correction {
    fn place(&self, variables: &[String], at: &[f64]) -> Option<Vec<f64>> {
        let coordinate = |axis: &CorrectionAxis| {
            axis.coordinate(Axis::parse(&axis.name, variables).ok()?.value(at))
        };
        self.axes.iter().map(coordinate).collect()
    }

    fn predict(
        &self,
        place: &[f64],
        terms: &[f64],
        confidence: f64,
    ) -> Option<(f64, Option<Band>)> {
        let model: f64 = terms.iter().zip(&self.solution).map(|(t, c)| t * c).sum();
        if model.is_nan() || model <= 0.0 || terms.len() != self.solution.len() {
            return None;
        }
        let places: Vec<Vec<f64>> = self.points.iter().map(|p| p.at.clone()).collect();
        let values: Vec<f64> = self.points.iter().map(|p| p.log_ratio).collect();
        if places.iter().any(|p| p.len() != place.len()) {
            return None;
        }
        let component = |one: &CorrectionShape| {
            let (value, scale) = process::at(place, &places, &values, &one.shape(), one.mean)?;
            Some(Component { weight: one.weight, value, scale: scale * one.sigma, dof: self.dof })
        };
        let components: Vec<Component> = self.shapes.iter().filter_map(component).collect();
        let all: f64 = components.iter().map(|c| c.weight).sum();
        let sum: f64 = components.iter().map(|c| c.weight * c.value).sum();
        let value = model * (sum / all).exp();
        let tail = 0.5 * (1.0 - confidence);
        let end = |share| model * quantile(&components, share).exp();
        (value.is_finite() && value > 0.0).then(|| {
            let band = Band { low: end(tail), high: end(1.0 - tail) };
            (value, (band.low.is_finite() && band.high.is_finite()).then_some(band))
        })
    }
}
