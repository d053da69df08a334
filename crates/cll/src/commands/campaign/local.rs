//! Runs on this computer, one after another.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::{Duration, Instant};

use cll_campaign::{Budget, Counts, RemainingTime, State};
use cll_fit::widest_constant;
use cll_import::ImportOptions;
use rustix::process::{Pid, Signal, kill_process};

use super::Limits;
use super::estimate::{self, Allowed, Consent};
use super::prepare::Prepared;
use super::view::View;
use crate::failure::Failure;
use crate::files;
use crate::launch::{Local, Parallelism, ending};
use crate::machine_state::{Placement, Processors, Scheduler, SpeedTest};
use crate::sampling::{self, Launched, Launching};
use crate::terminal::Terminal;
use cll_analysis::Time;
use cll_analysis::{Choices, Source, fit_all};
use cll_campaign_db::{Campaign, CampaignDb, Environment, PlannedRun, RunResult, load, now};
use cll_counters::Observing;

/// A variable in the environment of all processes of a run: it identifies those that outlive us.
const MARKER_VARIABLE: &str = cll_contract::CAMPAIGN.name();
/// After this number of failures in succession, with no run completed before, the campaign ends.
const MAX_FAILURES: u32 = 10;
/// The number of runs from which the time of all is estimated.
const PILOT_RUNS: usize = 3;
/// Bytes of a failed run's output that are kept.
const TAIL_BYTES: u64 = 2000;

/// Makes the remaining runs; returns the signal that ended it, if any.
///
/// # Errors
/// If the program cannot be started, the database cannot be written, or it would take too long.
pub fn make(
    database: &CampaignDb,
    campaign: &Campaign,
    prepared: &Prepared,
    limits: Limits,
    terminal: &Terminal,
) -> Result<Option<i32>, Failure> {
    let plan = &campaign.plan;
    let begin = Instant::now();
    let allowed = Allowed::new(plan, limits);
    let log = database.folder().join("output.log");
    let mut runner = Runner::new(database, campaign, prepared, &log)?;
    let mut launcher = Local::new(terminal)?;
    let names = plan.parameters.iter().map(|(name, _)| name.clone()).collect();
    let mut view = View::new(names, limits.quiet, terminal);
    let mut waiting = database.waiting(campaign)?;
    let mut counts = database.counts()?;
    let pilots = pilots(&mut waiting, counts.ended() > 0 || plan.expect.is_some());
    let (mut vain, mut looked) = (0, 0);
    let total = waiting.len();
    let before = database.made(campaign)?;
    let mut remaining = RemainingTime::new(
        waiting.iter().map(|run| &run.launching),
        before.iter().map(|(launching, seconds)| (launching, *seconds)),
    );
    // Limited by the remaining time.
    let left = |remaining: &RemainingTime| {
        let elapsed = allowed.budget.filter(|budget| !budget.is_core_time);
        let rest = elapsed.map_or(f64::INFINITY, |budget| {
            (budget.seconds - begin.elapsed().as_secs_f64()).max(0.0)
        });
        remaining.left().map(|left| left.min(rest))
    };
    let mut core_time = 0.0;
    view.so(&counts, left(&remaining), false);
    let mut interrupted = None;
    for (made, run) in waiting.into_iter().enumerate() {
        let elapsed = begin.elapsed().as_secs_f64();
        let spent = |budget: Budget| if budget.is_core_time { core_time } else { elapsed };
        if allowed.budget.is_some_and(|budget| spent(budget) >= budget.seconds) {
            view.print("the budget is spent: cll campaign resume continues");
            break;
        }
        let (round, launching) = (run.launching.round, &run.launching);
        view.expects(remaining.each(launching));
        let (state, ended, signal) = runner.run(&run, &mut launcher, &mut view)?;
        if let Some(signal) = signal {
            database.put(run.id, State::Planned, Some("interrupted: will be made again"))?;
            interrupted = Some(signal);
            break;
        }
        match state {
            State::Skipped => database.put(run.id, state, ended.message.as_deref())?,
            _ => database.end(run.id, state, &ended)?,
        }
        count(&mut counts, state);
        let seconds = begin.elapsed().as_secs_f64() - elapsed;
        core_time += seconds * f64::from(launching.processors.unwrap_or(1).max(1));
        match state {
            // Including the time between runs.
            State::Done | State::Failed => remaining.add(launching, seconds),
            _ => remaining.skip(launching),
        }
        if state != State::Done {
            view.failed(launching, ended.message.as_deref().unwrap_or_default());
        }
        vain = if state == State::Done { 0 } else { vain + 1 };
        if vain == MAX_FAILURES && counts.done == 0 {
            let failure = Failure::program(format!(
                "the first {MAX_FAILURES} runs have all failed: {}",
                ended.message.as_deref().unwrap_or_default().lines().next().unwrap_or_default()
            ));
            drop(view);
            return Err(failure.help(format!("what they printed is in {}", log.display())));
        }
        if made + 1 == pilots && total > pilots {
            let runs = (total - made - 1) as u64;
            let by = format!("from the first {pilots}");
            let seconds = remaining.left().unwrap_or_default();
            let consent = view
                .aside(|| estimate::known(runs, seconds, &by, &allowed, terminal, limits.quiet));
            if let Consent::Asked(failure) = consent {
                drop(view);
                return Err(failure.help("the runs so far are in the database"));
            }
        }
        // With a few rounds more than at the last fit.
        let next = looked + (looked / 4).max(1);
        let is_due = round >= next && runner.has_places && !limits.quiet;
        if is_due && let Some(text) = so_far(database) {
            looked = round;
            view.fitted(text);
        }
        view.so(&counts, left(&remaining), is_due);
    }
    drop(view);
    Ok(interrupted)
}

/// The first runs, from which the time of all is estimated: of the first, the middle and the last combination.
/// Returns their number; 0 if the time is known.
fn pilots(waiting: &mut [PlannedRun], known: bool) -> usize {
    if known || waiting.len() <= PILOT_RUNS {
        return 0;
    }
    let key = |one: &PlannedRun| -> Vec<f64> {
        let processors = one.launching.processors.unwrap_or(0);
        one.launching.values.iter().copied().chain([f64::from(processors)]).collect()
    };
    let first = waiting[0].launching.round;
    let mut order: Vec<usize> =
        (0..waiting.len()).filter(|&index| waiting[index].launching.round == first).collect();
    order.sort_by(|&a, &b| {
        key(&waiting[a]).partial_cmp(&key(&waiting[b])).unwrap_or(std::cmp::Ordering::Equal)
    });
    let mut chosen = vec![order[0], order[order.len() / 2], order[order.len() - 1]];
    chosen.sort_unstable();
    chosen.dedup();
    for (to, from) in chosen.iter().copied().enumerate() {
        waiting[to..=from].rotate_right(1);
    }
    chosen.len()
}

fn count(counts: &mut Counts, state: State) {
    counts.planned = counts.planned.saturating_sub(1);
    *match state {
        State::Done => &mut counts.done,
        State::Timeout => &mut counts.timeout,
        State::Skipped => &mut counts.skipped,
        _ => &mut counts.failed,
    } += 1;
}

/// The quality of the fit so far, as text.
fn so_far(database: &CampaignDb) -> Option<Vec<String>> {
    let rows = cll_analysis::campaign::completed(database.folder()).ok()?;
    let (traces, table, _) = cll_analysis::campaign::readable(database.folder(), &rows).ok()?;
    let source = match table {
        Some(_) => return None,
        None => Source::read(&traces, &ImportOptions::default()).ok()?,
    };
    let fitted = fit_all(&source, Time::Inclusive, &Choices::default()).ok()?;
    let of = |one: &cll_result::ExperimentModel| {
        let fit = one.fit.as_ref()?;
        let mut text =
            format!("{}: errors {:.1} % in the median", one.name, 100.0 * fit.quality.median_error);
        if let Some(widest) = widest_constant(fit) {
            text += &format!(", {} ± {:.1} %", widest.constant, 100.0 * widest.share);
        }
        Some(text)
    };
    let texts: Vec<String> = fitted.iter().filter_map(of).collect();
    (!texts.is_empty()).then_some(texts)
}

/// Makes runs.
struct Runner<'a> {
    database: &'a CampaignDb,
    campaign: sampling::Campaign,
    environment: i64,
    host: String,
    cores: u32,
    log: File,
    has_places: bool,
}

impl<'a> Runner<'a> {
    fn new(
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
            plain: None,
            program: prepared.program.clone(),
            name: prepared.name(),
            arguments: prepared.template.clone(),
            folder: database.traces(),
            work: Some(campaign.folder.clone()),
            log: output.try_clone().map_err(failure)?,
            logged: prepared.logged.clone(),
            number: None,
            watched: false,
            variables: Vec::new(),
            timeout: Duration::from_secs_f64(plan.timeout),
            parallelism: prepared.parallelism,
            mpirun: prepared.mpirun.clone(),
            has_threads: prepared
                .instrumented
                .units
                .iter()
                .any(|unit| unit.compiler.contains("-fopenmp")),
            virtually: None,
            place: Placement { scheduler, ..Placement::default() },
            observing: Observing::in_groups(plan.counters.clone()),
            too_long: Vec::new(),
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
    fn run(
        &mut self,
        planned_run: &PlannedRun,
        launcher: &mut Local<'_>,
        view: &mut View<'_>,
    ) -> Result<(State, RunResult, Option<i32>), Failure> {
        let launching: &Launching = &planned_run.launching;
        let needed = launching.processors.unwrap_or(1);
        let oversubscribed = needed > self.cores;
        let threads = self.campaign.has_threads && self.campaign.mpirun.is_some();
        self.campaign.place.cpus = if oversubscribed || (threads && needed > 1) {
            None
        } else if launching.processors.is_none() && !self.has_places {
            // A program without a number of processors may use all of them.
            None
        } else {
            Processors::allowed().choose(needed as usize)
        };
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
        let made = self.campaign.carry_out(vec![launching.clone()], launcher, view)?;
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
        let Some(Launched { outcome, .. }) = made.into_iter().next() else {
            ended.message = Some("an equal run took too long".to_owned());
            return Ok((State::Skipped, ended, None));
        };
        ended.seconds = outcome.wall.as_secs_f64();
        ended.exit = outcome.status.code();
        ended.signal = outcome.status.signal();
        let trace = match &logs {
            None => outcome.trace.clone(),
            // The samples are in the logs, too.
            Some(logs) if self.has_places => {
                let run = cll_trace::meta::Run {
                    number: outcome.number,
                    exit: outcome.status.code(),
                    signal: outcome.status.signal(),
                    timeout: outcome.timed_out,
                    wall_ns: outcome.wall.as_nanos() as u64,
                    ..Default::default()
                };
                self.database.gather_logs(logs, &self.campaign.name, run)?
            }
            Some(_) => None,
        };
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
