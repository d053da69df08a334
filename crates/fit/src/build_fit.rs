//! Builds the [`Fit`] from the chosen division and constants.

use cll_formula::Formula;

use crate::alternatives::{Other, weigh};
use crate::axis::NamedAxis;
use crate::dependence::independent_share;
use crate::disturbed::disturbed;
use crate::fitted::Fitted;
use crate::intervals::Division;
use crate::mixture::{Component, quantile};
use crate::other_formula::other_formula;
use crate::quality::{quality, residuals};
use crate::samples::{Samples, constant_name, term_text};
use crate::segments::{Solved, ranges};
use crate::spread::{Sigma, moderated, pooled};
use crate::tables::{Table, tables};
use crate::{
    Alternative, Boundary, ConstantValues, Data, Dependency, Estimate, Fit, Interval, Intervals,
    Options, Range, Residual, Segment, diagnose, warn,
};

/// Below this probability the formula is assumed to be wrong.
const DOUBTFUL: f64 = 0.01;

pub(crate) fn build_fit(
    formula: &Formula,
    data: &Data,
    options: &Options,
    samples: &Samples,
    fitted: &Fitted,
    axes: &[NamedAxis],
) -> Fit {
    let Fitted { ordered, solved, .. } = fitted;
    let division = &fitted.chosen.division;
    let independent = independent_share(ordered, &division.breaks, solved);
    let all = pooled(solved, samples);
    let each = moderated(solved, all);
    // If the formula is right, the criterion alone says how certain the division is.
    let lack = diagnose::lack_of_fit(samples, ordered, division, solved);
    let misses = lack.as_ref().is_some_and(|lack| lack.p_value < DOUBTFUL);
    let other = other_formula(formula, data, samples, fitted, axes, lack.as_ref(), options);
    let doubtful = misses || independent < 1.0;
    let drawn = if doubtful { disturbed(fitted, &each, options) } else { Vec::new() };
    let Fitted { chosen, counts, .. } = fitted;
    let weighted = weigh(ordered, chosen, counts, &drawn, independent, options.confidence);
    let tables = tables(fitted, formula, solved, &each);
    let residuals = residuals(samples, fitted, &tables);

    let boundaries: Vec<Boundary> = division
        .breaks
        .iter()
        .zip(&weighted.plausible)
        .enumerate()
        .map(|(k, (&b, &(low, high)))| {
            let values = ordered.values();
            let (last_left, first_right) = (values[b - 1], values[b]);
            let at = match &options.intervals {
                Intervals::ByHand { breaks, .. } => {
                    let mut sorted = breaks.clone();
                    sorted.sort_unstable_by(f64::total_cmp);
                    sorted.dedup();
                    sorted[k]
                }
                _ => middle(last_left, first_right),
            };
            let plausible = match &options.intervals {
                Intervals::ByHand { .. } => (last_left, first_right),
                _ => (values[low - 1], values[high]),
            };
            Boundary { last_left, first_right, at, plausible }
        })
        .collect();

    let alternatives = if matches!(options.intervals, Intervals::ByHand { .. } | Intervals::None) {
        Vec::new()
    } else {
        weighted
            .others
            .iter()
            .map(|other| alternative(formula, fitted, samples, options, other))
            .collect()
    };

    let known = Uncertainty { all, each: &each, independent, alternatives: &alternatives };
    let constants = segments(fitted, formula, options, &boundaries, &known);
    let intervals = intervals_of(fitted, &constants, &boundaries, &tables, &each, &residuals);
    let quality = quality(samples, fitted, &residuals, all.map(|s| s.value), lack);
    let mut variables: Vec<String> = formula.variables().iter().map(|v| v.name.clone()).collect();
    if let Some(axis) = fitted.axis {
        for &column in axis.axis.columns() {
            if !variables.contains(&data.variables[column]) {
                variables.push(data.variables[column].clone());
            }
        }
    }
    let domain = variables.iter().filter_map(|name| range(samples, data, name)).collect();
    let mut fit = Fit {
        formula: formula.clone(),
        variables,
        recorded: data.variables.clone(),
        unit: data.unit.clone(),
        options: options.clone(),
        axis: fitted.axis.map(|a| a.name.clone()),
        intervals,
        boundaries,
        constants,
        undetermined: fitted
            .dependent
            .iter()
            .map(|(term, of)| Dependency { term: *term, of: of.clone() })
            .collect(),
        alternatives,
        correction: None,
        other,
        quality,
        residuals,
        domain,
        warnings: Vec::new(),
        widening: crate::Widening::default(),
        notes: Vec::new(),
        measured_combinations: Default::default(),
    };
    fit.warnings = warn::warnings(&fit, samples, fitted);
    fit.notes = warn::notes(&fit, samples);
    fit
}

fn intervals_of(
    fitted: &Fitted,
    constants: &[ConstantValues],
    boundaries: &[Boundary],
    tables: &[Table],
    each: &[Option<Sigma>],
    residuals: &[Residual],
) -> Vec<Interval> {
    ranges(&fitted.ordered, &fitted.chosen.division)
        .enumerate()
        .map(|(k, (from, to))| {
            let sums = &fitted.solved.intervals[k];
            Interval {
                low: k.checked_sub(1).map(|b| boundaries[b].at),
                high: boundaries.get(k).map(|b| b.at),
                first: fitted.ordered.values()[from],
                last: fitted.ordered.values()[to - 1],
                constants: constants
                    .iter()
                    .filter_map(|c| {
                        c.segments
                            .iter()
                            .find(|p| p.first_interval <= k && k <= p.last_interval)
                            .map(|p| p.estimate.clone())
                    })
                    .collect(),
                solution: tables[k].constants.clone(),
                covariance: tables[k].covariance.clone(),
                points: sums.rows,
                distinct: to - from,
                dof: each[k].map_or(0.0, |s| s.dof),
                sigma: each[k].map(|s| s.value),
                largest_error: residuals
                    .iter()
                    .filter(|r| r.interval == k && r.excluded.is_none())
                    .fold(0.0, |m: f64, r| m.max(r.error.abs())),
            }
        })
        .collect()
}

/// What determines the uncertainty of a constant.
struct Uncertainty<'a> {
    /// Residual standard deviation over all intervals.
    all: Option<Sigma>,
    /// Residual standard deviation in each interval.
    each: &'a [Option<Sigma>],
    /// Share of the points that count as independent.
    independent: f64,
    /// Other divisions.
    alternatives: &'a [Alternative],
}

/// Table 2 of the 2003 paper: for every constant its values and where they hold.
fn segments(
    fitted: &Fitted,
    formula: &Formula,
    options: &Options,
    boundaries: &[Boundary],
    known: &Uncertainty,
) -> Vec<ConstantValues> {
    let solved = &fitted.solved;
    // A constant is also undetermined if another one depends on it.
    let involved = |term: usize| {
        fitted
            .dependent
            .iter()
            .any(|(t, of)| *t == term || of.iter().any(|(other, _)| *other == term))
    };
    let values = fitted.ordered.values();
    let places: Vec<(usize, usize)> = ranges(&fitted.ordered, &fitted.chosen.division).collect();
    (0..formula.terms().len())
        .map(|term| {
            let name = constant_name(formula, term);
            let column = fitted.basis.iter().position(|&t| t == term).filter(|_| !involved(term));
            let last = boundaries.len();
            let runs = column.map_or(vec![(0, last)], |c| solved.segments.runs(c));
            let segments = runs
                .into_iter()
                .map(|run| {
                    let (first_interval, last_interval) = run;
                    let mut estimate = Estimate {
                        constant: name.clone(),
                        value: None,
                        standard_error: None,
                        low: None,
                        high: None,
                    };
                    if let Some(column) = column {
                        let (from, to) = (places[first_interval].0, places[last_interval].1);
                        let at = middle(values[from], values[to - 1]);
                        fill(
                            &mut estimate,
                            fitted,
                            options.confidence,
                            known,
                            (term, column),
                            run,
                            at,
                        );
                    }
                    Segment {
                        first_interval,
                        last_interval,
                        low: first_interval.checked_sub(1).map(|b| boundaries[b].at),
                        high: boundaries.get(last_interval).map(|b| b.at),
                        estimate,
                    }
                })
                .collect();
            ConstantValues { constant: name, term: term_text(formula, term), segments }
        })
        .collect()
}

/// Fills in a constant's value in the intervals `first..=last` and its confidence interval: the
/// estimate of the chosen division, mixed with those of the other divisions at `at`, the middle of
/// these intervals, as for predictions.
fn fill(
    estimate: &mut Estimate,
    fitted: &Fitted,
    confidence: f64,
    known: &Uncertainty,
    (term, column): (usize, usize),
    (first, last): (usize, usize),
    at: f64,
) {
    let Fitted { solved, ordered, .. } = fitted;
    let own = first == last && solved.segments.intervals() > 1;
    let sigma = if own { known.each[first] } else { known.all };
    let parameter = solved.segments.parameter(column, first);
    let scale = ordered.scale()[column];
    let value = solved.solution.constants[parameter] / scale;
    estimate.value = Some(value);
    let unscaled = solved.solution.inverse[parameter * solved.segments.parameters() + parameter];
    let Some(sigma) = sigma.filter(|_| unscaled > 0.0) else { return };
    let error = unscaled.sqrt() * sigma.value / scale;
    estimate.standard_error = Some(error);

    let wider = known.independent.sqrt().recip();
    let others: f64 = known.alternatives.iter().map(|a| a.weight).sum();
    let mut components = vec![Component {
        weight: (1.0 - others).max(0.0),
        value,
        scale: error * wider,
        dof: sigma.dof,
    }];
    for other in known.alternatives {
        let k = other.boundaries.iter().take_while(|&&b| at > b).count();
        let Some(row) = other.covariance[k].get(term) else { continue };
        components.push(Component {
            weight: other.weight,
            value: other.constants[k][term],
            scale: row[term].max(0.0).sqrt() * wider,
            dof: other.dof[k],
        });
    }
    let tail = 0.5 * (1.0 - confidence);
    // The interval contains the value even if the other divisions together weigh more.
    estimate.low = Some(quantile(&components, tail).min(value));
    estimate.high = Some(quantile(&components, 1.0 - tail).max(value));
}

fn alternative(
    formula: &Formula,
    fitted: &Fitted,
    samples: &Samples,
    options: &Options,
    other: &Other,
) -> Alternative {
    let ordered = &fitted.ordered;
    let values = ordered.values();
    let boundaries = other.breaks.iter().map(|&b| middle(values[b - 1], values[b])).collect();
    let division = Division { rss: 0.0, breaks: other.breaks.clone() };
    let solved = Solved::new(ordered, &division, other.segments.clone(), options.non_negative);
    let each = moderated(&solved, pooled(&solved, samples));
    let tables = tables(fitted, formula, &solved, &each);
    let (constants, covariance) = tables.into_iter().map(|t| (t.constants, t.covariance)).unzip();
    Alternative {
        weight: other.weight,
        boundaries,
        constants,
        covariance,
        sigma: each.iter().map(|s| s.map(|s| s.value)).collect(),
        dof: each.iter().map(|s| s.map_or(0.0, |s| s.dof)).collect(),
    }
}

fn range(samples: &Samples, data: &Data, name: &str) -> Option<Range> {
    let column = data.variable(name)?;
    let mut values: Vec<f64> = samples.used().map(|(_, p)| p.values[column] + 0.0).collect();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    Some(Range {
        variable: name.to_owned(),
        low: *values.first()?,
        high: *values.last()?,
        distinct: values.len(),
    })
}

/// The boundary within a gap: its geometric mean if both sides are positive, else its midpoint.
fn middle(left: f64, right: f64) -> f64 {
    if left > 0.0 { left * (right / left).sqrt() } else { left + 0.5 * (right - left) }
}
