//! Runs a program under valgrind's callgrind.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use cll_trace::observable::SIMULATED_EVENTS;
use tempfile::TempDir;

use super::CacheSizes;
use crate::Error;
use crate::machine::this_machine;
use cll_files::in_path;

const PREFIX: &str = "sim::";

/// A prepared simulation, with the folder of its file.
#[derive(Debug)]
pub struct Simulation {
    valgrind: PathBuf,
    caches: Vec<String>,
    folder: TempDir,
}

impl Simulation {
    /// Finds valgrind and makes a folder for its file.
    ///
    /// # Errors
    /// If there is no valgrind, or the folder cannot be made.
    pub fn prepare(sizes: &CacheSizes) -> Result<Simulation, Error> {
        let valgrind = valgrind().ok_or(Error::NoValgrind)?;
        let folder = tempfile::tempdir().map_err(Error::Folder)?;
        Ok(Simulation { valgrind, caches: sizes.options(&this_machine()), folder })
    }

    /// Names of the counters.
    pub fn events() -> Vec<String> {
        SIMULATED_EVENTS.iter().map(|event| format!("{PREFIX}{event}")).collect()
    }

    /// The file in which valgrind writes the counts for the program.
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("counts")
    }

    /// The simulated caches, as callgrind's options.
    pub fn caches(&self) -> &[String] {
        &self.caches
    }

    /// The command before the program.
    pub fn words(&self) -> Vec<OsString> {
        let mut file = OsString::from("--callgrind-out-file=");
        file.push(self.file());
        let fixed = [
            "--tool=callgrind",
            "-q",
            "--cache-sim=yes",
            // One file for all counts, which the program reads and truncates.
            "--combine-dumps=yes",
            // Counts are separate for each thread.
            "--separate-threads=yes",
            "--dump-line=no",
        ];
        let valgrind = self.valgrind.clone().into_os_string();
        let fixed = fixed.iter().map(OsString::from);
        let caches = self.caches.iter().map(OsString::from);
        std::iter::once(valgrind).chain(fixed).chain([file]).chain(caches).collect()
    }
}

/// Whether an observable is simulated.
pub fn is_simulated(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Valgrind, if it is installed.
pub fn valgrind() -> Option<PathBuf> {
    in_path(OsStr::new("valgrind")).filter(|path| path != Path::new(""))
}
