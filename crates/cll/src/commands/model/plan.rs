//! What is to be sampled, where, and what of it an earlier call has done.

use std::ffi::OsString;
use std::fs;

use cll_translate::Model;

use super::build::{Sources, version};
use super::folder::Folder;
use crate::cli::ModelArgs;
use crate::compiler::Compiler;
use crate::failure::Failure;
use crate::model::Machine;
use crate::observing::Observing;
use crate::regime::{Placement, Processors, Scheduler};
use crate::sampling::{Grid, Kept, Plan};
use crate::terminal::Terminal;

/// Where the program is run: a processor for each of its threads if there are so many.
pub fn place(args: &ModelArgs, sources: &Sources, grid: &Grid) -> Placement {
    if args.no_pin {
        return Placement::free();
    }
    let processors = Processors::allowed();
    let most = grid.processors.iter().flatten().max().map(|&count| count as usize);
    let needed = match (sources.is_parallel(), most) {
        (false, _) => 1,
        // Each process has threads of its own.
        (true, _) if sources.has_ranks_with_threads() => processors.all().len(),
        (true, Some(most)) => most,
        (true, None) => processors.all().len(),
    };
    // The launcher's own processes need the processors, too, while ranks wait by looking.
    let scheduler = match sources.model {
        Model::Mpi => Scheduler::Ordinary,
        _ => Scheduler::granted(),
    };
    match processors.choose(needed) {
        Some(cpus) => Placement { cpus: Some(cpus), scheduler, ..Placement::default() },
        None => Placement::free(),
    }
}

/// The plan of a command.
pub fn plan(
    args: &ModelArgs,
    sources: &Sources,
    compiler: &Compiler,
    grid: &Grid,
    place: &Placement,
    observing: &Observing,
) -> Result<Plan, Failure> {
    let mut words: Vec<OsString> = sources.flags().to_vec();
    words.extend(args.libs.iter().map(OsString::from));
    let names = args.vary.iter().map(|variation| variation.name.clone());
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    Ok(Plan {
        tool: concat!("cll ", env!("CARGO_PKG_VERSION")).to_owned(),
        sources: sources.described(),
        command: compiler.line(&words),
        compiler: version(compiler),
        arguments: args.arguments.clone(),
        values: names.zip(grid.values.iter().cloned()).collect(),
        processors: grid.processors.clone(),
        machine: Machine::here(),
        boot: boot.trim().to_owned(),
        pinned: place.cpus.clone(),
        scheduler: place.scheduler.name().to_owned(),
        environment: environment(observing),
    })
}

/// What is there of an earlier call with the same plan, or nothing yet. The folder is cleared of
/// all else.
pub fn resume(
    args: &ModelArgs,
    plan: Plan,
    folder: &Folder,
    terminal: &Terminal,
) -> Result<Kept, Failure> {
    let seed = args.seed.unwrap_or_else(|| u64::from(fastrand::u32(..)));
    let found = if args.fresh { Ok(None) } else { Kept::read(folder.path()) };
    let found = found.unwrap_or_else(|why| {
        terminal.warn(&format!(
            "the plan of the earlier call in {} cannot be used ({why}): sampling begins anew",
            folder.path().display()
        ));
        None
    });
    let same = |kept: &Kept| kept.plan == plan && args.seed.is_none_or(|seed| seed == kept.seed);
    let Some(kept) = found.filter(same).filter(|kept| !kept.rounds.is_empty()) else {
        folder.clear(&[])?;
        return Ok(Kept::new(plan, seed));
    };
    let runs = kept.rounds.iter().flat_map(|round| &round.runs);
    let traces: Vec<String> = runs.map(|run| run.told.trace.clone()).collect();
    folder.clear(&traces)?;
    if !args.quiet {
        terminal.note(&format!(
            "going on from {} {} of an earlier call in {}; --fresh begins anew",
            kept.rounds.len(),
            if kept.rounds.len() == 1 { "round" } else { "rounds" },
            folder.path().display()
        ));
    }
    Ok(kept)
}

/// Variables that change what is measured.
fn environment(observing: &Observing) -> Vec<(String, String)> {
    let counts = |name: &str| {
        ["OMP_", "GOMP_", "KMP_", "MALLOC_", "GLIBC_TUNABLES"].iter().any(|k| name.starts_with(k))
            || ["CLL_CLOCK", "CLL_COUNTERS", "LD_PRELOAD", "LD_LIBRARY_PATH"].contains(&name)
    };
    let mut found: Vec<(String, String)> = std::env::vars_os()
        .map(|(name, value)| {
            (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
        })
        .filter(|(name, _)| counts(name))
        .collect();
    if !observing.names.is_empty() {
        let groups: Vec<String> = observing.groups.iter().map(|group| group.join(",")).collect();
        let names = if groups.is_empty() { observing.names.join(",") } else { groups.join(";") };
        found.push(("CLL_COUNTERS".to_owned(), names));
    }
    if let Some(simulation) = &observing.simulation {
        found.push(("CLL_SIMULATION".to_owned(), simulation.caches().join(" ")));
    }
    found.sort();
    found
}
