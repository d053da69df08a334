//! Doubts about a fit of levels: levels that were not reached, and constants that the data want negative.

use crate::input::Samples;
use crate::intervals::{Fitted, differs};
use crate::numerics::{student, two_sided};
use crate::solve::{Division, OrderedPoints, Segments, Sigma, Solved, relative};
use crate::{Fit, Intervals, LevelChange, Warning};

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

    /// The intervals of constants that are held at 0: from there to what the data allow, by the distribution of the
    /// constant without the bound, of which only what is above 0 counts.
    pub(crate) fn bound_zeros(&mut self, fitted: &Fitted, sigma: Option<Sigma>) {
        let ordered = &fitted.ordered;
        let Some(sigma) = sigma.filter(|_| fitted.solved.free < ordered.columns()) else { return };
        let signed = without_bound(ordered);
        let count = ordered.columns();
        for column in 0..count {
            let variance = signed.solution.inverse[column * count + column];
            if fitted.solved.solution.constants[column] != 0.0 || variance <= 0.0 {
                continue;
            }
            let scale = ordered.scale()[column];
            let error = variance.sqrt() * sigma.value / scale;
            let value = signed.solution.constants[column] / scale;
            let above = 1.0 - student(-value / error, sigma.dof);
            let tail = above * (1.0 - self.options.confidence);
            // The one-sided quantile of what is above 0.
            let high =
                value + error * two_sided(1.0 - 2.0 * tail.max(f64::MIN_POSITIVE), sigma.dof);
            let place = fitted.basis[column];
            let (term, level) = self.place_of(place);
            let segment = self.constants.get_mut(term).and_then(|own| own.segments.get_mut(level));
            let Some(segment) = segment.filter(|_| high.is_finite() && high > 0.0) else {
                continue;
            };
            segment.estimate.low = Some(0.0);
            segment.estimate.high = Some(high);
            let is_last = self.changes.get(term).is_none_or(|changes| changes.len() == level);
            if is_last && let Some(own) = self.intervals[0].constants.get_mut(term) {
                own.clone_from(&segment.estimate);
            }
        }
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
        let named = |name: &dyn Fn(&crate::ConstantValues) -> String| {
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

/// The solution in which constants may be negative.
fn without_bound(ordered: &OrderedPoints) -> Solved {
    let undivided = Division { breaks: Vec::new(), rss: 0.0 };
    Solved::new(ordered, &undivided, Segments::free(ordered.columns(), 0), false)
}
