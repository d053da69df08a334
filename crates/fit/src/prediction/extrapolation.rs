//! The band of predictions far from the measured combinations. Data in which variables do not
//! change together do not show how these act together; the band allows for that.

use super::combinations::DistantPoint;
use crate::{Band, Fit};

/// Two values of a term that differ by less than this, relative, count as equal.
const SAME: f64 = 1e-12;

impl Fit {
    /// Widens a band so that it covers other ways to combine the variables, each with its own band
    /// of the same relative width.
    ///
    /// Let a and b be the formula's values at the points where one variable, or all others, have
    /// the requested values and the rest those of the nearest combination, and c its value at the
    /// nearest combination. Covered are the sum a + b - c and the product a b / c. If the variables
    /// change one at a time throughout the data, also the largest product term with non-negative
    /// constants: the smaller of both variables' parts of c may be one part that both multiply.
    pub(crate) fn extrapolation_band(
        &self,
        point: &[f64],
        value: f64,
        band: Band,
        far: Option<&DistantPoint>,
    ) -> Band {
        let Some(far) = far.filter(|_| value > 0.0) else { return band };
        let Some(places) = far.corners(point) else { return band };
        let positive_value =
            |place: &[f64]| self.formula_at(place).filter(|v| v.is_finite() && *v > 0.0);
        let [Some(a), Some(b), Some(c)] = places.each_ref().map(|place| positive_value(place))
        else {
            return band;
        };
        let mut others = vec![a + b - c, a * b / c];
        if far.one_at_a_time {
            others.extend(self.largest_product(point, &places));
        }
        let floor = if band.low >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
        let mut wide = band;
        for other in others.into_iter().filter(|other| other.is_finite()) {
            wide.low = wide.low.min(band.low * other / value).max(floor);
            wide.high = wide.high.max(band.high * other / value);
        }
        wide
    }

    fn largest_product(&self, point: &[f64], places: &[Vec<f64>; 3]) -> Option<f64> {
        let here = self.parts_at(point)?;
        let [first_terms, other, both] = places.each_ref().map(|place| self.terms_of(place));
        let constants = &self.intervals[self.interval_at(point)?].solution;
        let (mut rest, mut first, mut second) = (0.0, [0.0; 2], [0.0; 2]);
        for (k, constant) in constants.iter().enumerate() {
            let differs = |x: f64| (x - both[k]).abs() > SAME * x.abs().max(both[k].abs());
            match (differs(first_terms[k]), differs(other[k])) {
                (true, false) => add(&mut first, constant, both[k], first_terms[k]),
                (false, true) => add(&mut second, constant, both[k], other[k]),
                _ => rest += here[k],
            }
        }
        let shared = first[0].min(second[0]);
        if shared <= 0.0 {
            return None;
        }
        let (by_first, by_second) = (first[1] / first[0], second[1] / second[0]);
        let apart = (first[0] - shared) * by_first + (second[0] - shared) * by_second;
        Some(rest + shared + apart + shared * by_first * by_second)
    }
}

fn add(part: &mut [f64; 2], constant: &f64, near: f64, asked: f64) {
    part[0] += constant * near;
    part[1] += constant * asked;
}

impl DistantPoint {
    /// Three points: with one variable as requested, with the others as requested, and with all as
    /// at the nearest combination.
    fn corners(&self, point: &[f64]) -> Option<[Vec<f64>; 3]> {
        let (first, last) = (self.combinations.first()?, self.combinations.last()?);
        let (mut values, mut other, mut both) = (point.to_vec(), point.to_vec(), point.to_vec());
        match self.variables[..] {
            [i, j] => {
                // The first is nearest in i, so it gives the value of j there; the last gives the
                // value of i.
                (values[j], both[j]) = (first[j], first[j]);
                (other[i], both[i]) = (last[i], last[i]);
            }
            _ => {
                let off = |k: usize| {
                    if point[k] > 0.0 && first[k] > 0.0 {
                        (point[k] / first[k]).ln().abs()
                    } else {
                        (point[k] - first[k]).abs()
                    }
                };
                let all = self.variables.iter().copied();
                let farthest = all.max_by(|&a, &b| off(a).total_cmp(&off(b)))?;
                values[farthest] = first[farthest];
                both.clone_from(first);
                other.clone_from(first);
                other[farthest] = point[farthest];
            }
        }
        Some([values, other, both])
    }
}
