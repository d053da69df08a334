//! `cll obsp`: BSP, OBSP and OBSP* from a log or from formulas.

mod against;
mod formula;
mod logged;
mod runs;

use cll_analysis::obsp::ObspOptions;
use cll_machine::Combine;
use cll_model::Draws;

use crate::cli::{HSize, ObspArgs};
use crate::failure::Failure;
use crate::files::Output;
use crate::machine::load;
use crate::terminal::Terminal;

/// Predicts, compares, reports.
pub fn run(args: &ObspArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if !(args.confidence > 0.0 && args.confidence < 1.0) {
        return Err(Failure::usage(format!(
            "--confidence {} is not between 0 and 1",
            args.confidence
        )));
    }
    if let Some(svg) = &args.curves.svg {
        let inputs = args.files.iter().chain(&args.machine).chain(&args.measured_on);
        Output::apart_from(svg, &inputs.cloned().collect::<Vec<_>>())?;
    }
    let options = options(args);
    let of_formulas =
        |path: &std::path::PathBuf| path.extension().is_some_and(|extension| extension == "toml");
    let mut machines = Vec::new();
    for file in &args.machine {
        let machine = load(file, terminal)?;
        for reason in &machine.origin.disturbed {
            let name = &machine.name;
            terminal.warn(&format!("{name} was measured on a disturbed machine: {reason}"));
        }
        machines.push(machine);
    }
    let is_comparison = args.curves.curves.is_some() && !args.curves.against.is_empty();
    let is_of_logs = !args.files.iter().any(of_formulas);
    if is_comparison && is_of_logs {
        return against::run(args, &options, &machines, terminal);
    }
    let [machine] = &machines[..] else {
        return Err(Failure::usage("several machines are for logs of two programs")
            .help("cll obsp A.*.log --against B.*.log --curves P --machine ONE,OTHER"));
    };
    if !is_of_logs {
        let [file] = &args.files[..] else {
            return Err(Failure::usage(
                "only one description in formulas can be predicted at a time",
            )
            .help("--against FILE compares two along a variable"));
        };
        if args.measured_on.is_some() {
            return Err(Failure::usage("--measured-on is for logs only").help(
                "the constants of formulas are those of the machine on which they were fitted",
            ));
        }
        return formula::run(file, args, &options, machine, terminal);
    }
    if !args.predict.is_empty() {
        return Err(Failure::usage("--predict is for descriptions in formulas").help(
            "a log has one size and one number of processors; NAME.obsp.toml describes a program for all of them",
        ));
    }
    match &args.curves.curves {
        None => logged::run(args, &options, machine, terminal),
        Some(along) => runs::run(along, args, &options, machine, terminal),
    }
}

fn options(args: &ObspArgs) -> ObspOptions {
    ObspOptions {
        engine: args.engine.clone(),
        combine: args.at.map(|size| match size {
            HSize::Max => Combine::Max,
            HSize::Sum => Combine::Sum,
        }),
        own_cores: args.own_cores,
        measured_on: args.measured_on.clone(),
        draws: Draws { count: args.draws, seed: args.seed, confidence: args.confidence },
        memory: args.memory,
    }
}
