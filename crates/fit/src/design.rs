//! Whether the measured combinations can show how two variables act together.

use crate::nearness::Measured;
use crate::words::place;
use crate::{Fit, Warning};

impl Fit {
    /// The warning that some variables change one at a time only.
    ///
    /// Where each combination has one of two common values, of the one variable or of the other, f(x) + g(y)
    /// and f(x) g(y) can be equal at all of them: such data do not show which it is (Box, Hunter and Hunter,
    /// *Statistics for Experimenters*, on one factor at a time).
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

/// The levels of two variables such that every combination has one of them.
pub(crate) fn centre(measured: &Measured, i: usize, j: usize) -> Option<(u32, u32)> {
    let pairs = || measured.combinations().map(|own| (own[i], own[j]));
    let one = pairs().next()?;
    // Two that differ in both have a line through them, and no centre.
    let second = pairs().find(|pair| *pair != one)?;
    pairs().find(|pair| *pair != one && *pair != second)?;
    let other = pairs().find(|pair| pair.1 != one.1)?;
    // Of two pairs that differ in the second, one has another value there than the centre, so it has the
    // centre's in the first.
    [one.0, other.0].into_iter().find_map(|first| {
        let mut aside = pairs().filter(|pair| pair.0 != first);
        let second = aside.next()?.1;
        aside.all(|pair| pair.1 == second).then_some((first, second))
    })
}
