//! The points and predictions of a fit by series.

use std::collections::BTreeMap;

use cll_fit::{Fit, Residual};
use cll_result::PredictionView;

use super::choose::Along;
use super::{Marker, PlotPoint, Whiskers};
use crate::{Notation, escape};

/// The points of one series, and the values of the other variables that make it one.
#[derive(Default)]
pub(super) struct SeriesPoints {
    /// Values of the formula's variables; the one along x is whatever the first point had.
    pub(super) values: Vec<f64>,
    pub(super) points: Vec<PlotPoint>,
    pub(super) markers: Vec<Marker>,
}

/// Measured points by the values of the formula's variables that are not along x.
pub(super) fn groups(fit: &Fit, along: &Along, used: Option<usize>) -> Vec<SeriesPoints> {
    let places: Vec<Option<usize>> =
        fit.variables.iter().map(|v| fit.recorded.iter().position(|r| r == v)).collect();
    let mut groups: BTreeMap<Vec<Key>, SeriesPoints> = BTreeMap::new();
    for (k, residual) in fit.residuals.iter().enumerate() {
        let values: Option<Vec<f64>> =
            places.iter().map(|p| p.and_then(|p| residual.values.get(p).copied())).collect();
        let x = match along {
            Along::Recorded { recorded, .. } => residual.values.get(*recorded).copied(),
            Along::Order => Some(k as f64 + 1.0),
        };
        let (Some(values), Some(x)) = (values, x) else { continue };
        let Some(point) = point(residual, x) else { continue };
        let group = groups.entry(key(&values, used)).or_default();
        if group.points.is_empty() {
            group.values = values;
        }
        group.points.push(point);
    }
    groups.into_values().collect()
}

/// An `f64` in its total order.
#[derive(Clone, Copy, PartialEq)]
struct Key(f64);

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

fn key(values: &[f64], used: Option<usize>) -> Vec<Key> {
    let others = values.iter().enumerate().filter(|(k, _)| Some(*k) != used);
    others.map(|(_, v)| Key(v + 0.0)).collect()
}

/// The values that are not along x, by name.
pub(super) fn others(fit: &Fit, values: &[f64], used: Option<usize>) -> BTreeMap<String, f64> {
    let all = fit.variables.iter().zip(values).enumerate();
    all.filter(|(k, _)| Some(*k) != used).map(|(_, (name, v))| (name.clone(), *v)).collect()
}

fn point(residual: &Residual, x: f64) -> Option<PlotPoint> {
    let s = &residual.spread;
    let spread = Whiskers {
        count: s.count,
        minimum: s.minimum,
        lower_quartile: s.lower_quartile,
        upper_quartile: s.upper_quartile,
        maximum: s.maximum,
    };
    let numbers = [
        x,
        residual.measured,
        residual.fitted,
        residual.error,
        s.minimum,
        s.lower_quartile,
        s.upper_quartile,
        s.maximum,
    ];
    numbers.iter().all(|v| v.is_finite()).then_some(PlotPoint {
        x,
        y: residual.measured,
        spread,
        model: residual.fitted,
        error: residual.error,
        errors: (residual.error, residual.error),
        excluded: residual.excluded.is_some(),
        points: 1,
    })
}

/// Keeps the series with these values of other variables, and adds those that were not measured.
pub(super) fn only(
    fit: &Fit,
    given: &[(String, Vec<f64>)],
    used: Option<usize>,
    groups: &mut Vec<SeriesPoints>,
) {
    let given: Vec<(usize, &Vec<f64>)> = given
        .iter()
        .filter_map(|(name, values)| {
            let position = fit.variables.iter().position(|known| known == name)?;
            (Some(position) != used).then_some((position, values))
        })
        .collect();
    if given.is_empty() {
        return;
    }
    let mut wanted = vec![vec![f64::NAN; fit.variables.len()]];
    for (position, values) in &given {
        let with = |before: &Vec<f64>| {
            let mut tuples = vec![before.clone(); values.len()];
            tuples.iter_mut().zip(*values).for_each(|(tuple, value)| tuple[*position] = *value);
            tuples
        };
        wanted = wanted.iter().flat_map(with).collect();
    }
    let matches = |group: &SeriesPoints, tuple: &Vec<f64>| {
        given.iter().all(|(position, _)| group.values.get(*position) == tuple.get(*position))
    };
    let is_complete = given.len() + usize::from(used.is_some()) == fit.variables.len();
    let missing: Vec<Vec<f64>> = wanted
        .iter()
        .filter(|tuple| is_complete && !groups.iter().any(|group| matches(group, tuple)))
        .cloned()
        .collect();
    groups.retain(|group| wanted.iter().any(|tuple| matches(group, tuple)));
    groups.extend(
        missing.into_iter().map(|values| SeriesPoints { values, ..SeriesPoints::default() }),
    );
}

/// Adds the predictions to the series they belong to, or to new ones.
pub(super) fn predicted(
    fit: &Fit,
    predictions: &[PredictionView],
    used: Option<usize>,
    groups: &mut Vec<SeriesPoints>,
) {
    for view in predictions {
        let (Some(along), Ok(prediction)) = (used, &view.result) else { continue };
        let Some(&x) = view.at.get(along).filter(|_| view.at.len() == fit.variables.len()) else {
            continue;
        };
        let band = prediction.band.map(|b| (b.low, b.high));
        let numbers =
            [x, prediction.value].into_iter().chain(band.into_iter().flat_map(|b| [b.0, b.1]));
        if !numbers.into_iter().all(f64::is_finite) {
            continue;
        }
        let wanted = key(&view.at, used);
        let number = groups.iter().position(|g| key(&g.values, used) == wanted);
        let group = number.unwrap_or_else(|| {
            groups.push(SeriesPoints { values: view.at.clone(), ..SeriesPoints::default() });
            groups.len() - 1
        });
        let value = Notation::Unicode.quantity(prediction.value, &fit.unit);
        let place = format!("{} = {}", escape(&fit.variables[along]), Notation::Unicode.given(x));
        groups[group].markers.push(Marker {
            x,
            y: prediction.value,
            band,
            label: format!("{place}: {value}"),
            series: 0,
            beyond: prediction.domain.is_extrapolation(),
        });
    }
}

/// Those with predictions, and of the others the first, the last and some between; and how many of
/// them have points.
pub(super) fn chosen(groups: Vec<SeriesPoints>, most: usize) -> (Vec<SeriesPoints>, usize) {
    let total = groups.len();
    let marked = groups.iter().filter(|g| !g.markers.is_empty()).count();
    let room = most.saturating_sub(marked).max(usize::from(marked == 0));
    let others = total - marked;
    let keep = |k: usize| {
        if others <= room {
            return true;
        }
        // Evenly over the others, both ends among them.
        (0..room).any(|r| if room == 1 { k == 0 } else { r * (others - 1) / (room - 1) == k })
    };
    let (mut k, mut marks) = (0, 0);
    let groups: Vec<SeriesPoints> = groups
        .into_iter()
        .filter(|group| {
            if !group.markers.is_empty() {
                marks += 1;
                return marks <= most;
            }
            k += 1;
            keep(k - 1)
        })
        .collect();
    let measured = groups.iter().filter(|g| !g.points.is_empty()).count();
    (groups, measured)
}
