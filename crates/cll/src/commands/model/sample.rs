//! Makes rounds until the intervals are narrow, the time is up, or the user interrupts.

mod dilation;

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use cll_result::Stopped;

use super::evaluate::{Evaluation, Fitting};
use super::judged::CPU_TIME;
use super::progress::{Bar, seconds};
use crate::failure::Failure;
use crate::launch::Launcher;
use crate::regime::{Known, Placement};
use crate::sampling::{Campaign, FEWEST_ROUNDS, Goal, Grid, Kept, Launched, Round, So, order};
use crate::terminal::Terminal;
pub use dilation::{Costs, measuring};

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
    pub kept: Kept,
    /// The highest speed that this machine has shown.
    pub known: Known,
    /// The overhead of measuring.
    pub costs: Costs,
    /// For messages.
    pub terminal: &'a Terminal,
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
        bar: &mut Bar,
    ) -> Result<Sampled, Failure> {
        let begin = Instant::now();
        let mut so = So { rounds: self.kept.rounds.len() as u32, ..So::default() };
        so.round_time = self.kept.rounds.iter().map(|round| round.seen.wall).fold(0.0, f64::max);
        let mut evaluation = None;
        let mut made = Vec::new();
        let mut until = 0;
        let mut held_out_is_there = self.fitting.choices.held_out.is_empty();
        let stopped = loop {
            if !held_out_is_there && so.rounds > 0 {
                self.fitting.check_held_out(&self.kept.rounds)?;
                held_out_is_there = true;
            }
            so.elapsed = begin.elapsed().as_secs_f64();
            if self.goal.is_due(&so) {
                let look = self.look(&mut so)?;
                if look.wants_processor_time() && self.may_record_processor_time() {
                    // A few more rounds in any case.
                    let known = self.campaign.observing.also(CPU_TIME);
                    until = if known { so.rounds + FEWEST_ROUNDS } else { until };
                }
                evaluation = Some(look);
            }
            bar.so(&self.goal, &so, evaluation.as_ref());
            match self.goal.stop(&so) {
                Some(Stopped::Precise | Stopped::Hopeless) if so.rounds < until => {}
                Some(stopped) => break stopped,
                None => {}
            }
            let round = Instant::now();
            let launched = self.round(&mut so, launcher, bar, begin)?;
            so.round_time = so.round_time.max(round.elapsed().as_secs_f64());
            let ended = launched.iter().any(Launched::is_last);
            let vain = launched.iter().all(Launched::is_vain);
            made.extend(launched);
            if ended || vain {
                break match ended {
                    true => Stopped::Interrupted,
                    false => Stopped::Hopeless,
                };
            }
            if let Some(last) = self.costs.ended.take() {
                made.push(last);
                break Stopped::Interrupted;
            }
        };
        let recorded = self.kept.rounds.iter().flat_map(|round| &round.runs);
        let recorded = recorded.filter(|run| !run.told.trace.is_empty()).count();
        let is_current = so.judged_at == so.rounds;
        if recorded > 0 && !(is_current && evaluation.is_some()) {
            evaluation = Some(self.look(&mut so)?);
        }
        Ok(Sampled { made, stopped, evaluation })
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
    fn look(&mut self, so: &mut So) -> Result<Evaluation, Failure> {
        let rounds = &self.kept.rounds;
        self.known = rounds.iter().fold(self.known, |known, round| known.with(&round.seen));
        let evaluation = self.fitting.evaluate(rounds, &self.known)?;
        // Widths of different observables cannot be compared.
        if std::mem::replace(&mut so.by_processor_time, evaluation.by_processor_time)
            != evaluation.by_processor_time
        {
            so.history.clear();
        }
        so.judged_at = so.rounds;
        so.is_measurable = evaluation.is_measurable();
        so.may_become_quiet = evaluation.judgement.off.is_some();
        if let (Some((_, share)), true) = (&evaluation.widest, so.is_measurable) {
            so.history.push((evaluation.used(), *share));
        }
        Ok(evaluation)
    }

    /// Makes one round and saves it.
    fn round(
        &mut self,
        so: &mut So,
        launcher: &mut dyn Launcher,
        bar: &mut Bar,
        begin: Instant,
    ) -> Result<Vec<Launched>, Failure> {
        let number = self.kept.next_number();
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let launches = order(&self.grid, number, self.kept.seed);
        let count = launches.len();
        let mut made: Vec<Launched> = Vec::new();
        let mut told = so.rounds > 0 || self.goal.launches.is_some();
        for (index, launching) in launches.into_iter().enumerate() {
            made.extend(self.in_pair(launching, so, launcher, bar)?);
            if made.last().is_some_and(Launched::is_last) || self.costs.ended.is_some() {
                break;
            }
            if !told {
                told = self.check_budget(begin.elapsed().as_secs_f64(), index + 1, count)?;
            }
        }
        if number == 0 {
            self.check_threads(&made);
        }
        self.first_pair(&made, so, launcher, bar)?;
        let (arguments, groups) = (&self.campaign.arguments, &self.campaign.observing.groups);
        self.kept.rounds.push(Round::of(number, began.as_secs_f64(), &made, arguments, groups));
        self.kept.write(&self.campaign.folder)?;
        so.rounds += 1;
        Ok(made)
    }

    /// Reports if a round will take longer than the time limit; returns whether it was reported.
    fn check_budget(&self, elapsed: f64, done: usize, of: usize) -> Result<bool, Failure> {
        /// The first launches of a round may be its longest.
        const FEW: usize = 3;
        let round = elapsed * of as f64 / done as f64;
        let five = f64::from(FEWEST_ROUNDS) * round;
        let enough = done == of || done >= FEW || elapsed > self.goal.budget;
        if !enough || round <= self.goal.budget {
            return Ok(false);
        }
        let takes = format!("a round of {of} {} takes about {}", launches(of), seconds(round));
        if !self.goal.strict {
            self.terminal.note(&format!(
                "{takes}; {FEWEST_ROUNDS} rounds are made, which takes about {}; --budget and \
                 --launches choose otherwise",
                seconds(five)
            ));
            return Ok(true);
        }
        if done == of {
            // It is complete and better than nothing.
            self.terminal.warn(&format!(
                "{takes}, more than --budget {}: one round is fitted; {FEWEST_ROUNDS} rounds need \
                 --budget {}",
                seconds(self.goal.budget),
                seconds(five.ceil())
            ));
            return Ok(true);
        }
        Err(Failure::usage(format!(
            "--budget {} is too small for one round: {takes}",
            seconds(self.goal.budget)
        ))
        .help(format!("{FEWEST_ROUNDS} rounds need --budget {}", seconds(five.ceil())))
        .help("--launches 1 makes one round, however long it takes"))
    }

    /// Releases a program with more threads than processors.
    fn check_threads(&mut self, made: &[Launched]) {
        // Of MPI processes only the launcher's threads are seen.
        let Some(cpus) =
            self.campaign.place.cpus.as_ref().filter(|_| self.campaign.mpirun.is_none())
        else {
            return;
        };
        let seen = |launched: &Launched| launched.outcome.seen.as_ref().map_or(0, |s| s.threads);
        let most = made.iter().map(seen).max().unwrap_or(0) as usize;
        if most > cpus.len() {
            self.terminal.note(&format!(
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
