//! What measuring costs: runs with markers and without, one behind the other within the rounds.

use std::path::{Path, PathBuf};
use std::time::Instant;

use cll_fit::{Cost, FEWEST_PAIRS, Pair, Regions, Start, cost, dilation};
use cll_result::{Against, CodeModel, DilationModel, Measuring};
use cll_units::Seconds;
use tempfile::TempDir;

use super::super::evaluate::Evaluation;
use super::super::progress::Bar;
use super::Sampler;
use crate::commands::wrong_arguments;
use crate::failure::Failure;
use crate::files;
use crate::launch::Launcher;
use crate::model::read_together;
use crate::sampling::{Goal, Launched, Launching, Paired, So, Template, few};

/// At most this share of the time goes into runs without markers.
const SHARE: f64 = 0.15;

/// Pairs of runs of the empty program: they take some 20 ms each.
const EMPTY_PAIRS: usize = 7;
const EMPTY_SECONDS: f64 = 0.7;
/// In a run that takes longer, seconds, the library's start is nothing.
const LONG: f64 = 1.0;

/// The comparison, as far as it is.
#[derive(Debug, Default)]
pub struct Costs {
    /// What measured runs are compared with; `None`: with nothing.
    pub against: Option<Against>,
    /// Why that is no program without markers.
    pub because: Option<String>,
    /// The run that is compared, once it is chosen.
    chosen: Option<Chosen>,
    /// Seconds that went into it.
    spent: f64,
    /// The run after which to go on makes no sense.
    pub ended: Option<Launched>,
    /// An empty program with markers and without.
    empty: Option<Empty>,
    /// Lines of which the compiler made other code, where that was looked at.
    pub code: Option<Vec<CodeModel>>,
}

/// A program that only starts and ends, and where it lies.
#[derive(Debug)]
struct Empty {
    with: PathBuf,
    without: PathBuf,
    place: TempDir,
}

/// A run that is compared, and how long it takes.
#[derive(Clone, Debug)]
struct Chosen {
    launching: Launching,
    seconds: f64,
}

impl Costs {
    /// A comparison of which nothing is done.
    pub fn new(against: Option<Against>, because: Option<String>) -> Costs {
        Costs { against, because, ..Costs::default() }
    }

    /// With an empty program, where it can be built in a folder.
    pub fn with_empty(
        mut self,
        build: impl FnOnce(&Path) -> Result<(PathBuf, PathBuf), String>,
    ) -> Costs {
        if self.against == Some(Against::Plain)
            && let Ok(place) = files::temporary_folder()
            && let Ok((with, without)) = build(place.path())
        {
            self.empty = Some(Empty { with, without, place });
        }
        self
    }

    /// Whether there is time for a run of so many seconds.
    fn may(&self, seconds: f64, pairs: usize, goal: &Goal, so: &So) -> bool {
        let all = match pairs < FEWEST_PAIRS {
            true => time(goal, so),
            false => so.elapsed,
        };
        self.spent + seconds <= SHARE * all
    }
}

/// Seconds that the sampling may take.
fn time(goal: &Goal, so: &So) -> f64 {
    let asked = goal.launches.map_or(0.0, |count| f64::from(count) * so.round_time);
    goal.budget.max(asked)
}

/// Seconds of processor time; of a launch that was not watched, of time.
fn seconds(launched: &Launched) -> f64 {
    let outcome = &launched.outcome;
    outcome.seen.as_ref().map_or(outcome.wall.as_secs_f64(), |seen| seen.cpu)
}

fn is_whole(launched: &Launched) -> bool {
    let outcome = &launched.outcome;
    !outcome.timed_out && outcome.interrupted.is_none() && outcome.lost.is_none()
}

impl Sampler<'_> {
    /// Makes a launch; if it is the one that is compared, with a run without markers before it or,
    /// every other time, behind it.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn in_pair(
        &mut self,
        launching: Launching,
        so: &So,
        launcher: &mut dyn Launcher,
        bar: &mut Bar,
    ) -> Result<Vec<Launched>, Failure> {
        let pairs = self.pairs().len();
        let chosen = self.costs.chosen.as_ref().filter(|chosen| {
            chosen.launching.is_like(&launching)
                && launching.group == 0
                && self.costs.may(chosen.seconds, pairs, &self.goal, so)
        });
        let is_due = self.costs.against.is_some() && chosen.is_some();
        let is_first = launching.round % 2 == 1;
        let mut without = None;
        if is_due && is_first {
            without = self.without(&launching, launcher, bar)?;
            if self.costs.ended.is_some() {
                return Ok(Vec::new());
            }
        }
        let made = self.campaign.carry_out(vec![launching.clone()], launcher, bar)?;
        let is_last = made.iter().any(Launched::is_last);
        if is_due && !is_first && !is_last {
            without = self.without(&launching, launcher, bar)?;
        }
        if let (Some(with), Some(without)) = (made.last(), without) {
            self.pair(with, &without);
        }
        Ok(made)
    }

    /// Chooses the run that is compared when all have been seen, the longest that there is time for
    /// among a few, and compares it for the first time.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn first_pair(
        &mut self,
        made: &[Launched],
        so: &So,
        launcher: &mut dyn Launcher,
        bar: &mut Bar,
    ) -> Result<(), Failure> {
        let goes_on = made.iter().all(|one| is_whole(one) && !one.is_last());
        if self.costs.against.is_none() || self.costs.chosen.is_some() || !goes_on {
            return Ok(());
        }
        let candidates = few(&self.grid, 0);
        let seen = candidates.iter().rev().filter_map(|one| {
            made.iter().find(|made| made.launching.is_like(one) && made.launching.group == 0)
        });
        // What an earlier call has compared is gone on with.
        let before = self.pairs().last().map(|pair| (pair.values.clone(), pair.processors));
        let fits = |one: &&Launched| match &before {
            Some((values, processors)) => {
                one.launching.values == *values && one.launching.processors == *processors
            }
            None => {
                let seconds = one.outcome.wall.as_secs_f64();
                FEWEST_PAIRS as f64 * seconds <= SHARE * time(&self.goal, so)
            }
        };
        let Some(with) = seen.into_iter().find(fits) else { return Ok(()) };
        let chosen = with.launching.clone();
        let seconds = with.outcome.wall.as_secs_f64();
        self.costs.chosen = Some(Chosen { launching: chosen.clone(), seconds });
        if before.is_none()
            && let Some(without) = self.without(&chosen, launcher, bar)?
        {
            self.pair(with, &without);
        }
        if self.costs.ended.is_none() && seconds < LONG {
            self.start(so, launcher, bar)?;
        }
        Ok(())
    }

    /// Looks what the library takes to start.
    fn start(
        &mut self,
        so: &So,
        launcher: &mut dyn Launcher,
        bar: &mut Bar,
    ) -> Result<(), Failure> {
        let is_known = self.kept.empty.len() >= FEWEST_PAIRS;
        if is_known || self.costs.spent + EMPTY_SECONDS > SHARE * time(&self.goal, so) {
            return Ok(());
        }
        let Some(empty) = self.costs.empty.take() else { return Ok(()) };
        let begin = Instant::now();
        let own = (
            std::mem::replace(&mut self.campaign.program, empty.with),
            // What the user's program is compared with does not matter here.
            self.campaign.plain.replace(empty.without),
            std::mem::replace(
                &mut self.campaign.arguments,
                Template::parse(&[], &[]).map_err(wrong_arguments)?,
            ),
            std::mem::replace(&mut self.campaign.folder, empty.place.path().to_path_buf()),
        );
        let made = self.empty_pairs(launcher, bar);
        (
            self.campaign.program,
            self.campaign.plain,
            self.campaign.arguments,
            self.campaign.folder,
        ) = own;
        self.costs.spent += begin.elapsed().as_secs_f64();
        made
    }

    fn empty_pairs(&mut self, launcher: &mut dyn Launcher, bar: &mut Bar) -> Result<(), Failure> {
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
            let mut made = self.campaign.carry_out(launches, launcher, bar)?;
            if made.iter().any(Launched::is_last) {
                self.costs.ended = made.pop();
                return Ok(());
            }
            if let [one, other] = &made[..]
                && one.outcome.status.success()
                && other.outcome.status.success()
            {
                let (one, other) = (seconds(one), seconds(other));
                self.kept.empty.push(if first { (one, other) } else { (other, one) });
            }
        }
        Ok(())
    }

    /// A run without markers; `None` if it says nothing.
    fn without(
        &mut self,
        launching: &Launching,
        launcher: &mut dyn Launcher,
        bar: &mut Bar,
    ) -> Result<Option<Launched>, Failure> {
        let begin = Instant::now();
        let launching = Launching { gate: false, ..launching.clone() };
        let mut made = self.campaign.carry_out(vec![launching], launcher, bar)?;
        self.costs.spent += begin.elapsed().as_secs_f64();
        let made = made.pop();
        match made {
            Some(last) if last.is_last() => {
                self.costs.ended = Some(last);
                Ok(None)
            }
            made => Ok(made),
        }
    }

    /// Keeps a pair, if both did the same.
    fn pair(&mut self, with: &Launched, without: &Launched) {
        let Some(against) = self.costs.against else { return };
        let alike = with.outcome.status == without.outcome.status;
        if alike && is_whole(with) && is_whole(without) {
            self.kept.pairs.push(Paired {
                values: with.launching.values.clone(),
                processors: with.launching.processors,
                with: seconds(with),
                without: seconds(without),
                against,
            });
        }
    }

    /// The pairs that belong together.
    fn pairs(&self) -> Vec<&Paired> {
        let all = &self.kept.pairs;
        let Some(last) = all.iter().rev().find(|one| Some(one.against) == self.costs.against)
        else {
            return Vec::new();
        };
        let is_like = |one: &&Paired| {
            one.against == last.against
                && one.values == last.values
                && one.processors == last.processors
        };
        all.iter().filter(is_like).collect()
    }

    /// What measuring costs, as far as it is known.
    pub fn cost(&self) -> Option<Cost> {
        let pair = |one: &Paired| Pair { with: one.with, without: one.without };
        cost(&self.pairs().into_iter().map(pair).collect::<Vec<_>>(), &self.library_start())
    }

    /// What the library takes to start. With the gate closed it starts as well.
    fn library_start(&self) -> Start {
        if self.costs.against == Some(Against::Gate) {
            return Start::NONE;
        }
        let pair = |&(with, without): &(f64, f64)| Pair { with, without };
        Start::of(&self.kept.empty.iter().map(pair).collect::<Vec<_>>())
    }
}

/// What measuring cost a run, and each experiment of it.
pub fn measuring(
    sampler: &Sampler<'_>,
    evaluation: &Evaluation,
) -> (Option<Measuring>, Vec<DilationModel>) {
    let Some(against) = sampler.costs.against else { return (None, Vec::new()) };
    let Some(cost) = sampler.cost() else { return (None, Vec::new()) };
    let pairs = sampler.pairs();
    let measuring = Measuring {
        against,
        because: sampler.costs.because.clone(),
        run: pairs.last().map_or(String::new(), |pair| in_words(sampler, pair)),
        pairs: cost.pairs,
        with: Seconds(cost.with),
        without: Seconds(cost.without),
        start: Seconds(cost.start),
        share: cost.share,
        low: cost.interval.map(|interval| interval.low),
        high: cost.interval.map(|interval| interval.high),
        code: sampler.costs.code.clone(),
    };
    let counts = pairs.last().map_or(Vec::new(), |pair| counts(sampler, pair));
    let regions: Vec<Regions> = counts
        .iter()
        .map(|(name, count)| Regions { count: *count, time: shortest(name, evaluation) })
        .collect();
    let found = dilation(&cost, &regions);
    let models = counts.iter().zip(found).map(|((name, _), found)| DilationModel {
        experiment: name.clone(),
        gate_on: Seconds(cost.with),
        gate_off: Seconds(cost.without),
        share: found.share,
        share_low: found.interval.map(|interval| interval.low),
        share_high: found.interval.map(|interval| interval.high),
        per_region: found.per_region.map(|(each, _)| Seconds(each)),
        per_region_low: found.per_region.map(|(_, interval)| Seconds(interval.low)),
        per_region_high: found.per_region.map(|(_, interval)| Seconds(interval.high)),
        too_short: found.too_short,
    });
    (Some(measuring), models.collect())
}

/// Which run it was.
fn in_words(sampler: &Sampler<'_>, pair: &Paired) -> String {
    let names = sampler.kept.plan.values.iter().map(|(name, _)| name);
    let value =
        |(name, value): (&String, &f64)| format!("{name}={}", crate::sampling::argument(*value));
    let mut words: Vec<String> = names.zip(&pair.values).map(value).collect();
    words.extend(pair.processors.map(|count| format!("-n {count}")));
    words.join(" ")
}

/// How many regions of each experiment such a run has.
fn counts(sampler: &Sampler<'_>, pair: &Paired) -> Vec<(String, f64)> {
    let runs = sampler.kept.rounds.iter().flat_map(|round| &round.runs);
    let is_it = |run: &&crate::sampling::Run| {
        run.values == pair.values && run.told.processors == pair.processors && run.bytes > 0
    };
    let Some(run) = runs.into_iter().find(is_it) else { return Vec::new() };
    let path = files::in_folder(&sampler.campaign.folder, &run.told.trace);
    let Ok(trace) = read_together(&[path]) else { return Vec::new() };
    let count = |experiment: &cll_trace::Experiment| {
        let count: usize = experiment.cells.iter().map(|cell| cell.inclusive.len()).sum();
        (experiment.name.clone(), count as f64)
    };
    trace.experiments.iter().map(count).filter(|(_, count)| *count > 0.0).collect()
}

/// The median of the experiment's shortest point; of one that was not fitted nothing is said.
fn shortest(name: &str, evaluation: &Evaluation) -> f64 {
    let fits = evaluation.experiments.iter().filter(|one| one.name == name);
    let points = fits.filter_map(|one| one.fit.as_ref()).flat_map(|fit| &fit.residuals);
    points.map(|point| point.spread.median).fold(f64::INFINITY, f64::min)
}
