//! Progress and failures of a campaign.

use std::collections::HashMap;
use std::fmt;

use cll_campaign::{Attempt, RemainingTime};
use cll_campaign_db::{Campaign, CampaignDb, Environment, Row};
use cll_diagnostic::shell_file;
use cll_report::{campaign_counts_text, campaign_status_text};
use cll_result::{CampaignRun, CampaignStatus, PlannedCampaign, RunEnvironment};
use cll_units::Seconds;
use serde::Deserializer;
use serde::de::{MapAccess, Visitor};
use serde_json::Value;

use crate::cli::CampaignStatusArgs;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;

/// `cll campaign status`.
pub fn run(args: &CampaignStatusArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let status = read(&CampaignDb::open(&args.book)?)?;
    if args.json {
        terminal.json(&status)?;
    } else {
        let book = shell_file(&args.book.to_string_lossy());
        terminal.print(campaign_status_text(&status, args.runs, &book))?;
    }
    Ok(0)
}

/// Prints the result of a call; returns its exit code.
pub fn after(
    database: &CampaignDb,
    interrupted: Option<i32>,
    quiet: bool,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    let counts = database.counts()?;
    terminal.line(format!(
        "{}: {}",
        database.folder().display(),
        campaign_counts_text(&counts, left(database)?)
    ))?;
    if let Some(signal) = interrupted {
        terminal.flush()?;
        terminal.note(&format!(
            "interrupted: cll campaign resume {} continues",
            database.folder().display()
        ));
        return Ok((128 + signal) as u8);
    }
    // After the messages to which it refers, even if both streams go to one terminal.
    terminal.flush()?;
    if counts.failed + counts.timeout > 0 && !quiet {
        let all = [(counts.failed, "runs failed"), (counts.timeout, "runs took too long")];
        let counts_text = all.iter().filter(|(count, _)| *count > 0);
        let counts_text: Vec<String> =
            counts_text.map(|(count, how)| format!("{count} {how}")).collect();
        let database = database.folder().display();
        terminal.warn(&format!(
            "{}: cll campaign status {database} lists them, cll campaign resume --retry {database} makes \
             them again",
            counts_text.join(" and ")
        ));
    }
    Ok(match counts.failed + counts.timeout {
        0 => 0,
        _ => Status::Program.code(),
    })
}

/// The time that the remaining runs will take, from runs of the same values; `None` if there are none.
fn left(database: &CampaignDb) -> Result<Option<Seconds>, Failure> {
    let mut all = 0.0;
    for campaign in &database.campaigns()? {
        let (waiting, completed) = (database.waiting(campaign)?, database.made(campaign)?);
        let waiting = waiting.iter().map(|run| &run.launching);
        let completed = completed.iter().map(|(launching, seconds)| (launching, *seconds));
        match RemainingTime::new(waiting, completed).left() {
            Some(seconds) => all += seconds,
            None => return Ok(None),
        }
    }
    Ok(Some(Seconds(all)))
}

/// The content of a database.
fn read(database: &CampaignDb) -> Result<CampaignStatus, Failure> {
    let mut attempts = database.attempts()?;
    let runs = database.rows()?.into_iter().map(|row| run_of(row, &mut attempts)).collect();
    let campaigns = database.campaigns()?.into_iter().map(planned).collect();
    let environments = database.environments()?.iter().map(environment).collect();
    Ok(CampaignStatus::new(campaigns, environments, runs, database.counts()?, left(database)?))
}

fn planned(campaign: Campaign) -> PlannedCampaign {
    let Campaign { id, key, plan, seed, created, .. } = campaign;
    PlannedCampaign { campaign: id, created, key, plan, seed }
}

fn environment(environment: &Environment) -> RunEnvironment {
    let mut more = match serde_json::to_value(environment) {
        Ok(Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    for field in ["compilers", "cpu", "host"] {
        more.remove(field);
    }
    let Environment { compilers, cpu, host, .. } = environment.clone();
    RunEnvironment { compilers, cpu, host, more }
}

fn run_of(row: Row, attempts: &mut HashMap<i64, Vec<Attempt>>) -> CampaignRun {
    CampaignRun {
        attempts: row.attempts,
        campaign: row.campaign,
        earlier: attempts.remove(&row.id).unwrap_or_default(),
        exit: row.exit,
        host: row.host,
        load: row.load,
        message: row.message,
        oversubscribed: row.oversubscribed,
        parameters: parameters(&row.parameters),
        processors: Some(row.processors).filter(|count| *count > 0),
        round: row.round,
        run: row.id,
        time: row.seconds.map(Seconds),
        signal: row.signal,
        started: row.started,
        state: row.state,
        trace: row.trace,
    }
}

/// The members of a JSON object, in order.
fn parameters(json: &str) -> Vec<(String, Value)> {
    struct Members;
    impl<'de> Visitor<'de> for Members {
        type Value = Vec<(String, Value)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            std::iter::from_fn(|| map.next_entry().transpose()).collect()
        }
    }
    serde_json::Deserializer::from_str(json).deserialize_map(Members).unwrap_or_default()
}
