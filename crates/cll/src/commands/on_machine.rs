//! `cll predict --machine`: a model's times on another machine.

use std::path::Path;

use cll_machine::Machine;
use cll_report::on_machine_text;
use cll_result::{Counts, ModelFile, OnMachine, carried, of_another_machine};
use cll_reuse::accesses_of_passage;

use super::fit::asked;
use super::why::{Followed, accesses};
use crate::cli::{PredictArgs, WhyArgs};
use crate::failure::Failure;
use crate::files::Output;
use crate::machine::load;
use crate::terminal::Terminal;
use cll_analysis::{now, read_model, select, values_at, write_model};

/// Predicts on the other machine and prints.
pub fn run(args: &PredictArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let (Some(there), Some(here)) = (&args.machine, &args.measured_on) else {
        return Err(Failure::usage(
            "a prediction for another machine needs the costs of both: --machine MACHINE --measured-on MACHINE",
        )
        .help("cll machine probe --memory --operations --out mine.toml measures the machine it runs on"));
    };
    let model = read_model(&args.model)?;
    let (here, there) = (measured_on(&model, here, terminal)?, load(there, terminal)?);
    let chosen =
        select(model.experiments.clone(), &args.experiment, |experiment| &experiment.name)?;
    let points = asked(&args.at)?;
    let output = args
        .output
        .as_deref()
        .map(|path| Output::apart_from(path, std::slice::from_ref(&args.model)));
    let output = output.transpose()?;
    if let Some(reservation) = model.reservation() {
        terminal.warn(&reservation);
    }
    let path = args.model.display().to_string();
    let mut answer = OnMachine::new(path, &here, &there, &now());
    answer.doubts = model.doubts();
    // Only what is needed: without levels of memory nothing is run.
    let needs_counts = [&here, &there].iter().all(|machine| !machine.memory.levels.is_empty());
    let followed = if needs_counts { Some(accesses(&options(args), terminal)?) } else { None };
    for experiment in &chosen {
        let Some(fit) = &experiment.fit else {
            terminal.warn(&format!("{} has no fit: left out", experiment.name));
            continue;
        };
        let mut values = Vec::new();
        for point in &points {
            values.push(values_at(&experiment.name, fit, point)?);
        }
        let counts = followed.as_ref().and_then(|followed| counts(followed, &experiment.name));
        let both = (&here, &there);
        let time = carried(&experiment.name, fit, counts.as_ref(), both, &values);
        answer.experiments.push(time.map_err(|error| Failure::fit(error.to_string()))?);
    }
    if let Some(output) = output {
        let predicted = answer.model(&model, &there, &now()).ok_or_else(|| {
            Failure::fit("no experiment has constants there: no model is written")
        })?;
        write_model(&predicted, output)?;
    }
    if args.json {
        terminal.json(&answer)?
    } else {
        terminal.print(on_machine_text(&answer, &terminal.style()))?
    }
    Ok(0)
}

/// The machine that a model was measured on.
///
/// # Errors
/// If the file cannot be read, or is that of another machine.
pub fn measured_on(
    model: &ModelFile,
    file: &Path,
    terminal: &mut Terminal,
) -> Result<Machine, Failure> {
    let machine = load(file, terminal)?;
    match of_another_machine(model, &machine) {
        Some(difference) => Err(Failure::usage(format!("--measured-on: {difference}: its times cannot be carried over"))
            .help("give the file of the machine that the model was measured on, or measure the program again")),
        None => Ok(machine),
    }
}

fn options(args: &PredictArgs) -> WhyArgs {
    WhyArgs {
        keep: false,
        program: args.model.clone(),
        machine: None,
        experiment: args.experiment.clone(),
        arguments: Vec::new(),
        budget: args.budget,
        sample: None,
        processors: None,
        json: args.json,
        compiler: args.compiler.clone(),
    }
}

/// The accesses of an experiment.
fn counts(followed: &Followed, name: &str) -> Option<Counts> {
    let experiment = followed.experiments.iter().find(|experiment| experiment.name == name)?;
    let accesses =
        accesses_of_passage(&followed.accesses.groups(experiment), experiment.of_formula)?;
    let (_, explained) = followed.accesses.explained(experiment, &[]);
    Some(Counts { accesses, named: explained.named })
}
