//! Checks a fit that was read from a file.

use crate::result::is_tree;
use crate::{Fit, PredictError};

impl Fit {
    /// Checks a fit that was read from a file: it may have been edited by hand.
    pub(crate) fn consistent(&self) -> Result<(), PredictError> {
        let terms = self.formula.terms().len();
        let wrong = |what: &str| Err(PredictError::Inconsistent(what.to_owned()));
        let square = |c: &[Vec<f64>], size: usize| {
            c.is_empty() || (c.len() == size && c.iter().all(|row| row.len() == size))
        };
        let divisions = self.boundaries.len() + self.splits.len();
        let both = !self.boundaries.is_empty() && !self.splits.is_empty();
        if both || divisions + 1 != self.intervals.len() {
            return wrong("boundaries do not lie between its intervals");
        }
        if !is_tree(&self.splits) || self.alternatives.iter().any(|a| !is_tree(&a.splits)) {
            return wrong("the divisions into regions are no tree");
        }
        let changing = |changes: &[Vec<crate::LevelChange>]| {
            changes.is_empty() || (changes.len() == terms && self.axis.is_some() && divisions == 0)
        };
        if !changing(&self.changes) || !self.alternatives.iter().all(|a| changing(&a.changes)) {
            return wrong("changes between levels do not match the formula or have no axis");
        }
        let columns = |changes: &[Vec<crate::LevelChange>]| {
            terms + changes.iter().map(Vec::len).sum::<usize>()
        };
        let own = columns(&self.changes);
        if self.intervals.iter().any(|i| i.solution.len() != own || !square(&i.covariance, own)) {
            return wrong("an interval has another number of constants than the formula");
        }
        if self.formula.variables().len() > self.variables.len() {
            return wrong("variables of the formula are missing");
        }
        let fits = |a: &crate::Alternative| {
            let intervals = a.boundaries.len() + a.splits.len() + 1;
            a.constants.len() == intervals
                && a.covariance.len() == intervals
                && a.sigma.len() == intervals
                && a.dof.len() == intervals
                && a.constants.iter().all(|c| c.len() == columns(&a.changes))
                && a.covariance.iter().all(|c| square(c, columns(&a.changes)))
        };
        if !self.alternatives.iter().all(fits) {
            return wrong("an alternative does not match the formula");
        }
        let dependencies = self.undetermined.iter();
        if dependencies
            .flat_map(|d| d.others.iter().map(|o| o.0).chain([d.term]))
            .any(|k| k >= terms)
        {
            return wrong("an undetermined term is not in the formula");
        }
        Ok(())
    }
}
