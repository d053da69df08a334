//! The values of every point in every round, by which rounds are compared.

use cll_fit::rounds::RoundsTable;

use crate::prepare::Prepared;
use crate::switched::can_spare;

impl Prepared {
    /// Makes the table with a point for each cell that has the observable (`None`: the time), in seconds or in the
    /// observable's unit. `of_process` has the index of the round of each process in the trace, less than `rounds`.
    ///
    /// Samples that are not fitted are left out. These are samples without a value; and for the time, samples during
    /// which the program was switched out, if the cell has enough others.
    pub fn by_round(
        &self,
        observable: Option<&str>,
        of_process: &[usize],
        rounds: usize,
    ) -> RoundsTable {
        let mut table = RoundsTable::new(rounds);
        for experiment in &self.experiments {
            let known = &experiment.observables;
            let index =
                observable.map(|name| known.iter().position(|observed| observed.name == name));
            for cell in &experiment.cells {
                let values = match index {
                    None => &cell.inclusive,
                    Some(Some(index)) => &cell.observed[index].inclusive,
                    Some(None) => continue,
                };
                let is_spared = observable.is_none() && can_spare(experiment, cell);
                let mut observed = vec![Vec::new(); rounds];
                for (value, origin) in values.iter().zip(cell.origins(experiment)) {
                    let is_left_out = value.is_nan() || (is_spared && origin.switched);
                    let round = of_process.get(origin.process as usize);
                    if let Some(&round) = round.filter(|_| !is_left_out) {
                        observed[round].push(*value);
                    }
                }
                table.add(observed);
            }
        }
        table
    }
}
