//! The ranking of a program's functions and loops by their predicted share of its time.

use std::collections::BTreeMap;

use cll_fit::{Data, Point, Unit};
use cll_result::{HotSpot, MarkerCost, NotMeasured, Ranking, TotalTime, named};
use cll_samples::{Prepared, Total, totals};

use crate::At;

mod powers_of_two;
#[cfg(test)]
mod tests;

pub use powers_of_two::{PowersOfTwo, powers_of_two};

/// A run: the values of its variables, and the seconds that it took.
#[derive(Clone, Debug)]
pub struct RankedRun {
    /// One value for each variable.
    pub values: Vec<f64>,
    /// Its wall time, seconds.
    pub wall: Option<f64>,
}

/// What a ranking is made of.
pub struct RankingInput<'a> {
    /// The samples, complete.
    pub trace: &'a Prepared,
    /// The runs by their number in the trace.
    pub runs: &'a BTreeMap<u32, RankedRun>,
    /// The variables of the runs.
    pub variables: &'a [String],
    /// The size for which it is made; `None`: the largest measured one.
    pub target: Option<&'a At>,
    /// How formulas are searched.
    pub options: &'a cll_search::Options,
    /// The experiments that no pragma names, with their places.
    pub regions: &'a [(String, String)],
    /// What is not measured.
    pub left_out: Vec<NotMeasured>,
    /// What is ranked; `None`: the time.
    pub observable: Option<&'a str>,
    /// The seconds of the markers of one passage, and whether they were measured.
    pub marker: (f64, bool),
}

/// The name of the whole program's experiment.
pub const MAIN: &str = "main";

/// If the best formula is off by more than this at half of the sizes, the time grows in another way than any that is
/// searched, such as exponentially: what was measured says more.
const MAX_MISS: f64 = 0.4;

/// Median over the sizes of how far the best formula is off the median measured there, as a share of it.
fn miss(data: &Data, found: &cll_search::Search) -> Option<f64> {
    if !found.divisions.is_empty() {
        // Its constants are those of the last part.
        return None;
    }
    let off = data.points.iter().filter_map(|point| {
        let seen = cll_statistics::median(point.observations.iter().copied())?;
        let values: Option<Vec<f64>> = found
            .variables
            .iter()
            .map(|name| data.variable(name).and_then(|index| point.values.get(index)).copied())
            .collect();
        let predicted = found.predict(&values?)?.best;
        (seen > 0.0).then(|| (predicted / seen - 1.0).abs())
    });
    cll_statistics::median(off.collect::<Vec<f64>>())
}

/// Ranks the regions.
pub fn ranking(input: &RankingInput<'_>) -> Ranking {
    let of_name: BTreeMap<&str, BTreeMap<u32, Total>> = input
        .trace
        .experiments
        .iter()
        .map(|one| (one.name.as_str(), totals(input.trace, one, input.observable)))
        .collect();
    let at = input.target_values();
    let values: Vec<f64> = at.iter().map(|(_, value)| *value).collect();
    let largest = input.largest();
    let mut spots = Vec::new();
    let mut not_reached = Vec::new();
    let places: BTreeMap<&str, &str> =
        input.regions.iter().map(|(name, place)| (name.as_str(), place.as_str())).collect();
    for one in &input.trace.experiments {
        let name = one.name.as_str();
        let found = of_name.get(name).filter(|found| !found.is_empty());
        let Some(found) = found else {
            if places.contains_key(name) {
                not_reached.push(name.to_owned());
            }
            continue;
        };
        let exclusive = found.iter().map(|(run, total)| (*run, total.exclusive));
        let time = input.estimate(name, exclusive.collect(), &values);
        let there = |run: &&u32| input.runs.get(run).is_some_and(|run| run.values == largest);
        let there: Vec<&Total> = found.keys().filter(there).map(|run| &found[run]).collect();
        let mean = |of: &dyn Fn(&Total) -> f64| {
            there.iter().map(|total| of(total)).sum::<f64>() / there.len().max(1) as f64
        };
        let own = one.places.first().map(ToString::to_string).unwrap_or_default();
        spots.push(HotSpot {
            name: name.to_owned(),
            place: places.get(name).map_or(own, |place| (*place).to_owned()),
            share: 0.0,
            time,
            passages: mean(&|total| total.passages as f64),
            measured: mean(&|total| total.exclusive),
        });
    }
    let whole = of_name.get(MAIN).filter(|found| !found.is_empty() && places.contains_key(MAIN));
    let walls = || -> BTreeMap<u32, f64> {
        input.runs.iter().filter_map(|(run, one)| Some((*run, one.wall?))).collect()
    };
    let whole: BTreeMap<u32, f64> = match whole {
        Some(found) => found.iter().map(|(run, total)| (*run, total.inclusive)).collect(),
        None if input.observable.is_some() => BTreeMap::new(),
        None => walls(),
    };
    let unit = input.unit();
    // What markers cost is a share of a time.
    let markers = if unit.is_some() {
        None
    } else if whole.is_empty() {
        input.markers(&of_name, &walls(), &largest)
    } else {
        input.markers(&of_name, &whole, &largest)
    };
    let total = (!whole.is_empty()).then(|| input.estimate(MAIN, whole, &values));
    let all: f64 = spots.iter().map(|spot| spot.time.value).sum();
    // Where `main` is measured the regions are all of the program, and the formula of their sum may be another.
    let is_all =
        places.contains_key(MAIN) && of_name.get(MAIN).is_some_and(|found| !found.is_empty());
    let of = total.as_ref().filter(|_| !is_all).map_or(all, |total| total.value.max(all));
    for spot in &mut spots {
        spot.share = spot.time.value / of;
    }
    spots.sort_by(|a, b| b.share.total_cmp(&a.share));
    let covered = total
        .as_ref()
        .map(|_| spots.iter().filter(|spot| spot.name != MAIN).map(|spot| spot.share).sum::<f64>());
    Ranking {
        is_beyond: input.is_beyond(&values),
        at,
        observable: input.observable.map(str::to_owned),
        unit,
        markers,
        total,
        covered,
        spots,
        left_out: input.left_out.clone(),
        not_reached,
        of_experiments: false,
    }
}

impl RankingInput<'_> {
    /// The largest values that were measured together.
    fn largest(&self) -> Vec<f64> {
        let all = self.runs.values().map(|run| run.values.clone());
        all.max_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal)).unwrap_or_default()
    }

    /// The unit of what is ranked; `None`: seconds.
    fn unit(&self) -> Option<String> {
        let observable = self.observable?;
        let all = self.trace.experiments.iter().flat_map(|one| &one.observables);
        let unit = all.into_iter().find(|one| one.name == observable).map(|one| one.unit.clone());
        unit.filter(|unit| unit != "s")
    }

    /// What is ranked, by the values of the runs: rows of (values, number).
    fn data(
        &self,
        variables: Vec<String>,
        rows: impl IntoIterator<Item = (Vec<f64>, f64)>,
    ) -> Data {
        Data::from_rows(variables, rows).in_unit(self.unit().map_or(Unit::Seconds, Unit::Other))
    }

    /// The share of the markers in the runs of the largest values.
    fn markers(
        &self,
        totals: &BTreeMap<&str, BTreeMap<u32, Total>>,
        whole: &BTreeMap<u32, f64>,
        largest: &[f64],
    ) -> Option<MarkerCost> {
        let runs = whole.iter().filter(|(run, seconds)| {
            **seconds > 0.0 && self.runs.get(run).is_some_and(|run| run.values == largest)
        });
        let runs: Vec<(u32, f64)> = runs.map(|(run, seconds)| (*run, *seconds)).collect();
        let seconds: f64 = runs.iter().map(|(_, seconds)| seconds).sum();
        let passages = |run: &u32| -> u64 {
            totals.values().filter_map(|found| found.get(run)).map(|one| one.passages).sum()
        };
        let passages: u64 = runs.iter().map(|(run, _)| passages(run)).sum();
        let (each, is_measured) = self.marker;
        let at = self.variables.iter().cloned().zip(largest.iter().copied()).collect();
        (seconds > 0.0).then(|| MarkerCost {
            each,
            is_measured,
            passages: passages as f64 / runs.len() as f64,
            share: passages as f64 * each / seconds,
            at,
        })
    }

    fn target_values(&self) -> Vec<(String, f64)> {
        let given = self.target.map_or(&[][..], At::values);
        let largest = self.largest();
        let value = |(index, name): (usize, &String)| {
            let given = given.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
            let measured = largest.get(index).copied().unwrap_or(f64::NAN);
            (name.clone(), given.unwrap_or(measured))
        };
        self.variables.iter().enumerate().map(value).collect()
    }

    fn is_beyond(&self, at: &[f64]) -> bool {
        at.iter().enumerate().any(|(index, value)| {
            let all = || self.runs.values().filter_map(|run| run.values.get(index));
            all().all(|known| known < value) || all().all(|known| known > value)
        })
    }

    /// What is ranked at `values`, from one number for each run.
    fn estimate(&self, name: &str, measured: BTreeMap<u32, f64>, values: &[f64]) -> TotalTime {
        let rows = measured
            .into_iter()
            .filter_map(|(run, value)| Some((self.runs.get(&run)?.values.clone(), value)));
        let data = self.data(self.variables.to_vec(), rows);
        let found = cll_search::search(&data, self.options);
        let miss = found.as_ref().ok().and_then(|found| miss(&data, found));
        let is_close = miss.is_none_or(|miss| miss <= MAX_MISS);
        let searched = found.as_ref().ok().filter(|_| is_close).and_then(|found| {
            let kept: Option<Vec<f64>> = found
                .variables
                .iter()
                .map(|name| data.variable(name).and_then(|index| values.get(index)).copied())
                .collect();
            let averaged = found.predict(&kept?)?;
            let best = found.candidates.first()?;
            let ties = found.ties.iter().filter_map(|tie| found.candidates.get(tie.candidate));
            Some(TotalTime {
                formula: Some(named(&best.formula, name)),
                constants: best.constants.clone(),
                ties: ties.map(|tie| named(&tie.formula, name)).collect(),
                value: averaged.value.max(0.0),
                low: averaged.low.max(0.0),
                high: averaged.high,
                why: None,
            })
        });
        searched.unwrap_or_else(|| {
            let nearest = data.points.iter().find(|point| point.values == values);
            let nearest = nearest.or_else(|| {
                let largest = |a: &&Point, b: &&Point| {
                    a.values.partial_cmp(&b.values).unwrap_or(std::cmp::Ordering::Equal)
                };
                data.points.iter().max_by(largest)
            });
            let seen = nearest.map_or(&[][..], |point| &point.observations[..]);
            let why = match (&found, miss) {
                (Err(error), _) => error.to_string(),
                (Ok(_), Some(miss)) if !is_close => format!(
                    "no formula that is searched fits it: the best is off by {:.0} % at half of the sizes",
                    100.0 * miss
                ),
                (Ok(_), _) => "its formula has no value there".to_owned(),
            };
            TotalTime {
                formula: None,
                constants: Vec::new(),
                ties: Vec::new(),
                value: cll_statistics::median(seen.iter().copied()).unwrap_or(0.0),
                low: seen.iter().copied().fold(f64::INFINITY, f64::min),
                high: seen.iter().copied().fold(0.0, f64::max),
                why: Some(why),
            }
        })
    }
}
