//! The variable of the axis, and its scale.

use cll_fit::Fit;
use cll_statistics::{quantile, sorted};

use super::{PlotError, Scale};

/// The quantity on the x axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Along {
    /// A recorded variable: its index among the recorded ones, and among the formula's.
    Recorded { name: String, recorded: usize, used: Option<usize> },
    /// Nothing was recorded: the points, counted from 1.
    Order,
}

impl Along {
    /// The requested variable; or the axis of the intervals, or the variable of the
    /// formula (then any recorded one) with the most distinct values.
    pub(crate) fn choose(fit: &Fit, asked: Option<&str>) -> Result<Along, PlotError> {
        if let Some(name) = asked {
            return Along::named(fit, name).ok_or_else(|| PlotError::UnknownVariable {
                variable: name.to_owned(),
                recorded: fit.recorded.clone(),
            });
        }
        // With one interval the axis is not known.
        let divided = fit.splits.first().map(|split| split.axis.as_str());
        let axis = divided.or(fit.axis.as_deref()).filter(|_| fit.intervals.len() > 1);
        let axis = axis.and_then(|name| Along::named(fit, name));
        let most = |names: &[String]| {
            let known = names.iter().filter_map(|n| Along::named(fit, n));
            // The first of several with as many.
            known.rev().max_by_key(|along| match along {
                Along::Recorded { recorded, .. } => distinct(fit, *recorded),
                Along::Order => 0,
            })
        };
        let chosen = axis.or_else(|| most(&fit.variables)).or_else(|| most(&fit.recorded));
        Ok(chosen.unwrap_or(Along::Order))
    }

    fn named(fit: &Fit, name: &str) -> Option<Along> {
        let recorded = fit.recorded.iter().position(|n| n == name)?;
        let used = fit.variables.iter().position(|n| n == name);
        Some(Along::Recorded { name: name.to_owned(), recorded, used })
    }

    /// The axis' title.
    pub(crate) fn title(&self) -> &str {
        match self {
            Along::Recorded { name, .. } => name,
            Along::Order => "point",
        }
    }
}

fn distinct(fit: &Fit, recorded: usize) -> usize {
    let values = fit.residuals.iter().filter_map(|r| r.values.get(recorded).copied());
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values.len()
}

/// The scale for values of a variable: by ratios if they span a decade and lie more
/// evenly by their ratios than by their differences; powers of two have ticks of their own.
pub(crate) fn x_scale(values: &[f64]) -> Scale {
    let mut values: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let (Some(&low), Some(&high)) = (values.first(), values.last()) else { return Scale::Linear };
    if low <= 0.0 || high < 8.0 * low || values.len() < 3 {
        return Scale::Linear;
    }
    if values.iter().all(|v| v.log2().fract() == 0.0) {
        return Scale::Binary;
    }
    let widest = |place: &dyn Fn(f64) -> f64| {
        let all = place(high) - place(low);
        let steps = values.windows(2).map(|w| (place(w[1]) - place(w[0])) / all);
        steps.fold(0.0, f64::max)
    };
    if widest(&|v| v.log10()) < widest(&|v| v) { Scale::Log } else { Scale::Linear }
}

/// The scale for the observable: by ratios if it spans a decade and the middle of its
/// values is then nearer to the middle of the axis, so that small ones are seen too.
pub(crate) fn y_scale(values: impl Iterator<Item = f64>) -> Scale {
    let values = sorted(values.filter(|v| v.is_finite()));
    let (Some(&low), Some(&high)) = (values.first(), values.last()) else { return Scale::Linear };
    if low <= 0.0 || high < 10.0 * low {
        return Scale::Linear;
    }
    let middle = quantile(&values, 0.5);
    let off = |place: f64| (place - 0.5).abs();
    let linear = off((middle - low) / (high - low));
    let log = off((middle / low).log10() / (high / low).log10());
    if log < linear { Scale::Log } else { Scale::Linear }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_that_serve() {
        for (values, scale) in [
            (vec![64.0, 128.0, 256.0, 4096.0], Scale::Binary),
            (vec![100.0, 1000.0, 10000.0], Scale::Log),
            (vec![100.0, 300.0, 500.0, 700.0, 1000.0], Scale::Linear),
            (vec![50.0, 62.0, 78.0, 97.0, 121.0, 500.0, 1000.0], Scale::Log),
            (vec![0.0, 1.0, 100.0], Scale::Linear),
            (vec![1.0], Scale::Linear),
            (vec![], Scale::Linear),
        ] {
            assert_eq!(x_scale(&values), scale, "{values:?}");
        }
        assert_eq!(y_scale([1e-6, 1e-3, 1.0].into_iter()), Scale::Log);
        assert_eq!(y_scale((1..=1000).map(f64::from)), Scale::Linear);
        assert_eq!(y_scale([0.0, 1.0].into_iter()), Scale::Linear);
        assert_eq!(y_scale([1.0, 2.0].into_iter()), Scale::Linear);
    }
}
