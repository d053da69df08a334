//! Waits for a batch system, and collects the files of its tasks.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use cll_campaign::{Launcher, State};
use cll_report::escape;

use super::Limits;
use super::prepare::Prepared;
use super::view::View;
use crate::batch::{JobQuery, JobUpdate, TaskResult, cancel, ended, task_result};
use crate::failure::Failure;
use crate::files;
use crate::launch::{Finished, Gathering, Interruption, Recorder};
use crate::terminal::Terminal;
use cll_campaign_db::{Campaign, CampaignDb, RunResult, Submission};

/// Time between two polls of the tasks' files.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Lines of a failed run's output that are kept.
const TAIL_LINES: usize = 20;

/// Waits for jobs.
pub struct Collector<'a> {
    database: &'a CampaignDb,
    campaign: &'a Campaign,
    prepared: &'a Prepared,
    system: Launcher,
    waits: Vec<Wait>,
}

/// A job with the runs of it that have not ended.
struct Wait {
    job: Submission,
    query: JobQuery,
    runs: Vec<i64>,
}

impl<'a> Collector<'a> {
    /// For all jobs of a campaign.
    pub fn new(
        database: &'a CampaignDb,
        campaign: &'a Campaign,
        prepared: &'a Prepared,
        system: Launcher,
    ) -> Result<Collector<'a>, Failure> {
        let mut runs: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for run in database.waiting(campaign)? {
            if let Some(job) = run.job {
                runs.entry(job).or_default().push(run.id);
            }
        }
        let wait = |job: Submission| {
            let query = JobQuery::new(job.number.as_deref().unwrap_or_default(), system);
            let runs = runs.remove(&job.id).unwrap_or_default();
            Wait { job, query, runs }
        };
        let waits = database.jobs(campaign)?.into_iter().map(wait).collect();
        Ok(Collector { database, campaign, prepared, system, waits })
    }

    /// Whether there is nothing to wait for.
    pub fn is_done(&self) -> bool {
        self.waits.iter().all(|wait| wait.runs.is_empty())
    }

    /// Waits until all have ended; returns a signal to us that came earlier.
    pub fn collect(mut self, limits: Limits, terminal: &Terminal) -> Result<Option<i32>, Failure> {
        let mut interruption = Interruption::new()?;
        let mut view = View::new(Vec::new(), limits.quiet, terminal);
        let begin = Instant::now();
        let budget = limits.budget.or(self.campaign.plan.limit());
        if budget.is_some_and(|budget| budget.is_core_time) {
            return Err(Failure::usage("a budget of core time limits runs on this computer only")
                .help("for jobs of a batch system give elapsed time, such as --budget 2h"));
        }
        let before = self.database.counts()?.ended();
        let mut signal = None;
        while !self.is_done() {
            let mut update = false;
            let run_recorder = self.run_recorder();
            for wait in &mut self.waits {
                update |= run_recorder.take(wait)?;
            }
            let counts = self.database.counts()?;
            let since = (counts.ended() - before.min(counts.ended())) as f64;
            let remaining = counts.left() as f64 * begin.elapsed().as_secs_f64() / since;
            view.update(&counts, Some(remaining).filter(|_| since > 0.0), update);
            if self.is_done() {
                break;
            }
            signal = interruption.asked();
            if signal.is_some() {
                break;
            }
            if budget.is_some_and(|budget| begin.elapsed().as_secs_f64() >= budget.seconds) {
                view.print("the budget is spent: the jobs stay in the batch system, and cll campaign resume collects them");
                break;
            }
            self.query(&view)?;
            std::thread::sleep(POLL_INTERVAL);
        }
        drop(view);
        Ok(signal)
    }

    fn run_recorder(&self) -> RunRecorder<'a> {
        let timeout = self.campaign.plan.timeout;
        RunRecorder {
            database: self.database,
            prepared: self.prepared,
            system: self.system,
            timeout,
        }
    }

    /// Queries the system about jobs without results.
    fn query(&mut self, view: &View<'_>) -> Result<(), Failure> {
        let system = self.system.name();
        for wait in self.waits.iter_mut().filter(|wait| !wait.runs.is_empty()) {
            let update = wait.query.poll();
            let number = wait.query.number();
            let why = match update {
                JobUpdate::None => continue,
                JobUpdate::Waits(why) => {
                    view.print(&format!("job {number} waits: {}", escape(&why)));
                    continue;
                }
                JobUpdate::Never(why) => {
                    let why = escape(&why);
                    cancel(number, self.system);
                    view.print(&format!(
                        "job {number} would wait forever ({why}): it is cancelled"
                    ));
                    format!("{system} does not grant the job: {why}")
                }
                JobUpdate::Over => format!(
                    "{system} has ended the job, and the run has no result: its time was up, it was \
                     cancelled, or its host failed"
                ),
            };
            for run in std::mem::take(&mut wait.runs) {
                self.database.put(run, State::Failed, Some(&why))?;
            }
        }
        Ok(())
    }
}

/// Writes runs into the database.
struct RunRecorder<'a> {
    database: &'a CampaignDb,
    prepared: &'a Prepared,
    system: Launcher,
    timeout: f64,
}

impl RunRecorder<'_> {
    /// Collects the completed runs of a job; returns whether there were any.
    fn take(&self, wait: &mut Wait) -> Result<bool, Failure> {
        if wait.runs.is_empty() {
            return Ok(false);
        }
        let over = ended(&wait.job.folder)?;
        let mut update = false;
        for run in wait.runs.clone().into_iter().filter(|run| over.contains(run)) {
            if let Some(result) = task_result(&wait.job.folder, run)? {
                self.keep(run, &wait.job.folder, &result)?;
                wait.runs.retain(|number| *number != run);
                update = true;
            }
        }
        Ok(update)
    }

    fn keep(&self, run: i64, folder: &Path, result: &TaskResult) -> Result<(), Failure> {
        let number = u32::try_from(run).unwrap_or(u32::MAX);
        let name = self.prepared.name();
        let mut recorder = Recorder::numbered(&self.database.traces(), &name, "dat", number)?;
        let own = folder.join(format!("{run}.traces"));
        // Logs stay unchanged. The samples are in them, too.
        let is_trace = self.prepared.logged.is_none() || self.prepared.instrumented.has_places();
        if own.is_dir() && is_trace {
            Gathering::append_folder(&own, &mut recorder)?;
        }
        let (exit, signal) = result.ending();
        let timeout = result.timed_out(Some(self.timeout));
        let command = vec![self.prepared.program.to_string_lossy().into_owned()];
        let Finished { trace, lost, moved: _ } = recorder.finish(cll_trace::meta::Run {
            command,
            number,
            exit,
            signal,
            timeout,
            wall_ns: ((result.ended - result.began) * 1e9) as u64,
            ..Default::default()
        });
        if let Some(lost) = lost {
            return Err(Failure::system(lost.text())
                .help("the run stays in the database: cll campaign resume collects it again"));
        }
        let trace = trace
            .map(|path| (files::base(&path), fs::metadata(&path).map_or(0, |file| file.len())));
        let printed = fs::read(folder.join(format!("{run}.log"))).unwrap_or_default();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let state = match (result.status, timeout) {
            (0, _) => State::Done,
            (_, true) => State::Timeout,
            (_, false) => State::Failed,
        };
        let how = match (exit, signal) {
            _ if timeout => "took too long and was ended".to_owned(),
            (_, Some(signal)) => format!("was ended by signal {signal}"),
            (code, _) => format!("ended with exit code {}", code.unwrap_or_default()),
        };
        let ended = RunResult {
            started: result.began,
            seconds: result.ended - result.began,
            exit,
            signal,
            trace,
            host: result.host.clone(),
            binding: self.system.name().to_owned(),
            message: (state != State::Done).then(|| {
                let lines: Vec<&str> = printed.lines().collect();
                let tail = &lines[lines.len().saturating_sub(TAIL_LINES)..];
                format!("the program {how}\n{}", tail.join("\n"))
            }),
            ..RunResult::default()
        };
        self.database.end(run, state, &ended)?;
        if self.prepared.logged.is_some() && own.is_dir() {
            let logs = self.database.new_logs(run)?;
            for file in fs::read_dir(&own).into_iter().flatten().flatten() {
                files::keep_as(&file.path(), &logs.join(file.file_name()))?;
            }
        }
        // It is in the database and among the traces.
        let _ = fs::remove_dir_all(own);
        Ok(())
    }
}
