//! `cll upsilon`: which statements the constants of formulas stand for.

mod check;
mod count;
mod file;
mod import;
mod json;
mod propose;

use cll_report::upsilon_text;

use crate::cli::{UpsilonArgs, UpsilonCommand, UpsilonShowArgs};
use crate::failure::Failure;
use crate::terminal::Terminal;
use cll_analysis::{Messages, read_model, select};

pub use check::CheckedFiles;
pub use file::{SourceSets, Text, beside, load_sets};
pub use import::take;
pub use json::UpsilonJson;

/// Runs a command.
pub fn run(args: &UpsilonArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    match &args.command {
        UpsilonCommand::Propose(args) => propose::run(args, terminal),
        UpsilonCommand::Show(args) => show(args, terminal),
        UpsilonCommand::Import(args) => import::run(args, terminal),
        UpsilonCommand::Check(args) => check::run(args, terminal),
    }
}

fn show(args: &UpsilonShowArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let mut shown = load_sets(&args.file, terminal as &dyn Messages)?;
    let experiments = std::mem::take(&mut shown.sets.experiments);
    shown.sets.experiments = select(experiments, &args.experiment, |experiment| &experiment.name)?;
    let model = args.model.as_deref().map(read_model).transpose()?;
    if let Some(model) = &model {
        let has_any = shown.sets.experiments.iter().any(|experiment| {
            model
                .experiments
                .iter()
                .any(|other| other.name == experiment.name && other.formula == experiment.formula)
        });
        if !has_any {
            return Err(Failure::input("the model has none of these experiments with its formula")
                .help("it must be a model of this version of the source"));
        }
        if let Some(reservation) = model.reservation() {
            terminal.warn(&reservation);
        }
    }
    let experiments = model.as_ref().map_or(&[][..], |model| &model.experiments);
    if args.json {
        terminal.json(&UpsilonJson::new(&shown, experiments))?
    } else {
        terminal.print(upsilon_text(&shown.sets, experiments, &terminal.style()))?
    }
    Ok(0)
}
