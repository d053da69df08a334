//! The formulas of searched experiments, as rankings have them.

use cll_result::{ExperimentModel, Ranking, TotalTime};

/// A ranking without regions.
pub(crate) fn unranked() -> Ranking {
    Ranking {
        at: Vec::new(),
        is_beyond: false,
        asked: Vec::new(),
        run: Vec::new(),
        observable: None,
        unit: None,
        total: None,
        covered: None,
        sum: None,
        spots: Vec::new(),
        left_out: Vec::new(),
        not_reached: Vec::new(),
        of_experiments: false,
        markers: None,
    }
}

/// The formula of an experiment, without a time.
pub(crate) fn searched_formula(model: &ExperimentModel) -> TotalTime {
    let search = model.search.as_ref();
    let best = search.and_then(|search| search.candidates.first());
    let ties = search.iter().flat_map(|search| {
        search.ties.iter().filter_map(|tie| search.candidates.get(tie.candidate))
    });
    TotalTime {
        formula: best.map(|best| best.formula.clone()),
        constants: fitted_constants(model)
            .or_else(|| best.map(|best| best.constants.clone()))
            .unwrap_or_default(),
        ties: ties.map(|candidate| candidate.formula.clone()).collect(),
        estimate: None,
        predicted: None,
        why: None,
    }
}

/// The constants of the fit of the searched formula, if they are the same everywhere.
fn fitted_constants(model: &ExperimentModel) -> Option<Vec<f64>> {
    let terms = model.search.as_ref()?.candidates.first()?.terms.len();
    let [interval] = &model.fit.as_ref()?.intervals[..] else { return None };
    let constants: Option<Vec<f64>> =
        interval.constants.iter().map(|constant| constant.value).collect();
    constants.filter(|constants| constants.len() == terms)
}
