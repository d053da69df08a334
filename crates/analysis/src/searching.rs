//! Formulas that are searched, for data to which none is given, and given ones that are repaired.

use std::borrow::Cow;
use std::collections::BTreeSet;

use cll_fit::Data;
use cll_formula::{Formula, parse};
use cll_result::{AveragedPrediction, SearchModel, SuggestionModel, named};

use super::predictions::At;

/// Points of a search at most.
const MOST_POINTS: usize = 200;

/// A search of formulas.
#[derive(Clone, Debug, Default)]
pub struct SearchChoice {
    /// Options of the search.
    pub options: cll_search::Options,
    /// Values at which a prediction is averaged over all possible formulas.
    pub at: Vec<At>,
}

/// The most probable formula of the experiment `name`, and what the search found.
///
/// # Errors
/// Why nothing can be searched, as text.
pub(crate) fn searched(
    name: &str,
    data: &Data,
    choice: &SearchChoice,
) -> Result<(Formula, SearchModel), String> {
    if data.variables.is_empty() {
        return Err(format!(
            "it saves no variable on which its time could depend: `#pragma cll {name} uses(N) auto` names one"
        ));
    }
    let searched = thinned(data);
    let result = match searched {
        Cow::Borrowed(data) => cll_search::search(data, &choice.options),
        Cow::Owned(data) => cll_search::search_undivided(&data, &choice.options),
    };
    let search = result.map_err(|error| error.to_string())?;
    let mut model = SearchModel::new(name, &search);
    // Variables that had one value in all data may be left out.
    let only = |variable: &str| {
        let index = data.variable(variable)?;
        let only = data.points.first()?.values[index];
        data.points.iter().all(|point| point.values[index] == only).then_some(only)
    };
    let average = search.average(only);
    if let Ok(ready) = average.ready() {
        model.predictions.extend(choice.at.iter().filter_map(|location| {
            let averaged = ready.predict(location.values()).ok()?;
            Some(AveragedPrediction::new(location.values().to_vec(), &averaged))
        }));
    }
    model.average = Some(average);
    let best = named(&search.candidates[0].formula, name);
    let formula = parse(name, &best).formula;
    formula
        .map(|formula| (formula, model))
        .ok_or_else(|| format!("the formula {best} cannot be read"))
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

/// Suggests a formula in place of a given one.
///
/// # Errors
/// If nothing can be suggested: the reason, as text.
pub(crate) fn suggested(
    data: &Data,
    formula: &Formula,
    options: &cll_search::Options,
) -> Result<SuggestionModel, String> {
    let suggestion =
        cll_search::suggest(data, formula, options).map_err(|error| error.to_string())?;
    Ok(SuggestionModel::new(&suggestion))
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
