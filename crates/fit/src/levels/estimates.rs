//! The levels of each constant, with their uncertainty and where they hold.

use cll_formula::Formula;

use super::best_axis::Levels;
use super::columns::owners;
use super::refine::middle;
use crate::input::{constant_name, term_text};
use crate::numerics::{Component, quantile};
use crate::solve::Table;
use crate::{ConstantValues, Estimate, Options, Segment};

/// Shares of the next level where a constant is changing.
const CHANGING: std::ops::Range<f64> = 0.1..0.9;

/// The sources of the levels' estimates.
pub(crate) struct Known<'a> {
    pub(crate) levels: &'a Levels,
    /// The chosen constants with their covariance.
    pub(crate) table: &'a Table,
    /// Degrees of freedom of that covariance.
    pub(crate) dof: f64,
    /// The share of the points that count as independent.
    pub(crate) independent: f64,
    /// The smallest and the largest measured value of the axis.
    pub(crate) range: (f64, f64),
}

/// For every constant its levels: a segment for each, from where its change has ended to where the next one begins
/// (Table 2 of the 2003 paper has jumps only).
///
/// `undetermined` says of a term whether others depend on it. A level's interval is that of the chosen changes mixed with
/// what other changes say in the middle of where it holds.
pub(crate) fn level_values(
    known: &Known,
    formula: &Formula,
    options: &Options,
    undetermined: &dyn Fn(usize) -> bool,
) -> Vec<ConstantValues> {
    let levels = known.levels;
    let terms = owners(&levels.changes);
    (0..formula.terms().len())
        .map(|term| {
            let changes = &levels.changes[term];
            let first = terms.iter().position(|owner| *owner == term).unwrap_or(0);
            let is_known = levels.basis.contains(&term) && !undetermined(term);
            let segments = (0..=changes.len())
                .map(|level| {
                    let low = level.checked_sub(1).map(|before| changes[before].reach().1);
                    let high = changes.get(level).map(|change| change.reach().0);
                    let mut estimate = Estimate {
                        constant: constant_name(formula, term),
                        value: None,
                        standard_error: None,
                        low: None,
                        high: None,
                    };
                    if is_known {
                        let ends = (low.unwrap_or(known.range.0), high.unwrap_or(known.range.1));
                        let place = middle(ends.0, ends.1);
                        fill(&mut estimate, known, (term, first + level, place), options);
                    }
                    Segment {
                        first_interval: 0,
                        last_interval: 0,
                        low,
                        high,
                        regions: Vec::new(),
                        places: Vec::new(),
                        estimate,
                    }
                })
                .collect();
            ConstantValues {
                constant: constant_name(formula, term),
                term: term_text(formula, term),
                segments,
            }
        })
        .collect()
}

/// Fills in the level in a column, at a place of the axis where it holds.
fn fill(
    estimate: &mut Estimate,
    known: &Known,
    (term, column, place): (usize, usize, f64),
    options: &Options,
) {
    let Known { levels, table, dof, .. } = *known;
    let value = table.constants[column];
    estimate.value = Some(value);
    let variance = table.covariance.get(column).map_or(0.0, |row| row[column]);
    // What is held at zero has no error, but an end that the data allow.
    if variance <= 0.0 || (value == 0.0 && !options.signed) {
        return;
    }
    estimate.standard_error = Some(variance.sqrt());
    let wider = known.independent.sqrt().recip();
    let mut components: Vec<Component> = levels
        .alternatives
        .iter()
        .filter_map(|other| {
            let changes = &other.changes[term];
            // Where it changes there it has no level.
            if changes.iter().any(|change| CHANGING.contains(&change.share(place))) {
                return None;
            }
            let first = owners(&other.changes).iter().position(|owner| *owner == term)?;
            let level = changes.iter().take_while(|change| place > change.position()).count();
            let column = first + level;
            Some(Component {
                weight: other.weight,
                value: other.constants[0][column],
                scale: wider * other.covariance[0][column][column].max(0.0).sqrt(),
                dof: other.dof[0],
            })
        })
        .collect();
    let others: f64 = levels.alternatives.iter().map(|other| other.weight).sum();
    let weight = (1.0 - others).max(if components.is_empty() { 1.0 } else { 0.0 });
    components.push(Component { weight, value, scale: wider * variance.sqrt(), dof });
    let tail = 0.5 * (1.0 - options.confidence);
    let floor = if value >= 0.0 && !options.signed { 0.0 } else { f64::NEG_INFINITY };
    estimate.low = Some(quantile(&components, tail).max(floor).min(value));
    estimate.high = Some(quantile(&components, 1.0 - tail).max(value));
}
