//! Regions of validity in several variables: a tree of divisions of the points in two.
//!
//! Where no division along one axis is enough, the points are divided in two along the best axis,
//! and each part again (a model tree: Quinlan, *Learning with continuous classes*, 1992; Loh,
//! *Regression trees with unbiased variable selection*, 2002). The tree that is grown is pruned by
//! the same criterion as intervals along one axis, with constants joined that do not differ.

mod accept;
mod field;
mod greedy;
mod grow;
mod join;
mod moved;
mod tree;

use crate::axis::NamedAxis;
use crate::fitted::Fitted;
use crate::samples::Samples;
use crate::segments::Segments;
use crate::{Intervals, Options};

pub(crate) use field::Field;
pub(crate) use moved::moved;
pub(crate) use tree::Tree;

use accept::{arranged, predicts_better};
use join::Joined;

/// More regions are never searched: no data that were seen determined them.
const MOST: usize = 8;
/// With more points the search would take too long.
const MOST_POINTS: usize = 20_000;

/// A division into regions, with its points and constants.
pub(crate) struct Regions {
    pub(crate) tree: Tree,
    /// For each region its points, by their places in the field.
    pub(crate) members: Vec<Vec<usize>>,
    pub(crate) field: Field,
    /// The best division along one axis, with its constants and its criterion.
    pub(crate) one: Option<(Tree, Segments, f64)>,
}

impl Regions {
    /// Smallest and largest value in a region of the axis that was divided first.
    pub(crate) fn reach(&self, region: usize) -> (f64, f64) {
        let axis = self.tree.at(&[]).map_or(0, |split| split.axis);
        let values = self.members[region].iter().map(|&point| self.field.point(point).at[axis]);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    }

    /// The region that contains these values of the recorded variables.
    pub(crate) fn of(&self, axes: &[NamedAxis], values: &[f64]) -> usize {
        self.tree.region(&|axis| axes[axis].axis.value(values))
    }
}

/// The division into regions, if it is along more than one axis and better than the chosen one
/// along one axis.
pub(crate) fn regions<'a>(
    fitted: &Fitted<'a>,
    samples: &Samples,
    axes: &'a [NamedAxis],
    options: &Options,
) -> Option<Fitted<'a>> {
    let most = match options.intervals {
        Intervals::Dynamic { max_intervals } | Intervals::Greedy { max_intervals, .. } => {
            max_intervals.min(MOST)
        }
        Intervals::None | Intervals::ByHand { .. } => return None,
    };
    let points = samples.used().count();
    let fewest = 2 * (fitted.basis.len() + 2);
    if axes.len() < 2 || most < 3 || points > MOST_POINTS || samples.distinct() < fewest {
        return None;
    }
    let field = Field::new(fitted, samples, axes)?;
    let (tree, joined) = match options.intervals {
        Intervals::Greedy { error_threshold, .. } => {
            greedy::greedy(&field, fitted, samples, error_threshold, most, options)?
        }
        _ => {
            if field.is_explained(fitted, samples) {
                return None;
            }
            let start = Tree::along(fitted, axes);
            let (tree, joined) = grow::best(&field, start, most, options)?;
            let chosen = fitted.chosen.score;
            if joined.score >= chosen - 1e-9 * chosen.abs() {
                return None;
            }
            (tree, joined)
        }
    };
    let sought = matches!(options.intervals, Intervals::Dynamic { .. });
    let members = tree.divide(&field, &field.all());
    let divided = arranged(fitted, &field, &members, joined, axes.len(), options);
    if sought && !predicts_better(fitted, &divided, &field) {
        return None;
    }
    let one = sought.then(|| {
        let chosen = &fitted.chosen;
        (Tree::along(fitted, axes), chosen.segments.clone(), chosen.score)
    });
    Some(Fitted {
        regions: Some(Regions { tree, members, field, one }),
        basis: fitted.basis.clone(),
        dependent: fitted.dependent.clone(),
        axis: None,
        ..divided
    })
}
