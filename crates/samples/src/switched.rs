//! Samples during which the program was switched out.

use cll_trace::{Cell, Experiment, Origin, Stretch};

/// Minimum number of samples that a cell keeps when switched-out samples are removed.
const MIN_SAMPLES: usize = 3;

/// Whether a cell has enough samples without the switched-out ones. Regions longer than a time
/// slice are always switched out.
pub fn can_spare(experiment: &Experiment, cell: &Cell) -> bool {
    can_spare_of(&experiment.origins, cell)
}

/// Removes samples during which the program was switched out, if a cell has enough others. Returns
/// the number removed.
pub(crate) fn leave_out_switched(experiment: &mut Experiment) -> u64 {
    let origins = experiment.origins.clone();
    experiment.retain(|cell, origin| {
        // Rarely evaluated: few stretches of samples were switched out.
        !origin.switched || !can_spare_of(&origins, cell)
    })
}

fn can_spare_of(origins: &[Origin], cell: &Cell) -> bool {
    let away = |stretch: &&Stretch| {
        origins.get(stretch.origin as usize).is_some_and(|origin| origin.switched)
    };
    let switched: usize =
        cell.stretches.iter().filter(away).map(|stretch| stretch.count as usize).sum();
    cell.inclusive.len() - switched >= MIN_SAMPLES.max(switched)
}
