//! From a fit whose formula misses the data to predictions that follow them: between measured points the value of the
//! formula times a factor that is interpolated from the points nearby.
//!
//! Why: decision 0078.

mod accept;
mod carried;
mod gaussian_process;
mod kernels;

use crate::input::Axis;
use crate::numerics::{Component, quantile};
use crate::{Band, Correction, CorrectionAxis, CorrectionKernel, Data, Fit, Warning};
use accept::correction;
use gaussian_process::Kernel;

impl CorrectionKernel {
    fn kernel(&self) -> Kernel {
        let lengths = self.lengths.iter().map(|l| l.unwrap_or(f64::INFINITY)).collect();
        Kernel { lengths, noise: self.noise, smooth: self.smooth }
    }
}

impl CorrectionAxis {
    fn coordinate(&self, value: f64) -> Option<f64> {
        let value = if self.logarithm { value.ln() } else { value };
        value.is_finite().then(|| value / self.range)
    }
}

impl Fit {
    /// Decides whether predictions follow the fitted data.
    pub(crate) fn follow(&mut self, data: &Data) {
        self.correction = correction(&self.formula, data, self);
        if let Some(Correction { error, formula_error, .. }) = self.correction {
            self.warnings.push(Warning::Follows { error, formula_error });
        }
    }

    /// The value and its band at a point between measured values, if predictions follow the data.
    /// `terms` are the values of the formula's terms there.
    pub(crate) fn followed(&self, point: &[f64], terms: &[f64]) -> Option<(f64, Option<Band>)> {
        let correction = self.correction.as_ref()?;
        let place = correction.place(&self.variables, point)?;
        correction.predict(&place, terms, self.options.confidence)
    }
}

impl Correction {
    fn place(&self, variables: &[String], point: &[f64]) -> Option<Vec<f64>> {
        let coordinate = |axis: &CorrectionAxis| {
            axis.coordinate(Axis::parse(&axis.name, variables).ok()?.value(point))
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
        let component = |kernel: &CorrectionKernel| {
            let (value, scale) =
                gaussian_process::value_at(place, &places, &values, &kernel.kernel(), kernel.mean)?;
            Some(Component {
                weight: kernel.weight,
                value,
                scale: scale * kernel.sigma,
                dof: self.dof,
            })
        };
        let components: Vec<Component> = self.kernels.iter().filter_map(component).collect();
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
