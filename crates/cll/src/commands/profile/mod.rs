//! `cll profile`: cost centres, critical paths and differences of BSP programs.

mod diff;
mod export;
mod show;
mod view;

use cll_machine::ClassicCost;
use cll_profile::Profile;

use crate::cli::{AsOnArgs, ProfileArgs, ProfileCommand};
use crate::failure::Failure;
use crate::machine;
use crate::terminal::Terminal;

/// Runs a command.
pub fn run(args: &ProfileArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    match &args.command {
        ProfileCommand::Show(args) => show::run(args, terminal),
        ProfileCommand::View(args) => view::run(args, terminal),
        ProfileCommand::Diff(args) => diff::run(args, terminal),
        ProfileCommand::Export(args) => export::run(args, terminal),
    }
}

/// A machine of `--as-on`.
struct On {
    name: String,
    /// How many processors the profile has.
    processors: u32,
    costs: ClassicCost,
    /// Notes that the reader should know about the machine.
    notes: Vec<String>,
}

/// The machine of `--as-on` for so many processors as a profile has.
fn on(args: &AsOnArgs, profile: &Profile, terminal: &Terminal) -> Result<Option<On>, Failure> {
    let Some(word) = &args.as_on else { return Ok(None) };
    if profile.is_by_calls() {
        return Err(Failure::usage(
            "--as-on: calls of MPI have no supersteps, of which g*h + l is the price",
        )
        .help("cll mpi model predicts a program's time on another machine"));
    }
    let machine = machine::load(word, terminal)?;
    let costs = machine
        .classic(args.engine.as_deref(), profile.processors)
        .map_err(|missing| Failure::input(missing.to_string()))?;
    let substitutions =
        costs.substitutions.iter().map(|substitution| format!("{}: {substitution}", machine.name));
    let notes: Vec<String> = machine.reservation().into_iter().chain(substitutions).collect();
    notes.iter().for_each(|note| terminal.warn(note));
    Ok(Some(On { name: machine.name.clone(), processors: profile.processors, costs, notes }))
}
