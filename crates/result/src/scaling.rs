//! Speed-up and efficiency of a model that has the number of processors among its variables.

use std::cmp::Ordering;

use cll_fit::{Fit, Unit};
use cll_model::curves::scaling;
use cll_units::Seconds;

use crate::model::{ExperimentModel, ModelFile};
use crate::prediction::Predicted;

/// The variable that is the number of processors.
const PROCESSORS: &str = "P";
/// Number of combinations of the other variables for which it is computed.
const PLACES: usize = 3;
/// The largest number of rows in a table; if there are more numbers of processors, only powers of two are used.
const ROWS: usize = 16;

/// Times on several numbers of processors compared with the time on one, at values of the other variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaling {
    /// Values of the other variables.
    pub values: Vec<(String, f64)>,
    /// In ascending order of processors.
    pub points: Vec<ScalingPoint>,
    /// Whether the time on one processor is a prediction beyond the measured data.
    pub one_is_beyond: bool,
    /// Numbers of processors that are not among the points: the formula is more than so many times as fast there, and
    /// that was not measured.
    pub unlikely: Vec<f64>,
}

/// One number of processors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScalingPoint {
    /// P.
    pub processors: f64,
    /// The predicted time.
    pub time: Seconds,
    /// Where a new measurement lies.
    pub band: Option<(Seconds, Seconds)>,
    /// Whether it is beyond the measured data.
    pub beyond: bool,
    /// Predicted T(1)/T(P).
    pub speed_up: f64,
    /// Speed-up by P.
    pub efficiency: f64,
    /// The serial fraction (Karp and Flatt); `None` for one processor, and where it would be negative.
    pub serial_fraction: Option<f64>,
    /// The measured time, if it was measured.
    pub measured: Option<Seconds>,
    /// Measured T(1)/T(P), if both were measured.
    pub measured_speed_up: Option<f64>,
}

/// The speed-ups of an experiment, at the requested values of the other variables. If none were requested, at the
/// values for which most numbers of processors were measured. Empty if P is not a variable of its model.
pub fn scalings(model: &ModelFile, experiment: usize, predicted: &[Predicted]) -> Vec<Scaling> {
    let Some(fit) = parallel(model, &model.experiments[experiment]) else { return Vec::new() };
    let Some(p) = fit.variables.iter().position(|name| name == PROCESSORS) else {
        return Vec::new();
    };
    let own = predicted.iter().filter(|prediction| {
        prediction.experiment == experiment
            && !prediction.is_missing()
            && prediction.view.measured.is_none()
    });
    let mut bases: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    for prediction in own {
        let coordinates = &prediction.view.at;
        match bases.iter_mut().find(|(base, _)| is_same_but(p, base, coordinates)) {
            Some((_, asked)) => asked.push(coordinates[p]),
            None => bases.push((coordinates.clone(), vec![coordinates[p]])),
        }
    }
    if bases.is_empty() {
        bases.extend(widest(fit, p).map(|base| (base, Vec::new())));
    }
    bases.truncate(PLACES);
    bases.iter().filter_map(|(base, asked)| along(fit, p, base, asked)).collect()
}

/// The fit of an experiment, if it is a fit of times on several numbers of processors.
fn parallel<'a>(model: &ModelFile, experiment: &'a ExperimentModel) -> Option<&'a Fit> {
    let alone = model.program.as_ref().is_some_and(|program| program.model == "sequential");
    let fit = experiment.fit.as_ref().filter(|fit| !alone && fit.unit == Unit::Seconds)?;
    let range = fit.domain.iter().find(|range| range.variable == PROCESSORS)?;
    (range.distinct > 1).then_some(fit)
}

fn is_same_but(p: usize, values: &[f64], other: &[f64]) -> bool {
    values.iter().zip(other).enumerate().all(|(k, (a, b))| k == p || a == b)
}

/// Values of the formula's variables and the time of each measured point.
fn measured(fit: &Fit) -> Vec<(Vec<f64>, f64)> {
    let places: Option<Vec<usize>> = fit
        .variables
        .iter()
        .map(|name| fit.recorded.iter().position(|known| known == name))
        .collect();
    let Some(places) = places else { return Vec::new() };
    let values = |all: &[f64]| places.iter().map(|&k| all[k]).collect();
    fit.residuals.iter().map(|point| (values(&point.values), point.measured)).collect()
}

/// The values of the other variables at which most numbers of processors were measured; if there are several, the
/// largest.
fn widest(fit: &Fit, p: usize) -> Option<Vec<f64>> {
    let points = measured(fit);
    let count = |base: &[f64]| {
        points.iter().filter(|(coordinates, _)| is_same_but(p, base, coordinates)).count()
    };
    let by_size = |first: &[f64], other: &[f64]| {
        let pairs = first.iter().zip(other).enumerate().filter(|(k, _)| *k != p);
        let mut orders = pairs.map(|(_, (a, b))| a.total_cmp(b));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    let mut bases: Vec<(usize, &[f64])> = points
        .iter()
        .map(|(coordinates, _)| (count(coordinates), coordinates.as_slice()))
        .collect();
    bases.sort_by(|(n, base), (m, other)| n.cmp(m).then_with(|| by_size(base, other)));
    bases.last().filter(|(count, _)| *count > 1).map(|(_, base)| base.to_vec())
}

fn along(fit: &Fit, p: usize, base: &[f64], asked: &[f64]) -> Option<Scaling> {
    let with = |processors: f64| {
        let mut coordinates = base.to_vec();
        coordinates[p] = processors;
        coordinates
    };
    let points = measured(fit);
    // Several points where the formula has not all that was recorded: then none of them is the one.
    let time = |processors: f64| {
        let coordinates = with(processors);
        let mut candidates = points.iter().filter(|(values, _)| *values == coordinates);
        candidates.next().filter(|_| candidates.next().is_none()).map(|(_, time)| *time)
    };
    let single = fit.predict(&with(1.0)).ok().filter(|prediction| prediction.value > 0.0)?;
    let mut numbers: Vec<f64> =
        points.iter().map(|(coordinates, _)| coordinates[p]).chain([1.0]).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    if numbers.len() > ROWS {
        numbers.retain(|number| number.log2().fract() == 0.0);
    }
    numbers.extend(asked);
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    let row = |processors: f64| {
        let prediction =
            fit.predict(&with(processors)).ok().filter(|prediction| prediction.value > 0.0)?;
        let scaling = scaling(processors, Seconds(prediction.value), Seconds(single.value));
        let measured = time(processors);
        Some(ScalingPoint {
            processors,
            time: Seconds(prediction.value),
            band: prediction.band.map(|band| (Seconds(band.low), Seconds(band.high))),
            beyond: prediction.domain.is_extrapolation(),
            speed_up: scaling.speed_up,
            efficiency: scaling.efficiency,
            // Nothing takes less than no time.
            serial_fraction: scaling.serial_fraction.filter(|serial| *serial >= 0.0),
            measured: measured.map(Seconds),
            measured_speed_up: time(1.0).zip(measured).map(|(econd, time)| econd / time),
        })
    };
    let (points, unlikely): (Vec<ScalingPoint>, Vec<ScalingPoint>) =
        numbers.into_iter().filter_map(row).partition(is_likely);
    let unlikely: Vec<f64> = unlikely.iter().map(|point| point.processors).collect();
    let names = fit.variables.iter().cloned().zip(base.iter().copied());
    let others = names.enumerate().filter(|(k, _)| *k != p).map(|(_, pair)| pair).collect();
    let range = fit.domain.iter().find(|range| range.variable == PROCESSORS)?;
    let one_is_beyond = range.low > 1.0;
    (points.len() > 1 || !unlikely.is_empty()).then_some(Scaling {
        values: others,
        points,
        one_is_beyond,
        unlikely,
    })
}

/// Whether a speed-up is not more than the number of processors, or measured to be so.
fn is_likely(point: &ScalingPoint) -> bool {
    /// Predictions have errors.
    const MOST: f64 = 1.05;
    let is_measured = point.measured_speed_up.is_some_and(|seen| seen >= 0.95 * point.speed_up);
    point.efficiency <= MOST || is_measured
}
