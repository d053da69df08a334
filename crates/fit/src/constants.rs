//! From samples to the constants of the formula and their intervals of validity.

use cll_formula::Formula;

use crate::axis::candidates;
use crate::build_fit::build_fit;
use crate::fitted::Fitted;
use crate::levels::level_fit;
use crate::regions::regions;
use crate::samples::Samples;
use crate::{Data, Exclusion, Fit, FitError, Intervals, Loss, Options, Outliers, loss};

/// The fit of the formula without a correction, whatever [`Options::follow`] is.
pub(crate) fn constants(
    formula: &Formula,
    data: &Data,
    options: &Options,
) -> Result<Fit, FitError> {
    constants_as(formula, data, options, None)
}

/// The same; if a fit of the same formula is given, with its changes between levels.
pub(crate) fn constants_as(
    formula: &Formula,
    data: &Data,
    options: &Options,
    known: Option<&Fit>,
) -> Result<Fit, FitError> {
    check(options)?;
    let mut samples = Samples::new(formula, data, options)?;
    let axes = candidates(formula, data, &samples, asked_axis(options))?;
    if matches!(options.intervals, Intervals::Levels { .. }) {
        return level_fit(formula, data, options, samples, &axes, known);
    }
    let mut cleaning = Cleaning::new(&samples, options);
    loop {
        let fitted = Fitted::new(&samples, formula, &axes, options)?;
        if cleaning.is_to_be_repeated(&mut samples, &fitted) {
            continue;
        }
        let fitted = match regions(&fitted, &samples, &axes, options) {
            Some(divided) => divided,
            None => fitted,
        };
        let fit = build_fit(formula, data, options, &samples, &fitted, &axes, None);
        // Without noise a term is missing where one explains more than intervals do.
        let divided = !fit.boundaries.is_empty() || !fit.splits.is_empty();
        let sought = matches!(options.intervals, Intervals::Dynamic { .. });
        if samples.exact && divided && sought && fit.other.is_some() {
            let single = Options { intervals: Intervals::None, ..options.clone() };
            return constants(formula, data, &single)
                .map(|fit| Fit { options: options.clone(), ..fit });
        }
        return if finite(&fit) { Ok(fit) } else { Err(overflow(&samples)) };
    }
}

/// Points that count less or not at all: each fit decides about the next one.
pub(crate) struct Cleaning {
    /// Steps of Huber's loss that are left.
    steps: usize,
    outliers: Outliers,
    left_out: usize,
    most_left_out: usize,
}

impl Cleaning {
    pub(crate) fn new(samples: &Samples, options: &Options) -> Cleaning {
        Cleaning {
            steps: if options.loss == Loss::Huber { loss::STEPS } else { 0 },
            outliers: options.outliers,
            left_out: 0,
            most_left_out: samples.points.len() / 5,
        }
    }

    /// Changes weights or leaves out a point by what a fit says; whether the fit is to be repeated.
    pub(crate) fn is_to_be_repeated(&mut self, samples: &mut Samples, fitted: &Fitted) -> bool {
        if self.steps > 0 {
            self.steps -= 1;
            if loss::reweigh(samples, fitted) > loss::SETTLED {
                return true;
            }
            self.steps = 0;
        }
        if let Outliers::Points { limit } = self.outliers
            && self.left_out < self.most_left_out
            && let Some(point) = outlier(fitted, limit)
        {
            samples.points[point].excluded = Some(Exclusion::Outlier);
            if samples.distinct() > samples.terms + 1 {
                self.left_out += 1;
                return true;
            }
            samples.points[point].excluded = None;
        }
        false
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

/// The point with the largest deleted studentised residual, if that is above the limit.
fn outlier(fitted: &Fitted, limit: f64) -> Option<usize> {
    let dof = fitted.ordered.len() as f64 - fitted.solved.free as f64;
    let floor = fitted.ordered.resolution();
    if dof < 2.0 {
        return None;
    }
    fitted
        .solved
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.residual.abs() > floor && row.leverage < 1.0 - 1e-9)
        .map(|(i, row)| {
            let own = row.residual * row.residual / (1.0 - row.leverage);
            let deleted = ((fitted.solved.rss - own) / (dof - 1.0)).max(floor * floor);
            (i, (own / deleted).sqrt())
        })
        .filter(|(_, t)| *t > limit)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(i, _)| fitted.ordered.point(i))
}

fn asked_axis(options: &Options) -> Option<&str> {
    match &options.intervals {
        Intervals::ByHand { variable, .. } => Some(variable),
        _ => options.axis.as_deref(),
    }
}

fn check(options: &Options) -> Result<(), FitError> {
    if !(options.confidence > 0.0 && options.confidence < 1.0) {
        return Err(FitError::Confidence(options.confidence));
    }
    let wrong = |what, value, expected| Err(FitError::Option { what, value, expected });
    match &options.intervals {
        Intervals::Dynamic { max_intervals: 0 } | Intervals::Greedy { max_intervals: 0, .. } => {
            return wrong("the number of intervals", 0.0, "at least 1");
        }
        Intervals::Greedy { error_threshold, .. }
            if error_threshold.is_nan() || *error_threshold <= 0.0 =>
        {
            return wrong("the error threshold", *error_threshold, "above 0, such as 0.1");
        }
        Intervals::ByHand { breaks, .. } => {
            if let Some(&value) = breaks.iter().find(|b| !b.is_finite()) {
                return wrong("a boundary", value, "a finite number");
            }
        }
        _ => {}
    }
    match options.outliers {
        Outliers::Points { limit } if limit.is_nan() || limit <= 0.0 => {
            wrong("the limit for outliers", limit, "above 0, such as 4")
        }
        _ => Ok(()),
    }
}
