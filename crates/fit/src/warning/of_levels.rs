//! The warnings about levels: some were not reached, or the data want a constant negative.

use crate::input::Samples;
use crate::intervals::{Fitted, differs};
use crate::levels::without_bound;
use crate::solve::relative;
use crate::{ConstantValues, Fit, Intervals, LevelChange, Warning};

/// Significance level of negative constants.
const LEVEL: f64 = 0.01;
/// Negative constants must take this share of the error.
const GAIN: f64 = 0.8;
/// An error below this share of the values is not reported.
const VISIBLE: f64 = 0.005;

impl Fit {
    /// Constants that have not reached their last level at the largest measured value of the axis.
    pub(crate) fn not_level(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let (Some(axis), Some(interval)) = (&self.axis, self.intervals.first()) else {
            return warnings;
        };
        for (constant, changes) in self.constants.iter().zip(&self.changes) {
            let Some(change @ LevelChange::Rise { .. }) = changes.last() else { continue };
            if change.reach().1 <= interval.last {
                continue;
            }
            let level = |back: usize| {
                constant.segments.iter().rev().nth(back).and_then(|segment| segment.estimate.value)
            };
            let levels = level(0).zip(level(1));
            warnings.push(Warning::NotLevel {
                constant: constant.constant.clone(),
                term: constant.term.clone(),
                axis: axis.clone(),
                last: interval.last,
                ratio: levels.filter(|levels| levels.1 > 0.0).map(|levels| levels.0 / levels.1),
            });
        }
        warnings
    }

    /// Constants that are held at 0, if the data want them below it.
    pub(crate) fn held_at_zero(&self, samples: &Samples, fitted: &Fitted) -> Option<Warning> {
        let is_bounded =
            matches!(self.options.intervals, Intervals::Levels { .. }) && !self.options.signed;
        let ordered = &fitted.ordered;
        if !is_bounded || samples.exact || fitted.solved.free == ordered.columns() {
            return None;
        }
        let signed = without_bound(ordered);
        let size = |rss: f64| relative(ordered, samples, (rss / ordered.len() as f64).sqrt());
        let (error, left) = (size(fitted.solved.rss), size(signed.rss));
        let parameters = signed.free + fitted.solved.places;
        let is_certain = differs(signed.rss, fitted.solved.rss, ordered.len(), parameters, LEVEL);
        if !is_certain || left > GAIN * error || error < VISIBLE {
            return None;
        }
        let owners = self.owners();
        let negative = (0..ordered.columns()).filter(|&column| {
            signed.solution.constants[column] < 0.0
                && fitted.solved.solution.constants[column] <= 0.0
        });
        let mut terms: Vec<usize> = negative.map(|column| owners[fitted.basis[column]]).collect();
        terms.dedup();
        let named = |name: &dyn Fn(&ConstantValues) -> String| {
            terms.iter().map(|&term| name(&self.constants[term])).collect::<Vec<String>>()
        };
        (!terms.is_empty()).then(|| Warning::HeldAtZero {
            constants: named(&|constant| constant.constant.clone()),
            terms: named(&|constant| constant.term.clone()),
            error,
            signed: left,
        })
    }
}
