//! All combinations of values, in rounds that are shuffled separately.

use std::ops::Range;

use fastrand::Rng;

/// A combination of values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridPoint {
    /// The values of the variables.
    pub values: Vec<f64>,
    /// The number of processors; `None` leaves it to the program.
    pub processors: Option<u32>,
    /// The rounds that have it.
    pub rounds: Range<u32>,
}

/// All values that are varied from outside the program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// The values of each variable.
    pub values: Vec<Vec<f64>>,
    /// Numbers of processors; `None` leaves it to the program.
    pub processors: Vec<Option<u32>>,
    /// The number of groups of counters, each recorded in separate runs; 0 means 1.
    pub groups: usize,
    /// If there are any, these combinations are run, and no others.
    pub points: Vec<GridPoint>,
}

/// One launch to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Launching {
    /// The round, from 0.
    pub round: u32,
    /// The values of the variables.
    pub values: Vec<f64>,
    /// The number of processors.
    pub processors: Option<u32>,
    /// The recorded group of counters, from 0.
    pub group: usize,
    /// The seed of the program's loops.
    pub seed: u64,
    /// Whether it is measured.
    pub gate: bool,
}

impl Launching {
    /// Whether both run the program with the same values.
    pub fn is_like(&self, other: &Launching) -> bool {
        self.values == other.values && self.processors == other.processors
    }
}

impl Grid {
    /// Number of combinations of values and processors.
    pub fn len(&self) -> usize {
        match self.points.len() {
            0 => self.values.iter().map(Vec::len).product::<usize>() * self.processors.len().max(1),
            points => points,
        }
    }

    /// Number of launches of a round: each combination is run with each group of counters.
    pub fn launches(&self) -> usize {
        self.len() * self.groups.max(1)
    }

    /// Whether a variable has no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Combination number `index`.
    fn combination(&self, mut index: usize) -> (Vec<f64>, Option<u32>) {
        if let Some(point) = self.points.get(index) {
            return (point.values.clone(), point.processors);
        }
        let mut pick = |length: usize| {
            let picked = index % length;
            index /= length;
            picked
        };
        let values = self.values.iter().map(|values| values[pick(values.len())]).collect();
        let processors = match self.processors.len() {
            0 => None,
            length => self.processors[pick(length)],
        };
        (values, processors)
    }
}

/// The launches of a round: every combination once with each group of counters. Each round has its own order, so
/// that slow changes of the machine do not depend on the size.
pub fn order(grid: &Grid, round: u32, seed: u64) -> Vec<Launching> {
    let mut random = Rng::with_seed(seed.wrapping_add(u64::from(round) << 32));
    let has = |index: &usize| {
        let point = grid.points.get(index % grid.len());
        point.is_none_or(|point| point.rounds.contains(&round))
    };
    let mut indices: Vec<usize> = (0..grid.launches()).filter(has).collect();
    random.shuffle(&mut indices);
    let launching = |index| {
        let (values, processors) = grid.combination(index % grid.len());
        // Short, since users see it in traces.
        let seed = u64::from(random.u32(..));
        Launching { round, values, processors, group: index / grid.len(), seed, gate: true }
    };
    indices.into_iter().map(launching).collect()
}

/// A few combinations, including the first and the last, to be run once without measuring.
pub fn few(grid: &Grid, round: u32) -> Vec<Launching> {
    const MAX_COMBINATIONS: usize = 3;
    let count = grid.len().min(MAX_COMBINATIONS);
    let last = grid.len() - 1;
    let index = |k: usize| if count == 1 { 0 } else { k * last / (count - 1) };
    let launching = |k| {
        let (values, processors) = grid.combination(index(k));
        Launching { round, values, processors, group: 0, seed: 0, gate: false }
    };
    (0..count).map(launching).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_round_has_every_combination_in_its_own_order() {
        let grid = Grid {
            values: vec![vec![1.0, 2.0, 3.0], vec![10.0, 20.0]],
            processors: vec![Some(1), Some(2)],
            ..Grid::default()
        };
        assert_eq!(grid.len(), 12);
        let key = |l: &Launching| format!("{:?} {:?}", l.values, l.processors);
        let round = |round| -> Vec<String> { order(&grid, round, 42).iter().map(key).collect() };
        let rounds: Vec<Vec<String>> = (0..3).map(round).collect();
        assert_eq!(round(1), rounds[1], "seed and number tell all");
        assert!(rounds[0] != rounds[1] || rounds[1] != rounds[2]);
        for round in rounds {
            let mut keys = round.clone();
            keys.sort();
            keys.dedup();
            assert_eq!((round.len(), keys.len()), (12, 12));
        }
    }

    #[test]
    fn each_combination_is_run_with_each_group_of_counters() {
        let grid = Grid { values: vec![vec![1.0, 2.0]], groups: 3, ..Grid::default() };
        assert_eq!((grid.len(), grid.launches()), (2, 6));
        let mut made: Vec<(f64, usize)> = order(&grid, 0, 42)
            .iter()
            .map(|launching| (launching.values[0], launching.group))
            .collect();
        made.sort_by(|run, other| run.partial_cmp(other).expect("numbers"));
        assert_eq!(made, [(1.0, 0), (1.0, 1), (1.0, 2), (2.0, 0), (2.0, 1), (2.0, 2)]);
        assert_eq!(few(&grid, 0).len(), 2);
    }

    #[test]
    fn points_are_run_in_their_rounds_only() {
        let point = |n: f64, processors, rounds| GridPoint { values: vec![n], processors, rounds };
        let points = vec![point(8.0, Some(1), 0..2), point(64.0, Some(4), 1..3)];
        let grid = Grid { values: vec![vec![8.0, 64.0]], points, ..Grid::default() };
        assert_eq!((grid.len(), grid.launches()), (2, 2));
        let round = |round| -> Vec<(f64, Option<u32>)> {
            let mut all: Vec<_> = order(&grid, round, 3)
                .iter()
                .map(|launching| (launching.values[0], launching.processors))
                .collect();
            all.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
            all
        };
        assert_eq!(round(0), [(8.0, Some(1))]);
        assert_eq!(round(1), [(8.0, Some(1)), (64.0, Some(4))]);
        assert_eq!(round(2), [(64.0, Some(4))]);
        assert_eq!(round(3), []);
    }

    #[test]
    fn nothing_to_vary_is_one_launch_a_round() {
        assert_eq!(order(&Grid::default(), 5, 1).len(), 1);
        assert_eq!(few(&Grid::default(), 0).len(), 1);
    }

    #[test]
    fn a_few_are_first_middle_and_last() {
        let values = (1..=9).map(f64::from).collect();
        let grid = Grid { values: vec![values], ..Grid::default() };
        let few: Vec<f64> = few(&grid, 0).iter().map(|launching| launching.values[0]).collect();
        assert_eq!(few, [1.0, 5.0, 9.0]);
    }
}
