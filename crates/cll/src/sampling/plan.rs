//! All combinations of values, in rounds, each shuffled for itself.

use fastrand::Rng;

/// Everything that is varied from outside the program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// For each variable its values.
    pub values: Vec<Vec<f64>>,
    /// Numbers of processors; `None` leaves it to the program.
    pub processors: Vec<Option<u32>>,
}

/// One launch to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Launching {
    /// The round it belongs to, from 0.
    pub round: u32,
    /// A value of each variable.
    pub values: Vec<f64>,
    /// The number of processors.
    pub processors: Option<u32>,
    /// What the program shuffles its own loops by.
    pub seed: u64,
}

impl Launching {
    /// Whether both run the program with the same values.
    pub fn is_like(&self, other: &Launching) -> bool {
        self.values == other.values && self.processors == other.processors
    }
}

impl Grid {
    /// Number of combinations.
    pub fn len(&self) -> usize {
        self.values.iter().map(Vec::len).product::<usize>() * self.processors.len().max(1)
    }

    /// Combination number `index`.
    fn at(&self, mut index: usize) -> (Vec<f64>, Option<u32>) {
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

/// The launches: in each round every combination once, in an order of its own,
/// so that what changes on the machine in time is no property of a size.
pub fn order(grid: &Grid, rounds: u32, seed: u64) -> Vec<Launching> {
    let mut random = Rng::with_seed(seed);
    let mut launches = Vec::with_capacity(grid.len() * rounds as usize);
    for round in 0..rounds {
        let mut indices: Vec<usize> = (0..grid.len()).collect();
        random.shuffle(&mut indices);
        for index in indices {
            let (values, processors) = grid.at(index);
            // Short, since people read it in traces.
            let seed = u64::from(random.u32(..));
            launches.push(Launching { round, values, processors, seed });
        }
    }
    launches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_round_has_every_combination_in_its_own_order() {
        let grid = Grid {
            values: vec![vec![1.0, 2.0, 3.0], vec![10.0, 20.0]],
            processors: vec![Some(1), Some(2)],
        };
        assert_eq!(grid.len(), 12);
        let launches = order(&grid, 3, 42);
        assert_eq!(launches, order(&grid, 3, 42), "the seed tells all");
        let key = |l: &Launching| format!("{:?} {:?}", l.values, l.processors);
        let rounds: Vec<Vec<String>> =
            (0..3).map(|r| launches.iter().filter(|l| l.round == r).map(key).collect()).collect();
        assert!(rounds[0] != rounds[1] || rounds[1] != rounds[2]);
        for round in rounds {
            let mut keys = round.clone();
            keys.sort();
            keys.dedup();
            assert_eq!((round.len(), keys.len()), (12, 12));
        }
    }

    #[test]
    fn nothing_to_vary_is_one_launch_a_round() {
        assert_eq!(order(&Grid::default(), 5, 1).len(), 5);
    }
}
