//! Jobs of batch systems. A job is in the database before it is submitted, so that after an interruption it is
//! known that it may exist.

use std::path::{Path, PathBuf};

use rusqlite::params;

use super::{Campaign, CampaignDb, failed, now};
use crate::Error;

/// A job with runs.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The number in the database.
    pub id: i64,
    /// The system's number; `None`: the submission was interrupted.
    pub number: Option<String>,
    /// The folder of the submission.
    pub folder: PathBuf,
}

impl CampaignDb {
    /// Records that runs are being submitted as a job, without the system's number yet.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn submitting(
        &mut self,
        campaign: &Campaign,
        (system, processors): (&str, u32),
        folder: &Path,
        (runs, environment): (&[i64], i64),
    ) -> Result<i64, Error> {
        let folder_of_book = self.folder.clone();
        let mut write = || -> rusqlite::Result<i64> {
            let transaction = self.connection.transaction()?;
            transaction.execute(
                "INSERT INTO job (campaign, system, number, folder, processors, submitted)
                 VALUES (?1, ?2, '', ?3, ?4, ?5)",
                params![campaign.id, system, folder.to_string_lossy(), processors, now()],
            )?;
            let job = transaction.last_insert_rowid();
            for run in runs {
                transaction
                    .prepare_cached(
                        "UPDATE run SET state = 'submitted', job = ?2, environment = ?3,
                         attempts = attempts + 1, message = NULL WHERE id = ?1",
                    )?
                    .execute(params![run, job, environment])?;
            }
            transaction.commit()?;
            Ok(job)
        };
        write().map_err(|error| failed(&folder_of_book, error))
    }

    /// Records that the system has accepted a job.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn submitted(&self, job: i64, number: &str) -> Result<(), Error> {
        self.connection
            .execute("UPDATE job SET number = ?2 WHERE id = ?1", params![job, number])
            .map(|_| ())
            .map_err(|error| self.failed(error))
    }

    /// Records that the system has not accepted a job: its runs are planned again.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn not_submitted(&mut self, job: i64) -> Result<(), Error> {
        let folder = self.folder.clone();
        let mut write = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            transaction.execute(
                "UPDATE run SET state = 'planned', job = NULL, attempts = attempts - 1
                 WHERE job = ?1 AND state = 'submitted'",
                [job],
            )?;
            transaction.execute("DELETE FROM job WHERE id = ?1 AND number = ''", [job])?;
            transaction.commit()
        };
        write().map_err(|error| failed(&folder, error))
    }

    /// The jobs with runs that have not ended, in order.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn jobs(&self, campaign: &Campaign) -> Result<Vec<Submission>, Error> {
        let read = || -> rusqlite::Result<Vec<Submission>> {
            let mut statement = self.connection.prepare(
                "SELECT id, number, folder FROM job WHERE campaign = ?1 AND id IN
                 (SELECT job FROM run WHERE state = 'submitted') ORDER BY id",
            )?;
            let rows = statement.query_map([campaign.id], |row| {
                let (number, folder): (String, String) = (row.get(1)?, row.get(2)?);
                Ok(Submission {
                    id: row.get(0)?,
                    number: Some(number).filter(|number| !number.is_empty()),
                    folder: folder.into(),
                })
            })?;
            rows.collect()
        };
        read().map_err(|error| self.failed(error))
    }
}
