//! How the samples of a model were taken: the `sampling` part of `model.json`.

use cll_fit::rounds::{Mark, PossibleError, Reason, State};
use cll_units::Seconds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::doubt::{Doubt, DoubtKind};
use crate::plan::NextPoint;

/// How the samples were taken, and how far they can be trusted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sampling {
    /// The seed by which the orders were shuffled.
    pub seed: u64,
    /// The requested precision: half the width of the interval, as a share; `None` if the number of rounds was given.
    pub precision: Option<f64>,
    /// The precision that was reached; `None` if that is not known.
    pub reached: Option<f64>,
    /// The constant or prediction with the widest interval: `walk[1]`, `walk at N=3000`.
    pub widest: Option<String>,
    /// The largest time for sampling; `None` if the number of rounds was given.
    #[serde(rename = "budget_s", alias = "budget_seconds")]
    pub budget: Option<Seconds>,
    /// Whether that is core time: a second of a run counts once for each of its processors.
    #[serde(rename = "core_time", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_core_time: bool,
    /// The predictions whose bands have to be narrow; if there are none, the intervals of the constants.
    pub wanted: Vec<String>,
    /// Why it ended.
    pub stopped: Stopped,
    /// Processors that the program was bound to; `None` if it was not bound.
    pub pinned: Option<Vec<usize>>,
    /// `rr 1`, `nice -20`, `other`.
    pub scheduler: String,
    /// Whether the best speed of the machine was known from earlier measurements.
    pub canary_known: bool,
    /// How far the samples can be trusted.
    pub verdict: Verdict,
    /// The rounds.
    pub rounds: Vec<RoundModel>,
    /// The samples that were left out.
    pub discarded: Discarded,
    /// The overhead of measuring; `None` if it was not measured, and in models of older versions.
    #[serde(default)]
    pub measuring: Option<Measuring>,
    /// The overhead of measuring, by experiment; empty if it is not known.
    #[serde(rename = "overhead", alias = "dilation")]
    pub dilation: Vec<DilationModel>,
    /// With `--adaptive` what was chosen; before that the first points are measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adaptive: Vec<AdaptiveRound>,
}

/// Points that were chosen by what was measured before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AdaptiveRound {
    /// The first round that has them.
    pub round: u32,
    /// Half the width of the widest interval before, as a share; `None` if that was not known.
    pub width: Option<f64>,
    /// The part of the budget that was spent before, by that call.
    #[serde(rename = "spent_s", alias = "spent_seconds")]
    pub spent: Seconds,
    /// The points.
    pub points: Vec<NextPoint>,
}

/// Why sampling ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stopped {
    /// The intervals are as narrow as requested.
    Precise,
    /// The time was up.
    Budget,
    /// The requested number of rounds was made.
    Launches,
    /// The user ended it.
    Interrupted,
    /// More rounds do not make the intervals narrower.
    Hopeless,
    /// Points were chosen as often as is allowed.
    Planned,
}

/// How far the samples can be trusted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// `quiet`, `disturbed`, `not-measurable`.
    pub state: State,
    /// Why not quiet.
    pub reasons: Vec<Reason>,
    /// Advice that would help.
    pub advice: Vec<String>,
    /// How much the times may differ from those of a quiet machine; every interval is widened by this. `None` if only
    /// undisturbed rounds were fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off: Option<PossibleError>,
    /// Relative standard deviation of the common part of the errors: it is the same for all times of these samples, but
    /// different if they are measured again on another day. It is included in every interval. `None` if the fitted
    /// observable is always the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common: Option<f64>,
}

/// A round: every point once or more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoundModel {
    /// The number of the round.
    pub round: u32,
    /// Indices of its runs in the model.
    pub runs: Vec<usize>,
    /// When it began, relative to the beginning of the first round.
    pub started: Seconds,
    /// The time during which its programs ran.
    pub wall: Seconds,
    /// Processor time.
    pub cpu: Seconds,
    /// How often the program was switched out for other programs.
    pub involuntary: u64,
    /// How often it waited voluntarily.
    pub voluntary: u64,
    /// Share of the time of the program's processors that the hypervisor took.
    pub steal: f64,
    /// Share of this time that other programs had.
    pub others: f64,
    /// Share of the time of the other processors that other programs had.
    pub elsewhere: f64,
    /// The speed of the processor, relative to the fastest known.
    pub canary: Canary,
    /// The faults of the round.
    pub marked: Vec<Mark>,
    /// Whether it was fitted.
    pub used: bool,
}

/// Times of fixed loops as ratios to the fastest known; 1 at best.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Canary {
    /// Dependent operations: the clock.
    pub chain: Option<f64>,
    /// Independent operations: the width of the core.
    pub width: Option<f64>,
    /// Share of the width measurements in which another program used the same core.
    pub narrow: Option<f64>,
    /// A message between two processors; `None` for one.
    pub partner: Option<f64>,
}

/// Samples that were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Discarded {
    /// Samples of rounds that were not used.
    pub samples: u64,
    /// Single samples during which the program was switched out.
    pub switched: u64,
}

/// The program that a measured run is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Against {
    /// The program of the same sources, compiler and options, without markers.
    #[default]
    Plain,
    /// The same program with the gate closed.
    Gate,
}

/// The overhead of measuring, from pairs of runs with and without markers, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measuring {
    /// The program that the run was compared with.
    pub against: Against,
    /// Why it was not compared with a program without markers.
    pub because: Option<String>,
    /// Which run: the values of its variables, in words; empty if nothing is varied.
    pub run: String,
    /// How many pairs there were.
    pub pairs: usize,
    /// Median of processor time with markers.
    pub with: Seconds,
    /// Median of processor time without.
    pub without: Seconds,
    /// The part of `with` that the library needed to start and end; it is not included in the share.
    pub start: Seconds,
    /// The overhead as a share of the run; negative if the run with markers is faster.
    pub share: f64,
    /// Lower end of the share's interval; `None` with too few pairs.
    pub low: Option<f64>,
    /// The upper end of the share's interval.
    pub high: Option<f64>,
    /// Lines for which the compiler made different code because of the markers, with their instructions; `None` if the
    /// code was not compared.
    pub code: Option<Vec<CodeModel>>,
}

/// A line for which the compiler made different code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CodeModel {
    /// The file of the line.
    pub file: String,
    /// The number of the line.
    pub line: u32,
    /// Instructions of the program with markers, in one run.
    pub with: u64,
    /// Instructions of the one without.
    pub without: u64,
}

/// The cost of measuring an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DilationModel {
    /// The name of the experiment.
    pub experiment: String,
    /// Processor time of a run with markers.
    pub gate_on: Seconds,
    /// Processor time of the same run without markers.
    pub gate_off: Seconds,
    /// The overhead of its markers as a share of the run; negative if the run with markers is faster.
    pub share: f64,
    /// Lower end of the share's interval; `None` with too few pairs of runs, and in models of older versions.
    #[serde(default)]
    pub share_low: Option<f64>,
    /// The upper end of the share's interval.
    #[serde(default)]
    pub share_high: Option<f64>,
    /// The cost of a region's markers; `None` if its interval includes zero.
    pub per_region: Option<Seconds>,
    /// Lower end of its interval.
    #[serde(default)]
    pub per_region_low: Option<Seconds>,
    /// The upper end of that interval.
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

    /// The doubt in numbers that are from these samples.
    pub fn doubt(&self) -> Option<Doubt> {
        let verdict = &self.verdict;
        let (kind, what) = match verdict.state {
            State::Quiet => return None,
            State::NotMeasurable => (
                DoubtKind::NotMeasurable,
                "the model was measured on a disturbed machine, and its numbers are not to be believed",
            ),
            State::Disturbed if verdict.off.is_some() => (
                DoubtKind::Disturbed,
                "the machine was disturbed while the model was measured, and its intervals are wider for that",
            ),
            State::Disturbed => (
                DoubtKind::Disturbed,
                "the machine was disturbed in some rounds, which are left out",
            ),
        };
        let reasons: Vec<&str> =
            verdict.reasons.iter().map(|reason| reason.text.as_str()).collect();
        let text = if reasons.is_empty() {
            what.to_owned()
        } else {
            format!("{what}: {}", reasons.join("; "))
        };
        Some(Doubt { kind, text })
    }
}
