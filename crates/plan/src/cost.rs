//! Estimates what a run will take, by the model itself.

use cll_fit::{Fit, Unit};

/// How the time of a run follows from the times of its regions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunCost {
    /// The whole run divided by what the model says of it.
    pub factor: f64,
    /// The shortest run, seconds; if runs are not known, the shortest measured time.
    pub least: f64,
    /// Whether a second counts once for each processor.
    pub is_core_time: bool,
}

impl RunCost {
    /// From the measured runs (seconds each), if they are known, and fits of times.
    pub fn new(fits: &[&Fit], walls: &[f64], is_core_time: bool) -> RunCost {
        let walls: Vec<f64> = walls.iter().copied().filter(|wall| *wall > 0.0).collect();
        let all: f64 = walls.iter().sum();
        let of_fit = |fit: &&&Fit| {
            let time = |r: &cll_fit::Residual| r.measured.max(0.0) * r.spread.count as f64;
            fit.residuals.iter().map(time).sum::<f64>()
        };
        let measured = fits.iter().filter(|fit| fit.unit == Unit::Seconds).map(|fit| of_fit(&fit));
        // Regions may lie inside others: the one that takes most.
        let measured = measured.fold(0.0, f64::max);
        let factor = if measured > 0.0 && all > measured { all / measured } else { 1.0 };
        // Without runs, no run is shorter than what was measured in one: a model may say less, even less than nothing.
        let times =
            fits.iter().filter(|fit| fit.unit == Unit::Seconds).flat_map(|fit| &fit.residuals);
        let times = times.map(|residual| residual.measured).filter(|time| *time > 0.0);
        let shortest = |all: &mut dyn Iterator<Item = f64>| all.fold(f64::INFINITY, f64::min);
        let least = if walls.is_empty() {
            shortest(&mut times.into_iter())
        } else {
            shortest(&mut walls.iter().copied())
        };
        RunCost { factor, least: if least.is_finite() { least } else { 0.0 }, is_core_time }
    }

    /// Returns the part of the budget that a run takes, by the values of these fits there, with this number of
    /// processors. `None` if no fit gives a time there.
    pub fn run_cost(&self, times: &[Option<f64>], processors: f64) -> Option<f64> {
        let longest = times.iter().flatten().copied().filter(|time| time.is_finite());
        let longest = longest.fold(f64::NEG_INFINITY, f64::max);
        if longest == f64::NEG_INFINITY {
            return None;
        }
        let run = (self.factor * longest.max(0.0)).max(self.least).max(f64::MIN_POSITIVE);
        Some(run * if self.is_core_time { processors.max(1.0) } else { 1.0 })
    }
}
