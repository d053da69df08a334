//! Whether a combination of values is near measured combinations: a point inside each variable's
//! range may be far from the data.
//!
//! A value's *rank* is its position among the measured values of its variable (fractional between
//! two, by logarithm if both are positive), so that one step is a step of the design, whatever the
//! scale. A point is near the data if
//!
//! - for each two variables the measured pairs surround it: each of its four (closed) quadrants
//!   contains one, or it is within the measured corners of its cell (a triangle, or within a
//!   quarter of a step of a diagonal);
//! - the distance to a combination of all variables is at most that of a grid with as many
//!   combinations: `max(1, (Π levels / combinations)^(1/variables))` steps, the largest over the
//!   variables.
//!
//! The first condition finds corners that were never measured, without a convex hull in many
//! dimensions; the second finds holes. Hat values (Cook, *Influential observations in linear
//! regression*, 1979) are not suitable: they assume that the formula is right, and at such a corner
//! the question is how the variables act together.
//!
//! Why: decision 0079.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

/// Values closer than this, relative, are one.
const SAME: f64 = 1e-9;
/// Distance from a diagonal between two neighbours that still counts as on it, in steps.
const ASIDE: f64 = 0.25;

/// A combination that is far from the data, and the nearest measured ones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DistantPoint {
    /// Indices in [`crate::Fit::variables`] of the variables that were not measured together.
    pub(crate) variables: Vec<usize>,
    /// The nearest measured combinations: values of those variables.
    pub(crate) nearest: Vec<Vec<f64>>,
    /// The same combinations with values of all variables of the fit.
    pub(crate) combinations: Vec<Vec<f64>>,
    /// Whether these variables change one at a time throughout the data.
    pub(crate) one_at_a_time: bool,
}

/// The measured combinations of a fit, computed on first use.
#[derive(Default)]
pub(crate) struct CachedCombinations(OnceLock<Arc<Combinations>>);

impl CachedCombinations {
    pub(crate) fn get_or_init(&self, measured: impl FnOnce() -> Combinations) -> Arc<Combinations> {
        self.0.get_or_init(|| Arc::new(measured())).clone()
    }
}

impl Clone for CachedCombinations {
    fn clone(&self) -> CachedCombinations {
        CachedCombinations(self.0.get().cloned().map(OnceLock::from).unwrap_or_default())
    }
}

impl PartialEq for CachedCombinations {
    fn eq(&self, _: &CachedCombinations) -> bool {
        true
    }
}

impl std::fmt::Debug for CachedCombinations {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CachedCombinations")
    }
}

/// The measured combinations of the variables that vary.
pub(crate) struct Combinations {
    /// Index of each in [`crate::Fit::variables`].
    variables: Vec<usize>,
    /// For each variable the distinct measured values, ascending.
    levels: Vec<Vec<f64>>,
    /// Distinct combinations, `variables.len()` levels each.
    ranks: Vec<u32>,
    /// One point for each combination: values of all variables of the fit.
    values: Vec<Vec<f64>>,
    /// For each two variables, in the order of their indices.
    pairs: Vec<VariablePair>,
    /// Largest distance to the nearest combination, in steps.
    reach: f64,
}

impl Combinations {
    /// From points, each with `width` values.
    pub(crate) fn new(width: usize, points: Vec<Vec<f64>>) -> Combinations {
        let all = (0..width).map(|k| {
            let mut values: Vec<f64> = points.iter().map(|p| p[k] + 0.0).collect();
            values.sort_unstable_by(f64::total_cmp);
            values.dedup();
            (k, values)
        });
        let (variables, levels): (Vec<usize>, Vec<Vec<f64>>) =
            all.filter(|(_, values)| values.len() > 1).unzip();
        let (mut ranks, mut values, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        for point in points {
            let level = |(k, levels): (&usize, &Vec<f64>)| {
                levels.partition_point(|v| *v < point[*k]) as u32
            };
            let own: Vec<u32> = variables.iter().zip(&levels).map(level).collect();
            if seen.insert(own.clone()) {
                ranks.extend(own);
                values.push(point);
            }
        }
        let width = variables.len();
        let pairs = (0..width)
            .flat_map(|i| (i + 1..width).map(move |j| (i, j)))
            .map(|(i, j)| VariablePair::new(i, j, width, &ranks))
            .collect();
        let cells: f64 = levels.iter().map(|l| (l.len() as f64).ln()).sum();
        let reach = ((cells - (values.len().max(1) as f64).ln()) / width.max(1) as f64).exp();
        Combinations { variables, levels, ranks, values, pairs, reach: reach.max(1.0) }
    }

    /// Index of each variable that varies in [`crate::Fit::variables`].
    pub(crate) fn variables(&self) -> &[usize] {
        &self.variables
    }

    /// For each variable the distinct measured values, ascending.
    pub(crate) fn levels(&self) -> &[Vec<f64>] {
        &self.levels
    }

    /// Each distinct combination: for each variable the index of its level.
    pub(crate) fn combinations(&self) -> impl Iterator<Item = &[u32]> {
        self.ranks.chunks_exact(self.variables.len().max(1))
    }

    /// The rank of each variable that varies, for values of all variables of the fit.
    pub(crate) fn ranks(&self, point: &[f64]) -> Vec<f64> {
        self.variables.iter().zip(&self.levels).map(|(&k, l)| rank(l, point[k])).collect()
    }

    pub(crate) fn far(&self, point: &[f64]) -> Option<DistantPoint> {
        if self.variables.len() < 2 {
            return None;
        }
        let ranks = self.ranks(point);
        let apart = self.pairs.iter().find(|pair| {
            !pair.surrounds(&ranks) && !in_cell(&ranks, (pair.first, pair.second), self)
        });
        if let Some(pair) = apart {
            return Some(self.nearest(&ranks, &[pair.first, pair.second]));
        }
        let reach = self.reach + SAME;
        let near = self
            .combinations()
            .any(|own| own.iter().zip(&ranks).all(|(&r, q)| (f64::from(r) - q).abs() <= reach));
        let all: Vec<usize> = (0..self.variables.len()).collect();
        (!near).then(|| self.nearest(&ranks, &all))
    }

    /// The nearest combinations: of two variables, for each the combination that differs least in
    /// it; of more variables the one that differs least in all.
    fn nearest(&self, ranks: &[f64], columns: &[usize]) -> DistantPoint {
        let off = |own: &[u32], k: usize| (f64::from(own[k]) - ranks[k]).abs();
        let largest = |own: &[u32]| (0..ranks.len()).map(|k| off(own, k)).fold(0.0, f64::max);
        let sum = |own: &[u32]| (0..ranks.len()).map(|k| off(own, k)).sum::<f64>();
        let least = |distance: &dyn Fn(&[u32]) -> [f64; 3]| {
            let all = self.combinations().map(distance).enumerate();
            all.min_by(|a, b| {
                let pairs = a.1.iter().zip(&b.1);
                pairs.map(|(x, y)| x.total_cmp(y)).find(|o| o.is_ne()).unwrap_or(a.0.cmp(&b.0))
            })
            .map(|(index, _)| index)
        };
        let mut found: Vec<usize> = match columns {
            &[i, j] => [(i, j), (j, i)]
                .iter()
                .filter_map(|&(i, j)| least(&|own| [off(own, i), off(own, j), sum(own)]))
                .collect(),
            _ => least(&|own| [largest(own), sum(own), 0.0]).into_iter().collect(),
        };
        found.dedup();
        let variables: Vec<usize> = columns.iter().map(|&k| self.variables[k]).collect();
        let combinations: Vec<Vec<f64>> = found.iter().map(|&k| self.values[k].clone()).collect();
        let reported = |values: &Vec<f64>| variables.iter().map(|&k| values[k]).collect();
        let nearest = combinations.iter().map(reported).collect();
        let one_at_a_time = matches!(columns, &[i, j] if centre(self, i, j).is_some());
        DistantPoint { variables, nearest, combinations, one_at_a_time }
    }
}

/// Levels of two variables such that every combination has at least one of them.
pub(crate) fn centre(measured: &Combinations, i: usize, j: usize) -> Option<(u32, u32)> {
    let pairs = || measured.combinations().map(|own| (own[i], own[j]));
    let first_pair = pairs().next()?;
    // Two combinations that differ in both variables have no row or column in common.
    let second = pairs().find(|pair| *pair != first_pair)?;
    pairs().find(|pair| *pair != first_pair && *pair != second)?;
    let other = pairs().find(|pair| pair.1 != first_pair.1)?;
    // Of two pairs that differ in the second, one differs there from the centre, so it has the
    // centre's level in the first.
    [first_pair.0, other.0].into_iter().find_map(|first| {
        let mut aside = pairs().filter(|pair| pair.0 != first);
        let second = aside.next()?.1;
        aside.all(|pair| pair.1 == second).then_some((first, second))
    })
}

/// The measured pairs of two variables: for each value of the first, the range of the second on
/// both sides.
struct VariablePair {
    first: usize,
    second: usize,
    /// Lowest and highest second among pairs whose first is at most this, at each change.
    below: Vec<(u32, u32, u32)>,
    /// The same for pairs whose first is at least this, in descending order.
    above: Vec<(u32, u32, u32)>,
}

impl VariablePair {
    fn new(first: usize, second: usize, width: usize, ranks: &[u32]) -> VariablePair {
        let own_pairs = ranks.chunks_exact(width).map(|own| (own[first], own[second]));
        let mut pairs: Vec<(u32, u32)> = own_pairs.collect();
        pairs.sort_unstable();
        pairs.dedup();
        let below = stairs(pairs.iter());
        let above = stairs(pairs.iter().rev());
        VariablePair { first, second, below, above }
    }

    /// Whether each quadrant contains a measured pair.
    fn surrounds(&self, ranks: &[f64]) -> bool {
        let (u, v) = (ranks[self.first], ranks[self.second]);
        let holds = |low: u32, high: u32| f64::from(low) <= v && f64::from(high) >= v;
        let last = |stairs: &[(u32, u32, u32)], within: &dyn Fn(u32) -> bool| {
            let count = stairs.partition_point(|s| within(s.0));
            count.checked_sub(1).is_some_and(|k| holds(stairs[k].1, stairs[k].2))
        };
        last(&self.below, &|r| f64::from(r) <= u) && last(&self.above, &|r| f64::from(r) >= u)
    }
}

/// Running minimum and maximum of the second, at each change.
fn stairs<'a>(pairs: impl Iterator<Item = &'a (u32, u32)>) -> Vec<(u32, u32, u32)> {
    let mut stairs: Vec<(u32, u32, u32)> = Vec::new();
    for &(first, second) in pairs {
        let (low, high) = stairs.last().map_or((second, second), |s| (s.1, s.2));
        let now = (low.min(second), high.max(second));
        match stairs.last_mut() {
            Some(last) if last.0 == first => (last.1, last.2) = now,
            Some(last) if (last.1, last.2) == now => {}
            _ => stairs.push((first, now.0, now.1)),
        }
    }
    stairs
}

/// Whether a point lies within the measured corners of its own cell.
fn in_cell(ranks: &[f64], (i, j): (usize, usize), measured: &Combinations) -> bool {
    let (low_i, low_j) = (ranks[i].floor(), ranks[j].floor());
    let (u, v) = (ranks[i] - low_i, ranks[j] - low_j);
    let mut corners = [[false; 2]; 2];
    for own in measured.combinations() {
        let (a, b) = (f64::from(own[i]) - low_i, f64::from(own[j]) - low_j);
        if (a == 0.0 || a == 1.0) && (b == 0.0 || b == 1.0) {
            corners[a as usize][b as usize] = true;
        }
    }
    let [[low, up], [right, high]] = corners;
    let rising = low && high && ((u - v).abs() <= ASIDE && !right && !up);
    let falling = right && up && ((u + v - 1.0).abs() <= ASIDE && !low && !high);
    let triangle = (low && high && right && v <= u)
        || (low && high && up && v >= u)
        || (right && up && low && u + v <= 1.0)
        || (right && up && high && u + v >= 1.0);
    rising || falling || triangle
}

/// The rank of a value among ascending distinct ones: an index, fractional between two.
fn rank(levels: &[f64], value: f64) -> f64 {
    let above = levels.partition_point(|v| *v < value);
    let same = |level: f64| (level - value).abs() <= SAME * level.abs().max(value.abs());
    for k in [above, above.wrapping_sub(1)] {
        if levels.get(k).is_some_and(|&level| same(level)) {
            return k as f64;
        }
    }
    // Beyond the range (another warning says so) the rank is that of the end.
    let Some(below) = above.checked_sub(1) else { return 0.0 };
    let Some(&right) = levels.get(above) else { return below as f64 };
    let left = levels[below];
    let share = if left > 0.0 {
        (value / left).ln() / (right / left).ln()
    } else {
        (value - left) / (right - left)
    };
    below as f64 + share.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(width: usize, levels: u32) -> Vec<Vec<f64>> {
        (0..levels.pow(width as u32))
            .map(|k| {
                (0..width as u32).map(|d| f64::from(1 << (k / levels.pow(d) % levels))).collect()
            })
            .collect()
    }

    fn far(points: &[Vec<f64>], point: &[f64]) -> bool {
        Combinations::new(point.len(), points.to_vec()).far(point).is_some()
    }

    #[test]
    fn all_of_a_grid_is_near() {
        for width in 2..4 {
            let points = grid(width, 4);
            let mut random = fastrand::Rng::with_seed(7);
            for _ in 0..300 {
                let at: Vec<f64> = (0..width).map(|_| 8f64.powf(random.f64())).collect();
                assert!(!far(&points, &at), "{at:?}");
            }
            for point in &points {
                assert!(!far(&points, point), "{point:?}");
            }
        }
    }

    #[test]
    fn a_missing_cell_is_near_and_a_missing_corner_or_a_hole_is_not() {
        let lacks = |out: &dyn Fn(f64, f64) -> bool| {
            let mut points = grid(2, 7);
            points.retain(|p| !out(p[0], p[1]));
            points
        };
        let values = lacks(&|a, b| a == 8.0 && b == 8.0);
        assert!(!far(&values, &[8.0, 8.0]) && !far(&values, &[7.0, 9.0]));
        let corner = lacks(&|a, b| a == 64.0 && b == 64.0);
        assert!(far(&corner, &[64.0, 64.0]) && !far(&corner, &[40.0, 40.0]));
        let hole = lacks(&|a, b| (4.0..=16.0).contains(&a) && (4.0..=16.0).contains(&b));
        assert!(far(&hole, &[8.0, 8.0]) && !far(&hole, &[2.0, 8.0]));
    }

    #[test]
    fn what_lies_off_the_arms_of_a_cross_is_far() {
        let powers: Vec<f64> = (0..5).map(|k| 4f64.powi(k)).collect();
        for centre in [0, 2, 4] {
            let arms =
                |k: usize| [vec![powers[k], powers[centre]], vec![powers[centre], powers[k]]];
            let points: Vec<Vec<f64>> = (0..5).flat_map(arms).collect();
            for (a, x) in powers.iter().enumerate() {
                for (b, y) in powers.iter().enumerate() {
                    let off = a != centre && b != centre;
                    assert_eq!(far(&points, &[*x, *y]), off, "{x} {y}");
                }
            }
            assert!(
                !far(&points, &[powers[centre], 100.0]) && !far(&points, &[3.0, powers[centre]])
            );
            assert!(far(&points, &[70.0, 70.0]) || centre == 4);
        }
    }

    #[test]
    fn along_a_diagonal_is_near_and_aside_is_not() {
        let points: Vec<Vec<f64>> =
            (0..6).map(|k| vec![1e3 * f64::from(1 << k), f64::from(1 << k)]).collect();
        assert!(!far(&points, &[3000.0, 3.0]) && !far(&points, &[8000.0, 8.0]));
        assert!(far(&points, &[32_000.0, 1.0]) && far(&points, &[2000.0, 4.0]));
    }

    #[test]
    fn three_planes_do_not_show_what_three_variables_do_together() {
        let mut points = grid(3, 5);
        points.retain(|p| p.contains(&1.0));
        assert!(far(&points, &[16.0, 16.0, 16.0]));
        assert!(!far(&points, &[16.0, 12.0, 1.0]));
    }

    #[test]
    fn random_designs_are_near_in_their_middle() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut place =
            |width: usize| -> Vec<f64> { (0..width).map(|_| 1e3f64.powf(random.f64())).collect() };
        let points: Vec<Vec<f64>> = (0..60).map(|_| place(3)).collect();
        let near = (0..300).filter(|_| {
            let at: Vec<f64> = place(3).iter().map(|v| v.powf(0.6) * 1e3f64.powf(0.2)).collect();
            !far(&points, &at)
        });
        assert!(near.count() > 285);
    }

    #[test]
    fn words_need_the_nearest_combinations() {
        let points = vec![
            vec![512.0, 4.0],
            vec![1024.0, 4.0],
            vec![4096.0, 4.0],
            vec![512.0, 8.0],
            vec![512.0, 32.0],
        ];
        let far = Combinations::new(2, points).far(&[4096.0, 32.0]).unwrap();
        assert_eq!(far.nearest, [[4096.0, 4.0], [512.0, 32.0]]);
    }
}
