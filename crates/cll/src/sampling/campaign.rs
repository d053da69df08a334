//! Launches carried out one after the other.

use std::ffi::OsString;
use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use cll_contract::{self as contract, Order};

use crate::failure::Failure;
use crate::launch::{Launch, Launcher, Mpirun, Others, Outcome, Streams, Team};
use crate::observing::Observing;
use crate::regime::Placement;

use super::{Launching, Template};

/// How many threads OpenMP has.
const THREADS: &str = "OMP_NUM_THREADS";

/// Bytes before the program's stack, up to a page, by the launch's seed, so that launches differ in what a program
/// cannot choose: where the stack begins moves times by several per cent (Mytkowicz and others, *Producing wrong data
/// without doing anything obviously wrong*, 2009).
fn padding(seed: u64) -> usize {
    const PAGE: u64 = 4096;
    let mixed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    (mixed % PAGE) as usize
}

/// What is launched, and how.
#[derive(Debug)]
pub struct Campaign {
    /// The executable.
    pub program: PathBuf,
    /// The same program without markers, for runs that are not measured. `None`: these are runs of the
    /// one with markers, with the gate closed.
    pub plain: Option<PathBuf>,
    /// Its name in the names of traces.
    pub name: String,
    /// Its arguments.
    pub arguments: Template,
    /// Folder of the traces.
    pub folder: PathBuf,
    /// Folder that it runs in. `None`: ours.
    pub work: Option<PathBuf>,
    /// Where the program's output goes.
    pub log: File,
    /// Whether logs are kept, and what stands before a program of MPI for that.
    pub logged: Option<Vec<OsString>>,
    /// The number in the next trace's name; `None`: the first that is free.
    pub number: Option<u32>,
    /// Variables that the program has beside those that it needs for this.
    pub variables: Vec<(String, OsString)>,
    /// Time after which a launch is ended.
    pub timeout: Duration,
    /// Who shares the work.
    pub team: Team,
    /// What starts MPI's processes; `None` where they are none.
    pub mpirun: Option<Mpirun>,
    /// Whether processes of MPI have threads of OpenMP.
    pub has_threads: bool,
    /// What virtual processors are told; `None` where they are none.
    pub virtually: Option<Vec<(&'static str, OsString)>>,
    /// Whether the machine is watched while it runs.
    pub watched: bool,
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
        let mut environment: Vec<(&str, OsString)> = match launching.gate {
            true => vec![contract::ORDER.set(Order::Shuffled(Some(launching.seed)))],
            false if self.plain.is_some() => Vec::new(),
            false => vec![contract::GATE.set(false)],
        };
        // A simulation gives the same numbers each time.
        if !self.observing.is_simulated() {
            environment.push(contract::PADDING.set(padding(launching.seed)));
        }
        environment.extend(self.observing.environment_of(launching.group));
        if self.logged.is_some() {
            environment.push(contract::LOG.set(true));
        }
        if let Some(processors) = launching.processors {
            environment.extend(self.team.environment(processors));
            environment.extend(self.virtually.iter().flatten().cloned());
            let bound = std::env::var_os("OMP_PROC_BIND").is_some();
            if self.team == Team::Ranks && self.has_threads && std::env::var_os(THREADS).is_none() {
                // The cores shared out among the processes.
                let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
                let each = (cores / processors as usize).max(1);
                environment.push((THREADS, each.to_string().into()));
            }
            if self.team == Team::Threads && self.place.cpus.is_some() && !bound {
                environment.push(("OMP_PROC_BIND", "true".into()));
            }
        }
        let own = self.variables.iter();
        environment.extend(own.map(|(name, value)| (name.as_str(), value.clone())));
        let place = self.placement(launching);
        let arguments = self.arguments.fill(&launching.values, launching.processors);
        Ok(Launch {
            kind: if self.logged.is_some() { "log" } else { "dat" },
            number: self.number,
            program: self.plain.as_ref().filter(|_| !launching.gate).unwrap_or(&self.program),
            name: &self.name,
            wrapper: self.wrapper(launching, &place, &environment),
            processors: 1,
            engine: String::new(),
            machine: String::new(),
            arguments: arguments.into_iter().map(OsString::from).collect(),
            environment,
            folder: self.folder.clone(),
            work: self.work.clone(),
            timeout: Some(self.timeout),
            others: match (&self.mpirun, &self.logged) {
                (None, _) => Others::None,
                (Some(_), None) => Others::Gather,
                (Some(_), Some(_)) => Others::Leave,
            },
            ranks: self.mpirun.as_ref().map(Mpirun::speaker),
            streams: Streams::Log(log),
            place: Some(place),
            watched: self.watched,
        })
    }

    /// What stands before the program.
    fn wrapper(
        &self,
        launching: &Launching,
        place: &Placement,
        environment: &[(&str, OsString)],
    ) -> Vec<OsString> {
        let own = self.observing.wrapper();
        let Some(mpirun) = &self.mpirun else { return own };
        let mut names: Vec<&str> = environment.iter().map(|(name, _)| *name).collect();
        names.extend([contract::OUT.name(), contract::RUN.name()]);
        let mut words = mpirun.words(launching.processors, &names);
        // Threads of a process are not to share one processor.
        let cpus = place.cpus.as_deref().filter(|_| !self.has_threads).unwrap_or_default();
        words.extend(mpirun.binding(cpus));
        words.extend(self.logged.iter().flatten().cloned());
        words.extend(own);
        words
    }

    /// The place of this launch: as many processors as it has threads.
    fn placement(&self, launching: &Launching) -> Placement {
        let fewer = |cpus: &Vec<usize>| {
            let count = match launching.processors.filter(|_| !self.has_threads) {
                Some(count) => count as usize,
                None => cpus.len(),
            };
            cpus.get(cpus.len().saturating_sub(count)..).map(<[usize]>::to_vec)
        };
        let binds = self.team != Team::Threads;
        Placement { cpus: self.place.cpus.as_ref().and_then(fewer), binds, ..self.place.clone() }
    }
}

#[cfg(test)]
mod tests;
