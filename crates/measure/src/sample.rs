//! Makes rounds until the intervals are narrow, the time is up, or the user interrupts.

mod overhead;

use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use cll_result::Stopped;

use crate::Error;
use crate::evaluate::{Evaluation, Fitting};
use crate::guided::Guided;
use cll_analysis::Location;
use cll_files::Notices;
use cll_launch::Launcher;
use cll_launch::machine_state::{BestSeen, Placement};
use cll_sampling::CPU_TIME;
use cll_sampling::{
    Campaign, Goal, Grid, Launched, MIN_ROUNDS, Progress, Round, Run, SamplingProgress,
    SavedRounds, order,
};
use cll_units::text::{DurationForm, duration};
pub use overhead::Overhead;
pub(crate) use overhead::measuring;

/// Shows how far sampling is.
pub trait View: Progress {
    /// Sampling begins, for predictions at these values; the traces are put into the folder.
    fn starts(&mut self, _asked: &[Location], _folder: &Path) {}

    /// Another round begins; `evaluation` is the latest one.
    fn state(&mut self, goal: &Goal, progress: &SamplingProgress, evaluation: Option<&Evaluation>);

    /// Whether it shows the points of the rounds that have ended, and has not shown those of the last one.
    fn follows(&self, _progress: &SamplingProgress) -> bool {
        false
    }

    /// The evaluation of all rounds so far, for a view that follows.
    fn evaluated(&mut self, _progress: &SamplingProgress, _evaluation: &Evaluation) {}
}

/// Everything that sampling needs.
pub struct Sampler<'a> {
    /// How launches are made.
    pub campaign: Campaign,
    /// The varied values.
    pub grid: Grid,
    /// The goal.
    pub goal: Goal,
    /// Evaluates the rounds.
    pub fitting: Fitting<'a>,
    /// The rounds so far, saved after each.
    pub saved: SavedRounds,
    /// With `--adaptive` the choice of points.
    pub guided: Option<Guided<'a>>,
    /// The highest speed that this machine has shown.
    pub best_seen: BestSeen,
    /// The overhead of measuring.
    pub overhead: Overhead,
    /// For messages.
    pub notices: &'a dyn Notices,
}

/// The result of sampling.
pub struct Sampled {
    /// The launches of this call.
    pub made: Vec<Launched>,
    /// Why it ended.
    pub stopped: Stopped,
    /// The fit of all rounds, if anything was recorded.
    pub evaluation: Option<Evaluation>,
}

impl Sampler<'_> {
    /// Samples.
    ///
    /// # Errors
    /// If the program cannot be started, or the user's time limit is too short.
    pub fn sample(
        &mut self,
        launcher: &mut dyn Launcher,
        view: &mut dyn View,
    ) -> Result<Sampled, Error> {
        let begin = Instant::now();
        let mut progress = SamplingProgress {
            rounds: self.saved.rounds.len() as u32,
            ..SamplingProgress::default()
        };
        let is_core_time = self.goal.budget.is_core_time;
        let before =
            |round: &Round| if is_core_time { self.cost_of(round) } else { round.seen.wall };
        progress.round_time = self.saved.rounds.iter().map(before).fold(0.0, f64::max);
        let mut core_time = 0.0;
        let mut evaluation = None;
        let mut launches = Vec::new();
        let mut until = 0;
        let mut held_out_is_there = self.fitting.choices.held_out.is_empty();
        let stopped = loop {
            if !held_out_is_there && progress.rounds > 0 {
                self.fitting.check_held_out(&self.saved.rounds)?;
                held_out_is_there = true;
            }
            progress.elapsed = if is_core_time { core_time } else { begin.elapsed().as_secs_f64() };
            if let Some(guided) = &mut self.guided {
                let is_due = guided.is_due(&self.saved);
                if progress.rounds > 0 && is_due {
                    let fitted = self.fit(&mut progress)?;
                    let stopped = self.guide(&fitted, &progress)?;
                    evaluation = Some(fitted);
                    if let Some(stopped) = stopped {
                        break stopped;
                    }
                } else if progress.rounds > 0 && progress.elapsed > self.goal.budget.seconds {
                    break Stopped::Budget;
                }
            } else if self.goal.is_due(&progress) {
                let fitted = self.fit(&mut progress)?;
                if fitted.wants_processor_time() && self.may_record_processor_time() {
                    // A few more rounds in any case.
                    let is_recorded = self.campaign.observing.also(CPU_TIME);
                    until = if is_recorded { progress.rounds + MIN_ROUNDS } else { until };
                }
                evaluation = Some(fitted);
            }
            view.state(&self.goal, &progress, evaluation.as_ref());
            if progress.rounds > 0 && view.follows(&progress) {
                self.show(&progress, evaluation.as_ref(), view);
            }
            match self.goal.stop(&progress).filter(|_| self.guided.is_none()) {
                Some(Stopped::Precise | Stopped::Hopeless) if progress.rounds < until => {}
                Some(stopped) => break stopped,
                None => {}
            }
            let round = Instant::now();
            let launched = self.round(&mut progress, launcher, view, begin)?;
            let took = self.took(round);
            core_time += took;
            progress.round_time = progress.round_time.max(took);
            let ended = launched.iter().any(Launched::is_last);
            let vain = launched.iter().all(Launched::is_vain);
            launches.extend(launched);
            if ended || vain {
                break if ended { Stopped::Interrupted } else { Stopped::Hopeless };
            }
            if let Some(last) = self.overhead.ended.take() {
                launches.push(last);
                break Stopped::Interrupted;
            }
        };
        let recorded = self.saved.rounds.iter().flat_map(|round| &round.runs);
        let recorded = recorded.filter(|run| !run.description.trace.is_empty()).count();
        let is_current = progress.fitted_at == progress.rounds;
        if recorded > 0 && !(is_current && evaluation.is_some()) {
            evaluation = Some(self.fit(&mut progress)?);
        }
        Ok(Sampled { made: launches, stopped, evaluation })
    }

    /// The part of the budget that the last round took, which began at this time.
    fn took(&self, round: Instant) -> f64 {
        if self.goal.budget.is_core_time {
            self.saved.rounds.last().map_or(0.0, |round| self.cost_of(round))
        } else {
            round.elapsed().as_secs_f64()
        }
    }

    /// Shows the rounds so far. What decides when sampling ends does not change by that.
    fn show(&self, progress: &SamplingProgress, latest: Option<&Evaluation>, view: &mut dyn View) {
        match latest.filter(|_| progress.fitted_at == progress.rounds) {
            Some(latest) => view.evaluated(progress, latest),
            // What is wrong with the traces is said when they are fitted for the model.
            None => {
                if let Ok(own) = self.fitting.evaluate(&self.saved.rounds, &self.best_seen) {
                    view.evaluated(progress, &own);
                }
            }
        }
    }

    /// The points of the next rounds, or why there are none.
    fn guide(
        &mut self,
        evaluation: &Evaluation,
        progress: &SamplingProgress,
    ) -> Result<Option<Stopped>, Error> {
        let Some(guided) = &mut self.guided else { return Ok(None) };
        guided.next(evaluation, progress, &mut self.saved, &mut self.grid)
    }

    /// Whether processor time may be recorded as well: the program has one thread and records nothing else.
    fn may_record_processor_time(&self) -> bool {
        let campaign = &self.campaign;
        let is_alone = self.grid.processors.iter().all(Option::is_none)
            && campaign.mpirun.is_none()
            && campaign.virtually.is_none();
        is_alone && !self.fitting.exact && self.fitting.choices.observable.is_none()
    }

    /// Fits the rounds, and notes the width of the intervals.
    fn fit(&mut self, progress: &mut SamplingProgress) -> Result<Evaluation, Error> {
        let rounds = &self.saved.rounds;
        self.best_seen = rounds.iter().fold(self.best_seen, |best, round| best.with(&round.seen));
        let evaluation = self.fitting.evaluate(rounds, &self.best_seen)?;
        // Widths of different observables cannot be compared.
        if std::mem::replace(&mut progress.by_processor_time, evaluation.by_processor_time)
            != evaluation.by_processor_time
        {
            progress.history.clear();
        }
        progress.fitted_at = progress.rounds;
        progress.is_measurable = evaluation.is_measurable();
        progress.may_become_quiet = evaluation.judgement.off.is_some();
        if let (Some(widest), true) = (&evaluation.widest, progress.is_measurable) {
            progress.history.push((evaluation.used(), widest.share));
            progress.remaining = widest.remaining;
        }
        Ok(evaluation)
    }

    /// Makes one round and saves it.
    fn round(
        &mut self,
        progress: &mut SamplingProgress,
        launcher: &mut dyn Launcher,
        view: &mut dyn View,
        begin: Instant,
    ) -> Result<Vec<Launched>, Error> {
        let number = self.saved.next_number();
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let launches = order(&self.grid, number, self.saved.seed);
        let count = launches.len();
        let mut made: Vec<Launched> = Vec::new();
        let mut is_reported = progress.rounds > 0 || self.goal.launches.is_some();
        for (index, launching) in launches.into_iter().enumerate() {
            made.extend(self.in_pair(launching, progress, launcher, view)?);
            if made.last().is_some_and(Launched::is_last) || self.overhead.ended.is_some() {
                break;
            }
            if !is_reported {
                let cost = |launch: &Launched| {
                    let wall = launch.outcome.wall.as_secs_f64();
                    self.goal.budget.cost(wall, launch.launching.processors)
                };
                let elapsed = if self.goal.budget.is_core_time {
                    made.iter().map(cost).sum()
                } else {
                    begin.elapsed().as_secs_f64()
                };
                is_reported = self.check_budget(elapsed, index + 1, count)?;
            }
        }
        if number == 0 {
            self.check_threads(&made);
        }
        self.first_pair(&made, progress, launcher, view)?;
        let (arguments, groups) = (&self.campaign.arguments, &self.campaign.observing.groups);
        self.saved.rounds.push(Round::new(number, began.as_secs_f64(), &made, arguments, groups));
        self.saved.write(&self.campaign.folder)?;
        progress.rounds += 1;
        Ok(made)
    }

    /// Returns the part of the budget that the runs of a round take.
    fn cost_of(&self, round: &Round) -> f64 {
        let cost = |run: &Run| {
            let about = &run.description;
            self.goal.budget.cost(about.wall.map_or(0.0, |wall| wall.get()), about.processors)
        };
        round.runs.iter().map(cost).sum()
    }

    /// A time of the budget, as it is given on the command line.
    fn in_budget(&self, time: f64) -> String {
        if self.goal.budget.is_core_time {
            format!("{}core-s", time.ceil())
        } else {
            duration(time, DurationForm::Argument)
        }
    }

    /// Reports if a round will take longer than the time limit; returns whether it was reported.
    fn check_budget(&self, elapsed: f64, done: usize, of: usize) -> Result<bool, Error> {
        /// The first launches of a round may be its longest.
        const MIN_LAUNCHES: usize = 3;
        let round = elapsed * of as f64 / done as f64;
        let five = f64::from(MIN_ROUNDS) * round;
        let enough = done == of || done >= MIN_LAUNCHES || elapsed > self.goal.budget.seconds;
        if !enough || round <= self.goal.budget.seconds {
            return Ok(false);
        }
        let takes =
            format!("a round of {of} {} takes about {}", launches(of), self.in_budget(round));
        if !self.goal.strict {
            self.notices.note(&format!(
                "{takes}; {MIN_ROUNDS} rounds are made, which takes about {}; --budget and \
                 --launches choose otherwise",
                self.in_budget(five)
            ));
            return Ok(true);
        }
        if done == of {
            // It is complete and better than nothing.
            self.notices.warn(&format!(
                "{takes}, more than --budget {}: one round is fitted; {MIN_ROUNDS} rounds need \
                 --budget {}",
                self.in_budget(self.goal.budget.seconds),
                self.in_budget(five.ceil())
            ));
            return Ok(true);
        }
        Err(Error::ShortBudget {
            budget: self.in_budget(self.goal.budget.seconds),
            takes,
            rounds: MIN_ROUNDS,
            needed: self.in_budget(five.ceil()),
        })
    }

    /// Releases a program with more threads than processors.
    fn check_threads(&mut self, launches: &[Launched]) {
        // If the program uses MPI, only the launcher's threads are seen.
        let Some(cpus) =
            self.campaign.place.cpus.as_ref().filter(|_| self.campaign.mpirun.is_none())
        else {
            return;
        };
        let seen = |launched: &Launched| launched.outcome.seen.as_ref().map_or(0, |s| s.threads);
        let most = launches.iter().map(seen).max().unwrap_or(0) as usize;
        if most > cpus.len() {
            self.notices.note(&format!(
                "the program runs {most} threads and was bound to {} of the processors: from now on \
                 it gets all of them",
                cpus.len()
            ));
            self.campaign.place = Placement::free();
        }
    }
}

fn launches(count: usize) -> &'static str {
    if count == 1 { "launch" } else { "launches" }
}
