//! Tables of the language as samples, so that they can be fitted.

use std::collections::HashMap;
use std::sync::Arc;

use cll_result::ColumnModel;
use cll_trace::Cell;

use super::{Group, Samples};
use crate::value::{Cells, Column, Table};

/// Names of columns that are the result, the first that there is.
const RESULTS: &[&str] = &["time", "median", "value", "measured"];

impl Samples {
    /// The rows of a table: the result is the column `time`, `median`, `value` or `measured`, or the only one with a
    /// unit; the other columns of numbers without a unit are variables.
    ///
    /// # Errors
    /// Why it cannot be fitted.
    pub fn of_table(table: &Table) -> Result<Samples, String> {
        let numbers = |name: &str| match table.column(name) {
            Some(Cells::Numbers(column)) => Some(column),
            _ => None,
        };
        let with_unit: Vec<&str> = table
            .columns()
            .iter()
            .filter(|(_, cells)| matches!(cells, Cells::Numbers(column) if !column.unit.is_none()))
            .map(|(name, _)| name.as_str())
            .collect();
        let found = RESULTS.iter().copied().find(|name| numbers(name).is_some());
        let found = found.or(match with_unit[..] {
            [only] => Some(only),
            _ => None,
        });
        let Some(result) = found else {
            return Err(
                "the table has no column `time`, `median`, `value` or `measured` to fit".to_owned()
            );
        };
        let Some(results) = numbers(result) else { return Err("it has no numbers".to_owned()) };
        let is_variable = |name: &str, column: &Column| {
            name != result && column.unit.is_none() && !["samples", "rows", "error"].contains(&name)
        };
        let variables: Vec<(&String, &Column)> = table
            .columns()
            .iter()
            .filter_map(|(name, cells)| match cells {
                Cells::Numbers(column) if is_variable(name, column) => Some((name, column)),
                _ => None,
            })
            .collect();
        let mut groups: Vec<(Vec<f64>, Cell)> = Vec::new();
        let mut index: HashMap<Vec<u64>, usize> = HashMap::new();
        for row in 0..table.rows() {
            let values: Vec<f64> = variables.iter().map(|(_, column)| column.values[row]).collect();
            let key = values.iter().map(|value| (value + 0.0).to_bits()).collect();
            let at = *index.entry(key).or_insert_with(|| {
                groups.push((values, Cell::new(Vec::new())));
                groups.len() - 1
            });
            let result = results.values[row];
            if !result.is_nan() {
                groups[at].1.push(result, result, 0);
            }
        }
        Ok(Samples {
            name: "f".to_owned(),
            variables: variables.iter().map(|(name, _)| (*name).clone()).collect(),
            result: result.to_owned(),
            unit: results.unit.clone(),
            groups: groups
                .into_iter()
                .map(|(values, cell)| Group { values, cell: Arc::new(cell), marks: None })
                .collect(),
            column: Some(ColumnModel {
                file: "a table".to_owned(),
                name: result.to_owned(),
                unit: Some(results.unit.to_string()),
            }),
            ..Samples::default()
        })
    }
}
