//! The boundaries and changes of a model, and what they may be due to.

use cll_fit::{Boundary, Fit, LevelChange, Unit};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Explained, Known, WhyCause, WhyExperiment, WhyMessages, leaving, messages, together};
use crate::change_cause::ChangeCause;

/// A boundary between intervals of validity, or a change of a constant.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WhyBoundary {
    /// The variable.
    pub variable: String,
    /// The plausible range, as the fit says.
    pub low: f64,
    /// The end of that range.
    pub high: f64,
    /// Where predictions change.
    pub at: f64,
    /// The change of a constant with levels; `None` between two intervals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<WhyChange>,
    /// The arrays that it may be due to, the heaviest first.
    pub causes: Vec<WhyCause>,
    /// The messages that it may be due to. Without both no cause was found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<WhyMessages>,
}

/// A change of a constant from one level to the next.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WhyChange {
    /// The constant, `f[2]`.
    pub constant: String,
    /// The term that it is multiplied by, `N*N`.
    pub term: String,
    /// The kind and the place.
    #[serde(flatten)]
    pub change: LevelChange,
    /// The level before it, in the unit; `None` if it is not determined.
    pub before: Option<f64>,
    /// The level after it.
    pub after: Option<f64>,
    /// The unit of the levels.
    pub unit: Unit,
}

impl WhyExperiment {
    /// The causes of the changes of constants, for the model: the heaviest of each.
    pub fn causes_of_changes(&self) -> Vec<ChangeCause> {
        let each = self.boundaries.iter().filter_map(|boundary| {
            let (change, cause) = (boundary.change.as_ref()?, boundary.causes.first()?);
            Some(ChangeCause {
                constant: change.constant.clone(),
                at: boundary.at,
                array: cause.array.clone(),
                file: cause.file.clone(),
                line: cause.line,
                level: cause.level.clone(),
                bytes: cause.bytes,
                page: cause.page,
            })
        });
        each.collect()
    }

    /// Adds the boundaries of a fit, and the changes of its constants.
    pub(super) fn add_boundaries(&mut self, explained: &Explained, known: &Known, fit: &Fit) {
        let axis = fit.axis.as_deref();
        let variable = axis.and_then(|axis| self.variables.iter().position(|name| name == axis));
        let Some(variable) = variable else {
            if !fit.places().is_empty() || !fit.splits.is_empty() {
                let axis = axis.unwrap_or("several axes");
                self.notes.push(format!(
                    "the intervals of the model lie along {axis}; their boundaries are not compared"
                ));
            }
            return;
        };
        let names = &self.variables;
        let sent = messages::passing(&explained.sent, &known.limits, names, Some(variable));
        let boundary = |place: &Boundary, change: Option<WhyChange>| {
            let (low, high) = place.plausible;
            let near = Some((variable, low, high));
            WhyBoundary {
                variable: names[variable].clone(),
                low,
                high,
                at: place.at,
                change,
                causes: together(leaving(explained, known, names, near)),
                messages: sent
                    .iter()
                    .filter(|passing| passing.explains(low, high))
                    .cloned()
                    .collect(),
            }
        };
        let mut all: Vec<WhyBoundary> =
            fit.boundaries.iter().map(|place| boundary(place, None)).collect();
        for (term, changes) in fit.changes.iter().enumerate() {
            let constant = &fit.constants[term];
            let level = |index: usize| constant.segments.get(index)?.estimate.value;
            all.extend(changes.iter().enumerate().map(|(index, change)| {
                let change = WhyChange {
                    constant: constant.constant.clone(),
                    term: constant.term.clone(),
                    change: *change,
                    before: level(index),
                    after: level(index + 1),
                    unit: fit.unit.clone(),
                };
                boundary(&fit.place_of_change(term, index), Some(change))
            }));
        }
        all.sort_by(|a, b| a.at.total_cmp(&b.at));
        self.boundaries = all;
    }
}
