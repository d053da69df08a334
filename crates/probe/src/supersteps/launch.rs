//! One launch of a probe.

use std::env::var_os;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use cll_contract::{self as contract};
use cll_machine::Synchronisation;

use crate::Error;
use cll_contract::Engine;
use cll_launch::machine_state::{MachineObservation, Placement, Processors, Scheduler};
use cll_launch::{
    Host, Launcher, Mpirun, Options, Others, Outcome, Parallelism, Program, Run, Streams, ending,
    launch,
};

use super::output::ProbeOutput;
use super::plan::Launching;
use super::programs::Programs;

/// The result of a launch.
#[derive(Debug)]
pub struct Launched {
    /// The output that the program printed.
    pub output: ProbeOutput,
    /// The observed state of the machine.
    pub seen: MachineObservation,
    /// Whether the user has interrupted it.
    pub interrupted: bool,
}

/// The settings of all launches.
pub struct Launches<'a> {
    /// The programs.
    pub programs: &'a Programs,
    /// The best scheduling that the system grants.
    pub scheduler: Scheduler,
}

/// A sample's supersteps take about this long, nanoseconds.
const SAMPLE: f64 = 3e5;

impl Launches<'_> {
    /// Runs the probe with this plan for at most this number of seconds.
    ///
    /// # Errors
    /// If it cannot be run, or fails; the message has the end of its output.
    pub fn launch(
        &self,
        launching: &Launching,
        plan: &[String],
        seed: u64,
        seconds: f64,
        launcher: &mut dyn Launcher,
    ) -> Result<Launched, Error> {
        let printed = self.programs.folder().join("printed");
        let log = log(&printed)?;
        let mut arguments: Vec<OsString> = vec![
            seed.to_string().into(),
            format!("{seconds:.3}").into(),
            SAMPLE.to_string().into(),
        ];
        arguments.extend(plan.iter().map(OsString::from));
        // Not attached: the thread that starts a bound program ends, and the program would end with it.
        let mut settings = Vec::new();
        if !launching.oversubscribed {
            // A launch is short: the system would find a core for each processor only at its end.
            settings.push(contract::BIND.set(true));
        }
        if launching.synchronisation == Synchronisation::Oblivious {
            settings.push(contract::START.set(contract::Start::Exec));
        }
        let mpi = launching.engine == Engine::Mpi;
        let mpirun = mpi.then(Mpirun::find).transpose()?;
        let options = Options {
            processors: Some(launching.processors),
            engine: Some(launching.engine),
            settings,
            arguments,
            ..Options::default()
        };
        let program = self.programs.program(launching);
        let target = Program { path: &program, parallelism: Parallelism::Bsp, has_threads: false };
        let outcome = launcher.launch(Run {
            launch: launch(&options, &target, &Host::here(mpirun.as_ref())),
            name: "probe",
            number: None,
            kind: "dat",
            processors: launching.processors,
            engine: launching.engine.name().to_owned(),
            machine: String::new(),
            work: None,
            folder: self.programs.folder().to_path_buf(),
            timeout: Some(Duration::from_secs_f64(60.0 + 4.0 * seconds)),
            others: if mpi { Others::Leave } else { Others::None },
            ranks: None,
            streams: Streams::Log(log),
            place: Some(self.place(launching)),
            watched: true,
        })?;
        let text = fs::read(&printed).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let interrupted = outcome.interrupted.is_some();
        if let (Some(how), false) = (ending(&outcome), interrupted) {
            return Err(failed(launching, &how, &text));
        }
        let Outcome { seen, .. } = outcome;
        Ok(Launched {
            output: ProbeOutput::read(&text),
            seen: seen.unwrap_or_default(),
            interrupted,
        })
    }

    /// Chooses the processors and scheduling: with a core for each processor, on these cores and with priority; else as
    /// the system chooses, as for any oversubscribed program.
    fn place(&self, launching: &Launching) -> Placement {
        let cpus = Processors::allowed().choose(launching.processors as usize);
        match cpus.filter(|_| !launching.oversubscribed) {
            None => Placement::free(),
            Some(cpus) => {
                // MPI's own processes need processors, too.
                let mpi = launching.engine == Engine::Mpi;
                let scheduler = if mpi { Scheduler::Ordinary } else { self.scheduler };
                Placement { cpus: Some(cpus), scheduler, binds: true }
            }
        }
    }
}

/// The file in a temporary folder that takes what a probe prints.
pub fn log(printed: &Path) -> Result<File, cll_files::Error> {
    File::create(printed).map_err(|error| cll_files::Error::refused("write", printed, error))
}

/// Why an engine is not available here; `None` if it is.
pub fn is_there(engine: Engine) -> Result<(), Error> {
    if engine == Engine::Mpi {
        Mpirun::find()?;
    }
    Ok(())
}

/// Variables of the user that change the measured times: they are kept, and the file names them.
pub fn variables() -> Vec<String> {
    let names = [contract::MPIRUN.name(), contract::MPICC.name(), contract::CC.name()];
    let named = |name: &&str| Some(format!("{name}={}", var_os(name)?.to_string_lossy()));
    names.iter().filter_map(named).collect()
}

fn failed(launching: &Launching, how: &str, text: &str) -> Error {
    /// The lines at the beginning and at the end.
    const LINES: usize = 4;
    let ours = ["sample ", "empty ", "rate ", "clocks "];
    let mut lines: Vec<&str> = text
        .lines()
        .filter(|line| line.chars().any(char::is_alphanumeric))
        .filter(|line| !ours.iter().any(|word| line.starts_with(word)))
        .map(str::trim)
        .collect();
    if lines.len() > 2 * LINES {
        lines.splice(LINES..lines.len() - LINES, ["[...]"]);
    }
    Error::Supersteps {
        launch: launching.in_words(),
        how: how.to_owned(),
        printed: lines.into_iter().map(str::to_owned).collect(),
    }
}
