//! Makes a run of a campaign, and ends what earlier runs have left.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cll_campaign::State;
use rustix::process::{Pid, Signal, kill_process};

use super::prepare::Prepared;
use super::view::View;
use crate::failure::Failure;
use crate::files;
use crate::launch::{Local, Outcome, Parallelism, ending};
use crate::machine_state::{Placement, Processors, Scheduler, SpeedTest};
use crate::sampling::{self, Launched, Launching};
use cll_campaign_db::Error;
use cll_campaign_db::{Campaign, CampaignDb, Environment, PlannedRun, RunResult, load, now};
use cll_counters::Observing;

/// A variable in the environment of all processes of a run: it identifies those that outlive us.
const MARKER_VARIABLE: &str = cll_contract::CAMPAIGN.name();
/// Bytes of a failed run's output that are kept.
const TAIL_BYTES: u64 = 2000;

/// Makes runs.
pub(super) struct Runner<'a> {
    database: &'a CampaignDb,
    campaign: sampling::Campaign,
    environment: i64,
    host: String,
    cores: u32,
    log: File,
    pub(super) has_places: bool,
}

impl<'a> Runner<'a> {
    pub(super) fn new(
        database: &'a CampaignDb,
        campaign: &Campaign,
        prepared: &Prepared,
        log: &Path,
    ) -> Result<Runner<'a>, Failure> {
        let plan = &campaign.plan;
        let output = File::options().create(true).append(true).read(true).open(log);
        let output = output.map_err(|error| Failure::file("write", log, error))?;
        let cores = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
        // Processes that compete for cores, and launchers beside their ranks, must not slow each other.
        let scheduler = if prepared.parallelism == Parallelism::Ranks || plan.oversubscribe {
            Scheduler::Ordinary
        } else {
            Scheduler::granted()
        };
        let launcher = match &prepared.mpirun {
            Some(mpirun) => mpirun.line(),
            None => String::new(),
        };
        let environment = Environment::read(
            &prepared.program,
            &prepared.instrumented,
            scheduler.name(),
            &launcher,
            &plan.environment,
            prepared.identity(plan),
        );
        let host = environment.host.clone();
        let environment = database.environment(&environment)?;
        let failure = |error| Failure::file("write", log, error);
        let campaign_of_runs = sampling::Campaign {
            name: prepared.name(),
            work: Some(campaign.folder.clone()),
            logged: prepared.logged.clone(),
            parallelism: prepared.parallelism,
            mpirun: prepared.mpirun.clone(),
            has_threads: prepared
                .instrumented
                .units
                .iter()
                .any(|unit| unit.compiler.contains("-fopenmp")),
            place: Placement { scheduler, ..Placement::default() },
            observing: Observing::in_groups(plan.counters.clone()),
            ..sampling::Campaign::new(
                prepared.program.clone(),
                prepared.template.clone(),
                database.traces(),
                output.try_clone().map_err(failure)?,
                Duration::from_secs_f64(plan.timeout),
            )
        };
        let mut runner = Runner {
            database,
            campaign: campaign_of_runs,
            environment,
            host,
            cores,
            log: output,
            has_places: prepared.instrumented.has_places(),
        };
        let own = plan.environment.iter().map(|(name, value)| (name.clone(), value.into()));
        runner.campaign.variables = own.collect();
        runner.campaign.variables.push((MARKER_VARIABLE.to_owned(), campaign.key.clone().into()));
        Ok(runner)
    }

    /// Makes a run; returns its result, and the signal that we received meanwhile.
    pub(super) fn run(
        &mut self,
        planned_run: &PlannedRun,
        launcher: &mut Local<'_>,
        view: &mut View<'_>,
    ) -> Result<(State, RunResult, Option<i32>), Failure> {
        let launching: &Launching = &planned_run.launching;
        let needed = launching.processors.unwrap_or(1);
        let oversubscribed = needed > self.cores;
        self.campaign.place.cpus = self.processors_for(launching);
        self.campaign.number = u32::try_from(planned_run.id).ok();
        let logs = self
            .campaign
            .logged
            .as_ref()
            .map(|_| self.database.new_logs(planned_run.id))
            .transpose()?;
        if let Some(logs) = &logs {
            self.campaign.folder = logs.clone();
        }
        let load = load();
        let clock = Some(SpeedTest::run().chain);
        let printed = self.log.metadata().map_or(0, |file| file.len());
        self.database.begin(planned_run.id, self.environment)?;
        let started = now();
        let launched = self.campaign.carry_out(vec![launching.clone()], launcher, view)?;
        let mut ended = RunResult {
            started,
            host: self.host.clone(),
            binding: match &self.campaign.place.cpus {
                Some(cpus) => cpus.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
                None => "free".to_owned(),
            },
            oversubscribed,
            load,
            clock,
            ..RunResult::default()
        };
        let Some(Launched { outcome, .. }) = launched.into_iter().next() else {
            ended.message = Some("an equal run took too long".to_owned());
            return Ok((State::Skipped, ended, None));
        };
        ended.seconds = outcome.wall.as_secs_f64();
        ended.exit = outcome.status.code();
        ended.signal = outcome.status.signal();
        let trace = self.trace_of(&outcome, logs.as_deref())?;
        ended.trace = trace
            .as_deref()
            .map(|path| (files::base(path), fs::metadata(path).map_or(0, |file| file.len())));
        if let Some(lost) = &outcome.lost {
            return Err(Failure::system(lost.text())
                .help("the run stays in the database: cll campaign resume makes it again"));
        }
        let state = match (outcome.timed_out, ending(&outcome)) {
            (true, _) => State::Timeout,
            (false, None) => State::Done,
            (false, Some(_)) => State::Failed,
        };
        if let Some(how) = ending(&outcome) {
            ended.message = Some(format!("the program {how}\n{}", self.printed_since(printed)));
        }
        Ok((state, ended, outcome.interrupted))
    }

    /// The processors that a run is bound to; `None`: it may use all of them.
    fn processors_for(&self, launching: &Launching) -> Option<Vec<usize>> {
        let needed = launching.processors.unwrap_or(1);
        let threads = self.campaign.has_threads && self.campaign.mpirun.is_some();
        let is_free = needed > self.cores || (threads && needed > 1);
        // A program without a number of processors may use all of them.
        if is_free || (launching.processors.is_none() && !self.has_places) {
            None
        } else {
            Processors::allowed().choose(needed as usize)
        }
    }

    /// The trace of a run; that of logged processes has the samples that are in the logs, too.
    fn trace_of(&self, outcome: &Outcome, logs: Option<&Path>) -> Result<Option<PathBuf>, Error> {
        match logs {
            None => Ok(outcome.trace.clone()),
            Some(logs) if self.has_places => {
                let run = cll_trace::meta::Run {
                    number: outcome.number,
                    exit: outcome.status.code(),
                    signal: outcome.status.signal(),
                    timeout: outcome.timed_out,
                    wall_ns: outcome.wall.as_nanos() as u64,
                    ..Default::default()
                };
                self.database.gather_logs(logs, &self.campaign.name, run)
            }
            Some(_) => Ok(None),
        }
    }

    /// The output since the log had this length; its end.
    fn printed_since(&mut self, length: u64) -> String {
        let end = self.log.metadata().map_or(0, |file| file.len());
        let from = length.max(end.saturating_sub(TAIL_BYTES));
        let mut bytes = Vec::new();
        let read = self.log.seek(SeekFrom::Start(from));
        let _ = read.and_then(|_| (&mut self.log).take(TAIL_BYTES).read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Ends processes of runs of an earlier call that was killed. They would disturb measurements and write into the
/// same traces.
pub fn end_strays(key: &str) {
    let mark = format!("{MARKER_VARIABLE}={key}");
    for _ in 0..100 {
        let is_ours = |pid: &u32| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.split(|&byte| byte == 0).any(|bytes| bytes == mark.as_bytes())
        };
        let strays: Vec<u32> = cll_system::processes().filter(is_ours).collect();
        if strays.is_empty() {
            return;
        }
        for pid in strays.iter().filter_map(|&pid| Pid::from_raw(i32::try_from(pid).ok()?)) {
            // It may have ended by now.
            let _ = kill_process(pid, Signal::KILL);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
