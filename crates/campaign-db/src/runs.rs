//! The runs in a database.

use cll_campaign::Launching;
use rusqlite::params;

use cll_campaign::{Counts, State};

use super::{Campaign, CampaignDb, PlannedRun, Row, RunResult};
use crate::Error;
use cll_units::Seconds;

impl CampaignDb {
    /// The runs to make, in order, including those that were submitted.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn waiting(&self, campaign: &Campaign) -> Result<Vec<PlannedRun>, Error> {
        let read = || -> rusqlite::Result<Vec<PlannedRun>> {
            let mut statement = self.connection.prepare(
                "SELECT run.id, round, seed, processors, parameters,
                 CASE state WHEN 'submitted' THEN job END FROM run
                 JOIN point ON point.id = run.point
                 WHERE campaign = ?1 AND state IN ('planned', 'submitted') ORDER BY position",
            )?;
            let rows = statement.query_map([campaign.id], |row| {
                let (round, seed) = (row.get(1)?, row.get::<_, i64>(2)? as u64);
                let place: (u32, String) = (row.get(3)?, row.get(4)?);
                let launching = launching(campaign, round, seed, &place);
                Ok(PlannedRun { id: row.get(0)?, launching, job: row.get(5)? })
            })?;
            rows.collect()
        };
        read().map_err(|error| self.failed(error))
    }

    /// The runs that have ended, with the seconds of each.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn made(&self, campaign: &Campaign) -> Result<Vec<(Launching, f64)>, Error> {
        let read = || -> rusqlite::Result<Vec<(Launching, f64)>> {
            let mut statement = self.connection.prepare(
                "SELECT round, seed, processors, parameters, seconds FROM run
                 JOIN point ON point.id = run.point WHERE campaign = ?1
                 AND state IN ('done', 'failed', 'timeout') AND seconds IS NOT NULL",
            )?;
            let rows = statement.query_map([campaign.id], |row| {
                let place: (u32, String) = (row.get(2)?, row.get(3)?);
                let seed = row.get::<_, i64>(1)? as u64;
                Ok((launching(campaign, row.get(0)?, seed, &place), row.get(4)?))
            })?;
            rows.collect()
        };
        read().map_err(|error| self.failed(error))
    }

    /// Records that a run begins.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn begin(&self, run: i64, environment: i64) -> Result<(), Error> {
        let write = || -> rusqlite::Result<usize> {
            self.connection
                .prepare_cached(
                    "UPDATE run SET state = 'running', attempts = attempts + 1, environment = ?2,
                     started = ?3 WHERE id = ?1",
                )?
                .execute(params![run, environment, super::now()])
        };
        write().map(|_| ()).map_err(|error| self.failed(error))
    }

    /// Records that a run has ended.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn end(&self, run: i64, state: State, ended: &RunResult) -> Result<(), Error> {
        let (trace, bytes) = match &ended.trace {
            Some((trace, bytes)) => (Some(trace.as_str()), Some(*bytes as i64)),
            None => (None, None),
        };
        let write = || -> rusqlite::Result<usize> {
            self.connection
                .prepare_cached(
                    "UPDATE run SET state = ?2, started = ?3, seconds = ?4, exit = ?5, signal = ?6,
                     trace = ?7, bytes = ?8, host = ?9, binding = ?10, oversubscribed = ?11,
                     load = ?12, clock = ?13, message = ?14 WHERE id = ?1",
                )?
                .execute(params![
                    run,
                    state.name(),
                    ended.started,
                    ended.seconds,
                    ended.exit,
                    ended.signal,
                    trace,
                    bytes,
                    ended.host,
                    ended.binding,
                    ended.oversubscribed,
                    ended.load,
                    ended.clock,
                    ended.message
                ])
        };
        write().map(|_| ()).map_err(|error| self.failed(error))
    }

    /// Records that a run is skipped, since an equal one takes too long, or planned again, since it was
    /// interrupted.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn put(&self, run: i64, state: State, message: Option<&str>) -> Result<(), Error> {
        self.connection
            .execute(
                "UPDATE run SET state = ?2, message = ?3 WHERE id = ?1",
                params![run, state.name(), message],
            )
            .map(|_| ())
            .map_err(|error| self.failed(error))
    }

    /// Plans runs again that were interrupted in the last call, or whose traces were removed or changed; returns
    /// the number of each.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn recover(&self, campaign: &Campaign) -> Result<(u64, u64), Error> {
        let cut = "UPDATE run SET state = 'planned' WHERE campaign = ?1 AND state = 'running'";
        let cut = self.connection.execute(cut, [campaign.id]);
        let cut = cut.map_err(|error| self.failed(error))? as u64;
        let read = || -> rusqlite::Result<Vec<(i64, String, i64)>> {
            let mut statement = self.connection.prepare(
                "SELECT id, trace, bytes FROM run
                 WHERE campaign = ?1 AND state = 'done' AND trace IS NOT NULL",
            )?;
            let rows = statement
                .query_map([campaign.id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            rows.collect()
        };
        let traces = self.traces();
        let mut gone = 0;
        for (id, trace, bytes) in read().map_err(|error| self.failed(error))? {
            let metadata = std::fs::metadata(traces.join(trace));
            if metadata.is_ok_and(|file| file.is_file() && file.len() == bytes as u64) {
                continue;
            }
            self.put(id, State::Planned, Some("its trace was removed: will be made again"))?;
            gone += 1;
        }
        Ok((cut, gone))
    }

    /// The number of runs in each state.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn counts(&self) -> Result<Counts, Error> {
        let read = || -> rusqlite::Result<Vec<(String, u64, f64)>> {
            let mut statement = self.connection.prepare(
                "SELECT state, count(*), total(CASE WHEN state IN ('done', 'failed', 'timeout')
                 THEN seconds END) FROM run GROUP BY state",
            )?;
            let rows = statement.query_map([], |row| {
                let count: i64 = row.get(1)?;
                Ok((row.get(0)?, count as u64, row.get(2)?))
            })?;
            rows.collect()
        };
        let mut counts = Counts::default();
        for (state, count, seconds) in read().map_err(|error| self.failed(error))? {
            counts.time += Seconds(seconds);
            *match State::named(&state) {
                State::Planned => &mut counts.planned,
                State::Submitted => &mut counts.submitted,
                State::Running => &mut counts.running,
                State::Done => &mut counts.done,
                State::Failed => &mut counts.failed,
                State::Timeout => &mut counts.timeout,
                State::Skipped => &mut counts.skipped,
            } += count;
        }
        Ok(counts)
    }

    /// All runs, by campaign and in order.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn rows(&self) -> Result<Vec<Row>, Error> {
        let read = || -> rusqlite::Result<Vec<Row>> {
            let mut statement = self.connection.prepare(
                "SELECT run.id, campaign, round, processors, parameters, state, attempts, host,
                 started, seconds, exit, signal, trace, oversubscribed, load, message FROM run
                 JOIN point ON point.id = run.point ORDER BY campaign, position",
            )?;
            let rows = statement.query_map([], |row| {
                let state: String = row.get(5)?;
                Ok(Row {
                    id: row.get(0)?,
                    campaign: row.get(1)?,
                    round: row.get(2)?,
                    processors: row.get(3)?,
                    parameters: row.get(4)?,
                    state: State::named(&state),
                    attempts: row.get(6)?,
                    host: row.get(7)?,
                    started: row.get(8)?,
                    seconds: row.get(9)?,
                    exit: row.get(10)?,
                    signal: row.get(11)?,
                    trace: row.get(12)?,
                    oversubscribed: row.get(13)?,
                    load: row.get(14)?,
                    message: row.get(15)?,
                })
            })?;
            rows.collect()
        };
        read().map_err(|error| self.failed(error))
    }
}

/// The launch for these processors (0: none were given) and parameters, as JSON.
fn launching(
    campaign: &Campaign,
    round: u32,
    seed: u64,
    (processors, parameters): &(u32, String),
) -> Launching {
    let parameters: serde_json::Value = serde_json::from_str(parameters).unwrap_or_default();
    let value = |name: &str| parameters[name].as_f64().unwrap_or(f64::NAN);
    Launching {
        round,
        group: campaign.plan.group_of(round),
        values: campaign.plan.parameters.iter().map(|(name, _)| value(name)).collect(),
        processors: Some(*processors).filter(|count| *count > 0),
        seed,
        gate: true,
    }
}
