//! The papers' rule for intervals, along any axis.

use super::field::Field;
use super::join::Joined;
use super::tree::Tree;
use crate::Options;
use crate::input::Samples;
use crate::intervals::Fitted;
use crate::numerics::non_negative;

/// "The variable space is divided in two" (the 2003 paper, section 3): the part with the largest
/// error is divided first, where its error changes most: of the places on all axes at the one that
/// leaves the smallest sum of squares. `None` if
/// the division along one axis reaches the threshold, or no other axis is divided, or the largest
/// error is not smaller than with the division along one axis.
pub(crate) fn greedy(
    field: &Field,
    fitted: &Fitted,
    samples: &Samples,
    threshold: f64,
    most: usize,
    options: &Options,
) -> Option<(Tree, Joined)> {
    let along_one = largest_error(fitted, samples);
    if along_one <= threshold {
        return None;
    }
    let mut tree = Tree::Region;
    let mut parts = vec![GreedyRegion::new(field, field.all())];
    while parts.len() < most {
        let worst = (0..parts.len())
            .filter(|&k| parts[k].largest > threshold && parts[k].split.is_some())
            .max_by(|&a, &b| parts[a].largest.total_cmp(&parts[b].largest));
        let Some((index, (axis, from))) =
            worst.and_then(|index| Some((index, parts[index].split?)))
        else {
            break;
        };
        let (below, above) = field.halves(&parts[index].members, axis, from);
        tree.replace(index, Tree::two(axis, from));
        parts.splice(
            index..=index,
            [GreedyRegion::new(field, below), GreedyRegion::new(field, above)],
        );
    }
    let largest = parts.iter().map(|part| part.largest).fold(0.0, f64::max);
    if !tree.has_several_axes() || largest >= along_one {
        return None;
    }
    let members: Vec<Vec<usize>> = parts.into_iter().map(|part| part.members).collect();
    let joined = Joined::new(field, &members, options.join)?;
    Some((tree, joined))
}

/// The largest relative error of the division along one axis.
pub(crate) fn largest_error(fitted: &Fitted, samples: &Samples) -> f64 {
    let ordered = &fitted.ordered;
    let errors = fitted.solved.rows.iter().enumerate().map(|(row, solved)| {
        let weighted =
            samples.weight(ordered.point(row)) * samples.points[ordered.point(row)].aggregate;
        if weighted == 0.0 { 0.0 } else { (solved.residual / weighted).abs() }
    });
    errors.fold(0.0, f64::max)
}

/// A part with its own constants.
struct GreedyRegion {
    members: Vec<usize>,
    /// Largest absolute relative error.
    largest: f64,
    /// Where the error changes most: axis, and first value of the upper side.
    split: Option<(usize, f64)>,
}

impl GreedyRegion {
    fn new(field: &Field, members: Vec<usize>) -> GreedyRegion {
        let triangle = field.triangle(&members);
        let columns = field.columns();
        let mut constants = vec![0.0; columns];
        if field.is_bounded() {
            non_negative(&triangle, columns, &mut constants);
        } else if triangle.full_rank() {
            triangle.solution(&mut constants);
        }
        let error = |point: usize| {
            let (terms, measured) = field.point(point).terms_and_observation();
            let model: f64 = terms.iter().zip(&constants).map(|(x, c)| x * c).sum();
            if measured == 0.0 { 0.0 } else { (measured - model) / measured }
        };
        let largest = members.iter().map(|&point| error(point).abs()).fold(0.0, f64::max);
        let of_axis = |axis: usize| {
            let cuts = field.cuts(&members, axis).into_iter();
            let changes = cuts.map(|cut| (change(field, &members, axis, cut.from, &error), cut));
            changes.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, cut)| cut)
        };
        let each = (0..field.axes()).filter_map(of_axis);
        let best = each.min_by(|a, b| a.rss.total_cmp(&b.rss));
        let split = best.map(|cut| (cut.axis, cut.from));
        GreedyRegion { members, largest, split }
    }
}

/// By how much the mean error changes from the last value of an axis below a place to the first
/// above it.
fn change(
    field: &Field,
    members: &[usize],
    axis: usize,
    from: f64,
    error: &dyn Fn(usize) -> f64,
) -> f64 {
    let value_at = |point: usize| field.point(point).coordinates[axis];
    let left = members
        .iter()
        .map(|&p| value_at(p))
        .filter(|&v| v < from)
        .fold(f64::NEG_INFINITY, f64::max);
    let mean = |value: f64| {
        let there: Vec<f64> =
            members.iter().filter(|&&p| value_at(p) == value).map(|&p| error(p)).collect();
        there.iter().sum::<f64>() / there.len().max(1) as f64
    };
    (mean(from) - mean(left)).abs()
}
