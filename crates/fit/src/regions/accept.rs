//! The rows in the order of the regions, and whether left-out values are predicted better.

use super::field::Field;
use super::join::Joined;
use super::tree::Tree;
use crate::Options;
use crate::input::{Axis, NamedAxis};
use crate::intervals::{Candidate, Fitted, left_out_blocks};
use crate::solve::{Division, OrderedPoints, OrderedRow, Solved};

/// The problem with the points in the order of the regions, one value for each combination of
/// variables: the regions are intervals of that order.
pub(crate) fn in_order(
    ordered: &OrderedPoints,
    field: &Field,
    members: &[Vec<usize>],
    axes: usize,
) -> (OrderedPoints, Vec<usize>) {
    let mut positions = std::collections::HashMap::new();
    let (mut breaks, mut next) = (Vec::new(), 0usize);
    for region in members {
        if next > 0 {
            breaks.push(next);
        }
        let mut sorted = region.clone();
        sorted.sort_by(|&a, &b| {
            let (a, b) = (field.point(a), field.point(b));
            let each = a.coordinates.iter().zip(&b.coordinates).map(|(x, y)| x.total_cmp(y));
            each.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
                .then(a.tuple.cmp(&b.tuple))
        });
        let mut before = None;
        for point in sorted {
            let point = field.point(point);
            if before != Some(point.tuple) {
                next += 1;
                before = Some(point.tuple);
            }
            positions.insert(point.sample, (next - 1, point.tuple));
        }
    }
    let columns = ordered.columns();
    let rows = (0..ordered.len()).map(|row| {
        let point = ordered.point(row);
        let (position, tuple) = positions.get(&point).copied().unwrap_or_default();
        let mut numbers = ordered.row(row).to_vec();
        numbers[..columns].iter_mut().zip(ordered.scale()).for_each(|(x, scale)| *x *= scale);
        OrderedRow { axis: position as f64, point, tuple, row: numbers }
    });
    let rows = rows.collect();
    (OrderedPoints::new(columns, rows, ordered.is_bounded()).among(axes), breaks)
}

/// The fit with these regions as its intervals.
pub(crate) fn arranged(
    fitted: &Fitted,
    field: &Field,
    members: &[Vec<usize>],
    joined: Joined,
    axes: usize,
    options: &Options,
) -> Fitted<'static> {
    let (ordered, breaks) = in_order(&fitted.ordered, field, members, axes);
    let division = Division { breaks, rss: joined.rss };
    let Joined { segments, score, .. } = joined;
    let solved = Solved::new(&ordered, &division, segments.clone(), options.non_negative);
    Fitted {
        basis: Vec::new(),
        dependent: Vec::new(),
        axis: None,
        ordered,
        chosen: Candidate { division, segments, score },
        counts: Vec::new(),
        left_out: None,
        solved,
    }
}

/// Whether the regions predict left-out values of each variable, and of each axis that they divide,
/// better than the division along one axis does. All variables count: if the values of P differ by
/// chance, regions of N and N/P can follow them.
pub(crate) fn predicts_better(
    along_one: &Fitted,
    regions: &Fitted,
    field: &Field,
    tree: &Tree,
    axes: &[NamedAxis],
) -> bool {
    let error_of = |fitted: &Fitted, axis: usize| {
        let ordered = &fitted.ordered;
        let blocks = blocks(ordered, field, axis);
        left_out_blocks(ordered, &fitted.chosen.division, &fitted.solved, &blocks)
    };
    let mut used = Vec::new();
    tree.axes(&mut used);
    let asked = |axis: &usize| used.contains(axis) || matches!(axes[*axis].axis, Axis::Variable(_));
    (0..field.axes()).filter(asked).all(|axis| {
        let (divided, value) = (error_of(regions, axis), error_of(along_one, axis));
        divided < value || !value.is_finite()
    })
}

/// The rows of each value of an axis.
fn blocks(ordered: &OrderedPoints, field: &Field, axis: usize) -> Vec<Vec<usize>> {
    let places = field.places();
    let value = |row: usize| field.point(places[&ordered.point(row)]).coordinates[axis];
    let mut rows: Vec<usize> = (0..ordered.len()).collect();
    rows.sort_by(|&a, &b| value(a).total_cmp(&value(b)));
    rows.chunk_by(|&a, &b| value(a) == value(b)).map(<[usize]>::to_vec).collect()
}
