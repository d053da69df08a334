//! `cll machine probe`: measures supersteps, memory, operations and MPIs here.

mod bar;
mod mpi;
mod outcome;
mod supersteps;

use std::path::PathBuf;
use std::time::Duration;

use cll_fit::rounds::{RoundSelection, State};
use cll_machine::{Machine, Regimes, write};
use cll_report::machine_text;

use super::json;
use crate::cli::{Loaded, ProbeArgs};
use crate::commands::environment::{budget, loaded};
use crate::failure::{Failure, Status};
use crate::files::{Derived, Kept, Output};
use crate::launch::Local;
use crate::machine_state::{BestSeen, LaunchBaseline, Placement, Processors, Scheduler};
use crate::terminal::Terminal;
use cll_counters::this_machine;
use cll_probe::analyzer::{self, AnalyzerRounds, Kernels, Parts, Plan};

use bar::Bar;
use outcome::Taken;
use supersteps::Engines;

/// The default times of the parts.
const SUPERSTEPS: f64 = 60.0;
const MEMORY: f64 = 120.0;
const OPERATIONS: f64 = 20.0;
const MPI: f64 = 60.0;
/// All of them together with `--quick`.
const QUICK: f64 = 50.0;

/// Measures, and writes the machine's file.
pub fn run(args: &ProbeArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let parts = parts(args)?;
    let loaded = loaded(args.loaded)?;
    let budgets = Budgets::from_args(args, parts)?;
    let output = Output::of_kind(&args.out, Kept::Machine)?;
    let mut raw = RawFiles::beside(args, &output, parts)?;
    let host = this_machine();
    let engines = if parts.supersteps { Some(Engines::from_args(args)?) } else { None };
    let known_as = format!("{}: {}", host.host, host.cpu);
    let scheduler = Scheduler::granted();
    let mut known = best_seen(&known_as, scheduler);
    let seed = args.seed.unwrap_or_else(|| u64::from(fastrand::u32(..)));
    let first_raw = raw.first();
    let taken = Taken {
        host: &host,
        scheduler,
        name: args.name.as_deref(),
        raw: first_raw.as_deref(),
        parts,
    };
    let mut machine = outcome::blank(&taken);
    let mut judgements: Vec<RoundSelection> = Vec::new();
    let names = raw.names();
    let mut texts: Vec<(Output, String)> = Vec::new();
    let mut messages: Vec<f64> = Vec::new();
    if let Some(engines) = engines {
        let (outcome, csv) = supersteps::measure(
            args,
            engines,
            (budgets.supersteps, seed),
            known,
            &taken,
            terminal,
        )?;
        (machine, known) = (outcome.machine, outcome.known);
        messages.extend(outcome.messages);
        judgements.push(outcome.judgement);
        texts.extend(raw.supersteps.take().map(|(_, output)| (output, csv)));
    }
    if parts.needs_analyzer() {
        let (analysis, csv) = analyze(args, (budgets.analyzer, seed), known, &taken, terminal)?;
        known = analysis.known;
        messages.extend(analysis.messages);
        add(&mut machine, analysis.analyzed, &analysis.how, &analysis.judgement);
        judgements.push(analysis.judgement);
        texts.extend(raw.analyzer.take().map(|(_, output)| (output, csv)));
    }
    let of_mpi = if parts.mpi {
        mpi::measure(args, (budgets.mpi, seed), known, &taken, terminal)?
    } else {
        None
    };
    if parts.mpi && of_mpi.is_none() {
        raw.mpi = None;
        machine.missing.push("primitives of MPI: there is no MPI that can be measured".to_owned());
    }
    if let Some((mpi_found, csv)) = of_mpi {
        known = mpi_found.known;
        messages.extend(mpi_found.messages);
        machine.regimes.extend(mpi_found.regimes);
        machine.message_passing = mpi_found.costs;
        machine.missing.extend(mpi_found.missing);
        explain(&mut machine, &mpi_found.how, &mpi_found.judgement);
        judgements.push(mpi_found.judgement);
        texts.extend(raw.mpi.take().map(|(_, output)| (output, csv)));
    }
    machine.regimes.extend(Regimes::of_neighbours(&messages));
    known.write(&known_as);
    if is_refused(&judgements, scheduler, loaded, terminal) {
        return Err(Failure::Reported(Status::NotMeasurable));
    }
    texts.push((output, write(&machine)));
    for (output, text) in texts {
        output.write(text.as_bytes())?;
    }
    report(args, &machine, (names.as_deref(), seed), terminal)?;
    Ok(0)
}

/// The highest speed that the machine of this name has shown, and how long a launch takes.
fn best_seen(known_as: &str, scheduler: Scheduler) -> BestSeen {
    let place = Placement { cpus: Processors::allowed().choose(1), scheduler, ..Placement::free() };
    let baseline = LaunchBaseline::measure(&place).unwrap_or_default();
    BestSeen { baseline, ..BestSeen::read(known_as) }
}

/// Whether one of the parts was measured too much disturbed, which is said.
fn is_refused(
    judgements: &[RoundSelection],
    scheduler: Scheduler,
    loaded: Loaded,
    terminal: &mut Terminal,
) -> bool {
    let mut refused = false;
    for judgement in judgements {
        refused |= outcome::report(judgement, scheduler, loaded, terminal);
    }
    refused && loaded == Loaded::Refuse
}

/// Prints the machine, and says where the samples are.
fn report(
    args: &ProbeArgs,
    machine: &Machine,
    (samples, seed): (Option<&str>, u64),
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    if args.json {
        json(machine, terminal)?
    } else {
        terminal.print(machine_text(machine, &terminal.style()))?
    }
    terminal.flush()?;
    if !args.quiet {
        let samples = match samples {
            Some(names) => format!("the samples are in {names}"),
            None => "the samples are not written, since it is not a regular file".to_owned(),
        };
        terminal.note(&format!("written to {}; {samples} (seed {seed})", args.out.display()));
    }
    Ok(())
}

/// The parts to measure: those that the options name, else all.
fn parts(args: &ProbeArgs) -> Result<Parts, Failure> {
    let named = args.bsp || args.memory || args.operations || args.mpi;
    let parts = Parts {
        supersteps: args.bsp || !named,
        memory: args.memory || !named,
        operations: args.operations || !named,
        mpi: args.mpi || !named,
    };
    let of_supersteps = [
        ("--engine", !args.engine.is_empty()),
        ("--processors", args.processors.is_some() && !parts.mpi),
        ("--largest", args.largest.is_some()),
    ];
    match of_supersteps.into_iter().find(|(_, is)| *is && !parts.supersteps) {
        Some((option, _)) => {
            Err(Failure::usage(format!("{option} is of supersteps, which are not measured"))
                .help("--bsp measures them"))
        }
        None => Ok(parts),
    }
}

/// The times of the parts, in seconds.
struct Budgets {
    supersteps: f64,
    analyzer: f64,
    mpi: f64,
}

impl Budgets {
    /// The user's time is divided as the default times are.
    fn from_args(args: &ProbeArgs, parts: Parts) -> Result<Budgets, Failure> {
        let of_environment = budget()?.filter(|_| args.budget.is_none());
        if of_environment.is_some_and(|budget| budget.is_core_time) {
            return Err(Failure::usage("CLL_BUDGET: cll machine probe is limited by elapsed time")
                .help("--budget TIME gives it"));
        }
        let of_environment = of_environment.map(|budget| Duration::from_secs_f64(budget.seconds));
        let given = args.budget.or(of_environment).map(|time| time.as_secs_f64());
        let supersteps = if parts.supersteps { SUPERSTEPS } else { 0.0 };
        let analyzer = if parts.memory { MEMORY } else { 0.0 }
            + if parts.operations { OPERATIONS } else { 0.0 };
        let mpi = if parts.mpi { MPI } else { 0.0 };
        let all = supersteps + analyzer + mpi;
        let total = given.unwrap_or(if args.quick { QUICK.min(all) } else { all });
        let share = |part: f64| total * part / all;
        Ok(Budgets { supersteps: share(supersteps), analyzer: share(analyzer), mpi: share(mpi) })
    }
}

/// The files of the raw samples, if the machine's file is a regular one: nothing can be written beside a device or a FIFO.
struct RawFiles {
    supersteps: Option<(PathBuf, Output)>,
    analyzer: Option<(PathBuf, Output)>,
    mpi: Option<(PathBuf, Output)>,
}

impl RawFiles {
    fn beside(args: &ProbeArgs, output: &Output, parts: Parts) -> Result<RawFiles, Failure> {
        let out = &args.out;
        let file = |extension: &str, wanted: bool, is_own: fn(&[u8]) -> bool| {
            let path = out.with_extension(extension);
            if !wanted || !output.is_file() {
                return Ok(None);
            }
            if path == *out {
                return Err(Failure::usage(format!(
                    "--out {}: the raw samples are written beside the machine's file, under this name",
                    out.display()
                ))
                .help("choose a name such as mine.toml"));
            }
            let samples = Derived {
                what: "file of samples of cll machine probe",
                is_own,
                kind: None,
                rename: "the samples have the name of the machine's file (--out)",
            };
            let output = Output::derived(&path, &samples, args.force)?;
            Ok(Some((path, output)))
        };
        Ok(RawFiles {
            supersteps: file("csv", parts.supersteps, cll_probe::supersteps::is_csv)?,
            analyzer: file("memory.csv", parts.needs_analyzer(), analyzer::is_csv)?,
            mpi: file("mpi.csv", parts.mpi, cll_probe::mpi::is_csv)?,
        })
    }

    /// The one that the machine's file names.
    fn first(&self) -> Option<PathBuf> {
        let first = self.supersteps.as_ref().or(self.analyzer.as_ref()).or(self.mpi.as_ref());
        first.map(|(path, _)| path.clone())
    }

    fn names(&self) -> Option<String> {
        let all = [&self.supersteps, &self.analyzer, &self.mpi].into_iter().flatten();
        let names: Vec<String> = all.map(|(path, _)| path.display().to_string()).collect();
        (!names.is_empty()).then(|| names.join(" and "))
    }
}

/// Measures memory and operations for this number of seconds; the result and the raw samples.
fn analyze(
    args: &ProbeArgs,
    (budget, seed): (f64, u64),
    known: BestSeen,
    taken: &Taken<'_>,
    terminal: &mut Terminal,
) -> Result<(analyzer::RoundResults, String), Failure> {
    let host = outcome::host(taken.host);
    let cores = Processors::allowed().all().len().max(1) as u32;
    let (page, memory) =
        (cll_system::page_size(), cll_system::available_memory().map(|memory| memory.bytes));
    let plan = Plan::new(&host.caches, cores, page, memory, args.quick);
    let launches = plan.launches(taken.parts, args.quick);
    let mut kernels: Vec<_> = launches.iter().map(|launch| launch.kernel).collect();
    kernels.dedup();
    let kernels = Kernels::build(&kernels, terminal)?;
    let mut rounds = AnalyzerRounds {
        kernels: &kernels,
        scheduler: taken.scheduler,
        plan: launches,
        budget,
        quick: args.quick,
        seed,
        samples: Vec::new(),
        seen: Vec::new(),
        done: 0,
        missing: Vec::new(),
    };
    let mut bar = Bar::new(args.quiet);
    let measured = rounds.measure(&mut Local::new(terminal)?, &mut bar);
    bar.finish();
    let seconds = measured?;
    let analysis = analyzer::evaluate(&rounds, known, (taken.parts, plan), &host.caches, seconds);
    Ok((analysis, analyzer::csv(&rounds.samples)))
}

/// Adds the costs of memory and operations to a machine.
fn add(
    machine: &mut Machine,
    analyzed: cll_machine::Analyzed,
    how: &str,
    judgement: &RoundSelection,
) {
    (machine.memory, machine.operations) = (analyzed.memory, analyzed.operations);
    machine.process_start = analyzed.process_start;
    machine.page_use = analyzed.page_use;
    machine.missing.extend(analyzed.missing);
    machine.regimes.extend(analyzed.regimes);
    explain(machine, how, judgement);
}

/// Adds how a part was measured, and why it is not reliable.
fn explain(machine: &mut Machine, how: &str, judgement: &RoundSelection) {
    let how = [machine.origin.how.as_str(), how];
    machine.origin.how =
        how.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
    if judgement.state == State::NotMeasurable {
        let reasons = judgement.reasons.iter().map(|reason| reason.text.clone());
        let new: Vec<String> =
            reasons.filter(|reason| !machine.origin.disturbed.contains(reason)).collect();
        machine.origin.disturbed.extend(new);
    }
}
