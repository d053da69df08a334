//! Constants that are held at zero: the interval in which they may be, and the solution without the bound.

use crate::Fit;
use crate::intervals::Fitted;
use crate::numerics::{student, two_sided};
use crate::solve::{Division, OrderedPoints, Segments, Sigma, Solved};

impl Fit {
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
}

/// The solution in which constants may be negative.
pub(crate) fn without_bound(ordered: &OrderedPoints) -> Solved {
    let undivided = Division { breaks: Vec::new(), rss: 0.0 };
    Solved::new(ordered, &undivided, Segments::free(ordered.columns(), 0), false)
}
