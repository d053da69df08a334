//! How wide the interval of a new measurement is, now and after a plan.

use crate::design::Forecast;
use crate::problem::Problem;

/// Half widths of the interval of a new measurement, as shares of the value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widths {
    /// Confidence of the interval.
    pub confidence: f64,
    /// By what was measured; `None`: that does not determine the prediction.
    pub now: Option<f64>,
    /// With the points of the plan.
    pub after: f64,
    /// With all constants known: the noise of a new measurement remains.
    pub least: f64,
}

impl Widths {
    /// For a forecast. `band` is half the width that the fit gives now: with more points the variance of the constants
    /// becomes smaller, that of a new measurement remains. With several formulas, or without it, the normal
    /// distribution gives the width.
    pub fn new(
        problem: &Problem,
        forecast: &Forecast,
        band: Option<f64>,
        confidence: f64,
    ) -> Widths {
        let subject = &problem.subjects[forecast.subject];
        let value = if forecast.value == 0.0 { 1.0 } else { forecast.value };
        let noise = subject.noise.variance(value, problem.runs) / value.powi(2);
        let own = |deviation: f64| (deviation * deviation + noise).sqrt();
        // Several formulas differ by more than the interval of one says.
        let band = band.filter(|_| subject.beliefs.len() == 1);
        let scale = match (band, forecast.now) {
            (Some(band), Some(now)) if own(now) > 0.0 => band / own(now),
            _ => normal_half_width(confidence),
        };
        let now = forecast.now.map(|now| scale * own(now));
        Widths { confidence, now, after: scale * own(forecast.after), least: scale * noise.sqrt() }
    }
}

/// Half the width of the central interval of a normal distribution, in standard deviations, to 1e-5: by bisection of the
/// error function (Abramowitz and Stegun, *Handbook of Mathematical Functions*, 7.1.26).
fn normal_half_width(confidence: f64) -> f64 {
    let inside = |z: f64| {
        let x = z / std::f64::consts::SQRT_2;
        let t = 1.0 / (1.0 + 0.327_591_1 * x);
        let series = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
        let sum = series.iter().rev().fold(0.0, |sum, a| (sum + a) * t);
        1.0 - sum * (-x * x).exp()
    };
    let (mut low, mut high) = (0.0, 10.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if inside(middle) < confidence { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_the_normal_distribution() {
        for (confidence, known) in [(0.9, 1.644_854), (0.95, 1.959_964), (0.5, 0.674_490)] {
            assert!((normal_half_width(confidence) - known).abs() < 1e-5, "{confidence}");
        }
    }
}
