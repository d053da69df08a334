//! Formulas that are searched, for data to which none is given, and given ones that are repaired.

use cll_fit::Data;
use cll_formula::{Formula, parse};
use cll_result::{AveragedPrediction, SearchModel, SuggestionModel, named};

use cll_campaign::Location;

/// A search of formulas.
#[derive(Clone, Debug, Default)]
pub struct SearchChoice {
    /// Options of the search.
    pub options: cll_search::Options,
    /// Values at which a prediction is averaged over all possible formulas.
    pub at: Vec<Location>,
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
    let search =
        cll_search::search_thinned(data, &choice.options).map_err(|error| error.to_string())?;
    let mut model = SearchModel::new(name, &search);
    let average = search.average(|variable| cll_search::only_value(data, variable));
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
