//! Builds the [`Fit`] from the chosen division and constants.

use cll_formula::Formula;

use crate::input::{NamedAxis, Samples};
use crate::intervals::{
    Context, Divisions, Fitted, Uncertainty, constant_values, divisions_along_axis,
};
use crate::levels::{Known, LevelParts, level_values};
use crate::quality::{Against, Assessed, dependent, other_formula, quality};
use crate::regions::{Regions, divisions_into_regions};
use crate::result::{BetweenRuns, bounds, paths};
use crate::solve::{Sigma, Table, ranges, relative};
use crate::warning::{notes, warnings};
use crate::{
    Alternative, ConstantValues, Data, Dependency, Fit, Interval, Options, OtherFormula, Range,
    Residual, Split, Warning,
};

/// Below this probability the formula is assumed to be wrong.
const DOUBTFUL: f64 = 0.01;
/// Another formula must have this share of the error that the given one has with negative constants.
const CLEARLY: f64 = 0.8;

/// Data with a formula, and the division that was chosen for them.
pub(crate) struct Chosen<'a> {
    pub(crate) formula: &'a Formula,
    pub(crate) data: &'a Data,
    pub(crate) options: &'a Options,
    pub(crate) samples: &'a Samples,
    pub(crate) fitted: &'a Fitted<'a>,
    pub(crate) axes: &'a [NamedAxis],
    /// Only of a fit whose constants change along more than one axis.
    pub(crate) regions: Option<&'a Regions>,
    /// Only of a fit of levels.
    pub(crate) parts: Option<&'a LevelParts<'a>>,
}

impl Chosen<'_> {
    /// The interval or the region of a point with these values of the recorded variables.
    fn interval(&self, values: &[f64]) -> usize {
        match self.regions {
            Some(regions) => regions.region_of(self.axes, values),
            None => self.fitted.interval(values),
        }
    }

    /// The linear dependencies of terms, not of columns.
    fn dependencies(&self) -> &[(usize, Vec<(usize, f64)>)] {
        self.parts.map_or(&self.fitted.dependent, |parts| &parts.plain.1.dependent)
    }
}

/// The fit of a chosen division, with its warnings.
pub(crate) fn build_fit(chosen: &Chosen) -> Fit {
    let &Chosen { formula, data, options, samples, fitted, parts, .. } = chosen;
    let assessed = Assessed::new(samples, fitted, &|values| chosen.interval(values));
    let other = other(chosen, &assessed);
    let divisions = divisions(chosen, &assessed);
    let constants = constants(chosen, &assessed, &divisions);
    let Assessed { all, each, lack, tables, residuals, .. } = assessed;
    let intervals = intervals_of(chosen, &constants, &divisions, &tables, &each, &residuals);
    let quality = quality(
        samples,
        fitted,
        &residuals,
        (all.map(|s| s.value), lack),
        options.confidence,
        parts,
    );
    let variables = variables(chosen, &divisions.splits);
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
        undetermined: chosen
            .dependencies()
            .iter()
            .map(|(term, related)| Dependency { term: *term, others: related.clone() })
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
    with_warnings(fit, samples, fitted, all)
}

/// Another formula that explains the data better.
fn other(chosen: &Chosen, assessed: &Assessed) -> Option<OtherFormula> {
    let &Chosen { formula, data, options, samples, fitted, axes, parts, .. } = chosen;
    if samples.exact && !assessed.missed {
        return None;
    }
    let against = Against::new(fitted, parts);
    let (samples, fitted) = parts.map_or((samples, fitted), |parts| parts.plain);
    let lack = assessed.lack.as_ref();
    other_formula(formula, data, samples, fitted, (axes, &against), lack, options)
}

/// Where the constants change, and where they may change instead.
fn divisions(chosen: &Chosen, assessed: &Assessed) -> Divisions {
    let &Chosen { options, samples, fitted, axes, regions, parts, .. } = chosen;
    let independent = assessed.independent;
    let misses =
        assessed.missed || assessed.lack.as_ref().is_some_and(|lack| lack.p_value < DOUBTFUL);
    let context = Context {
        samples,
        axes,
        options,
        each: &assessed.each,
        independent,
        doubtful: misses || independent < 1.0,
    };
    match (parts, regions) {
        // Levels have no boundaries, and their own alternatives.
        (Some(parts), _) => Divisions {
            boundaries: Vec::new(),
            splits: Vec::new(),
            alternatives: parts.levels.alternatives.clone(),
        },
        (None, None) => divisions_along_axis(fitted, &context),
        (None, Some(regions)) => divisions_into_regions(fitted, regions, &context),
    }
}

/// The values of the constants with their intervals, and where they hold.
fn constants(chosen: &Chosen, assessed: &Assessed, divisions: &Divisions) -> Vec<ConstantValues> {
    let &Chosen { formula, options, fitted, axes, parts, .. } = chosen;
    let Some(parts) = parts else {
        let region_in = chosen.regions.map(|regions| {
            move |other: &Alternative, region: usize| region_in(other, axes, (regions, region))
        });
        let known = Uncertainty {
            all: assessed.all,
            each: &assessed.each,
            independent: assessed.independent,
            alternatives: &divisions.alternatives,
            region: region_in.as_ref().map(|region| region as _),
        };
        return constant_values(fitted, formula, options, divisions, &known);
    };
    let involved = |term: usize| {
        chosen
            .dependencies()
            .iter()
            .any(|(own, related)| *own == term || related.iter().any(|(other, _)| *other == term))
    };
    let values = fitted.ordered.values();
    let known = Known {
        levels: parts.levels,
        table: &assessed.tables[0],
        dof: assessed.each[0].map_or(0.0, |sigma| sigma.dof),
        independent: assessed.independent,
        range: (values[0], values[values.len() - 1]),
    };
    level_values(&known, formula, options, &involved)
}

/// The region of another division in which the median point of a region lies.
fn region_in(
    other: &Alternative,
    axes: &[NamedAxis],
    (regions, region): (&Regions, usize),
) -> usize {
    let members = &regions.members[region];
    let point = regions.field.point(members[members.len() / 2]);
    let value_of = |axis: &str| {
        axes.iter()
            .position(|named_axis| named_axis.name == axis)
            .map_or(f64::NAN, |axis| point.coordinates[axis])
    };
    paths(&other.splits, &value_of, false).first().map_or(0, |path| path.0)
}

/// The variables of the formula, and those of the axes along which the constants change.
fn variables(chosen: &Chosen, splits: &[Split]) -> Vec<String> {
    let &Chosen { formula, data, fitted, axes, .. } = chosen;
    let mut variables: Vec<String> = formula.variables().iter().map(|v| v.name.clone()).collect();
    let used = axes.iter().filter(|axis| {
        let own = |split: &Split| split.axis == axis.name;
        fitted.axis.is_some_and(|own| own.name == axis.name) || splits.iter().any(own)
    });
    for axis in used {
        for &column in axis.axis.columns() {
            if !variables.contains(&data.variables[column]) {
                variables.push(data.variables[column].clone());
            }
        }
    }
    variables
}

/// The fit with its warnings and notes, wider where repetitions are not independent.
fn with_warnings(mut fit: Fit, samples: &Samples, fitted: &Fitted, all: Option<Sigma>) -> Fit {
    let ordered = &fitted.ordered;
    let dependent = dependent(samples, all, &|weighted| relative(ordered, samples, weighted));
    let held = fit.held_at_zero(samples, fitted);
    // The formula itself explains the data, with negative constants.
    if let Some(Warning::HeldAtZero { signed, .. }) = held {
        fit.other = fit.other.filter(|other| other.rmse_relative < CLEARLY * signed);
    }
    fit.warnings = warnings(&fit, samples, fitted);
    fit.warnings.extend(held);
    fit.notes = notes(&fit, samples);
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
    chosen: &Chosen,
    constants: &[ConstantValues],
    divisions: &Divisions,
    tables: &[Table],
    each: &[Option<Sigma>],
    residuals: &[Residual],
) -> Vec<Interval> {
    let fitted = chosen.fitted;
    let boundaries = &divisions.boundaries;
    let bounds = bounds(&divisions.splits);
    ranges(&fitted.ordered, &fitted.chosen.division)
        .enumerate()
        .map(|(k, (from, to))| {
            let (first, last) = match chosen.regions {
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
