//! Axes: a recorded variable, or an expression over recorded variables.

use cll_formula::Formula;

use super::samples::Samples;
use crate::{Data, FitError};

/// A quantity by which points can be sorted.
#[derive(Clone, Debug)]
pub(crate) enum Axis {
    /// Index among the recorded variables.
    Variable(usize),
    /// An expression, with the index of each of its variables among the recorded ones.
    Expression(Formula, Vec<usize>),
}

impl Axis {
    /// Parses an axis over variables of these names.
    pub(crate) fn parse(text: &str, names: &[String]) -> Result<Axis, FitError> {
        if let Some(index) = names.iter().position(|n| n == text.trim()) {
            return Ok(Axis::Variable(index));
        }
        let failed = |reason: String| FitError::Axis { axis: text.to_owned(), reason };
        // As the one term of a formula. Inside min() the expression may contain any number.
        let parsed = cll_formula::parse("axis", &format!("axis[0]*min({text}, {text})"));
        let Some(formula) = parsed.formula else {
            let first = parsed.diagnostics.first().map(|d| d.message.clone());
            return Err(failed(first.unwrap_or_else(|| "it is not an expression".to_owned())));
        };
        if formula.terms().len() != 1 {
            return Err(failed("it is not one expression".to_owned()));
        }
        let mut columns = Vec::new();
        for variable in formula.variables() {
            let Some(index) = names.iter().position(|n| *n == variable.name) else {
                return Err(failed(format!(
                    "{} was not recorded (recorded: {})",
                    variable.name,
                    names.join(", ")
                )));
            };
            columns.push(index);
        }
        if columns.is_empty() {
            return Err(failed("it contains no variable".to_owned()));
        }
        Ok(Axis::Expression(formula, columns))
    }

    /// Indices of the recorded variables that it uses.
    pub(crate) fn columns(&self) -> &[usize] {
        match self {
            Axis::Variable(index) => std::slice::from_ref(index),
            Axis::Expression(_, columns) => columns,
        }
    }

    /// Returns the value of the axis for these values of the recorded variables.
    pub(crate) fn value(&self, values: &[f64]) -> f64 {
        match self {
            Axis::Variable(index) => values[*index],
            Axis::Expression(formula, columns) => {
                let used: Vec<f64> = columns.iter().map(|&c| values[c]).collect();
                let mut out = [0.0];
                formula.terms_at(&used, &mut out);
                out[0]
            }
        }
    }
}

/// An axis with its name.
pub(crate) struct NamedAxis {
    pub(crate) name: String,
    pub(crate) axis: Axis,
}

/// The axes to choose from: the requested ones, or every variable of the formula followed by the
/// products and quotients of variables that occur in it, such as N/P. Empty for a formula without
/// variables.
///
/// If several axes sort the used points in the same order (if P is constant, N and N/P do), only the
/// first is kept: they allow the same divisions.
pub(crate) fn candidates(
    formula: &Formula,
    data: &Data,
    samples: &Samples,
    asked: Option<&str>,
) -> Result<Vec<NamedAxis>, FitError> {
    let named = |name: &str| -> Result<NamedAxis, FitError> {
        Ok(NamedAxis { name: name.to_owned(), axis: Axis::parse(name, &data.variables)? })
    };
    if let Some(text) = asked {
        return listed(text).into_iter().map(|text| named(text.trim())).collect();
    }
    let variables = formula.variables().iter().map(|v| named(&v.name));
    let mut axes: Vec<NamedAxis> = variables.collect::<Result<_, _>>()?;
    let mut orders: Vec<Vec<usize>> = axes.iter().filter_map(|a| order(&a.axis, samples)).collect();
    for name in formula.products() {
        let Ok(product) = named(&name) else { continue };
        let Some(order) = order(&product.axis, samples) else { continue };
        if !orders.iter().any(|other| alike(other, &order)) {
            orders.push(order);
            axes.push(product);
        }
    }
    Ok(axes)
}

/// The expressions of a list; commas inside parentheses are part of an expression.
fn listed(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut all) = (0usize, 0, Vec::new());
    for (position, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                all.push(&text[start..position]);
                start = position + 1;
            }
            _ => {}
        }
    }
    all.push(&text[start..]);
    all
}

/// For each used point the number of distinct axis values below its own. `None` if a value is not
/// finite, or if all values are equal.
fn order(axis: &Axis, samples: &Samples) -> Option<Vec<usize>> {
    let values: Vec<f64> = samples.used().map(|(_, p)| axis.value(&p.values) + 0.0).collect();
    let mut distinct = values.clone();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    if distinct.len() < 2 || distinct.iter().any(|v| !v.is_finite()) {
        return None;
    }
    Some(values.iter().map(|value| distinct.partition_point(|d| d < value)).collect())
}

/// Whether two orders are equal, or one is the reverse of the other.
fn alike(a: &[usize], b: &[usize]) -> bool {
    let last = a.iter().copied().max().unwrap_or(0);
    let pairs = || a.iter().zip(b);
    pairs().all(|(a, b)| a == b) || pairs().all(|(&a, &b)| last - a == b)
}
