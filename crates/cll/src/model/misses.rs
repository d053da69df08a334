//! Misses per access, where both were recorded: the papers' percentage of misses, beside the time.

use cll_fit::Unit;
use cll_report::{Column, Style, Table};
use cll_statistics::median;
use cll_trace::observable::Observable;
use cll_trace::{Cell, Experiment};
use serde::{Deserialize, Serialize};

use super::counters::{points, values};
use crate::cli::Time;
use crate::observing::is_simulated;

/// Misses of an experiment beside the accesses that they are of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MissesModel {
    /// What counted the misses: `sim::D1mr`.
    pub misses: String,
    /// What counted the accesses: `sim::Dr`.
    pub accesses: String,
    /// Misses per access, added over all samples that have both.
    pub share: f64,
    /// The same at each point that has accesses.
    pub points: Vec<MissesPoint>,
}

/// Misses at a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MissesPoint {
    /// The values of the experiment's variables.
    pub values: Vec<f64>,
    /// The median time of its samples, seconds; `None` where times mean nothing.
    pub time_s: Option<f64>,
    /// Misses per access.
    pub share: f64,
}

impl MissesModel {
    /// Of all misses that were recorded with their accesses.
    pub fn all(experiment: &Experiment, time: Time) -> Vec<MissesModel> {
        let at = |name: &str| experiment.observables.iter().position(|one| one.name == name);
        let pairs = experiment.observables.iter().enumerate().filter_map(|(misses, one)| {
            let accesses = Observable::parse(&one.name)?.accesses()?;
            Some((misses, at(&accesses)?))
        });
        pairs.filter_map(|pair| MissesModel::of(experiment, pair, time)).collect()
    }

    fn of(experiment: &Experiment, pair: (usize, usize), time: Time) -> Option<MissesModel> {
        let name = |at: usize| experiment.observables[at].name.clone();
        let is_measured = !is_simulated(&name(pair.0));
        let counted = points(experiment, |cell| {
            let of = |at: usize| values(&cell.observed[at], time).iter();
            // What could not be read of one counts of neither.
            let both = of(pair.0).zip(of(pair.1));
            let sums = both
                .filter(|(misses, accesses)| !misses.is_nan() && !accesses.is_nan())
                .fold((0.0, 0.0), |sum, (misses, accesses)| (sum.0 + misses, sum.1 + accesses));
            (sums.1 > 0.0).then_some((cell, sums))
        });
        let sums = counted.iter().fold((0.0, 0.0), |sum, (_, own)| (sum.0 + own.0, sum.1 + own.1));
        let point = |(cell, own): (&Cell, (f64, f64))| {
            let times = match time {
                Time::Inclusive => cell.inclusive.clone(),
                Time::Exclusive => cell.exclusive().to_vec(),
            };
            let time_s = median(times).filter(|_| is_measured);
            MissesPoint { values: cell.values.clone(), time_s, share: own.0 / own.1 }
        };
        let points = counted.into_iter().map(point).collect();
        (sums.1 > 0.0).then(|| MissesModel {
            misses: name(pair.0),
            accesses: name(pair.1),
            share: sums.0 / sums.1,
            points,
        })
    }
}

/// So many points are in the table where not all were asked for.
const SHOWN: usize = 12;

/// Misses per access at each point, beside the time; of many points those that lie evenly among them, unless `whole`.
pub fn misses_text(
    variables: &[String],
    all: &[MissesModel],
    whole: bool,
    style: &Style,
) -> String {
    let Some(first) = all.first() else { return String::new() };
    let notation = style.notation();
    let mut points: Vec<&[f64]> = Vec::new();
    for one in all.iter().flat_map(|one| &one.points) {
        if !points.contains(&&one.values[..]) {
            points.push(&one.values);
        }
    }
    let has_time = all.iter().flat_map(|one| &one.points).any(|point| point.time_s.is_some());
    let mut columns: Vec<Column> =
        variables.iter().map(|name| Column::right(&notation.text(name))).collect();
    columns.extend(has_time.then(|| Column::right("time")));
    columns.extend(all.iter().map(|one| Column::right(&one.misses)));
    let mut table = Table::new(columns);
    let row = |head: Vec<String>, time: String, shares: Vec<Option<f64>>| {
        let shares = shares.into_iter();
        let shares = shares.map(|share| share.map_or(String::new(), |one| notation.percent(one)));
        let cells = head.into_iter().chain(has_time.then_some(time)).chain(shares);
        cells.map(cll_report::Cell::new).collect::<Vec<_>>()
    };
    let count = if whole { points.len() } else { points.len().min(SHOWN) };
    for index in 0..count {
        // The first and the last are among them.
        let at = match count {
            0 | 1 => index,
            _ => index * (points.len() - 1) / (count - 1),
        };
        let values = points[at];
        let own = |one: &MissesModel| one.points.iter().position(|point| point.values == values);
        let time = all.iter().find_map(|one| one.points[own(one)?].time_s);
        let time = time.map_or(String::new(), |time| notation.quantity(time, &Unit::Seconds));
        let head = values.iter().map(|value| notation.number(*value)).collect();
        let shares = all.iter().map(|one| Some(one.points[own(one)?].share)).collect();
        table.row(row(head, time, shares));
    }
    let mut head = vec![String::new(); variables.len()];
    let mut total = "all".to_owned();
    match head.first_mut() {
        Some(first) => *first = std::mem::take(&mut total),
        None if !has_time => total.clear(),
        None => {}
    }
    table.row(row(head, total, all.iter().map(|one| Some(one.share)).collect()));
    let of = match all {
        [_] => first.accesses.clone(),
        _ => "access".to_owned(),
    };
    let left = points.len() - count;
    let note = match left {
        0 => String::new(),
        _ => format!("  {left} more points: --points\n"),
    };
    format!("\nMisses per {of}\n{}{note}", table.render(style, 2))
}

#[cfg(test)]
mod tests {
    use cll_trace::{Observed, Series};

    use super::*;

    fn experiment(names: &[&str], cells: &[(f64, &[&[f64]])]) -> Experiment {
        let observed = |name: &&str| Observed { name: (*name).to_owned(), ..Observed::default() };
        let cell = |(n, series): &(f64, &[&[f64]])| {
            let series = series.iter().map(|values| Series {
                inclusive: values.to_vec(),
                exclusive: values.iter().map(|value| value / 2.0).collect(),
            });
            let observed: Vec<Series> = series.collect();
            let inclusive = vec![1e-3 * n; observed[0].inclusive.len()];
            let mut samples = Cell::default();
            (samples.values, samples.inclusive, samples.observed) = (vec![*n], inclusive, observed);
            samples
        };
        Experiment {
            variables: vec!["N".to_owned()],
            observables: names.iter().map(observed).collect(),
            cells: cells.iter().map(cell).collect(),
            ..Experiment::default()
        }
    }

    #[test]
    fn misses_are_added_over_the_samples_that_have_both() {
        let nan = f64::NAN;
        let one = experiment(
            &["cache-misses", "cpu-time", "cache-references"],
            &[
                (20.0, &[&[30.0, 10.0, 7.0], &[1.0; 3], &[40.0, 60.0, nan]]),
                (10.0, &[&[1.0, 1.0], &[1.0; 2], &[50.0, 50.0]]),
                (30.0, &[&[0.0], &[1.0], &[0.0]]),
            ],
        );
        let all = MissesModel::all(&one, Time::Inclusive);
        let [misses] = &all[..] else { panic!("{all:?}") };
        assert_eq!(
            (&misses.misses[..], &misses.accesses[..]),
            ("cache-misses", "cache-references")
        );
        let point = |n: f64, share| MissesPoint { values: vec![n], time_s: Some(1e-3 * n), share };
        assert_eq!(misses.points, [point(10.0, 0.02), point(20.0, 0.4)]);
        assert_eq!(misses.share, 42.0 / 200.0);
        let text = misses_text(&one.variables, &all, false, &Style::default());
        for part in ["Misses per cache-references", "10.0 ms", "2.0 %", "40 %", "all", "21 %"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn what_json_does_not_know_is_no_point() {
        let series: [&[f64]; 2] = [&[1.0], &[8.0]];
        let cells = [(f64::NAN, &series[..]), (4.0, &series[..])];
        let one = experiment(&["sim::D1mr", "sim::Dr"], &cells);
        let all = MissesModel::all(&one, Time::Inclusive);
        let text = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<Vec<MissesModel>>(&text).expect(&text), all);
        assert_eq!(all[0].points.len(), 1);
    }

    #[test]
    fn without_accesses_nothing_is_said() {
        let one = experiment(&["cache-misses", "LLC-loads"], &[(1.0, &[&[1.0], &[2.0]])]);
        assert_eq!(MissesModel::all(&one, Time::Inclusive), []);
        assert_eq!(misses_text(&one.variables, &[], true, &Style::default()), "");
    }

    #[test]
    fn of_many_points_some_are_shown() {
        let series: [&[f64]; 2] = [&[1.0], &[8.0]];
        let cells: Vec<(f64, &[&[f64]])> = (0..40).map(|n| (f64::from(n), &series[..])).collect();
        let one = experiment(&["sim::D1mr", "sim::Dr"], &cells);
        let all = MissesModel::all(&one, Time::Exclusive);
        assert!(all[0].points.iter().all(|point| point.time_s.is_none()), "of a simulation");
        let text = |whole| misses_text(&one.variables, &all, whole, &Style::default());
        assert!(text(false).contains("28 more points") && !text(false).contains("time"));
        assert!(text(false).lines().any(|line| line.trim_start().starts_with("39 ")));
        assert_eq!(text(true).lines().count(), text(false).lines().count() + 28 - 1);
    }
}
