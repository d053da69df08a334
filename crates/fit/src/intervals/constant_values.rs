//! The constants one by one, with their uncertainty and where they hold.

use cll_formula::Formula;

use super::chosen_division::Fitted;
use super::divisions::{Divisions, middle};
use crate::input::{constant_name, term_text};
use crate::numerics::{Component, quantile};
use crate::result::{bounds, union};
use crate::solve::{Sigma, ranges};
use crate::{Alternative, Bound, ConstantValues, Estimate, Options, Segment};

/// Gives the region of another division in which a region of the chosen one lies.
pub(crate) type RegionOfOther<'a> = dyn Fn(&Alternative, usize) -> usize + 'a;

/// The values that determine the uncertainty of a constant.
pub(crate) struct Uncertainty<'a> {
    /// Residual standard deviation over all intervals.
    pub(crate) all: Option<Sigma>,
    /// Residual standard deviation in each interval.
    pub(crate) each: &'a [Option<Sigma>],
    /// Share of the points that count as independent.
    pub(crate) independent: f64,
    /// Other divisions.
    pub(crate) alternatives: &'a [Alternative],
    /// `None` along one axis.
    pub(crate) region: Option<&'a RegionOfOther<'a>>,
}

/// Table 2 of the 2003 paper: for every constant its values and where they hold.
pub(crate) fn constant_values(
    fitted: &Fitted,
    formula: &Formula,
    options: &Options,
    divisions: &Divisions,
    known: &Uncertainty,
) -> Vec<ConstantValues> {
    let solved = &fitted.solved;
    // A constant is also undetermined if another one depends on it.
    let involved = |term: usize| {
        fitted
            .dependent
            .iter()
            .any(|(t, related)| *t == term || related.iter().any(|(other, _)| *other == term))
    };
    let bounds = bounds(&divisions.splits);
    let last = fitted.chosen.division.breaks.len();
    (0..formula.terms().len())
        .map(|term| {
            let name = constant_name(formula, term);
            let column = fitted.basis.iter().position(|&t| t == term).filter(|_| !involved(term));
            let groups = match column {
                None => vec![(0..=last).collect()],
                Some(column) => solved.segments.groups(column),
            };
            let segments = groups
                .into_iter()
                .map(|group| {
                    let mut estimate = Estimate {
                        constant: name.clone(),
                        value: None,
                        standard_error: None,
                        low: None,
                        high: None,
                    };
                    if let Some(column) = column {
                        let confidence = options.confidence;
                        let place = (term, column);
                        fill(&mut estimate, fitted, confidence, known, place, &group);
                    }
                    let (first, last) = (group[0], group[group.len() - 1]);
                    let boundaries = &divisions.boundaries;
                    let several = !divisions.splits.is_empty();
                    let places: Vec<Vec<Bound>> =
                        group.iter().filter_map(|&region| bounds.get(region).cloned()).collect();
                    Segment {
                        first_interval: first,
                        last_interval: last,
                        low: first.checked_sub(1).and_then(|b| boundaries.get(b)).map(|b| b.at),
                        high: boundaries.get(last).map(|b| b.at),
                        places: if several { union(&places) } else { Vec::new() },
                        regions: if several { group } else { Vec::new() },
                        estimate,
                    }
                })
                .collect();
            ConstantValues { constant: name, term: term_text(formula, term), segments }
        })
        .collect()
}

/// Fills in a constant's value in a group of intervals and its confidence interval: the estimate of
/// the chosen division, mixed with those of the other divisions in the middle of these intervals,
/// as for predictions.
fn fill(
    estimate: &mut Estimate,
    fitted: &Fitted,
    confidence: f64,
    known: &Uncertainty,
    (term, column): (usize, usize),
    group: &[usize],
) {
    let Fitted { solved, ordered, .. } = fitted;
    let (first, last) = (group[0], group[group.len() - 1]);
    let own = group.len() == 1 && solved.segments.intervals() > 1;
    let sigma = if own { known.each[first] } else { known.all };
    let parameter = solved.segments.parameter(column, first);
    let scale = ordered.scale()[column];
    let value = solved.solution.constants[parameter] / scale;
    estimate.value = Some(value);
    let place = parameter * solved.segments.parameters() + parameter;
    let unscaled = solved.inverse[place];
    // What is held at zero has no error, but an end that the data allow.
    let is_held = solved.solution.inverse[place] == 0.0;
    let Some(sigma) = sigma.filter(|_| unscaled > 0.0 && !is_held) else { return };
    let error = unscaled.sqrt() * sigma.value / scale;
    estimate.standard_error = Some(error);

    let wider = known.independent.sqrt().recip();
    let others: f64 = known.alternatives.iter().map(|a| a.weight).sum();
    let mut components = vec![Component {
        weight: (1.0 - others).max(0.0),
        value,
        scale: error * wider,
        dof: sigma.dof,
    }];
    let places: Vec<(usize, usize)> = ranges(ordered, &fitted.chosen.division).collect();
    let (from, to) = (places[first].0, places[last].1);
    for other in known.alternatives {
        let k = match known.region {
            Some(region) => region(other, first),
            None => {
                let centre = middle(ordered.values()[from], ordered.values()[to - 1]);
                other.boundaries.iter().take_while(|&&b| centre > b).count()
            }
        };
        let Some(row) = other.covariance[k].get(term) else { continue };
        components.push(Component {
            weight: other.weight,
            value: other.constants[k][term],
            scale: row[term].max(0.0).sqrt() * wider,
            dof: other.dof[k],
        });
    }
    let tail = 0.5 * (1.0 - confidence);
    // The interval contains the value even if the other divisions together weigh more.
    estimate.low = Some(quantile(&components, tail).min(value));
    estimate.high = Some(quantile(&components, 1.0 - tail).max(value));
}
