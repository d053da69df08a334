//! Runs on this computer, one after another.

use std::path::Path;
use std::time::Instant;

use cll_campaign::{Budget, Counts, RemainingTime, State};
use cll_fit::widest_constant;
use cll_import::ImportOptions;

use super::Limits;
use super::estimate::{self, Allowed, Consent};
use super::prepare::Prepared;
use super::runner::Runner;
use super::view::View;
use crate::failure::Failure;
use crate::launch::Local;
use crate::terminal::Terminal;
use cll_analysis::Time;
use cll_analysis::{Choices, DataSource, fit_all};
use cll_campaign_db::{Campaign, CampaignDb, PlannedRun, RunResult};
use cll_units::text::{PercentDigits, percent};

/// After this number of failures in succession, with no run completed before, the campaign ends.
const MAX_FAILURES: u32 = 10;
/// The number of runs from which the time of all is estimated.
const PILOT_RUNS: usize = 3;

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
    let left = |remaining: &RemainingTime| left(remaining, &allowed, begin);
    let mut core_time = 0.0;
    view.update(&counts, left(&remaining), false);
    for (completed, run) in waiting.into_iter().enumerate() {
        let elapsed = begin.elapsed().as_secs_f64();
        if is_spent(&allowed, elapsed, core_time) {
            view.print("the budget is spent: cll campaign resume continues");
            break;
        }
        let (round, launching) = (run.launching.round, &run.launching);
        view.expects(remaining.each(launching));
        let (state, ended, signal) = runner.run(&run, &mut launcher, &mut view)?;
        if let Some(signal) = signal {
            database.put(run.id, State::Planned, Some("interrupted: will be made again"))?;
            return Ok(Some(signal));
        }
        keep(database, &run, state, &ended)?;
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
            drop(view);
            return Err(all_fail(ended.message.as_deref(), &log));
        }
        if completed + 1 == pilots && total > pilots {
            let seconds = remaining.left().unwrap_or_default();
            let by = format!("from the first {pilots}");
            let estimate = ((total - completed - 1) as u64, seconds, by.as_str());
            if let Some(failure) = refusal(estimate, &allowed, limits, &mut view, terminal) {
                drop(view);
                return Err(failure);
            }
        }
        // With a few rounds more than at the last fit.
        let next = looked + (looked / 4).max(1);
        let is_due = round >= next && runner.has_places && !limits.quiet;
        if is_due && let Some(text) = so_far(database) {
            looked = round;
            view.fitted(text);
        }
        view.update(&counts, left(&remaining), is_due);
    }
    drop(view);
    Ok(None)
}

/// The seconds until the end, by the runs so far and limited by the budget; `None` if nothing is known.
fn left(remaining: &RemainingTime, allowed: &Allowed, begin: Instant) -> Option<f64> {
    let elapsed = allowed.budget.filter(|budget| !budget.is_core_time);
    let rest = elapsed
        .map_or(f64::INFINITY, |budget| (budget.seconds - begin.elapsed().as_secs_f64()).max(0.0));
    remaining.left().map(|left| left.min(rest))
}

/// Whether the budget is spent, by the time since the begin or by that of all cores.
fn is_spent(allowed: &Allowed, elapsed: f64, core_time: f64) -> bool {
    let spent = |budget: Budget| if budget.is_core_time { core_time } else { elapsed };
    allowed.budget.is_some_and(|budget| spent(budget) >= budget.seconds)
}

/// Writes the result of a run into the database.
fn keep(
    database: &CampaignDb,
    run: &PlannedRun,
    state: State,
    ended: &RunResult,
) -> Result<(), cll_campaign_db::Error> {
    match state {
        State::Skipped => database.put(run.id, state, ended.message.as_deref()),
        _ => database.end(run.id, state, ended),
    }
}

/// The failure of a campaign whose first runs have all failed. `message`: how the last one failed.
fn all_fail(message: Option<&str>, log: &Path) -> Failure {
    Failure::program(format!(
        "the first {MAX_FAILURES} runs have all failed: {}",
        message.unwrap_or_default().lines().next().unwrap_or_default()
    ))
    .help(format!("what they printed is in {}", log.display()))
}

/// The failure if the remaining runs take longer than is allowed: their number, their time, and how it is known.
fn refusal(
    (runs, seconds, by): (u64, f64, &str),
    allowed: &Allowed,
    limits: Limits,
    view: &mut View<'_>,
    terminal: &Terminal,
) -> Option<Failure> {
    let known = || estimate::known(runs, seconds, by, allowed, terminal, limits.quiet);
    match view.aside(known) {
        Consent::Asked(failure) => Some(failure.help("the runs so far are in the database")),
        _ => None,
    }
}

/// The first runs, from which the time of all is estimated: of the first, the middle and the last combination.
/// Returns their number; 0 if the time is known.
fn pilots(waiting: &mut [PlannedRun], known: bool) -> usize {
    if known || waiting.len() <= PILOT_RUNS {
        return 0;
    }
    let key = |run: &PlannedRun| -> Vec<f64> {
        let processors = run.launching.processors.unwrap_or(0);
        run.launching.values.iter().copied().chain([f64::from(processors)]).collect()
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
        None => DataSource::read(&traces, &ImportOptions::default()).ok()?,
    };
    let fitted = fit_all(&source, Time::Inclusive, &Choices::default()).ok()?;
    let summary_of = |model: &cll_result::ExperimentModel| {
        let fit = model.fit.as_ref()?;
        let mut text = format!(
            "{}: errors {} in the median",
            model.name,
            percent(fit.quality.median_error, PercentDigits::Decimals(1))
        );
        if let Some(widest) = widest_constant(fit) {
            let share = percent(widest.share, PercentDigits::Decimals(1));
            text += &format!(", {} ± {share}", widest.constant);
        }
        Some(text)
    };
    let texts: Vec<String> = fitted.iter().filter_map(summary_of).collect();
    (!texts.is_empty()).then_some(texts)
}
