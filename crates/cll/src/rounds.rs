//! A program that is run several times: who runs it wants its output once.

use std::path::Path;

use crate::failure::Failure;
use crate::files;
use crate::launch::{Outcome, Streams, ending};
use crate::terminal::Terminal;

/// Runs the rounds behind the first one, each with a folder of its own and no input; its output is not shown. Ends after a
/// run that fails, with a warning.
///
/// # Errors
/// From `run`, and if there is no room for a folder.
pub fn further(
    rounds: u32,
    terminal: &mut Terminal,
    mut run: impl FnMut(&Path, Streams, &mut Terminal) -> Result<Outcome, Failure>,
    mut use_run: impl FnMut(&Path, &Outcome) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for round in 2..=rounds {
        let folder = files::temporary_folder()?;
        let (output, _, _) = files::numbered(folder.path(), "output", "log")?;
        let outcome = run(folder.path(), Streams::Log(output), terminal)?;
        let how = ending(&outcome).or(outcome.interrupted.map(|_| "was interrupted".to_owned()));
        if let Some(how) = how {
            terminal.warn(&format!(
                "round {round}: the program {how}; the prediction is of the rounds before"
            ));
            return Ok(());
        }
        use_run(folder.path(), &outcome)?;
    }
    Ok(())
}
