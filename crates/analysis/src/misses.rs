//! Misses per access, if both were recorded: the papers' percentage of misses, beside the time.

use cll_result::{MissesModel, MissesPoint};
use cll_statistics::median;
use cll_trace::observable::Observable;
use cll_trace::{Cell, Experiment};
use cll_units::Seconds;

use super::counters::{points, values};
use crate::time::Time;
use cll_counters::is_simulated;

/// All misses that were recorded together with their accesses.
pub fn misses(experiment: &Experiment, time: Time) -> Vec<MissesModel> {
    let index_of =
        |name: &str| experiment.observables.iter().position(|observed| observed.name == name);
    let pairs = experiment.observables.iter().enumerate().filter_map(|(misses, observed)| {
        let accesses = Observable::parse(&observed.name)?.accesses()?;
        Some((misses, index_of(&accesses)?))
    });
    pairs.filter_map(|pair| misses_of(experiment, pair, time)).collect()
}

fn misses_of(experiment: &Experiment, pair: (usize, usize), time: Time) -> Option<MissesModel> {
    let name = |index: usize| experiment.observables[index].name.clone();
    let is_measured = !is_simulated(&name(pair.0));
    let counted = points(experiment, |cell| {
        let values_of = |index: usize| values(&cell.observed[index], time).iter();
        // A sample in which one could not be read counts for neither.
        let both = values_of(pair.0).zip(values_of(pair.1));
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
        let time = median(times).filter(|_| is_measured).map(Seconds);
        MissesPoint { values: cell.values.clone(), time, share: own.0 / own.1 }
    };
    let points = counted.into_iter().map(point).collect();
    (sums.1 > 0.0).then(|| MissesModel {
        misses: name(pair.0),
        accesses: name(pair.1),
        share: sums.0 / sums.1,
        points,
    })
}

#[cfg(test)]
mod tests {
    use cll_trace::{Observed, Series};

    use cll_report::{Style, misses_text};

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
        let experiment = experiment(
            &["cache-misses", "cpu-time", "cache-references"],
            &[
                (20.0, &[&[30.0, 10.0, 7.0], &[1.0; 3], &[40.0, 60.0, nan]]),
                (10.0, &[&[1.0, 1.0], &[1.0; 2], &[50.0, 50.0]]),
                (30.0, &[&[0.0], &[1.0], &[0.0]]),
            ],
        );
        let all = misses(&experiment, Time::Inclusive);
        let [misses] = &all[..] else { panic!("{all:?}") };
        assert_eq!(
            (&misses.misses[..], &misses.accesses[..]),
            ("cache-misses", "cache-references")
        );
        let point =
            |n: f64, share| MissesPoint { values: vec![n], time: Some(Seconds(1e-3 * n)), share };
        assert_eq!(misses.points, [point(10.0, 0.02), point(20.0, 0.4)]);
        assert_eq!(misses.share, 42.0 / 200.0);
        let text = misses_text(&experiment.variables, &all, false, &Style::default());
        for part in ["Misses per cache-references", "10.0 ms", "2.0 %", "40 %", "all", "21 %"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn what_json_does_not_know_is_no_point() {
        let series: [&[f64]; 2] = [&[1.0], &[8.0]];
        let cells = [(f64::NAN, &series[..]), (4.0, &series[..])];
        let experiment = experiment(&["sim::D1mr", "sim::Dr"], &cells);
        let all = misses(&experiment, Time::Inclusive);
        let text = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<Vec<MissesModel>>(&text).expect(&text), all);
        assert_eq!(all[0].points.len(), 1);
    }

    #[test]
    fn without_accesses_nothing_is_said() {
        let experiment = experiment(&["cache-misses", "LLC-loads"], &[(1.0, &[&[1.0], &[2.0]])]);
        assert_eq!(misses(&experiment, Time::Inclusive), []);
        assert_eq!(misses_text(&experiment.variables, &[], true, &Style::default()), "");
    }

    #[test]
    fn of_many_points_some_are_shown() {
        let series: [&[f64]; 2] = [&[1.0], &[8.0]];
        let cells: Vec<(f64, &[&[f64]])> = (0..40).map(|n| (f64::from(n), &series[..])).collect();
        let experiment = experiment(&["sim::D1mr", "sim::Dr"], &cells);
        let all = misses(&experiment, Time::Exclusive);
        assert!(all[0].points.iter().all(|point| point.time.is_none()), "of a simulation");
        let text = |is_full| misses_text(&experiment.variables, &all, is_full, &Style::default());
        assert!(text(false).contains("28 more points") && !text(false).contains("time"));
        assert!(text(false).lines().any(|line| line.trim_start().starts_with("39 ")));
        assert_eq!(text(true).lines().count(), text(false).lines().count() + 28 - 1);
    }
}
