//! Rounds of launches of the probe of MPIs.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::Error;
use cll_launch::machine_state::{MachineObservation, Placement, Processors};
use cll_launch::{
    Host, Launcher, Options, Others, Parallelism, Program, Run, Streams, ending, launch,
};
use cll_machine::MpiSample;
use fastrand::Rng;

use super::libraries::{Libraries, Library, said};
use super::output::{MpiOutput, MpiTimed};
use super::plan::{EAGER, MpiPlan, ProcessPair};
use crate::Progress;
use crate::round_clock::RoundClock;
use crate::supersteps::log;

/// The smallest number of rounds.
const MIN_ROUNDS: usize = 3;
/// The largest number of rounds.
const MAX_ROUNDS: usize = 9;
/// The least time of a launch, in seconds: in less it measures nothing.
const LEAST: f64 = 0.5;
/// To find a pair on one host, and one on two, at most this many processes are started.
const MAX_LAYOUT: u32 = 4;

/// The settings, and what has been measured.
pub struct MpiRounds<'a> {
    /// The MPIs; one that fails is taken out.
    pub libraries: Libraries,
    /// Sizes and numbers of processes.
    pub plan: MpiPlan,
    /// Folder for the files of launches.
    pub folder: &'a Path,
    /// The time limit, in seconds.
    pub budget: f64,
    /// Whether the smallest number of rounds is enough.
    pub quick: bool,
    /// The seed of the order.
    pub seed: u64,
    /// The samples.
    pub samples: Vec<MpiTimed>,
    /// The state of the machine in each round.
    pub seen: Vec<MachineObservation>,
    /// Complete rounds.
    pub done: usize,
}

/// A launch of a round.
#[derive(Clone, Debug)]
enum Launching {
    /// The pairs of this kind, among so many processes.
    Messages(ProcessPair, u32),
    /// Collectives.
    Collectives(u32),
    /// Nothing: how long the start takes.
    Start(u32),
}

/// The result of a launch; `None` if the user interrupted it.
type Launched = Option<(MpiOutput, MachineObservation, f64)>;

impl MpiRounds<'_> {
    /// Makes rounds until the time is up; returns the seconds that they took.
    ///
    /// # Errors
    /// If no MPI can be measured, or the user interrupts before there are enough rounds.
    pub fn measure(
        &mut self,
        launcher: &mut dyn Launcher,
        progress: &mut dyn Progress,
    ) -> Result<f64, Error> {
        let most = if self.quick { MIN_ROUNDS } else { MAX_ROUNDS };
        let mut clock = RoundClock::begin(self.budget, MIN_ROUNDS, most);
        let mut plan: Vec<(Library, Vec<Launching>)> = Vec::new();
        for mut library in self.libraries.all.clone() {
            progress.say(0, self.budget, &library.family);
            match self.layout(&library, launcher) {
                Ok(Some(launches)) => {
                    let is_between = |launching: &Launching| {
                        matches!(launching, Launching::Messages(ProcessPair::Between, _))
                    };
                    library.binds = !launches.iter().any(is_between);
                    plan.push((library, launches));
                }
                Ok(None) => return clock.interrupt().map(|()| clock.elapsed()),
                Err(failure) => self.give_up(&library, &failure),
            }
        }
        while let Some(seconds) = clock.next_round() {
            if self.libraries.all.is_empty() {
                return Err(Error::NoMpi { missing: self.libraries.missing.clone() });
            }
            if !self.round(&plan, seconds, &clock, launcher, progress)? {
                self.samples.retain(|timed| timed.sample.round < self.done);
                clock.interrupt()?;
                break;
            }
            self.done += 1;
            clock.end_round();
        }
        Ok(clock.elapsed())
    }

    /// The launches of a round: which pairs there are depends on where the launcher puts processes.
    fn layout(
        &self,
        library: &Library,
        launcher: &mut dyn Launcher,
    ) -> Result<Option<Vec<Launching>>, Error> {
        let (mut within, mut between) = (None, None);
        for processes in 2..=MAX_LAYOUT {
            let points = ["barrier::0".to_owned()];
            let placement = (ProcessPair::Within, processes);
            let Some((output, ..)) =
                self.launch(library, placement, &points, (1, LEAST), launcher)?
            else {
                return Ok(None);
            };
            within = within.or(output.pairs.0.then_some(processes));
            between = between.or(output.pairs.1.then_some(processes));
            // On one host alone there is nothing more to be found.
            if within.is_some() {
                break;
            }
        }
        let mut all: Vec<Launching> = Vec::new();
        all.extend(within.map(|processes| Launching::Messages(ProcessPair::Within, processes)));
        all.extend(between.map(|processes| Launching::Messages(ProcessPair::Between, processes)));
        all.extend(self.plan.processes.iter().map(|count| Launching::Collectives(*count)));
        all.push(Launching::Start(1));
        all.extend(self.plan.processes.iter().map(|count| Launching::Start(*count)));
        Ok(Some(all))
    }

    /// Makes one round in about this number of seconds; `false` if the user interrupted it.
    fn round(
        &mut self,
        plan: &[(Library, Vec<Launching>)],
        seconds: f64,
        clock: &RoundClock,
        launcher: &mut dyn Launcher,
        progress: &mut dyn Progress,
    ) -> Result<bool, Error> {
        let mut rng = Rng::with_seed(self.seed.wrapping_add(self.done as u64));
        let mut order: Vec<(&Library, Launching)> = plan
            .iter()
            .flat_map(|(library, all)| {
                all.iter().map(move |launching| (library, launching.clone()))
            })
            .collect();
        rng.shuffle(&mut order);
        let measuring = order.iter().filter(|pair| !matches!(pair.1, Launching::Start(_))).count();
        let share = (seconds / measuring.max(1) as f64).max(LEAST);
        let mut seen: Option<MachineObservation> = None;
        for (library, what) in order {
            if self.libraries.all.iter().all(|other| other.family != library.family) {
                continue;
            }
            let (placement, mut points, words) = match what {
                Launching::Messages(pair, count) => {
                    ((pair, count), self.plan.messages(), format!("messages {} hosts", pair.name()))
                }
                Launching::Collectives(count) => {
                    let words = format!("collectives of {count}");
                    ((ProcessPair::Within, count), self.plan.collectives(), words)
                }
                Launching::Start(count) => {
                    ((ProcessPair::Within, count), Vec::new(), "start".to_owned())
                }
            };
            progress.say(self.done, clock.left(), &format!("{}, {words}", library.family));
            rng.shuffle(&mut points);
            if matches!(what, Launching::Messages(..)) {
                // The limits come first: whatever else there is no time for, they are found.
                points.insert(0, EAGER.to_owned());
            }
            let launched =
                match self.launch(library, placement, &points, (rng.u32(..), share), launcher) {
                    Ok(Some(launched)) => launched,
                    Ok(None) => return Ok(false),
                    Err(failure) => {
                        self.give_up(library, &failure);
                        continue;
                    }
                };
            self.keep(library, placement.1, launched, &mut seen);
        }
        self.seen.push(seen.unwrap_or_default());
        Ok(true)
    }

    fn keep(
        &mut self,
        library: &Library,
        processes: u32,
        (output, state, wall): (MpiOutput, MachineObservation, f64),
        seen: &mut Option<MachineObservation>,
    ) {
        if output.library.is_empty() {
            // Named when all is known: the probe that only begins and ends says nothing.
            let sample = MpiSample {
                mpi: library.family.clone(),
                hosts: 1,
                call: "start".to_owned(),
                partner: "-".to_owned(),
                bytes: 0.0,
                processes,
                round: self.done,
                value: wall,
            };
            let zero =
                MpiTimed { sample, wall, cpu: 0.0, switches: 0, canary: 0.0, neighbour: 0.0 };
            self.samples.push(zero);
        }
        self.samples.extend(output.samples);
        for text in output.missing {
            let text = format!("{}: {text}", library.family);
            if !self.libraries.missing.contains(&text) {
                self.libraries.missing.push(text);
            }
        }
        // MPI has processes of its own, and they make each other wait.
        let state = MachineObservation { involuntary: 0.0, waiting: None, ..state };
        match seen {
            Some(all) => all.add(state),
            None => *seen = Some(state),
        }
    }

    /// Leaves out an MPI that does not work here, and records the reason.
    fn give_up(&mut self, library: &Library, error: &Error) {
        self.libraries.all.retain(|other| other.family != library.family);
        self.samples.retain(|timed| !timed.sample.mpi.starts_with(&library.family));
        self.libraries.missing.push(format!("{}: {}", library.family, said(error)));
    }

    /// Runs the probe; also how long that took, in seconds.
    fn launch(
        &self,
        library: &Library,
        (pair, processes): (ProcessPair, u32),
        points: &[String],
        (seed, seconds): (u32, f64),
        launcher: &mut dyn Launcher,
    ) -> Result<Launched, Error> {
        let printed = self.folder.join("printed");
        let log = log(&printed)?;
        let mut arguments: Vec<OsString> =
            vec![seed.to_string().into(), format!("{seconds:.3}").into(), pair.name().into()];
        arguments.extend(points.iter().map(OsString::from));
        // A core for each process: without that the system would move them.
        let cpus = Processors::allowed().choose(processes as usize).filter(|_| library.binds);
        let bound = cpus.is_some();
        let options = Options {
            processors: Some(processes),
            bound,
            cpus: cpus.clone(),
            arguments,
            ..Options::default()
        };
        let program =
            Program { path: &library.program, parallelism: Parallelism::Ranks, has_threads: false };
        let begin = Instant::now();
        let outcome = launcher.launch(Run {
            launch: launch(&options, &program, &Host::here(Some(&library.mpirun))),
            name: "probe",
            number: None,
            kind: "dat",
            processors: processes,
            engine: String::new(),
            machine: String::new(),
            work: None,
            folder: self.folder.to_path_buf(),
            timeout: Some(Duration::from_secs_f64(60.0 + 4.0 * seconds)),
            others: Others::Leave,
            ranks: None,
            streams: Streams::Log(log),
            place: Some(Placement { cpus, ..Placement::free() }),
            watched: true,
        })?;
        let wall = begin.elapsed().as_secs_f64();
        if outcome.interrupted.is_some() {
            return Ok(None);
        }
        let text = fs::read(&printed).unwrap_or_default();
        let output = MpiOutput::read(&String::from_utf8_lossy(&text), self.done);
        if let Some(how) = ending(&outcome) {
            let text = String::from_utf8_lossy(&text);
            let line =
                text.lines().map(str::trim).find(|line| line.chars().any(char::is_alphabetic));
            return Err(Error::Mpi { how, printed: line.map(str::to_owned) });
        }
        if !output.ended {
            return Err(Error::Unfinished);
        }
        Ok(Some((output, outcome.seen.unwrap_or_default(), wall)))
    }
}
