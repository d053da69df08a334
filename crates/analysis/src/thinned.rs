//! Fewer points of data that have too many for a fit after a search: a function whose arguments depend on the data, such as that of
//! a recursive sort, has another tuple of values at almost every call.

use std::collections::BTreeMap;

use cll_fit::Data;

/// More points than this say hardly more about the constants of a formula that was searched.
pub(crate) const MAX_POINTS: usize = 400;
/// Points are chosen alike from so many parts of the range of sizes, of which each is a factor.
const PARTS: f64 = 64.0;

/// The points that were left out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Thinned {
    /// Points before.
    pub(crate) points: usize,
    /// The variable over whose sizes they were chosen evenly.
    pub(crate) variable: String,
}

/// Leaves at most [`MAX_POINTS`] points, alike from all parts of the range of the variable that varies most, and within
/// a part evenly over the order of recording. `None` if there are not more.
pub(crate) fn thin(data: &mut Data) -> Option<Thinned> {
    let points = data.points.len();
    if points <= MAX_POINTS {
        return None;
    }
    let (widest, low, high) = widest(data)?;
    let mut parts: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (index, point) in data.points.iter().enumerate() {
        let share = (scale(point.values[widest]) - low) / (high - low);
        parts.entry((PARTS * share) as i64).or_default().push(index);
    }
    // The parts with few points first: what they leave is for the others.
    let mut by_size: Vec<&Vec<usize>> = parts.values().collect();
    by_size.sort_by_key(|part| part.len());
    let (mut left, mut kept) = (MAX_POINTS, vec![false; points]);
    for (done, part) in by_size.iter().enumerate() {
        let count = part.len().min(left / (by_size.len() - done));
        left -= count;
        (0..count).for_each(|k| kept[part[k * part.len() / count]] = true);
    }
    let mut kept = kept.into_iter();
    data.points.retain(|_| kept.next() == Some(true));
    Some(Thinned { points, variable: data.variables[widest].clone() })
}

/// The variable that varies most, with its least and its largest value on the scale of [`scale`].
fn widest(data: &Data) -> Option<(usize, f64, f64)> {
    let range = |variable: usize| {
        let values = data.points.iter().map(|point| scale(point.values[variable]));
        let finite = values.filter(|value| value.is_finite());
        finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    (0..data.variables.len())
        .map(|variable| (variable, range(variable)))
        .filter(|(_, (low, high))| high > low)
        .max_by(|a, b| (a.1.1 - a.1.0).total_cmp(&(b.1.1 - b.1.0)))
        .map(|(variable, (low, high))| (variable, low, high))
}

/// A logarithm that small and negative numbers have, too.
fn scale(value: f64) -> f64 {
    value.asinh()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(rows: impl IntoIterator<Item = (Vec<f64>, f64)>) -> Data {
        Data::from_rows(vec!["start".to_owned(), "len".to_owned()], rows)
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let mut few = data((0..MAX_POINTS).map(|k| (vec![k as f64, 1.0], 1.0)));
        let before = few.clone();
        assert_eq!(thin(&mut few), None);
        assert_eq!(few, before);
    }

    #[test]
    fn rare_sizes_stay() {
        // Most calls are small, as in a recursive sort: len from 2 to 2^17, half of the calls at each level.
        let mut rows = Vec::new();
        for level in 0..17 {
            for call in 0..1u32 << level {
                let len = f64::from(1u32 << (17 - level));
                rows.push((vec![f64::from(call), len + f64::from(call % 2)], 1e-9 * len));
            }
        }
        let mut many = data(rows);
        let all = many.points.len();
        let thinned = thin(&mut many).expect("there are too many");
        assert_eq!((thinned.points, thinned.variable.as_str()), (all, "start"));
        assert!(many.points.len() <= MAX_POINTS && many.points.len() > MAX_POINTS * 9 / 10);
        // In the order of recording, and the first of the large ones among them.
        let largest = many.points.iter().map(|point| point.values[1]).fold(0.0, f64::max);
        assert_eq!(largest, f64::from(1u32 << 17));
    }

    #[test]
    fn what_cannot_be_ordered_does_no_harm() {
        let mut odd = data((0..2 * MAX_POINTS).map(|k| {
            let values = [f64::NAN, -1.0, 0.0, f64::INFINITY, 1e300][k % 5];
            (vec![values, k as f64], 1.0)
        }));
        let thinned = thin(&mut odd).expect("there are too many");
        assert!(thinned.points > MAX_POINTS && odd.points.len() <= MAX_POINTS);
        assert!(!odd.points.is_empty());
        let mut alike = data((0..2 * MAX_POINTS).map(|_| (vec![f64::NAN, f64::NAN], 1.0)));
        alike.points = vec![alike.points[0].clone(); 2 * MAX_POINTS];
        assert_eq!(thin(&mut alike), None);
    }
}
