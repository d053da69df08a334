//! How much single runs vary: a prediction is that of their median, or another aggregate, and one
//! run lies in a wider interval.

use cll_statistics::quantile_of;
use serde::{Deserialize, Serialize};

use crate::distributions::two_sided;
use crate::samples::Samples;
use crate::{Aggregate, Band, Fit, Weights};

/// How far one run may be below and above the aggregate of all, with the fit's confidence: relative
/// with relative weights, else in the observable's unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunDeviation {
    /// Below.
    pub below: f64,
    /// Above; times deviate farther in this direction.
    pub above: f64,
}

/// The deviation of single runs. `None` without repetitions.
///
/// It is that of normal noise, or above, if it is larger, that which occurred: noise of times is
/// one-sided.
pub(crate) fn run_deviation(samples: &Samples, confidence: f64) -> Option<RunDeviation> {
    let (mut squares, mut dof, mut above) = (0.0, 0.0, Vec::new());
    for (_, point) in samples.used() {
        let count = point.kept.len() as f64;
        if count < 2.0 {
            continue;
        }
        let median = quantile_of(&mut point.kept.clone(), 0.5);
        let scale = if samples.weights == Weights::Relative { median } else { 1.0 };
        if scale <= 0.0 {
            continue;
        }
        // Deviations from the points' own medians are smaller than those from the true ones.
        let own = (count / (count - 1.0)).sqrt();
        above.extend(point.kept.iter().map(|y| own * (y - median) / scale));
        let kept = samples.repetitions.without_spikes(&point.kept, median);
        let mean = crate::repetitions::aggregate(&kept, Aggregate::Mean);
        squares += kept.iter().map(|y| ((y - mean) / scale).powi(2)).sum::<f64>();
        dof += kept.len() as f64 - 1.0;
    }
    if dof < 1.0 {
        return None;
    }
    let normal = two_sided(confidence, dof) * (squares / dof).sqrt();
    let occurred = quantile_of(&mut above, 0.5 + 0.5 * confidence);
    let deviation = RunDeviation { below: normal, above: normal.max(occurred) };
    (deviation.below.is_finite() && deviation.above.is_finite()).then_some(deviation)
}

impl Fit {
    /// The number of runs that a prediction stands for.
    pub(crate) fn repetitions(&self) -> usize {
        if self.options.aggregate == Aggregate::All {
            return 1;
        }
        let used = self.residuals.iter().filter(|r| r.excluded.is_none());
        let mut counts: Vec<f64> = used.map(|r| r.spread.count as f64).collect();
        if counts.is_empty() { 1 } else { quantile_of(&mut counts, 0.5).round().max(1.0) as usize }
    }

    /// The deviation of runs in fits that were kept without it.
    fn normal_deviation(&self) -> Option<RunDeviation> {
        let relative = self.options.weights == Weights::Relative;
        let spread = self.quality.repetition_spread.filter(|_| relative)?;
        let normal = two_sided(self.options.confidence, self.quality.observations as f64) * spread;
        Some(RunDeviation { below: normal, above: normal })
    }

    /// The band of one run, from that of the aggregate of several.
    pub(crate) fn run_band(&self, value: f64, band: Band) -> Option<Band> {
        let count = self.repetitions() as f64;
        if count < 2.0 {
            return Some(band);
        }
        let deviation = self.quality.run_deviation.or_else(|| self.normal_deviation())?;
        // The band has the noise of the aggregate already.
        let rest = match self.options.aggregate {
            Aggregate::Median if count > 2.0 => 1.0 - std::f64::consts::FRAC_PI_2 / count,
            _ => 1.0 - 1.0 / count,
        };
        let size = if self.options.weights == Weights::Relative { value.abs() } else { 1.0 };
        let side = |half: f64, run: f64| half.max(0.0).hypot(run * size);
        let RunDeviation { below, above } = deviation;
        let normal = rest.sqrt() * below;
        let floor = if band.low >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
        Some(Band {
            low: (value - side(value - band.low, normal)).max(floor),
            high: value + side(band.high - value, if above > below { above } else { normal }),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Data, Options, fit};

    /// The share of the bands that hold one run, and that hold the median of as many as the fit has.
    fn held(repetitions: usize, noise: &mut dyn FnMut() -> f64) -> [f64; 2] {
        let truth = |n: f64| 20.0 + 3.0 * n;
        let median = |mut all: Vec<f64>| cll_statistics::quantile_of(&mut all, 0.5);
        let (mut single, mut several, mut count) = (0.0, 0.0, 0.0);
        for _ in 0..60 {
            let mut rows = Vec::new();
            for k in 0..12 {
                let n = f64::from(10 * (k + 1));
                rows.extend((0..repetitions).map(|_| (vec![n], truth(n) * noise())));
            }
            let data = Data::from_rows(vec!["N".into()], rows);
            let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.unwrap();
            let fit = fit(&formula, &data, &Options::default()).unwrap();
            for n in [15.0, 55.0, 95.0, 200.0] {
                let prediction = fit.predict(&[n]).unwrap();
                assert_eq!(prediction.repetitions, repetitions);
                let (band, run) = (prediction.band.unwrap(), prediction.run.unwrap());
                for _ in 0..5 {
                    let value = truth(n) * noise();
                    single += f64::from(u8::from(run.low <= value && value <= run.high));
                    let value = median((0..repetitions).map(|_| truth(n) * noise()).collect());
                    several += f64::from(u8::from(band.low <= value && value <= band.high));
                    count += 1.0;
                }
            }
        }
        [single / count, several / count]
    }

    #[test]
    fn one_run_lies_in_its_own_interval() {
        for repetitions in [2, 5, 25] {
            let mut random = fastrand::Rng::with_seed(4);
            let mut normal = || {
                let radius = (-2.0 * (1.0 - random.f64()).ln()).sqrt();
                1.0 + 0.05 * radius * (std::f64::consts::TAU * random.f64()).cos()
            };
            let [value, several] = held(repetitions, &mut normal);
            assert!((0.86..0.95).contains(&value), "{repetitions}: {value}");
            assert!((0.85..0.95).contains(&several), "{repetitions}: {several}");
        }
    }

    #[test]
    fn one_sided_noise_makes_it_longer_above() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut spikes = || {
            if random.f64() < 0.12 { 1.3 + 0.4 * random.f64() } else { 1.0 + 0.02 * random.f64() }
        };
        let [value, _] = held(9, &mut spikes);
        assert!((0.86..=1.0).contains(&value), "{value}");
    }
}
