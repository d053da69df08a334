//! Whether predictions follow the data: only if the formula does not fit and if following the data
//! predicts left-out points better.

use std::collections::BTreeMap;

use cll_formula::Formula;

use super::kernels::{kernels, reestimated};
use crate::fit::{uncorrected_fit, uncorrected_fit_like};
use crate::input::{NamedAxis, Samples, candidates};
use crate::{
    Correction, CorrectionAxis, CorrectionKernel, CorrectionPoint, Data, Fit, Intervals, Options,
    Weights,
};

/// Below this probability, and from this relative size on, the formula is assumed to be wrong.
const DOUBTFUL: f64 = 0.01;
const SIZE: f64 = 0.005;
/// The correction is accepted if its errors are at most this share of those of the formula.
const BETTER: f64 = 0.8;
/// For no single variable may the errors at its left-out values be larger than those of the formula
/// by more than this, relative: the correction is used there too.
const WORSE: f64 = 0.005;
/// The values of a variable are left out in at most this many groups.
const GROUPS: usize = 16;
/// With fewer values a variable has no value to leave out that lies between others.
const MIN_VALUES: usize = 4;

/// The correction of a fit, if the formula misses the points by more than the repetitions explain
/// and if the correction predicts left-out points better than the formula does (cross-validation).
/// Errors are absolute differences of logarithms.
pub(crate) fn correction(formula: &Formula, data: &Data, fit: &Fit) -> Option<Correction> {
    let lack = fit.quality.lack_of_fit.as_ref()?;
    let sought = fit.options.intervals.is_sought();
    let relative = fit.options.weights == Weights::Relative;
    if !sought || !relative || lack.p_value >= DOUBTFUL || lack.size < SIZE {
        return None;
    }
    let options = Options { follow: false, ..fit.options.clone() };
    let mut correction = new(formula, data, &options, None)?;
    let mut sums: BTreeMap<usize, [f64; 3]> = BTreeMap::new();
    for (column, (inside, outside)) in left_out(data, fit) {
        let [off, formula_off, count] = sums.entry(column).or_default();
        let Ok(mut rest) = uncorrected_fit_like(formula, &inside, &options, Some(fit)) else {
            continue;
        };
        let following = new(formula, &inside, &options, Some(&correction.kernels));
        for (values, measured) in outside {
            let at: Option<Vec<f64>> =
                rest.variables.iter().map(|name| data.variable(name).map(|c| values[c])).collect();
            let Some(point) = at else { continue };
            rest.correction = None;
            let Ok(by_formula) = rest.estimate(&point) else { continue };
            // There predictions use the formula alone.
            if by_formula.domain.is_extrapolation() {
                continue;
            }
            rest.correction.clone_from(&following);
            let Ok(followed) = rest.estimate(&point) else { continue };
            let error = |value: f64| {
                if value > 0.0 { (measured / value).ln().abs().min(1.0) } else { 1.0 }
            };
            *off += error(followed.value);
            *formula_off += error(by_formula.value);
            *count += 1.0;
        }
    }
    let all = sums.values().fold([0.0; 3], |all, sum| [0, 1, 2].map(|k| all[k] + sum[k]));
    correction.error = all[0] / all[2];
    correction.formula_error = all[1] / all[2];
    let worse = |[off, formula_off, count]: &[f64; 3]| off - formula_off > WORSE * count;
    let better = correction.error < BETTER * correction.formula_error;
    (better && !sums.values().any(worse)).then_some(correction)
}

/// A variable's column, the data without one group of its values, and the used points with these
/// values.
type Fold = (usize, (Data, Vec<(Vec<f64>, f64)>));

fn left_out(data: &Data, fit: &Fit) -> Vec<Fold> {
    let mut folds = Vec::new();
    for name in fit.formula.variables() {
        let Some(column) = data.variable(&name.name) else { continue };
        let used = fit.residuals.iter().filter(|r| r.excluded.is_none());
        let mut values: Vec<f64> = used.map(|r| r.values[column]).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        if values.len() < MIN_VALUES {
            continue;
        }
        let inner = &values[1..values.len() - 1];
        let groups = inner.len().min(GROUPS);
        for group in 0..groups {
            let is_out =
                |v: f64| inner.iter().position(|&i| i == v).is_some_and(|k| k % groups == group);
            let points = data.points.iter().filter(|p| !is_out(p.values[column])).cloned();
            let inside = Data { points: points.collect(), ..Data::new(data.variables.clone()) };
            let used = fit.residuals.iter().filter(|r| r.excluded.is_none());
            let outside = used.filter(|r| is_out(r.values[column]));
            let outside = outside.map(|r| (r.values.clone(), r.measured)).collect();
            folds.push((column, (inside.in_unit(data.unit.clone()), outside)));
        }
    }
    folds
}

/// The correction for one set of constants, with the given kernels, or with the most likely ones.
/// `None` if the formula is not positive at every point, or if no variable varies.
fn new(
    formula: &Formula,
    data: &Data,
    options: &Options,
    known: Option<&[CorrectionKernel]>,
) -> Option<Correction> {
    let fit_whole = |non_negative| {
        let options = Options { intervals: Intervals::None, non_negative, ..options.clone() };
        let fitted = uncorrected_fit(formula, data, &options).ok()?;
        let used = || fitted.residuals.iter().filter(|r| r.excluded.is_none());
        used().all(|r| r.fitted > 0.0 && r.measured > 0.0).then_some(fitted)
    };
    let is_bounded = options.non_negative || matches!(options.intervals, Intervals::Levels { .. });
    let whole_fit = fit_whole(is_bounded && !options.signed).or_else(|| fit_whole(true))?;
    let samples = Samples::new(formula, data, options).ok()?;
    let axes = candidates(formula, data, &samples, None).ok()?;
    let used: Vec<_> = whole_fit.residuals.iter().filter(|r| r.excluded.is_none()).collect();
    let axes: Vec<(NamedAxis, CorrectionAxis)> = axes
        .into_iter()
        .filter_map(|axis| {
            let values: Vec<f64> = used.iter().map(|r| axis.axis.value(&r.values)).collect();
            let (low, high) = values
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)));
            let logarithm = low > 0.0;
            let range = if logarithm { (high / low).ln() } else { high - low };
            let reported = CorrectionAxis { name: axis.name.clone(), logarithm, range };
            (range.is_finite() && range > 0.0).then_some((axis, reported))
        })
        .collect();
    if axes.is_empty() {
        return None;
    }
    let points: Vec<CorrectionPoint> = used
        .iter()
        .map(|r| {
            let coordinates =
                axes.iter().map(|(axis, reported)| reported.coordinate(axis.axis.value(&r.values)));
            let coordinates = coordinates.collect::<Option<_>>()?;
            Some(CorrectionPoint { at: coordinates, log_ratio: (r.measured / r.fitted).ln() })
        })
        .collect::<Option<_>>()?;
    let places: Vec<Vec<f64>> = points.iter().map(|p| p.at.clone()).collect();
    let values: Vec<f64> = points.iter().map(|p| p.log_ratio).collect();
    let kernels = match known {
        Some(known) => reestimated(known, &places, &values),
        None => kernels(&places, &values),
    };
    let dof = points.len() as f64 - 1.0;
    (!kernels.is_empty()).then(|| Correction {
        axes: axes.into_iter().map(|(_, reported)| reported).collect(),
        solution: whole_fit.intervals[0].solution.clone(),
        points,
        kernels,
        dof,
        error: f64::NAN,
        formula_error: f64::NAN,
    })
}
