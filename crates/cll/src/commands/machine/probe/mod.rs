//! `cll machine probe`: measures the cost of supersteps here.

mod launch;
mod outcome;
mod output;
mod plan;
mod programs;
mod rounds;
mod samples;

use std::time::Duration;

use cll_machine::write;
use cll_report::machine_text;

use super::json;
use crate::cli::{Loaded, ProbeArgs};
use crate::commands::environment::{budget, loaded};
use crate::failure::{Failure, Status};
use crate::files::Output;
use crate::launch::Local;
use crate::machine_state::{BestSeen, LaunchBaseline, Placement, Processors, Scheduler};
use crate::terminal::Terminal;
use cll_contract::Engine;
use cll_counters::this_machine;

use launch::{Launches, is_there};
use outcome::{Outcome, Taken};
use plan::Sizes;
use programs::Programs;
use rounds::{Bar, Rounds};

/// The default time of the measurement.
const BUDGET: Duration = Duration::from_secs(60);
const MAX_BYTES: u64 = 16 << 20;
const MAX_BYTES_QUICK: u64 = 1 << 20;

/// Measures, and writes the machine's file.
pub fn run(args: &ProbeArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let loaded = loaded(args.loaded)?;
    let of_environment = budget()?.filter(|_| args.budget.is_none());
    if of_environment.is_some_and(|budget| budget.is_core_time) {
        return Err(Failure::usage("CLL_BUDGET: cll machine probe is limited by elapsed time")
            .help("--budget TIME gives it"));
    }
    let of_environment = of_environment.map(|budget| Duration::from_secs_f64(budget.seconds));
    let budget = args.budget.or(of_environment).unwrap_or(BUDGET).as_secs_f64();
    let output = Output::at(&args.out)?;
    // Nothing can be written beside a device or a FIFO.
    let raw = Some(args.out.with_extension("csv")).filter(|_| output.is_file());
    if raw.as_ref() == Some(&args.out) {
        return Err(Failure::usage(format!(
            "--out {}: the raw samples are written beside the machine's file, under this name",
            args.out.display()
        ))
        .help("choose a name such as mine.toml"));
    }
    let samples = raw.as_deref().map(Output::at).transpose()?;
    let host = this_machine();
    let mut missing = Vec::new();
    let engines = engines(args, &mut missing)?;
    let most = args.processors.unwrap_or(host.processors);
    let launches = plan::launches(&engines, host.processors, most);
    let programs = Programs::build(&launches, terminal)?;
    let known_as = format!("{}: {}", host.host, host.cpu);
    let scheduler = Scheduler::granted();
    let place = Placement { cpus: Processors::allowed().choose(1), scheduler, ..Placement::free() };
    let baseline = LaunchBaseline::measure(&place).unwrap_or_default();
    let known = BestSeen { baseline, ..BestSeen::read(&known_as) };
    let mut rounds = Rounds {
        launches: Launches { programs: &programs, scheduler },
        plan: launches,
        sizes: Sizes {
            largest: args.largest.unwrap_or(if args.quick { MAX_BYTES_QUICK } else { MAX_BYTES }),
            per_octave: if args.quick { 1 } else { 4 },
        },
        budget,
        most_rounds: if args.quick { rounds::MIN_ROUNDS } else { rounds::MAX_ROUNDS },
        seed: args.seed.unwrap_or_else(|| u64::from(fastrand::u32(..))),
        must_run: !args.engine.is_empty(),
        made: Vec::new(),
        done: 0,
        missing,
    };
    let mut bar = Bar::new(args.quiet);
    let measured = rounds.measure(&mut Local::new(terminal)?, &mut bar);
    bar.finish();
    let seconds = measured?;
    // The first engine of a file is the default.
    rounds
        .made
        .sort_by_key(|one| (one.launching.engine as u8, one.launching.processors, one.round));

    let taken =
        Taken { host: &host, scheduler, seconds, name: args.name.as_deref(), raw: raw.as_deref() };
    let Outcome { machine, judgement, known } = outcome::evaluate(&rounds, known, &taken)?;
    known.write(&known_as);
    let refused = outcome::report(&judgement, scheduler, loaded, terminal);
    if refused && loaded == Loaded::Refuse {
        return Err(Failure::Reported(Status::NotMeasurable));
    }
    if let Some(samples) = samples {
        samples.write(samples::csv(&rounds.made).as_bytes())?;
    }
    output.write(write(&machine).as_bytes())?;
    match args.json {
        true => json(&machine, terminal)?,
        false => terminal.print(machine_text(&machine, &terminal.style()))?,
    }
    terminal.flush()?;
    if !args.quiet {
        let samples = match &raw {
            Some(raw) => format!("the samples are in {}", raw.display()),
            None => "the samples are not written, since it is not a regular file".to_owned(),
        };
        let out = args.out.display();
        terminal.note(&format!("written to {out}; {samples} (seed {})", rounds.seed));
    }
    Ok(0)
}

/// The requested engines, or all available ones.
fn engines(args: &ProbeArgs, missing: &mut Vec<String>) -> Result<Vec<Engine>, Failure> {
    if args.engine.is_empty() {
        let all = [Engine::Processes, Engine::Threads, Engine::Mpi];
        let there = |engine: &Engine| match is_there(*engine) {
            Ok(()) => true,
            Err(why) => {
                missing.push(format!("engine {}: {why}", engine.name()));
                false
            }
        };
        return Ok(all.into_iter().filter(there).collect());
    }
    let mut engines: Vec<Engine> = Vec::new();
    for &engine in &args.engine {
        if engine == Engine::Virtual {
            return Err(Failure::usage("--engine virtual: its costs are those of a machine file")
                .help("measure processes, threads or mpi"));
        }
        is_there(engine).map_err(Failure::usage)?;
        if !engines.contains(&engine) {
            engines.push(engine);
        }
    }
    Ok(engines)
}
