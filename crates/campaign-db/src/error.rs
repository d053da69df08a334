//! The error of this crate.

use std::path::PathBuf;

use cll_files::Advice;

use super::FILE;

/// Why a campaign's database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder.
    #[error(transparent)]
    Files(#[from] cll_files::Error),
    /// The logs of a run.
    #[error(transparent)]
    Launch(#[from] cll_launch::Error),
    /// The folder of a new database has one already.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// The path is no database.
    #[error("{} is not a campaign: it has no {FILE}", .0.display())]
    NoCampaign(PathBuf),
    /// Another process uses the database.
    #[error("another cll campaign uses {}", .0.display())]
    Held(PathBuf),
    /// The database has a version that is not known here.
    #[error(
        "{} is a campaign of version {version}; this cll reads version {known}",
        .folder.display()
    )]
    Version {
        /// Folder of the database.
        folder: PathBuf,
        /// The version.
        version: i64,
        /// The newest that is known.
        known: i64,
    },
    /// A merged database cannot be continued.
    #[error("{} has {count} campaigns and cannot be continued", .folder.display())]
    Several {
        /// Folder of the database.
        folder: PathBuf,
        /// The number of campaigns.
        count: usize,
    },
    /// The plan of a campaign cannot be read.
    #[error("{}: a plan in it cannot be read: {source}", .folder.display())]
    Plan {
        /// Folder of the database.
        folder: PathBuf,
        /// The reader's error.
        source: serde_json::Error,
    },
    /// The database is damaged.
    #[error("the database {} is damaged: {source}", .path.display())]
    Damaged {
        /// The database.
        path: PathBuf,
        /// The error of SQLite.
        source: rusqlite::Error,
    },
    /// The disk of the database is full.
    #[error("cannot write the database {}: the disk is full", .0.display())]
    DiskFull(PathBuf),
    /// The database cannot be read or written.
    #[error("cannot use the database {}: {source}", .path.display())]
    Database {
        /// The database.
        path: PathBuf,
        /// The error of SQLite.
        source: rusqlite::Error,
    },
    /// Samples of a run cannot be kept.
    #[error("{0}")]
    Lost(String),
}

impl Advice for Error {
    fn help(&self) -> Vec<String> {
        let sentence = match self {
            Error::Files(error) => return error.help(),
            Error::Launch(error) => return error.help(),
            Error::NoCampaign(_) => "cll campaign run PLAN.toml makes one",
            Error::Held(_) => "wait for it; cll campaign status shows its progress",
            Error::Several { .. } => "continue the campaign from which it was merged",
            Error::Damaged { .. } => "the traces beside it are unchanged: cll fit reads them",
            Error::DiskFull(_) => {
                "its content is complete; free some space, and cll campaign resume continues"
            }
            Error::Exists(_)
            | Error::Version { .. }
            | Error::Plan { .. }
            | Error::Database { .. }
            | Error::Lost(_) => return Vec::new(),
        };
        vec![sentence.to_owned()]
    }
}
