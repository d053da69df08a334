//! The state of a campaign.

use cll_campaign::{Counts, Plan, State};
use cll_diagnostic::counted;
use cll_result::{CampaignRun, CampaignStatus};
use cll_units::Seconds;
use cll_units::text::{DurationForm, duration};

use crate::document::{Document, Section};
use crate::style::Style;
use crate::text::escape;

/// Failures that are shown one by one.
const MAX_FAILURES: usize = 3;
/// Lines of what a failed run has printed.
const MAX_MESSAGE: usize = 2;

/// The plans, how many runs are done, on which machines; then `all` runs, or those that failed with the reason; then what
/// to do with the campaign `book`.
pub fn campaign_status_text(status: &CampaignStatus, all: bool, book: &str) -> String {
    let mut lines = Vec::new();
    for campaign in &status.campaigns {
        lines.push(format!("{}: {}", escape(&campaign.plan.name), plan_text(&campaign.plan)));
    }
    lines.push(campaign_counts_text(&status.counts, status.time_left));
    for environment in &status.environments {
        let text = format!(
            "  on {}, {}, {}",
            environment.host,
            environment.cpu,
            environment.compilers.join("; ")
        );
        lines.push(escape(text.trim_end_matches([',', ' '])).to_string());
    }
    if all {
        lines.extend(status.runs.iter().map(run_text));
    } else {
        let bad: Vec<&CampaignRun> = status.runs.iter().filter(|run| is_bad(run.state)).collect();
        for run in bad.iter().take(MAX_FAILURES) {
            lines.push(run_text(run));
            let message = run.message.as_deref().unwrap_or_default();
            let message = message.lines().filter(|line| !line.trim().is_empty()).take(MAX_MESSAGE);
            lines.extend(message.map(|line| format!("    | {}", escape(line))));
        }
        if bad.len() > MAX_FAILURES {
            lines.push(format!("  and {} more; --runs lists all", bad.len() - MAX_FAILURES));
        }
    }
    lines.push(next(&status.counts, &escape(book)));
    let section = lines.into_iter().fold(Section::default(), Section::at_margin);
    Document::new([section]).text(&Style::default())
}

/// The command that the state asks for.
fn next(counts: &Counts, book: &str) -> String {
    if counts.left() > 0 {
        format!("next: cll campaign resume {book}")
    } else if counts.failed + counts.timeout + counts.skipped > 0 {
        format!("next: cll campaign resume --retry {book}   (or cll fit {book} with what is done)")
    } else {
        format!("next: cll fit {book}")
    }
}

fn is_bad(state: State) -> bool {
    matches!(state, State::Failed | State::Timeout | State::Skipped)
}

/// How many runs a plan has, and how long they will take at most.
pub fn plan_text(plan: &Plan) -> String {
    let combinations = plan.grid().len();
    let mut text = format!(
        "{}: {}, {}{}{}",
        counted(plan.runs() as usize, "run", "runs"),
        counted(combinations, "combination", "combinations"),
        if plan.points.is_empty() {
            counted(plan.rounds as usize, "round", "rounds")
        } else {
            "each with its own rounds".to_owned()
        },
        match plan.counters.len() {
            0 | 1 => String::new(),
            groups => format!(" with each of {groups} groups of counters"),
        },
        match plan.repetitions {
            1 => String::new(),
            times => format!(", {times} times each"),
        }
    );
    if let Some(each) = plan.expect {
        text += &format!(
            "; about {} at {} each",
            duration(each * plan.runs() as f64, DurationForm::About),
            duration(each, DurationForm::About)
        );
    }
    text + &format!(
        "; at most {}",
        duration(plan.timeout * plan.runs() as f64, DurationForm::About)
    )
}

/// How many runs are in each state, in one line; `left`: seconds that the others will take, if known.
pub fn campaign_counts_text(counts: &Counts, left: Option<Seconds>) -> String {
    let mut text =
        format!("{} of {} done", counts.done, counted(counts.all() as usize, "run is", "runs are"));
    for (count, alone, together) in [
        (counts.failed, "failed", "failed"),
        (counts.timeout, "took too long", "took too long"),
        (
            counts.skipped,
            "was skipped, since others like it took too long",
            "were skipped, since others like them took too long",
        ),
        (counts.submitted, "is with the batch system", "are with the batch system"),
        (counts.running, "is running or was interrupted", "are running or were interrupted"),
        (counts.planned, "waits", "wait"),
    ] {
        if count > 0 {
            text += &format!(", {}", counted(count as usize, alone, together));
        }
    }
    if counts.ended() > 0 {
        text += &format!("; {} in all", duration(counts.time.get(), DurationForm::About));
        if let Some(left) = left.filter(|_| counts.left() > 0) {
            text += &format!(", about {} are left", duration(left.get(), DurationForm::About));
        }
    }
    text
}

fn run_text(run: &CampaignRun) -> String {
    let value = |(name, value): &(String, serde_json::Value)| format!("{name}={value}");
    let at: Vec<String> = run.parameters.iter().map(value).collect();
    let processors = run.processors.map_or(String::new(), |count| format!(" -n {count}"));
    let took = run
        .time
        .map_or(String::new(), |time| format!(", {}", duration(time.get(), DurationForm::About)));
    let how = match (run.exit, run.signal) {
        (Some(code), _) if code != 0 => format!(", exit code {code}"),
        (_, Some(signal)) => format!(", signal {signal}"),
        _ => String::new(),
    };
    format!(
        "  run {}, round {}: {}{processors}: {}{took}{how}",
        run.run,
        run.round,
        at.join(" "),
        run.state.name()
    )
}
