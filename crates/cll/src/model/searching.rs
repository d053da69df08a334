//! Formulas that are searched, for data to which none is given.

use cll_fit::Data;
use cll_formula::{Formula, parse};
use cll_result::{AveragedPrediction, SearchModel, named};

use super::predictions::At;

/// A search of formulas.
#[derive(Debug, Default)]
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
    for at in &choice.at {
        // Variables that had one value in all data may be left out.
        let value = |variable: &String| {
            let given = at.values().iter().find(|(name, _)| name == variable);
            let index = data.variable(variable)?;
            let only = data.points.first().map(|point| point.values[index]);
            let only = only.filter(|only| data.points.iter().all(|p| p.values[index] == *only));
            given.map(|(_, value)| *value).or(only)
        };
        let values: Option<Vec<f64>> = found.variables.iter().map(value).collect();
        let averaged = values.as_deref().and_then(|values| found.predict(values));
        model
            .predictions
            .extend(averaged.map(|one| AveragedPrediction::new(at.values().to_vec(), &one)));
    }
    let best = named(&found.candidates[0].formula, name);
    let formula = parse(name, &best).formula;
    formula
        .map(|formula| (formula, model))
        .ok_or_else(|| format!("the formula {best} cannot be read"))
}
