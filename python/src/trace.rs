//! Traces as columns.

use std::path::PathBuf;
use std::sync::Arc;

use cll_analysis::Error;
use cll_analysis::begins_as_trace;
use cll_analysis::{data_in, empty_files, notices, read_together, read_traces, select};
use cll_files::Notices;
use cll_samples::{Policy, Quantity, prepare};
use cll_trace::{Cell, Experiment, Start, Trace as Content};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::{Columns, Values, to_python};
use crate::work::in_thread;

/// Samples of a program's runs.
#[pyclass(frozen, module = "cll._cll")]
pub struct Trace {
    content: Arc<Content>,
}

/// Reads traces together; a folder stands for the traces in it.
#[pyfunction]
pub fn read_trace(py: Python<'_>, files: Vec<PathBuf>) -> PyResult<Trace> {
    in_thread(py, move |messages| {
        let files = empty_files::leave_out(data_in(&files)?, messages)?;
        let together = files.len() > 1 && files.iter().all(|path| begins_as_trace(path));
        let trace = if together { read_together(&files)? } else { read_traces(&files)? };
        for notice in notices(&trace, &files) {
            messages.warn(&notice.text);
        }
        Ok(Trace { content: Arc::new(trace) })
    })
}

#[pymethods]
impl Trace {
    /// A row for each experiment: name, formula, variables, places, samples, points.
    fn experiments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = &self.content.experiments;
        let texts = |of: &dyn Fn(&Experiment) -> String| {
            Values::Texts(all.iter().map(|experiment| Some(of(experiment))).collect())
        };
        let names = |one: &Experiment| {
            let names = one.observables.iter().map(|observed| observed.name.as_str());
            names.collect::<Vec<_>>().join(", ")
        };
        let places = |one: &Experiment| {
            one.places.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        let columns: Columns = vec![
            ("experiment".to_owned(), "", texts(&|one| one.name.clone())),
            ("formula".to_owned(), "", texts(&|one| one.formula.clone())),
            ("variables".to_owned(), "", texts(&|one| one.variables.join(", "))),
            ("observables".to_owned(), "", texts(&names)),
            ("places".to_owned(), "", texts(&places)),
            (
                "samples".to_owned(),
                "",
                Values::Integers(all.iter().map(|one| one.samples() as i64).collect()),
            ),
            (
                "points".to_owned(),
                "",
                Values::Integers(all.iter().map(|one| one.cells.len() as i64).collect()),
            ),
        ];
        to_python(py, columns)
    }

    /// A row for each sample as it was recorded, by all processors.
    fn samples<'py>(
        &self,
        py: Python<'py>,
        experiments: Vec<String>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let content = Arc::clone(&self.content);
        let columns = in_thread(py, move |_| samples(&content, &experiments))?;
        to_python(py, columns)
    }

    /// A row for each observation that is fitted: of parallel passages the slowest sample.
    fn data<'py>(
        &self,
        py: Python<'py>,
        experiments: Vec<String>,
        observable: Option<String>,
        exclusive: bool,
        without_switched: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let content = Arc::clone(&self.content);
        let columns =
            in_thread(py, move |messages| {
                let policy = Policy { without_switched, ..Policy::default() };
                let (prepared, left_out) = prepare(Content::clone(&content), &policy);
                if left_out.switched > 0 {
                    messages.note(&format!(
                        "{} samples are left out, during which the program was switched out",
                        left_out.switched
                    ));
                }
                let observable = observable.filter(|name| name != "time");
                let observable = observable.as_deref();
                if let Some(name) = observable {
                    check_observable(&prepared, name)?;
                }
                let indices = chosen(&prepared, &experiments)?;
                let data = indices.iter().map(|&index| {
                    let of = Quantity { observable, exclusive };
                    (&prepared.experiments[index], prepared.data(index, of))
                });
                let data: Vec<_> = data.collect();
                let variables = variables(data.iter().map(|(experiment, _)| *experiment));
                let mut numbers: Vec<Vec<f64>> = vec![Vec::new(); variables.len() + 1];
                let mut codes: Vec<i32> = Vec::new();
                for (code, (experiment, data)) in data.iter().enumerate() {
                    for point in &data.points {
                        let count = point.observations.len();
                        for (name, column) in variables.iter().zip(&mut numbers) {
                            let at = experiment.variables.iter().position(|own| own == name);
                            let value = at.map_or(f64::NAN, |at| point.values[at]);
                            column.resize(column.len() + count, value);
                        }
                        if let Some(last) = numbers.last_mut() {
                            last.extend_from_slice(&point.observations);
                        }
                        codes.resize(codes.len() + count, code as i32);
                    }
                }
                let names = data.iter().map(|(experiment, _)| experiment.name.clone()).collect();
                let mut all: Columns =
                    vec![("experiment".to_owned(), "", Values::Categories(codes, names))];
                let value = numbers.pop().unwrap_or_default();
                all.extend(variables.into_iter().zip(numbers).map(|(name, column)| {
                    (format!("variable.{name}"), "", Values::Numbers(column))
                }));
                let unit = if observable.is_none() { "s" } else { "" };
                let name = observable.unwrap_or("time_s").to_owned();
                all.push((name, unit, Values::Numbers(value)));
                Ok(all)
            })?;
        to_python(py, columns)
    }
}

fn check_observable(trace: &Content, name: &str) -> Result<(), Error> {
    let known = trace.experiments.iter().flat_map(|experiment| &experiment.observables);
    let known: Vec<&str> = known.map(|observed| observed.name.as_str()).collect();
    if known.contains(&name) {
        Ok(())
    } else if known.is_empty() {
        Err(Error::request(format!("{name} was not recorded, and nothing else besides the time")))
    } else {
        Err(Error::request(format!(
            "{name} was not recorded: {}",
            cll_diagnostic::suggestion(name, &known)
        )))
    }
}

/// Indices of the experiments with these names; all if there are no names.
fn chosen(trace: &Content, names: &[String]) -> Result<Vec<usize>, Error> {
    let all: Vec<(usize, &str)> =
        trace.experiments.iter().map(|experiment| experiment.name.as_str()).enumerate().collect();
    Ok(select(all, names, |pair| pair.1)?.into_iter().map(|(index, _)| index).collect())
}

/// The variables of experiments, each once.
fn variables<'a>(experiments: impl Iterator<Item = &'a Experiment>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in experiments.flat_map(|experiment| &experiment.variables) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

fn samples(trace: &Content, names: &[String]) -> Result<Columns, Error> {
    let all: Vec<&Experiment> =
        chosen(trace, names)?.into_iter().map(|index| &trace.experiments[index]).collect();
    let cells = || {
        all.iter()
            .flat_map(|experiment| experiment.cells.iter().map(move |cell| (*experiment, cell)))
    };
    let rows: usize = cells().map(|(_, cell)| cell.inclusive.len()).sum();
    let numbers = |of: &dyn Fn(&Experiment, &Cell, &mut Vec<f64>)| {
        let mut column = Vec::with_capacity(rows);
        cells().for_each(|(experiment, cell)| of(experiment, cell, &mut column));
        Values::Numbers(column)
    };
    let mut codes: Vec<i32> = Vec::with_capacity(rows);
    for (code, experiment) in all.iter().enumerate() {
        let own: usize = experiment.cells.iter().map(|cell| cell.inclusive.len()).sum();
        codes.resize(codes.len() + own, code as i32);
    }
    let mut places: Vec<String> = Vec::new();
    // A number for each origin, looked up once for a stretch of samples.
    let mut origins = Origins::with_capacity(rows);
    for experiment in &all {
        let first = places.len();
        places.extend(experiment.places.iter().map(ToString::to_string));
        for cell in &experiment.cells {
            origins.add(trace, experiment, cell, first);
        }
    }
    let names = all.iter().map(|experiment| experiment.name.clone()).collect();
    let mut columns: Columns = vec![
        ("experiment".to_owned(), "", Values::Categories(codes, names)),
        ("place".to_owned(), "", Values::Categories(origins.place, places)),
        ("run".to_owned(), "", Values::Integers(origins.run)),
        ("process".to_owned(), "", Values::Integers(origins.process)),
        ("processor".to_owned(), "", Values::Integers(origins.processor)),
        ("thread".to_owned(), "", Values::Integers(origins.thread)),
        ("switched".to_owned(), "", Values::Flags(origins.switched)),
        ("left".to_owned(), "", Values::Flags(origins.left)),
        ("late".to_owned(), "", Values::Flags(origins.late)),
    ];
    for name in variables(all.iter().copied()) {
        let values = numbers(&|experiment, cell, column| {
            let at = experiment.variables.iter().position(|own| *own == name);
            let value = at.map_or(f64::NAN, |at| cell.values[at]);
            column.resize(column.len() + cell.inclusive.len(), value);
        });
        columns.push((format!("variable.{name}"), "", values));
    }
    let inclusive = numbers(&|_, cell, column| column.extend_from_slice(&cell.inclusive));
    columns.push(("inclusive_s".to_owned(), "s", inclusive));
    let exclusive = numbers(&|_, cell, column| column.extend_from_slice(cell.exclusive()));
    columns.push(("exclusive_s".to_owned(), "s", exclusive));
    let mut observables: Vec<&str> = Vec::new();
    for observed in all.iter().flat_map(|experiment| &experiment.observables) {
        if !observables.contains(&observed.name.as_str()) {
            observables.push(&observed.name);
        }
    }
    for name in observables {
        for exclusive in [false, true] {
            let values = numbers(&|experiment, cell, column| {
                let at = experiment.observables.iter().position(|own| own.name == name);
                match at.and_then(|at| cell.observed.get(at)) {
                    Some(series) if exclusive => column.extend_from_slice(&series.exclusive),
                    Some(series) => column.extend_from_slice(&series.inclusive),
                    None => column.resize(column.len() + cell.inclusive.len(), f64::NAN),
                }
            });
            let title = if exclusive { format!("{name}.exclusive") } else { name.to_owned() };
            columns.push((title, "", values));
        }
    }
    Ok(columns)
}

/// Where samples come from, a value for each sample.
struct Origins {
    place: Vec<i32>,
    run: Vec<i64>,
    process: Vec<i64>,
    processor: Vec<i64>,
    thread: Vec<i64>,
    switched: Vec<u8>,
    left: Vec<u8>,
    late: Vec<u8>,
}

impl Origins {
    fn with_capacity(rows: usize) -> Origins {
        Origins {
            place: Vec::with_capacity(rows),
            run: Vec::with_capacity(rows),
            process: Vec::with_capacity(rows),
            processor: Vec::with_capacity(rows),
            thread: Vec::with_capacity(rows),
            switched: Vec::with_capacity(rows),
            left: Vec::with_capacity(rows),
            late: Vec::with_capacity(rows),
        }
    }

    /// The samples of a cell; the experiment's places begin at `first`.
    fn add(&mut self, trace: &Content, experiment: &Experiment, cell: &Cell, first: usize) {
        for stretch in &cell.stretches {
            let Some(origin) = experiment.origins.get(stretch.origin as usize) else { continue };
            let process = trace.processes.get(origin.process as usize);
            let processor = process.and_then(|process| process.processor.as_ref());
            let end = self.place.len() + stretch.count as usize;
            self.place.resize(end, (first + origin.place as usize) as i32);
            self.run.resize(end, process.map_or(0, |process| i64::from(process.run)));
            self.process.resize(end, process.map_or(0, |process| i64::from(process.pid)));
            self.processor
                .resize(end, processor.map_or(-1, |processor| i64::from(processor.number)));
            self.thread.resize(end, i64::from(origin.thread));
            self.switched.resize(end, u8::from(origin.switched));
            self.left.resize(end, u8::from(origin.left));
            self.late.resize(end, u8::from(origin.start == Start::Late));
        }
    }
}
