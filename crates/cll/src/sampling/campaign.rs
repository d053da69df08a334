//! Launches carried out one after the other.

use std::ffi::OsString;
use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use crate::failure::Failure;
use crate::launch::{Launch, Launcher, Outcome, Streams};

use super::arguments::Template;
use super::plan::Launching;

/// What is launched, and how.
#[derive(Debug)]
pub struct Campaign {
    /// The executable.
    pub program: PathBuf,
    /// Its name in the names of traces.
    pub name: String,
    /// Its arguments.
    pub arguments: Template,
    /// Folder of the traces.
    pub folder: PathBuf,
    /// Where the program's output goes.
    pub log: File,
    /// Time after which a launch is ended.
    pub timeout: Duration,
}

/// A launch that was made.
#[derive(Debug)]
pub struct Launched {
    /// What was to be made.
    pub launching: Launching,
    /// What came of it.
    pub outcome: Outcome,
}

/// Who is told how far it is.
pub trait Progress {
    /// A launch begins.
    fn begins(&mut self, launching: &Launching);
    /// It has ended.
    fn ended(&mut self, outcome: &Outcome);
}

impl Campaign {
    /// Makes the launches in their order. Ends early where going on makes no
    /// sense: the user asked for the end, the trace cannot be written, or in
    /// the whole first round nothing was recorded and something went wrong.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn carry_out(
        &self,
        launches: Vec<Launching>,
        launcher: &mut dyn Launcher,
        progress: &mut dyn Progress,
    ) -> Result<Vec<Launched>, Failure> {
        let mut made: Vec<Launched> = Vec::with_capacity(launches.len());
        for launching in launches {
            let hopeless = |one: &Launched| {
                one.outcome.trace.is_none() && crate::launch::ending(&one.outcome).is_some()
            };
            if launching.round > 0 && made.iter().all(hopeless) {
                break;
            }
            // It would take too long again.
            if made.iter().any(|one| one.outcome.timed_out && one.launching.is_like(&launching)) {
                continue;
            }
            progress.begins(&launching);
            let outcome = launcher.launch(self.launch(&launching)?)?;
            progress.ended(&outcome);
            let stop = outcome.interrupted.is_some() || outcome.lost.is_some();
            made.push(Launched { launching, outcome });
            if stop {
                break;
            }
        }
        Ok(made)
    }

    fn launch(&self, launching: &Launching) -> Result<Launch<'_>, Failure> {
        let log = self.log.try_clone().map_err(|error| {
            Failure::system(format!("cannot write the program's output: {error}"))
        })?;
        let mut environment: Vec<(&'static str, OsString)> =
            vec![("CLL_ORDER", format!("shuffled:{}", launching.seed).into())];
        if let Some(processors) = launching.processors {
            environment.push(("OMP_NUM_THREADS", processors.to_string().into()));
        }
        Ok(Launch {
            program: &self.program,
            name: &self.name,
            arguments: self.arguments.fill(&launching.values),
            environment,
            folder: self.folder.clone(),
            timeout: Some(self.timeout),
            streams: Streams::Log(log),
            place: None,
        })
    }
}

#[cfg(test)]
mod tests;
