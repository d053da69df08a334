use std::io::Write;

use cll_trace::key;
use cll_trace::{Cell, Experiment, Trace};

use super::{ExportError, Number};

/// Most parameters that Extra-P's text format can have.
pub const EXTRAP_PARAMETERS: usize = 4;

/// Groups of experiments that can share a file: in Extra-P's text format all regions have the same
/// parameters and points. Experiments without samples are left out.
pub fn extrap_groups(trace: &Trace) -> Vec<Vec<&Experiment>> {
    let mut groups: Vec<Vec<&Experiment>> = Vec::new();
    let sampled = |experiment: &&Experiment| !experiment.cells.is_empty();
    for experiment in trace.experiments.iter().filter(sampled) {
        let points = |experiment: &Experiment| -> Vec<Vec<u64>> {
            points(experiment).iter().map(|cell| key(&cell.values)).collect()
        };
        let fits = |group: &&mut Vec<&Experiment>| {
            group[0].variables == experiment.variables
                && group.iter().all(|known| known.name != experiment.name)
                && points(group[0]) == points(experiment)
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(experiment),
            None => groups.push(vec![experiment]),
        }
    }
    groups
}

/// Writes the experiments of one group of [`extrap_groups`] as Extra-P's text input: a region for
/// each experiment, all repetitions in seconds, `time` inclusive and, if it differs anywhere,
/// `exclusive_time`. Variables that never change are not parameters; a comment lists them. If no
/// variable changes, all are parameters.
///
/// # Errors
/// If `out` cannot be written, more than four variables vary, or there is no point.
pub fn extrap(experiments: &[&Experiment], mut out: impl Write) -> Result<(), ExportError> {
    let Some(first) = experiments.first() else { return Ok(()) };
    let cells = points(first);
    let name = || first.name.clone();
    if cells.is_empty() || first.variables.is_empty() {
        return Err(ExportError::NoPoints { experiment: name() });
    }
    let varies =
        |&index: &usize| cells.iter().any(|cell| cell.values[index] != cells[0].values[index]);
    let (mut parameters, mut fixed): (Vec<usize>, Vec<usize>) =
        (0..first.variables.len()).partition(varies);
    if parameters.is_empty() {
        parameters.push(fixed.remove(0));
    }
    let title = |index: usize| first.variables[index].split_whitespace().collect::<String>();
    if parameters.len() > EXTRAP_PARAMETERS {
        let variables = parameters.into_iter().map(title).collect();
        return Err(ExportError::ManyParameters { experiment: name(), variables });
    }

    for &index in &fixed {
        writeln!(out, "# {} is {} throughout", title(index), Number(cells[0].values[index]))?;
    }
    for experiment in experiments {
        let dropped = experiment.cells.len() - points(experiment).len();
        if dropped > 0 {
            writeln!(
                out,
                "# {dropped} {} of {} without finite values {} left out",
                if dropped == 1 { "point" } else { "points" },
                experiment.name,
                if dropped == 1 { "is" } else { "are" }
            )?;
        }
    }
    for &index in &parameters {
        writeln!(out, "PARAMETER {}", title(index))?;
    }
    let point = |cell: &&Cell| {
        let values: Vec<_> =
            parameters.iter().map(|&index| Number(cell.values[index]).to_string()).collect();
        match parameters.len() {
            1 => values.join(" "),
            _ => format!("({})", values.join(" ")),
        }
    };
    writeln!(out, "POINTS {}", cells.iter().map(point).collect::<Vec<_>>().join(" "))?;
    // Extra-P reads a missing metric as zeros: so all regions have it, or none.
    let nested = experiments
        .iter()
        .flat_map(|experiment| &experiment.cells)
        .any(|cell| cell.exclusive() != cell.inclusive);
    for experiment in experiments {
        writeln!(out, "\nREGION {}", experiment.name)?;
        let cells = points(experiment);
        metric(&mut out, "time", cells.iter().map(|cell| &cell.inclusive[..]))?;
        if nested {
            metric(&mut out, "exclusive_time", cells.iter().map(|cell| cell.exclusive()))?;
        }
        for name in shared_observables(experiments) {
            let index = experiment.observables.iter().position(|known| known.name == name);
            let Some(index) = index else { continue };
            metric(&mut out, name, cells.iter().map(|cell| &cell.observed[index].inclusive[..]))?;
        }
    }
    Ok(out.flush()?)
}

/// Observables recorded with every sample of all experiments: Extra-P reads what is missing as
/// zeros.
fn shared_observables<'a>(experiments: &[&'a Experiment]) -> Vec<&'a str> {
    let is_complete = |experiment: &Experiment, name: &str| {
        let index = experiment.observables.iter().position(|known| known.name == name);
        index.is_some_and(|index| {
            let mut series = points(experiment).into_iter().map(|cell| &cell.observed[index]);
            series.all(|series| series.inclusive.iter().all(|value| value.is_finite()))
        })
    };
    let names = experiments.first().map_or(&[][..], |first| &first.observables);
    let names = names.iter().map(|observed| observed.name.as_str());
    names
        .filter(|name| experiments.iter().all(|experiment| is_complete(experiment, name)))
        .collect()
}

fn metric<'a>(
    out: &mut impl Write,
    name: &str,
    cells: impl Iterator<Item = &'a [f64]>,
) -> Result<(), ExportError> {
    writeln!(out, "METRIC {name}")?;
    for times in cells {
        let times: Vec<_> = times.iter().map(|&time| Number(time).to_string()).collect();
        writeln!(out, "DATA {}", times.join(" "))?;
    }
    Ok(())
}

/// The cells with finite values, sorted by value: the points.
fn points(experiment: &Experiment) -> Vec<&Cell> {
    let finite = |cell: &&Cell| cell.values.iter().all(|value| value.is_finite());
    let mut cells: Vec<_> = experiment.cells.iter().filter(finite).collect();
    cells.sort_by(|a, b| {
        let values = a.values.iter().zip(&b.values);
        values
            .map(|(a, b)| a.total_cmp(b))
            .find(|order| order.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    cells
}
