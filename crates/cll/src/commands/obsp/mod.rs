//! `cll obsp`: BSP, OBSP and OBSP* from a log or from formulas.

mod answer;
mod formula;
mod logged;
mod print;

use cll_machine::{Combine, Machine};
use cll_model::{Draws, Target};

use crate::cli::{HSize, ObspArgs};
use crate::failure::Failure;
use crate::machine::load;
use crate::terminal::Terminal;

/// Predicts, compares, reports.
pub fn run(args: &ObspArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if !(args.confidence > 0.0 && args.confidence < 1.0) {
        return Err(Failure::usage(format!(
            "--confidence {} does not lie between 0 and 1",
            args.confidence
        )));
    }
    let of_formulas =
        |path: &std::path::PathBuf| path.extension().is_some_and(|extension| extension == "toml");
    let machine = load(&args.machine, terminal)?;
    for reason in &machine.origin.disturbed {
        terminal.warn(&format!("{} was measured on a disturbed machine: {reason}", machine.name));
    }
    if args.files.iter().any(of_formulas) {
        let [file] = &args.files[..] else {
            return Err(Failure::usage("a program in formulas is predicted by itself")
                .help("--against FILE compares two along a variable"));
        };
        if args.measured_on.is_some() {
            return Err(Failure::usage("--measured-on is for logs")
                .help("formulas have the constants of the machine they were fitted on"));
        }
        return formula::run(file, args, &machine, terminal);
    }
    if !args.predict.is_empty() || args.curves.curves.is_some() {
        return Err(Failure::usage("--predict and --curves are for programs in formulas")
            .help("a log has one size and one number of processors; NAME.obsp.toml describes a program for all"));
    }
    logged::run(args, &machine, terminal)
}

/// What a program is priced by.
fn target<'a>(args: &'a ObspArgs, machine: &'a Machine, requests: bool) -> Target<'a> {
    Target {
        machine,
        engine: args.engine.as_deref(),
        oversubscribed: args.own_cores.then_some(false),
        requests,
        combine: match args.at {
            Some(HSize::Max) => Combine::Max,
            Some(HSize::Sum) => Combine::Sum,
            None => machine.combine.unwrap_or(Combine::Max),
        },
    }
}

/// How intervals are drawn; a very large program is gone through less often.
fn draws(args: &ObspArgs, size: u64) -> Draws {
    // About ten seconds for all three models.
    const MOST: u64 = 600_000_000;
    let afford = usize::try_from(MOST / size.max(1)).unwrap_or(usize::MAX).max(20);
    Draws { count: args.draws.min(afford), seed: args.seed, confidence: args.confidence }
}
