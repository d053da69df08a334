//! The sets ℵ of a formula's constants on another machine (2003 paper, section 2.1): the formula fitted to the times there,
//! with the boundaries of that machine.

use cll_fit::{Data, Fit, Intervals, Loss, Options, Outliers, Range, Widening, fit};

use super::Ranged;
use crate::error::CarryError;

/// Sizes in each octave at which times are computed.
const FINE: f64 = 12.0;
/// At least and at most so many sizes.
const SIZES: (usize, usize) = (40, 240);

/// A boundary there, and the range in which it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Break {
    pub(super) value: f64,
    pub(super) range: (f64, f64),
}

/// The boundaries of the model itself, if they lie along a variable.
pub(super) fn own(fit: &Fit) -> Option<(String, Vec<Break>)> {
    let axis = fit.axis.as_ref().filter(|axis| fit.variables.contains(axis))?;
    let break_of =
        |boundary: &cll_fit::Boundary| Break { value: boundary.at, range: boundary.plausible };
    Some((axis.clone(), fit.places().iter().map(break_of).collect()))
}

/// Fits the formula to the times at sizes over the measured range and at the points.
///
/// Sizes beyond the measured ones show where boundaries lie there; the range of the data remains that of the model.
///
/// With `breaks`, a variable and the boundaries along it, the intervals are these; boundaries outside of the sizes are left
/// out. Without, they are found in the times. Sizes within the range of a boundary belong to no interval.
pub(super) fn sets(
    model: &Fit,
    breaks: Option<(String, Vec<Break>)>,
    points: &[Vec<f64>],
    time: &dyn Fn(&[f64]) -> Result<Ranged, CarryError>,
) -> Result<Fit, CarryError> {
    let measured = measured(model)?;
    let mut sizes = match varied(model) {
        Some(variable) => grid(&measured, points, variable),
        None => measured.iter().chain(points).cloned().collect(),
    };
    sizes.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    sizes.dedup();
    let least = model.formula.terms().len() + 2;
    let along = breaks.as_ref().and_then(|pair| model.variables.iter().position(|v| *v == pair.0));
    let mut kept: Vec<Break> = Vec::new();
    if let (Some((_, all)), Some(variable)) = (&breaks, along) {
        kept = inside(all, &sizes, variable, least);
        sizes.retain(|values| !kept.iter().any(|size| is_within(size, values[variable])));
    }
    let (mut below, mut above) = (0.0f64, 0.0f64);
    let mut rows = Vec::new();
    for values in sizes {
        // Where the model has no number there is none to fit.
        let Ok(Ranged { value, low, high }) = time(&values) else { continue };
        if value > 0.0 {
            below = below.max(1.0 - low / value);
            above = above.max(high / value - 1.0);
            rows.push((values, value));
        }
    }
    let intervals = match &breaks {
        Some(_) if kept.is_empty() => Intervals::None,
        Some((variable, _)) => Intervals::ByHand {
            variable: variable.clone(),
            breaks: kept.iter().map(|edge| edge.value).collect(),
        },
        None => Intervals::dynamic(),
    };
    let options = Options {
        intervals,
        axis: None,
        non_negative: true,
        outliers: Outliers::Keep,
        loss: Loss::Squares,
        follow: false,
        ..model.options.clone()
    };
    let data = Data::from_rows(model.variables.clone(), rows).in_unit(model.unit.clone());
    let mut fit = fit(&model.formula, &data, &options).map_err(CarryError::Fit)?;
    // A cost that is at its limit of zero has no interval of its own: the times are computed, without noise.
    let of_intervals = fit.intervals.iter_mut().flat_map(|interval| &mut interval.constants);
    let segments = fit.constants.iter_mut().flat_map(|values| &mut values.segments);
    for estimate in of_intervals.chain(segments.map(|segment| &mut segment.estimate)) {
        if estimate.value == Some(0.0) {
            (estimate.low, estimate.high) = (Some(0.0), Some(0.0));
        }
    }
    for (boundary, edge) in fit.boundaries.iter_mut().zip(&kept) {
        boundary.plausible = edge.range;
    }
    let fit = within_data(fit, model);
    Ok(fit.widened(Widening { below, above, ..Widening::default() }))
}

/// The fit with the range of the model's data: what was computed beyond is no data.
fn within_data(mut fit: Fit, model: &Fit) -> Fit {
    for range in &mut fit.domain {
        let own = model.domain.iter().find(|own| own.variable == range.variable);
        if let Some(own) = own {
            range.clone_from(own);
        }
    }
    let places: Vec<Option<&Range>> = fit
        .recorded
        .iter()
        .map(|name| model.domain.iter().find(|range| range.variable == *name))
        .collect();
    fit.residuals.retain(|point| {
        let within = |(value, range): (&f64, &Option<&Range>)| {
            range.is_none_or(|range| range.low <= *value && *value <= range.high)
        };
        point.values.iter().zip(&places).all(within)
    });
    fit.quality.points =
        fit.residuals.iter().filter(|residual| residual.excluded.is_none()).count();
    fit
}

/// The measured points, in the order of the fit's variables.
fn measured(model: &Fit) -> Result<Vec<Vec<f64>>, CarryError> {
    let places =
        model.variables.iter().map(|v| model.recorded.iter().position(|variable| variable == v));
    let places: Option<Vec<usize>> = places.collect();
    let places = places.ok_or(CarryError::LackingVariable)?;
    let values_of =
        |residual: &cll_fit::Residual| places.iter().map(|place| residual.values[*place]).collect();
    Ok(model.residuals.iter().map(values_of).collect())
}

/// The variable with several values, if it is the only one.
fn varied(model: &Fit) -> Option<usize> {
    let mut varied = model.domain.iter().filter(|range| range.distinct > 1);
    let only = varied.next()?;
    match varied.next() {
        Some(_) => None,
        None => model.variables.iter().position(|name| *name == only.variable),
    }
}

/// Sizes from the smallest to the largest of the measured points and of those that are asked for.
fn grid(measured: &[Vec<f64>], points: &[Vec<f64>], variable: usize) -> Vec<Vec<f64>> {
    let all = || measured.iter().chain(points).map(|values| values[variable]);
    let (low, high) = (all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max));
    if low <= 0.0 || high <= low {
        return measured.iter().chain(points).cloned().collect();
    }
    let is_integral = measured.iter().all(|values| values[variable].fract() == 0.0);
    let number = (FINE * (high / low).log2()).ceil() as usize;
    let number = number.clamp(SIZES.0, SIZES.1);
    let size = |k: usize| {
        let value = low * (high / low).powf(k as f64 / (number - 1) as f64);
        let mut values = measured[0].clone();
        values[variable] = if is_integral { value.round() } else { value };
        values
    };
    (0..number).map(size).collect()
}

/// The boundaries that have enough sizes on both sides, each with its range within the sizes.
fn inside(all: &[Break], sizes: &[Vec<f64>], variable: usize, least: usize) -> Vec<Break> {
    let mut kept: Vec<Break> = Vec::new();
    let between = |low: f64, high: f64| {
        sizes.iter().filter(|values| values[variable] > low && values[variable] <= high).count()
    };
    for edge in all {
        let edge = match kept.last() {
            // Ranges do not overlap.
            Some(before) if edge.range.0 <= before.value => {
                Break { value: edge.value, range: (before.value, edge.range.1) }
            }
            _ => *edge,
        };
        let from = kept.last().map_or(f64::MIN, |before| before.range.1);
        if between(from, edge.range.0) >= least && between(edge.range.1, f64::MAX) >= least {
            kept.push(edge);
        }
    }
    kept
}

/// Whether a size is within the range of a boundary.
fn is_within(edge: &Break, value: f64) -> bool {
    value > edge.range.0 && value < edge.range.1
}
