//! The price of a log.

use cll_analysis::logs::logs_in;
use cll_analysis::obsp::{ObspOptions, ReadLogs};
use cll_machine::Machine;
use cll_report::{ObspHead, obsp_text};
use cll_result::obsp::Predictions;

use crate::cli::ObspArgs;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// Prices the given logs, as those of one run.
pub fn run(
    args: &ObspArgs,
    options: &ObspOptions,
    machine: &Machine,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    let paths = logs_in(&args.files)?;
    let read = ReadLogs::read(&paths, options, machine, terminal)?;
    for note in &read.notes {
        terminal.warn(note);
    }
    let target = read.target(options, machine);
    let prediction = read.price(options, &target, true)?;
    let name = paths[0].display().to_string();
    let head = ObspHead { subject: &name, about: "", machine, target: &target };
    if args.json {
        let all = std::slice::from_ref(&prediction);
        terminal.json(&Predictions::new(&name, &target, all))?;
    } else {
        terminal.print(obsp_text(&head, &prediction, args.shown(), &terminal.style()))?
    }
    Ok(0)
}
