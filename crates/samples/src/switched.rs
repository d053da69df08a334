//! Samples during which the program was switched out.

use cll_trace::{Cell, Experiment, Origin, Stretch};

/// A cell keeps at least so many samples when those are left out that were switched out.
const MIN_SAMPLES: usize = 3;

/// Whether a cell has enough samples without those that were switched out: regions that take longer than a time slice
/// are switched out in any case.
pub fn can_spare(experiment: &Experiment, cell: &Cell) -> bool {
    can_spare_of(&experiment.origins, cell)
}

/// Leaves out single samples during which the program was switched out, where a cell has enough others. How many
/// were left out.
pub(crate) fn leave_out_switched(experiment: &mut Experiment) -> u64 {
    let origins = experiment.origins.clone();
    experiment.retain(|cell, origin| {
        // Asked seldom: stretches of switched samples are few.
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
