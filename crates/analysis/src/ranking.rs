//! The ranking of a program's functions and loops by their predicted share of its time.

use std::collections::BTreeMap;

use cll_fit::{Data, Unit};
use cll_result::{HotSpot, MarkerCost, NotMeasured, Ranking, RegionSum, TotalTime};
use cll_samples::{Prepared, Total, totals};

use crate::Location;

mod growth;
mod powers_of_two;
#[cfg(test)]
pub(crate) mod tests;

use growth::Growth;
pub use powers_of_two::{PowersOfTwo, powers_of_two};

/// A run: the values of its variables, and the seconds that it took.
#[derive(Clone, Debug)]
pub struct RankedRun {
    /// One value for each variable.
    pub values: Vec<f64>,
    /// The wall time of the run, seconds.
    pub wall: Option<f64>,
}

/// The input of a ranking.
pub struct RankingInput<'a> {
    /// The samples, complete.
    pub trace: &'a Prepared,
    /// The runs by their number in the trace.
    pub runs: &'a BTreeMap<u32, RankedRun>,
    /// The variables of the runs.
    pub variables: &'a [String],
    /// The size for which it is made; `None`: the largest measured one.
    pub target: Option<&'a Location>,
    /// How formulas are searched.
    pub options: &'a cll_search::Options,
    /// The experiments that no pragma names, with their places.
    pub regions: &'a [(String, String)],
    /// The regions that are not measured.
    pub left_out: Vec<NotMeasured>,
    /// The observable that is ranked; `None`: the time.
    pub observable: Option<&'a str>,
    /// The seconds of the markers of one passage, and whether they were measured.
    pub marker: (f64, bool),
}

/// The name of the whole program's experiment.
pub const MAIN: &str = "main";

/// A region that takes at least this share of the time at the largest measured values must have a formula where shares
/// are predicted.
const MIN_PREDICTED: f64 = 0.01;
/// The sum of the regions is that of the program if it is off by less than this.
const MAX_OFF: f64 = 0.02;

/// Ranks the regions.
pub fn ranking(input: &RankingInput<'_>) -> Ranking {
    let of_name: BTreeMap<&str, BTreeMap<u32, Total>> = input
        .trace
        .experiments
        .iter()
        .map(|experiment| {
            (experiment.name.as_str(), totals(input.trace, experiment, input.observable))
        })
        .collect();
    let target = input.target_values();
    let largest = input.largest();
    let places: BTreeMap<&str, &str> =
        input.regions.iter().map(|(name, place)| (name.as_str(), place.as_str())).collect();
    let (grown, not_reached) = input.grown(&of_name, &places, &largest);
    let measured: f64 = grown.iter().map(|(spot, _)| spot.measured).sum();
    let is_predicted = |(spot, growth): &(HotSpot, Growth)| {
        spot.measured < MIN_PREDICTED * measured || growth.time_at(&target).is_some()
    };
    let values = if grown.iter().all(is_predicted) { &target } else { &largest };
    let time = |growth: &Growth| TotalTime {
        estimate: growth.time_at(values),
        predicted: growth.time_at(&target).filter(|_| *values != target),
        ..growth.without_estimate()
    };
    let mut spots: Vec<HotSpot> =
        grown.into_iter().map(|(spot, growth)| HotSpot { time: time(&growth), ..spot }).collect();
    // Where `main` is measured the regions are all of the program, and the formula of their sum may be another.
    let main_totals =
        of_name.get(MAIN).filter(|totals| !totals.is_empty() && places.contains_key(MAIN));
    let is_all = main_totals.is_some();
    let whole: BTreeMap<u32, f64> = match main_totals {
        Some(totals) => totals.iter().map(|(run, total)| (*run, total.inclusive)).collect(),
        None if input.observable.is_some() => BTreeMap::new(),
        None => input.walls(),
    };
    let unit = input.unit();
    // What markers cost is a share of a time.
    let markers = if unit.is_some() {
        None
    } else if whole.is_empty() {
        input.markers(&of_name, &input.walls(), &largest)
    } else {
        input.markers(&of_name, &whole, &largest)
    };
    let total = (!whole.is_empty()).then(|| time(&input.growth(MAIN, whole)));
    let all: f64 = spots.iter().map(|spot| spot.time.value()).sum();
    let program = total.as_ref().map(TotalTime::value).filter(|value| *value > 0.0);
    let denominator = program.filter(|_| !is_all).map_or(all, |program| program.max(all));
    for spot in &mut spots {
        spot.share = if denominator > 0.0 { spot.time.value() / denominator } else { 0.0 };
    }
    spots.sort_by(|a, b| b.share.total_cmp(&a.share));
    let excess = program.map(|program| all / program - 1.0);
    let is_off = |excess: &f64| *excess > MAX_OFF || is_all && *excess < -MAX_OFF;
    let sum = excess.filter(is_off).map(|excess| RegionSum { value: all, excess });
    // A part of a sum that is not the whole is no share of it.
    let covered = program
        .filter(|_| sum.is_none())
        .map(|_| spots.iter().filter(|spot| spot.name != MAIN).map(|spot| spot.share).sum::<f64>());
    let named = |values: &[f64]| input.variables.iter().cloned().zip(values.to_vec()).collect();
    Ranking {
        is_beyond: input.is_beyond(values),
        at: named(values),
        asked: if *values == target { Vec::new() } else { named(&target) },
        run: Vec::new(),
        sum,
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
    /// The regions with their growth, and the names of those that no run has reached.
    fn grown(
        &self,
        of_name: &BTreeMap<&str, BTreeMap<u32, Total>>,
        places: &BTreeMap<&str, &str>,
        largest: &[f64],
    ) -> (Vec<(HotSpot, Growth)>, Vec<String>) {
        let mut grown = Vec::new();
        let mut not_reached = Vec::new();
        for experiment in &self.trace.experiments {
            let name = experiment.name.as_str();
            let option = of_name.get(name).filter(|totals| !totals.is_empty());
            let Some(totals) = option else {
                if places.contains_key(name) {
                    not_reached.push(name.to_owned());
                }
                continue;
            };
            let exclusive = totals.iter().map(|(run, total)| (*run, total.exclusive));
            let growth = self.growth(name, exclusive.collect());
            let there = |run: &&u32| self.runs.get(run).is_some_and(|run| run.values == largest);
            let there: Vec<&Total> = totals.keys().filter(there).map(|run| &totals[run]).collect();
            let mean = |value_of: &dyn Fn(&Total) -> f64| {
                there.iter().map(|total| value_of(total)).sum::<f64>() / there.len().max(1) as f64
            };
            let own = experiment.places.first().map(ToString::to_string).unwrap_or_default();
            let spot = HotSpot {
                name: name.to_owned(),
                place: places.get(name).map_or(own, |place| (*place).to_owned()),
                share: 0.0,
                time: growth.without_estimate(),
                passages: mean(&|total| total.passages as f64),
                measured: mean(&|total| total.exclusive),
            };
            grown.push((spot, growth));
        }
        (grown, not_reached)
    }

    /// The times of the runs, seconds.
    fn walls(&self) -> BTreeMap<u32, f64> {
        self.runs.iter().filter_map(|(run, ranked_run)| Some((*run, ranked_run.wall?))).collect()
    }

    /// The largest values that were measured together.
    fn largest(&self) -> Vec<f64> {
        let all = self.runs.values().map(|run| run.values.clone());
        all.max_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal)).unwrap_or_default()
    }

    /// The unit of what is ranked; `None`: seconds.
    fn unit(&self) -> Option<String> {
        let observable = self.observable?;
        let all = self.trace.experiments.iter().flat_map(|experiment| &experiment.observables);
        let unit = all
            .into_iter()
            .find(|observed| observed.name == observable)
            .map(|observed| observed.unit.clone());
        unit.filter(|unit| unit != "s")
    }

    /// Creates the data of the ranked quantity, by the values of the runs: rows of (values, number).
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
        run_times: &BTreeMap<u32, f64>,
        largest: &[f64],
    ) -> Option<MarkerCost> {
        let runs = run_times.iter().filter(|(run, seconds)| {
            **seconds > 0.0 && self.runs.get(run).is_some_and(|run| run.values == largest)
        });
        let runs: Vec<(u32, f64)> = runs.map(|(run, seconds)| (*run, *seconds)).collect();
        let seconds: f64 = runs.iter().map(|(_, seconds)| seconds).sum();
        let passages = |run: &u32| -> u64 {
            totals.values().filter_map(|totals| totals.get(run)).map(|total| total.passages).sum()
        };
        let passages: u64 = runs.iter().map(|(run, _)| passages(run)).sum();
        let (each, is_measured) = self.marker;
        let point = self.variables.iter().cloned().zip(largest.iter().copied()).collect();
        (seconds > 0.0).then(|| MarkerCost {
            each,
            is_measured,
            passages: passages as f64 / runs.len() as f64,
            share: passages as f64 * each / seconds,
            at: point,
        })
    }

    fn target_values(&self) -> Vec<f64> {
        let given = self.target.map_or(&[][..], Location::values);
        let largest = self.largest();
        let value = |(index, name): (usize, &String)| {
            let given = given.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
            let measured = largest.get(index).copied().unwrap_or(f64::NAN);
            given.unwrap_or(measured)
        };
        self.variables.iter().enumerate().map(value).collect()
    }

    fn is_beyond(&self, point: &[f64]) -> bool {
        point.iter().enumerate().any(|(index, value)| {
            let all = || self.runs.values().filter_map(|run| run.values.get(index));
            all().all(|known| known < value) || all().all(|known| known > value)
        })
    }

    /// How something grows, from one number for each run.
    fn growth(&self, name: &str, measured: BTreeMap<u32, f64>) -> Growth {
        let rows = measured
            .into_iter()
            .filter_map(|(run, value)| Some((self.runs.get(&run)?.values.clone(), value)));
        Growth::from_data(name, self.data(self.variables.to_vec(), rows), self.options)
    }
}
