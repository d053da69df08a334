//! From data to rows of a least-squares problem: check, aggregate, weight.

use std::borrow::Cow;
use std::collections::HashMap;

use cll_formula::Formula;

use super::repetitions::{Repetitions, aggregate, spread};
use super::repetitions_together::together;
use super::run_factors::Factors;
use crate::result::BetweenRuns;
use crate::warning::place;
use crate::{
    Aggregate, Data, Exclusion, FitError, Observations, Options, Outliers, Point, Spread, Unit,
    Weights,
};

/// The checked points of the data, with their terms and aggregates.
#[derive(Clone)]
pub(crate) struct Samples {
    /// Number of terms of the formula, or of columns.
    pub(crate) terms: usize,
    /// One per distinct tuple of recorded values.
    pub(crate) points: Vec<Sample>,
    pub(crate) repetitions: Repetitions,
    /// The factors of the runs, if they are known.
    pub(crate) factors: Option<Factors>,
    /// How much the k-th repetitions go together, if the runs are not known.
    pub(crate) together: Option<BetweenRuns>,
    pub(crate) weights: Weights,
    pub(crate) aggregate: Aggregate,
    /// Factor of the residual variance that Huber's weights make too small; 1 without them.
    pub(crate) inflation: f64,
    /// Whether the observations repeat exactly.
    pub(crate) exact: bool,
}

/// So many repeated points without any variation show that the observable repeats.
const REPEATED: usize = 3;
/// Units of other observations that have noise, or are times.
const VARYING: [&str; 7] = ["cycles", "ticks", "ms", "us", "\u{b5}s", "ns", "min"];

#[derive(Clone)]
pub(crate) struct Sample {
    /// Values of all recorded variables.
    pub(crate) values: Vec<f64>,
    /// Values of the terms, or of the columns of a fit of levels.
    pub(crate) terms: Vec<f64>,
    /// Equal for points that differ in unused variables only.
    pub(crate) tuple: usize,
    /// Observations, without spikes if these are left out.
    pub(crate) kept: Observations,
    pub(crate) aggregate: f64,
    pub(crate) spread: Spread,
    pub(crate) excluded: Option<Exclusion>,
    /// Huber's weight: 1 unless the point is far from the model.
    pub(crate) robust: f64,
}

impl Samples {
    /// Checks the data against the formula and aggregates the repetitions.
    pub(crate) fn new(
        formula: &Formula,
        data: &Data,
        options: &Options,
    ) -> Result<Samples, FitError> {
        let columns = columns(formula, data)?;
        let merged = merged(data)?;
        if merged.is_empty() {
            return Err(FitError::NoData);
        }
        let repetitions = Repetitions::new(merged.iter().map(|p| p.observations.as_slice()));
        let factors = if options.runs { Factors::of_runs(&merged) } else { None };
        let together = if options.runs { together(&merged) } else { None };
        let mut tuples: HashMap<Vec<u64>, usize> = HashMap::new();
        let mut points = Vec::with_capacity(merged.len());
        for point in merged {
            let used: Vec<f64> = columns.iter().map(|&c| point.values[c]).collect();
            let mut terms = vec![0.0; formula.terms().len()];
            formula.terms_at(&used, &mut terms);
            if let Some(k) = terms.iter().position(|t| !t.is_finite()) {
                return Err(FitError::TermNotFinite {
                    constant: constant_name(formula, k),
                    term: term_text(formula, k),
                    value: terms[k],
                    place: place(&data.variables, &point.values),
                });
            }
            let next = tuples.len();
            let tuple =
                *tuples.entry(used.iter().map(|v| (v + 0.0).to_bits()).collect()).or_insert(next);
            let spread = spread(&point.observations, &repetitions);
            let kept = match options.outliers {
                Outliers::Spikes => {
                    match repetitions.without_spikes(&point.observations, spread.median) {
                        Cow::Owned(kept) => kept.into(),
                        Cow::Borrowed(_) => point.observations,
                    }
                }
                _ => point.observations,
            };
            let aggregate = aggregate(&kept, options.aggregate);
            let excluded = (options.weights == Weights::Relative && aggregate <= 0.0)
                .then_some(Exclusion::NotPositive);
            points.push(Sample {
                values: point.values,
                terms,
                tuple,
                kept,
                aggregate,
                spread,
                excluded,
                robust: 1.0,
            });
        }
        if points.iter().all(|p| p.excluded.is_some()) {
            return Err(FitError::NothingPositive {
                points: points.len(),
                value: points[0].aggregate,
                place: place(&data.variables, &points[0].values),
            });
        }
        let exact = repeats_exactly(&points, &data.unit);
        let samples = Samples {
            terms: formula.terms().len(),
            points,
            repetitions,
            factors,
            together,
            weights: options.weights,
            aggregate: options.aggregate,
            inflation: 1.0,
            exact,
        };
        samples.enough()?;
        Ok(samples)
    }

    /// Points that take part in the fit, with their indices.
    pub(crate) fn used(&self) -> impl Iterator<Item = (usize, &Sample)> {
        self.points.iter().enumerate().filter(|(_, p)| p.excluded.is_none())
    }

    /// Distinct tuples of the formula's variables among the used points.
    pub(crate) fn distinct(&self) -> usize {
        let mut tuples: Vec<usize> = self.used().map(|(_, p)| p.tuple).collect();
        tuples.sort_unstable();
        tuples.dedup();
        tuples.len()
    }

    /// An error if fewer points than constants are left.
    pub(crate) fn enough(&self) -> Result<(), FitError> {
        let distinct = self.distinct();
        if distinct < self.terms {
            let left_out = self.points.iter().filter(|p| p.excluded.is_some()).count();
            return Err(FitError::FewerPoints {
                points: distinct,
                constants: self.terms,
                left_out,
            });
        }
        Ok(())
    }

    /// Weight of a point's rows, by which terms and observation are multiplied.
    pub(crate) fn weight(&self, point: usize) -> f64 {
        let sample = &self.points[point];
        match self.weights {
            Weights::Relative => sample.robust.sqrt() / sample.aggregate,
            Weights::Absolute => sample.robust.sqrt(),
        }
    }

    /// The observations that become rows: the aggregate, or all of them.
    pub(crate) fn rows_of(&self, point: usize) -> &[f64] {
        let sample = &self.points[point];
        match self.aggregate {
            Aggregate::All => &sample.kept,
            _ => std::slice::from_ref(&sample.aggregate),
        }
    }
}

/// Whether the observations repeat exactly: repetitions are equal at every point, or there are none and
/// whole numbers in a unit that is no time were counted.
fn repeats_exactly(points: &[Sample], unit: &Unit) -> bool {
    let repeated = || points.iter().filter(|point| point.spread.count > 1);
    if repeated().next().is_some() {
        let equal = repeated().filter(|point| point.spread.minimum == point.spread.maximum).count();
        return equal >= REPEATED && equal == repeated().count() && 2 * equal >= points.len();
    }
    let Unit::Other(name) = unit else { return false };
    let mut observations = points.iter().flat_map(|point| &point.kept);
    !VARYING.contains(&name.as_str()) && observations.all(|y| y.fract() == 0.0 && *y >= 0.0)
}

/// `f[2]` for the formula's k-th term.
pub(crate) fn constant_name(formula: &Formula, k: usize) -> String {
    formula.terms()[k].constant_name().to_owned()
}

/// Names of the constants with these term indices.
pub(crate) fn constant_names(formula: &Formula, terms: &[usize]) -> Vec<String> {
    terms.iter().map(|&k| constant_name(formula, k)).collect()
}

/// The text of the formula's k-th expression.
pub(crate) fn term_text(formula: &Formula, k: usize) -> String {
    formula.terms()[k].expression_text().to_owned()
}

/// For each variable of the formula its index among the recorded ones.
pub(crate) fn columns(formula: &Formula, data: &Data) -> Result<Vec<usize>, FitError> {
    formula
        .variables()
        .iter()
        .map(|v| {
            data.variable(&v.name).ok_or_else(|| FitError::UnknownVariable {
                variable: v.name.clone(),
                recorded: data.variables.clone(),
            })
        })
        .collect()
}

/// The points of the data, each tuple of values once, with numbers and lengths checked.
fn merged(data: &Data) -> Result<Vec<Point>, FitError> {
    let mut index: HashMap<Vec<u64>, usize> = HashMap::with_capacity(data.points.len());
    let mut merged: Vec<Point> = Vec::with_capacity(data.points.len());
    for (i, point) in data.points.iter().enumerate() {
        if point.values.len() != data.variables.len() {
            return Err(FitError::WrongLength {
                point: i,
                got: point.values.len(),
                expected: data.variables.len(),
            });
        }
        if let Some(v) = point.values.iter().position(|v| !v.is_finite()) {
            return Err(FitError::ValueNotFinite {
                variable: data.variables[v].clone(),
                value: point.values[v],
                point: i,
            });
        }
        let here = || place(&data.variables, &point.values);
        if point.observations.is_empty() {
            return Err(FitError::NoObservation { place: here() });
        }
        if let Some(&value) = point.observations.iter().find(|o| !o.is_finite()) {
            return Err(FitError::ObservationNotFinite { place: here(), value });
        }
        let key: Vec<u64> = point.values.iter().map(|v| (v + 0.0).to_bits()).collect();
        match index.get(&key) {
            Some(&position) => merged[position].append(point),
            None => {
                index.insert(key, merged.len());
                merged.push(point.clone());
            }
        }
    }
    Ok(merged)
}
