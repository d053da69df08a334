//! How far a campaign is, and what failed.

use cll_campaign::{Pace, in_words};
use serde::Serialize;
use serde_json::{Value, json};

use crate::cli::CampaignStatusArgs;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use cll_campaign_db::{Attempt, CampaignDb, Counts, Row, State};

/// Failures that are shown one by one.
const SHOWN: usize = 10;

/// `cll campaign status`.
pub fn run(args: &CampaignStatusArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let book = CampaignDb::open(&args.book)?;
    if args.json {
        terminal.json(&answer(&book)?)?;
        return Ok(0);
    }
    let counts = book.counts()?;
    for campaign in book.campaigns()? {
        let name = cll_report::escape(&campaign.plan.name);
        terminal.line(format!("{name}: {}", super::estimate::of_plan(&campaign.plan)))?;
    }
    terminal.line(in_line(&counts, left(&book)?))?;
    for environment in book.environments()? {
        let text = format!(
            "  on {}, {}, {}",
            environment.host,
            environment.cpu,
            environment.compilers.join("; ")
        );
        terminal.line(cll_report::escape(text.trim_end_matches([',', ' '])))?;
    }
    let rows = book.rows()?;
    if args.runs {
        for row in &rows {
            terminal.line(row_text(row))?;
        }
        return Ok(0);
    }
    let bad: Vec<&Row> = rows.iter().filter(|row| is_bad(row.state)).collect();
    for row in bad.iter().take(SHOWN) {
        terminal.line(row_text(row))?;
        let message = row.message.as_deref().unwrap_or_default();
        for line in message.lines().filter(|line| !line.trim().is_empty()).take(5) {
            terminal.line(format!("    | {}", cll_report::escape(line)))?;
        }
    }
    if bad.len() > SHOWN {
        terminal.line(format!("  and {} more; --runs lists all", bad.len() - SHOWN))?;
    }
    Ok(0)
}

/// What is said when a call has ended; its exit code.
pub fn after(
    book: &CampaignDb,
    interrupted: Option<i32>,
    quiet: bool,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    let counts = book.counts()?;
    terminal.line(format!("{}: {}", book.folder().display(), in_line(&counts, left(book)?)))?;
    if let Some(signal) = interrupted {
        terminal.flush()?;
        terminal
            .note(&format!("interrupted: cll campaign resume {} goes on", book.folder().display()));
        return Ok((128 + signal) as u8);
    }
    // Behind what it is about, also where both go to one terminal.
    terminal.flush()?;
    if counts.failed + counts.timeout > 0 && !quiet {
        let all = [(counts.failed, "runs failed"), (counts.timeout, "runs took too long")];
        let told = all.iter().filter(|(count, _)| *count > 0);
        let told: Vec<String> = told.map(|(count, how)| format!("{count} {how}")).collect();
        let book = book.folder().display();
        terminal.warn(&format!(
            "{}: cll campaign status {book} tells which, cll campaign resume --retry {book} makes \
             them again",
            told.join(" and ")
        ));
    }
    Ok(match counts.failed + counts.timeout {
        0 => 0,
        _ => Status::Program.code(),
    })
}

fn is_bad(state: State) -> bool {
    matches!(state, State::Failed | State::Timeout | State::Skipped)
}

/// Seconds that what is left will take, by the runs of the same values; `None` if nothing tells.
fn left(book: &CampaignDb) -> Result<Option<f64>, Failure> {
    let mut all = 0.0;
    for campaign in &book.campaigns()? {
        let (waiting, made) = (book.waiting(campaign)?, book.made(campaign)?);
        let waiting = waiting.iter().map(|one| &one.launching);
        let made = made.iter().map(|(launching, seconds)| (launching, *seconds));
        match Pace::of(waiting, made).left() {
            Some(seconds) => all += seconds,
            None => return Ok(None),
        }
    }
    Ok(Some(all))
}

fn in_line(counts: &Counts, left: Option<f64>) -> String {
    let mut text = format!("{} of {} runs are done", counts.done, counts.all());
    for (count, what) in [
        (counts.failed, "failed"),
        (counts.timeout, "took too long"),
        (counts.skipped, "were skipped, since others like them took too long"),
        (counts.submitted, "are with the batch system"),
        (counts.running, "are running, or were when they were cut off"),
        (counts.planned, "wait"),
    ] {
        if count > 0 {
            text += &format!(", {count} {what}");
        }
    }
    if counts.ended() > 0 {
        text += &format!("; {} in all", in_words(counts.seconds));
        if let Some(left) = left.filter(|_| counts.left() > 0) {
            text += &format!(", about {} are left", in_words(left));
        }
    }
    text
}

fn row_text(row: &Row) -> String {
    let at = row.parameters.trim_matches(['{', '}']).replace('"', "").replace(':', "=");
    let at = at.replace(',', " ");
    let processors = match row.processors {
        0 => String::new(),
        count => format!(" -n {count}"),
    };
    let seconds = row.seconds.map_or(String::new(), |seconds| format!(", {}", in_words(seconds)));
    let how = match (row.exit, row.signal) {
        (Some(code), _) if code != 0 => format!(", exit code {code}"),
        (_, Some(signal)) => format!(", signal {signal}"),
        _ => String::new(),
    };
    format!(
        "  run {}, round {}: {at}{processors}: {}{seconds}{how}",
        row.id,
        row.round,
        row.state.name()
    )
}

#[derive(Serialize)]
struct RunJson<'a> {
    run: i64,
    campaign: i64,
    round: u32,
    processors: Option<u32>,
    parameters: Value,
    state: &'a str,
    attempts: u32,
    host: &'a Option<String>,
    started: Option<f64>,
    seconds: Option<f64>,
    exit: Option<i32>,
    signal: Option<i32>,
    trace: &'a Option<String>,
    oversubscribed: bool,
    load: Option<f64>,
    message: &'a Option<String>,
    /// Attempts that failed before.
    earlier: &'a [Attempt],
}

fn answer(book: &CampaignDb) -> Result<Value, Failure> {
    let counts = book.counts()?;
    let rows = book.rows()?;
    let attempts = book.attempts()?;
    let run = |row: &Row| {
        let run = RunJson {
            run: row.id,
            campaign: row.campaign,
            round: row.round,
            processors: Some(row.processors).filter(|count| *count > 0),
            parameters: serde_json::from_str(&row.parameters).unwrap_or_default(),
            state: row.state.name(),
            attempts: row.attempts,
            host: &row.host,
            started: row.started,
            seconds: row.seconds,
            exit: row.exit,
            signal: row.signal,
            trace: &row.trace,
            oversubscribed: row.oversubscribed,
            load: row.load,
            message: &row.message,
            earlier: attempts.get(&row.id).map_or(&[], Vec::as_slice),
        };
        serde_json::to_value(run).unwrap_or_default()
    };
    let campaigns: Vec<Value> = book
        .campaigns()?
        .iter()
        .map(|one| json!({ "campaign": one.id, "key": one.key, "plan": one.plan, "seed": one.seed, "created": one.created }))
        .collect();
    Ok(json!({
        "format": "cll-campaign-status",
        "version": 1,
        "campaigns": campaigns,
        "counts": {
            "planned": counts.planned, "submitted": counts.submitted, "running": counts.running,
            "done": counts.done, "failed": counts.failed, "timeout": counts.timeout,
            "skipped": counts.skipped,
        },
        "seconds": counts.seconds,
        "seconds_left": left(book)?,
        "environments": book.environments()?,
        "runs": rows.iter().map(run).collect::<Vec<_>>(),
    }))
}
