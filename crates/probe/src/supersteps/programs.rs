//! The probes, compiled like a user's programs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cll_machine::Synchronisation;
use tempfile::TempDir;

use crate::Error;
use cll_contract::Engine;
use cll_driver::{Driver, Listener, cc};
use cll_files as files;

use super::plan::Launching;

/// The sources, by name.
const SOURCES: [(&str, &str); 3] = [
    ("probe.h", include_str!("../../../../probes/probe.h")),
    ("barrier.c", include_str!("../../../../probes/barrier.c")),
    ("oblivious.c", include_str!("../../../../probes/oblivious.c")),
];

/// A temporary folder with the probes, removed when the value is dropped.
#[derive(Debug)]
pub struct Programs {
    folder: TempDir,
}

impl Programs {
    /// Compiles the probes that the launches need.
    ///
    /// # Errors
    /// If there is no compiler, or it fails.
    pub fn build(launches: &[Launching], listener: &mut dyn Listener) -> Result<Programs, Error> {
        let programs = Programs { folder: files::temporary_folder()? };
        for (name, text) in SOURCES {
            files::write(&programs.path(name), text.as_bytes())?;
        }
        let mut built: Vec<PathBuf> = Vec::new();
        for launching in launches {
            let program = programs.program(launching);
            if built.contains(&program) {
                continue;
            }
            let source = programs.path(&format!("{}.c", launching.synchronisation.name()));
            let mut arguments: Vec<OsString> = Vec::new();
            if launching.engine == Engine::Threads {
                arguments.extend(["--engine".into(), "threads".into()]);
            }
            arguments.extend(["-O2".into(), source.into(), "-o".into(), program.clone().into()]);
            if cc::run(arguments, Driver::default(), listener)? != 0 {
                return Err(Error::ProbeNotCompiled);
            }
            built.push(program);
        }
        Ok(programs)
    }

    /// The program of a launch.
    pub fn program(&self, launching: &Launching) -> PathBuf {
        let kind = match launching.synchronisation {
            Synchronisation::Barrier => "barrier",
            Synchronisation::Oblivious => "oblivious",
        };
        match launching.engine {
            Engine::Threads => self.path(&format!("{kind}-threads")),
            _ => self.path(kind),
        }
    }

    /// Folder for the files of launches.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}
