//! The terms of a fit as its solution has them: one for each constant, or one for each level.

use crate::input::Axis;
use crate::levels::{Along, owners};
use crate::{Boundary, Fit, LevelChange, Segment};

impl Fit {
    /// For each number of a [`solution`](crate::Interval::solution) the term that it belongs to.
    pub fn owners(&self) -> Vec<usize> {
        if self.changes.is_empty() {
            (0..self.formula.terms().len()).collect()
        } else {
            owners(&self.changes)
        }
    }

    /// Where a segment of a term's constant is in a [`solution`](crate::Interval::solution): the place of its level, or
    /// that of the term.
    pub fn column(&self, term: usize, segment: usize) -> usize {
        if self.changes.is_empty() {
            term
        } else {
            self.changes[..term].iter().map(|own| own.len() + 1).sum::<usize>() + segment
        }
    }

    /// Where a change of a term's constant may be with the fit's confidence, in units of the axis: by the other changes of
    /// the same kinds that the data allow.
    ///
    /// # Panics
    /// If there is no such change.
    pub fn plausible(&self, term: usize, change: usize) -> (f64, f64) {
        let own = &self.changes[term];
        let kinds = |changes: &[LevelChange]| {
            changes.iter().map(std::mem::discriminant).collect::<Vec<_>>()
        };
        let others = self.alternatives.iter().filter_map(|other| {
            let changes = other.changes.get(term)?;
            (kinds(changes) == kinds(own)).then(|| (changes[change].position(), other.weight))
        });
        let mut places: Vec<(f64, f64)> = others.collect();
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        let all: f64 = places.iter().map(|place| place.1).sum();
        let tail = 0.5 * (1.0 - self.options.confidence) * all;
        let chosen = own[change].position();
        let reached = |places: &[(f64, f64)]| {
            let mut sum = 0.0;
            let end = places.iter().find(|place| {
                sum += place.1;
                sum > tail
            });
            end.map_or(chosen, |place| place.0)
        };
        let low = reached(&places).min(chosen);
        places.reverse();
        let high = reached(&places).max(chosen);
        // The data do not tell places of a jump in one gap apart.
        match own[change] {
            LevelChange::Jump { .. } => (
                self.neighbours(low).map_or(low, |ends| ends.0),
                self.neighbours(high).map_or(high, |ends| ends.1),
            ),
            _ => (low, high),
        }
    }

    /// The smallest and the largest measured value of the axis in the intervals where a segment holds; of a level, where it
    /// holds within them.
    ///
    /// # Panics
    /// If the segment is of another fit.
    pub fn measured_range(&self, segment: &Segment) -> (f64, f64) {
        let first = self.intervals[segment.first_interval].first;
        let last = self.intervals[segment.last_interval].last;
        if self.changes.is_empty() {
            (first, last)
        } else {
            (
                segment.low.map_or(first, |low| low.clamp(first, last)),
                segment.high.map_or(last, |high| high.clamp(first, last)),
            )
        }
    }

    /// Where constants change along the axis, by their places: the boundaries of intervals, or for each change between
    /// levels the range in which it goes from 10 to 90 %, of a jump the gap between two measured values. `plausible` contains that range, too.
    pub fn places(&self) -> Vec<Boundary> {
        let mut places = self.boundaries.clone();
        for (term, changes) in self.changes.iter().enumerate() {
            places.extend((0..changes.len()).map(|index| self.place_of_change(term, index)));
        }
        places.sort_by(|a, b| a.at.total_cmp(&b.at));
        places
    }

    /// The place of a change of a term's constant, as [`Fit::places`] has it.
    ///
    /// # Panics
    /// If there is no such change.
    pub fn place_of_change(&self, term: usize, index: usize) -> Boundary {
        let change = self.changes[term][index];
        let gap = match change {
            LevelChange::Jump { at: jump } => self.neighbours(jump),
            _ => None,
        };
        let (last_left, first_right) = gap.unwrap_or_else(|| change.reach());
        let (low, high) = self.plausible(term, index);
        let plausible = (low.min(last_left), high.max(first_right));
        Boundary { last_left, first_right, at: change.position(), plausible }
    }

    /// The term and the segment of a column.
    pub(crate) fn place_of(&self, column: usize) -> (usize, usize) {
        let owners = self.owners();
        let term = owners[column];
        (term, column - owners.partition_point(|owner| *owner < term))
    }

    /// The values of the formula's terms, or of their parts for each level, at a point.
    pub(crate) fn terms_of(&self, point: &[f64]) -> Vec<f64> {
        self.columns_at(&self.changes, point)
    }

    /// The same for some changes of constants.
    pub(crate) fn columns_at(&self, changes: &[Vec<LevelChange>], point: &[f64]) -> Vec<f64> {
        let axis = self.axis.as_ref().filter(|_| changes.iter().any(|own| !own.is_empty()));
        if let Some(axis) = axis.and_then(|name| Axis::parse(name, &self.variables).ok()) {
            return Along { formula: &self.formula, axis }.columns(changes, point);
        }
        let mut terms = vec![0.0; self.formula.terms().len()];
        self.formula.terms_at(&point[..self.formula.variables().len()], &mut terms);
        terms
    }

    /// Where a constant holds: the index of its segment at a point. A level holds where its change is more than half
    /// done.
    pub(crate) fn segment_at(&self, term: usize, point: &[f64]) -> Option<usize> {
        let interval = self.interval_at(point)?;
        if let Some(changes) = self.changes.get(term) {
            let axis = self.value_on(self.axis.as_ref()?, point).ok()?;
            return Some(changes.iter().take_while(|change| axis > change.position()).count());
        }
        self.constants.get(term)?.segments.iter().position(|segment| segment.holds_in(interval))
    }
}
