//! From traces and tables to samples.

use std::collections::HashMap;
use std::sync::Arc;

use cll_import::{ResultKind, Table};
use cll_result::ColumnModel;
use cll_trace::{Cell, Trace};

use super::{Context, Group, Samples};
use crate::display::CsvColumn;
use crate::value::{Unit, Words};

/// The samples of each experiment of traces that were read together; `files` are their names, in order.
pub fn trace_samples(mut trace: Trace, files: Vec<String>) -> Vec<Samples> {
    let experiments = std::mem::take(&mut trace.experiments);
    let context = Arc::new(Context { trace, files });
    experiments
        .into_iter()
        .map(|experiment| Samples {
            context: Arc::clone(&context),
            name: experiment.name,
            formula: experiment.formula,
            variables: experiment.variables,
            result: "time".to_owned(),
            unit: Unit::seconds(),
            observables: experiment.observables,
            places: experiment.places,
            origins: experiment.origins.into(),
            groups: experiment
                .cells
                .into_iter()
                .map(|mut cell| Group {
                    values: std::mem::take(&mut cell.values),
                    cell: Arc::new(cell),
                    marks: None,
                })
                .collect(),
            column: None,
            labels: Vec::new(),
            changes: Vec::new(),
        })
        .collect()
}

/// The rows of a table of another program.
pub fn table_samples(table: &Table, name: &str, file: &str) -> Samples {
    let unit = match &table.quantity {
        ResultKind::Other(unit) => Unit::base(unit),
        ResultKind::Time { .. } | ResultKind::Unknown => Unit::seconds(),
    };
    let groups = table.groups.iter().map(|group| {
        let mut cell = Cell::new(Vec::new());
        group.results.iter().for_each(|&result| cell.push(result, result, 0));
        Group { values: group.values.clone(), cell: Arc::new(cell), marks: None }
    });
    let result = if table.result.is_empty() { "time".to_owned() } else { table.result.clone() };
    Samples {
        name: name.to_owned(),
        variables: table.variables.clone(),
        unit,
        groups: groups.collect(),
        column: Some(ColumnModel {
            file: file.to_owned(),
            name: table.result.clone(),
            unit: match &table.quantity {
                ResultKind::Time { unit, .. } => Some((*unit).to_owned()),
                ResultKind::Other(unit) => Some(unit.clone()),
                ResultKind::Unknown => None,
            },
        }),
        result,
        ..Samples::default()
    }
}

/// The rows of a table of another program with its columns of text; `None`: the rows cannot be told apart.
pub fn labelled_samples(
    table: &Table,
    columns: &[CsvColumn],
    name: &str,
    file: &str,
) -> Option<Samples> {
    let samples = table_samples(table, name, file);
    // Of several the first.
    let headers: HashMap<&str, &str> = table
        .renamed
        .iter()
        .rev()
        .map(|renamed| (renamed.name.as_str(), renamed.header.as_str()))
        .collect();
    let columns_of: HashMap<&str, &CsvColumn> =
        columns.iter().rev().map(|column| (column.header.as_str(), column)).collect();
    let numbers = |header: &str| columns_of.get(header)?.numbers();
    let variables: Option<Vec<&[f64]>> = table
        .variables
        .iter()
        .map(|name| numbers(headers.get(name.as_str()).copied().unwrap_or(name.as_str())))
        .collect();
    let (variables, results) = (variables?, numbers(&table.result)?);
    // The place of each row that was kept: its group, and its number there.
    let key = |values: Vec<f64>| -> Vec<u64> {
        values.iter().map(|value| (value + 0.0).to_bits()).collect()
    };
    let groups = samples.groups.iter().enumerate();
    let index: HashMap<Vec<u64>, usize> =
        groups.map(|(position, group)| (key(group.values.clone()), position)).collect();
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); samples.groups.len()];
    for (row, result) in results.iter().enumerate() {
        let values: Vec<f64> = variables.iter().map(|column| column[row]).collect();
        if !result.is_finite() || !values.iter().all(|value| value.is_finite()) {
            continue;
        }
        rows[*index.get(&key(values))?].push(row);
    }
    let complete = samples.groups.iter().zip(&rows).all(|(group, rows)| group.len() == rows.len());
    let rows: Vec<usize> = rows.into_iter().flatten().collect();
    complete.then(|| {
        let texts = columns.iter().filter_map(|column| Some((column, column.words()?)));
        texts.fold(samples, |samples, (column, words)| {
            let words = Words::from_rows(rows.iter().map(|row| words[*row].as_str()));
            samples.with_words(&column.name, &words)
        })
    })
}
