//! The warnings about a fit.

use super::continuation::is_continuation;
use super::text::{list, number, place};
use crate::input::{Samples, constant_names};
use crate::intervals::{Fitted, candidates};
use crate::numerics::two_sided;
use crate::quality::{condition, dependence};
use crate::solve::relative;
use crate::{Aggregate, Bound, Exclusion, Fit, Intervals, Segment, Warning};

/// Scaled condition numbers above this are reported.
const CONDITION: f64 = 30.0;
/// More intervals than this "may imply an error in the complexity formula" (2003, section 3).
const INTERVALS: usize = 3;
/// Significance level of the tests.
const LEVEL: f64 = 0.01;
/// A systematic error below this share of the value is not reported: no model of time is better,
/// and with thousands of samples the test finds any error.
const NEGLIGIBLE: f64 = 0.02;
/// A constant whose term is nowhere a larger share of the value is a rounding error of an exact
/// fit.
const ROUNDING: f64 = 1e-9;

pub(crate) fn warnings(fit: &Fit, samples: &Samples, fitted: &Fitted) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = fit.misses_exact().into_iter().collect();
    data(&mut warnings, fit, samples, fitted);
    constants(&mut warnings, fit, samples, fitted);
    formula(&mut warnings, fit, samples, fitted);
    warnings.extend(fit.not_level());
    warnings.extend(fit.one_at_a_time());
    warnings
}

/// Warnings about the data.
fn data(warnings: &mut Vec<Warning>, fit: &Fit, samples: &Samples, fitted: &Fitted) {
    let excluded = |why: Exclusion| samples.points.iter().filter(move |p| p.excluded == Some(why));
    if let Some(first) = excluded(Exclusion::NotPositive).next() {
        warnings.push(Warning::NotPositive {
            points: excluded(Exclusion::NotPositive).count(),
            of: samples.points.len(),
            first: place(&fit.recorded, &first.values),
        });
    }
    let not_positive = samples.used().flat_map(|(_, p)| &p.kept).filter(|&&y| y <= 0.0).count();
    if not_positive > 0 {
        warnings.push(Warning::NotPositiveObservations { observations: not_positive });
    }
    let points = excluded(Exclusion::Outlier).count();
    let observations: usize = samples.points.iter().map(|p| p.spread.count - p.kept.len()).sum();
    if points + observations > 0 {
        warnings.push(Warning::OutliersLeftOut { points, observations });
    }
    let mut all = samples.points.iter().flat_map(|p| &p.kept);
    if let Some(&value) = all.next()
        && samples.points.len() > 1
        && all.all(|&y| y == value)
    {
        warnings.push(Warning::AllAlike { value });
    }
    if samples.repetitions.most < 2 {
        warnings.push(Warning::NoRepetitions);
    }
    if fit.quality.spike_rate > 0.01 {
        warnings.push(Warning::Spikes {
            rate: fit.quality.spike_rate,
            largest: samples.repetitions.largest,
        });
    }
    if samples.aggregate == Aggregate::Mean {
        warnings.push(Warning::Mean);
    }
    if (fit.quality.points as f64) < fitted.solved.free as f64 + 3.0 && !fit.variables.is_empty() {
        warnings
            .push(Warning::FewPoints { points: fit.quality.points, constants: fitted.solved.free });
    }
}

/// Warnings about single constants.
fn constants(warnings: &mut Vec<Warning>, fit: &Fit, samples: &Samples, fitted: &Fitted) {
    for dependency in &fit.undetermined {
        let mut terms: Vec<usize> = dependency.others.iter().map(|(k, _)| *k).collect();
        terms.push(dependency.term);
        terms.sort_unstable();
        warnings.push(Warning::Undetermined {
            constants: constant_names(&fit.formula, &terms),
            because: because(fit, dependency.term, &dependency.others),
        });
    }
    if fit.quality.condition > CONDITION {
        let (condition, columns) = condition(&fitted.ordered, &fitted.solved);
        let owners = fit.owners();
        let mut terms: Vec<usize> = columns.iter().map(|&c| owners[fitted.basis[c]]).collect();
        terms.dedup();
        let terms = terms
            .iter()
            .zip(constant_names(&fit.formula, &terms))
            .map(|(&k, name)| format!("{name} ({})", fit.constants[k].term))
            .collect();
        warnings.push(Warning::IllConditioned { condition, terms });
    }
    for (term, constant) in fit.constants.iter().enumerate() {
        for (index, segment) in constant.segments.iter().enumerate() {
            let column = fit.column(term, index);
            let (Some(value), Some(error), Some(shown)) =
                (segment.estimate.value, segment.estimate.standard_error, segment.estimate.high)
            else {
                continue;
            };
            let dof = fit.intervals[segment.first_interval].dof;
            let high = (value + two_sided(1.0 - 2.0 * LEVEL, dof) * error).max(shown);
            let matters = samples.used().any(|(_, point)| {
                (value * point.terms[column]).abs() > ROUNDING * point.aggregate.abs()
            });
            if high < 0.0 && value < 0.0 && matters && !is_continuation(fit, samples, term, segment)
            {
                warnings.push(Warning::Negative {
                    constant: constant.constant.clone(),
                    value,
                    high: shown,
                    place: where_it_holds(fit, segment),
                });
            }
        }
    }
}

/// Explanations of single constants; no reason to doubt them.
pub(crate) fn notes(fit: &Fit, samples: &Samples) -> Vec<Warning> {
    let mut notes = Vec::new();
    for (term, constant) in fit.constants.iter().enumerate() {
        for segment in &constant.segments {
            let negative = segment.estimate.value.zip(segment.estimate.high);
            if let Some((value, high)) = negative
                && high < 0.0
                && is_continuation(fit, samples, term, segment)
            {
                notes.push(Warning::Continuation {
                    constant: constant.constant.clone(),
                    value,
                    axis: fit.axis.clone().unwrap_or_default(),
                    place: where_it_holds(fit, segment),
                });
            }
        }
    }
    notes
}

/// Warnings about the formula.
fn formula(warnings: &mut Vec<Warning>, fit: &Fit, samples: &Samples, fitted: &Fitted) {
    let axis = fit.axis.clone().unwrap_or_default();
    if fit.intervals.len() > INTERVALS && fit.splits.is_empty() {
        let axis = axis.clone();
        warnings.push(Warning::ManyIntervals { intervals: fit.intervals.len(), axis });
    }
    let changes = fit.changes.iter().flatten().count();
    if changes > INTERVALS {
        warnings.push(Warning::ManyChanges { changes, axis: axis.clone() });
    }
    let sought = match fit.options.intervals {
        Intervals::Dynamic { max_intervals } | Intervals::Greedy { max_intervals, .. } => {
            max_intervals > 1 && !fit.variables.is_empty()
        }
        _ => false,
    };
    let needed = 2 * (fitted.basis.len() + 2);
    if sought && samples.distinct() < needed {
        warnings.push(Warning::NoIntervals { points: samples.distinct(), needed });
    }
    let values = fitted.ordered.values().len();
    let candidates = candidates(&fitted.ordered);
    let dynamic = matches!(fit.options.intervals, Intervals::Dynamic { .. });
    if sought && dynamic && fit.splits.is_empty() && values > candidates {
        warnings.push(Warning::Thinned { values, candidates });
    }
    if let Some(lack) = &fit.quality.lack_of_fit
        && lack.p_value < LEVEL
        && lack.size > NEGLIGIBLE
    {
        warnings.push(Warning::LackOfFit { f: lack.f, p_value: lack.p_value, size: lack.size });
    }
    if let Some(runs) = &fit.quality.runs
        && runs.p_value < LEVEL
        && runs.size > NEGLIGIBLE
    {
        warnings.push(Warning::Runs {
            runs: runs.runs,
            of: runs.positive + runs.negative,
            p_value: runs.p_value,
            size: runs.size,
            axis: fit.axis.clone().unwrap_or_default(),
        });
    }
    if let Some(other) = &fit.other {
        let option = fit.quality.one_interval.as_ref();
        warnings.push(Warning::OtherFormula {
            formula: other.formula.text().to_owned(),
            replaced: other.replaced.clone(),
            term: other.term.clone(),
            as_good: other.as_good.clone(),
            intervals: fit.intervals.len(),
            difference: other.difference,
            error: other.rmse_relative,
            error_one: option.map_or(fit.quality.rmse_relative, |interval| interval.rmse_relative),
        });
    }
    warnings.extend(dependences(fit, samples, fitted));
}

/// Warnings about variables on which residuals depend.
fn dependences(fit: &Fit, samples: &Samples, fitted: &Fitted) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for (column, variable) in fit.recorded.iter().enumerate() {
        let option =
            dependence(samples, &fitted.ordered, &fitted.chosen.division, &fitted.solved, column);
        let Some(dependence) = option else { continue };
        if dependence.p_value * fit.recorded.len() as f64 >= LEVEL
            || relative(&fitted.ordered, samples, dependence.size) < NEGLIGIBLE
        {
            continue;
        }
        let (variable, p_value, explained) =
            (variable.clone(), dependence.p_value, dependence.explained);
        let used = fit.formula.variables().iter().any(|v| v.name == variable);
        warnings.push(if used {
            Warning::Pattern { variable, p_value, explained }
        } else {
            Warning::MissingVariable { variable, p_value, explained }
        });
    }
    warnings
}

/// Why a term is a linear combination of others.
fn because(fit: &Fit, term: usize, others: &[(usize, f64)]) -> String {
    let text = |k: usize| fit.constants[k].term.clone();
    if others.is_empty() {
        return format!("{} is zero at every point", text(term));
    }
    let constant: Vec<String> = fit
        .domain
        .iter()
        .filter(|r| r.distinct == 1)
        .map(|r| format!("{} is {} at every point", r.variable, number(r.low)))
        .collect();
    let sum: Vec<String> = others
        .iter()
        .map(|&(k, factor)| match number(factor).as_str() {
            "1" => text(k),
            factor => format!("{factor} * ({})", text(k)),
        })
        .collect();
    let equal = format!("{} equals {} at every point", text(term), sum.join(" + "));
    if constant.is_empty() { equal } else { format!("{}, so {equal}", list(&constant)) }
}

impl Fit {
    /// After the intervals of constants have changed: a constant whose interval reaches zero is not significantly
    /// negative, and the warnings say what the intervals say.
    pub(crate) fn negative_by_intervals(&mut self) {
        let mut warnings = std::mem::take(&mut self.warnings);
        warnings.retain_mut(|warning| match warning {
            Warning::Negative { constant, place, high, .. } => {
                let own = self.constants.iter().filter(|values| values.constant == *constant);
                let mut segments = own.flat_map(|values| &values.segments);
                let segment = segments.find(|segment| where_it_holds(self, segment) == *place);
                *high = segment.and_then(|segment| segment.estimate.high).unwrap_or(*high);
                *high < 0.0
            }
            _ => true,
        });
        self.warnings = warnings;
    }
}

fn where_it_holds(fit: &Fit, segment: &Segment) -> String {
    if !segment.places.is_empty() {
        let part = |bounds: &Vec<Bound>| {
            let each = bounds.iter().map(|bound| bounded(&bound.axis, bound.low, bound.high));
            each.collect::<Vec<String>>().join(" and ")
        };
        return segment.places.iter().map(part).collect::<Vec<String>>().join(", or ");
    }
    bounded(fit.axis.as_deref().unwrap_or_default(), segment.low, segment.high)
}

fn bounded(axis: &str, low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (None, None) => String::new(),
        (None, Some(high)) => format!("{axis} <= {}", number(high)),
        (Some(low), None) => format!("{axis} > {}", number(low)),
        (Some(low), Some(high)) => format!("{} < {axis} <= {}", number(low), number(high)),
    }
}
