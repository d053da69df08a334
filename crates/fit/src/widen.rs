//! A fit to samples of a disturbed machine: wider intervals.

use crate::{Band, Estimate, Fit};

impl Fit {
    /// The same fit with every interval wider by a share of its value on both sides, for what
    /// samples of disturbed rounds may be off by, all together, which no spread of samples shows.
    #[must_use]
    pub fn widened(mut self, share: f64) -> Fit {
        let share = if share.is_finite() { share.max(0.0) } else { 0.0 };
        let estimates =
            self.intervals.iter_mut().flat_map(|interval| &mut interval.constants).chain(
                self.constants.iter_mut().flat_map(|one| &mut one.pieces).map(|p| &mut p.estimate),
            );
        estimates.for_each(|estimate| widen(estimate, share));
        self.disagreement += share;
        self
    }

    /// A prediction's band, wider by the fit's disagreement.
    pub(crate) fn widened_band(&self, value: f64, band: Band) -> Band {
        let by = self.disagreement * value.abs();
        let floor = if band.low >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
        Band { low: (band.low - by).max(floor), high: band.high + by }
    }
}

fn widen(estimate: &mut Estimate, share: f64) {
    let Some(value) = estimate.value else { return };
    let by = share * value.abs();
    estimate.low = estimate.low.map(|low| low - by);
    estimate.high = estimate.high.map(|high| high + by);
}

#[cfg(test)]
mod tests {
    use crate::{Data, Options, fit};

    #[test]
    fn constants_and_predictions_are_wider_by_the_share() {
        let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.unwrap();
        let row = |k: u32| {
            let n = f64::from(k) * 10.0;
            (vec![n], (5.0 + n) * (1.0 + 0.01 * f64::from(k % 3)))
        };
        let data = Data::from_rows(vec!["N".into()], (1..20).map(row));
        let narrow = fit(&formula, &data, &Options::default()).unwrap();
        let wide = narrow.clone().widened(0.04);
        let (a, b) = (&narrow.intervals[0].constants[1], &wide.intervals[0].constants[1]);
        assert_eq!(a.value, b.value);
        assert!((b.high.unwrap() - a.high.unwrap() - 0.04 * a.value.unwrap()).abs() < 1e-12);
        assert_eq!(b.low, wide.constants[1].pieces[0].estimate.low);
        let (a, b) = (narrow.predict(&[55.0]).unwrap(), wide.predict(&[55.0]).unwrap());
        let (band, wider) = (a.band.unwrap(), b.band.unwrap());
        assert!((band.low - wider.low - 0.04 * a.value).abs() < 1e-9);
        assert!((wider.high - band.high - 0.04 * a.value).abs() < 1e-9);
        let text = serde_json::to_string(&wide).unwrap();
        assert_eq!(serde_json::from_str::<crate::Fit>(&text).unwrap(), wide);
        assert_eq!(narrow.clone().widened(f64::NAN), narrow);
    }
}
