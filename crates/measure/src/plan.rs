//! Plans what is to be sampled, how, and which part of it an earlier call has done.

use std::ffi::OsString;
use std::path::Path;

use cll_contract::{COUNTERS, SIMULATION};
use cll_translate::Model;

use crate::Error;
use crate::build::{Built, Sources};
use crate::folder::Folder;
use crate::settings::Settings;
use cll_counters::Observing;
use cll_counters::this_machine;
use cll_driver::compiler::Compiler;
use cll_files::Notices;
use cll_launch::identity::Identity;
use cll_launch::machine_state::{Placement, Processors, Scheduler};
use cll_launch::{Mpirun, Parallelism};
use cll_sampling::{Grid, Plan, SavedRounds};

/// The processors of the program: one for each of its threads, if there are enough.
pub fn place(args: &Settings<'_>, sources: &Sources, grid: &Grid) -> Placement {
    if !args.pin {
        return Placement::free();
    }
    let processors = Processors::allowed();
    let most = grid.processors.iter().flatten().max().map(|&count| count as usize);
    let needed = match (sources.is_parallel(), most) {
        (false, _) => 1,
        // Each process has its own threads.
        (true, _) if sources.has_ranks_with_threads() => processors.all().len(),
        (true, Some(most)) => most,
        (true, None) => processors.all().len(),
    };
    // The launcher's processes need processors, too, and ranks wait by polling.
    let scheduler = match sources.model {
        Model::Mpi => Scheduler::Ordinary,
        _ => Scheduler::granted(),
    };
    match processors.choose(needed) {
        Some(cpus) => Placement { cpus: Some(cpus), scheduler, ..Placement::default() },
        None => Placement::free(),
    }
}

/// The built program, and how it will be run.
#[derive(Clone, Copy)]
pub struct RunSettings<'a> {
    /// The sources and the compiler of the program.
    pub built: &'a Built,
    /// The file of the program.
    pub program: &'a Path,
    /// The MPI launcher, if any.
    pub mpirun: Option<&'a Mpirun>,
    /// The observables that are recorded besides the times.
    pub observing: &'a Observing,
    /// Settings of virtual processors.
    pub virtually: Option<&'a [(&'static str, OsString)]>,
}

/// The plan of a command.
///
/// # Errors
/// If the program cannot be read.
pub fn plan(
    args: &Settings<'_>,
    flags: &[OsString],
    compiler: &Compiler,
    grid: &Grid,
    place: &Placement,
    how: RunSettings<'_>,
) -> Result<Plan, Error> {
    let mut words: Vec<OsString> = flags.to_vec();
    words.extend(args.libraries.iter().cloned());
    let names = args.vary.iter().cloned();
    let is_counted = grid.processors.iter().any(Option::is_some);
    // Set for each run.
    let set: Vec<&str> = Parallelism::for_model(how.built.model)
        .variable()
        .filter(|_| is_counted)
        .into_iter()
        .collect();
    let boot = cll_system::text("/proc/sys/kernel/random/boot_id");
    Ok(Plan {
        tool: concat!("cll ", env!("CARGO_PKG_VERSION")).to_owned(),
        sources: how.built.sources.clone(),
        command: compiler.line(&words),
        compiler: how.built.version.clone(),
        arguments: args.arguments.to_vec(),
        values: names.zip(grid.values.iter().cloned()).collect(),
        processors: grid.processors.clone(),
        machine: this_machine(),
        boot,
        pinned: place.cpus.clone(),
        scheduler: place.scheduler.name().to_owned(),
        settings: settings(how.observing, how.virtually),
        identity: Identity::read(how.program, how.mpirun, &set),
        headers: how.built.headers.clone(),
    })
}

/// The rounds of an earlier call with the same plan, or none. Removes all other files of an earlier call, except
/// the program. With `is_fresh` there are none.
///
/// # Errors
/// If a file cannot be removed.
pub fn resume(
    plan: Plan,
    seed: Option<u64>,
    is_fresh: bool,
    folder: &Folder,
    notices: &dyn Notices,
) -> Result<SavedRounds, Error> {
    let own = seed.unwrap_or_else(|| u64::from(fastrand::u32(..)));
    let result = if is_fresh { Ok(None) } else { SavedRounds::read(folder.path()) };
    let option = result.unwrap_or_else(|why| {
        notices.warn(&format!(
            "the plan of the earlier call in {} cannot be used ({why}): sampling begins again",
            folder.path().display()
        ));
        None
    });
    let Some(mut kept) = option.filter(|kept| !kept.rounds.is_empty()) else {
        folder.clear(&[])?;
        return Ok(SavedRounds::new(plan, own));
    };
    let rounds = match kept.rounds.len() {
        1 => "1 round".to_owned(),
        count => format!("{count} rounds"),
    };
    let mut differs = plan.differs(&kept.plan);
    if let Some(seed) = seed.filter(|seed| *seed != kept.seed) {
        differs.push(format!("the seed was {}, and is {seed}", kept.seed));
    }
    if !differs.is_empty() {
        folder.clear(&[])?;
        notices.note(&format!(
            "sampling begins again, without the {rounds} of an earlier call in {}: {}",
            folder.path().display(),
            differs.join("; ")
        ));
        return Ok(SavedRounds::new(plan, own));
    }
    let runs = kept.rounds.iter().flat_map(|round| &round.runs);
    let traces: Vec<String> = runs.map(|run| run.description.trace.clone()).collect();
    folder.clear(&traces)?;
    notices.note(&format!(
        "continuing from {rounds} of an earlier call in {}; --fresh begins again",
        folder.path().display()
    ));
    kept.plan = plan;
    Ok(kept)
}

/// The environment of the program in each run.
fn settings(
    observing: &Observing,
    virtually: Option<&[(&'static str, OsString)]>,
) -> Vec<(String, String)> {
    let text = |(name, value): &(&'static str, OsString)| {
        ((*name).to_owned(), value.to_string_lossy().into_owned())
    };
    let mut found: Vec<(String, String)> = virtually.unwrap_or_default().iter().map(text).collect();
    if !observing.names.is_empty() {
        let groups: Vec<String> = observing.groups.iter().map(|group| group.join(",")).collect();
        let names = if groups.is_empty() { observing.names.join(",") } else { groups.join(";") };
        found.push((COUNTERS.name().to_owned(), names));
    }
    if let Some(simulation) = &observing.simulation {
        found.push((SIMULATION.name().to_owned(), simulation.caches().join(" ")));
    }
    found.sort();
    found
}
