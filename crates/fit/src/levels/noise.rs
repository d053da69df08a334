//! The noise of the repetitions, and what explains the data better than changes do.

use crate::Aggregate;
use crate::input::Samples;
use crate::solve::pure_error;

/// A formula that leaves a variance larger by this factor than that of levels explains less than they do.
const AS_GOOD: f64 = 1.5;
/// Errors of so many standard deviations are noise.
const NOISE: f64 = 2.0;

/// Whether another formula, or the same one with negative constants, explains the data better by the variance that it
/// leaves than so many changes between levels, or, if they are several, as well and down to the noise: one change is a
/// cache, and a cache is no other formula. Where the noise is not known, what explains them as well is enough.
pub(crate) fn explains_more(own: f64, (levels, changes): (f64, usize), samples: &Samples) -> bool {
    let noise = aggregated_noise(samples);
    let is_noise = noise == 0.0 || (changes > 1 && own < (NOISE * noise).powi(2));
    let enough = if is_noise { AS_GOOD } else { AS_GOOD.recip() };
    own < enough * levels
}

/// The standard deviation of a weighted row by the repetitions; 0 if there are none.
pub(crate) fn aggregated_noise(samples: &Samples) -> f64 {
    let each = pure_error(samples).value;
    let (points, observations) = samples.used().fold((0.0, 0.0), |(points, all), (_, point)| {
        (points + 1.0, all + point.kept.len() as f64)
    });
    let repetitions: f64 = observations / f64::max(points, 1.0);
    match samples.aggregate {
        Aggregate::All | Aggregate::Minimum => each,
        Aggregate::Mean => each / repetitions.sqrt(),
        // That of a median is wider by half of pi (of two it is the mean).
        Aggregate::Median if repetitions > 2.0 => {
            each * (std::f64::consts::FRAC_PI_2 / repetitions).sqrt()
        }
        Aggregate::Median => each / repetitions.sqrt(),
    }
}
