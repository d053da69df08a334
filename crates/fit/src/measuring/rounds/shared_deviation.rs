//! How much runs at different times differ, by what affects all points equally.

use super::table::RoundsTable;
use crate::numerics::two_sided;
use cll_statistics::{DEVIATIONS_IN_MAD, median};

/// How much the times of runs at one time differ from those at another, all points together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharedDeviation {
    /// Relative standard deviation.
    pub deviation: f64,
    /// The degrees of freedom of the deviation.
    pub dof: f64,
}

/// Prior standard deviation: between quiet runs of one program at different times 0.2 to 1 % were
/// seen, by the placement of pages and code and by the clock rate.
const USUAL: f64 = 0.005;
/// The prior counts as this many rounds.
const WEIGHT: f64 = 4.0;

impl RoundsTable {
    /// Estimates the deviation from the rounds that are used. What changes with time changes whole
    /// rounds; the variance between rounds, less the noise of their points, is a lower bound for
    /// that between runs at different times. Few rounds carry little information, so a prior takes
    /// part (scaled inverse χ²; Gelman and others, *Bayesian Data Analysis*, section 2.6).
    pub fn shared(&self, used: &[bool]) -> SharedDeviation {
        let slowness = self.slowness();
        let usual = self.usual();
        let (mut squares, mut rounds) = (0.0, 0.0);
        let known: Vec<f64> = slowness
            .iter()
            .zip(used)
            .filter(|(_, is)| **is)
            .filter_map(|(value, _)| *value)
            .filter(|value| *value > 0.0)
            .map(f64::ln)
            .collect();
        let centre = median(known).unwrap_or(0.0);
        for (round, factor) in slowness.iter().enumerate() {
            let (Some(factor), true) =
                (factor.filter(|value| *value > 0.0), used.get(round) == Some(&true))
            else {
                continue;
            };
            // The variance of the median of n normal numbers is pi/2 times that of their mean.
            let off: Vec<f64> =
                self.ratios(round, &usual).map(|ratio| (ratio / factor).ln()).collect();
            let count = off.len() as f64;
            let spread =
                DEVIATIONS_IN_MAD * median(off.iter().map(|value| value.abs())).unwrap_or(0.0);
            let noise = std::f64::consts::FRAC_PI_2 * spread * spread / count.max(1.0);
            squares += (factor.ln() - centre).powi(2) - noise;
            rounds += 1.0;
        }
        // One degree of freedom is used by the centre.
        let known = (rounds - 1.0f64).max(0.0);
        let mean = if known > 0.0 { (squares / known).max(0.0) } else { 0.0 };
        let variance = (WEIGHT * USUAL * USUAL + known * mean) / (WEIGHT + known);
        // The centre of these rounds has the variance of a median.
        let variance = variance * (1.0 + std::f64::consts::FRAC_PI_2 / f64::max(rounds, 1.0));
        SharedDeviation { deviation: variance.sqrt(), dof: WEIGHT + known }
    }
}

impl SharedDeviation {
    /// Half the width of the interval with this confidence, as a share of the value.
    pub fn half_width(&self, confidence: f64) -> f64 {
        self.deviation * two_sided(confidence, self.dof)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measuring::rounds::table::tests::{Noise, table};

    #[test]
    fn what_rounds_share_is_found_and_noise_of_points_is_not() {
        let quiet = table(&[1.0; 30], 0.02).shared(&[true; 30]);
        assert!(quiet.deviation < 0.006, "{quiet:?}");
        let mut noise = Noise::new(5);
        let factors: Vec<f64> = (0..60).map(|_| noise.around(0.03)).collect();
        let varied = table(&factors, 0.02).shared(&[true; 60]);
        assert!((0.02..0.04).contains(&varied.deviation), "{varied:?}");
    }

    #[test]
    fn without_rounds_it_is_what_is_usual() {
        let deviation = RoundsTable::new(1).shared(&[true]);
        let value = USUAL * (1.0 + std::f64::consts::FRAC_PI_2).sqrt();
        assert!(
            (deviation.deviation - value).abs() < 1e-12 && deviation.dof == WEIGHT,
            "{deviation:?}"
        );
        assert!((deviation.half_width(0.9) - 2.132 * value).abs() < 1e-5);
    }

    #[test]
    fn rounds_that_are_not_used_do_not_count() {
        let factors = [1.0, 1.0, 1.0, 1.0, 1.0, 1.6, 1.6];
        let used = [true, true, true, true, true, false, false];
        let deviation = table(&factors, 0.01).shared(&used);
        assert!(deviation.deviation < 0.006, "{deviation:?}");
    }

    /// Runs on a machine that differs from time to time: the interval of one contains the value of
    /// another in nine of ten cases, from its own rounds alone, if rounds vary as much as runs do.
    #[test]
    fn another_occasion_is_covered() {
        let mut noise = Noise::new(17);
        let mut covered = 0;
        for _ in 0..400 {
            let factors: Vec<f64> = (0..8).map(|_| noise.around(0.01)).collect();
            let deviation = table(&factors, 0.01).shared(&[true; 8]);
            let here = median(factors).unwrap();
            let there = noise.around(0.01);
            covered += usize::from((there / here - 1.0).abs() <= deviation.half_width(0.9));
        }
        assert!((320..=390).contains(&covered), "{covered} of 400");
    }
}
