//! From traces and tables to samples.

use std::sync::Arc;

use cll_import::{Quantity, Table};
use cll_result::ColumnModel;
use cll_trace::{Cell, Trace};

use super::{Context, Group, Samples};
use crate::value::Unit;

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
            changes: Vec::new(),
        })
        .collect()
}

/// The rows of a table of another program.
pub fn table_samples(table: &Table, name: &str, file: &str) -> Samples {
    let unit = match &table.quantity {
        Quantity::Other(unit) => Unit::base(unit),
        Quantity::Time { .. } | Quantity::Unknown => Unit::seconds(),
    };
    let groups = table.groups.iter().map(|group| {
        let mut cell = Cell::new(Vec::new());
        group.results.iter().for_each(|&result| cell.push(result, result, 0));
        Group { values: group.values.clone(), cell: Arc::new(cell), marks: None }
    });
    let result = match table.result.is_empty() {
        true => "time".to_owned(),
        false => table.result.clone(),
    };
    Samples {
        name: name.to_owned(),
        variables: table.variables.clone(),
        unit,
        groups: groups.collect(),
        column: Some(ColumnModel {
            file: file.to_owned(),
            name: table.result.clone(),
            unit: match &table.quantity {
                Quantity::Time { unit, .. } => Some((*unit).to_owned()),
                Quantity::Other(unit) => Some(unit.clone()),
                Quantity::Unknown => None,
            },
        }),
        result,
        ..Samples::default()
    }
}
