//! Measures the overhead of measuring: runs with markers and without, one after the other within the rounds.
//!
//! Why: decision 0012.

use std::path::{Path, PathBuf};
use std::time::Instant;

use cll_fit::{Cost, MIN_PAIRS, OverheadStart, Pair, Regions, cost, overhead};
use cll_result::{Against, CodeModel, DilationModel, Measuring};
use cll_units::Seconds;
use tempfile::TempDir;

use super::{Sampler, View};
use crate::Error;
use crate::evaluate::Evaluation;
use cll_analysis::read_together;
use cll_files as files;
use cll_launch::Launcher;
use cll_sampling::{Goal, Launched, Launching, Paired, SamplingProgress, few};

/// The largest share of the time for runs without markers.
const MAX_SHARE: f64 = 0.15;

/// Pairs of runs of the empty program; each takes about 20 ms.
const EMPTY_PAIRS: usize = 7;
const EMPTY_SECONDS: f64 = 0.7;
/// In a longer run, seconds, the start of the library is negligible.
const MAX_RUN_SECONDS: f64 = 1.0;

/// The comparison so far.
#[derive(Debug, Default)]
pub struct Overhead {
    /// The program without markers; `None`: there is no comparison.
    pub against: Option<Against>,
    /// Why there is no program without markers.
    pub because: Option<String>,
    /// The run to compare, once it is chosen.
    chosen: Option<Chosen>,
    /// Seconds spent on the comparison.
    spent: f64,
    /// The run after which the comparison ends early.
    pub ended: Option<Launched>,
    /// An empty program with markers and without.
    empty: Option<Empty>,
    /// Lines for which the compiler made other code, if that was checked.
    pub code: Option<Vec<CodeModel>>,
}

/// A program that only starts and ends, and its file.
#[derive(Debug)]
struct Empty {
    with: PathBuf,
    without: PathBuf,
    place: TempDir,
}

/// A run to compare, and its time.
#[derive(Clone, Debug)]
struct Chosen {
    launching: Launching,
    seconds: f64,
}

impl Overhead {
    /// A comparison without any runs.
    pub fn new(against: Option<Against>, because: Option<String>) -> Overhead {
        Overhead { against, because, ..Overhead::default() }
    }

    /// With an empty program, if it can be built in the folder.
    pub fn with_empty(
        mut self,
        build: impl FnOnce(&Path) -> Result<(PathBuf, PathBuf), Error>,
    ) -> Overhead {
        if self.against == Some(Against::Plain)
            && let Ok(place) = files::temporary_folder()
            && let Ok((with, without)) = build(place.path())
        {
            self.empty = Some(Empty { with, without, place });
        }
        self
    }

    /// Whether there is time for a run of this number of seconds.
    fn may(&self, seconds: f64, pairs: usize, goal: &Goal, progress: &SamplingProgress) -> bool {
        let all = if pairs < MIN_PAIRS { time(goal, progress) } else { progress.elapsed };
        self.spent + seconds <= MAX_SHARE * all
    }
}

/// Seconds that the sampling may take.
fn time(goal: &Goal, progress: &SamplingProgress) -> f64 {
    let asked = goal.launches.map_or(0.0, |count| f64::from(count) * progress.round_time);
    goal.budget.seconds.max(asked)
}

/// Seconds of processor time; of elapsed time for a launch that was not observed.
fn seconds(launched: &Launched) -> f64 {
    let outcome = &launched.outcome;
    outcome.seen.as_ref().map_or(outcome.wall.as_secs_f64(), |seen| seen.cpu)
}

fn is_whole(launched: &Launched) -> bool {
    let outcome = &launched.outcome;
    !outcome.timed_out && outcome.interrupted.is_none() && outcome.lost.is_none()
}

impl Sampler<'_> {
    /// Makes a launch. If it is the one to compare, also a run without markers, alternately before and after it.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn in_pair(
        &mut self,
        launching: Launching,
        progress: &SamplingProgress,
        launcher: &mut dyn Launcher,
        view: &mut dyn View,
    ) -> Result<Vec<Launched>, Error> {
        let pairs = self.pairs().len();
        let chosen = self.overhead.chosen.as_ref().filter(|chosen| {
            chosen.launching.is_like(&launching)
                && launching.group == 0
                && self.overhead.may(chosen.seconds, pairs, &self.goal, progress)
        });
        let is_due = self.overhead.against.is_some() && chosen.is_some();
        let is_first = launching.round % 2 == 1;
        let mut without = None;
        if is_due && is_first {
            without = self.without(&launching, launcher, view)?;
            if self.overhead.ended.is_some() {
                return Ok(Vec::new());
            }
        }
        let launches = self.campaign.carry_out(vec![launching.clone()], launcher, view)?;
        let is_last = launches.iter().any(Launched::is_last);
        if is_due && !is_first && !is_last {
            without = self.without(&launching, launcher, view)?;
        }
        if let (Some(with), Some(without)) = (launches.last(), without) {
            self.pair(with, &without);
        }
        Ok(launches)
    }

    /// Chooses the run to compare when all have run once: the longest for which there is time, among a few.
    /// Compares it for the first time.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn first_pair(
        &mut self,
        launches: &[Launched],
        progress: &SamplingProgress,
        launcher: &mut dyn Launcher,
        view: &mut dyn View,
    ) -> Result<(), Error> {
        let goes_on = launches.iter().all(|launch| is_whole(launch) && !launch.is_last());
        if self.overhead.against.is_none() || self.overhead.chosen.is_some() || !goes_on {
            return Ok(());
        }
        let candidates = few(&self.grid, 0);
        let seen = candidates.iter().rev().filter_map(|launching| {
            launches.iter().find(|candidate| {
                candidate.launching.is_like(launching) && candidate.launching.group == 0
            })
        });
        // A comparison of an earlier call is continued.
        let before = self.pairs().last().map(|pair| (pair.values.clone(), pair.processors));
        let fits = |launch: &&Launched| match &before {
            Some((values, processors)) => {
                launch.launching.values == *values && launch.launching.processors == *processors
            }
            None => {
                let seconds = launch.outcome.wall.as_secs_f64();
                MIN_PAIRS as f64 * seconds <= MAX_SHARE * time(&self.goal, progress)
            }
        };
        let Some(with) = seen.into_iter().find(fits) else { return Ok(()) };
        let chosen = with.launching.clone();
        let seconds = with.outcome.wall.as_secs_f64();
        self.overhead.chosen = Some(Chosen { launching: chosen.clone(), seconds });
        if before.is_none()
            && let Some(without) = self.without(&chosen, launcher, view)?
        {
            self.pair(with, &without);
        }
        if self.overhead.ended.is_none() && seconds < MAX_RUN_SECONDS {
            self.start(progress, launcher, view)?;
        }
        Ok(())
    }

    /// Measures the start of the library.
    fn start(
        &mut self,
        progress: &SamplingProgress,
        launcher: &mut dyn Launcher,
        view: &mut dyn View,
    ) -> Result<(), Error> {
        let is_known = self.saved.empty.len() >= MIN_PAIRS;
        if is_known || self.overhead.spent + EMPTY_SECONDS > MAX_SHARE * time(&self.goal, progress)
        {
            return Ok(());
        }
        let Some(empty) = self.overhead.empty.take() else { return Ok(()) };
        let begin = Instant::now();
        let own = (
            std::mem::replace(&mut self.campaign.program, empty.with),
            // The comparison of the user's program is not relevant here.
            self.campaign.plain.replace(empty.without),
            std::mem::take(&mut self.campaign.arguments),
            std::mem::replace(&mut self.campaign.folder, empty.place.path().to_path_buf()),
        );
        let result = self.empty_pairs(launcher, view);
        (
            self.campaign.program,
            self.campaign.plain,
            self.campaign.arguments,
            self.campaign.folder,
        ) = own;
        self.overhead.spent += begin.elapsed().as_secs_f64();
        result
    }

    fn empty_pairs(
        &mut self,
        launcher: &mut dyn Launcher,
        view: &mut dyn View,
    ) -> Result<(), Error> {
        for pair in 0..EMPTY_PAIRS {
            let first = pair % 2 == 0;
            let launching = |gate| Launching {
                round: 0,
                values: Vec::new(),
                processors: None,
                group: 0,
                seed: 0,
                gate,
            };
            let launches = vec![launching(first), launching(!first)];
            let mut launched = self.campaign.carry_out(launches, launcher, view)?;
            if launched.iter().any(Launched::is_last) {
                self.overhead.ended = launched.pop();
                return Ok(());
            }
            if let [launch, other] = &launched[..]
                && launch.outcome.status.success()
                && other.outcome.status.success()
            {
                let (launch, other) = (seconds(launch), seconds(other));
                self.saved.empty.push(if first { (launch, other) } else { (other, launch) });
            }
        }
        Ok(())
    }

    /// A run without markers; `None` if it failed.
    fn without(
        &mut self,
        launching: &Launching,
        launcher: &mut dyn Launcher,
        view: &mut dyn View,
    ) -> Result<Option<Launched>, Error> {
        let begin = Instant::now();
        let launching = Launching { gate: false, ..launching.clone() };
        let mut launches = self.campaign.carry_out(vec![launching], launcher, view)?;
        self.overhead.spent += begin.elapsed().as_secs_f64();
        let launch = launches.pop();
        match launch {
            Some(last) if last.is_last() => {
                self.overhead.ended = Some(last);
                Ok(None)
            }
            launch => Ok(launch),
        }
    }

    /// Keeps a pair, if both runs ended equally.
    fn pair(&mut self, with: &Launched, without: &Launched) {
        let Some(against) = self.overhead.against else { return };
        let alike = with.outcome.status == without.outcome.status;
        if alike && is_whole(with) && is_whole(without) {
            self.saved.pairs.push(Paired {
                values: with.launching.values.clone(),
                processors: with.launching.processors,
                with: seconds(with),
                without: seconds(without),
                against,
            });
        }
    }

    /// The pairs.
    fn pairs(&self) -> Vec<&Paired> {
        let all = &self.saved.pairs;
        let Some(last) =
            all.iter().rev().find(|paired| Some(paired.against) == self.overhead.against)
        else {
            return Vec::new();
        };
        let is_like = |entry: &&Paired| {
            entry.against == last.against
                && entry.values == last.values
                && entry.processors == last.processors
        };
        all.iter().filter(is_like).collect()
    }

    /// The overhead, as far as it is known.
    pub fn cost(&self) -> Option<Cost> {
        let pair = |paired: &Paired| Pair { with: paired.with, without: paired.without };
        cost(&self.pairs().into_iter().map(pair).collect::<Vec<_>>(), &self.library_start())
    }

    /// The start of the library. It is the same with a closed gate.
    fn library_start(&self) -> OverheadStart {
        if self.overhead.against == Some(Against::Gate) {
            return OverheadStart::NONE;
        }
        let pair = |&(with, without): &(f64, f64)| Pair { with, without };
        OverheadStart::from_pairs(&self.saved.empty.iter().map(pair).collect::<Vec<_>>())
    }
}

/// The overhead of a run and of each of its experiments.
pub fn measuring(
    sampler: &Sampler<'_>,
    evaluation: &Evaluation,
) -> (Option<Measuring>, Vec<DilationModel>) {
    let Some(against) = sampler.overhead.against else { return (None, Vec::new()) };
    let Some(cost) = sampler.cost() else { return (None, Vec::new()) };
    let pairs = sampler.pairs();
    let measuring = Measuring {
        against,
        because: sampler.overhead.because.clone(),
        run: pairs.last().map_or(String::new(), |pair| in_words(sampler, pair)),
        pairs: cost.pairs,
        with: Seconds(cost.with),
        without: Seconds(cost.without),
        start: Seconds(cost.start),
        share: cost.share,
        low: cost.interval.map(|interval| interval.low),
        high: cost.interval.map(|interval| interval.high),
        code: sampler.overhead.code.clone(),
    };
    let counts = pairs.last().map_or(Vec::new(), |pair| counts(sampler, pair));
    let regions: Vec<Regions> = counts
        .iter()
        .map(|(name, count)| Regions { count: *count, time: shortest(name, evaluation) })
        .collect();
    let overheads = overhead(&cost, &regions);
    let models = counts.iter().zip(overheads).map(|((name, _), overhead)| DilationModel {
        experiment: name.clone(),
        gate_on: Seconds(cost.with),
        gate_off: Seconds(cost.without),
        share: overhead.share,
        share_low: overhead.interval.map(|interval| interval.low),
        share_high: overhead.interval.map(|interval| interval.high),
        per_region: overhead.per_region.map(|(each, _)| Seconds(each)),
        per_region_low: overhead.per_region.map(|(_, interval)| Seconds(interval.low)),
        per_region_high: overhead.per_region.map(|(_, interval)| Seconds(interval.high)),
        too_short: overhead.too_short,
    });
    (Some(measuring), models.collect())
}

/// Which run it was.
fn in_words(sampler: &Sampler<'_>, pair: &Paired) -> String {
    let names = sampler.saved.plan.values.iter().map(|(name, _)| name);
    let value =
        |(name, value): (&String, &f64)| format!("{name}={}", cll_sampling::argument(*value));
    let mut words: Vec<String> = names.zip(&pair.values).map(value).collect();
    words.extend(pair.processors.map(|count| format!("-n {count}")));
    words.join(" ")
}

/// How many regions of each experiment such a run has.
fn counts(sampler: &Sampler<'_>, pair: &Paired) -> Vec<(String, f64)> {
    let runs = sampler.saved.rounds.iter().flat_map(|round| &round.runs);
    let is_it = |run: &&cll_sampling::Run| {
        run.values == pair.values && run.description.processors == pair.processors && run.bytes > 0
    };
    let Some(run) = runs.into_iter().find(is_it) else { return Vec::new() };
    let path = files::in_folder(&sampler.campaign.folder, &run.description.trace);
    let Ok(trace) = read_together(&[path]) else { return Vec::new() };
    let count = |experiment: &cll_trace::Experiment| {
        let count: usize = experiment.cells.iter().map(|cell| cell.inclusive.len()).sum();
        (experiment.name.clone(), count as f64)
    };
    trace.experiments.iter().map(count).filter(|(_, count)| *count > 0.0).collect()
}

/// The median at the experiment's shortest point; none for an experiment that was not fitted.
fn shortest(name: &str, evaluation: &Evaluation) -> f64 {
    let fits = evaluation.experiments.iter().filter(|experiment| experiment.name == name);
    let points =
        fits.filter_map(|experiment| experiment.fit.as_ref()).flat_map(|fit| &fit.residuals);
    points.map(|point| point.spread.median).fold(f64::INFINITY, f64::min)
}
