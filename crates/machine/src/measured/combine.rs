//! Finds the operator @ with which one g explains all patterns.

use schemars::JsonSchema;
use serde::Serialize;

use super::lines::{fitted, h, points};
use super::{Sample, Setting};
use crate::communication::{Combine, Pattern, Synchronisation};

/// How far the patterns of a setting are from a common line over h, for each @.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Explained {
    /// The @ with the smaller error.
    pub best: Combine,
    /// Root of the mean square of the relative errors with @ = max.
    pub max: f64,
    /// The same with @ = +.
    pub sum: f64,
}

/// Number of pieces of the line that all patterns share.
const PIECES: usize = 3;

/// Fits a common line to all patterns of each setting, and returns the mean errors over the settings. It uses samples
/// with barriers; of these the ones with a core for each processor, if there are any. `None` if no setting has several
/// patterns.
pub(super) fn explained(samples: &[Sample]) -> Option<Explained> {
    let barrier = |candidate: &&Sample| candidate.synchronisation == Synchronisation::Barrier;
    let own_core = samples.iter().filter(barrier).any(|sample| !sample.setting.oversubscribed);
    let used: Vec<&Sample> = samples
        .iter()
        .filter(barrier)
        .filter(|sample| sample.setting.oversubscribed != own_core)
        .collect();
    let mut settings: Vec<&Setting> = used.iter().map(|sample| &sample.setting).collect();
    settings.sort();
    settings.dedup();
    let error = |setting: &Setting, combine: Combine| {
        let points_of = |pattern: Pattern| {
            let matching = used
                .iter()
                .filter(move |sample| sample.setting == *setting && sample.pattern == pattern);
            points(pattern as usize, matching.map(|sample| (h(sample, combine), sample.time.get())))
        };
        let all = Pattern::ALL.into_iter().flat_map(points_of).collect();
        Some(fitted(all, PIECES)?.quality.rmse_relative)
    };
    let several = |setting: &&&Setting| {
        let mut patterns =
            used.iter().filter(|sample| sample.setting == ***setting).map(|sample| sample.pattern);
        let first = patterns.next();
        patterns.any(|other| Some(other) != first)
    };
    let both: Vec<(f64, f64)> = settings
        .iter()
        .filter(several)
        .filter_map(|setting| Some((error(setting, Combine::Max)?, error(setting, Combine::Sum)?)))
        .collect();
    if both.is_empty() {
        return None;
    }
    let count = both.len() as f64;
    let max = both.iter().map(|(max, _)| max).sum::<f64>() / count;
    let sum = both.iter().map(|(_, sum)| sum).sum::<f64>() / count;
    let best = if sum < max { Combine::Sum } else { Combine::Max };
    Some(Explained { best, max, sum })
}
