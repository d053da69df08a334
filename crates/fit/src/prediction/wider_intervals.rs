//! Wider intervals for what the variation of the samples does not show: a disturbed machine, and
//! the difference to runs at another time.

use crate::{Band, Estimate, Fit, Widening};

impl Fit {
    /// The same fit with every confidence interval widened.
    #[must_use]
    pub fn widened(mut self, by: Widening) -> Fit {
        let by = by.checked();
        let confidence = self.options.confidence;
        let estimates =
            self.intervals.iter_mut().flat_map(|interval| &mut interval.constants).chain(
                self.constants
                    .iter_mut()
                    .flat_map(|values| &mut values.segments)
                    .map(|p| &mut p.estimate),
            );
        estimates.for_each(|estimate| widen(estimate, &by, confidence));
        self.negative_by_intervals();
        self.widening = if self.widening.is_none() { by } else { self.widening.and(&by) };
        self
    }

    /// The band of a new measurement, widened as the intervals of the fit are.
    pub fn widened_band(&self, value: f64, band: Band) -> Band {
        let by = self.widening.of_new();
        let (low, high) = by.wider(value, (band.low, band.high), self.options.confidence);
        let floor = if band.low >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
        Band { low: low.max(floor), high }
    }
}

fn widen(estimate: &mut Estimate, by: &Widening, confidence: f64) {
    let (Some(value), Some(low), Some(high)) = (estimate.value, estimate.low, estimate.high) else {
        return;
    };
    let (low, high) = by.wider(value, (low, high), confidence);
    (estimate.low, estimate.high) = (Some(low), Some(high));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::two_sided;
    use crate::{Data, Intervals, fit};

    fn fitted() -> Fit {
        let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.unwrap();
        let row = |k: u32| {
            let n = f64::from(k) * 10.0;
            (vec![n], (5.0 + n) * (1.0 + 0.01 * f64::from(k % 3)))
        };
        let data = Data::from_rows(vec!["N".into()], (1..20).map(row));
        fit(&formula, &data, &Intervals::dynamic().into()).unwrap()
    }

    #[test]
    fn constants_and_predictions_are_wider_by_the_shares() {
        let narrow = fitted();
        let wide =
            narrow.clone().widened(Widening { below: 0.2, above: 0.04, ..Widening::default() });
        let (a, b) = (&narrow.intervals[0].constants[1], &wide.intervals[0].constants[1]);
        assert_eq!(a.value, b.value);
        assert!((b.high.unwrap() - a.high.unwrap() - 0.04 * a.value.unwrap()).abs() < 1e-12);
        assert!((a.low.unwrap() - b.low.unwrap() - 0.2 * a.value.unwrap()).abs() < 1e-12);
        assert_eq!(b.low, wide.constants[1].segments[0].estimate.low);
        let (a, b) = (narrow.predict(&[55.0]).unwrap(), wide.predict(&[55.0]).unwrap());
        let (band, wider) = (a.band.unwrap(), b.band.unwrap());
        assert!((band.low - wider.low - 0.2 * a.value).abs() < 1e-9);
        assert!((wider.high - band.high - 0.04 * a.value).abs() < 1e-9);
        let text = serde_json::to_string(&wide).unwrap();
        assert_eq!(serde_json::from_str::<Fit>(&text).unwrap(), wide);
        let odd = Widening { below: f64::NAN, ..Widening::default() };
        assert_eq!(narrow.clone().widened(odd), narrow);
    }

    #[test]
    fn a_constant_whose_interval_reaches_zero_is_not_significantly_negative() {
        let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.unwrap();
        let row = |k: u32| {
            let n = f64::from(k) * 10.0;
            (vec![n], (n - 4.0) * (1.0 + 0.002 * f64::from(k % 3)))
        };
        let data = Data::from_rows(vec!["N".into()], (1..20).map(row));
        let narrow = fit(&formula, &data, &Intervals::dynamic().into()).unwrap();
        let warned_high = |fit: &Fit| {
            fit.warnings.iter().find_map(|warning| match warning {
                crate::Warning::Negative { high, .. } => Some(*high),
                _ => None,
            })
        };
        let shown = |fit: &Fit| fit.constants[0].segments[0].estimate.high.unwrap();
        assert_eq!(warned_high(&narrow), Some(shown(&narrow)), "{:?}", narrow.warnings);
        let little = Widening { below: 0.1, above: 0.1, ..Widening::default() };
        let little = narrow.clone().widened(little);
        assert_eq!(warned_high(&little), Some(shown(&little)));
        assert!(shown(&little) > shown(&narrow));
        let wide = narrow.widened(Widening { below: 1.5, above: 1.5, ..Widening::default() });
        assert!(shown(&wide) > 0.0 && warned_high(&wide).is_none(), "{:?}", wide.warnings);
    }

    #[test]
    fn files_of_earlier_versions_have_one_share() {
        let mut file = serde_json::to_value(fitted()).unwrap();
        file["disagreement"] = 0.03.into();
        let read: Fit = serde_json::from_value(file).unwrap();
        assert_eq!(read.widening, Widening { below: 0.03, above: 0.03, ..Widening::default() });
    }

    #[test]
    fn occasions_are_added_by_squares() {
        let narrow = fitted();
        let wide =
            narrow.clone().widened(Widening { common: 0.01, dof: 4.0, ..Widening::default() });
        let (a, b) = (narrow.predict(&[55.0]).unwrap(), wide.predict(&[55.0]).unwrap());
        let half = |band: Band| band.high - a.value;
        let common = 0.01 * a.value * two_sided(narrow.options.confidence, 4.0);
        let expected = half(a.band.unwrap()).hypot(common);
        assert!((half(b.band.unwrap()) - expected).abs() < 1e-9 * expected);
    }
}
