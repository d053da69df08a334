//! How the samples of a model were taken: the `sampling` part of `model.json`.

use cll_fit::rounds::{Mark, Off, Reason, State};
use serde::{Deserialize, Serialize};

/// How the samples were taken, and how far they can be trusted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// What the orders were shuffled by.
    pub seed: u64,
    /// Half an interval's width that was wanted, as a share; `None` for a given number of rounds.
    pub precision: Option<f64>,
    /// What was reached of it; `None` if nothing tells.
    pub reached: Option<f64>,
    /// What that is the width of: `walk[1]`, `walk at N=3000`.
    pub widest: Option<String>,
    /// Seconds that sampling might take; `None` for a given number of rounds.
    pub budget_seconds: Option<f64>,
    /// The predictions whose bands were to be narrow; none: the constants' intervals.
    pub wanted: Vec<String>,
    /// Why it ended.
    pub stopped: Stopped,
    /// Processors that the program was held on; `None` if it was not.
    pub pinned: Option<Vec<usize>>,
    /// `rr 1`, `nice -20`, `other`.
    pub scheduler: String,
    /// Whether it was known from before how fast the machine can be.
    pub canary_known: bool,
    /// How far the samples can be trusted.
    pub verdict: Verdict,
    /// The rounds.
    pub rounds: Vec<RoundModel>,
    /// What was left out.
    pub discarded: Discarded,
    /// What measuring cost, by experiment; empty if that could not be told.
    pub dilation: Vec<DilationModel>,
}

/// Why sampling ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stopped {
    /// The intervals are as narrow as was wanted.
    Precise,
    /// The time was up.
    Budget,
    /// So many rounds were asked for.
    Launches,
    /// The user ended it.
    Interrupted,
    /// More rounds do not make the intervals narrower.
    Hopeless,
}

/// How far the samples can be trusted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// `quiet`, `disturbed`, `not-measurable`.
    pub state: State,
    /// Why not quiet.
    pub reasons: Vec<Reason>,
    /// What would help.
    pub advice: Vec<String>,
    /// By how much the times may be off from those of a quiet machine, which every interval is wider by; `None`
    /// where only clean rounds were fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off: Option<Off>,
    /// Relative standard deviation of what all times of this campaign share and those of another occasion do not:
    /// in every interval. `None` where what is fitted is the same each time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common: Option<f64>,
}

/// A round: every point once or more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundModel {
    /// Its number.
    pub round: u32,
    /// Indices of its runs in the model.
    pub runs: Vec<usize>,
    /// Seconds since the first round began.
    pub started: f64,
    /// Seconds in which its programs ran.
    pub wall: f64,
    /// Seconds of processor time.
    pub cpu: f64,
    /// How often the program had to let others run.
    pub involuntary: u64,
    /// How often it waited by itself.
    pub voluntary: u64,
    /// Share of the program's processors that the hypervisor took.
    pub steal: f64,
    /// Share of them that other programs had.
    pub others: f64,
    /// Share of the other processors that other programs had.
    pub elsewhere: f64,
    /// The processor, beside the fastest known.
    pub canary: Canary,
    /// What was wrong.
    pub marked: Vec<Mark>,
    /// Whether it was fitted.
    pub used: bool,
}

/// Times of fixed loops as ratios to the fastest known; 1 at best.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Canary {
    /// Dependent operations: the clock.
    pub chain: Option<f64>,
    /// Independent operations: the width of the core.
    pub width: Option<f64>,
    /// Share of the looks at the width that saw a core that was not all the program's.
    pub narrow: Option<f64>,
    /// A message between two processors; `None` for one.
    pub partner: Option<f64>,
}

/// Samples that were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discarded {
    /// Of rounds that were not used.
    pub samples: u64,
    /// Single ones during which the program had to let others run.
    pub switched: u64,
}

/// What measuring cost an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DilationModel {
    /// Its name.
    pub experiment: String,
    /// Seconds of a run with the gate open.
    pub gate_on: f64,
    /// Seconds of the same run with the gate closed.
    pub gate_off: f64,
    /// Its markers' share of the run.
    pub share: f64,
    /// Seconds that a region's markers cost.
    pub per_region: f64,
    /// Whether the regions are too short to be told from their markers.
    pub too_short: bool,
}

impl Sampling {
    /// Whether no number of the model is to be believed.
    pub fn is_not_measurable(&self) -> bool {
        self.verdict.state == State::NotMeasurable
    }
}
