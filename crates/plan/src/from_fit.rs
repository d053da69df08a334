//! A subject from a fit, and from the formulas that a search could not distinguish.

use std::f64::consts::FRAC_PI_2;

use cll_fit::{Aggregate, Fit, Residual, Weights};
use cll_formula::{Formula, parse_quantity};

use crate::noise::{Noise, Scatter};
use crate::problem::{Belief, Gap, MeasuredPoint, Subject};

/// Another formula that may be right.
#[derive(Clone, Copy, Debug)]
pub struct Rival<'a> {
    /// How probable it is; the fit's own formula has the rest to 1.
    pub weight: f64,
    /// The formula.
    pub formula: &'a Formula,
    /// The constants, in the order of the terms.
    pub constants: &'a [f64],
}

/// A subject for points with values of `variables`: `candidates`, and the targets at which it is to be predicted.
///
/// `None` if the fit or a rival needs a variable that is not among these, or if a formula has no value at a
/// candidate or target.
pub fn subject(
    fit: &Fit,
    rivals: &[Rival<'_>],
    variables: &[String],
    candidates: &[Vec<f64>],
    targets: &[Vec<f64>],
) -> Option<Subject> {
    let columns = columns(&fit.variables, variables)?;
    let recorded = self::columns(variables, &fit.recorded)?;
    let used: Vec<&Residual> =
        fit.residuals.iter().filter(|residual| residual.excluded.is_none()).collect();
    let measured: Vec<MeasuredPoint> = used
        .iter()
        .map(|residual| MeasuredPoint {
            values: recorded.iter().map(|&column| residual.values[column]).collect(),
            value: residual.measured,
            runs: residual.spread.count as u32,
        })
        .collect();
    let points: Vec<&[f64]> = measured.iter().map(|measurement| &measurement.values[..]).collect();
    let own = Own::new(fit, columns)?;
    let others: f64 = rivals.iter().map(|rival| rival.weight).sum();
    let mut beliefs = vec![belief(
        (1.0 - others).max(0.0),
        candidates,
        &points,
        targets,
        &mut |at| own.row(at),
        &mut |at| own.value(at),
    )?];
    for rival in rivals {
        let names: Vec<String> =
            rival.formula.variables().iter().map(|variable| variable.name.clone()).collect();
        let columns = self::columns(&names, variables)?;
        let row = |point: &[f64]| {
            let values: Vec<f64> = columns.iter().map(|&column| point[column]).collect();
            let mut terms = vec![0.0; rival.formula.terms().len()];
            rival.formula.terms_at(&values, &mut terms);
            terms
        };
        beliefs.push(belief(
            rival.weight,
            candidates,
            &points,
            targets,
            &mut |point| row(point),
            &mut |point| row(point).iter().zip(rival.constants).map(|(x, c)| x * c).sum(),
        )?);
    }
    let gaps = gaps(fit, &own, candidates);
    Some(Subject { beliefs, measured, noise: noise_of(fit), gaps })
}

fn columns(names: &[String], among: &[String]) -> Option<Vec<usize>> {
    names.iter().map(|name| among.iter().position(|other| other == name)).collect()
}

fn belief(
    weight: f64,
    candidates: &[Vec<f64>],
    measured: &[&[f64]],
    targets: &[Vec<f64>],
    row: &mut dyn FnMut(&[f64]) -> Vec<f64>,
    value: &mut dyn FnMut(&[f64]) -> f64,
) -> Option<Belief> {
    let finite = |row: &Vec<f64>| row.iter().all(|x| x.is_finite());
    let rows: Vec<Vec<f64>> = candidates.iter().map(|point| row(point)).collect();
    let values: Vec<f64> = candidates.iter().map(|point| value(point)).collect();
    let measured: Vec<Vec<f64>> = measured.iter().map(|point| row(point)).collect();
    let targets: Vec<(Vec<f64>, f64)> =
        targets.iter().map(|point| (row(point), value(point))).collect();
    let is_finite = rows.iter().chain(&measured).all(finite)
        && values.iter().all(|value| value.is_finite())
        && targets.iter().all(|(row, value)| finite(row) && value.is_finite());
    is_finite.then_some(Belief { weight, rows, values, measured, targets })
}

/// The fit's formula with a parameter for each segment of each constant.
struct Own<'a> {
    fit: &'a Fit,
    columns: Vec<usize>,
    axis: Option<Axis>,
    /// For each term and interval the parameter that holds there.
    parameters: Vec<Vec<usize>>,
    count: usize,
}

/// The value of the axis of a fit.
struct Axis {
    quantity: cll_formula::Quantity,
    columns: Vec<usize>,
}

impl<'a> Own<'a> {
    fn new(fit: &'a Fit, columns: Vec<usize>) -> Option<Own<'a>> {
        let axis = match &fit.axis {
            Some(name) if !fit.boundaries.is_empty() || !fit.changes.is_empty() => {
                let quantity = parse_quantity(name).quantity?;
                let names: Vec<String> =
                    quantity.variables().iter().map(|variable| variable.name.clone()).collect();
                Some(Axis { columns: self::columns(&names, &fit.variables)?, quantity })
            }
            _ => None,
        };
        let intervals = fit.intervals.len();
        if !fit.changes.is_empty() {
            // A parameter for each level.
            let count = fit.owners().len();
            return Some(Own { fit, columns, axis, parameters: Vec::new(), count });
        }
        let mut count = 0;
        let mut parameters = Vec::new();
        for constant in &fit.constants {
            let mut own = vec![count; intervals];
            for segment in &constant.segments {
                let last = segment.last_interval.min(intervals.checked_sub(1)?);
                own[segment.first_interval.min(last)..=last].fill(count);
                count += 1;
            }
            parameters.push(own);
        }
        let is_whole = parameters.len() == fit.formula.terms().len() && intervals > 0;
        is_whole.then_some(Own { fit, columns, axis, parameters, count })
    }

    fn values(&self, point: &[f64]) -> Vec<f64> {
        self.columns.iter().map(|&column| point[column]).collect()
    }

    /// The value of the axis; 0 without one.
    fn along(&self, point: &[f64]) -> f64 {
        let values = self.values(point);
        self.axis.as_ref().map_or(0.0, |axis| {
            let own: Vec<f64> = axis.columns.iter().map(|&column| values[column]).collect();
            axis.quantity.value(&own)
        })
    }

    fn interval(&self, point: &[f64]) -> usize {
        let along = self.along(point);
        self.fit.boundaries.iter().take_while(|boundary| along > boundary.at).count()
    }

    fn terms(&self, point: &[f64]) -> Vec<f64> {
        let values = self.values(point);
        if !self.fit.changes.is_empty() {
            let here = self.fit.terms_at(&values);
            return here.map_or_else(|_| vec![f64::NAN; self.count], |here| here.terms);
        }
        let mut terms = vec![0.0; self.fit.formula.terms().len()];
        self.fit.formula.terms_at(&values[..self.fit.formula.variables().len()], &mut terms);
        terms
    }

    fn row(&self, point: &[f64]) -> Vec<f64> {
        if !self.fit.changes.is_empty() {
            return self.terms(point);
        }
        let interval = self.interval(point);
        let mut row = vec![0.0; self.count];
        for (term, own) in self.terms(point).into_iter().zip(&self.parameters) {
            row[own[interval]] = term;
        }
        row
    }

    fn value(&self, point: &[f64]) -> f64 {
        let solution = &self.fit.intervals[self.interval(point)].solution;
        self.terms(point).iter().zip(solution).map(|(x, c)| x * c).sum()
    }
}

fn gaps(fit: &Fit, own: &Own<'_>, candidates: &[Vec<f64>]) -> Vec<Gap> {
    let Some(axis) = fit.axis.as_ref().filter(|_| own.axis.is_some()) else { return Vec::new() };
    let at: Vec<f64> = candidates.iter().map(|values| own.along(values)).collect();
    let is_measured_within = |place: &cll_fit::Boundary| {
        let mut values = fit.residuals.iter().filter_map(|residual| residual.axis);
        values.any(|value| place.last_left < value && value < place.first_right)
    };
    let gap = |boundary: cll_fit::Boundary| Gap {
        low: boundary.last_left,
        high: boundary.first_right,
        axis: axis.clone(),
        axis_values: at.clone(),
    };
    // A change of levels over several sizes is no gap.
    let is_gap = |place: &cll_fit::Boundary| {
        place.last_left < place.first_right && !is_measured_within(place)
    };
    fit.places().into_iter().filter(is_gap).map(gap).collect()
}

/// How the measurements of a fit vary, by their repetitions; without repetitions by the residuals.
pub fn noise_of(fit: &Fit) -> Noise {
    let used: Vec<&Residual> =
        fit.residuals.iter().filter(|residual| residual.excluded.is_none()).collect();
    let aggregate = match fit.options.aggregate {
        Aggregate::Median => FRAC_PI_2,
        Aggregate::Minimum | Aggregate::Mean | Aggregate::All => 1.0,
    };
    let scatter: Vec<Scatter> = used.iter().filter_map(|residual| scatter(residual)).collect();
    if let Some(noise) = Noise::estimate(&scatter) {
        let noise = Noise { aggregate, ..noise };
        return Noise { between: between(fit, &noise, &used), ..noise };
    }
    let free = (used.len() as f64 - fit.quality.parameters as f64).max(0.0);
    let residual = |point: &&Residual| Scatter {
        value: point.fitted,
        variance: (point.measured - point.fitted).powi(2),
        dof: free / used.len() as f64,
    };
    let scatter: Vec<Scatter> = used.iter().map(residual).collect();
    let least = match fit.options.weights {
        Weights::Relative => Noise::relative(1e-3),
        Weights::Absolute => {
            let size = cll_statistics::median(used.iter().map(|residual| residual.measured.abs()));
            Noise::absolute(1e-3 * size.unwrap_or(1.0))
        }
    };
    let noise = Noise::estimate(&scatter).unwrap_or(least);
    // A residual is that of a whole point.
    let runs = cll_statistics::median(used.iter().map(|residual| residual.spread.count as f64));
    let runs = runs.unwrap_or(1.0).max(1.0);
    Noise {
        absolute: noise.absolute * runs.sqrt(),
        relative: noise.relative * runs.sqrt(),
        ..noise
    }
}

/// The variance of the runs of a point by their quartiles, which spikes do not change.
///
/// The mean of the squared interquartile range of normal numbers, and the degrees of freedom of a chi-square variable
/// of the same relative variance, are from 200,000 simulated samples of each size.
fn scatter(residual: &Residual) -> Option<Scatter> {
    const SQUARES: [f64; 9] = [0.502, 0.906, 1.181, 1.314, 1.366, 1.443, 1.503, 1.541, 1.530];
    const DOF: [f64; 9] = [1.0, 1.96, 1.72, 1.60, 2.53, 2.96, 3.21, 3.03, 4.01];
    let spread = &residual.spread;
    let index = spread.count.checked_sub(2)?;
    let many = spread.count as f64;
    let square = SQUARES.get(index).copied().unwrap_or(1.82 * (1.0 - 1.5 / many));
    let dof = DOF.get(index).copied().unwrap_or(0.37 * many);
    let range = spread.upper_quartile - spread.lower_quartile;
    Some(Scatter { value: spread.median, variance: range * range / square, dof })
}

/// By how much points differ from the model beyond what their runs explain, in standard deviations of a run.
fn between(fit: &Fit, noise: &Noise, used: &[&Residual]) -> f64 {
    let Some(sigma) = fit.quality.sigma else { return 0.0 };
    let weight = |sample: &&Residual| match fit.options.weights {
        Weights::Relative if sample.measured != 0.0 => sample.measured.powi(-2),
        _ => 1.0,
    };
    let mean = |quantity: &dyn Fn(&&Residual) -> f64| {
        used.iter().map(quantity).sum::<f64>() / used.len().max(1) as f64
    };
    let run = mean(&|residual| weight(residual) * noise.variance(residual.measured, 1));
    let point = mean(&|residual| {
        weight(residual) * noise.variance(residual.measured, residual.spread.count as u32)
    });
    if run > 0.0 { ((sigma * sigma - point) / run).max(0.0).sqrt() } else { 0.0 }
}
