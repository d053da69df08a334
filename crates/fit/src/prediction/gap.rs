//! The value in the gap between two intervals. Nothing was measured there: it follows the two laws
//! to where they cross, and else stays within the range of its neighbours.

use crate::input::Axis;
use crate::levels::{Along, owners};
use crate::{Fit, Intervals, LevelChange};

/// Halvings until a crossing is found.
const HALVINGS: usize = 50;
/// Steps until a place on an axis is found: an axis that is a product of powers needs two.
const STEPS: usize = 20;

/// A gap along an axis, and the constants that hold on its two sides.
pub(crate) struct Gap<'a> {
    pub(crate) axis: &'a str,
    /// The last measured value on the left, and the first on the right.
    pub(crate) ends: (f64, f64),
    /// The left and the right constants.
    pub(crate) laws: (&'a [f64], &'a [f64]),
    /// The boundary if the laws do not cross in the gap.
    pub(crate) boundary: f64,
}

/// A value within a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bridged {
    /// Whether the right law holds.
    pub(crate) right: bool,
    pub(crate) value: f64,
    pub(crate) range: Range,
}

/// The range that values in a gap do not leave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    low: f64,
    high: f64,
}

impl Range {
    /// The least range with all of some values.
    fn spanning(values: impl Iterator<Item = f64>) -> Range {
        let start = Range { low: f64::INFINITY, high: f64::NEG_INFINITY };
        values.fold(start, |range, value| Range {
            low: range.low.min(value),
            high: range.high.max(value),
        })
    }

    /// The nearest value in the range.
    pub(crate) fn within(&self, value: f64) -> f64 {
        value.max(self.low).min(self.high)
    }
}

/// A point between two neighbouring measured values of an axis along which constants change.
pub(crate) struct BesideChanges<'a> {
    along: Along<'a>,
    /// The point, and the same with each of the two values of the axis.
    points: [Vec<f64>; 3],
}

impl BesideChanges<'_> {
    /// A value at the point, moved into the range of the values at both sides. That some constants have changed while
    /// others have not was not measured, nor what holds with those of one side at the other; only where the formula itself
    /// turns between the two, with the constants of one side, values go beyond.
    pub(crate) fn within(&self, changes: &[Vec<LevelChange>], levels: &[f64], value: f64) -> f64 {
        if changes.iter().all(Vec::is_empty) {
            return value;
        }
        let owners = owners(changes);
        // What each term adds at a side.
        let parts = |side: usize| {
            let mut parts = vec![0.0; changes.len()];
            let columns = self.along.columns(changes, &self.points[side]);
            for ((owner, column), level) in owners.iter().zip(columns).zip(levels) {
                parts[*owner] += column * level;
            }
            parts
        };
        let sides = [parts(1), parts(2)];
        let mut range = Range::spanning(sides.iter().map(|parts| parts.iter().sum()));
        if range.within(value) == value {
            return value;
        }
        let terms = self.points.each_ref().map(|point| self.along.terms(point));
        for (parts, own) in sides.iter().zip(&terms[1..]) {
            // A term that is 0 there has no constant there.
            let constant =
                |(part, term): (&f64, &f64)| if *term == 0.0 { 0.0 } else { part / term };
            let constants: Vec<f64> = parts.iter().zip(own).map(constant).collect();
            let [here, first, last] = terms.each_ref().map(|terms| -> f64 {
                terms.iter().zip(&constants).map(|(term, constant)| term * constant).sum()
            });
            if here < first.min(last) || here > first.max(last) {
                range = Range { low: range.low.min(here), high: range.high.max(here) };
            }
        }
        range.within(value)
    }
}

impl Fit {
    /// The value at a point whose axis lies within a gap. `None` if the ends of the gap cannot be
    /// reached, or have no value.
    pub(crate) fn bridged(&self, point: &[f64], gap: &Gap) -> Option<Bridged> {
        let axis = Axis::parse(gap.axis, &self.variables).ok()?;
        let law = |constants: &[f64], place: f64| {
            let terms = self.terms_of(&moved(&axis, point, place)?);
            let value: f64 = terms.iter().zip(constants).map(|(t, c)| t * c).sum();
            value.is_finite().then_some(value)
        };
        let (left, right) = gap.laws;
        let (first, last) = gap.ends;
        let ends = (law(left, first)?, law(right, last)?);
        let above = |place: f64| Some(law(right, place)? > law(left, place)?);
        let given = matches!(self.options.intervals, Intervals::ByHand { .. });
        let crossing = if given { None } else { crossing(&above, gap.ends) };
        let here = axis.value(point);
        let right_holds = here > crossing.unwrap_or(gap.boundary);
        let (mut low, mut high) = (ends.0.min(ends.1), ends.0.max(ends.1));
        if let Some(turn) = crossing.and_then(|place| law(left, place))
            && self.turns(&axis, gap, ends, turn)
        {
            (low, high) = (low.min(turn), high.max(turn));
        }
        let value = law(if right_holds { right } else { left }, here)?;
        let range = Range { low, high };
        Some(Bridged { right: right_holds, value: range.within(value), range })
    }

    /// The measured values next to a point on an axis along which constants change. `None` if none changes, or if the
    /// point was measured or is beyond the data.
    pub(crate) fn beside_changes(&self, point: &[f64]) -> Option<BesideChanges<'_>> {
        let is_changing = |changes: &[Vec<LevelChange>]| !changes.iter().all(Vec::is_empty);
        if !is_changing(&self.changes) && !self.alternatives.iter().any(|a| is_changing(&a.changes))
        {
            return None;
        }
        let axis = Axis::parse(self.axis.as_ref()?, &self.variables).ok()?;
        let (left, right) = self.neighbours(axis.value(point))?;
        let points = [point.to_vec(), moved(&axis, point, left)?, moved(&axis, point, right)?];
        Some(BesideChanges { along: Along { formula: &self.formula, axis }, points })
    }

    /// Whether the measured values themselves turn in the gap, towards a value beyond both ends: they
    /// approach it on both sides, as the laws do. Seen in data of one variable.
    fn turns(&self, axis: &Axis, gap: &Gap, ends: (f64, f64), turn: f64) -> bool {
        let ([_], Axis::Variable(_)) = (&self.variables[..], axis) else { return false };
        let measured = self.measured_along_axis();
        let Some(left) = measured.iter().rposition(|(place, _)| *place <= gap.ends.0) else {
            return false;
        };
        let (Some(before), Some(after)) = (left.checked_sub(1), measured.get(left + 2)) else {
            return false;
        };
        let (before, from, to) = (measured[before], measured[left], measured[left + 1]);
        let law = |constants: &[f64], place: f64| -> f64 {
            self.terms_of(&[place]).iter().zip(constants).map(|(t, c)| t * c).sum()
        };
        let approaches = |far: f64, near: f64, goal: f64| (near - far) * (goal - near) > 0.0;
        approaches(before.1, from.1, turn)
            && approaches(after.1, to.1, turn)
            && approaches(law(gap.laws.0, before.0), ends.0, turn)
            && approaches(law(gap.laws.1, after.0), ends.1, turn)
    }

    /// The measured values of the used points, ascending along the axis.
    fn measured_along_axis(&self) -> Vec<(f64, f64)> {
        let used = self.residuals.iter().filter(|r| r.excluded.is_none());
        used.filter_map(|r| Some((r.axis?, r.measured))).collect()
    }

    /// The neighbouring measured values of the axis between which a value lies.
    pub(crate) fn neighbours(&self, value: f64) -> Option<(f64, f64)> {
        let used = || self.residuals.iter().filter(|r| r.excluded.is_none());
        let places = || used().filter_map(|r| r.axis);
        let low = places().filter(|place| *place <= value).reduce(f64::max)?;
        let high = places().filter(|place| *place >= value).reduce(f64::min)?;
        (low < value && value < high).then_some((low, high))
    }
}

/// Where `above` changes between two ends.
fn crossing(above: &dyn Fn(f64) -> Option<bool>, (low, high): (f64, f64)) -> Option<f64> {
    let first = above(low)?;
    if above(high)? == first {
        return None;
    }
    let (mut from, mut to) = (low, high);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (from + to);
        if above(middle)? == first { from = middle } else { to = middle }
    }
    Some(0.5 * (from + to))
}

/// The point with one variable changed so that the axis has this value.
fn moved(axis: &Axis, point: &[f64], value: f64) -> Option<Vec<f64>> {
    let mut place = point.to_vec();
    if let Axis::Variable(column) = axis {
        place[*column] = value;
        return Some(place);
    }
    let close = |candidate: f64| (candidate - value).abs() <= 1e-9 * value.abs();
    for &column in axis.columns() {
        place.copy_from_slice(point);
        let mut exponent = None;
        for _ in 0..STEPS {
            let here = axis.value(&place);
            if close(here) {
                return Some(place);
            }
            let start = place[column];
            place[column] = start * (1.0 + 1e-6);
            let slope = (axis.value(&place) / here).ln() / 1e-6f64.ln_1p();
            exponent = Some(slope).filter(|slope| slope.is_finite() && slope.abs() > 1e-3);
            let Some(exponent) = exponent else { break };
            place[column] = start * (value / here).powf(exponent.recip());
            if !place[column].is_finite() {
                break;
            }
        }
        if exponent.is_some() && close(axis.value(&place)) {
            return Some(place);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Data, Options, fit};

    /// Three repetitions of a function of N, 0.1 % apart.
    fn fitted(formula: &str, sizes: &[f64], truth: impl Fn(f64) -> f64) -> Fit {
        let rows = sizes
            .iter()
            .flat_map(|&n| [0.999, 1.0, 1.001].map(|factor| (vec![n], truth(n) * factor)));
        let data = Data::from_rows(vec!["N".into()], rows.collect::<Vec<_>>());
        let formula = cll_formula::parse("f", formula).formula.unwrap();
        fit(&formula, &data, &Options { follow: false, ..Intervals::dynamic().into() }).unwrap()
    }

    fn geometric(first: f64, factor: f64, count: i32) -> Vec<f64> {
        (0..count).map(|k| (first * factor.powi(k)).round()).collect()
    }

    #[test]
    fn laws_are_followed_to_where_they_cross() {
        let truth = |n: f64| if n < 520.0 { 3.0 * n } else { 1560.0 + 80.0 * (n - 520.0) };
        let fit = fitted("f[0] + f[1]*N", &geometric(50.0, 1.25, 26), truth);
        let boundary = &fit.boundaries[0];
        assert!(boundary.last_left < 520.0 && boundary.first_right > 520.0, "{boundary:?}");
        for n in [boundary.last_left + 1.0, 515.0, 520.0, 530.0, boundary.first_right - 1.0] {
            let prediction = fit.predict(&[n]).unwrap();
            let (expected, band) = (truth(n), prediction.band.unwrap());
            assert!(
                (prediction.value / expected - 1.0).abs() < 0.05,
                "{n}: {} {expected}",
                prediction.value
            );
            assert!(band.low <= prediction.value && prediction.value <= band.high);
        }
    }

    #[test]
    fn a_valley_between_two_points_is_kept() {
        let truth = |n: f64| 50.0 + (n - 1000.0).abs();
        let sizes: Vec<f64> = (0..24).map(|k| 60.0 + 80.0 * f64::from(k)).collect();
        let fit = fitted("f[0] + f[1]*N", &sizes, truth);
        assert_eq!(fit.boundaries.len(), 1);
        let value = fit.predict(&[1000.0]).unwrap().value;
        assert!((value - 50.0).abs() < 15.0, "{value}");
    }

    #[test]
    fn a_jump_stays_within_its_neighbours() {
        let truth = |n: f64| if n < 300.0 { 10.0 * n } else { n };
        let fit = fitted("f[0]*N", &geometric(16.0, 2.0, 12), truth);
        let boundary = &fit.boundaries[0];
        let (left, right) = (truth(boundary.last_left), truth(boundary.first_right));
        for k in 1..100 {
            let n = boundary.last_left
                + 0.01 * f64::from(k) * (boundary.first_right - boundary.last_left);
            let prediction = fit.predict(&[n]).unwrap();
            let (low, high) = (0.99 * left.min(right), 1.01 * left.max(right));
            assert!(
                low <= prediction.value && prediction.value <= high,
                "{n}: {}",
                prediction.value
            );
            let band = prediction.band.unwrap();
            assert!(band.low <= prediction.value && prediction.value <= band.high, "{n}: {band:?}");
        }
    }

    #[test]
    fn places_on_axes_of_several_variables() {
        let names = ["N".to_owned(), "P".to_owned()];
        for (axis, value) in [("N/P", 70.0), ("8*N*N", 5e5), ("N*log2(N)/P", 900.0)] {
            let axis = Axis::parse(axis, &names).unwrap();
            let place = moved(&axis, &[100.0, 4.0], value).unwrap();
            assert!((axis.value(&place) / value - 1.0).abs() < 1e-8, "{place:?}");
            assert_eq!(place[1], 4.0);
        }
    }
}
