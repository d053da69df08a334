//! Plateaus of a curve: the piecewise-constant fit on logarithms that finds the levels of a hierarchy.
//!
//! Between two plateaus there may be a transition of some points, since caches that do not replace the line that was used
//! least recently lose their hits gradually. The division is the one with the least cost over all divisions (dynamic
//! programming over the plateaus): a robust sum of squares in units of the noise, and by BIC ln n for each free number, of
//! which a plateau has two and each point of a transition one.
//!
//! Why: decision 0106.

use std::ops::Range;

use cll_statistics::{DEVIATIONS_IN_MAD, median};

/// Plateaus differ at least by this factor.
const MIN_RATIO: f64 = 1.5;
/// The points of a plateau at least: at four an octave, it is longer than a half.
const MIN_POINTS: usize = 3;
/// Before the first step there may be fewer.
const MIN_FIRST: usize = 2;
/// The points of a transition at most.
const MAX_GAP: usize = 10;
/// Less noise is not believed.
const MIN_NOISE: f64 = 0.02;
/// From this many deviations on, the cost of a point grows linearly.
const ROBUST: f64 = 3.0;

/// A plateau.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plateau {
    /// The points of the plateau.
    pub points: Range<usize>,
    /// The median of its values.
    pub value: f64,
}

/// A window of points and the best division that ends with it.
#[derive(Clone, Copy)]
struct StepWindow {
    middle: f64,
    cost: f64,
    before: Option<(usize, usize)>,
    total: f64,
}

/// The plateaus of positive values, in their order, each higher than the one before. Nothing if there are too few points.
pub(super) fn plateaus(values: &[f64]) -> Vec<Plateau> {
    let n = values.len();
    if n < MIN_FIRST.max(MIN_POINTS) {
        return Vec::new();
    }
    let y: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    let noise = noise(&y);
    let free = (n as f64).ln();
    let mut all = windows(&y, noise);
    let index_of = |start: usize, end: usize| start * (n + 1) + end;
    for end in MIN_FIRST..=n {
        for start in 0..end {
            let Some(window) = all[index_of(start, end)] else { continue };
            let mut best = StepWindow { before: None, total: f64::INFINITY, ..window };
            if start == 0 {
                best.total = window.cost + 2.0 * free;
            }
            for gap in 0..=MAX_GAP.min(start) {
                let until = start - gap;
                for from in 0..until {
                    let Some(before) = all[index_of(from, until)] else { continue };
                    let least = before.total + window.cost + (2.0 + gap as f64) * free;
                    if least >= best.total || window.middle - before.middle < MIN_RATIO.ln() {
                        continue;
                    }
                    let rising = before.middle..window.middle;
                    let outside: f64 =
                        y[until..start].iter().map(|y| outside(*y, &rising, noise)).sum();
                    if least + outside < best.total {
                        best.total = least + outside;
                        best.before = Some((from, until));
                    }
                }
            }
            all[index_of(start, end)] = Some(best);
        }
    }
    let mut place = (0..n)
        .filter_map(|start| Some((start, all[index_of(start, n)]?.total)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(start, _)| (start, n));
    let mut plateaus = Vec::new();
    while let Some((start, end)) = place {
        let Some(window) = all[index_of(start, end)] else { break };
        plateaus.push(Plateau { points: start..end, value: window.middle.exp() });
        place = window.before;
    }
    plateaus.reverse();
    plateaus
}

/// The costs of all windows; `None` where there are too few points.
fn windows(y: &[f64], noise: f64) -> Vec<Option<StepWindow>> {
    let n = y.len();
    let mut all = vec![None; n * (n + 1)];
    for start in 0..n {
        let mut sorted: Vec<f64> = Vec::with_capacity(n - start);
        for end in start + 1..=n {
            let next = y[end - 1];
            sorted.insert(sorted.partition_point(|value| *value < next), next);
            let least = if start == 0 { MIN_FIRST } else { MIN_POINTS };
            if sorted.len() < least {
                continue;
            }
            let middle = cll_statistics::quantile(&sorted, 0.5);
            let cost = sorted.iter().map(|value| robust((value - middle) / noise)).sum();
            all[start * (n + 1) + end] =
                Some(StepWindow { middle, cost, before: None, total: f64::INFINITY });
        }
    }
    all
}

/// A square that becomes linear.
fn robust(deviations: f64) -> f64 {
    let size = deviations.abs();
    if size <= ROBUST { size * size } else { ROBUST * (2.0 * size - ROBUST) }
}

/// The cost of a point of a transition that is not between its plateaus.
fn outside(y: f64, between: &Range<f64>, noise: f64) -> f64 {
    robust((between.start - y).max(y - between.end).max(0.0) / noise)
}

/// The noise of logarithms, from the differences of neighbours, most of which are on one plateau.
fn noise(y: &[f64]) -> f64 {
    let steps = median(y.windows(2).map(|pair| (pair[1] - pair[0]).abs())).unwrap_or(0.0);
    (DEVIATIONS_IN_MAD * steps / 2f64.sqrt()).max(MIN_NOISE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_between_two_plateaus() {
        let mut values = vec![1.0; 10];
        values.extend([4.0; 8]);
        let plateaus = plateaus(&values);
        assert_eq!(plateaus.len(), 2);
        assert_eq!((plateaus[0].points.clone(), plateaus[1].points.clone()), (0..10, 10..18));
    }

    #[test]
    fn one_point_and_a_slope_are_no_plateaus() {
        let mut values = vec![1.0; 20];
        values[7] = 9.0;
        assert_eq!(plateaus(&values).len(), 1);
        let slope: Vec<f64> = (0..20).map(|k| 1.0 + 0.01 * f64::from(k)).collect();
        assert_eq!(plateaus(&slope).len(), 1);
    }

    #[test]
    fn too_few_points_have_none() {
        assert_eq!(plateaus(&[]), []);
        assert_eq!(plateaus(&[1.0, 2.0]), []);
        assert_eq!(plateaus(&[1.0, 1.0, 1.0]).len(), 1);
    }
}
