//! Points that do not make predictions narrow by the formula, but show whether it is right.

use crate::criterion::{Criterion, CriterionState};
use crate::problem::{Gap, Problem};

/// In the gap of a boundary: the candidate whose place on the axis is nearest to the middle; of equals the cheapest.
pub(crate) fn bisecting(problem: &Problem, gap: &Gap, limit: f64) -> Option<usize> {
    let place = |value: f64| if gap.low > 0.0 { value.ln() } else { value };
    let middle = 0.5 * (place(gap.low) + place(gap.high));
    let inside = (0..problem.candidates.len()).filter(|&c| {
        gap.axis_values[c] > gap.low && gap.axis_values[c] < gap.high && problem.cost(c) <= limit
    });
    inside.min_by(|&a, &b| {
        let key = |c: usize| ((place(gap.axis_values[c]) - middle).abs(), problem.cost(c));
        let ((a, first), (b, second)) = (key(a), key(b));
        let near = 1e-9 * (place(gap.high) - place(gap.low));
        if (a - b).abs() > near { a.total_cmp(&b) } else { first.total_cmp(&second) }
    })
}

/// The candidate that is farthest from every measured and chosen point, among those of at most this cost, if it is
/// farther than `near`, a share of the range of a variable.
pub(crate) fn farthest(
    criterion: &Criterion<'_>,
    state: &CriterionState,
    limit: f64,
    near: f64,
) -> Option<usize> {
    let problem = criterion.problem;
    let space = Space::new(problem);
    let chosen = (0..state.chosen.len()).filter(|&c| state.chosen[c] > 0);
    let measured = problem
        .subjects
        .iter()
        .flat_map(|subject| &subject.measured)
        .map(|measurement| &measurement.values[..]);
    let known: Vec<&[f64]> =
        chosen.map(|c| &problem.candidates[c].values[..]).chain(measured).collect();
    let affordable =
        (0..problem.candidates.len()).filter(|&c| state.chosen[c] == 0 && problem.cost(c) <= limit);
    let distance = |c: usize| {
        let own = &problem.candidates[c].values;
        known.iter().map(|other| space.distance(own, other)).fold(f64::INFINITY, f64::min)
    };
    affordable
        .map(|c| (distance(c), c))
        .filter(|(distance, _)| *distance > near)
        .max_by(|a, b| a.0.total_cmp(&b.0).then(problem.cost(b.1).total_cmp(&problem.cost(a.1))))
        .map(|(_, c)| c)
}

/// Points nearer to each other than this are one.
pub(crate) const NEAR: f64 = 0.02;

/// The candidates' ranges.
pub(crate) struct Space {
    ranges: Vec<(f64, f64)>,
}

impl Space {
    pub(crate) fn new(problem: &Problem) -> Space {
        Space::over(
            problem.variables.len(),
            problem.candidates.iter().map(|candidate| &candidate.values[..]),
        )
    }

    /// Makes the space that contains these points.
    pub(crate) fn over<'p>(variables: usize, points: impl Iterator<Item = &'p [f64]>) -> Space {
        let mut ranges = vec![(f64::INFINITY, f64::NEG_INFINITY); variables];
        for point in points {
            for (range, value) in ranges.iter_mut().zip(point) {
                *range = (range.0.min(*value), range.1.max(*value));
            }
        }
        Space { ranges }
    }

    /// Distance of two points: over logarithms of variables that are above 0, each as a share of its range.
    pub(crate) fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let squares = self.ranges.iter().zip(a.iter().zip(b)).map(|(range, (a, b))| {
            let place = |value: f64| self.place(range, value);
            (place(*a) - place(*b)).powi(2)
        });
        squares.sum::<f64>().sqrt()
    }

    fn place(&self, &(low, high): &(f64, f64), value: f64) -> f64 {
        if high <= low {
            return 0.0;
        }
        if low > 0.0 && value > 0.0 {
            (value / low).ln() / (high / low).ln()
        } else {
            (value - low) / (high - low)
        }
    }

    /// How far up in all ranges a point lies: 0 at the smallest values, 1 at the largest.
    pub(crate) fn height(&self, point: &[f64]) -> f64 {
        let places = self.ranges.iter().zip(point).map(|(range, value)| self.place(range, *value));
        places.fold(0.0, f64::max)
    }
}
