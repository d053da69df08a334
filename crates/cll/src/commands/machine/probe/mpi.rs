//! The probe of MPIs.

use cll_probe::mpi::{Libraries, MpiFound, MpiPlan, MpiRounds, csv, evaluate};

use super::bar::Bar;
use super::outcome::Taken;
use crate::cli::ProbeArgs;
use crate::failure::Failure;
use crate::files;
use crate::launch::Local;
use crate::machine_state::{BestSeen, Processors};
use crate::terminal::Terminal;
use cll_files::Advice;

/// Measures MPIs for this number of seconds; the result and the raw samples. `None` if there is no MPI and nobody has asked for
/// one: the file says so.
///
/// # Errors
/// If none of the MPIs can be measured, and the user has named them; if the user interrupts it too early.
pub fn measure(
    args: &ProbeArgs,
    (budget, seed): (f64, u64),
    known: BestSeen,
    taken: &Taken<'_>,
    terminal: &mut Terminal,
) -> Result<Option<(MpiFound, String)>, Failure> {
    let libraries = Libraries::here();
    if libraries.all.is_empty() && args.mpi {
        return Err(Failure::usage(libraries.missing.join("\n")).help(
            "install an MPI with its compiler (on Debian libopenmpi-dev or libmpich-dev), or name it: CLL_MPICC=/opt/mpi/bin/mpicc",
        ));
    }
    if libraries.all.is_empty() {
        terminal.note(&format!("MPI is not measured: {}", libraries.missing.join("; ")));
        return Ok(None);
    }
    let cores = Processors::allowed().all().len().max(1) as u32;
    let folder = files::temporary_folder()?;
    let mut rounds = MpiRounds {
        libraries,
        plan: MpiPlan::new(args.processors.unwrap_or(taken.host.processors), args.quick),
        folder: folder.path(),
        budget,
        quick: args.quick,
        seed,
        samples: Vec::new(),
        seen: Vec::new(),
        done: 0,
    };
    let mut bar = Bar::new(args.quiet);
    let measured = rounds.measure(&mut Local::new(terminal)?, &mut bar);
    bar.finish();
    let mpi_found = match measured {
        Ok(seconds) => evaluate(&mut rounds, known, cores, seconds),
        // The other parts are worth writing.
        Err(error) if !args.mpi && rounds.libraries.all.is_empty() => {
            let help = error.help().join("; ");
            terminal.note(&format!("MPI is not measured: {error}: {help}"));
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    };
    Ok(Some((mpi_found, csv(&rounds.samples))))
}
