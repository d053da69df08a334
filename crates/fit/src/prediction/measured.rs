//! The measured combinations of variables, and whether a point is far from them.

use std::sync::Arc;

use super::combinations::{Combinations, DistantPoint};
use crate::Fit;

impl Fit {
    /// The measured combinations of the variables that vary.
    pub(crate) fn measured(&self) -> Arc<Combinations> {
        self.measured_combinations.get_or_init(|| measured(self, false))
    }

    /// The same with the points that were held out.
    pub(crate) fn measured_with_held_out(&self) -> Arc<Combinations> {
        if self.held_out.is_empty() { self.measured() } else { Arc::new(measured(self, true)) }
    }

    /// The variables whose combination at this point is far from the measured ones, for a point
    /// inside each variable's range.
    pub(crate) fn far(&self, point: &[f64]) -> Option<DistantPoint> {
        self.measured().far(point)
    }
}

fn measured(fit: &Fit, with_held_out: bool) -> Combinations {
    let columns: Vec<usize> = fit
        .variables
        .iter()
        .filter_map(|name| fit.recorded.iter().position(|other| other == name))
        .collect();
    let used = fit.residuals.iter().filter(|r| r.excluded.is_none()).map(|r| &r.values);
    let held_out = fit.held_out.iter().filter(|_| with_held_out).map(|point| &point.values);
    // A fit edited by hand may lack values.
    let points: Vec<Vec<f64>> = if columns.len() == fit.variables.len() {
        used.chain(held_out)
            .filter_map(|values| columns.iter().map(|&c| values.get(c).copied()).collect())
            .collect()
    } else {
        Vec::new()
    };
    Combinations::new(fit.variables.len(), points)
}
