//! Blocks: W as a fitted formula, or as a formula with given constants.

use cll_statistics::median;
use std::collections::{HashMap, HashSet};

use cll_diagnostic::Diagnostic;
use cll_fit::{Domain, Fit, PredictError, Weights};
use cll_machine::Uncertain;

use super::read::{BlockSource, FormulaBlock};
use super::scope::{NoValue, Scope};
use super::{Fits, Note, Refusal, codes};
use crate::parameters::{Quantities, QuantityKind};
use crate::program::{Parameter, Term};

/// Blocks that were used, with their constants as quantities.
#[derive(Default)]
pub(super) struct Blocks {
    pub(super) quantities: Quantities,
    pub(super) notes: Vec<Note>,
    /// The first reason of each block.
    pub(super) refusals: Vec<Refusal>,
    /// Values of blocks' variables for which there is a value.
    supported: HashSet<(String, Vec<u64>)>,
    /// For each block and interval, the quantity of each term.
    known: HashMap<(String, usize), Vec<Parameter>>,
}

/// The fit of an experiment of a file; it must be of times.
fn time_fit<'f>(fits: &'f Fits, file: &str, experiment: &str) -> Result<&'f Fit, String> {
    let all = fits.get(file);
    let fit = all.and_then(|all| all.get(experiment)).ok_or_else(|| {
        let known: Vec<&str> =
            all.map_or(Vec::new(), |all| all.keys().map(String::as_str).collect());
        format!("{file} has no fitted experiment {experiment}; it has: {}", known.join(", "))
    })?;
    match &fit.unit {
        cll_fit::Unit::Seconds => Ok(fit),
        unit => Err(format!("{experiment} is in {unit}, not in seconds")),
    }
}

impl Blocks {
    /// The terms of a block for these values of names.
    pub(super) fn terms(
        &mut self,
        name: &str,
        block: &FormulaBlock,
        fits: &Fits,
        scope: &Scope,
        span: &std::ops::Range<usize>,
    ) -> Result<Vec<Term>, NoValue> {
        let wrong = |message: String| {
            NoValue::Reported(Box::new(Diagnostic::error(codes::BLOCK, span.clone(), message)))
        };
        let (interval, factors, parameters) = match &block.source {
            BlockSource::Formula { formula, constants } => {
                let mut point = Vec::with_capacity(formula.variables().len());
                for variable in formula.variables() {
                    point.push(value(name, block, scope, &variable.name, None, &wrong)?);
                }
                let mut factors = vec![0.0; formula.terms().len()];
                formula.terms_at(&point, &mut factors);
                let known = self.known.entry((name.to_owned(), 0)).or_insert_with(|| {
                    let quantities = &mut self.quantities;
                    let terms = formula.terms().iter().zip(constants);
                    terms
                        .map(|(term, &[value, low, high])| {
                            let value = Uncertain { value, low, high };
                            quantities.add(term.constant_name(), QuantityKind::Constant, value)
                        })
                        .collect()
                });
                (0, factors, known.clone())
            }
            BlockSource::Fit { file, experiment } => {
                let fit = time_fit(fits, file, experiment).map_err(wrong)?;
                let mut point = Vec::with_capacity(fit.variables.len());
                for variable in &fit.variables {
                    point.push(value(name, block, scope, variable, Some(fit), &wrong)?);
                }
                if !self.is_supported(name, fit, &point) {
                    // The whole program has no time.
                    return Ok(Vec::new());
                }
                let here = fit
                    .terms_at(&point)
                    .map_err(|error| wrong(format!("block {name}: {error}")))?;
                self.note_domain(name, &here.domain);
                let interval = here.interval;
                let parameters = self.fitted(name, fit, interval);
                (interval, here.terms, parameters)
            }
        };
        if let Some(factor) = factors.iter().find(|factor| !factor.is_finite()) {
            return Err(wrong(format!("a term of block {name} is {factor} {}", scope.here())));
        }
        let terms: Vec<Term> = parameters
            .iter()
            .zip(&factors)
            .map(|(&parameter, &factor)| Term { parameter, factor })
            .collect();
        let seconds = self.seconds(&terms);
        if !seconds.is_finite() {
            return Err(wrong(format!("block {name} takes {seconds} s {}", scope.here())));
        }
        let reported = |note: &Note| matches!(note, Note::Negative { block, .. } if block == name);
        if seconds < 0.0 && !self.notes.iter().any(reported) {
            self.notes.push(Note::Negative { block: name.to_owned(), seconds });
        }
        debug_assert!(self.known.contains_key(&(name.to_owned(), interval)));
        Ok(terms)
    }

    /// The time of these terms.
    fn seconds(&self, terms: &[Term]) -> f64 {
        let all = self.quantities.all();
        terms.iter().map(|term| term.factor * all[term.parameter.index()].value.value).sum()
    }

    /// Whether the data of a fit give it a value, by the rules of predictions. A block below zero has a note: it may be
    /// a small part of the program.
    fn is_supported(&mut self, name: &str, fit: &Fit, point: &[f64]) -> bool {
        let key = (name.to_owned(), point.iter().map(|value| value.to_bits()).collect());
        if self.supported.contains(&key) {
            return true;
        }
        let why = match fit.predict(point) {
            Err(error) if error.is_refusal() && !matches!(error, PredictError::Negative { .. }) => {
                error.to_string()
            }
            _ => {
                self.supported.insert(key);
                return true;
            }
        };
        if !self.refusals.iter().any(|known| known.block == name) {
            self.refusals.push(Refusal { block: name.to_owned(), why });
        }
        false
    }

    /// The constants of an interval of a fit, which vary together.
    fn fitted(&mut self, name: &str, fit: &Fit, interval: usize) -> Vec<Parameter> {
        if let Some(known) = self.known.get(&(name.to_owned(), interval)) {
            return known.clone();
        }
        let piece = &fit.intervals[interval];
        let axis = fit.axis.as_deref().unwrap_or("");
        let bounds = |axis: &str, low: Option<f64>, high: Option<f64>| match (low, high) {
            (None, None) => String::new(),
            (None, Some(high)) => format!("{axis} <= {high}"),
            (Some(low), None) => format!("{axis} > {low}"),
            (Some(low), Some(high)) => format!("{axis} in ({low}, {high}]"),
        };
        let region = piece.region.iter().map(|bound| bounds(&bound.axis, bound.low, bound.high));
        let place = if piece.region.is_empty() {
            bounds(axis, piece.low, piece.high)
        } else {
            region.collect::<Vec<String>>().join(" and ")
        };
        let place = if place.is_empty() { place } else { format!(" ({place})") };
        let parameters: Vec<Parameter> = (fit.owners().into_iter().enumerate())
            .zip(&piece.solution)
            .map(|((column, term), &value)| {
                let (estimate, place) = if fit.changes.is_empty() {
                    (&piece.constants[term], place.clone())
                } else {
                    let segment = &fit.constants[term].segments[column - fit.column(term, 0)];
                    let place = bounds(axis, segment.low, segment.high);
                    let place = if place.is_empty() { place } else { format!(" ({place})") };
                    (&segment.estimate, place)
                };
                let low = estimate.low.unwrap_or(value).min(value);
                let high = estimate.high.unwrap_or(value).max(value);
                let constant = format!("{}{place}", fit.constants[term].constant);
                self.quantities.add(
                    constant,
                    QuantityKind::Constant,
                    Uncertain { value, low, high },
                )
            })
            .collect();
        let sigma = match fit.options.weights {
            Weights::Relative => piece.sigma.unwrap_or(0.0),
            Weights::Absolute => {
                let measured = (fit.residuals.iter())
                    .filter(|residual| residual.interval == interval)
                    .map(|residual| residual.measured);
                let middle = median(measured).unwrap_or(0.0);
                if middle > 0.0 { piece.sigma.unwrap_or(0.0) / middle } else { 0.0 }
            }
        };
        let noise = sigma.hypot(fit.widening.share());
        let dof = if piece.dof > 0.0 { piece.dof } else { f64::INFINITY };
        self.quantities.correlate(parameters.clone(), &piece.covariance, dof, noise);
        self.known.insert((name.to_owned(), interval), parameters.clone());
        parameters
    }

    /// The farthest place of each block is reported.
    fn note_domain(&mut self, name: &str, domain: &Domain) {
        let note = match domain {
            Domain::Inside { .. } => return,
            Domain::Between { last_left, first_right, .. } => {
                Note::Between { block: name.to_owned(), low: *last_left, high: *first_right }
            }
            Domain::Beyond { variable, value, nearest, .. } => Note::Beyond {
                block: name.to_owned(),
                variable: variable.clone(),
                value: *value,
                nearest: *nearest,
            },
            Domain::Apart { variables, values, .. } => Note::Apart {
                block: name.to_owned(),
                variables: variables.clone(),
                values: values.clone(),
            },
        };
        let far = |note: &Note| match note {
            Note::Beyond { value, nearest, .. } => (value / nearest).ln().abs(),
            _ => 0.0,
        };
        let same = |known: &&mut Note| match (&**known, &note) {
            (
                Note::Beyond { block, variable, nearest, .. },
                Note::Beyond { block: b, variable: v, nearest: n, .. },
            ) => (block, variable, nearest) == (b, v, n),
            (Note::Apart { block, variables, .. }, Note::Apart { block: b, variables: v, .. }) => {
                (block, variables) == (b, v)
            }
            (known, note) => known == note,
        };
        match self.notes.iter_mut().find(same) {
            Some(known) if far(&note) > far(known) => *known = note,
            Some(_) => {}
            None => self.notes.push(note),
        }
    }
}

/// The value of a block's variable: as `with` says, else that of the same name, else the only one that was
/// measured.
fn value(
    name: &str,
    block: &FormulaBlock,
    scope: &Scope,
    variable: &str,
    fit: Option<&Fit>,
    wrong: &dyn Fn(String) -> NoValue,
) -> Result<f64, NoValue> {
    if let Some((_, given)) = block.with.iter().find(|(known, _)| known == variable) {
        return scope.value(given);
    }
    if let Some(value) = scope.named(variable)? {
        return Ok(value);
    }
    let only = fit.and_then(|fit| {
        let range = fit.domain.iter().find(|range| range.variable == variable)?;
        (range.distinct == 1).then_some(range.low)
    });
    only.ok_or_else(|| {
        wrong(format!(
            "block {name} needs {variable}, which has no value here; give it as `with = {{ {variable} = \
             \"…\" }}`, or where values are given"
        ))
    })
}
