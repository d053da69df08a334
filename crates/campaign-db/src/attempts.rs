//! The earlier attempts of runs that are repeated.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use rusqlite::{Connection, ToSql, params};

use cll_campaign::Attempt;

use super::{Campaign, CampaignDb, failed, rows};
use crate::Error;
use cll_files as files;
use cll_units::Seconds;

/// The table, and the first version with it.
pub const TABLE: &str = include_str!("attempts.sql");

/// The columns that runs and attempts have in common.
const COLUMNS: &str = "environment, host, binding, started, seconds, exit, signal, trace, bytes, \
                       oversubscribed, load, clock, message";

impl CampaignDb {
    /// Plans runs again that failed, took too long, or were skipped for such a reason; returns their number. Their
    /// attempts stay in the database, and their traces beside it under other names.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn retry(&mut self, campaign: &Campaign) -> Result<u64, Error> {
        let (folder, traces) = (self.folder.clone(), self.traces());
        let name = files::base(Path::new(&campaign.plan.program));
        let mut write = || -> rusqlite::Result<u64> {
            let transaction = self.connection.transaction()?;
            transaction.execute(
                &format!(
                    "INSERT INTO attempt (run, number, state, {COLUMNS})
                     SELECT id, attempts, state, {COLUMNS} FROM run
                     WHERE campaign = ?1 AND state IN ('failed', 'timeout') ORDER BY id"
                ),
                [campaign.id],
            )?;
            let renamed: Vec<(i64, i64, u32, String)> = {
                let mut statement = transaction.prepare(
                    "SELECT attempt.id, run, number, attempt.trace FROM attempt
                     JOIN run ON run.id = run WHERE campaign = ?1 AND run.state IN ('failed', 'timeout')
                     AND attempt.trace = run.trace",
                )?;
                let rows = statement.query_map([campaign.id], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
                })?;
                rows.collect::<rusqlite::Result<_>>()?
            };
            for (attempt, run, number, trace) in renamed {
                let kept = format!("{name}.cll.{run}.attempt-{number}.dat");
                // A trace that is gone already is not an error.
                if fs::rename(traces.join(trace), traces.join(&kept)).is_ok() {
                    let put = "UPDATE attempt SET trace = ?2 WHERE id = ?1";
                    transaction.execute(put, params![attempt, kept])?;
                }
            }
            let put = "UPDATE run SET state = 'planned', job = NULL, trace = NULL, bytes = NULL
                       WHERE campaign = ?1 AND state IN ('failed', 'timeout', 'skipped')";
            let count = transaction.execute(put, [campaign.id])?;
            transaction.commit()?;
            Ok(count as u64)
        };
        write().map_err(|error| failed(&folder, error))
    }

    /// The failed attempts of repeated runs, by run, in order.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn attempts(&self) -> Result<HashMap<i64, Vec<Attempt>>, Error> {
        let read = || -> rusqlite::Result<HashMap<i64, Vec<Attempt>>> {
            let mut found: HashMap<i64, Vec<Attempt>> = HashMap::new();
            if !is_there(&self.connection)? {
                return Ok(found);
            }
            let mut statement = self.connection.prepare(
                "SELECT run, number, state, host, started, seconds, exit, signal, trace, message
                 FROM attempt ORDER BY id",
            )?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                found.entry(row.get(0)?).or_default().push(Attempt {
                    attempt: row.get(1)?,
                    state: row.get(2)?,
                    host: row.get(3)?,
                    started: row.get(4)?,
                    time: row.get::<_, Option<f64>>(5)?.map(Seconds),
                    exit: row.get(6)?,
                    signal: row.get(7)?,
                    trace: row.get(8)?,
                    message: row.get(9)?,
                });
            }
            Ok(found)
        };
        read().map_err(|error| self.failed(error))
    }
}

/// Copies the attempts of a run into another database, in which it has another number; returns their traces with
/// the new names.
pub fn copy(
    from: &Connection,
    (run, new): (i64, i64),
    name: &str,
    to: &Connection,
) -> rusqlite::Result<Vec<(String, String)>> {
    let mut traces = Vec::new();
    if !is_there(from)? {
        return Ok(traces);
    }
    let mut statement = from.prepare_cached(&format!(
        "SELECT number, state, description, {COLUMNS} FROM attempt
         LEFT JOIN environment ON environment.id = environment WHERE run = ?1 ORDER BY attempt.id"
    ))?;
    let mut rows = statement.query([run])?;
    while let Some(row) = rows.next()? {
        let number: u32 = row.get("number")?;
        let description: Option<String> = row.get("description")?;
        let environment = rows::environment(to, description.as_deref())?;
        let trace: Option<String> = row.get("trace")?;
        let kept = trace.as_ref().map(|_| format!("{name}.cll.{new}.attempt-{number}.dat"));
        let own: [(&str, &dyn ToSql); 4] =
            [("run", &new), ("number", &number), ("environment", &environment), ("trace", &kept)];
        rows::insert(to, "attempt", &own, row, &["state"])?;
        traces.extend(trace.zip(kept));
    }
    Ok(traces)
}

/// Databases of version 1 that were not written since have no such table.
fn is_there(connection: &Connection) -> rusqlite::Result<bool> {
    let find = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'attempt'";
    connection.query_row(find, [], |row| row.get::<_, i64>(0)).map(|count| count > 0)
}
