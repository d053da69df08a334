//! Runs of a batch system: one array of tasks for each number of processors and group of counters.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cll_campaign::batch::Job;
use cll_campaign::{Launcher, Launching, State};

use super::Limits;
use super::collect::Collector;
use super::prepare::Prepared;
use crate::batch::{Task, starter, submit, submitted_number};
use crate::failure::{Failure, Status};
use crate::launch::{Host, Options, Parallelism, Program, launch};
use crate::terminal::Terminal;
use cll_campaign_db::{Campaign, CampaignDb, Environment, PlannedRun};
use cll_counters::Observing;

/// The largest number of tasks of an array: Slurm's default limit is 1001.
const MAX_TASKS: usize = 1000;

/// Submits the remaining runs and collects their results; returns the signal that ended it, if any.
///
/// # Errors
/// If the database cannot be written, or the system refuses every job.
pub fn make(
    database: &mut CampaignDb,
    campaign: &Campaign,
    prepared: &Prepared,
    system: Launcher,
    limits: Limits,
    terminal: &Terminal,
) -> Result<Option<i32>, Failure> {
    recover_jobs(database, campaign, system)?;
    let waiting = database.waiting(campaign)?;
    let fresh: Vec<PlannedRun> = waiting.into_iter().filter(|run| run.job.is_none()).collect();
    let refused = submit_jobs(database, campaign, prepared, system, &fresh, terminal)?;
    let collector = Collector::new(database, campaign, prepared, system)?;
    if collector.is_done() && refused {
        Err(Failure::Reported(Status::Program))
    } else {
        collector.collect(limits, terminal)
    }
}

/// Recovers jobs that an earlier call was submitting when it was ended.
fn recover_jobs(
    database: &mut CampaignDb,
    campaign: &Campaign,
    system: Launcher,
) -> Result<(), Failure> {
    let unknown = database.jobs(campaign)?.into_iter().filter(|job| job.number.is_none());
    for job in unknown {
        match submitted_number(&job.folder, system)? {
            Some(number) => database.submitted(job.id, &number)?,
            None => database.not_submitted(job.id)?,
        }
    }
    Ok(())
}

/// Returns whether something was refused; a message has said so.
fn submit_jobs(
    database: &mut CampaignDb,
    campaign: &Campaign,
    prepared: &Prepared,
    system: Launcher,
    fresh: &[PlannedRun],
    terminal: &Terminal,
) -> Result<bool, Failure> {
    let plan = &campaign.plan;
    let environment = Environment::read(
        &prepared.program,
        &prepared.instrumented,
        "",
        system.name(),
        &plan.environment,
        prepared.identity(plan),
    );
    let environment = database.environment(&environment)?;
    let mut groups: BTreeMap<(u32, usize), Vec<&PlannedRun>> = BTreeMap::new();
    for run in fresh {
        let key = (run.launching.processors.unwrap_or(1), run.launching.group);
        groups.entry(key).or_default().push(run);
    }
    let mut refused = false;
    let home = database
        .folder()
        .canonicalize()
        .map_err(|error| Failure::file("read", database.folder(), error))?;
    for ((processors, counted), runs) in groups {
        for runs in runs.chunks(MAX_TASKS) {
            let numbers: Vec<i64> = runs.iter().map(|run| run.id).collect();
            let folder = new_folder(&home.join("batch"), numbers[0], processors);
            let shape = (processors, runs.len() as u32);
            let job = job(campaign, prepared, shape, counted, &folder);
            let tasks: Vec<Task> = runs.iter().map(|run| task(run, prepared)).collect();
            let about = (system.name(), processors);
            let id = database.submitting(campaign, about, &folder, (&numbers, environment))?;
            match submit(&job, &tasks, system) {
                Ok(number) => database.submitted(id, &number)?,
                Err(error @ cll_launch::Error::NotGranted { .. }) => {
                    let message = error.to_string();
                    terminal.warn(&message);
                    refused = true;
                    for run in numbers {
                        database.put(run, State::Failed, Some(&message))?;
                    }
                }
                Err(other) => {
                    database.not_submitted(id)?;
                    return Err(other.into());
                }
            }
        }
    }
    Ok(refused)
}

/// A folder for a job, which no other job has used: its output files must not be mixed with others.
fn new_folder(batch: &Path, first: i64, processors: u32) -> PathBuf {
    let mut names = (1..).map(|times| batch.join(format!("{first}-{processors}-{times}")));
    let is_free = |folder: &PathBuf| {
        !folder.exists() && !Path::new(&format!("{}.void", folder.display())).exists()
    };
    names.find(is_free).unwrap_or_default()
}

fn task(run: &PlannedRun, prepared: &Prepared) -> Task {
    let Launching { values, processors, seed, .. } = &run.launching;
    Task { run: run.id, seed: *seed, arguments: prepared.template.fill(values, *processors) }
}

/// A job for this number of processors and tasks, with a group of counters.
fn job(
    campaign: &Campaign,
    prepared: &Prepared,
    (processors, tasks): (u32, u32),
    counted: usize,
    folder: &Path,
) -> Job {
    let plan = &campaign.plan;
    let starter = starter(
        &prepared.program,
        prepared.parallelism == Parallelism::Ranks,
        plan.launcher,
        &plan.batch,
    );
    let options = Options {
        // An MPI launcher passes the number to its processes.
        processors: Some(processors).filter(|_| prepared.parallelism != Parallelism::Ranks),
        logged: prepared.logged.is_some(),
        bound: true,
        settings: Observing::in_groups(plan.counters.clone()).environment_of(counted),
        ..Options::default()
    };
    let program =
        Program { path: &prepared.program, parallelism: prepared.parallelism, has_threads: false };
    let environment = launch(&options, &program, &Host::here(None)).environment.into_iter();
    let text = |value: std::ffi::OsString| value.to_string_lossy().into_owned();
    let mut environment: Vec<(String, String)> =
        environment.map(|(name, value)| (name, text(value))).collect();
    environment.extend(plan.environment.iter().cloned());
    Job {
        name: plan.name.clone(),
        processors,
        tasks,
        seconds: Some(plan.timeout),
        starter,
        batch: plan.batch.clone(),
        wrapper: prepared
            .logged
            .iter()
            .flatten()
            .map(|word| word.to_string_lossy().into_owned())
            .collect(),
        program: prepared.program.to_string_lossy().into_owned(),
        folder: folder.to_string_lossy().into_owned(),
        work: campaign.folder.to_string_lossy().into_owned(),
        environment,
    }
}
