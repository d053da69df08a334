//! Logs of several runs: measured and predicted times over the numbers of processors.

use cll_analysis::obsp::{ObspOptions, sets};
use cll_machine::Machine;
use cll_report::measured_text;
use cll_result::Curves;

use crate::cli::ObspArgs;
use crate::commands::curves::report;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// Each argument is a run: a log, or the folder with the logs of its processes.
pub fn run(
    along: &str,
    args: &ObspArgs,
    options: &ObspOptions,
    machine: &Machine,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    refuse(along, args)?;
    let (sets, notes) = sets(&args.files, options, machine, terminal)?;
    let both = || sets.iter().map(|set| (set, set.measured_curve(), set.predicted_curve()));
    let style = terminal.style();
    let tables = both()
        .map(|(set, measured, predicted)| measured_text(&set.head, &measured, &predicted, &style));
    let text = tables.collect::<Vec<_>>().join("\n");
    let curves = both().flat_map(|(_, measured, predicted)| [measured, predicted]).collect();
    let answer = Curves::new("P".to_owned(), curves, Vec::new(), notes);
    report(&answer, text, &args.curves, args.json, terminal)?;
    Ok(0)
}

/// Refuses options that logs do not allow.
pub fn refuse(along: &str, args: &ObspArgs) -> Result<(), Failure> {
    if along != "P" {
        return Err(Failure::usage(format!("--curves {along}: for logs the variable is P"))
            .help("use --curves P, without a range; NAME.obsp.toml describes a program for all numbers of processors"));
    }
    if args.curves.isoefficiency.is_some() {
        return Err(Failure::usage("--isoefficiency is for descriptions in formulas"));
    }
    Ok(())
}
