//! Builds the [`Fit`] from the chosen division and constants.

use cll_formula::Formula;

use crate::axis::NamedAxis;
use crate::constant_values::{Uncertainty, constant_values};
use crate::dependence::independent_share;
use crate::dependent::dependent;
use crate::divisions::{Context, Divisions};
use crate::exact::missed;
use crate::fitted::Fitted;
use crate::levels::{Known, LevelParts, level_values};
use crate::other_formula::{Against, other_formula};
use crate::quality::{quality, residuals};
use crate::regions::Regions;
use crate::result::{BetweenRuns, bounds, paths};
use crate::samples::Samples;
use crate::segments::ranges;
use crate::spread::{Sigma, moderated, pooled, relative};
use crate::tables::{Table, tables};
use crate::{
    Alternative, ConstantValues, Data, Dependency, Fit, Interval, Options, Range, Residual, Split,
    Warning, diagnose, warn,
};

/// Below this probability the formula is assumed to be wrong.
const DOUBTFUL: f64 = 0.01;
/// Another formula must have this share of the error that the given one has with negative constants.
const CLEARLY: f64 = 0.8;

pub(crate) fn build_fit(
    formula: &Formula,
    data: &Data,
    options: &Options,
    samples: &Samples,
    fitted: &Fitted,
    axes: &[NamedAxis],
    parts: Option<&LevelParts>,
) -> Fit {
    let Fitted { ordered, solved, .. } = fitted;
    let division = &fitted.chosen.division;
    let independent = independent_share(ordered, &division.breaks, solved);
    let all = pooled(solved, samples);
    let each = moderated(solved, all, samples.inflation);
    // If the formula is right, the criterion alone says how certain the division is.
    let lack = diagnose::lack_of_fit(samples, ordered, division, solved);
    let dependent = dependent(samples, all, &|weighted| relative(ordered, samples, weighted));
    let tables = tables((&fitted.basis, ordered), samples.terms, solved, &each);
    let residuals = residuals(samples, fitted, axes, &tables);
    let missed = samples.exact && missed(&residuals).is_some();
    let misses = missed || lack.as_ref().is_some_and(|lack| lack.p_value < DOUBTFUL);
    let other = if samples.exact && !missed {
        None
    } else {
        let against = Against::new(fitted, parts);
        let (samples, fitted) = parts.map_or((samples, fitted), |parts| parts.plain);
        other_formula(formula, data, samples, fitted, (axes, &against), lack.as_ref(), options)
    };

    let context = Context {
        samples,
        axes,
        options,
        each: &each,
        independent,
        doubtful: misses || independent < 1.0,
    };
    let divisions = match parts {
        Some(parts) => Divisions::of_levels(parts.levels),
        None => Divisions::new(fitted, &context),
    };
    // Terms, not columns.
    let dependencies = parts.map_or(&fitted.dependent, |parts| &parts.plain.1.dependent);

    let region = |other: &Alternative, regions: &Regions, of: usize| {
        // The median point of the region.
        let members = &regions.members[of];
        let point = regions.field.point(members[members.len() / 2]);
        let at = |axis: &str| {
            axes.iter()
                .position(|named_axis| named_axis.name == axis)
                .map_or(f64::NAN, |axis| point.at[axis])
        };
        paths(&other.splits, &at, false).first().map_or(0, |path| path.0)
    };
    let known = Uncertainty {
        all,
        each: &each,
        independent,
        alternatives: &divisions.alternatives,
        region: &region,
    };
    let constants = match parts {
        Some(parts) => {
            let involved = |term: usize| {
                dependencies
                    .iter()
                    .any(|(own, of)| *own == term || of.iter().any(|(other, _)| *other == term))
            };
            let values = ordered.values();
            let known = Known {
                levels: parts.levels,
                table: &tables[0],
                dof: each[0].map_or(0.0, |sigma| sigma.dof),
                independent,
                range: (values[0], values[values.len() - 1]),
            };
            level_values(&known, formula, options, &involved)
        }
        None => constant_values(fitted, formula, options, &divisions, &known),
    };
    let intervals = intervals_of(fitted, &constants, &divisions, &tables, &each, &residuals);
    let quality = quality(
        samples,
        fitted,
        &residuals,
        (all.map(|s| s.value), lack),
        options.confidence,
        parts,
    );
    let mut variables: Vec<String> = formula.variables().iter().map(|v| v.name.clone()).collect();
    let used = axes.iter().filter(|axis| {
        let own = |split: &Split| split.axis == axis.name;
        fitted.axis.is_some_and(|own| own.name == axis.name) || divisions.splits.iter().any(own)
    });
    for axis in used {
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
        boundaries: divisions.boundaries,
        splits: divisions.splits,
        changes: parts
            .filter(|parts| parts.levels.is_changing())
            .map_or_else(Vec::new, |parts| parts.levels.changes.clone()),
        constants,
        exponents: Vec::new(),
        directions: Vec::new(),
        undetermined: dependencies
            .iter()
            .map(|(term, of)| Dependency { term: *term, of: of.clone() })
            .collect(),
        alternatives: divisions.alternatives,
        correction: None,
        other,
        quality,
        residuals,
        domain,
        held_out: Vec::new(),
        warnings: Vec::new(),
        widening: crate::Widening::default(),
        between_runs: samples.factors.as_ref().map(|factors| factors.between(samples.aggregate)),
        notes: Vec::new(),
        measured_combinations: Default::default(),
    };
    if parts.is_some() && !options.signed {
        fit.bound_zeros(fitted, all);
    }
    let held = fit.held_at_zero(samples, fitted);
    // The formula itself explains the data, with negative constants.
    if let Some(Warning::HeldAtZero { signed, .. }) = held {
        fit.other = fit.other.filter(|other| other.rmse_relative < CLEARLY * signed);
    }
    fit.warnings = warn::warnings(&fit, samples, fitted);
    fit.warnings.extend(held);
    fit.notes = warn::notes(&fit, samples);
    let spread = samples.repetitions.spread.filter(|_| dependent.is_some());
    fit.warnings.extend(match (spread, samples.together) {
        (Some(spread), _) => Some(Warning::DependentRepetitions { spread }),
        (None, Some(BetweenRuns { deviation, .. })) => {
            Some(Warning::RepetitionsTogether { deviation })
        }
        (None, None) => None,
    });
    let by = fit.between_runs.as_ref().map(BetweenRuns::widening).or(dependent);
    match by.filter(|by| !by.is_none()) {
        Some(by) => fit.widened(by),
        None => fit,
    }
}

fn intervals_of(
    fitted: &Fitted,
    constants: &[ConstantValues],
    divisions: &Divisions,
    tables: &[Table],
    each: &[Option<Sigma>],
    residuals: &[Residual],
) -> Vec<Interval> {
    let boundaries = &divisions.boundaries;
    let bounds = bounds(&divisions.splits);
    ranges(&fitted.ordered, &fitted.chosen.division)
        .enumerate()
        .map(|(k, (from, to))| {
            let (first, last) = match &fitted.regions {
                None => (fitted.ordered.values()[from], fitted.ordered.values()[to - 1]),
                Some(regions) => regions.reach(k),
            };
            let sums = &fitted.solved.intervals[k];
            Interval {
                low: k.checked_sub(1).and_then(|b| boundaries.get(b)).map(|b| b.at),
                high: boundaries.get(k).map(|b| b.at),
                first,
                last,
                region: bounds.get(k).cloned().unwrap_or_default(),
                constants: constants
                    .iter()
                    .filter_map(|c| {
                        // Of levels the last one.
                        c.segments
                            .iter()
                            .rfind(|segment| segment.holds_in(k))
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
