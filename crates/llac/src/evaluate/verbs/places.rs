//! Where functions are drawn: along which variable, and at which values.

use std::sync::Arc;

use crate::evaluate::{Evaluator, Wrong, error};
use crate::model::Model;
use crate::plot::Places;
use crate::samples::Samples;
use crate::syntax::ast::Span;
use crate::value::Value;

/// Values along x at which a model is drawn, if none are given.
const STEPS: usize = 60;

/// The clauses of a plot beside its values.
pub(super) struct Asked {
    /// The variable along x.
    pub by: Option<String>,
    /// The variables with a series for each of their values.
    pub each: Vec<String>,
    /// Given values.
    pub variations: Vec<(String, Vec<f64>)>,
}

/// The values that are drawn.
pub(super) enum Plotted {
    /// A value of any kind.
    Value(Value),
    /// A constant of a model, by its number.
    Constant(Arc<Model>, usize),
}

impl Evaluator<'_> {
    /// Where a function is drawn: at given values, or over the data of a model or of the samples beside it.
    pub(super) fn places_of(
        &mut self,
        function: &Value,
        values: &[(String, Plotted, &Span)],
        asked: &Asked,
        by: &str,
        span: &Span,
    ) -> Result<Vec<Places>, Wrong> {
        let mut given = asked.variations.clone();
        let own = match function {
            Value::Model(model) => model.samples.clone(),
            _ => None,
        };
        let beside = values.iter().find_map(|(_, value, _)| match value {
            Plotted::Value(Value::Samples(samples)) => Some(Arc::clone(samples.samples())),
            _ => None,
        });
        let data = own.or(beside);
        if !given.iter().any(|(name, _)| name == by) {
            let range = data.as_ref().and_then(|samples| range_of(samples, by));
            let range = range.or_else(|| match function {
                Value::Model(model) => {
                    let fit = model.fit(model.only().ok()?).ok()?;
                    let range = fit.domain.iter().find(|range| range.variable == by)?;
                    Some((range.low, range.high))
                }
                _ => None,
            });
            let Some((low, high)) = range else {
                let wrong = error("L177", span, format!("at which values of {by}?"));
                return Err(wrong.help(format!("such as `at {by} = 64:4096:*2`")).into());
            };
            given.push((by.to_owned(), steps(low, high)));
        }
        // One series for each combination of the others; without given values, those that were measured.
        let others: Vec<(String, Vec<f64>)> =
            given.iter().filter(|(name, _)| name != by).cloned().collect();
        let along = given.iter().find(|(name, _)| name == by).map(|(_, values)| values.clone());
        let along = along.unwrap_or_default();
        let mut combinations = self.combinations(&others, span)?;
        if others.is_empty() {
            let needed = match function {
                Value::Model(model) => {
                    model.only().ok().and_then(|only| Some(model.fit(only).ok()?.variables.clone()))
                }
                Value::Function(function) => Some(function.parameters.clone()),
                _ => None,
            };
            if let (Some(samples), Some(needed)) = (&data, needed) {
                combinations = measured(samples, by, &needed);
            }
        }
        if combinations.len() > 12 {
            self.notice(format!(
                "12 of {} combinations of the other variables are drawn",
                combinations.len()
            ));
            combinations.truncate(12);
        }
        Ok(combinations
            .into_iter()
            .map(|others| Places { by: by.to_owned(), along: along.clone(), others })
            .collect())
    }
}

/// The variable along x, if none is named: the one with most values.
pub(super) fn along(values: &[(String, Plotted, &Span)], asked: &Asked) -> Option<String> {
    let given = asked.variations.iter().filter(|(name, _)| !asked.each.contains(name));
    if let Some((name, _)) = given.max_by_key(|(_, values)| values.len()) {
        return Some(name.clone());
    }
    values.iter().find_map(|(_, value, _)| {
        let samples = match value {
            Plotted::Value(Value::Samples(samples)) => Arc::clone(samples.samples()),
            Plotted::Value(Value::Model(model)) | Plotted::Constant(model, _) => {
                model.samples.clone()?
            }
            Plotted::Value(_) => return None,
        };
        let distinct = |name: &&String| {
            let index = samples.variable(name).unwrap_or_default();
            let mut all: Vec<u64> =
                samples.groups.iter().map(|group| group.values[index].to_bits()).collect();
            all.sort_unstable();
            all.dedup();
            all.len()
        };
        let names = samples.variables.iter().filter(|name| !asked.each.contains(name));
        names.max_by_key(distinct).cloned()
    })
}

fn range_of(samples: &Samples, name: &str) -> Option<(f64, f64)> {
    let index = samples.variable(name)?;
    let values = samples.groups.iter().map(|group| group.values[index]);
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    (low <= high).then_some((low, high))
}

/// Values between two ends, evenly spread over the logarithm where that is possible.
fn steps(low: f64, high: f64) -> Vec<f64> {
    let share = |k: usize| k as f64 / (STEPS - 1) as f64;
    if low > 0.0 {
        (0..STEPS).map(|k| low * (high / low).powf(share(k))).collect()
    } else {
        (0..STEPS).map(|k| low + (high - low) * share(k)).collect()
    }
}

/// The measured combinations of variables beside one.
fn measured(samples: &Samples, by: &str, needed: &[String]) -> Vec<Vec<(String, f64)>> {
    let others: Vec<usize> = (0..samples.variables.len())
        .filter(|&k| samples.variables[k] != by && needed.contains(&samples.variables[k]))
        .collect();
    let mut all: Vec<Vec<(String, f64)>> = Vec::new();
    for group in &samples.groups {
        let one: Vec<(String, f64)> =
            others.iter().map(|&k| (samples.variables[k].clone(), group.values[k])).collect();
        if !all.contains(&one) {
            all.push(one);
        }
    }
    let order = |a: &Vec<(String, f64)>, b: &Vec<(String, f64)>| {
        let each = a.iter().zip(b).map(|((_, a), (_, b))| a.total_cmp(b));
        each.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    };
    all.sort_by(order);
    all
}
