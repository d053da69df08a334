//! The ranking of experiments whose formulas were searched: by the time of a measured run, or, of tables, by their share
//! of the sum of all.

use std::cmp::Ordering;

use cll_fit::Residual;
use cll_result::{Estimate, ExperimentModel, HotSpot, ModelFile, Ranking, TotalTime};

use crate::Location;
use crate::data::DataSource;
use crate::parts::Part;
use crate::run_ranking::run_ranking;
use crate::searched_formula::{searched_formula, unranked};

/// The unit of the experiments of tables that are ranked.
const SECONDS: &str = "s";

/// Ranks the experiments of a model that were searched; `None` of fewer than two. Those of a program are ranked by their
/// time in a run that was measured: their variables belong to their functions. Those of tables are ranked at the
/// first of the asked values, else at the largest that were measured of all.
pub fn searched_ranking(
    model: &ModelFile,
    parts: &[Part],
    asked: &[Location],
    observable: Option<&str>,
) -> Option<Ranking> {
    let has_trace = parts.iter().any(|part| part.source.trace().is_some());
    match parts {
        [Part { source: DataSource::Trace(trace), .. }] => run_ranking(model, trace, observable),
        _ if has_trace => None,
        _ => table_ranking(model, asked),
    }
}

/// The ranking of experiments with common variables.
fn table_ranking(model: &ModelFile, asked: &[Location]) -> Option<Ranking> {
    let is_ranked = |model: &&ExperimentModel| model.search.is_some() && model.unit == SECONDS;
    let all: Vec<&ExperimentModel> = model.experiments.iter().filter(is_ranked).collect();
    let [first, others @ ..] = &all[..] else { return None };
    if others.is_empty() {
        return None;
    }
    let largest = largest_common(first, others);
    let given = asked.first().map(|given_point| given_point.values().to_vec());
    let target = given.or_else(|| largest.clone())?;
    let (location, times) = match (times(&all, &target), &largest) {
        (Some(times), _) => (target.clone(), times),
        (None, Some(largest)) => (largest.clone(), times(&all, largest)?),
        (None, None) => return None,
    };
    let whole: f64 = times.iter().map(|time| time.value).sum();
    let spot = |(model, time): (&&ExperimentModel, &Estimate)| {
        let predicted = predicted(model, &target).filter(|_| location != target);
        HotSpot {
            name: model.name.clone(),
            place: model.places.first().cloned().unwrap_or_default(),
            share: if whole > 0.0 { time.value / whole } else { 0.0 },
            time: TotalTime { estimate: Some(*time), predicted, ..searched_formula(model) },
            passages: 1.0,
            measured: points(model).max_by(|a, b| order(a, b)).map_or(0.0, |point| point.measured),
        }
    };
    let mut spots: Vec<HotSpot> = all.iter().zip(&times).map(spot).collect();
    spots.sort_by(|a, b| b.share.total_cmp(&a.share));
    Some(Ranking {
        is_beyond: location.iter().any(|(name, value)| is_beyond(&all, name, *value)),
        asked: if location == target { Vec::new() } else { target },
        at: location,
        of_experiments: true,
        spots,
        ..unranked()
    })
}

/// The times of all at these values; `None` if one of them has none.
fn times(all: &[&ExperimentModel], values: &[(String, f64)]) -> Option<Vec<Estimate>> {
    all.iter().map(|model| predicted(model, values).or_else(|| measured(model, values))).collect()
}

fn predicted(model: &ExperimentModel, values: &[(String, f64)]) -> Option<Estimate> {
    let average = model.search.as_ref()?.average.as_ref()?;
    let ready = average.ready().ok()?;
    let averaged = match &model.fit {
        Some(fit) => ready.predict_beside(fit, values),
        None => ready.predict(values),
    };
    let averaged = averaged.ok()?;
    Some(Estimate {
        value: averaged.value.max(0.0),
        low: averaged.low.max(0.0),
        high: averaged.high,
    })
}

fn measured(model: &ExperimentModel, values: &[(String, f64)]) -> Option<Estimate> {
    let point = points(model).find(|point| is_at(model, point, values))?;
    Some(Estimate { value: point.measured, low: point.measured, high: point.measured })
}

fn points(model: &ExperimentModel) -> impl Iterator<Item = &Residual> {
    model.fit.iter().flat_map(|fit| &fit.residuals)
}

fn order(a: &Residual, b: &Residual) -> Ordering {
    a.values.partial_cmp(&b.values).unwrap_or(Ordering::Equal)
}

/// The variables of an experiment.
fn recorded(model: &ExperimentModel) -> &[String] {
    model.fit.as_ref().map_or(&[], |fit| &fit.recorded)
}

/// Whether a point of an experiment has these values.
fn is_at(model: &ExperimentModel, point: &Residual, values: &[(String, f64)]) -> bool {
    let value = |name: &String| {
        let index = recorded(model).iter().position(|known| known == name)?;
        point.values.get(index).copied()
    };
    values.iter().all(|(name, known)| value(name) == Some(*known))
}

/// The largest values at which all experiments were measured.
fn largest_common(
    first: &ExperimentModel,
    others: &[&ExperimentModel],
) -> Option<Vec<(String, f64)>> {
    let named = |point: &Residual| -> Vec<(String, f64)> {
        recorded(first).iter().cloned().zip(point.values.iter().copied()).collect()
    };
    let has_same = |model: &&ExperimentModel| recorded(model).len() == recorded(first).len();
    let is_common = |values: &Vec<(String, f64)>| {
        let has = |model: &&ExperimentModel| points(model).any(|point| is_at(model, point, values));
        others.iter().all(has)
    };
    let mut known: Vec<&Residual> = points(first).collect();
    known.sort_by(|a, b| order(b, a));
    let mut known = known.into_iter().map(named).filter(|_| others.iter().all(has_same));
    known.find(is_common)
}

/// Whether a value is larger or smaller than all that were measured of some experiment.
fn is_beyond(all: &[&ExperimentModel], name: &str, value: f64) -> bool {
    all.iter().any(|model| {
        let Some(index) = recorded(model).iter().position(|known| known == name) else {
            return false;
        };
        let values = || points(model).filter_map(|point| point.values.get(index).copied());
        values().all(|known| known < value) || values().all(|known| known > value)
    })
}
