//! The divisions into regions as a fit has them, and the others that the data allow.

use super::alternatives::moved;
use super::chosen_regions::Regions;
use super::tree::Tree;
use crate::input::NamedAxis;
use crate::intervals::{Context, Divisions, Fitted, alternative, middle};
use crate::{Alternative, Boundary, Split};

/// The divisions into regions, and others that the data allow.
pub(crate) fn divisions_into_regions(
    fitted: &Fitted,
    regions: &Regions,
    context: &Context,
) -> Divisions {
    let confidence = context.options.confidence;
    let moved = moved(fitted, regions, context.independent, confidence);
    let gaps = moved.gaps.iter().map(|gap| (gap.last_left, gap.first_right, gap.plausible));
    let splits = splits(&regions.tree, regions, context.axes, &mut gaps.collect::<Vec<_>>());
    let alternatives = moved.others.iter().map(|other| {
        let (ordered, division) = other.arranged(&fitted.ordered, &regions.field);
        let solved = (&ordered, &division, &other.segments);
        let own = splits_of(&other.tree, regions, context.axes);
        Alternative { splits: own, ..alternative(fitted, context, solved, other.weight) }
    });
    let alternatives = alternatives.collect();
    Divisions { boundaries: Vec::new(), splits, alternatives }
}

/// The divisions of a tree as the result has them, with the given gaps, in the tree's order.
fn splits(
    tree: &Tree,
    regions: &Regions,
    axes: &[NamedAxis],
    gaps: &mut Vec<(f64, f64, (f64, f64))>,
) -> Vec<Split> {
    let mut out = Vec::new();
    gaps.reverse();
    collect(tree, 0, regions, axes, gaps, &mut out);
    out
}

fn collect(
    tree: &Tree,
    first: usize,
    regions: &Regions,
    axes: &[NamedAxis],
    gaps: &mut Vec<(f64, f64, (f64, f64))>,
    out: &mut Vec<Split>,
) {
    let Tree::Split(split) = tree else { return };
    let Some((last_left, first_right, plausible)) = gaps.pop() else { return };
    let field = &regions.field;
    let values = field.all().into_iter().map(|point| field.point(point).coordinates[split.axis]);
    let range =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    let upper = first + split.below.regions();
    let boundary = middle(last_left, first_right);
    out.push(Split {
        axis: axes[split.axis].name.clone(),
        boundary: Boundary { last_left, first_right, at: boundary, plausible },
        below: (first, upper - 1),
        above: (upper, upper + split.above.regions() - 1),
        range,
    });
    collect(&split.below, first, regions, axes, gaps, out);
    collect(&split.above, upper, regions, axes, gaps, out);
}

/// The divisions of another tree; each lies in its gap.
fn splits_of(tree: &Tree, regions: &Regions, axes: &[NamedAxis]) -> Vec<Split> {
    let field = &regions.field;
    let gap = |path: Vec<bool>| {
        let split = tree.split_at(&path)?;
        let inside = tree.members(field, &path).into_iter();
        let values = inside.map(|point| field.point(point).coordinates[split.axis]);
        let left = values.filter(|&v| v < split.from).fold(f64::NEG_INFINITY, f64::max);
        Some((left, split.from, (left, split.from)))
    };
    let mut gaps: Vec<_> = tree.splits().into_iter().filter_map(gap).collect();
    splits(tree, regions, axes, &mut gaps)
}
