//! Rounds of launches of the probes of memory and operations.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::time::Duration;

use cll_statistics::{interval_of_median, median, sorted};
use fastrand::Rng;

use super::kernels::Kernels;
use super::output::{KernelOutput, Timed};
use super::plan::KernelLaunch;
use crate::Error;
use crate::Progress;
use crate::round_clock::RoundClock;
use crate::supersteps::log;
use cll_launch::machine_state::{MachineObservation, Placement, Processors, Scheduler};
use cll_launch::{
    Host, Launcher, Options, Others, Parallelism, Program, Run, Streams, ending, launch,
};

/// The smallest number of rounds.
const MIN_ROUNDS: usize = 3;
/// The largest number of rounds.
const MAX_ROUNDS: usize = 15;
/// Enough rounds have been made when the intervals are within this share of their values,
const NARROW: f64 = 0.01;
/// at this share of the points.
const MOST: f64 = 0.75;
/// A launch that has not ended after this many times its share of the time is stopped.
const PATIENCE: f64 = 4.0;

/// The settings, and what has been measured.
pub struct AnalyzerRounds<'a> {
    /// The programs.
    pub kernels: &'a Kernels,
    /// The best scheduling that the system grants.
    pub scheduler: Scheduler,
    /// The launches of each round.
    pub plan: Vec<KernelLaunch>,
    /// The time limit, in seconds.
    pub budget: f64,
    /// Whether the smallest number of rounds is enough.
    pub quick: bool,
    /// The seed of the order.
    pub seed: u64,
    /// The samples.
    pub samples: Vec<Timed>,
    /// The state of the machine in each round, during launches on one core.
    pub seen: Vec<MachineObservation>,
    /// Complete rounds.
    pub done: usize,
    /// The tasks that the probes could not do, in words.
    pub missing: Vec<String>,
}

impl AnalyzerRounds<'_> {
    /// Makes rounds until the intervals are narrow or the time is up; returns the seconds that they took.
    ///
    /// # Errors
    /// If a probe fails, or the user interrupts before there are enough rounds.
    pub fn measure(
        &mut self,
        launcher: &mut dyn Launcher,
        progress: &mut dyn Progress,
    ) -> Result<f64, Error> {
        let most = if self.quick { MIN_ROUNDS } else { MAX_ROUNDS };
        let mut clock = RoundClock::begin(self.budget, MIN_ROUNDS, most);
        while let Some(seconds) = clock.next_round() {
            if clock.has_enough() && self.is_narrow() {
                break;
            }
            // A round in which much is left out is worth little: at least some seconds.
            if !self.round(seconds.max(2.0), &clock, launcher, progress)? {
                self.samples.retain(|timed| timed.round < self.done);
                clock.interrupt()?;
                break;
            }
            self.done += 1;
            clock.end_round();
        }
        Ok(clock.elapsed())
    }

    /// Makes one round in about this number of seconds; `false` if the user interrupted it.
    fn round(
        &mut self,
        seconds: f64,
        clock: &RoundClock,
        launcher: &mut dyn Launcher,
        progress: &mut dyn Progress,
    ) -> Result<bool, Error> {
        let mut rng = Rng::with_seed(self.seed.wrapping_add(self.done as u64));
        let mut order = self.plan.clone();
        rng.shuffle(&mut order);
        let shares: f64 = order.iter().map(|launch| launch.share).sum();
        let mut seen: Option<MachineObservation> = None;
        for mut launch in order {
            let cores = if launch.cores == 1 {
                "1 core".to_owned()
            } else {
                format!("{} cores", launch.cores)
            };
            progress.say(self.done, clock.left(), &format!("{}, {cores}", launch.kernel.name()));
            rng.shuffle(&mut launch.points);
            let (output, state) = match self.launch(
                &launch,
                rng.u32(..),
                seconds * launch.share / shares,
                launcher,
            )? {
                Some(launched) => launched,
                None => return Ok(false),
            };
            self.samples.extend(output.samples);
            for text in output.missing {
                if !self.missing.contains(&text) {
                    self.missing.push(text);
                }
            }
            if launch.cores == 1 {
                match &mut seen {
                    Some(all) => all.add(state),
                    None => seen = Some(state),
                }
            }
        }
        self.seen.push(seen.unwrap_or_default());
        Ok(true)
    }

    /// Runs a probe; `None` if the user interrupted it.
    fn launch(
        &self,
        kernel_launch: &KernelLaunch,
        seed: u32,
        seconds: f64,
        launcher: &mut dyn Launcher,
    ) -> Result<Option<(KernelOutput, MachineObservation)>, Error> {
        let printed = self.kernels.folder().join("printed");
        let log = log(&printed)?;
        let mut arguments: Vec<OsString> =
            vec![seed.to_string().into(), format!("{seconds:.3}").into()];
        arguments.extend(kernel_launch.points.iter().map(OsString::from));
        let path = self.kernels.program(kernel_launch.kernel);
        let options = Options { arguments, ..Options::default() };
        let program =
            Program { path: &path, parallelism: Parallelism::Threads, has_threads: false };
        let cpus = Processors::allowed().choose(kernel_launch.cores as usize);
        // Threads that wait for each other with priority may keep others from ending.
        let scheduler = if kernel_launch.cores == 1 { self.scheduler } else { Scheduler::Ordinary };
        let outcome = launcher.launch(Run {
            launch: launch(&options, &program, &Host::here(None)),
            name: kernel_launch.kernel.name(),
            number: None,
            kind: "dat",
            processors: 1,
            engine: String::new(),
            machine: String::new(),
            work: None,
            folder: self.kernels.folder().to_path_buf(),
            timeout: Some(Duration::from_secs_f64(60.0 + PATIENCE * seconds)),
            others: Others::None,
            ranks: None,
            streams: Streams::Log(log),
            place: Some(Placement { cpus, scheduler, ..Placement::free() }),
            watched: true,
        })?;
        let text = fs::read(&printed).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        if outcome.interrupted.is_some() {
            return Ok(None);
        }
        let output = KernelOutput::read(&text, self.done);
        if let Some(how) = ending(&outcome) {
            let last = text.lines().rev().find(|line| !line.starts_with("sample "));
            let (kernel, printed) = (kernel_launch.kernel.name(), last.map(str::to_owned));
            return Err(Error::Kernel { kernel, how, printed });
        }
        Ok(Some((output, outcome.seen.unwrap_or_default())))
    }

    /// Whether the intervals of most points are narrow.
    fn is_narrow(&self) -> bool {
        let points = points(&self.samples);
        let narrow = points.values().filter(|times| {
            let sorted = sorted(times.iter().map(|(_, time)| *time));
            let middle = median(sorted.iter().copied());
            let interval = interval_of_median(&sorted, 0.95).zip(middle);
            interval.is_some_and(|((low, high), middle)| {
                (high - middle).max(middle - low) <= NARROW * middle
            })
        });
        narrow.count() as f64 >= MOST * points.len() as f64
    }
}

/// A point: its kind, name, stride, working set and cores.
pub type PointKey<'a> = (&'static str, &'a str, u64, u64, u32);

/// The round and the time of each sample of a point. Samples under load are told apart by the pause of the others, since their
/// rate is measured.
pub fn points(samples: &[Timed]) -> BTreeMap<PointKey<'_>, Vec<(usize, f64)>> {
    let mut points: BTreeMap<_, Vec<(usize, f64)>> = BTreeMap::new();
    for Timed { sample, round, .. } in samples {
        let loaded = sample.kind == cll_machine::SampleKind::Loaded;
        let bytes = if loaded { 0 } else { sample.bytes as u64 };
        let key = (sample.kind.name(), &sample.name[..], sample.stride as u64, bytes, sample.cores);
        points.entry(key).or_default().push((*round, sample.time));
    }
    points
}
