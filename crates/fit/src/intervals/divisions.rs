//! The boundaries of a fit, and the other divisions that the data allow.

use super::alternatives::{Other, weigh};
use super::bootstrap::disturbed;
use super::chosen_division::Fitted;
use crate::input::{NamedAxis, Samples};
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

/// The boundaries between the intervals along the axis, and other divisions that the data allow.
pub(crate) fn divisions_along_axis(fitted: &Fitted, context: &Context) -> Divisions {
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

/// Another division with its constants, without its places.
pub(crate) fn alternative(
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

/// The boundary within a gap: its geometric mean if both sides are positive, else its midpoint.
pub(crate) fn middle(left: f64, right: f64) -> f64 {
    if left > 0.0 { left * (right / left).sqrt() } else { left + 0.5 * (right - left) }
}
