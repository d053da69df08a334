//! Merges several databases into one.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use rusqlite::{ToSql, params};

use super::rows::{environment, insert};
use super::{CampaignDb, attempts, failed, points};
use crate::Error;
use cll_files::{self as files, Kept, Output};

/// Creates a database with all campaigns of others, each once, and copies of their traces. Returns the campaigns
/// that were in two of them.
///
/// # Errors
/// If the folder exists already, or a database cannot be read or written.
pub fn merge(folder: &Path, databases: &[CampaignDb]) -> Result<Vec<String>, Error> {
    let mut merged = CampaignDb::empty(folder)?;
    let mut twice = Vec::new();
    let mut known: Vec<String> = Vec::new();
    for database in databases {
        for campaign in database.campaigns()? {
            if known.contains(&campaign.key) {
                twice.push(format!("{} ({})", campaign.plan.name, campaign.key));
                continue;
            }
            known.push(campaign.key.clone());
            let traces = merged.copy(database, &campaign).map_err(|error| failed(folder, error))?;
            for (from, to) in traces {
                let (from, to) = (database.traces().join(from), merged.traces().join(to));
                copy(&from, &to)?;
            }
        }
    }
    merged.finish()?;
    Ok(twice)
}

/// A trace never changes: on one file system it is linked, not copied.
fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    if fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    let mut trace = File::open(from).map_err(|error| files::Error::unreadable(from, error))?;
    let output = Output::of_kind(to, Kept::Recording)?;
    Ok(output.write_with(|out| io::copy(&mut trace, out).map(|_| ()))?)
}

impl CampaignDb {
    /// Copies a campaign; returns its traces and their new names.
    fn copy(
        &mut self,
        from: &CampaignDb,
        campaign: &super::Campaign,
    ) -> rusqlite::Result<Vec<(String, String)>> {
        let transaction = self.connection.transaction()?;
        let id = points::campaign(&transaction, campaign)?;
        let mut traces = Vec::new();
        let mut statement = from.connection.prepare(
            "SELECT run.*, point.processors, environment.description FROM run
             JOIN point ON point.id = run.point
             LEFT JOIN environment ON environment.id = run.environment
             WHERE campaign = ?1 ORDER BY position",
        )?;
        let mut rows = statement.query([campaign.id])?;
        while let Some(row) = rows.next()? {
            let point: i64 = row.get("point")?;
            let mut named = from
                .connection
                .prepare_cached("SELECT name, value FROM parameter WHERE point = ?1")?;
            let values: Vec<(String, f64)> = named
                .query_map([point], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<rusqlite::Result<_>>()?;
            // In the plan's order, which is that of the text.
            let plan = &campaign.plan.parameters;
            let position_of = |name: &str| plan.iter().position(|(known, _)| known == name);
            let mut values = values;
            values.sort_by_key(|(name, _)| position_of(name));
            let processors: u32 = row.get("processors")?;
            let values = values.iter().map(|(name, value)| (name.as_str(), *value));
            let point = points::point(&transaction, processors, values)?;
            let description: Option<String> = row.get("description")?;
            let environment = environment(&transaction, description.as_deref())?;
            let own: [(&str, &dyn ToSql); 3] =
                [("campaign", &id), ("point", &point), ("environment", &environment)];
            let of_run = ["position", "round", "repetition", "seed", "state", "attempts"];
            insert(&transaction, "run", &own, row, &of_run)?;
            let run = transaction.last_insert_rowid();
            let name = files::base(Path::new(&campaign.plan.program));
            let both = (row.get("id")?, run);
            traces.extend(attempts::copy(&from.connection, both, &name, &transaction)?);
            let trace: Option<String> = row.get("trace")?;
            if let Some(trace) = trace {
                let new = format!("{name}.cll.{run}.dat");
                let set = "UPDATE run SET trace = ?2 WHERE id = ?1";
                transaction.execute(set, params![run, new])?;
                traces.push((trace, new));
            }
        }
        drop(rows);
        drop(statement);
        transaction.commit()?;
        Ok(traces)
    }
}
