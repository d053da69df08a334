//! Costs of memory and operations that were seen in several regimes.

use std::collections::BTreeMap;

use cll_statistics::median;

use super::contention::is_inside;
use super::sample::{Analyzed, AnalyzerSample, SampleKind};
use super::{Access, LatencyCurve};
use crate::difference::{in_words, level_latency, level_rate};
use crate::regimes::Regimes;
use crate::uncertain::Uncertain;

/// Adds the regimes of what the samples gave, and widens intervals by them. `main` is the curve in which the levels were
/// found.
pub(super) fn add(
    analyzed: &mut Analyzed,
    samples: &[AnalyzerSample],
    main: Option<&LatencyCurve>,
) {
    let mut regimes = Vec::new();
    let levels = &mut analyzed.memory.levels;
    let mut from = 0.0;
    for level in levels.iter_mut() {
        let until = level.size.map_or(f64::INFINITY, |size| size.value);
        let inside = samples.iter().filter(|sample| {
            sample.kind == SampleKind::Latency
                && main.is_some_and(|main| {
                    sample.name == main.pages.name() && sample.stride == main.stride
                })
                && is_inside(sample.bytes, from, until)
        });
        if let Some(level_regimes) =
            Regimes::from_samples(level_latency(&level.name), "x", &factors(inside))
        {
            let level_regimes =
                level_regimes.times(level_latency(&level.name), "s", level.latency.value);
            level.latency = level_regimes.covered(level.latency);
            regimes.push(level_regimes);
        }
        from = until;
    }
    regimes.extend(of_bandwidths(analyzed, samples));
    for operation in &mut analyzed.operations {
        let name = in_words(operation);
        let sample = match operation.operand.as_str() {
            "" => operation.name.clone(),
            operand => format!("{}_{operand}", operation.name),
        };
        let chain = (SampleKind::Chain, "latency", &mut operation.latency);
        let many = (SampleKind::Many, "each of many", &mut operation.each);
        for (kind, what, value) in [chain, many] {
            // The chain of square roots has products in it.
            if kind == SampleKind::Chain && operation.name == "sqrt" {
                continue;
            }
            let times: Vec<f64> = samples
                .iter()
                .filter(|analyzer_sample| {
                    analyzer_sample.kind == kind && analyzer_sample.name == sample
                })
                .map(|sample| sample.time)
                .collect();
            cover(
                value,
                Regimes::from_samples(format!("{name}, {what}"), "s", &times),
                &mut regimes,
            );
        }
    }
    let starts: Vec<f64> = samples
        .iter()
        .filter(|sample| sample.kind == SampleKind::Process)
        .map(|sample| sample.time)
        .collect();
    cover(
        &mut analyzed.process_start,
        Regimes::from_samples("start of a process", "s", &starts),
        &mut regimes,
    );
    analyzed.regimes = regimes;
}

/// The regimes of bandwidths in each level.
fn of_bandwidths(analyzed: &Analyzed, samples: &[AnalyzerSample]) -> Vec<Regimes> {
    let mut regimes = Vec::new();
    for curve in &analyzed.memory.bandwidth {
        let mut from = 0.0;
        let rates = analyzed.memory.rates(curve);
        for level in &analyzed.memory.levels {
            let until = level.size.map_or(f64::INFINITY, |size| size.value);
            let inside = samples.iter().filter(|sample| {
                sample.kind == SampleKind::Bandwidth
                    && sample.cores == curve.cores
                    && Access::ALL
                        .iter()
                        .any(|access| *access == curve.access && sample.name == access.name())
                    && is_inside(sample.bytes, from, until)
            });
            // The samples are times of a byte.
            let factors: Vec<f64> = factors(inside).iter().map(|time| 1.0 / time).collect();
            let rate = rates.iter().find(|(name, _)| *name == level.name);
            if let (Some(level_regimes), Some((_, rate))) =
                (Regimes::from_samples("", "x", &factors), rate)
            {
                let what = level_rate(curve.access, curve.cores, &level.name);
                regimes.push(level_regimes.times(what, "B/s", rate.value));
            }
            from = until;
        }
    }
    regimes
}

fn cover(value: &mut Option<Uncertain>, option: Option<Regimes>, regimes: &mut Vec<Regimes>) {
    if let (Some(value), Some(option)) = (value, option) {
        *value = option.covered(*value);
        regimes.push(option);
    }
}

/// The times of samples divided by the median of those of their size.
fn factors<'a>(samples: impl Iterator<Item = &'a AnalyzerSample>) -> Vec<f64> {
    let mut sizes: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for sample in samples {
        sizes.entry(sample.bytes as u64).or_default().push(sample.time);
    }
    let relative = |times: Vec<f64>| {
        let middle = median(times.iter().copied()).unwrap_or(1.0);
        times.into_iter().map(move |time| time / middle)
    };
    sizes.into_values().flat_map(relative).collect()
}

impl Analyzed {
    /// Widens the intervals of sizes by what each launch shows alone. A launch that shows another number of levels or steps is
    /// left out.
    pub fn cover(&mut self, launches: &[Analyzed]) {
        let memory = &mut self.memory;
        let levels = launches.iter().map(|analyzed| &analyzed.memory.levels);
        let levels = levels.filter(|all| all.len() == memory.levels.len());
        for launch_levels in levels.collect::<Vec<_>>() {
            for (level, other) in memory.levels.iter_mut().zip(launch_levels) {
                if let (Some(size), Some(seen)) = (&mut level.size, other.size) {
                    widen(size, seen.value);
                }
            }
        }
        for launch_translation in launches.iter().map(|analyzed| &analyzed.memory.translation) {
            if launch_translation.len() == memory.translation.len() {
                for (translation, other) in memory.translation.iter_mut().zip(launch_translation) {
                    widen(&mut translation.reach, other.reach.value);
                    widen(&mut translation.cost, other.cost.value);
                }
            }
        }
    }
}

fn widen(value: &mut Uncertain, seen: f64) {
    value.low = value.low.min(seen);
    value.high = value.high.max(seen);
}
