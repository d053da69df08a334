//! `cll what-if`: times with a faster machine or faster blocks.

use std::path::PathBuf;

use cll_analysis::obsp::{Described, ObspOptions, ReadLogs};
use cll_analysis::{changed, changed_program, read_model, select};
use cll_machine::Machine;
use cll_report::what_if_text;
use cll_result::{Change, WhatIf};

use super::fit::asked;
use crate::cli::{BlockFactor, WhatIfArgs};
use crate::failure::Failure;
use crate::machine::load;
use crate::terminal::Terminal;

/// Predicts with and without the changes, and prints both.
pub fn run(args: &WhatIfArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let blocks = args.block.iter().map(|BlockFactor(name, factor)| (name.clone(), *factor));
    let change = Change {
        network: 1.0 / args.network.0,
        memory: 1.0 / args.memory.0,
        computation: 1.0 / args.computation.0,
        blocks: blocks.collect(),
    };
    let first = &args.program[0];
    let is_description = first.extension().is_some_and(|end| end == "toml");
    let is_log = first.extension().is_some_and(|end| end == "log");
    let answer = match (is_description, is_log) {
        (true, _) => description(args, &change, terminal)?,
        (_, true) => logs(args, &change, terminal)?,
        _ => model(args, &change, terminal)?,
    };
    if args.json {
        terminal.json(&answer)?
    } else {
        terminal.print(what_if_text(&answer, &terminal.style()))?
    }
    Ok(0)
}

/// The only program that was given.
fn only(args: &WhatIfArgs) -> Result<&PathBuf, Failure> {
    match &args.program[..] {
        [path] => Ok(path),
        _ => Err(Failure::usage("only logs of one run can be given together")),
    }
}

fn machine(args: &WhatIfArgs, terminal: &Terminal) -> Result<Machine, Failure> {
    let Some(path) = &args.machine else {
        return Err(Failure::usage("g and L are those of a machine: --machine MACHINE").help(
            "cll machine list names the machines that are known; cll machine probe --bsp measures this one",
        ));
    };
    Ok(load(path, terminal)?)
}

/// The sum of a model's experiments.
fn model(args: &WhatIfArgs, change: &Change, terminal: &Terminal) -> Result<WhatIf, Failure> {
    let path = only(args)?;
    let mut model = read_model(path)?;
    model.experiments = select(model.experiments, &args.experiment, |experiment| &experiment.name)?;
    if let Some(reservation) = model.reservation() {
        terminal.warn(&reservation);
    }
    let (confidence, points) = changed(&model, &asked(&args.at)?, change, terminal)?;
    let name = path.display().to_string();
    let mut answer = WhatIf::new(name, String::new(), change, confidence);
    answer.points = points;
    answer.doubts = model.doubts();
    Ok(answer)
}

fn description(args: &WhatIfArgs, change: &Change, terminal: &Terminal) -> Result<WhatIf, Failure> {
    let machine = machine(args, terminal)?;
    let described = Described::read(only(args)?, terminal)?;
    let points = asked(&args.at)?;
    if points.is_empty() {
        return Err(Failure::usage("a description in formulas needs values for the prediction")
            .help("--at N=2097152,P=32, where P is the number of processors"));
    }
    let options = options(args);
    let target = options.target(&machine, true);
    let confidence = options.draws.confidence;
    let mut answer = WhatIf::new(described.name(), machine.name.clone(), change, confidence);
    answer.doubts = described.doubts().clone();
    for place in &points {
        let built = described.build(place.values(), terminal)?;
        let mut notes: Vec<String> = built.notes.iter().map(ToString::to_string).collect();
        notes.extend(machine.reservation());
        notes.extend(described.doubts().reservation());
        let mut point = changed_program(&built.program, built.quantities, &target, change, notes)?;
        point.at = place.values().to_vec();
        answer.points.push(point);
    }
    Ok(answer)
}

fn options(args: &WhatIfArgs) -> ObspOptions {
    ObspOptions { engine: args.engine.clone(), ..ObspOptions::default() }
}

fn logs(args: &WhatIfArgs, change: &Change, terminal: &Terminal) -> Result<WhatIf, Failure> {
    if !args.at.is_empty() {
        return Err(Failure::usage("--at is for models and descriptions in formulas")
            .help("a log has one size and one number of processors"));
    }
    let machine = machine(args, terminal)?;
    let options = options(args);
    let read = ReadLogs::read(&args.program, &options, &machine, terminal)?;
    let target = read.target(&options, &machine);
    let (program, quantities) = read.program();
    let name = args.program[0].display().to_string();
    let confidence = options.draws.confidence;
    let mut answer = WhatIf::new(name, machine.name.clone(), change, confidence);
    let notes = read.notes.clone();
    answer.points.push(changed_program(program, quantities.clone(), &target, change, notes)?);
    Ok(answer)
}
