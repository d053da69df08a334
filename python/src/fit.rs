//! Fits of files and of tables.

use std::path::PathBuf;

use cll_analysis::Error;
use cll_analysis::{DataSource, Imported, ReadData, fit_model, mixture, read_data};
use cll_import::ResultKind;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::{Columns, Values, to_python};
use crate::model::Model;
use crate::options::{FitOptions, TableOptions, parse};
use crate::table::{TableColumn, TableValues, csv};
use crate::work::in_thread;

/// Fits files: traces, a campaign, a table, data of other programs. `options` are JSON.
#[pyfunction]
pub fn fit_files(py: Python<'_>, files: Vec<PathBuf>, options: &str) -> PyResult<Model> {
    let options = options.to_owned();
    in_thread(py, move |messages| {
        let options: FitOptions = parse(&options)?;
        let mut request = options.request(messages)?;
        request.mixture = mixture(&files, options.mixed)?;
        let import = options.import.options()?;
        let data = read_data(&files, import, &request.choices.formulas, messages)?;
        if data.has_trace() && options.import.is_given() {
            return Err(Error::request(
                "column, unit, format, by, columns, decimal, skip_bad and exit_codes are for data of other programs; a trace is in seconds",
            ));
        }
        Ok(Model::new(fit_model(data, &request)?))
    })
}

/// Fits a table: columns with their names, as bytes of numbers or as texts. `options` are JSON.
#[pyfunction]
pub fn fit_table(
    py: Python<'_>,
    columns: Vec<(String, Bound<'_, PyAny>)>,
    options: &str,
) -> PyResult<Model> {
    let columns = columns.into_iter().map(column).collect::<PyResult<Vec<_>>>()?;
    let options = options.to_owned();
    in_thread(py, move |messages| {
        let options: FitOptions = parse(&options)?;
        let request = options.request(messages)?;
        let used = request.choices.formulas.iter().flat_map(|formula| formula.variables());
        let used = used.map(|variable| variable.name.clone()).collect();
        let import = cll_import::ImportOptions {
            used,
            delimiter: Some(b','),
            format: Some("csv".to_owned()),
            ..options.import.options()?
        };
        let source = DataSource::of_csv("DataFrame", &csv(&columns)?, &import)?;
        Ok(Model::new(fit_model(ReadData::of(source), &request)?))
    })
}

fn column((name, values): (String, Bound<'_, PyAny>)) -> PyResult<TableColumn> {
    let values = match values.extract::<&[u8]>() {
        Ok(bytes) => TableValues::Numbers(bytemuck::pod_collect_to_vec(bytes)),
        Err(_) => TableValues::Texts(values.extract()?),
    };
    Ok(TableColumn { name, values })
}

/// The tables of files of other programs, a row for each result. `options` are JSON.
#[pyfunction]
pub fn read_tables<'py>(
    py: Python<'py>,
    files: Vec<PathBuf>,
    options: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let options = options.to_owned();
    let columns = in_thread(py, move |messages| {
        let options: TableOptions = parse(&options)?;
        let data = read_data(&files, options.options()?, &[], messages)?;
        if data.has_trace() {
            return Err(Error::content("this is a trace of cll").advise("cll.read reads traces"));
        }
        let tables: Vec<Imported> =
            data.parts.into_iter().flat_map(|part| part.source.into_tables()).collect();
        for notice in cll_analysis::remarks(&tables) {
            cll_files::Notices::note(messages, &notice.text);
        }
        Ok(rows(&tables))
    })?;
    to_python(py, columns)
}

/// Experiment, metric, unit, a column for each variable, and the value.
fn rows(tables: &[Imported]) -> Columns {
    let mut variables: Vec<&String> = Vec::new();
    for name in tables.iter().flat_map(|imported| &imported.table.variables) {
        if !variables.contains(&name) {
            variables.push(name);
        }
    }
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); variables.len()];
    let (mut regions, mut metrics, mut units) = (Vec::new(), Vec::new(), Vec::new());
    let mut results = Vec::new();
    for Imported { region, table, .. } in tables {
        let unit = match &table.quantity {
            // The readers have converted to seconds.
            ResultKind::Time { .. } => "s".to_owned(),
            ResultKind::Other(unit) => unit.clone(),
            ResultKind::Unknown => String::new(),
        };
        for group in &table.groups {
            for result in &group.results {
                for (name, column) in variables.iter().zip(&mut columns) {
                    let at = table.variables.iter().position(|own| own == *name);
                    column.push(at.map_or(f64::NAN, |at| group.values[at]));
                }
                regions.push(region.as_str());
                metrics.push(table.result.as_str());
                units.push(unit.clone());
                results.push(*result);
            }
        }
    }
    let mut all: Columns = vec![
        ("experiment".to_owned(), "", categories(&regions)),
        ("metric".to_owned(), "", categories(&metrics)),
        ("unit".to_owned(), "", categories(&units.iter().map(String::as_str).collect::<Vec<_>>())),
    ];
    let named = variables.iter().map(|name| (*name).clone()).zip(columns);
    all.extend(named.map(|(name, column)| (name, "", Values::Numbers(column))));
    all.push(("value".to_owned(), "", Values::Numbers(results)));
    all
}

/// Texts of which many are equal.
pub fn categories(texts: &[&str]) -> Values {
    let mut names: Vec<String> = Vec::new();
    let code = |text: &&str| {
        let known = names.iter().rposition(|name| name == text).unwrap_or_else(|| {
            names.push((*text).to_owned());
            names.len() - 1
        });
        known as i32
    };
    let codes = texts.iter().map(code).collect();
    Values::Categories(codes, names)
}
