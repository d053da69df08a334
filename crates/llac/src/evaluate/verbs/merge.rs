//! `merge f, monday.f`: samples of several files or experiments as those of one.

use std::collections::HashMap;
use std::sync::Arc;

use super::Phrase;
use crate::evaluate::arguments::Clauses;
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::samples::{Samples, trace_samples};
use crate::syntax::ClauseWord;
use crate::syntax::ast::ExprKind;
use crate::value::Value;

impl Evaluator<'_> {
    /// One experiment with the samples of all.
    pub(super) fn merge(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        let clauses = Clauses::new(phrase.verb, phrase.clauses, &[ClauseWord::As])?;
        let mut all: Vec<Arc<Samples>> = Vec::new();
        for argument in phrase.arguments {
            all.push(self.samples(&argument.value, scope)?);
        }
        let [first, others @ ..] = &all[..] else {
            return Err(error("L168", phrase.span, "`merge` takes samples").into());
        };
        for (other, argument) in others.iter().zip(&phrase.arguments[1..]) {
            let span = &argument.value.span;
            if other.unit != first.unit {
                let message =
                    format!("these are in {}, the first in {}", named(other), named(first));
                return Err(error("L170", span, message).into());
            }
            let lacking = |a: &Samples, b: &Samples| {
                a.variables.iter().find(|name| !b.variables.contains(name)).cloned()
            };
            if let Some(missing) = lacking(first, other).or_else(|| lacking(other, first)) {
                let message = format!("only one of them has the variable {missing}");
                let help = format!("`set {missing} = …` adds it to the other");
                return Err(error("L170", span, message).help(help).into());
            }
            if other.formula != first.formula {
                self.notice(format!(
                    "{} has the formula {}, and {} has {}: the first is kept",
                    first.name, first.formula, other.name, other.formula
                ));
            }
        }
        let name = match clauses.single_value(ClauseWord::As)?.map(|expr| &expr.kind) {
            Some(ExprKind::Name(name) | ExprKind::Text(name)) => name.clone(),
            _ => first.name.clone(),
        };
        let rows: usize = all.iter().map(|samples| samples.rows()).sum();
        if rows > self.limits.numbers {
            let message = format!("these are {rows} samples, more than {}", self.limits.numbers);
            return Err(error("L143", phrase.span, message).into());
        }
        self.step(rows as u64 / 100, phrase.span)?;
        let labels = all.iter().flat_map(|samples| &samples.labels).map(|label| label.name.clone());
        for name in labels {
            self.notice(format!("the words of {name} are left out: join them after the merge"));
        }
        Ok(Value::samples(merged(&all, &name)))
    }
}

/// Samples of all, with marks.
fn merged(all: &[Arc<Samples>], name: &str) -> Samples {
    let first = &all[0];
    if all.iter().any(|samples| samples.column.is_some()) {
        // Rows of tables have no origin: their numbers are put together.
        let labels = Vec::new();
        let mut combined = Samples { name: name.to_owned(), labels, ..Samples::clone(first) };
        for other in &all[1..] {
            let order: Vec<usize> =
                combined.variables.iter().filter_map(|variable| other.variable(variable)).collect();
            for group in &other.groups {
                let values = order.iter().map(|index| group.values[*index]).collect();
                combined.groups.push(crate::samples::Group { values, ..group.clone() });
            }
        }
        return combined.joined();
    }
    let files: Vec<String> = all.iter().flat_map(|samples| samples.context.files.clone()).collect();
    let traces = all.iter().map(|samples| {
        let mut trace = samples.to_trace(true);
        trace.experiments.iter_mut().for_each(|experiment| {
            experiment.name = name.to_owned();
            experiment.formula.clone_from(&first.formula);
        });
        trace
    });
    let merged = cll_trace::Trace::merge(traces.collect());
    let mut combined = trace_samples(merged, files).swap_remove(0);
    combined.changes = all.iter().flat_map(|samples| samples.changes.clone()).collect();
    combined.changes.dedup();
    if all.iter().any(|samples| samples.marked() > 0) {
        mark_again(&mut combined, all);
    }
    combined
}

/// Marks the samples that were marked before. Those of equal values follow each other in the order of `all`.
fn mark_again(merged: &mut Samples, all: &[Arc<Samples>]) {
    let key = |values: Vec<f64>| values.iter().map(|value| (value + 0.0).to_bits()).collect();
    let mut marks: HashMap<Vec<u64>, Vec<bool>> = HashMap::new();
    for samples in all {
        let order: Vec<Option<usize>> =
            merged.variables.iter().map(|variable| samples.variable(variable)).collect();
        for group in &samples.groups {
            let values =
                order.iter().map(|index| index.map_or(f64::NAN, |index| group.values[index]));
            let marks = marks.entry(key(values.collect())).or_default();
            match &group.marks {
                Some(known) => marks.extend_from_slice(known),
                None => marks.resize(marks.len() + group.len(), false),
            }
        }
    }
    for group in &mut merged.groups {
        let known = marks.remove(&key(group.values.clone()));
        let known = known.filter(|known| known.len() == group.len() && known.contains(&true));
        group.marks = known.map(Arc::from);
    }
}

fn named(samples: &Samples) -> String {
    if samples.unit.is_none() { "no unit".to_owned() } else { format!("`{}`", samples.unit) }
}
