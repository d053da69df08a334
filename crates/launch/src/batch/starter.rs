//! The command that starts the processes of a task.

use std::path::Path;

use cll_campaign::batch::Starter;
use cll_campaign::{Batch, Launcher};

use crate::Srun;

/// The user's command, for MPI processes the system's or `mpirun`, else the program itself.
pub fn starter(program: &Path, is_ranks: bool, system: Launcher, batch: &Batch) -> Starter {
    match (&batch.starter, is_ranks, system) {
        (Some(command), _, _) => Starter::Command(command.clone()),
        (None, false, _) => Starter::Alone,
        (None, true, Launcher::Slurm) => Starter::Command(Srun::for_program(program).line()),
        (None, true, _) => Starter::Command("mpirun -n {P}".to_owned()),
    }
}
