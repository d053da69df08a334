//! The database of a campaign: its plan and every run with its result, in one SQLite file that other programs can
//! read, too. The traces are beside it. `docs/formats/database.md` describes both.
//!
//! Why: decision 0063.

#![forbid(unsafe_code)]

mod attempts;
mod environment;
mod error;
mod jobs;
mod logs;
mod merge;
mod points;
mod rows;
mod runs;
mod state;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use cll_campaign::{Plan, order};
use cll_files as files;
use rusqlite::{Connection, OpenFlags, params};
use rustix::fs::{FlockOperation, flock};

pub use environment::{Environment, load};
pub use error::Error;
pub use jobs::Submission;
pub use merge::merge;
pub use state::{PlannedRun, Row, RunResult};

/// The file in the database's folder.
const FILE: &str = "book.sqlite";
/// The folder of the traces in it.
pub const TRACES: &str = "traces";
/// The extension of the folder.
pub const EXTENSION: &str = "campaign";
/// Version of the tables.
const VERSION: i64 = 2;

/// An open database.
#[derive(Debug)]
pub struct CampaignDb {
    folder: PathBuf,
    connection: Connection,
    _held: Option<File>,
}

/// A campaign in a database.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The number in the database.
    pub id: i64,
    /// The unique key.
    pub key: String,
    /// The plan.
    pub plan: Plan,
    /// The folder in which the plan's program is searched.
    pub folder: PathBuf,
    /// The seed of its orders.
    pub seed: u64,
    /// When it was begun, Unix time in seconds.
    pub created: f64,
}

impl CampaignDb {
    /// A new database with all runs of a plan, locked until the value is dropped. It is created completely or not
    /// at all.
    ///
    /// # Errors
    /// If the folder exists already, or it cannot be written.
    pub fn create(folder: &Path, plan: &Plan, home: &Path, seed: u64) -> Result<CampaignDb, Error> {
        let mut database = CampaignDb::empty(folder)?;
        let key = format!("{:016x}", fastrand::u64(..));
        let about = Campaign {
            id: 0,
            key,
            plan: plan.clone(),
            folder: home.to_path_buf(),
            seed,
            created: now(),
        };
        database.fill(&about).map_err(|error| failed(folder, error))?;
        database.finish()?;
        Ok(database)
    }

    /// An empty database with a temporary name.
    fn empty(folder: &Path) -> Result<CampaignDb, Error> {
        if folder.join(FILE).exists() {
            return Err(Error::Exists(folder.to_path_buf()));
        }
        files::make_folder(&folder.join(TRACES))?;
        let held = Some(hold(folder)?);
        let path = folder.join(format!("{FILE}.new"));
        for leftover in ["", "-wal", "-shm", "-journal"] {
            let _ = fs::remove_file(folder.join(format!("{FILE}.new{leftover}")));
        }
        let make = || -> rusqlite::Result<Connection> {
            let connection = Connection::open(&path)?;
            connection.execute_batch(include_str!("schema.sql"))?;
            connection.execute_batch(attempts::TABLE)?;
            Ok(connection)
        };
        let connection = make().map_err(|error| failed(folder, error))?;
        Ok(CampaignDb { folder: folder.to_path_buf(), connection, _held: held })
    }

    /// Renames a new database to its final name.
    fn finish(&mut self) -> Result<(), Error> {
        let (from, to) = (self.folder.join(format!("{FILE}.new")), self.folder.join(FILE));
        fs::rename(&from, &to).map_err(|error| files::Error::refused("write", &to, error))?;
        let folder = self.folder.clone();
        self.connection = connect(&folder, true)?;
        Ok(())
    }

    fn fill(&mut self, about: &Campaign) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        let id = points::campaign(&transaction, about)?;
        let plan = &about.plan;
        let names: Vec<&str> = plan.parameters.iter().map(|(name, _)| name.as_str()).collect();
        let grid = plan.grid();
        let mut position = 0;
        for round in 0..plan.all_rounds() {
            for launching in order(&grid, round, about.seed) {
                let processors = launching.processors.unwrap_or(0);
                let values = names.iter().copied().zip(launching.values.iter().copied());
                let point = points::point(&transaction, processors, values)?;
                for repetition in 0..plan.repetitions {
                    transaction
                        .prepare_cached(
                            "INSERT INTO run (campaign, position, round, repetition, point, seed)
                             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                        )?
                        .execute(params![
                            id,
                            position,
                            round,
                            repetition,
                            point,
                            launching.seed as i64
                        ])?;
                    position += 1;
                }
            }
        }
        transaction.commit()
    }

    /// Opens a database to read it.
    ///
    /// # Errors
    /// If it does not exist, or is damaged.
    pub fn open(path: &Path) -> Result<CampaignDb, Error> {
        let folder = folder_of(path)?;
        let connection = connect(&folder, false)?;
        Ok(CampaignDb { folder, connection, _held: None })
    }

    /// Opens a database to continue a campaign; it is locked until the value is dropped.
    ///
    /// # Errors
    /// If it does not exist, is damaged, or is locked.
    pub fn resume(path: &Path) -> Result<CampaignDb, Error> {
        let folder = folder_of(path)?;
        let held = Some(hold(&folder)?);
        let connection = connect(&folder, true)?;
        Ok(CampaignDb { folder, connection, _held: held })
    }

    /// Returns the folder of the campaigns.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of the traces.
    pub fn traces(&self) -> PathBuf {
        self.folder.join(TRACES)
    }

    /// Reads the campaigns, in order.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn campaigns(&self) -> Result<Vec<Campaign>, Error> {
        type Row = (i64, String, String, String, i64, f64);
        let read = || -> rusqlite::Result<Vec<Row>> {
            let mut statement = self
                .connection
                .prepare("SELECT id, key, plan, folder, seed, created FROM campaign ORDER BY id")?;
            let rows = statement.query_map([], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
            })?;
            rows.collect()
        };
        let rows = read().map_err(|error| failed(&self.folder, error))?;
        let campaign = |(id, key, plan, folder, seed, created): (_, _, String, String, i64, _)| {
            let plan = serde_json::from_str(&plan)
                .map_err(|error| Error::Plan { folder: self.folder.clone(), source: error })?;
            Ok(Campaign { id, key, plan, folder: folder.into(), seed: seed as u64, created })
        };
        rows.into_iter().map(campaign).collect()
    }

    /// The campaign to continue.
    ///
    /// # Errors
    /// If there are several: a merged database is only read.
    pub fn campaign(&self) -> Result<Campaign, Error> {
        let mut all = self.campaigns()?;
        match (all.pop(), all.len()) {
            (Some(campaign), 0) => Ok(campaign),
            (_, more) => Err(Error::Several { folder: self.folder.clone(), count: more + 1 }),
        }
    }

    fn failed(&self, error: rusqlite::Error) -> Error {
        failed(&self.folder, error)
    }
}

/// Whether a path is a database: its folder, or the file in it.
pub fn is_campaign_db(path: &Path) -> bool {
    path.join(FILE).is_file() || path.file_name().is_some_and(|name| name == FILE)
}

/// Seconds since 1970.
pub fn now() -> f64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.unwrap_or_default().as_secs_f64()
}

fn folder_of(path: &Path) -> Result<PathBuf, Error> {
    if path.join(FILE).is_file() {
        return Ok(path.to_path_buf());
    }
    if path.is_file() && path.file_name().is_some_and(|name| name == FILE) {
        return Ok(files::folder(path).to_path_buf());
    }
    Err(Error::NoCampaign(path.to_path_buf()))
}

fn hold(folder: &Path) -> Result<File, Error> {
    let path = folder.join(".held");
    let failure = |error| files::Error::refused("write", &path, error);
    let held = File::options().create(true).append(true).open(&path).map_err(failure)?;
    flock(&held, FlockOperation::NonBlockingLockExclusive)
        .map_err(|_| Error::Held(folder.to_path_buf()))?;
    Ok(held)
}

fn connect(folder: &Path, writes: bool) -> Result<Connection, Error> {
    let open = || -> rusqlite::Result<(Connection, i64)> {
        let path = folder.join(FILE);
        // Readers, too, may have to create the file of shared state.
        let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)
            .or_else(|_| Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY))?;
        connection.busy_timeout(std::time::Duration::from_secs(10))?;
        if writes {
            // Committed data are in the system's cache: the end of this program loses nothing.
            connection.pragma_update(None, "journal_mode", "wal")?;
            connection.pragma_update(None, "synchronous", "normal")?;
        }
        let mut version = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version == 1 && writes {
            connection.execute_batch(&format!("BEGIN IMMEDIATE; {} COMMIT;", attempts::TABLE))?;
            version = VERSION;
        }
        Ok((connection, version))
    };
    let (connection, version) = open().map_err(|error| failed(folder, error))?;
    if !(1..=VERSION).contains(&version) {
        return Err(Error::Version { folder: folder.to_path_buf(), version, known: VERSION });
    }
    Ok(connection)
}

fn failed(folder: &Path, source: rusqlite::Error) -> Error {
    use rusqlite::ErrorCode::{DatabaseCorrupt, DiskFull, NotADatabase};
    let path = folder.join(FILE);
    match source.sqlite_error_code() {
        Some(DatabaseCorrupt | NotADatabase) => Error::Damaged { path, source },
        Some(DiskFull) => Error::DiskFull(path),
        _ => Error::Database { path, source },
    }
}
