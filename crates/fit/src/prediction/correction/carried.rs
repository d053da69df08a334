//! Predictions beyond the data where those between measured values follow them: the correction at
//! the edge of the data is carried over it, and fades with the distance.

use crate::{Band, Fit};

impl Fit {
    /// A formula's value and band beyond the data, with the correction of the nearest place inside
    /// them. `None` if predictions do not follow the data there.
    pub(crate) fn carried(
        &self,
        point: &[f64],
        value: f64,
        band: Option<Band>,
    ) -> Option<(f64, Option<Band>)> {
        self.correction.as_ref()?;
        let (edge, remaining) = self.edge(point)?;
        let there = self.place(&edge).ok()?;
        if there.domain.is_extrapolation() || value <= 0.0 {
            return None;
        }
        let formula = self.formula_at(&edge).filter(|value| *value > 0.0)?;
        let (followed, own) = self.followed(&edge, &there.plain)?;
        let carried = value * (followed / formula).powf(remaining);
        let band = band.zip(own).map(|(band, own)| {
            // Between the band at the edge and one that contains the formula's own.
            let near = [own.low, own.high].map(|end| carried * end / followed);
            let factor = carried / value;
            let low = near[0].min(band.low).min(band.low * factor);
            let high = near[1].max(band.high).max(band.high * factor);
            let between = |near: f64, far: f64| near + (far - near) * (1.0 - remaining);
            Band { low: between(near[0], low), high: between(near[1], high) }
        });
        carried.is_finite().then_some((carried, band))
    }

    /// The nearest place within the measured range of each variable, and the share of the correction
    /// there that remains: the inverse of the factor to it.
    fn edge(&self, point: &[f64]) -> Option<(Vec<f64>, f64)> {
        let mut remaining = 1.0f64;
        let mut edge = Vec::with_capacity(point.len());
        for (name, &value) in self.variables.iter().zip(point) {
            let range = self.domain.iter().find(|range| range.variable == *name)?;
            let nearest = value.clamp(range.low, range.high);
            edge.push(nearest);
            if nearest == value {
                continue;
            }
            let factor = if value > nearest { nearest / value } else { value / nearest };
            let share = if value > 0.0 && nearest > 0.0 {
                factor
            } else {
                (-(value - nearest).abs() / (range.high - range.low)).exp()
            };
            remaining = remaining.min(share);
        }
        Some((edge, remaining))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Data, Intervals, fit};

    /// A line to a matrix-like cost that grows by a step of the cache in the middle of the range.
    #[test]
    fn the_prediction_does_not_jump_at_the_last_size() {
        let truth = |n: f64| n * n * (1.0 + 0.6 * (3.0 * n.ln()).sin());
        let sizes = (0..40).map(|k| (100.0 * 1.08f64.powi(k)).round());
        let rows: Vec<(Vec<f64>, f64)> = sizes
            .flat_map(|n| [0.998, 1.0, 1.002].map(|factor| (vec![n], truth(n) * factor)))
            .collect();
        let (first, last) = (rows[0].0[0], rows[rows.len() - 1].0[0]);
        let data = Data::from_rows(vec!["N".into()], rows);
        let formula = cll_formula::parse("f", "f[0] + f[1]*N*N").formula.unwrap();
        let fit = fit(&formula, &data, &Intervals::dynamic().into()).unwrap();
        assert!(fit.correction.is_some());
        let value = |n: f64| {
            let prediction = fit.predict(&[n]).unwrap();
            let band = prediction.band.unwrap();
            assert!(band.low <= prediction.value && prediction.value <= band.high, "{n}");
            (prediction.value, prediction.follows)
        };
        for (inside, outside) in [(last, last + 1.0), (first, first - 1.0)] {
            let ((here, follows), (there, beyond)) = (value(inside), value(outside));
            assert!(follows && !beyond);
            let by_formula = (fit.formula_at(&[inside]).unwrap() / here).ln().abs();
            let step = (truth(outside) / truth(inside)).ln().abs();
            assert!((there / here).ln().abs() < 2.0 * step + 0.02 * by_formula, "{here} {there}");
        }
        // Far from the data the formula alone remains.
        let far = [100.0 * last];
        let (prediction, alone) = (fit.predict(&far).unwrap(), fit.formula_at(&far).unwrap());
        assert!((prediction.value / alone).ln().abs() < 0.01);
    }
}
