//! What no spread of samples shows: a disturbed machine, another occasion.

use serde::{Deserialize, Deserializer, Serialize};

use crate::tails::two_sided;
use crate::{Band, Estimate, Fit};

/// By how much a fit's intervals are wider than the spread of its samples asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Widening {
    /// By so large a share of the value they go further down: what disturbed samples may be too long by.
    #[serde(default)]
    pub below: f64,
    /// And further up.
    #[serde(default)]
    pub above: f64,
    /// Relative standard deviation of what all times share, and another occasion does not.
    #[serde(default)]
    pub common: f64,
    /// Degrees of freedom that it is known with; 0 where there is none.
    #[serde(default)]
    pub dof: f64,
}

impl Widening {
    /// Whether nothing is wider.
    pub fn is_none(&self) -> bool {
        self.below == 0.0 && self.above == 0.0 && self.common == 0.0
    }

    /// The larger of both shares, and the deviation, as one deviation.
    pub fn share(&self) -> f64 {
        self.below.max(self.above).hypot(self.common)
    }

    fn checked(self) -> Widening {
        let share = |share: f64| if share.is_finite() { share.max(0.0) } else { 0.0 };
        Widening {
            below: share(self.below),
            above: share(self.above),
            common: share(self.common),
            dof: share(self.dof),
        }
    }

    /// An interval about a value, wider: the deviation of occasions is independent of what makes it wide and is
    /// added by squares, the shares as they are.
    fn wider(&self, value: f64, (low, high): (f64, f64), confidence: f64) -> (f64, f64) {
        let common = match self.common > 0.0 {
            true => self.common * value.abs() * two_sided(confidence, self.dof),
            false => 0.0,
        };
        // Of an interval that does not hold the value nothing is taken away.
        let side = |half: f64| if half > 0.0 { half.hypot(common) } else { half + common };
        let size = value.abs();
        (
            value - side(value - low) - self.below * size,
            value + side(high - value) + self.above * size,
        )
    }
}

/// In files of earlier versions it is one share for both sides.
pub(crate) fn read<'de, D: Deserializer<'de>>(source: D) -> Result<Widening, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Share(f64),
        Whole(Widening),
    }
    Ok(match Written::deserialize(source)? {
        Written::Share(share) => Widening { below: share, above: share, ..Widening::default() },
        Written::Whole(widening) => widening,
    })
}

impl Fit {
    /// The same fit with every interval wider.
    #[must_use]
    pub fn widened(mut self, by: Widening) -> Fit {
        let by = by.checked();
        let confidence = self.options.confidence;
        let estimates =
            self.intervals.iter_mut().flat_map(|interval| &mut interval.constants).chain(
                self.constants.iter_mut().flat_map(|one| &mut one.pieces).map(|p| &mut p.estimate),
            );
        estimates.for_each(|estimate| widen(estimate, &by, confidence));
        self.widening = by;
        self
    }

    /// A prediction's band, wider by what the fit's is.
    pub(crate) fn widened_band(&self, value: f64, band: Band) -> Band {
        let (low, high) =
            self.widening.wider(value, (band.low, band.high), self.options.confidence);
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
    use crate::{Data, Options, fit};

    fn fitted() -> Fit {
        let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.unwrap();
        let row = |k: u32| {
            let n = f64::from(k) * 10.0;
            (vec![n], (5.0 + n) * (1.0 + 0.01 * f64::from(k % 3)))
        };
        let data = Data::from_rows(vec!["N".into()], (1..20).map(row));
        fit(&formula, &data, &Options::default()).unwrap()
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
        assert_eq!(b.low, wide.constants[1].pieces[0].estimate.low);
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
