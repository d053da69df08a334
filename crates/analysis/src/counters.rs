//! The counters of each point: the values that were recorded besides the times.

use cll_result::{CounterModel, CounterPoint};
use cll_statistics::{quantile, sorted};
use cll_trace::{Cell, Experiment, Series};

use crate::time::Time;

/// All observables besides the time, in the order of the trace.
pub fn counters(experiment: &Experiment, time: Time) -> Vec<CounterModel> {
    let model_of = |(index, observed): (usize, &cll_trace::Observed)| {
        let points = points(experiment, |cell| {
            let values = values(&cell.observed[index], time).iter().copied();
            point(cell, values.filter(|value| value.is_finite()).collect())
        });
        CounterModel {
            name: observed.name.clone(),
            unit: observed.unit.clone(),
            samples: points.iter().map(|point| point.count).sum(),
            points,
        }
    };
    experiment.observables.iter().enumerate().map(model_of).collect()
}

fn point(cell: &Cell, counts: Vec<f64>) -> Option<CounterPoint> {
    let counts = sorted(counts);
    let (minimum, maximum) = (*counts.first()?, *counts.last()?);
    let median = quantile(&counts, 0.5);
    let (values, count) = (cell.values.clone(), counts.len() as u64);
    Some(CounterPoint { values, count, median, minimum, maximum })
}

/// The values, inclusive or exclusive as requested.
pub fn values(series: &Series, time: Time) -> &[f64] {
    match time {
        Time::Inclusive => &series.inclusive,
        Time::Exclusive => &series.exclusive,
    }
}

/// The sums of an experiment's cells, by their variables. Cells with a value that JSON cannot represent are left
/// out; no fit can use them, either.
pub fn points<'a, T>(
    experiment: &'a Experiment,
    point_of: impl Fn(&'a Cell) -> Option<T>,
) -> Vec<T> {
    let is_point = |cell: &&'a Cell| cell.values.iter().all(|value| value.is_finite());
    let mut cells: Vec<&'a Cell> = experiment.cells.iter().filter(is_point).collect();
    cells.sort_by(|cell, other| {
        let mut both = cell.values.iter().zip(&other.values);
        both.find_map(|(cell, other)| Some(cell.total_cmp(other)).filter(|order| order.is_ne()))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    cells.into_iter().filter_map(point_of).collect()
}

#[cfg(test)]
mod tests {
    use cll_trace::Observed;

    use super::*;

    fn observed(name: &str, unit: &str) -> Observed {
        Observed { name: name.to_owned(), unit: unit.to_owned(), ..Observed::default() }
    }

    fn cell(n: f64, series: &[&[f64]]) -> Cell {
        let half = |values: &[f64]| values.iter().map(|value| value / 2.0).collect();
        let series = series
            .iter()
            .map(|values| Series { inclusive: values.to_vec(), exclusive: half(values) });
        let mut cell = Cell::default();
        (cell.values, cell.observed) = (vec![n], series.collect());
        cell
    }

    #[test]
    fn each_point_has_the_median_of_the_samples_that_were_counted() {
        let nan = f64::NAN;
        let experiment = Experiment {
            observables: vec![observed("page-faults", "faults"), observed("r01", "events")],
            cells: vec![
                cell(20.0, &[&[4.0, 1.0, nan, 9.0], &[nan; 4]]),
                cell(10.0, &[&[1.0, 2.0], &[nan; 2]]),
                cell(nan, &[&[5.0], &[5.0]]),
                cell(30.0, &[&[nan], &[f64::INFINITY]]),
            ],
            ..Experiment::default()
        };
        let [faults, none] = &counters(&experiment, Time::Inclusive)[..] else { panic!() };
        assert_eq!((&faults.name[..], &faults.unit[..]), ("page-faults", "faults"));
        let point = |n, count, median, minimum, maximum| CounterPoint {
            values: vec![n],
            count,
            median,
            minimum,
            maximum,
        };
        assert_eq!(faults.points, [point(10.0, 2, 1.5, 1.0, 2.0), point(20.0, 3, 4.0, 1.0, 9.0)]);
        assert_eq!(faults.samples, 5);
        // A counter without any value is reported as such.
        assert_eq!((none.samples, none.points.len()), (0, 0));
        let own = &counters(&experiment, Time::Exclusive)[0];
        assert_eq!(own.points[1].median, 2.0);
    }
}
