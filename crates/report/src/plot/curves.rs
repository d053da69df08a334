//! The model along an axis, in pieces.

use cll_fit::Fit;

use super::{Curve, CurvePoint, Scale};

/// The model at one value of x.
#[derive(Clone, Copy)]
struct Evaluated {
    point: CurvePoint,
    interval: usize,
    beyond: bool,
}

/// The model along the x axis from `low` to `high`, while `values` (of the formula's variables)
/// are constant except the one at `along`. A new curve begins at each boundary of intervals of validity,
/// and at the ends of the data.
pub(crate) fn curves(
    fit: &Fit,
    values: &[f64],
    along: Option<usize>,
    (low, high): (f64, f64),
    scale: Scale,
    steps: usize,
) -> Vec<Curve> {
    let domain = along.and_then(|k| fit.domain.iter().find(|r| r.variable == fit.variables[k]));
    let ends = domain.into_iter().flat_map(|r| [r.low, r.high]);
    // In a gap between intervals the band is wide at once: places on both sides of its ends.
    let axis = along.filter(|&k| fit.axis.as_deref() == Some(fit.variables[k].as_str()));
    let splits =
        fit.splits.iter().filter(|split| along.is_some_and(|k| split.axis == fit.variables[k]));
    let boundaries = fit.boundaries.iter().filter(|_| axis.is_some());
    let gaps = boundaries.chain(splits.map(|split| &split.boundary)).flat_map(|b| {
        let little = 1e-6 * (b.first_right - b.last_left);
        [b.last_left, b.last_left + little, b.first_right - little, b.first_right]
    });
    let mut xs = grid(low, high, scale, steps);
    xs.extend(ends.chain(gaps).filter(|x| *x > low && *x < high));
    xs.sort_by(f64::total_cmp);
    xs.dedup();

    let value_at = |x: f64| evaluate(fit, values, along, x);
    let mut all: Vec<Option<Evaluated>> = Vec::new();
    for x in xs {
        // A formula such as n! has values at integers only.
        let here = value_at(x)
            .or_else(|| value_at(x.round()).filter(|_| (low..=high).contains(&x.round())));
        let last = all.last().copied().flatten();
        match (last, here) {
            (Some(last), Some(here)) if here.point.x <= last.point.x => continue,
            (Some(last), Some(here)) if here.interval != last.interval => {
                all.extend(jump(last, here, scale, &value_at).map(Some));
            }
            _ => {}
        }
        all.push(here);
    }
    pieces(&all)
}

/// Neighbours of one interval on one side of the data's end. Pieces that meet at the data's end
/// share the point there.
fn pieces(all: &[Option<Evaluated>]) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    let mut last: Option<Evaluated> = None;
    for evaluated in all {
        let Some(here) = *evaluated else {
            last = None;
            continue;
        };
        let together = last.filter(|l| l.interval == here.interval);
        let new = together.is_none_or(|l| l.beyond != here.beyond);
        if let (Some(last), true, Some(curve)) = (together, new, curves.last_mut())
            && last.beyond
        {
            curve.points.push(here.point);
        }
        if new {
            let shared = together.filter(|l| !l.beyond).map(|l| l.point);
            curves.push(Curve {
                interval: here.interval,
                beyond: here.beyond,
                points: shared.into_iter().collect(),
            });
        }
        if let Some(curve) = curves.last_mut() {
            curve.points.push(here.point);
        }
        last = Some(here);
    }
    curves
}

/// The last place of the left interval and the first of the right one, by bisection.
fn jump(
    left: Evaluated,
    right: Evaluated,
    scale: Scale,
    value_at: &dyn Fn(f64) -> Option<Evaluated>,
) -> impl Iterator<Item = Evaluated> {
    let (mut before, mut after) = (left, right);
    for _ in 0..40 {
        let x = middle(before.point.x, after.point.x, scale);
        if x <= before.point.x || x >= after.point.x {
            break;
        }
        match value_at(x) {
            Some(evaluated) if evaluated.interval == left.interval => before = evaluated,
            Some(evaluated) => after = evaluated,
            None => break,
        }
    }
    let pairs = [(before, left), (after, right)];
    pairs.into_iter().filter(|(new, old)| new.point.x != old.point.x).map(|(new, _)| new)
}

fn middle(a: f64, b: f64, scale: Scale) -> f64 {
    if scale.is_log() && a > 0.0 { a * (b / a).sqrt() } else { a + 0.5 * (b - a) }
}

fn evaluate(fit: &Fit, values: &[f64], along: Option<usize>, x: f64) -> Option<Evaluated> {
    let mut point = values.to_vec();
    if let Some(k) = along {
        point[k] = x;
    }
    let prediction = fit.predict(&point).ok()?;
    let band = prediction.band.map(|b| (b.low, b.high));
    let finite = |v: f64| v.is_finite();
    if !finite(prediction.value) {
        return None;
    }
    Some(Evaluated {
        point: CurvePoint {
            x,
            y: prediction.value,
            band: band.filter(|b| finite(b.0) && finite(b.1)),
        },
        interval: prediction.interval,
        beyond: prediction.domain.is_extrapolation(),
    })
}

fn grid(low: f64, high: f64, scale: Scale, steps: usize) -> Vec<f64> {
    if low >= high {
        return vec![low];
    }
    let steps = steps.max(2);
    let place = |k: usize| {
        let share = k as f64 / (steps - 1) as f64;
        if scale.is_log() && low > 0.0 {
            low * (high / low).powf(share)
        } else {
            low * (1.0 - share) + high * share
        }
    };
    let mut xs: Vec<f64> = (1..steps - 1).map(place).collect();
    xs.push(low);
    xs.push(high);
    xs
}
