//! Two thirds of the sizes fitted, the others predicted.

use anyhow::{Context, Result, ensure};
use cll_fit::{Data, Options, Point};
use cll_statistics::{median, quantile};
use cll_trace::{Experiment, Trace};

/// How well the held-out sizes were predicted. Errors are shares, absolute values.
pub struct Held {
    pub sizes: usize,
    pub held_out: usize,
    pub median: f64,
    pub p90: f64,
    pub largest: f64,
    /// Boundaries found on the fitted sizes: the sizes beside each.
    pub boundaries: Vec<(f64, f64)>,
}

/// Fits an experiment of one variable without every third size, and predicts these.
pub fn evaluate(trace: &Trace, experiment: &str) -> Result<Held> {
    let experiment = trace
        .experiments
        .iter()
        .find(|e| e.name == experiment)
        .context("no samples of this experiment")?;
    let formula = cll_formula::parse(&experiment.name, &experiment.formula)
        .formula
        .with_context(|| format!("the trace's formula {:?}", experiment.formula))?;
    let points = points(experiment)?;
    let (held, fitted): (Vec<_>, Vec<_>) =
        points.iter().cloned().enumerate().partition(|(k, _)| k % 3 == 1);

    let data = Data {
        variables: experiment.variables.clone(),
        points: fitted.into_iter().map(|(_, point)| point).collect(),
        ..Data::default()
    };
    let fit = cll_fit::fit(&formula, &data, &Options::default())?;
    let mut errors = Vec::new();
    for (_, point) in &held {
        let measured = median(point.observations.iter().copied()).unwrap_or(f64::NAN);
        let predicted = fit.predict(&point.values)?.value;
        errors.push(((measured - predicted) / measured).abs());
    }
    errors.sort_by(f64::total_cmp);
    ensure!(!errors.is_empty(), "{} sizes are too few to hold any out", points.len());
    Ok(Held {
        sizes: points.len(),
        held_out: held.len(),
        median: quantile(&errors, 0.5),
        p90: errors[(errors.len() - 1) * 9 / 10],
        largest: errors[errors.len() - 1],
        boundaries: fit.boundaries.iter().map(|b| (b.last_left, b.first_right)).collect(),
    })
}

/// The experiment's points by ascending size.
fn points(experiment: &Experiment) -> Result<Vec<Point>> {
    ensure!(
        experiment.variables.len() == 1,
        "{} variables, one is expected",
        experiment.variables.len()
    );
    let mut points: Vec<Point> = experiment
        .cells
        .iter()
        .map(|cell| Point::new(cell.values.clone(), cell.inclusive.clone()))
        .collect();
    points.sort_by(|a, b| a.values[0].total_cmp(&b.values[0]));
    Ok(points)
}
