//! Fewer points if more could not be distinguished.

use super::{PlotPoint, Scale, Whiskers};
use cll_statistics::median;

/// Points of one series in ascending order. Points with equal `x` are merged; if there are still more than `most`,
/// those of each section of the axis are merged. Points that were left out of the fit are not merged with the others.
pub(crate) fn thin(points: Vec<PlotPoint>, scale: Scale, most: usize) -> Vec<PlotPoint> {
    let most = most.max(2);
    let points = sorted(points);
    if points.len() <= most {
        return points;
    }
    let points = joined(points, |p| p.x);
    if points.len() <= most {
        return points;
    }
    let place = |x: f64| if scale.is_log() && x > 0.0 { x.log10() } else { x / 2.0 };
    let (low, high) = (place(points[0].x), place(points[points.len() - 1].x));
    let stretches = (most / 2).max(1) as f64;
    joined(points, |p| (((place(p.x) - low) / (high - low)) * stretches).floor())
}

fn sorted(mut points: Vec<PlotPoint>) -> Vec<PlotPoint> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then_with(|| a.y.total_cmp(&b.y)));
    points
}

/// Neighbours with an equal key put together.
fn joined(points: Vec<PlotPoint>, key: impl Fn(&PlotPoint) -> f64) -> Vec<PlotPoint> {
    let (out, kept): (Vec<_>, Vec<_>) = points.into_iter().partition(|p| p.excluded);
    let groups = |points: &[PlotPoint]| -> Vec<PlotPoint> {
        points.chunk_by(|a, b| key(a) == key(b)).map(together).collect()
    };
    let mut all = groups(&kept);
    all.extend(groups(&out));
    sorted(all)
}

fn together(group: &[PlotPoint]) -> PlotPoint {
    if let [point] = group {
        return *point;
    }
    let middle =
        |value: &dyn Fn(&PlotPoint) -> f64| median(group.iter().map(value)).unwrap_or(f64::NAN);
    let least =
        |value: &dyn Fn(&PlotPoint) -> f64| group.iter().map(value).fold(f64::INFINITY, f64::min);
    let most = |value: &dyn Fn(&PlotPoint) -> f64| {
        group.iter().map(value).fold(f64::NEG_INFINITY, f64::max)
    };
    PlotPoint {
        x: middle(&|p| p.x),
        y: middle(&|p| p.y),
        spread: Whiskers {
            count: group.iter().map(|p| p.spread.count).sum(),
            minimum: least(&|p| p.spread.minimum),
            lower_quartile: middle(&|p| p.spread.lower_quartile),
            upper_quartile: middle(&|p| p.spread.upper_quartile),
            maximum: most(&|p| p.spread.maximum),
        },
        model: middle(&|p| p.model),
        error: middle(&|p| p.error),
        // Nothing bad may vanish.
        errors: (least(&|p| p.errors.0), most(&|p| p.errors.1)),
        excluded: group[0].excluded,
        points: group.iter().map(|p| p.points).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f64, y: f64) -> PlotPoint {
        let spread = Whiskers {
            count: 3,
            minimum: 0.9 * y,
            lower_quartile: 0.95 * y,
            upper_quartile: 1.1 * y,
            maximum: 2.0 * y,
        };
        let error = 0.01 * y;
        let errors = (error, error);
        PlotPoint { x, y, spread, model: y, error, errors, excluded: false, points: 1 }
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let points = vec![point(2.0, 1.0), point(1.0, 1.0), point(1.0, 2.0)];
        let thinned = thin(points, Scale::Linear, 10);
        assert_eq!(thinned, [point(1.0, 1.0), point(1.0, 2.0), point(2.0, 1.0)]);
    }

    #[test]
    fn points_of_equal_x_are_put_together() {
        let points: Vec<PlotPoint> =
            (0..300).map(|k| point(f64::from(k % 3), 1.0 + f64::from(k / 3))).collect();
        let thinned = thin(points, Scale::Linear, 10);
        assert_eq!(thinned.len(), 3);
        assert_eq!(thinned[0].points, 100);
        assert_eq!(thinned[0].spread.count, 300);
        assert_eq!(thinned[0].spread.maximum, 200.0);
        assert_eq!(thinned[0].errors, (0.01, 1.0));
    }

    #[test]
    fn stretches_of_the_axis_hold_all_points_and_the_worst_error() {
        let points: Vec<PlotPoint> = (1..=100_000).map(|k| point(f64::from(k), 1.0)).collect();
        for scale in [Scale::Linear, Scale::Log] {
            let thinned = thin(points.clone(), scale, 400);
            assert!(thinned.len() <= 402, "{}", thinned.len());
            assert_eq!(thinned.iter().map(|p| p.points).sum::<usize>(), 100_000);
        }
    }
}
