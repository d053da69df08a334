//! How measurements vary: by the same amount everywhere, by the same share, or both.

/// The kind of a noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoiseKind {
    /// The same standard deviation everywhere.
    Absolute,
    /// A standard deviation proportional to the value.
    Relative,
    /// Both.
    Both,
}

/// Variance of a run about its point: absolute² + (relative · value)².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Standard deviation that does not depend on the value, in its unit.
    pub absolute: f64,
    /// Standard deviation as a share of the value.
    pub relative: f64,
    /// Standard deviation of a whole point, which more runs do not make smaller, in units of that of a run.
    pub between: f64,
    /// Variance of the aggregate of r runs, times r, divided by the variance of a run: 1 for means, π/2 for medians.
    pub aggregate: f64,
}

/// The smallest standard deviation of a run, as a share of its value.
const LEAST: f64 = 1e-5;

/// The variance of the runs of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scatter {
    /// The value there.
    pub value: f64,
    /// Variance of a run.
    pub variance: f64,
    /// Degrees of freedom of the variance.
    pub dof: f64,
}

impl Noise {
    /// The same standard deviation everywhere.
    pub fn absolute(deviation: f64) -> Noise {
        Noise { absolute: deviation, relative: 0.0, between: 0.0, aggregate: 1.0 }
    }

    /// The same share of the value everywhere.
    pub fn relative(share: f64) -> Noise {
        Noise { absolute: 0.0, relative: share, between: 0.0, aggregate: 1.0 }
    }

    /// Which kind it is.
    pub fn kind(&self) -> NoiseKind {
        match (self.absolute > 0.0, self.relative > 0.0) {
            (true, true) => NoiseKind::Both,
            (true, false) => NoiseKind::Absolute,
            _ => NoiseKind::Relative,
        }
    }

    /// Variance of the aggregate of so many runs of a point with this value.
    pub fn variance(&self, value: f64, runs: u32) -> f64 {
        let value = self.of_run(value);
        let runs = f64::from(runs.max(1));
        let aggregate = if runs > 2.0 { self.aggregate } else { 1.0 };
        value * (aggregate / runs + self.between * self.between)
    }

    fn of_run(&self, value: f64) -> f64 {
        let variance = self.absolute.powi(2) + (self.relative * value).powi(2);
        // Without any noise all points are equally good; and sums of squares have 16 digits.
        variance.max((LEAST * value).powi(2)).max(f64::MIN_POSITIVE)
    }

    /// From the variances of points: the kind whose Bayesian information criterion is least, each variance being
    /// chi-square distributed with its degrees of freedom. `None` without a variance above 0.
    pub fn estimate(points: &[Scatter]) -> Option<Noise> {
        let is_usable = |point: &&Scatter| {
            point.dof > 0.0
                && point.variance.is_finite()
                && point.variance >= 0.0
                && point.value != 0.0
        };
        let points: Vec<Scatter> = points.iter().filter(is_usable).copied().collect();
        if !points.iter().any(|scatter| scatter.variance > 0.0) {
            return None;
        }
        // A variance of 0 by rounding has no likelihood.
        let least = 1e-3 * cll_statistics::median(points.iter().map(|scatter| scatter.variance))?;
        let dof: f64 = points.iter().map(|scatter| scatter.dof).sum();
        let deviance = |shape: &dyn Fn(f64) -> f64| {
            let ratio = |point: &Scatter| point.variance / shape(point.value);
            let scale =
                points.iter().map(|scatter| scatter.dof * ratio(scatter)).sum::<f64>() / dof;
            let each = |point: &Scatter| {
                let expected = (scale * shape(point.value)).max(f64::MIN_POSITIVE);
                point.dof * (expected.ln() + point.variance.max(least) / expected)
            };
            (scale, points.iter().map(each).sum::<f64>())
        };
        let (absolute, first) = deviance(&|_| 1.0);
        let (relative, second) = deviance(&|value| value * value);
        let penalty = (points.len() as f64).ln();
        let mut best = if first < second {
            (first, Noise::absolute(absolute.sqrt()))
        } else {
            (second, Noise::relative(relative.sqrt()))
        };
        // The value at which both parts are equal.
        let sizes = points.iter().map(|scatter| scatter.value.abs());
        let (low, high) = sizes.fold((f64::INFINITY, 0.0f64), |(l, h), v| (l.min(v), h.max(v)));
        const STEPS: u32 = 24;
        for k in 1..STEPS {
            let equal = low * (high / low).powf(f64::from(k) / f64::from(STEPS));
            let (scale, value) = deviance(&|value| equal * equal + value * value);
            if value + penalty < best.0 {
                let share = scale.sqrt();
                best.0 = value + penalty;
                best.1 = Noise { absolute: share * equal, ..Noise::relative(share) };
            }
        }
        Some(best.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Variances of 5 runs at 12 sizes.
    fn sampled(seed: u64, deviation: impl Fn(f64) -> f64) -> Noise {
        let mut random = fastrand::Rng::with_seed(seed);
        let points: Vec<Scatter> = (0..12)
            .map(|k| {
                let value = 1.7f64.powi(k);
                let runs: Vec<f64> = (0..5)
                    .map(|_| value + deviation(value) * cll_statistics::normal(|| random.f64()))
                    .collect();
                let mean = runs.iter().sum::<f64>() / 5.0;
                let variance = runs.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / 4.0;
                Scatter { value, variance, dof: 4.0 }
            })
            .collect();
        Noise::estimate(&points).unwrap()
    }

    #[test]
    fn the_kind_of_noise_is_found() {
        let share = |kind, of: &dyn Fn(u64) -> Noise| {
            (0..100).filter(|&seed| of(seed).kind() == kind).count()
        };
        assert!(share(NoiseKind::Absolute, &|seed| sampled(seed, |_| 0.2)) >= 90);
        assert!(share(NoiseKind::Relative, &|seed| sampled(seed, |value| 0.05 * value)) >= 90);
        let both = |seed| sampled(seed, |value: f64| 0.5f64.hypot(0.05 * value));
        assert!(share(NoiseKind::Both, &both) >= 80);
        let noise = sampled(1, |value| 0.05 * value);
        assert!((noise.relative / 0.05 - 1.0).abs() < 0.3, "{noise:?}");
    }

    #[test]
    fn without_variation_there_is_no_estimate() {
        assert_eq!(Noise::estimate(&[]), None);
        assert_eq!(Noise::estimate(&[Scatter { value: 1.0, variance: 0.0, dof: 4.0 }]), None);
        let odd = [f64::NAN, f64::INFINITY, -1.0].map(|variance| Scatter {
            value: 1.0,
            variance,
            dof: 4.0,
        });
        assert_eq!(Noise::estimate(&odd), None);
        assert!(Noise::relative(0.0).variance(3.0, 1) > 0.0);
    }

    #[test]
    fn runs_make_a_point_certain_but_for_what_differs_between_points() {
        let noise = Noise { between: 0.5, ..Noise::relative(0.1) };
        assert!((noise.variance(2.0, 4) - 0.04 * (0.25 + 0.25)).abs() < 1e-12);
        let median = Noise { aggregate: std::f64::consts::FRAC_PI_2, ..Noise::absolute(1.0) };
        assert!((median.variance(2.0, 5) - std::f64::consts::FRAC_PI_2 / 5.0).abs() < 1e-12);
        assert_eq!(median.variance(2.0, 1), 1.0);
    }
}
