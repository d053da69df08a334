//! The warning about variables that change only one at a time.

use super::text::place;
use crate::prediction::centre;
use crate::{Fit, Warning};

impl Fit {
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
