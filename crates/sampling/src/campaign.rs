//! Makes launches one after another.

use std::ffi::OsString;
use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use cll_contract::{self as contract, Engine, Order};

use cll_counters::Observing;
use cll_launch::machine_state::Placement;
use cll_launch::{
    Binding, Host, Launch, Launcher, Mpirun, Options, Others, Outcome, Parallelism, Program, Run,
    Streams, launch,
};

use super::{Launching, Template};
use crate::Error;

/// Bytes before the program's stack, up to a page, by the launch's seed. They vary a condition that a program
/// cannot control: the start of the stack changes times by several per cent (Mytkowicz and others, *Producing
/// wrong data without doing anything obviously wrong*, 2009).
fn padding(seed: u64) -> usize {
    const PAGE: u64 = 4096;
    let mixed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    (mixed % PAGE) as usize
}

/// The settings of the launches.
#[derive(Debug)]
pub struct Campaign {
    /// The executable.
    pub program: PathBuf,
    /// The same program without markers, for runs that are not measured. `None`: such runs are of the program with
    /// markers, with the gate closed.
    pub plain: Option<PathBuf>,
    /// The name in the names of traces.
    pub name: String,
    /// The arguments.
    pub arguments: Template,
    /// Folder of the traces.
    pub folder: PathBuf,
    /// The working directory. `None`: ours.
    pub work: Option<PathBuf>,
    /// The file for the program's output.
    pub log: File,
    /// Whether logs are kept, and the command before an MPI program for that.
    pub logged: Option<Vec<OsString>>,
    /// The number in the next trace's name; `None`: the first free one.
    pub number: Option<u32>,
    /// Variables of the program, besides those that this needs.
    pub variables: Vec<(String, OsString)>,
    /// The time limit of a launch.
    pub timeout: Duration,
    /// How its processors run.
    pub parallelism: Parallelism,
    /// The launcher of MPI processes; `None` without MPI.
    pub mpirun: Option<Mpirun>,
    /// Whether MPI processes have OpenMP threads.
    pub has_threads: bool,
    /// Settings of virtual processors; `None` without them.
    pub virtually: Option<Vec<(&'static str, OsString)>>,
    /// Whether the machine is observed meanwhile.
    pub watched: bool,
    /// The processors for the program.
    pub place: Placement,
    /// The observables that are recorded besides the times, and how the program is run for that.
    pub observing: Observing,
    /// Launches that exceeded the time limit: they are not repeated.
    pub too_long: Vec<Launching>,
}

/// A completed launch.
#[derive(Debug)]
pub struct Launched {
    /// The settings.
    pub launching: Launching,
    /// The result.
    pub outcome: Outcome,
}

/// Receives the progress.
pub trait Progress {
    /// A launch begins.
    fn begins(&mut self, launching: &Launching);
    /// It has ended.
    fn ended(&mut self, outcome: &Outcome);
}

impl Launched {
    /// Whether the launches should end: the user has interrupted, or the trace cannot be written.
    pub fn is_last(&self) -> bool {
        self.outcome.interrupted.is_some() || self.outcome.lost.is_some()
    }

    /// Whether it failed and left no trace.
    pub fn is_vain(&self) -> bool {
        self.outcome.trace.is_none() && cll_launch::ending(&self.outcome).is_some()
    }
}

impl Campaign {
    /// A campaign of a sequential program that is named after its file, whose times alone are recorded.
    pub fn new(
        program: PathBuf,
        arguments: Template,
        folder: PathBuf,
        log: File,
        timeout: Duration,
    ) -> Campaign {
        Campaign {
            name: cll_files::base(&program),
            program,
            plain: None,
            arguments,
            folder,
            work: None,
            log,
            logged: None,
            number: None,
            variables: Vec::new(),
            timeout,
            parallelism: Parallelism::default(),
            mpirun: None,
            has_threads: false,
            virtually: None,
            watched: false,
            place: Placement::default(),
            observing: Observing::default(),
            too_long: Vec::new(),
        }
    }

    /// Makes the launches in order, up to the first after which they should end.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn carry_out(
        &mut self,
        launches: Vec<Launching>,
        launcher: &mut dyn Launcher,
        progress: &mut dyn Progress,
    ) -> Result<Vec<Launched>, Error> {
        let mut made: Vec<Launched> = Vec::with_capacity(launches.len());
        for launching in launches {
            if self.too_long.iter().any(|known| known.is_like(&launching)) {
                continue;
            }
            progress.begins(&launching);
            let outcome = launcher.launch(self.run(&launching)?)?;
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

    fn run(&self, launching: &Launching) -> Result<Run<'_>, Error> {
        // The output is kept only once.
        let log = if launching.gate {
            self.log.try_clone()
        } else {
            File::options().write(true).open("/dev/null")
        };
        let log = log.map_err(Error::Output)?;
        Ok(Run {
            launch: self.launch(launching),
            kind: if self.logged.is_some() { "log" } else { "dat" },
            number: self.number,
            name: &self.name,
            processors: 1,
            engine: self.engine().map_or(String::new(), |engine| engine.name().to_owned()),
            machine: String::new(),
            folder: self.folder.clone(),
            work: self.work.clone(),
            timeout: Some(self.timeout),
            others: match (&self.mpirun, &self.logged) {
                (None, _) => Others::None,
                (Some(_), None) => Others::Gather,
                (Some(_), Some(_)) => Others::Leave,
            },
            ranks: self.mpirun.as_ref().map(Mpirun::launcher_kind),
            streams: Streams::Log(log),
            place: Some(self.placement(launching)),
            watched: self.watched,
        })
    }

    /// The engine of a BSP program.
    fn engine(&self) -> Option<Engine> {
        let is_bsp = matches!(self.parallelism, Parallelism::Bsp | Parallelism::Objects);
        let engine = if self.virtually.is_some() { Engine::Virtual } else { Engine::Processes };
        is_bsp.then_some(engine)
    }

    fn launch(&self, launching: &Launching) -> Launch {
        let mut settings = if launching.gate {
            vec![contract::ORDER.set(Order::Shuffled(Some(launching.seed)))]
        } else if self.plain.is_some() {
            Vec::new()
        } else {
            vec![contract::GATE.set(false)]
        };
        // A simulation gives equal numbers each time.
        if !self.observing.is_simulated() {
            settings.push(contract::PADDING.set(padding(launching.seed)));
        }
        settings.extend(self.observing.environment_of(launching.group));
        if launching.processors.is_some() {
            settings.extend(self.virtually.iter().flatten().cloned());
        }
        let arguments = self.arguments.fill(&launching.values, launching.processors);
        let before = match self.mpirun {
            Some(_) => self.logged.iter().flatten().cloned().collect(),
            None => Vec::new(),
        };
        let options = Options {
            processors: launching.processors,
            logged: self.logged.is_some(),
            bound: true,
            cpus: self.place.cpus.clone(),
            settings,
            variables: self.variables.clone(),
            before: [before, self.observing.wrapper()].concat(),
            arguments: arguments.into_iter().map(OsString::from).collect(),
            ..Options::default()
        };
        let path = self.plain.as_ref().filter(|_| !launching.gate).unwrap_or(&self.program);
        let program =
            Program { path, parallelism: self.parallelism, has_threads: self.has_threads };
        launch(&options, &program, &Host::here(self.mpirun.as_ref()))
    }

    /// The processors of this launch: one for each of its threads.
    fn placement(&self, launching: &Launching) -> Placement {
        let Binding { cpus, binds } = self.launch(launching).binding;
        Placement { cpus, binds, ..self.place.clone() }
    }
}

#[cfg(test)]
mod tests;
