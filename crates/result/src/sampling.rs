//! How the samples of a model were taken: the `sampling` part of `model.json`.

use cll_fit::rounds::{Mark, PossibleError, Reason, State};
use cll_units::Seconds;
use serde::{Deserialize, Serialize};

/// How the samples were taken, and how far they can be trusted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// What the orders were shuffled by.
    pub seed: u64,
    /// Half an interval's width that was wanted, as a share; `None` for a given number of rounds.
    pub precision: Option<f64>,
    /// What was reached of it; `None` if that is not known.
    pub reached: Option<f64>,
    /// What that is the width of: `walk[1]`, `walk at N=3000`.
    pub widest: Option<String>,
    /// The time that sampling might take; `None` for a given number of rounds.
    #[serde(rename = "budget_seconds")]
    pub budget: Option<Seconds>,
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
    /// What measuring cost a run; `None` if that was not looked at, and in models of older versions.
    #[serde(default)]
    pub measuring: Option<Measuring>,
    /// What measuring cost, by experiment; empty if that is not known.
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
    /// The requested number of rounds was made.
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
    pub off: Option<PossibleError>,
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
    /// When it began, since the first round did.
    pub started: Seconds,
    /// The time in which its programs ran.
    pub wall: Seconds,
    /// Processor time.
    pub cpu: Seconds,
    /// How often the program had to let others run.
    pub involuntary: u64,
    /// How often it waited voluntarily.
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

/// What a run that is measured is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Against {
    /// The program of the same sources, compiler and options, without markers.
    #[default]
    Plain,
    /// The same program with the gate closed.
    Gate,
}

/// What measuring cost a run: pairs of runs with markers and without, one behind the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measuring {
    /// What it was compared with.
    pub against: Against,
    /// Why that is no program without markers.
    pub because: Option<String>,
    /// Which run: the values of its variables, in words; empty if nothing is varied.
    pub run: String,
    /// How many pairs there were.
    pub pairs: usize,
    /// Median of processor time with markers.
    pub with: Seconds,
    /// Median of processor time without.
    pub without: Seconds,
    /// What the library took of the former to start and to end; no part of the share.
    pub start: Seconds,
    /// The share of the run that measuring is; below zero where the measured one is the faster one.
    pub share: f64,
    /// Lower end of the share's interval; `None` with too few pairs.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// Lines of which the compiler made other code because of the markers, by instructions; `None` if
    /// that was not looked at.
    pub code: Option<Vec<CodeModel>>,
}

/// A line of which the compiler made other code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CodeModel {
    /// Its file.
    pub file: String,
    /// Its number.
    pub line: u32,
    /// Instructions of the program with markers, in one run.
    pub with: u64,
    /// Instructions of the one without.
    pub without: u64,
}

/// What measuring cost an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DilationModel {
    /// Its name.
    pub experiment: String,
    /// Processor time of a run that is measured.
    pub gate_on: Seconds,
    /// Of the same run without measuring.
    pub gate_off: Seconds,
    /// Its markers' share of the run; below zero where the run that is measured is the faster one.
    pub share: f64,
    /// Lower end of the share's interval; `None` with too few pairs of runs, and in models of older versions.
    #[serde(default)]
    pub share_low: Option<f64>,
    /// Its upper end.
    #[serde(default)]
    pub share_high: Option<f64>,
    /// The cost of a region's markers; `None` if its interval includes zero.
    pub per_region: Option<Seconds>,
    /// Lower end of its interval.
    #[serde(default)]
    pub per_region_low: Option<Seconds>,
    /// Its upper end.
    #[serde(default)]
    pub per_region_high: Option<Seconds>,
    /// Whether the regions are too short to be distinguished from their markers.
    pub too_short: bool,
}

impl Sampling {
    /// Whether no number of the model is reliable.
    pub fn is_not_measurable(&self) -> bool {
        self.verdict.state == State::NotMeasurable
    }
}
