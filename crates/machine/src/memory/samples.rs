//! From the samples of the probes to the costs of memory and operations.

use std::collections::BTreeMap;

use cll_statistics::{interval_of_median, median, sorted};

use super::sample::{Analyzed, AnalyzerSample, SampleKind};
use super::{
    Access, BandwidthCurve, BandwidthPoint, IndependentCurve, LatencyCurve, LatencyPoint,
    LoadedCurve, LoadedPoint, Memory, Operation, Pages, contention, levels, regimes, translation,
};
use crate::machine::Cache;
use crate::uncertain::Uncertain;
use cll_units::text::{self, BinaryUnit, BytesDigits, BytesUnit};

/// The costs by the medians of the samples. `caches` are those that the system names, to be compared and not believed. By
/// the share `wider` times may be wrong because of disturbances.
pub fn analyze(samples: &[AnalyzerSample], caches: &[Cache], wider: f64) -> Analyzed {
    let sample_set = MemorySamples { all: samples, wider };
    let latency = sample_set.latency();
    let bandwidth = sample_set.bandwidth();
    let mut analyzed = Analyzed { operations: sample_set.operations(), ..Analyzed::default() };
    let process = |name: &str| {
        sample_set.values(|sample| sample.kind == SampleKind::Process && sample.name == name)
    };
    analyzed.process_start = summary(process("start"), wider);
    analyzed.page_use = summary(process("page"), wider);
    let curve = |pages: Pages, is: fn(f64) -> bool| {
        latency.iter().find(|curve| curve.pages == pages && is(curve.stride))
    };
    let lines = |pages| curve(pages, |stride| stride <= LINE);
    let main = lines(Pages::Large).or(lines(Pages::Small)).cloned();
    let mut levels = main.as_ref().map_or(Vec::new(), |curve| levels(&curve.points));
    for level in &mut levels {
        level.latency = widened(level.latency, wider);
    }
    let sparse = curve(Pages::Small, |stride| stride > MIN_PAGE);
    let steps = match (sparse, lines(Pages::Small).or(main.as_ref())) {
        (Some(sparse), Some(dense)) => translation(sparse, dense, sparse.stride - LINE),
        _ => Vec::new(),
    };
    if let Some(curve) = &main {
        analyzed.missing = unseen(&levels, curve, caches);
    }
    if sparse.is_some() && steps.is_empty() {
        analyzed.missing.push("the reach of address translation: no step was seen".into());
    }
    let contention = contention(&levels, &bandwidth);
    let (loaded, independent) = (sample_set.loaded(), sample_set.independent());
    analyzed.memory =
        Memory { levels, translation: steps, latency, independent, bandwidth, loaded, contention };
    regimes::add(&mut analyzed, samples, main.as_ref());
    analyzed
}

/// Bytes of a cache line, the stride of a dense chase.
const LINE: f64 = 64.0;
/// A chase with a larger stride has each line in a page of its own.
const MIN_PAGE: f64 = 4096.0;

/// The bytes that the others read in a second, and the time of an access.
type RatesAndTimes = (Vec<f64>, Vec<f64>);

struct MemorySamples<'a> {
    all: &'a [AnalyzerSample],
    wider: f64,
}

impl MemorySamples<'_> {
    fn of_kind(&self, kind: SampleKind) -> impl Iterator<Item = &AnalyzerSample> {
        self.all.iter().filter(move |sample| sample.kind == kind)
    }

    fn values(&self, is: impl Fn(&AnalyzerSample) -> bool) -> Vec<f64> {
        self.all.iter().filter(|sample| is(sample)).map(|sample| sample.time).collect()
    }

    fn latency(&self) -> Vec<LatencyCurve> {
        let mut points: BTreeMap<(Pages, u64), BTreeMap<u64, Vec<f64>>> = BTreeMap::new();
        for sample in self.of_kind(SampleKind::Latency) {
            let pages = Pages::ALL.into_iter().find(|pages| pages.name() == sample.name);
            let Some(pages) = pages else { continue };
            let curve = points.entry((pages, sample.stride as u64)).or_default();
            curve.entry(sample.bytes as u64).or_default().push(sample.time);
        }
        let curve = |((pages, stride), points): ((Pages, u64), BTreeMap<u64, Vec<f64>>)| {
            let point = |(size, times): (u64, Vec<f64>)| {
                Some(LatencyPoint { size: size as f64, latency: summary(times, self.wider)? })
            };
            let points = points.into_iter().filter_map(point).collect();
            LatencyCurve { stride: stride as f64, pages, points }
        };
        points.into_iter().map(curve).collect()
    }

    fn independent(&self) -> Vec<IndependentCurve> {
        let mut points: BTreeMap<(Access, Pages, u64), BTreeMap<u64, Vec<f64>>> = BTreeMap::new();
        for sample in self.of_kind(SampleKind::Independent) {
            let Some((access, pages)) = sample.name.split_once('-') else { continue };
            let access = Access::ALL.into_iter().find(|known| known.name() == access);
            let pages = Pages::ALL.into_iter().find(|known| known.name() == pages);
            let (Some(access), Some(pages)) = (access, pages) else { continue };
            let curve = points.entry((access, pages, sample.stride as u64)).or_default();
            curve.entry(sample.bytes as u64).or_default().push(sample.time);
        }
        type Points = BTreeMap<u64, Vec<f64>>;
        let curve = |((access, pages, stride), points): ((Access, Pages, u64), Points)| {
            let point = |(size, times): (u64, Vec<f64>)| {
                Some(LatencyPoint { size: size as f64, latency: summary(times, self.wider)? })
            };
            let points = points.into_iter().filter_map(point).collect();
            IndependentCurve { access, stride: stride as f64, pages, points }
        };
        points.into_iter().map(curve).collect()
    }

    fn bandwidth(&self) -> Vec<BandwidthCurve> {
        let mut points: BTreeMap<(Access, u32), BTreeMap<u64, Vec<f64>>> = BTreeMap::new();
        for sample in self.of_kind(SampleKind::Bandwidth) {
            let access = Access::ALL.into_iter().find(|access| access.name() == sample.name);
            let Some(access) = access else { continue };
            let curve = points.entry((access, sample.cores)).or_default();
            curve
                .entry(sample.bytes as u64)
                .or_default()
                .push(f64::from(sample.cores) / sample.time);
        }
        let curve = |((access, cores), points): ((Access, u32), BTreeMap<u64, Vec<f64>>)| {
            let point = |(size, rates): (u64, Vec<f64>)| {
                Some(BandwidthPoint { size: size as f64, rate: summary(rates, self.wider)? })
            };
            let points = points.into_iter().filter_map(point).collect();
            BandwidthCurve { access, cores, points }
        };
        points.into_iter().map(curve).collect()
    }

    fn loaded(&self) -> Vec<LoadedCurve> {
        let mut points: BTreeMap<u32, BTreeMap<&str, RatesAndTimes>> = BTreeMap::new();
        for sample in self.of_kind(SampleKind::Loaded) {
            let point = points.entry(sample.cores).or_default().entry(&sample.name).or_default();
            point.0.push(sample.bytes);
            point.1.push(sample.time);
        }
        let curve = |(cores, points): (u32, BTreeMap<&str, RatesAndTimes>)| {
            let point = |(rates, times): RatesAndTimes| {
                let rate = summary(rates, self.wider)?;
                Some(LoadedPoint { rate, latency: summary(times, self.wider)? })
            };
            let mut points: Vec<LoadedPoint> = points.into_values().filter_map(point).collect();
            points.sort_by(|a, b| a.rate.value.total_cmp(&b.rate.value));
            LoadedCurve { cores, points }
        };
        points.into_iter().map(curve).collect()
    }

    fn operations(&self) -> Vec<Operation> {
        let mut names: Vec<&str> = Vec::new();
        for sample in self.of_kind(SampleKind::Chain) {
            if !names.contains(&sample.name.as_str()) {
                names.push(&sample.name);
            }
        }
        let order = |name: &&str| {
            const NAMES: [&str; 6] = ["add", "multiply", "fma", "divide", "sqrt", "branch"];
            let (name, operand) = name.split_once('_').unwrap_or((name, ""));
            (NAMES.iter().position(|text| *text == name), operand.to_owned())
        };
        names.sort_by_key(order);
        let time = |kind: SampleKind, name: &str| {
            summary(self.values(|sample| sample.kind == kind && sample.name == name), self.wider)
        };
        let operation = |name: &str| {
            let mut latency = time(SampleKind::Chain, name);
            let each = time(SampleKind::Many, name);
            let (word, operand) = name.split_once('_').unwrap_or((name, ""));
            if word == "sqrt" {
                // Its chain multiplies each result.
                let product = time(SampleKind::Chain, &format!("multiply_{operand}"));
                latency = latency.zip(product).map(|(both, product)| less(both, product));
            }
            Operation { name: word.to_owned(), operand: operand.to_owned(), latency, each }
        };
        names.into_iter().map(operation).collect()
    }
}

fn less(both: Uncertain, part: Uncertain) -> Uncertain {
    let value = (both.value - part.value).max(0.0);
    let low = (both.low - part.high).clamp(0.0, value);
    Uncertain { value, low, high: (both.high - part.low).max(value) }
}

/// The median with its 95 % interval, or with the range of the values where they are too few for one; `None` without values.
pub(super) fn summary(mut values: Vec<f64>, wider: f64) -> Option<Uncertain> {
    values.retain(|value| value.is_finite() && *value > 0.0);
    let value = median(values.iter().copied())?;
    let values = sorted(values);
    let (low, high) =
        interval_of_median(&values, 0.95).unwrap_or((values[0], values[values.len() - 1]));
    Some(widened(Uncertain { value, low: low.min(value), high: high.max(value) }, wider))
}

/// The interval beyond which the value is not by disturbances of this share, either.
fn widened(value: Uncertain, share: f64) -> Uncertain {
    let (low, high) = (value.low * (1.0 - share).max(0.0), value.high * (1.0 + share));
    Uncertain { low, high, ..value }
}

/// Describes the caches that the system names and the curve does not show.
fn unseen(levels: &[super::Level], curve: &LatencyCurve, caches: &[Cache]) -> Vec<String> {
    /// The effective size of a cache may be this much smaller or larger than the system says.
    const ALIKE: f64 = 1.5;
    let mut missing = Vec::new();
    let largest = curve.points.last().map_or(0.0, |point| point.size);
    let seen = levels.len().saturating_sub(1);
    if levels.len() < 2 {
        missing.push("levels of the memory: the latency has no step".to_owned());
        return missing;
    }
    for (k, cache) in caches.iter().enumerate() {
        let (name, claimed) = (&cache.name, cache.bytes.as_f64());
        let Some(size) = levels.get(k).and_then(|level| level.size) else {
            missing.push(format!(
                "{name}: the system says {}, the latency has {seen} steps up to {} (a virtual machine may \
                 hide a cache, or others may use it)",
                in_words(claimed),
                in_words(largest)
            ));
            continue;
        };
        if size.value > ALIKE * claimed || size.value < claimed / ALIKE {
            missing.push(format!(
                "why the system says {} for {name} and accesses find {}: a shared cache has room for others, \
                 too, and a virtual machine may have a part of it",
                in_words(claimed),
                in_words(size.value)
            ));
        }
    }
    missing
}

fn in_words(bytes: f64) -> String {
    text::bytes(bytes, BytesUnit::Largest(BinaryUnit::Gib), BytesDigits::Few)
}
