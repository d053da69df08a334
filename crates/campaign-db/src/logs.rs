//! The logs of runs: a folder for each run.

use std::path::{Path, PathBuf};

use cll_trace::meta::Run;

use super::CampaignDb;
use crate::Error;
use cll_files as files;
use cll_launch::{Finished, Gathering, Recorder};

/// Their folder in the database's folder.
const LOGS: &str = "logs";

impl CampaignDb {
    /// An empty folder for the logs of a run. The folder of an earlier attempt is kept, as `RUN.attempt-N`.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new_logs(&self, run: i64) -> Result<PathBuf, Error> {
        let logs = self.folder().join(LOGS);
        let folder = logs.join(run.to_string());
        if folder.exists() {
            let mut names = (1..).map(|number| logs.join(format!("{run}.attempt-{number}")));
            if let Some(kept) = names.find(|name| !name.exists()) {
                files::keep_as(&folder, &kept)?;
            }
        }
        files::make_folder(&folder)?;
        let path = folder.canonicalize();
        Ok(path.map_err(|error| files::Error::refused("make a folder in", &logs, error))?)
    }

    /// The trace of a run, merged from its logs; `None` if they are empty.
    ///
    /// # Errors
    /// If they cannot be read, or it cannot be written.
    pub fn gather_logs(&self, logs: &Path, name: &str, run: Run) -> Result<Option<PathBuf>, Error> {
        let mut recorder = Recorder::numbered(&self.traces(), name, "dat", run.number)?;
        Gathering::append_folder(logs, &mut recorder)?;
        let Finished { trace, lost, moved: _ } = recorder.finish(run);
        match lost {
            Some(lost) => Err(Error::Lost(lost.text())),
            None => Ok(trace),
        }
    }
}
