//! The ranking of experiments whose formulas were searched, by their share of the sum of all.

use cll_result::{ExperimentModel, HotSpot, ModelFile, Ranking, TotalTime};

use crate::predictions::At;

/// The unit of the experiments that are ranked.
const SECONDS: &str = "s";

/// Ranks the experiments of a model whose times were searched, at the first of the asked values, else at the largest
/// measured ones; `None` of fewer than two.
pub fn searched_ranking(model: &ModelFile, asked: &[At]) -> Option<Ranking> {
    let is_ranked = |one: &&ExperimentModel| one.search.is_some() && one.unit == SECONDS;
    let all: Vec<&ExperimentModel> = model.experiments.iter().filter(is_ranked).collect();
    if all.len() < 2 {
        return None;
    }
    let mut at: Vec<(String, f64)> = Vec::new();
    for one in &all {
        let new = one.variables.iter().filter(|name| !at.iter().any(|known| known.0 == **name));
        at.extend(new.cloned().map(|name| (name, f64::NAN)).collect::<Vec<_>>());
    }
    let given = asked.first().map_or(&[][..], At::values);
    let mut is_beyond = false;
    for (name, value) in &mut at {
        let measured: Vec<f64> = all.iter().flat_map(|one| measured_values(one, name)).collect();
        let least = measured.iter().copied().fold(f64::INFINITY, f64::min);
        let most = measured.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        *value = given.iter().find(|one| one.0 == *name).map_or(most, |one| one.1);
        is_beyond |= *value < least || *value > most;
    }
    let mut spots: Vec<HotSpot> = all.iter().filter_map(|one| spot(one, &at)).collect();
    let whole: f64 = spots.iter().map(|spot| spot.time.value).sum();
    for spot in &mut spots {
        spot.share = if whole > 0.0 { spot.time.value / whole } else { 0.0 };
    }
    spots.sort_by(|a, b| b.share.total_cmp(&a.share));
    (spots.len() > 1).then(|| Ranking {
        at,
        is_beyond,
        total: None,
        covered: None,
        spots,
        left_out: Vec::new(),
        not_reached: Vec::new(),
        of_experiments: true,
        markers: None,
        observable: None,
        unit: None,
    })
}

/// The values of a variable at the points of an experiment.
fn measured_values(one: &ExperimentModel, name: &str) -> Vec<f64> {
    let Some(fit) = &one.fit else { return Vec::new() };
    let Some(column) = fit.recorded.iter().position(|known| known == name) else {
        return Vec::new();
    };
    fit.residuals.iter().filter_map(|point| point.values.get(column).copied()).collect()
}

fn spot(one: &ExperimentModel, at: &[(String, f64)]) -> Option<HotSpot> {
    let search = one.search.as_ref()?;
    let best = search.candidates.first()?;
    let averaged = search.average.as_ref()?.ready().ok()?.predict(at).ok()?;
    let points = one.fit.iter().flat_map(|fit| &fit.residuals);
    let largest =
        points.max_by(|a, b| a.values.partial_cmp(&b.values).unwrap_or(std::cmp::Ordering::Equal));
    let ties = search.ties.iter().filter_map(|tie| search.candidates.get(tie.candidate));
    Some(HotSpot {
        name: one.name.clone(),
        place: one.places.first().cloned().unwrap_or_default(),
        share: 0.0,
        time: TotalTime {
            formula: Some(best.formula.clone()),
            constants: best.constants.clone(),
            ties: ties.map(|one| one.formula.clone()).collect(),
            value: averaged.value.max(0.0),
            low: averaged.low.max(0.0),
            high: averaged.high,
            why: None,
        },
        passages: 1.0,
        measured: largest.map_or(0.0, |point| point.measured),
    })
}
