//! Running a program under valgrind's callgrind.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use cll_trace::observable::SIMULATED_EVENTS;
use tempfile::TempDir;

use super::CacheSizes;
use crate::machine::this_machine;
use cll_files::failure::{Failure, reason};
use cll_files::in_path;

const PREFIX: &str = "sim::";

/// A simulation that is ready to be begun, with the folder of the file that it writes.
#[derive(Debug)]
pub struct Simulation {
    valgrind: PathBuf,
    caches: Vec<String>,
    folder: TempDir,
}

impl Simulation {
    /// Finds valgrind and makes room for its file.
    ///
    /// # Errors
    /// If there is no valgrind, or no room.
    pub fn prepare(sizes: &CacheSizes) -> Result<Simulation, Failure> {
        let valgrind = valgrind().ok_or_else(|| {
            Failure::system("--simulate-caches: there is no valgrind in PATH")
                .help("install it; Debian's package is valgrind")
        })?;
        let folder = tempfile::tempdir().map_err(|error| {
            Failure::system(format!("cannot make a folder for the counts: {}", reason(&error)))
        })?;
        Ok(Simulation { valgrind, caches: sizes.options(&this_machine()), folder })
    }

    /// Names of what is counted.
    pub fn events() -> Vec<String> {
        SIMULATED_EVENTS.iter().map(|event| format!("{PREFIX}{event}")).collect()
    }

    /// The file by which valgrind tells the program what it has counted.
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("counts")
    }

    /// The caches that are simulated, as callgrind's options.
    pub fn caches(&self) -> &[String] {
        &self.caches
    }

    /// The command up to the program.
    pub fn words(&self) -> Vec<OsString> {
        let mut file = OsString::from("--callgrind-out-file=");
        file.push(self.file());
        let fixed = [
            "--tool=callgrind",
            "-q",
            "--cache-sim=yes",
            // One file for all that is written, which the program reads and empties.
            "--combine-dumps=yes",
            // A thread's counts are its own.
            "--separate-threads=yes",
            "--dump-line=no",
        ];
        let valgrind = self.valgrind.clone().into_os_string();
        let fixed = fixed.iter().map(OsString::from);
        let caches = self.caches.iter().map(OsString::from);
        std::iter::once(valgrind).chain(fixed).chain([file]).chain(caches).collect()
    }
}

/// Whether an observable is one of a simulation.
pub fn is_simulated(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Valgrind, if it is there.
pub fn valgrind() -> Option<PathBuf> {
    in_path(OsStr::new("valgrind")).filter(|path| path != Path::new(""))
}
