//! Campaigns, points and environments of runs.

use std::fmt::Write as _;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{Campaign, CampaignDb, Environment};
use crate::Error;

pub(super) fn campaign(transaction: &Transaction<'_>, about: &Campaign) -> rusqlite::Result<i64> {
    // All values of a plan can be written as JSON.
    let plan = serde_json::to_string(&about.plan).unwrap_or_default();
    transaction.execute(
        "INSERT INTO campaign (key, name, plan, folder, seed, created, tool)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            about.key,
            about.plan.name,
            plan,
            about.folder.to_string_lossy(),
            about.seed as i64,
            about.created,
            concat!("cll ", env!("CARGO_PKG_VERSION"))
        ],
    )?;
    Ok(transaction.last_insert_rowid())
}

/// The number of a point; a new point is added.
pub(super) fn point<'a>(
    connection: &Connection,
    processors: u32,
    values: impl Iterator<Item = (&'a str, f64)> + Clone,
) -> rusqlite::Result<i64> {
    let mut parameters = String::from("{");
    for (name, value) in values.clone() {
        let comma = if parameters.len() > 1 { "," } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(parameters, "{comma}\"{name}\":{}", cll_campaign::argument(value));
    }
    parameters.push('}');
    let known = connection
        .prepare_cached("SELECT id FROM point WHERE processors = ?1 AND parameters = ?2")?
        .query_row(params![processors, parameters], |row| row.get(0))
        .optional()?;
    if let Some(id) = known {
        return Ok(id);
    }
    connection.execute(
        "INSERT INTO point (processors, parameters) VALUES (?1, ?2)",
        params![processors, parameters],
    )?;
    let id = connection.last_insert_rowid();
    for (name, value) in values {
        connection.execute(
            "INSERT INTO parameter (point, name, value) VALUES (?1, ?2, ?3)",
            params![id, name, value],
        )?;
    }
    Ok(id)
}

impl CampaignDb {
    /// The number of an environment; a new one is added.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn environment(&self, environment: &Environment) -> Result<i64, Error> {
        let description = serde_json::to_string(environment).unwrap_or_default();
        let write = || -> rusqlite::Result<i64> {
            self.connection.execute(
                "INSERT OR IGNORE INTO environment (description) VALUES (?1)",
                [&description],
            )?;
            self.connection.query_row(
                "SELECT id FROM environment WHERE description = ?1",
                [&description],
                |row| row.get(0),
            )
        };
        write().map_err(|error| self.failed(error))
    }

    /// The environments of completed runs that may be fitted, each with the number of runs, in the order of their
    /// first runs; of one campaign or of all.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn environments_of_done(
        &self,
        campaign: Option<&Campaign>,
    ) -> Result<Vec<(Environment, u64)>, Error> {
        let read = || -> rusqlite::Result<Vec<(String, i64)>> {
            let mut statement = self.connection.prepare(
                "SELECT description, count(*) FROM run
                 JOIN environment ON environment.id = run.environment
                 WHERE state = 'done' AND oversubscribed = 0
                 AND (?1 IS NULL OR campaign = ?1)
                 GROUP BY environment.id ORDER BY min(started)",
            )?;
            let number = campaign.map(|campaign| campaign.id);
            let rows = statement.query_map([number], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        };
        let read = read().map_err(|error| self.failed(error))?;
        let known = |(text, count): &(String, i64)| {
            serde_json::from_str(text).ok().map(|environment| (environment, *count as u64))
        };
        Ok(read.iter().filter_map(known).collect())
    }

    /// Every environment in which runs were made.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn environments(&self) -> Result<Vec<Environment>, Error> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut statement =
                self.connection.prepare("SELECT description FROM environment ORDER BY id")?;
            let rows = statement.query_map([], |row| row.get(0))?;
            rows.collect()
        };
        let texts = read().map_err(|error| self.failed(error))?;
        Ok(texts.iter().filter_map(|text| serde_json::from_str(text).ok()).collect())
    }
}
