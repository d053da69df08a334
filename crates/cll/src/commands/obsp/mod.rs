//! `cll obsp`: BSP, OBSP and OBSP* from a log or from formulas.

mod against;
mod formula;
pub(in crate::commands) mod logged;
mod runs;

pub(in crate::commands) use formula::Described;
pub(in crate::commands) use logged::price_logs;

use cll_machine::{Combine, Machine};
use cll_model::{Draws, Target};
use cll_result::obsp::{self, Prediction, Subject};

use crate::cli::{HSize, ObspArgs};
use crate::failure::Failure;
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
        return against::run(args, &machines, terminal);
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
        return formula::run(file, args, machine, terminal);
    }
    if !args.predict.is_empty() {
        return Err(Failure::usage("--predict is for descriptions in formulas").help(
            "a log has one size and one number of processors; NAME.obsp.toml describes a program for all of them",
        ));
    }
    match &args.curves.curves {
        None => logged::run(args, machine, terminal),
        Some(along) => runs::run(along, args, machine, terminal),
    }
}

/// The costs for a program.
fn target<'a>(args: &'a ObspArgs, machine: &'a Machine, requests: bool) -> Target<'a> {
    Target {
        machine,
        engine: args.engine.as_deref(),
        oversubscribed: args.own_cores.then_some(false),
        requests,
        fetches: false,
        combine: match args.at {
            Some(HSize::Max) => Combine::Max,
            Some(HSize::Sum) => Combine::Sum,
            None => machine.combine.unwrap_or(Combine::Max),
        },
    }
}

/// Prices a program by all three models; with `deep` also breaks down the time of the last one.
fn predict(
    subject: Subject<'_>,
    target: &Target<'_>,
    draws: &Draws,
    deep: bool,
) -> Result<Prediction, Failure> {
    obsp::predict(subject, target, draws, deep).map_err(|missing| {
        Failure::input(missing.to_string())
            .help("cll machine show MACHINE shows the data of a machine's file")
    })
}

/// How intervals are drawn; a very large program is drawn less often.
fn draws(args: &ObspArgs, size: u64) -> Draws {
    let count = affordable(args.draws, size);
    Draws { count, seed: args.seed, confidence: args.confidence }
}

/// Draws for a program with this number of processor-supersteps: about ten seconds for all three models.
fn affordable(asked: usize, size: u64) -> usize {
    const MAX_DRAWN_SUPERSTEPS: u64 = 600_000_000;
    let afford = usize::try_from(MAX_DRAWN_SUPERSTEPS / size.max(1)).unwrap_or(usize::MAX);
    asked.min(afford.max(MIN_DRAWS))
}

/// With fewer draws an interval would be random.
const MIN_DRAWS: usize = 20;

/// The warning on intervals from fewer draws than requested.
fn fewer_draws(asked: usize, size: u64) -> Option<String> {
    let count = affordable(asked, size);
    (count < asked).then(|| {
        format!(
            "the program has {size} supersteps of processors, so its intervals are from {count} draws, not from \
             {asked}: their ends are less sure"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_programs_are_drawn_less_often_and_that_is_said() {
        assert_eq!((affordable(400, 1000), affordable(0, 1 << 40)), (400, 0));
        assert_eq!((affordable(400, 6_000_000), affordable(400, 1 << 40)), (100, 20));
        assert_eq!(fewer_draws(400, 1_500_000), None);
        let said = fewer_draws(400, 6_000_000).unwrap();
        assert!(said.contains("from 100 draws, not from 400"), "{said}");
        assert_eq!(fewer_draws(20, 1 << 40), None);
    }
}
