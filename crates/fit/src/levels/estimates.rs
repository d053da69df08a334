//! The levels of each constant, with their uncertainty and where they hold.

use cll_formula::Formula;

use super::chosen::Levels;
use super::columns::owners;
use crate::mixture::{Component, quantile};
use crate::samples::{constant_name, term_text};
use crate::tables::Table;
use crate::{ConstantValues, Estimate, LevelChange, Options, Segment};

/// For every constant its levels: a segment for each, from where its change has ended to where the next one begins
/// (Table 2 of the 2003 paper has jumps only).
///
/// `undetermined` says of a term whether others depend on it. A level's interval is that of the chosen changes mixed with
/// the same level of other changes of the same kinds.
pub(crate) fn level_values(
    levels: &Levels,
    (table, dof): (&Table, f64),
    formula: &Formula,
    options: &Options,
    undetermined: &dyn Fn(usize) -> bool,
) -> Vec<ConstantValues> {
    let terms = owners(&levels.changes);
    (0..formula.terms().len())
        .map(|term| {
            let changes = &levels.changes[term];
            let first = terms.iter().position(|owner| *owner == term).unwrap_or(0);
            let is_known = levels.basis.contains(&term) && !undetermined(term);
            let segments = (0..=changes.len())
                .map(|level| {
                    let mut estimate = Estimate {
                        constant: constant_name(formula, term),
                        value: None,
                        standard_error: None,
                        low: None,
                        high: None,
                    };
                    if is_known {
                        let own = (table, dof, first + level);
                        fill(&mut estimate, levels, own, (term, level), options);
                    }
                    Segment {
                        first_interval: 0,
                        last_interval: 0,
                        low: level.checked_sub(1).map(|before| changes[before].reach().1),
                        high: changes.get(level).map(|change| change.reach().0),
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

fn fill(
    estimate: &mut Estimate,
    levels: &Levels,
    (table, dof, column): (&Table, f64, usize),
    (term, level): (usize, usize),
    options: &Options,
) {
    let value = table.constants[column];
    estimate.value = Some(value);
    let variance = table.covariance.get(column).map_or(0.0, |row| row[column]);
    if variance <= 0.0 {
        return;
    }
    estimate.standard_error = Some(variance.sqrt());
    let kinds =
        |changes: &[LevelChange]| changes.iter().map(std::mem::discriminant).collect::<Vec<_>>();
    let own = kinds(&levels.changes[term]);
    let alike = levels.alternatives.iter().filter(|other| kinds(&other.changes[term]) == own);
    let mut components: Vec<Component> = alike
        .map(|other| {
            let first = owners(&other.changes).iter().position(|owner| *owner == term);
            let column = first.unwrap_or(0) + level;
            Component {
                weight: other.weight,
                value: other.constants[0][column],
                scale: other.covariance[0][column][column].max(0.0).sqrt(),
                dof: other.dof[0],
            }
        })
        .collect();
    let others: f64 = levels.alternatives.iter().map(|other| other.weight).sum();
    let weight = (1.0 - others).max(if components.is_empty() { 1.0 } else { 0.0 });
    components.push(Component { weight, value, scale: variance.sqrt(), dof });
    let tail = 0.5 * (1.0 - options.confidence);
    let floor = if value >= 0.0 && !options.signed { 0.0 } else { f64::NEG_INFINITY };
    estimate.low = Some(quantile(&components, tail).max(floor).min(value));
    estimate.high = Some(quantile(&components, 1.0 - tail).max(value));
}
