//! Rounds of launches until the time is up.

use std::time::Instant;

use fastrand::Rng;

use super::launch::Launches;
use super::plan::{Launching, Sizes};
use super::samples::Made;
use crate::Error;
use crate::Progress;
use crate::round_clock::RoundClock;
use cll_contract::Engine;
use cll_files::Advice;
use cll_launch::Launcher;

/// The smallest number of rounds; each launches everything once.
pub const MIN_ROUNDS: usize = 3;
/// The largest number of rounds.
pub const MAX_ROUNDS: usize = 9;
/// When a launch has used this share of its time, it leaves out the rest of its plan.
const MAX_TIME_SHARE: f64 = 2.0;
/// The shortest time of a launch, in seconds.
const MIN_LAUNCH_SECONDS: f64 = 0.3;

/// The settings of all launches.
pub struct Rounds<'a> {
    /// How programs are launched.
    pub launches: Launches<'a>,
    /// The launches of each round.
    pub plan: Vec<Launching>,
    /// The sizes of the relations.
    pub sizes: Sizes,
    /// The time limit, in seconds.
    pub budget: f64,
    /// The largest number of rounds.
    pub most_rounds: usize,
    /// The seed of the order.
    pub seed: u64,
    /// Whether a failing engine is an error, since the user has named it.
    pub must_run: bool,
    /// The completed launches.
    pub completed: Vec<Made>,
    /// The number of complete rounds.
    pub done: usize,
    /// The tasks that could not be measured, as text.
    pub missing: Vec<String>,
}

impl Rounds<'_> {
    /// Makes rounds until the time is up; returns the seconds that they took.
    ///
    /// # Errors
    /// If a probe of a required engine fails, or the user interrupts before there are enough rounds.
    pub fn measure(
        &mut self,
        launcher: &mut dyn Launcher,
        progress: &mut dyn Progress,
    ) -> Result<f64, Error> {
        let mut clock = RoundClock::begin(self.budget, MIN_ROUNDS, self.most_rounds);
        while let Some(seconds) = clock.next_round() {
            if !self.round(seconds, &clock, launcher, progress)? {
                clock.interrupt()?;
                break;
            }
            self.done += 1;
            clock.end_round();
            // The first round shows for how many sizes there is time.
            while self.done == 1 && clock.is_late() {
                let Some(thinner) = self.sizes.thinner() else { break };
                self.sizes = thinner;
                clock.shorten(0.5);
            }
        }
        if self.plan.is_empty() {
            return Err(Error::NoEngine);
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
        let start = Instant::now();
        let mut rng = Rng::with_seed(self.seed.wrapping_add(self.done as u64));
        let mut order = self.plan.clone();
        rng.shuffle(&mut order);
        let count = order.len();
        for (index, launching) in order.into_iter().enumerate() {
            if self.has_failed(launching.engine) {
                continue;
            }
            progress.say(self.done, clock.left(), &launching.in_words());
            let left = (seconds - start.elapsed().as_secs_f64()).max(0.0);
            let own = (MAX_TIME_SHARE * left / (count - index) as f64).max(MIN_LAUNCH_SECONDS);
            let mut words = self.sizes.words(launching.processors);
            rng.shuffle(&mut words);
            let seed = rng.u64(..);
            let launched = match self.launches.launch(&launching, &words, seed, own, launcher) {
                Ok(launched) => launched,
                Err(error) if !self.must_run => {
                    let others = self.plan.iter().any(|other| other.engine != launching.engine);
                    if launching.engine == Engine::Processes || !others {
                        return Err(error);
                    }
                    let help = error.help();
                    let detail = help.iter().flat_map(|text| text.lines()).nth(1);
                    let detail = detail.map_or(String::new(), |line| format!(": {}", line.trim()));
                    self.give_up(launching.engine, &(error.to_string() + &detail));
                    continue;
                }
                Err(error) => return Err(error),
            };
            let interrupted = launched.interrupted;
            self.completed.push(Made { launching, round: self.done, launched });
            if interrupted {
                self.completed.retain(|launch| launch.round < self.done);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn has_failed(&self, engine: Engine) -> bool {
        self.plan.iter().all(|launching| launching.engine != engine)
    }

    /// Leaves out an engine that does not work here, and records the reason.
    fn give_up(&mut self, engine: Engine, why: &str) {
        self.plan.retain(|launching| launching.engine != engine);
        self.completed.retain(|launch| launch.launching.engine != engine);
        self.missing.push(format!("engine {}: {why}", engine.name()));
    }
}
