//! From values to places.

use super::Scale;

/// Places values of a range between two ends, in the drawing's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mapping {
    pub(crate) scale: Scale,
    pub(crate) low: f64,
    pub(crate) high: f64,
    from: f64,
    to: f64,
}

impl Mapping {
    /// A range that holds all values which the scale can show, with a margin (a share of the range
    /// on each side), placed from `from` to `to` (which may be in reverse order).
    pub(crate) fn around(
        values: impl Iterator<Item = f64>,
        scale: Scale,
        margin: f64,
        from: f64,
        to: f64,
    ) -> Mapping {
        let (low, high) = values
            .filter(|&v| scale.shows(v))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = if low > high {
            if scale.is_log() { (1.0, 10.0) } else { (0.0, 1.0) }
        } else {
            widened(low, high, scale, margin)
        };
        Mapping { scale, low, high, from, to }
    }

    /// A given range; it is widened if it is none.
    pub(crate) fn exact(low: f64, high: f64, scale: Scale, from: f64, to: f64) -> Mapping {
        Mapping { from, to, ..Mapping::around([low, high].into_iter(), scale, 0.0, from, to) }
    }

    /// The value's place; `None` for values that the scale cannot show. Values outside the range
    /// are placed at its end.
    pub(crate) fn place(&self, value: f64) -> Option<f64> {
        self.scale.shows(value).then(|| {
            let share = self.share(value.clamp(self.low, self.high)).clamp(0.0, 1.0);
            self.from + share * (self.to - self.from)
        })
    }

    /// Whether the value is in the range.
    pub(crate) fn holds(&self, value: f64) -> bool {
        value >= self.low && value <= self.high
    }

    /// The position between low (0) and high (1).
    fn share(&self, value: f64) -> f64 {
        if self.scale.is_log() {
            let (low, high) = (self.low.log10(), self.high.log10());
            return (value.log10() - low) / (high - low);
        }
        (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0)
    }
}

fn widened(low: f64, high: f64, scale: Scale, margin: f64) -> (f64, f64) {
    if scale.is_log() {
        let (l, h) = (low.log10(), high.log10());
        let margin = if h - l < 1e-9 { 0.2 } else { margin * (h - l) };
        let low = 10f64.powf((l - margin).max(-323.0)).min(low);
        let high = 10f64.powf((h + margin).min(308.2)).max(high);
        return if low < high { (low, high) } else { (low / 2.0, low * 2.0) };
    }
    let width = high / 2.0 - low / 2.0;
    let size = low.abs().max(high.abs());
    let margin = if width <= 1e-12 * size {
        // One value (or as good as one): a range about it, away from zero.
        if size < 1e-300 { 1.0 } else { 0.1 * size }
    } else {
        2.0 * margin * width
    };
    ((low - margin).max(f64::MIN), (high + margin).min(f64::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scales() -> impl Strategy<Value = Scale> {
        prop_oneof![Just(Scale::Linear), Just(Scale::Log), Just(Scale::Binary)]
    }

    proptest! {
        #[test]
        fn any_values_have_ordered_places(
            mut values in prop::collection::vec(any::<f64>(), 0..20),
            scale in scales(),
        ) {
            let mapping = Mapping::around(values.iter().copied(), scale, 0.05, 300.0, 20.0);
            prop_assert!(mapping.low < mapping.high);
            prop_assert!(mapping.low.is_finite() && mapping.high.is_finite());
            values.sort_by(f64::total_cmp);
            let mut last = 300.0;
            for value in values {
                match mapping.place(value) {
                    Some(place) => {
                        prop_assert!((20.0..=300.0).contains(&place), "{value}: {place}");
                        prop_assert!(place <= last, "{value}: {place} after {last}");
                        last = place;
                    }
                    None => prop_assert!(!value.is_finite() || value <= 0.0),
                }
            }
        }
    }

    #[test]
    fn decades_are_equally_wide() {
        let mapping = Mapping::exact(1.0, 1000.0, Scale::Log, 0.0, 300.0);
        let places: Vec<f64> =
            [1.0, 10.0, 100.0, 1000.0].iter().filter_map(|&v| mapping.place(v)).collect();
        for (place, expected) in places.iter().zip([0.0, 100.0, 200.0, 300.0]) {
            assert!((place - expected).abs() < 1e-9);
        }
        assert_eq!(mapping.place(0.0), None);
    }
}
