//! Whether the measured combinations can show how two variables act together.

use std::sync::Arc;

use super::combinations::{Combinations, DistantPoint, centre};
use crate::warning::place;
use crate::{Fit, Warning};

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

    /// The warning that some variables change only one at a time.
    ///
    /// If each combination has a common value of the one variable or of the other, f(x) + g(y) and
    /// f(x) g(y) can be equal at all of them: such data cannot distinguish the two (Box, Hunter and
    /// Hunter, *Statistics for Experimenters*, on one factor at a time).
    pub(crate) fn one_at_a_time(&self) -> Option<Warning> {
        let measured = self.measured();
        let used = self.formula.variables().len();
        let variables = measured.variables();
        let columns = (0..variables.len()).filter(|&k| variables[k] < used);
        let columns: Vec<usize> = columns.collect();
        let mut pairs = Vec::new();
        let mut measure = None;
        for (k, &i) in columns.iter().enumerate() {
            for &j in &columns[k + 1..] {
                let Some(centre) = centre(&measured, i, j) else { continue };
                let (first, second) = (variables[i], variables[j]);
                pairs.push((self.variables[first].clone(), self.variables[second].clone()));
                let far = [(i, centre.0), (j, centre.1)].map(|(k, own)| {
                    let levels = &measured.levels()[k];
                    if own as usize + 1 == levels.len() {
                        levels[0]
                    } else {
                        levels[levels.len() - 1]
                    }
                });
                let names = [first, second].map(|k| self.variables[k].clone());
                measure.get_or_insert_with(|| place(&names, &far));
            }
        }
        measure.map(|measure| Warning::OneAtATime { pairs, measure })
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
