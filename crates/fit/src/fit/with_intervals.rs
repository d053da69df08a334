//! The fit with intervals or regions in which constants are free.

use cll_formula::Formula;

use super::build::{Chosen, build_fit};
use super::cleaning::Cleaning;
use crate::input::{NamedAxis, Samples};
use crate::intervals::Fitted;
use crate::regions::regions;
use crate::{Data, Fit, FitError, Intervals, Options};

/// The fit of the formula along the best of these axes, without a correction, whatever [`Options::follow`] is. Constants with
/// levels are another matter.
pub(crate) fn interval_fit(
    formula: &Formula,
    data: &Data,
    options: &Options,
    (mut samples, axes): (Samples, &[NamedAxis]),
) -> Result<Fit, FitError> {
    let mut cleaning = Cleaning::new(&samples, options);
    loop {
        let fitted = Fitted::new(&samples, formula, axes, options)?;
        if cleaning.is_to_be_repeated(&mut samples, &fitted) {
            continue;
        }
        let (fitted, regions) = match regions(&fitted, &samples, axes, options) {
            Some((divided, regions)) => (divided, Some(regions)),
            None => (fitted, None),
        };
        let fit = build_fit(&Chosen {
            formula,
            data,
            options,
            samples: &samples,
            fitted: &fitted,
            axes,
            regions: regions.as_ref(),
            parts: None,
        });
        // Without noise a term is missing where one explains more than intervals do.
        let divided = !fit.boundaries.is_empty() || !fit.splits.is_empty();
        let sought = matches!(options.intervals, Intervals::Dynamic { .. });
        if samples.exact && divided && sought && fit.other.is_some() {
            let single = Options { intervals: Intervals::None, ..options.clone() };
            let samples = Samples::new(formula, data, &single)?;
            return interval_fit(formula, data, &single, (samples, axes))
                .map(|fit| Fit { options: options.clone(), ..fit });
        }
        return if finite(&fit) { Ok(fit) } else { Err(overflow(&samples)) };
    }
}

/// Whether all numbers that predictions use are finite.
pub(crate) fn finite(fit: &Fit) -> bool {
    let all = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite());
    let some = |number: Option<f64>| number.is_none_or(f64::is_finite);
    let quality = &fit.quality;
    fit.intervals
        .iter()
        .all(|i| all(&i.solution) && some(i.sigma) && i.covariance.iter().all(|row| all(row)))
        && fit.alternatives.iter().all(|a| {
            a.constants.iter().all(|c| all(c))
                && a.sigma.iter().all(|s| some(*s))
                && a.covariance.iter().flatten().all(|row| all(row))
        })
        && fit.residuals.iter().all(|r| r.fitted.is_finite())
        && all(&[quality.rmse_relative, quality.condition, quality.bic])
        && some(quality.r2_adjusted)
}

pub(crate) fn overflow(samples: &Samples) -> FitError {
    let largest = |numbers: &mut dyn Iterator<Item = f64>| numbers.fold(0.0, |m, x| x.abs().max(m));
    FitError::Overflow {
        observation: largest(&mut samples.used().flat_map(|(_, p)| p.kept.iter().copied())),
        term: largest(&mut samples.used().flat_map(|(_, p)| p.terms.iter().copied())),
    }
}
