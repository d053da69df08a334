//! Prepares the observations as a search needs them: one value per point, and the spread of repetitions.

use crate::options::Options;
use cll_fit::{Data, Unit, Weights};
use cll_statistics::{DEVIATIONS_IN_MAD, median, sorted};

/// Points with one value each, and the noise that their repetitions show.
#[derive(Clone, Debug)]
pub(crate) struct Observed {
    /// For each variable its values at the points.
    pub(crate) values: Vec<Vec<f64>>,
    /// One value per point.
    pub(crate) y: Vec<f64>,
    /// How many times surer than one observation the value of each point is: its repetitions, or fewer where the
    /// systematic error limits it.
    pub(crate) count: Vec<f64>,
    /// Repetitions of each point.
    pub(crate) repetitions: Vec<f64>,
    /// Variance of one observation: relative, or in the unit squared with absolute weights.
    pub(crate) variance: f64,
    /// Degrees of freedom of `variance`; 0 without repetitions.
    pub(crate) dof: f64,
    /// Whether these are counts, not times, that repeat but for [`UNEVEN`]: a small misfit is one of the formula, and a
    /// constant below 0 is no cost.
    pub(crate) are_counts: bool,
    /// Points that were left out since their value is not positive (relative weights).
    pub(crate) left_out: usize,
}

/// Shares of a time by which it may differ from any formula however often it is measured: lengths of loops, branches
/// and addresses make times uneven (a term for the model's own error: Kennedy and O'Hagan, 2001). Without it, hundreds
/// of repetitions make terms of such differences. The first is expected; the others are taken where the data are
/// explained better with them: times may be even, and then their repetitions show terms that are smaller
/// (decision 0105).
const SYSTEMATIC: [f64; 3] = [0.005, 0.001, 0.0];
/// Smaller systematic errors are tried where they make a point so many times surer.
const SURER: f64 = 1.5;

/// Relative standard deviation of counts: addresses and the order of threads change some instructions.
const UNEVEN: f64 = 1e-3;

/// Above so many repetitions the median is sure enough, and pairs would be too many.
const MAX_PAIRED: usize = 32;
/// Deviations beyond so many robust standard deviations count as so many.
const WINSORIZED: f64 = 3.0;

impl Observed {
    pub(crate) fn new(data: &Data, options: &Options) -> Observed {
        let weights = options.weights;
        let variables = data.variables.len();
        let mut observed = Observed {
            values: vec![Vec::with_capacity(data.points.len()); variables],
            y: Vec::new(),
            count: Vec::new(),
            repetitions: Vec::new(),
            variance: 0.0,
            dof: 0.0,
            are_counts: false,
            left_out: 0,
        };
        let mut deviations = Vec::new();
        for point in &data.points {
            let Some(center) = center(&point.observations) else { continue };
            if weights == Weights::Relative && center <= 0.0 {
                observed.left_out += 1;
                continue;
            }
            for (values, value) in observed.values.iter_mut().zip(&point.values) {
                values.push(*value);
            }
            observed.y.push(center);
            observed.repetitions.push(point.observations.len() as f64);
            observed.dof += point.observations.len() as f64 - 1.0;
            let scale = if weights == Weights::Relative { center } else { 1.0 };
            // n deviations from their own center are smaller than from the true one.
            let n = point.observations.len() as f64;
            if n > 1.0 {
                let grown = (n / (n - 1.0)).sqrt();
                deviations.extend(point.observations.iter().map(|o| grown * (o - center) / scale));
            }
        }
        observed.variance = variance(&mut deviations);
        observed.count = observed.repetitions.clone();
        if data.unit == Unit::Seconds && observed.variance > 0.0 {
            observed.count = observed.limited(SYSTEMATIC[0], options);
        }
        let middle = median(observed.y.iter().copied()).unwrap_or(0.0);
        let size = if weights == Weights::Relative { 1.0 } else { middle };
        observed.are_counts =
            data.unit != Unit::Seconds && observed.variance.sqrt() <= UNEVEN * size.abs();
        observed
    }

    /// The same observations with each of the smaller systematic errors, if that makes points much surer.
    pub(crate) fn surer(&self, options: &Options) -> Vec<Observed> {
        let ratio = |(count, repetitions): (&f64, &f64)| repetitions / count;
        let largest = self.count.iter().zip(&self.repetitions).map(ratio).fold(1.0, f64::max);
        if largest < SURER {
            return Vec::new();
        }
        let with = |&systematic: &f64| Observed {
            count: self.limited(systematic, options),
            ..self.clone()
        };
        SYSTEMATIC[1..].iter().map(with).collect()
    }

    /// Counts of points with a systematic error. No number of repetitions makes a point surer than that: n observations of
    /// variance v and a systematic error s are as sure as n/(1 + n s²/v) observations without.
    fn limited(&self, systematic: f64, options: &Options) -> Vec<f64> {
        let limited = |(count, y): (&f64, &f64)| {
            let size = if options.weights == Weights::Relative { *y } else { 1.0 };
            let square = ((systematic * y).powi(2) + options.unsure.powi(2)) / (size * size);
            count / (1.0 + count * square / self.variance)
        };
        self.repetitions.iter().zip(&self.y).map(limited).collect()
    }

    /// Number of points.
    pub(crate) fn len(&self) -> usize {
        self.y.len()
    }
}

/// The center of repetitions: the median of the means of all pairs (Hodges and Lehmann, 1963), which spikes move as
/// little as the median, and which has 95 % of the mean's efficiency for normal noise. The median of many.
fn center(observations: &[f64]) -> Option<f64> {
    if observations.len() > MAX_PAIRED {
        return median(observations.iter().copied());
    }
    let sorted = sorted(observations.iter().copied());
    let pairs = (0..sorted.len()).flat_map(|i| {
        let sorted = &sorted;
        (i..sorted.len()).map(move |j| 0.5 * sorted[i] + 0.5 * sorted[j])
    });
    median(pairs)
}

/// Mean square of deviations, those beyond three robust standard deviations cut to that.
fn variance(deviations: &mut [f64]) -> f64 {
    if deviations.is_empty() {
        return 0.0;
    }
    let mut sizes: Vec<f64> = deviations.iter().map(|d| d.abs()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let robust = DEVIATIONS_IN_MAD * cll_statistics::quantile(&sizes, 0.5);
    let limit = if robust > 0.0 { WINSORIZED * robust } else { f64::INFINITY };
    deviations.iter().map(|d| d.abs().min(limit).powi(2)).sum::<f64>() / deviations.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_center_of_pairs_is_that_of_r() {
        // wilcox.test(c(1, 2, 4, 8, 100), conf.int = TRUE)$estimate = 5
        assert_eq!(center(&[8.0, 1.0, 100.0, 2.0, 4.0]), Some(5.0));
        assert_eq!(center(&[3.0]), Some(3.0));
        assert_eq!(center(&[]), None);
    }

    #[test]
    fn many_repetitions_are_no_surer_than_the_systematic_error() {
        let mut data = Data::new(vec!["N".to_owned()]);
        for n in [1.0, 2.0, 4.0] {
            let observations = (0..400).map(|k| n * (1.0 + 0.01 * f64::from(k % 2 * 2 - 1)));
            data.points.push(cll_fit::Point::new(vec![n], observations.collect()));
        }
        for weights in [Weights::Relative, Weights::Absolute] {
            let options = Options { weights, unsure: 0.02, ..Options::default() };
            let observed = Observed::new(&data, &options);
            for (count, y) in observed.count.iter().zip(&observed.y) {
                let size = if weights == Weights::Relative { *y } else { 1.0 };
                let error = size * (observed.variance / count).sqrt();
                let repetitions = size * size * observed.variance / 400.0;
                let expected = (repetitions + (SYSTEMATIC[0] * y).powi(2) + 0.02 * 0.02).sqrt();
                assert!((error / expected - 1.0).abs() < 1e-12, "{error} {expected}");
            }
        }
        data.unit = Unit::Other("instructions".to_owned());
        assert_eq!(Observed::new(&data, &Options::default()).count, [400.0; 3]);
    }

    #[test]
    fn normal_noise_is_found_whatever_spikes_do() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut data = Data::new(vec!["N".to_owned()]);
        for n in 1..=400 {
            let mut observations: Vec<f64> = (0..5)
                .map(|_| f64::from(n) * (1.0 + 0.05 * cll_statistics::normal(|| random.f64())))
                .collect();
            if n % 20 == 0 {
                observations[0] *= 50.0;
            }
            data.points.push(cll_fit::Point::new(vec![f64::from(n)], observations));
        }
        let observed = Observed::new(&data, &Options::default());
        assert!(
            (observed.variance.sqrt() / 0.05 - 1.0).abs() < 0.06,
            "{}",
            observed.variance.sqrt()
        );
        assert_eq!(observed.dof, 1600.0);
    }
}
