//! The fit with levels: changes first, then all that a fit has, with the levels' columns in place of the terms.

use cll_formula::Formula;

use super::build::{Chosen, build_fit};
use super::cleaning::Cleaning;
use super::huber::{weigh_by_neighbours, weigh_points_alone};
use super::with_intervals::{finite, interval_fit, overflow};
use crate::input::{Axis, NamedAxis, Samples, columns};
use crate::intervals::Fitted;
use crate::levels::{
    Along, EXPLAINED, LevelParts, Levels, aggregated_noise, explains_more, independent, owners,
};
use crate::solve::relative;
use crate::{Data, Fit, FitError, Intervals, Loss, Options, Warning};

/// A misfit below this share of the values is accepted as it is where regions explain it,
const VISIBLE: f64 = 0.005;
/// and below this one where intervals do.
const LARGE: f64 = 0.1;
/// A misfit of so many times the noise of the repetitions is none of them.
const NOISE: f64 = 2.0;
/// Intervals must have this share of the error at sizes that are left out to be taken in place of levels.
const BETTER: f64 = 0.8;
/// Their criterion must be better by this (strong evidence, Raftery 1995).
const SURE: f64 = 6.0;

/// Fits levels. Where they miss the data and intervals or regions of free constants do not, those are taken.
pub(crate) fn level_fit(
    formula: &Formula,
    data: &Data,
    (options, most): (&Options, usize),
    (mut samples, axes): (Samples, &[NamedAxis]),
    known: Option<&Fit>,
) -> Result<Fit, FitError> {
    if known.is_some_and(|fit| !fit.boundaries.is_empty() || !fit.splits.is_empty()) {
        let sought = Options { intervals: Intervals::dynamic(), ..options.clone() };
        return interval_fit(formula, data, &sought, (samples, axes));
    }
    // Exact counts are no costs: N*(N - 1) is one.
    let is_bounded = !options.signed && !samples.exact;
    let single =
        Options { intervals: Intervals::None, non_negative: is_bounded, ..options.clone() };
    let mut cleaning = Cleaning::new(&samples, options);
    if !samples.exact && (options.loss == Loss::Huber || axes.len() == 1) {
        let plain = Fitted::new(&samples, formula, axes, &single)?;
        if options.loss == Loss::Huber {
            weigh_by_neighbours(&mut samples, &plain);
        } else {
            let noise = aggregated_noise(&samples);
            weigh_points_alone(&mut samples, &plain, noise);
        }
    }
    loop {
        let mut levels = match known.and_then(|fit| fixed(fit, &samples, axes)) {
            Some(levels) => levels,
            None => Levels::search(formula, &samples, axes, data, (most, is_bounded))?,
        };
        let axis = levels.axis.map_or(axes, |axis| &axes[axis..=axis]);
        let mut expanded = expanded(formula, data, &samples, &levels, axis)?;
        let mut fitted = Fitted::new(&expanded, formula, axis, &single)?;
        fitted.ordered = fitted.ordered.among(axes.len());
        // Of all points: the search may have seen a part of them.
        levels.score_by(&fitted);
        fitted.solved.places = levels.places();
        let mut is_difference = false;
        if known.is_none() && is_bounded && levels.is_changing() {
            let free = Options { non_negative: false, ..single.clone() };
            let free = Fitted::new(&samples, formula, axis, &free)?;
            is_difference = explains_as_difference(&free, &fitted, &levels, &samples);
            if is_difference {
                levels = levels.of_one_level();
                expanded = samples.clone();
                fitted = Fitted::new(&samples, formula, axis, &single)?;
            }
        }
        fitted.solved.places = levels.places();
        if cleaning.is_to_be_repeated(&mut samples, &fitted) {
            continue;
        }
        let plain = Fitted::new(&samples, formula, axis, &single)?;
        let parts = LevelParts { levels: &levels, plain: (&samples, &plain) };
        if known.is_none()
            && !is_difference
            && let Some(divided) = divided(formula, data, (options, axes), &parts)?
        {
            return Ok(divided);
        }
        let fit = build_fit(&Chosen {
            formula,
            data,
            options,
            samples: &expanded,
            fitted: &fitted,
            axes,
            regions: None,
            parts: Some(&parts),
        });
        // Without noise a term is missing where one explains more than changes do.
        if samples.exact && levels.is_changing() && fit.other.is_some() {
            let samples = Samples::new(formula, data, &single)?;
            let fit = interval_fit(formula, data, &single, (samples, axes))?;
            return Ok(Fit { options: options.clone(), ..fit });
        }
        return if finite(&fit) { Ok(fit) } else { Err(overflow(&samples)) };
    }
}

/// Whether negative constants explain the data better than changes between levels. A difference is no change of costs:
/// it is held at 0, and that is said.
fn explains_as_difference(
    free: &Fitted,
    fitted: &Fitted,
    levels: &Levels,
    samples: &Samples,
) -> bool {
    let changes = levels.changes.iter().map(Vec::len).sum();
    let left = (fitted.solved.variance(), changes);
    free.chosen.score < levels.score && explains_more(free.solved.variance(), left, samples)
}

/// The fit with intervals or regions, if levels miss what these explain.
fn divided(
    formula: &Formula,
    data: &Data,
    (options, axes): (&Options, &[NamedAxis]),
    parts: &LevelParts,
) -> Result<Option<Fit>, FitError> {
    let (samples, plain) = parts.plain;
    let noise = aggregated_noise(samples);
    let misfit = relative(&plain.ordered, samples, parts.levels.left_out.0);
    // Regions may leave most points alone: what they explain is little of the error of all.
    let (visible, least) =
        if axes.len() > 1 { (VISIBLE, EXPLAINED.sqrt()) } else { (LARGE, NOISE) };
    if misfit.is_nan() || misfit < visible || parts.levels.left_out.0 < least * noise {
        return Ok(None);
    }
    let sought = Options { intervals: Intervals::dynamic(), ..options.clone() };
    let all = (samples.clone(), axes);
    let Ok(fit) = interval_fit(formula, data, &sought, all) else { return Ok(None) };
    // Free constants that are no costs explain nothing; regions were compared at sizes that are left out already.
    let is_negative = |warning: &Warning| matches!(warning, Warning::Negative { .. });
    let is_better = !fit.splits.is_empty()
        || (misfit >= LARGE
            && !fit.boundaries.is_empty()
            && !fit.warnings.iter().any(is_negative)
            && fit.quality.left_out.is_some_and(|error| error < BETTER * misfit));
    Ok((is_better && fit.quality.bic < parts.levels.score - SURE)
        .then(|| Fit { options: options.clone(), ..fit }))
}

/// The changes of a fit, for other data of the same kind.
fn fixed(fit: &Fit, samples: &Samples, axes: &[NamedAxis]) -> Option<Levels> {
    let axis = axes.iter().position(|axis| Some(&axis.name) == fit.axis.as_ref());
    if axis.is_none() && !fit.changes.is_empty() {
        return None;
    }
    let count = fit.formula.terms().len();
    let changes =
        if fit.changes.is_empty() { vec![Vec::new(); count] } else { fit.changes.clone() };
    Some(Levels {
        axis,
        basis: independent(samples),
        changes,
        score: 0.0,
        left_out: (f64::NAN, f64::NAN),
        alternatives: fit.alternatives.clone(),
    })
}

/// The samples with a column for each level in place of the terms. Those of terms that depend on others are zero.
fn expanded(
    formula: &Formula,
    data: &Data,
    samples: &Samples,
    levels: &Levels,
    axis: &[NamedAxis],
) -> Result<Samples, FitError> {
    let mut expanded = samples.clone();
    let [axis] = axis else { return Ok(expanded) };
    if !levels.is_changing() {
        return Ok(expanded);
    }
    let own = columns(formula, data)?;
    // The values of the formula's variables first, then all that are recorded.
    let axis = match &axis.axis {
        Axis::Variable(column) => match own.iter().position(|own| own == column) {
            Some(variable) => Axis::Variable(variable),
            None => Axis::Variable(own.len() + column),
        },
        Axis::Expression(formula, columns) => {
            let columns = columns.iter().map(|column| own.len() + column).collect();
            Axis::Expression(formula.clone(), columns)
        }
    };
    let along = Along { formula, axis };
    let terms = owners(&levels.changes);
    for point in &mut expanded.points {
        let mut values: Vec<f64> = own.iter().map(|&column| point.values[column]).collect();
        values.extend(&point.values);
        point.terms = along.columns(&levels.changes, &values);
        for (column, owner) in point.terms.iter_mut().zip(&terms) {
            if !levels.basis.contains(owner) {
                *column = 0.0;
            }
        }
    }
    expanded.terms = terms.len();
    Ok(expanded)
}
