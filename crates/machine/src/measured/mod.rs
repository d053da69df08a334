//! Computes the content of a machine's file from samples of supersteps.

mod classic;
mod combine;
pub(crate) mod lines;
mod regimes;

use cll_statistics::{interval_of_median, quantile, sorted};
use cll_units::Seconds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::communication::{Classic, Combine, Empty, Line, Pattern, Synchronisation};
use crate::regimes::Regimes;
use crate::uncertain::Uncertain;
pub use combine::Explained;

/// The setting of the run that gave the samples.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Setting {
    /// The engine.
    pub engine: String,
    /// Number of processors.
    pub processors: u32,
    /// Whether these were more than the cores.
    pub oversubscribed: bool,
}

/// The result of one launch for supersteps of one pattern and size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sample {
    /// The setting of the run.
    pub setting: Setting,
    /// How the supersteps ended.
    pub synchronisation: Synchronisation,
    /// Which processors sent to which.
    pub pattern: Pattern,
    /// h for @ = max, bytes.
    pub h_max: f64,
    /// h for @ = +, bytes.
    pub h_sum: f64,
    /// Number of the round.
    pub round: usize,
    /// The synchronisation.
    #[serde(rename = "time_s", alias = "seconds")]
    pub time: Seconds,
    /// The requests before it.
    pub calls: Seconds,
    /// By how much the first reading of received data takes longer than the second.
    #[serde(default)]
    pub fetch: Seconds,
}

/// The result of one launch for supersteps in which nothing is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct EmptySample {
    /// The setting of the run.
    pub setting: Setting,
    /// How they ended.
    pub synchronisation: Synchronisation,
    /// Number of the round.
    pub round: usize,
    /// One superstep: the median of the launch's batches.
    pub time: Seconds,
    /// One superstep of each batch, seconds.
    pub batches: Vec<f64>,
}

/// All that was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Supersteps with communication.
    pub samples: Vec<Sample>,
    /// Without.
    pub empty: Vec<EmptySample>,
    /// Operations per second of a processor, one for each launch that reported it.
    pub rates: Vec<f64>,
    /// The share by which every interval is widened, because rounds were disturbed.
    pub disagreement: f64,
    /// Whether every pattern was to be measured: one without any sample is missing then, too.
    pub every_pattern: bool,
}

/// The measured values, as in a machine's file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluated {
    /// (s, g, l).
    pub classic: Vec<Classic>,
    /// Empty supersteps.
    pub empty: Vec<Empty>,
    /// Supersteps with communication.
    pub communication: Vec<Line>,
    /// How well one g explains all patterns, by @; `None` without enough samples.
    pub explained: Option<Explained>,
    /// Values that were seen in several regimes; the intervals have all of them in it.
    pub regimes: Vec<Regimes>,
    /// The quantities that could not be fitted, in words.
    pub missing: Vec<String>,
}

impl Measured {
    /// Fits everything: each pattern segment by segment, by relative errors, without negative constants.
    pub fn evaluate(&self) -> Evaluated {
        let mut evaluated = Evaluated::default();
        let mut settings: Vec<&Setting> = (self.samples.iter().map(|sample| &sample.setting))
            .chain(self.empty.iter().map(|sample| &sample.setting))
            .collect();
        let mut engines: Vec<&str> = Vec::new();
        for setting in &settings {
            if !engines.contains(&setting.engine.as_str()) {
                engines.push(&setting.engine);
            }
        }
        let place = |setting: &Setting| engines.iter().position(|engine| *engine == setting.engine);
        settings.sort_by_key(|setting| (place(setting), setting.processors));
        settings.dedup();
        for setting in settings {
            self.of_setting(setting, &mut evaluated);
        }
        evaluated.explained = combine::explained(&self.samples);
        evaluated
    }

    fn of_setting(&self, setting: &Setting, evaluated: &mut Evaluated) {
        for synchronisation in Synchronisation::ALL {
            let Some((empty, regimes)) = self.empty(setting, synchronisation) else { continue };
            evaluated.regimes.extend(regimes);
            evaluated.empty.push(empty);
        }
        let barrier = evaluated.empty.iter().rev().find(|empty| {
            empty.synchronisation == Synchronisation::Barrier
                && empty.engine.as_deref() == Some(&setting.engine)
                && empty.processors == setting.processors
        });
        let barrier = barrier.cloned();
        let l = barrier.as_ref().map(|empty| empty.l);
        if let Some(mut classic) = self.classic(setting, l) {
            classic.g = self.over_launches(setting, classic.g);
            let of_empty = barrier.map(|empty| empty.name());
            let same =
                evaluated.regimes.iter().find(|regimes| Some(&regimes.what) == of_empty.as_ref());
            let same = same.map(|regimes| regimes.times(classic.name("l"), "s", 1.0));
            evaluated.regimes.extend(same);
            evaluated.classic.push(classic);
        }
        for synchronisation in Synchronisation::ALL {
            // One processor has no other to send to.
            let is_begun = setting.processors > 1
                && self.empty.iter().any(|sample| {
                    sample.setting == *setting && sample.synchronisation == synchronisation
                });
            for pattern in Pattern::ALL {
                let lines = match self.lines(setting, synchronisation, pattern) {
                    Some(lines) => lines,
                    None if self.every_pattern && is_begun => Vec::new(),
                    None => continue,
                };
                if !lines.iter().any(|line| line.combine == Combine::Max) {
                    evaluated.missing.push(format!(
                        "{} ({}) on engine {} with {} processors: too few sizes were measured",
                        pattern.name(),
                        synchronisation.name(),
                        setting.engine,
                        setting.processors
                    ));
                }
                evaluated.communication.extend(lines);
            }
        }
    }

    /// The time of an empty superstep, and its regimes if there are several.
    fn empty(
        &self,
        setting: &Setting,
        synchronisation: Synchronisation,
    ) -> Option<(Empty, Option<Regimes>)> {
        let own_samples = self.empty.iter().filter(|sample| {
            sample.setting == *setting && sample.synchronisation == synchronisation
        });
        let l = middle(
            own_samples.clone().map(|sample| sample.time.get()).collect(),
            self.disagreement,
        )?;
        let mut empty = Empty {
            engine: Some(setting.engine.clone()),
            processors: setting.processors,
            oversubscribed: setting.oversubscribed,
            synchronisation,
            l,
        };
        let batches: Vec<f64> =
            own_samples.flat_map(|sample| sample.batches.iter().copied()).collect();
        let regimes = Regimes::from_samples(empty.name(), "s", &batches);
        if let Some(regimes) = &regimes {
            empty.l = regimes.covered(l);
        }
        Some((empty, regimes))
    }

    /// The lines of a pattern, for each way of combining that has sizes enough; `None` if it was not measured.
    fn lines(
        &self,
        setting: &Setting,
        synchronisation: Synchronisation,
        pattern: Pattern,
    ) -> Option<Vec<Line>> {
        let samples: Vec<&Sample> = self
            .samples
            .iter()
            .filter(|sample| {
                sample.setting == *setting
                    && sample.synchronisation == synchronisation
                    && sample.pattern == pattern
            })
            .collect();
        if samples.is_empty() {
            return None;
        }
        let calls = lines::calls(&samples, self.disagreement);
        let fetch = lines::fetch(&samples, self.disagreement);
        let line = |combine: Combine| {
            let mut segments = lines::segments(&samples, combine, self.disagreement)?;
            let points =
                samples.iter().map(|sample| (lines::h(sample, combine), sample.time.get()));
            lines::regimes(&mut segments, points);
            Some(Line {
                engine: Some(setting.engine.clone()),
                processors: setting.processors,
                oversubscribed: setting.oversubscribed,
                synchronisation,
                pattern,
                combine,
                segments,
                calls,
                fetch,
            })
        };
        Some(Combine::ALL.into_iter().filter_map(line).collect())
    }
}

/// Rounds to four digits: the measurement is not more precise, and fewer would be a visible error.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// A value with its interval, from zero upwards, widened by a share of the value.
fn uncertain(value: f64, low: Option<f64>, high: Option<f64>, wider: f64) -> Uncertain {
    let value = rounded(value.max(0.0));
    let low = rounded((low.unwrap_or(value) - wider * value).max(0.0));
    let high = rounded(high.unwrap_or(value) + wider * value);
    Uncertain { value, low: low.min(value), high: high.max(value) }
}

/// The median, with its 95 % interval (from order statistics); with fewer than six values, from the smallest to the
/// largest.
pub(crate) fn middle(values: Vec<f64>, wider: f64) -> Option<Uncertain> {
    let values = sorted(values.into_iter().filter(|value| value.is_finite()));
    let (first, last) = (*values.first()?, *values.last()?);
    let (low, high) = interval_of_median(&values, 0.95).unwrap_or((first, last));
    Some(uncertain(quantile(&values, 0.5), Some(low), Some(high), wider))
}
