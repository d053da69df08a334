//! The time of every point in every round.

use super::clusters::clusters;
use cll_statistics::median;

/// For each point the median of its observations in each round.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundsTable {
    rounds: usize,
    points: Vec<Vec<Option<f64>>>,
    split: usize,
}

impl RoundsTable {
    /// Without points.
    pub fn new(rounds: usize) -> RoundsTable {
        RoundsTable { rounds, points: Vec::new(), split: 0 }
    }

    /// Adds a point with its observations in each round, in any order; a round may have none.
    pub fn add(&mut self, mut observed: Vec<Vec<f64>>) {
        observed.resize(self.rounds, Vec::new());
        let all: Vec<f64> = observed.iter().flatten().copied().collect();
        self.split += usize::from(clusters(&all).is_some());
        let of_round = |mut observed: Vec<f64>| {
            observed.retain(|value| value.is_finite() && *value > 0.0);
            median(observed)
        };
        self.points.push(observed.into_iter().map(of_round).collect());
    }

    /// Share of the points whose observations form two groups.
    pub fn split(&self) -> f64 {
        self.split as f64 / self.points.len().max(1) as f64
    }

    /// The slowness of each round: the median over the points of its time divided by the point's
    /// median over all rounds. `None` if the round has no times.
    pub fn slowness(&self) -> Vec<Option<f64>> {
        let usual = self.usual();
        (0..self.rounds).map(|round| median(self.ratios(round, &usual))).collect()
    }

    /// For each point the median over the rounds.
    pub(crate) fn usual(&self) -> Vec<Option<f64>> {
        let usual = |point: &Vec<Option<f64>>| median(point.iter().filter_map(|value| *value));
        self.points.iter().map(usual).collect()
    }

    /// How many of these rounds, from the first on, have every point that any of them has.
    pub(crate) fn needed(&self, rounds: &[usize]) -> usize {
        let first =
            |point: &Vec<Option<f64>>| rounds.iter().position(|&round| point[round].is_some());
        self.points.iter().filter_map(first).max().map_or(1, |last| last + 1)
    }

    /// The times of the points in a round, divided by their usual times.
    pub(crate) fn ratios(&self, round: usize, usual: &[Option<f64>]) -> impl Iterator<Item = f64> {
        let points = self.points.iter().zip(usual);
        points.filter_map(move |(point, usual)| Some(point[round]? / (*usual)?))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Seeded noise: sums of uniform numbers are nearly normal.
    pub(in crate::measuring::rounds) struct Noise(u64);

    impl Noise {
        pub(in crate::measuring::rounds) fn new(seed: u64) -> Noise {
            Noise(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
        }

        fn uniform(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        }

        /// About 1 with this standard deviation.
        pub(in crate::measuring::rounds) fn around(&mut self, deviation: f64) -> f64 {
            let sum: f64 = (0..12).map(|_| self.uniform()).sum();
            1.0 + deviation * (sum - 6.0)
        }
    }

    /// 20 points of very different size in these rounds, each slower by its factor.
    pub(in crate::measuring::rounds) fn table(factors: &[f64], noise: f64) -> RoundsTable {
        let mut random = Noise::new(factors.len() as u64);
        let mut table = RoundsTable::new(factors.len());
        for point in 0..20 {
            let size = 1e-6 * 1.7f64.powi(point);
            let round =
                |factor: &f64| (0..3).map(|_| size * factor * random.around(noise)).collect();
            table.add(factors.iter().map(round).collect());
        }
        table
    }

    #[test]
    fn a_slow_round_is_seen_through_the_noise() {
        let values = table(&[1.0, 1.0, 1.3, 1.0, 1.0], 0.03).slowness();
        for (round, slowness) in values.iter().enumerate() {
            let expected = if round == 2 { 1.3 } else { 1.0 };
            assert!((slowness.unwrap() / expected - 1.0).abs() < 0.03, "{values:?}");
        }
    }

    #[test]
    fn points_in_two_regimes_are_counted() {
        assert!(table(&[1.0, 1.5, 1.0, 1.5, 1.0, 1.5], 0.01).split() > 0.95);
        assert!(table(&[1.0; 6], 0.01).split() < 0.2);
    }

    #[test]
    fn a_round_without_a_point_is_no_error() {
        let mut table = RoundsTable::new(3);
        table.add(vec![vec![1.0], Vec::new(), vec![f64::NAN, 1.0]]);
        table.add(vec![vec![0.0]]);
        assert_eq!(table.slowness(), [Some(1.0), None, Some(1.0)]);
        assert_eq!(RoundsTable::new(2).slowness(), [None, None]);
    }
}
