//! The columns of a fit of levels: the part of its term that each level is multiplied by.

use cll_formula::Formula;

use crate::LevelChange;
use crate::input::Axis;
use crate::result::parts;

/// Where changes lie, and the terms there.
pub(crate) struct Along<'a> {
    pub(crate) formula: &'a Formula,
    /// The axis, over values of which the first are those of the formula's variables, in its order.
    pub(crate) axis: Axis,
}

impl Along<'_> {
    /// The formula's terms at values of the axis' variables.
    pub(crate) fn terms(&self, values: &[f64]) -> Vec<f64> {
        let mut terms = vec![0.0; self.formula.terms().len()];
        self.formula.terms_at(&values[..self.formula.variables().len()], &mut terms);
        terms
    }

    /// The columns at values of the axis' variables: for each term its parts, those of a term beside each other.
    pub(crate) fn columns(&self, changes: &[Vec<LevelChange>], values: &[f64]) -> Vec<f64> {
        let axis = self.axis.value(values);
        let count = self.formula.variables().len();
        let terms = self.terms(values);
        let moved = |term: usize, place: f64| match self.axis {
            Axis::Variable(variable) if variable < count => {
                let mut there = values.to_vec();
                there[variable] = place;
                self.terms(&there)[term]
            }
            _ => terms[term],
        };
        let mut out = vec![0.0; owners(changes).len()];
        columns(changes, |term| terms[term], axis, moved, &mut out);
        out
    }
}

/// The term of each column.
pub(crate) fn owners(changes: &[Vec<LevelChange>]) -> Vec<usize> {
    let each = changes.iter().enumerate();
    each.flat_map(|(term, changes)| std::iter::repeat_n(term, changes.len() + 1)).collect()
}

/// The columns at a value of the axis, from the terms there and from a term where the axis has another value; both by
/// their position among the `changes`.
pub(crate) fn columns(
    changes: &[Vec<LevelChange>],
    term: impl Fn(usize) -> f64,
    axis: f64,
    term_at: impl Fn(usize, f64) -> f64,
    out: &mut [f64],
) {
    let mut first = 0;
    for (position, changes) in changes.iter().enumerate() {
        let own = &mut out[first..=first + changes.len()];
        first += changes.len() + 1;
        if changes.iter().any(LevelChange::is_kink) {
            let known =
                |place: f64| if place == axis { term(position) } else { term_at(position, place) };
            parts(changes, &known, axis, own);
            continue;
        }
        let mut rest = term(position);
        for (level, change) in changes.iter().enumerate() {
            let beyond = rest * change.share(axis);
            own[level] = rest - beyond;
            rest = beyond;
        }
        own[changes.len()] = rest;
    }
}
