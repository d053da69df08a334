//! The boundaries of a fit, or the divisions into its regions, and the other divisions that the
//! data allow.

use crate::input::{NamedAxis, Samples};
use crate::intervals::{Fitted, Other, disturbed, weigh};
use crate::levels::Levels;
use crate::regions::{Regions, Tree, moved};
use crate::solve::{Division, OrderedPoints, Segments, Sigma, Solved, moderated, pooled, tables};
use crate::{Alternative, Boundary, Intervals, Options, Split};

/// Where the constants change.
pub(crate) struct Divisions {
    /// Along one axis.
    pub(crate) boundaries: Vec<Boundary>,
    /// Along several.
    pub(crate) splits: Vec<Split>,
    pub(crate) alternatives: Vec<Alternative>,
}

/// The input on which the divisions depend.
pub(crate) struct Context<'a> {
    pub(crate) samples: &'a Samples,
    pub(crate) axes: &'a [NamedAxis],
    pub(crate) options: &'a Options,
    /// Residual standard deviation in each interval.
    pub(crate) each: &'a [Option<Sigma>],
    /// Share of the points that count as independent.
    pub(crate) independent: f64,
    /// Whether the formula may be wrong.
    pub(crate) doubtful: bool,
}

impl Divisions {
    pub(crate) fn new(fitted: &Fitted, context: &Context) -> Divisions {
        match &fitted.regions {
            None => Divisions::along_one(fitted, context),
            Some(regions) => Divisions::of_regions(fitted, regions, context),
        }
    }

    /// Levels have no boundaries, and their own alternatives.
    pub(crate) fn of_levels(levels: &Levels) -> Divisions {
        Divisions {
            boundaries: Vec::new(),
            splits: Vec::new(),
            alternatives: levels.alternatives.clone(),
        }
    }

    fn along_one(fitted: &Fitted, context: &Context) -> Divisions {
        let &Context { options, independent, .. } = context;
        let drawn =
            if context.doubtful { disturbed(fitted, context.each, options) } else { Vec::new() };
        let Fitted { ordered, chosen, counts, .. } = fitted;
        let weighted = weigh(ordered, chosen, counts, &drawn, independent, options.confidence);
        let values = ordered.values();
        let boundaries = chosen
            .division
            .breaks
            .iter()
            .zip(&weighted.plausible)
            .enumerate()
            .map(|(k, (&b, &(low, high)))| {
                let (last_left, first_right) = (values[b - 1], values[b]);
                let boundary = match &options.intervals {
                    Intervals::ByHand { breaks, .. } => {
                        let mut sorted = breaks.clone();
                        sorted.sort_unstable_by(f64::total_cmp);
                        sorted.dedup();
                        sorted[k]
                    }
                    _ => middle(last_left, first_right),
                };
                let plausible = match &options.intervals {
                    Intervals::ByHand { .. } => (last_left, first_right),
                    _ => (values[low - 1], values[high]),
                };
                Boundary { last_left, first_right, at: boundary, plausible }
            })
            .collect();
        let given = matches!(options.intervals, Intervals::ByHand { .. } | Intervals::None);
        let others = weighted.others.iter().filter(|_| !given);
        let alternatives = others.map(|other| {
            let Other { breaks, segments, weight } = other;
            let own = breaks.iter().map(|&b| middle(values[b - 1], values[b])).collect();
            let division = Division { rss: 0.0, breaks: breaks.clone() };
            let solved = (ordered, &division, segments);
            Alternative { boundaries: own, ..alternative(fitted, context, solved, *weight) }
        });
        Divisions { boundaries, splits: Vec::new(), alternatives: alternatives.collect() }
    }

    fn of_regions(fitted: &Fitted, regions: &Regions, context: &Context) -> Divisions {
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
}

/// Another division with its constants, without its places.
fn alternative(
    fitted: &Fitted,
    context: &Context,
    (ordered, division, segments): (&OrderedPoints, &Division, &Segments),
    weight: f64,
) -> Alternative {
    let bounded = context.options.non_negative;
    let solved = Solved::new(ordered, division, segments.clone(), bounded);
    let all = pooled(&solved, context.samples);
    let each = moderated(&solved, all, context.samples.inflation);
    let tables = tables((&fitted.basis, ordered), context.samples.terms, &solved, &each);
    let (constants, covariance) = tables.into_iter().map(|t| (t.constants, t.covariance)).unzip();
    Alternative {
        weight,
        boundaries: Vec::new(),
        splits: Vec::new(),
        changes: Vec::new(),
        constants,
        covariance,
        sigma: each.iter().map(|s| s.map(|s| s.value)).collect(),
        dof: each.iter().map(|s| s.map_or(0.0, |s| s.dof)).collect(),
    }
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

/// The boundary within a gap: its geometric mean if both sides are positive, else its midpoint.
pub(crate) fn middle(left: f64, right: f64) -> f64 {
    if left > 0.0 { left * (right / left).sqrt() } else { left + 0.5 * (right - left) }
}
