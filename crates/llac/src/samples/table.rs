//! Tables of the language as samples, so that they can be fitted.

use std::collections::HashMap;
use std::sync::Arc;

use cll_result::ColumnModel;
use cll_trace::Cell;

use super::{Group, Samples};
use crate::error::Error;
use crate::value::{Cells, Column, Table, Words};

/// Names of columns that are the result, the first that there is.
const RESULTS: &[&str] = &["time", "median", "value", "measured"];

/// Names of columns that say something about the result, and are no variables.
const STATISTICS: &[&str] =
    &["samples", "rows", "error", "median", "mean", "min", "max", "deviation", "low", "high"];

impl Samples {
    /// The rows of a table: the result is the column that is asked for, else `time`, `median`, `value` or `measured`,
    /// or the only one with a unit; the other columns of numbers without a unit are variables, those of words labels.
    ///
    /// # Errors
    /// Why it cannot be fitted.
    pub fn of_table(table: &Table, asked: Option<&str>) -> Result<Samples, Error> {
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
        if let Some(name) = asked.filter(|name| numbers(name).is_none()) {
            let all = table.columns().iter().filter(|(name, _)| numbers(name).is_some());
            let known = all.map(|(name, _)| name.clone()).collect();
            return Err(Error::NoColumn { name: name.to_owned(), known });
        }
        let known = RESULTS.iter().copied().find(|name| numbers(name).is_some());
        let chosen = asked.or(known).or(match with_unit[..] {
            [only] => Some(only),
            _ => None,
        });
        let Some(result) = chosen else {
            return Err(Error::NoResult);
        };
        let Some(results) = numbers(result) else { return Err(Error::NoNumbers) };
        let is_variable = |name: &str, column: &Column| {
            name != result && column.unit.is_none() && !STATISTICS.contains(&name)
        };
        let variables: Vec<(&String, &Column)> = table
            .columns()
            .iter()
            .filter_map(|(name, cells)| match cells {
                Cells::Numbers(column) if is_variable(name, column) => Some((name, column)),
                _ => None,
            })
            .collect();
        let mut groups: Vec<(Vec<f64>, Cell, Vec<usize>)> = Vec::new();
        let mut index: HashMap<Vec<u64>, usize> = HashMap::new();
        for row in 0..table.rows() {
            let values: Vec<f64> = variables.iter().map(|(_, column)| column.values[row]).collect();
            let key = values.iter().map(|value| (value + 0.0).to_bits()).collect();
            let position = *index.entry(key).or_insert_with(|| {
                groups.push((values, Cell::new(Vec::new()), Vec::new()));
                groups.len() - 1
            });
            let result = results.values[row];
            if !result.is_nan() {
                groups[position].1.push(result, result, 0);
                groups[position].2.push(row);
            }
        }
        let rows: Vec<usize> =
            groups.iter().flat_map(|(_, _, rows)| rows.iter().copied()).collect();
        let samples = Samples {
            name: "f".to_owned(),
            variables: variables.iter().map(|(name, _)| (*name).clone()).collect(),
            result: result.to_owned(),
            unit: results.unit.clone(),
            groups: groups
                .into_iter()
                .map(|(values, cell, _)| Group { values, cell: Arc::new(cell), marks: None })
                .collect(),
            column: Some(ColumnModel {
                file: "a table".to_owned(),
                name: result.to_owned(),
                unit: Some(results.unit.to_string()),
            }),
            ..Samples::default()
        };
        let labels = table.columns().iter().filter_map(|(name, cells)| match cells {
            Cells::Words(words) => Some((name, words)),
            _ => None,
        });
        Ok(labels.fold(samples, |samples, (name, words)| {
            samples.with_words(name, &Words::from_rows(rows.iter().map(|row| words.word(*row))))
        }))
    }
}
