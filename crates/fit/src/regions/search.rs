//! The search for regions: whether a division along several axes is better than the chosen one along one.

use crate::input::{NamedAxis, Samples};
use crate::intervals::Fitted;
use crate::quality::lack_of_fit;
use crate::{Intervals, Options};

use super::accept::{arranged, predicts_better};
use super::chosen_regions::Regions;
use super::field::Field;
use super::greedy::{greedy, largest_error};
use super::grow::best;
use super::tree::Tree;

/// If the repetitions show no lack of fit at this level, no regions are searched.
const NONE: f64 = 0.2;
/// More regions are never searched: no data that were seen determined them.
const MOST: usize = 8;
/// With more points the search would take too long.
const MOST_POINTS: usize = 20_000;

/// The division into regions, if it is along more than one axis and better than the chosen one
/// along one axis.
pub(crate) fn regions<'a>(
    fitted: &Fitted<'a>,
    samples: &Samples,
    axes: &'a [NamedAxis],
    options: &Options,
) -> Option<(Fitted<'a>, Regions)> {
    let most = match options.intervals {
        Intervals::Dynamic { max_intervals } | Intervals::Greedy { max_intervals, .. } => {
            max_intervals.min(MOST)
        }
        Intervals::None | Intervals::Levels { .. } | Intervals::ByHand { .. } => return None,
    };
    let points = samples.used().count();
    let fewest = 2 * (fitted.basis.len() + 2);
    if axes.len() < 2 || most < 3 || points > MOST_POINTS || samples.distinct() < fewest {
        return None;
    }
    let field = Field::new(&fitted.ordered, samples, axes)?;
    let (tree, joined) = match options.intervals {
        Intervals::Greedy { error_threshold, .. } => {
            greedy(&field, fitted, samples, error_threshold, most, options)?
        }
        _ => {
            if is_explained(fitted, samples) {
                return None;
            }
            let start = along_one(fitted, axes);
            let (tree, joined) = best(&field, start, most, options)?;
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
    if sought && !predicts_better(fitted, &divided, &field, &tree, axes) {
        return None;
    }
    if !sought && largest_error(&divided, samples) >= largest_error(fitted, samples) {
        return None;
    }
    let sample = sought.then(|| {
        let chosen = &fitted.chosen;
        (along_one(fitted, axes), chosen.segments.clone(), chosen.score)
    });
    let divided = Fitted {
        basis: fitted.basis.clone(),
        dependent: fitted.dependent.clone(),
        axis: None,
        ..divided
    };
    Some((divided, Regions { tree, members, field, one: sample }))
}

/// Whether the chosen division leaves nothing to explain: errors are as large as the repetitions
/// vary, or rounding errors.
fn is_explained(fitted: &Fitted, samples: &Samples) -> bool {
    let Fitted { ordered, chosen, solved, .. } = fitted;
    let floor = ordered.len() as f64 * ordered.resolution() * ordered.resolution();
    let lack = lack_of_fit(samples, ordered, &chosen.division, solved);
    solved.rss <= floor || lack.is_some_and(|lack| lack.p_value >= NONE)
}

/// The chosen division along one axis.
fn along_one(fitted: &Fitted, axes: &[NamedAxis]) -> Tree {
    let own = fitted.axis.and_then(|own| axes.iter().position(|axis| axis.name == own.name));
    let Some(axis) = own else { return Tree::Region };
    let breaks = fitted.chosen.division.breaks.iter();
    let places: Vec<f64> = breaks.map(|&b| fitted.ordered.values()[b]).collect();
    Tree::along(axis, &places)
}
