//! Launches carried out one after the other.

use std::ffi::OsString;
use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use crate::failure::Failure;
use crate::launch::{Launch, Launcher, Outcome, Streams, Team};
use crate::observing::Observing;
use crate::regime::Placement;

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
    /// Who shares the work.
    pub team: Team,
    /// What virtual processors are told; `None` where they are none.
    pub virtually: Option<Vec<(&'static str, OsString)>>,
    /// Where the program runs.
    pub place: Placement,
    /// What is recorded beside the times, and how the program is run for that.
    pub observing: Observing,
    /// Launches whose time was up: they are not made again.
    pub too_long: Vec<Launching>,
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

impl Launched {
    /// Whether to go on makes no sense: the user asked for the end, or the trace cannot be written.
    pub fn is_last(&self) -> bool {
        self.outcome.interrupted.is_some() || self.outcome.lost.is_some()
    }

    /// Whether it went wrong and left nothing.
    pub fn is_vain(&self) -> bool {
        self.outcome.trace.is_none() && crate::launch::ending(&self.outcome).is_some()
    }
}

impl Campaign {
    /// Makes the launches in their order, up to the first after which to go on makes no sense.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn carry_out(
        &mut self,
        launches: Vec<Launching>,
        launcher: &mut dyn Launcher,
        progress: &mut dyn Progress,
    ) -> Result<Vec<Launched>, Failure> {
        let mut made: Vec<Launched> = Vec::with_capacity(launches.len());
        for launching in launches {
            if self.too_long.iter().any(|one| one.is_like(&launching)) {
                continue;
            }
            progress.begins(&launching);
            let outcome = launcher.launch(self.launch(&launching)?)?;
            progress.ended(&outcome);
            if outcome.timed_out {
                self.too_long.push(launching.clone());
            }
            made.push(Launched { launching, outcome });
            if made.last().is_some_and(Launched::is_last) {
                break;
            }
        }
        Ok(made)
    }

    fn launch(&self, launching: &Launching) -> Result<Launch<'_>, Failure> {
        // What it prints is of interest once.
        let log = match launching.gate {
            true => self.log.try_clone(),
            false => File::options().write(true).open("/dev/null"),
        };
        let log = log.map_err(|error| {
            Failure::system(format!("cannot write the program's output: {error}"))
        })?;
        let mut environment: Vec<(&'static str, OsString)> = match launching.gate {
            true => vec![("CLL_ORDER", format!("shuffled:{}", launching.seed).into())],
            false => vec![("CLL_GATE", "off".into())],
        };
        environment.extend(self.observing.environment());
        if let Some(processors) = launching.processors {
            environment.extend(self.team.environment(processors));
            environment.extend(self.virtually.iter().flatten().cloned());
            let bound = std::env::var_os("OMP_PROC_BIND").is_some();
            if self.team == Team::Threads && self.place.cpus.is_some() && !bound {
                environment.push(("OMP_PROC_BIND", "true".into()));
            }
        }
        Ok(Launch {
            kind: "dat",
            program: &self.program,
            name: &self.name,
            wrapper: self.observing.wrapper(),
            processors: 1,
            engine: String::new(),
            machine: String::new(),
            arguments: self.arguments.fill(&launching.values),
            environment,
            folder: self.folder.clone(),
            timeout: Some(self.timeout),
            by_others: false,
            streams: Streams::Log(log),
            place: Some(self.placement(launching)),
        })
    }

    /// The place of this launch: as many processors as it has threads.
    fn placement(&self, launching: &Launching) -> Placement {
        let fewer = |cpus: &Vec<usize>| {
            let count = launching.processors.map_or(cpus.len(), |count| count as usize);
            cpus.get(cpus.len().saturating_sub(count)..).map(<[usize]>::to_vec)
        };
        let binds = self.team != Team::Threads;
        Placement { cpus: self.place.cpus.as_ref().and_then(fewer), binds, ..self.place.clone() }
    }
}

#[cfg(test)]
mod tests;
