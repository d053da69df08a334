//! Searches of data with thousands of points.

use std::borrow::Cow;
use std::collections::BTreeSet;

use cll_fit::Data;

use crate::division::{search, search_undivided};
use crate::options::Options;
use crate::result::{Search, SearchError};

/// Points of a search at most.
const MOST_POINTS: usize = 200;

/// The search of the data, or of a part of them if they have many points; a part is not divided.
///
/// # Errors
/// If nothing can be searched.
pub fn search_thinned(data: &Data, options: &Options) -> Result<Search, SearchError> {
    match thinned(data) {
        Cow::Borrowed(data) => search(data, options),
        Cow::Owned(data) => search_undivided(&data, options),
    }
}

/// The value of a variable that has only one in all data; such a variable may be left out of predictions.
pub fn only_value(data: &Data, variable: &str) -> Option<f64> {
    let index = data.variable(variable)?;
    let only = data.points.first()?.values[index];
    data.points.iter().all(|point| point.values[index] == only).then_some(only)
}

/// The data of a search: at most [`MOST_POINTS`] points, spread evenly over all in the order of their values, and for
/// each variable one with its smallest and one with its largest value. A function that is called with thousands of
/// different values says no more about its formula, and the time of a search grows with the points.
fn thinned(data: &Data) -> Cow<'_, Data> {
    let count = data.points.len();
    if count <= MOST_POINTS {
        return Cow::Borrowed(data);
    }
    let order = |a: &usize, b: &usize| {
        let (a, b) = (&data.points[*a].values, &data.points[*b].values);
        a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal)
    };
    let mut sorted: Vec<usize> = (0..count).collect();
    sorted.sort_by(order);
    let spread = (0..MOST_POINTS).map(|place| sorted[place * (count - 1) / (MOST_POINTS - 1)]);
    let mut kept: BTreeSet<usize> = spread.collect();
    for variable in 0..data.variables.len() {
        let value = |index: &usize| data.points[*index].values[variable];
        let by_value = |a: &usize, b: &usize| value(a).total_cmp(&value(b));
        kept.extend((0..count).min_by(by_value));
        kept.extend((0..count).max_by(by_value));
    }
    let mut thinned = data.clone();
    thinned.points = kept.into_iter().map(|index| data.points[index].clone()).collect();
    Cow::Owned(thinned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_fit::Point;

    #[test]
    fn thousands_of_points_are_thinned_but_not_at_the_ends() {
        let mut data = Data::new(vec!["n".to_owned(), "m".to_owned()]);
        data.points = (0..5000u32)
            .map(|k| Point::new(vec![f64::from(k % 100), f64::from(k / 100 * 7 % 50)], vec![1.0]))
            .collect();
        let few = thinned(&data);
        assert!((200..=204).contains(&few.points.len()), "{}", few.points.len());
        for (variable, last) in [(0, 99.0), (1, 49.0)] {
            let values: Vec<f64> = few.points.iter().map(|point| point.values[variable]).collect();
            assert!(values.contains(&0.0) && values.contains(&last), "{values:?}");
        }
        let distinct: BTreeSet<u64> =
            few.points.iter().map(|point| point.values[1].to_bits()).collect();
        assert!(distinct.len() > 20, "{}", distinct.len());
        data.points.truncate(200);
        assert_eq!(thinned(&data).points, data.points);
    }
}
