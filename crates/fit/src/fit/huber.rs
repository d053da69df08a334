//! Huber's loss by iteratively reweighted least squares.

use cll_statistics::{DEVIATIONS_IN_MAD, quantile};

use crate::input::Samples;
use crate::intervals::Fitted;
use crate::{Aggregate, Weights};

/// Tuning constant: 95 % efficiency for normal errors (Huber, *Robust Statistics*, 1981).
const HUBER: f64 = 1.345;
/// Most iterations. The intervals are searched in each, so they may change until the weights settle.
pub(crate) const STEPS: usize = 20;
/// Weights that change by less have settled.
pub(crate) const SETTLED: f64 = 1e-3;

/// Points on each side of a point that it is compared with.
const BESIDE: usize = 2;

/// Gives each point a first weight for its distance from the points next to it, by the residuals of this fit: a disturbed
/// point is far from them, one beyond a change is not (Hampel's filter).
pub(crate) fn weigh_by_neighbours(samples: &mut Samples, fitted: &Fitted) {
    let rows: Vec<(usize, f64)> = (fitted.solved.rows.iter().enumerate())
        .map(|(row, solved)| (fitted.ordered.point(row), solved.residual))
        .collect();
    let apart: Vec<f64> = (0..rows.len())
        .map(|row| {
            let beside = row.saturating_sub(BESIDE)..(row + BESIDE + 1).min(rows.len());
            let mut others: Vec<f64> =
                beside.filter(|other| *other != row).map(|other| rows[other].1).collect();
            others.sort_unstable_by(f64::total_cmp);
            if others.is_empty() { 0.0 } else { rows[row].1 - quantile(&others, 0.5) }
        })
        .collect();
    let mut sizes: Vec<f64> = apart.iter().map(|size| size.abs()).collect();
    if sizes.is_empty() {
        return;
    }
    sizes.sort_unstable_by(f64::total_cmp);
    let scale = (DEVIATIONS_IN_MAD * quantile(&sizes, 0.5)).max(fitted.ordered.resolution());
    for ((point, _), size) in rows.iter().zip(apart) {
        samples.points[*point].robust = HUBER / (size / scale).abs().max(HUBER);
    }
}

/// A point that stands alone is farther from its neighbours than this many standard deviations,
const ALONE: f64 = 6.0;
/// and by this share of its value.
const FAR: f64 = 0.1;
/// It is farther from both neighbours than these are from each other and from the next ones, by this factor: where the slope
/// changes, the steps to the next points are as large.
const STEEPER: f64 = 2.5;
/// At most one point of so many is as far; if more are, the time depends on something else, and that is to be seen.
const RARE: usize = 10;
/// Fewer points have no neighbours to compare with.
const FEW: usize = 12;

/// Gives a point that stands alone a smaller weight, so that no change is sought for it, and none missed beside it: a size
/// of which all lines fall into one set of a cache. It is compared with the median of itself and the two points on each side,
/// by the residuals of this fit, and takes longer than the next larger size; beyond a change that is a point of the same side, and at the ends of the data no point is
/// alone. `noise` is the standard deviation of a point by its repetitions.
pub(crate) fn weigh_points_alone(samples: &mut Samples, fitted: &Fitted, noise: f64) {
    let rows = &fitted.solved.rows;
    let is_a_point = |row: usize| samples.rows_of(fitted.ordered.point(row)).len() == 1;
    if rows.len() < FEW || samples.weights != Weights::Relative || !(0..rows.len()).all(is_a_point)
    {
        return;
    }
    let apart: Vec<f64> = (BESIDE..rows.len() - BESIDE)
        .map(|row| {
            let beside = &rows[row - BESIDE..=row + BESIDE];
            let mut all: Vec<f64> = beside.iter().map(|solved| solved.residual).collect();
            all.sort_unstable_by(f64::total_cmp);
            rows[row].residual - all[BESIDE]
        })
        .collect();
    let mut sizes: Vec<f64> = apart.iter().map(|size| size.abs()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let scale = (DEVIATIONS_IN_MAD * quantile(&sizes, 0.5)).max(noise);
    let most = (ALONE * scale).max(FAR);
    let step = |from: usize, to: usize| (rows[from].residual - rows[to].residual).abs();
    let is_alone = |row: usize| {
        let own = step(row, row - 1).min(step(row, row + 1));
        let others =
            [step(row - 2, row - 1), step(row - 1, row + 1), step(row + 1, row + 2)].into_iter();
        let value = |row: usize| samples.points[fitted.ordered.point(row)].aggregate;
        let is_peak = value(row) > value(row - 1).max(value(row + 1));
        is_peak && own > STEEPER * others.fold(0.0, f64::max)
    };
    let far: Vec<(usize, f64)> =
        apart.into_iter().enumerate().filter(|(_, size)| size.abs() > most).collect();
    if far.len() > rows.len() / RARE {
        return;
    }
    let alone: Vec<(usize, f64)> =
        far.into_iter().filter(|(place, _)| is_alone(BESIDE + place)).collect();
    for (place, size) in alone {
        let point = fitted.ordered.point(BESIDE + place);
        samples.points[point].robust = (HUBER * scale / size.abs()).clamp(f64::MIN_POSITIVE, 1.0);
    }
}

/// Gives each point its weight for its residual of this fit, and returns the largest change of a
/// weight.
///
/// The scale is the standard deviation that the repetitions give for a point, or the robust one of
/// the residuals if that is larger: points may differ by more than their repetitions, and a scale
/// that is too small would give every point but a few a small weight.
pub(crate) fn reweigh(samples: &mut Samples, fitted: &Fitted) -> f64 {
    let mut residuals: Vec<(usize, f64)> = Vec::new();
    for (row, solved) in fitted.solved.rows.iter().enumerate() {
        let point = fitted.ordered.point(row);
        // In units of the weights before Huber's.
        let residual = solved.residual / samples.points[point].robust.sqrt();
        match residuals.last_mut() {
            // All repetitions are rows: their middle counts, as a point is far as a whole.
            Some((last, sum)) if *last == point => *sum += residual,
            _ => residuals.push((point, residual)),
        }
    }
    let rows = |samples: &Samples, point: usize| samples.rows_of(point).len() as f64;
    residuals.iter_mut().for_each(|(point, sum)| *sum /= rows(samples, *point));
    let mut sizes: Vec<f64> = residuals.iter().map(|(_, r)| r.abs()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    if sizes.is_empty() {
        return 0.0;
    }
    // The fit could make as many residuals zero as there are constants.
    let free = fitted.solved.free.min(sizes.len() - 1);
    let typical = DEVIATIONS_IN_MAD * quantile(&sizes[free..], 0.5);
    let floor = fitted.ordered.resolution();
    let mut most = 0.0f64;
    let (mut squares, mut inner, mut weighted, mut weights) = (0.0, 0.0, 0.0, 0.0);
    for &(point, residual) in &residuals {
        let scale = typical.max(of_repetitions(samples, point)).max(floor);
        let u = (residual / scale).abs();
        let weight = HUBER / u.max(HUBER);
        let psi = u.min(HUBER);
        squares += psi * psi;
        inner += f64::from(u8::from(u <= HUBER));
        weighted += weight * u * u;
        weights += weight;
        let sample = &mut samples.points[point];
        most = most.max((sample.robust - weight).abs());
        sample.robust = weight;
    }
    // Variance of the M estimate by that of the weighted least squares (Huber 1981, section 7.6).
    let n = residuals.len() as f64;
    let (m, w) = (squares / n / (inner / n).powi(2), weighted / weights);
    samples.inflation = if m.is_finite() && w > 0.0 { (m / w).max(1.0) } else { 1.0 };
    most
}

/// Standard deviation of a point's aggregate by the repetitions, in weighted units.
fn of_repetitions(samples: &Samples, point: usize) -> f64 {
    let Some(spread) = samples.repetitions.spread else { return 0.0 };
    let sample = &samples.points[point];
    let count = sample.kept.len().max(1) as f64;
    let efficiency = match samples.aggregate {
        Aggregate::Median if count > 2.0 => std::f64::consts::FRAC_PI_2,
        _ => 1.0,
    };
    let size = match samples.weights {
        Weights::Relative => 1.0,
        Weights::Absolute => sample.aggregate.abs(),
    };
    spread * size * (efficiency / count).sqrt()
}
