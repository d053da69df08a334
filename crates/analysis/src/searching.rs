//! Formulas that are searched, for data to which none is given, and given ones that are repaired.

use cll_fit::Data;
use cll_formula::{Formula, parse};
use cll_result::{AveragedPrediction, SearchModel, SuggestionModel, named};

use super::predictions::At;

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
pub fn searched(
    name: &str,
    data: &Data,
    choice: &SearchChoice,
) -> Result<(Formula, SearchModel), String> {
    if data.variables.is_empty() {
        return Err(format!(
            "it saves no variable on which its time could depend: `#pragma cll {name} uses(N) auto` names one"
        ));
    }
    let found = cll_search::search(data, &choice.options).map_err(|error| error.to_string())?;
    let mut model = SearchModel::new(name, &found);
    // Variables that had one value in all data may be left out.
    let only = |variable: &str| {
        let index = data.variable(variable)?;
        let only = data.points.first()?.values[index];
        data.points.iter().all(|point| point.values[index] == only).then_some(only)
    };
    let average = found.average(only);
    if let Ok(ready) = average.ready() {
        model.predictions.extend(choice.at.iter().filter_map(|at| {
            let averaged = ready.predict(at.values()).ok()?;
            Some(AveragedPrediction::new(at.values().to_vec(), &averaged))
        }));
    }
    model.average = Some(average);
    let best = named(&found.candidates[0].formula, name);
    let formula = parse(name, &best).formula;
    formula
        .map(|formula| (formula, model))
        .ok_or_else(|| format!("the formula {best} cannot be read"))
}

/// What is suggested in place of a given formula.
///
/// # Errors
/// Why nothing can be suggested, as text.
pub fn suggested(
    data: &Data,
    formula: &Formula,
    options: &cll_search::Options,
) -> Result<SuggestionModel, String> {
    let found = cll_search::suggest(data, formula, options).map_err(|error| error.to_string())?;
    Ok(SuggestionModel::new(&found))
}
