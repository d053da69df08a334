//! How the time of a region grows with the variables of the runs.

use std::cmp::Ordering;

use cll_fit::{Data, Point};
use cll_result::{Estimate, TotalTime, named};
use cll_search::{Options, Search};
use cll_units::text::{PercentDigits, percent};

/// If the best formula is off by more than this, at half of the sizes or at the largest, the time grows in another way
/// than any that is searched, such as exponentially: what was measured says more.
const MAX_MISS: f64 = 0.4;

/// The value of the best formula at a point.
fn best_at(point: &Point, data: &Data, search: &Search) -> Option<f64> {
    let values: Option<Vec<f64>> = search
        .variables
        .iter()
        .map(|name| data.variable(name).and_then(|index| point.values.get(index)).copied())
        .collect();
    Some(search.predict(&values?)?.best)
}

/// How far that is off the median measured there, as a share of it.
fn miss_at(point: &Point, data: &Data, search: &Search) -> Option<f64> {
    let seen = cll_statistics::median(point.observations.iter().copied())?;
    let predicted = best_at(point, data, search)?;
    (seen > 0.0).then(|| (predicted / seen - 1.0).abs())
}

/// How far it is off all that was measured there: a single point may be disturbed.
fn least_miss_at(point: &Point, data: &Data, search: &Search) -> Option<f64> {
    let predicted = best_at(point, data, search)?;
    let seen = point.observations.iter().filter(|seen| **seen > 0.0);
    let range = |(least, most): (f64, f64), seen: &f64| (least.min(*seen), most.max(*seen));
    let (least, most) = seen.fold((f64::INFINITY, 0.0), range);
    let nearest = predicted.clamp(least.min(most), most);
    (nearest > 0.0).then(|| (predicted / nearest - 1.0).abs())
}

/// Median of that over the sizes; `None` if the constants are those of the last part of several.
pub(super) fn miss(data: &Data, search: &Search) -> Option<f64> {
    if !search.divisions.is_empty() {
        return None;
    }
    let all = data.points.iter().filter_map(|point| miss_at(point, data, search));
    cll_statistics::median(all.collect::<Vec<f64>>())
}

/// Why the best formula of a search does not fit.
fn why_not(data: &Data, search: &Search) -> Option<String> {
    let order = |a: &&Point, b: &&Point| a.values.partial_cmp(&b.values).unwrap_or(Ordering::Equal);
    let largest = data.points.iter().max_by(order);
    let last = largest.and_then(|point| least_miss_at(point, data, search));
    let (off, place) = match miss(data, search).filter(|miss| *miss > MAX_MISS) {
        Some(miss) => (miss, "at half of the sizes"),
        None => (last.filter(|last| *last > MAX_MISS)?, "at the largest size"),
    };
    Some(format!(
        "no formula that is searched fits it: the best is off by {} {place}",
        percent(off, PercentDigits::Decimals(0))
    ))
}

/// The measurements of a region in each run, with the formulas that were found for it.
pub(super) struct Growth {
    name: String,
    data: Data,
    search: Result<Search, String>,
}

impl Growth {
    /// Searches the formula.
    pub(super) fn from_data(name: &str, data: Data, options: &Options) -> Growth {
        let search = cll_search::search(&data, options).map_err(|error| error.to_string());
        let search = search.and_then(|search| match why_not(&data, &search) {
            Some(why) => Err(why),
            None => Ok(search),
        });
        Growth { name: name.to_owned(), data, search }
    }

    /// The time at these values: predicted, but where it was measured and is another.
    pub(super) fn time_at(&self, values: &[f64]) -> Option<Estimate> {
        let measured = self.measured(values);
        let is_near = |predicted: &Estimate| {
            let is_inside =
                |seen: Estimate| predicted.low <= seen.high && seen.low <= predicted.high;
            measured.is_none_or(is_inside)
        };
        self.predicted(values).filter(is_near).or(measured)
    }

    fn predicted(&self, values: &[f64]) -> Option<Estimate> {
        let search = self.search.as_ref().ok()?;
        let kept: Option<Vec<f64>> = search
            .variables
            .iter()
            .map(|name| self.data.variable(name).and_then(|index| values.get(index)).copied())
            .collect();
        let averaged = search.predict(&kept?)?;
        Some(Estimate {
            value: averaged.value.max(0.0),
            low: averaged.low.max(0.0),
            high: averaged.high,
        })
    }

    fn measured(&self, values: &[f64]) -> Option<Estimate> {
        let point = self.data.points.iter().find(|point| point.values == values)?;
        let seen = &point.observations;
        Some(Estimate {
            value: cll_statistics::median(seen.iter().copied())?,
            low: seen.iter().copied().fold(f64::INFINITY, f64::min),
            high: seen.iter().copied().fold(0.0, f64::max),
        })
    }

    /// The formula, or why there is none.
    pub(super) fn without_estimate(&self) -> TotalTime {
        let search = self.search.as_ref();
        let best = search.ok().and_then(|search| search.candidates.first());
        let tie = |index: usize| search.ok().and_then(|search| search.candidates.get(index));
        let ties = search.iter().flat_map(|search| &search.ties);
        let ties = ties.filter_map(|distinction| {
            Some(named(&tie(distinction.candidate)?.formula, &self.name))
        });
        TotalTime {
            formula: best.map(|best| named(&best.formula, &self.name)),
            constants: best.map_or(Vec::new(), |best| best.constants.clone()),
            ties: ties.collect(),
            estimate: None,
            predicted: None,
            why: search.err().cloned(),
        }
    }
}
