//! Rows put into groups of equal keys.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use super::builtin::numbers;
use super::columns::cells;
use super::{Wrong, error};
use crate::syntax::ast::Span;
use crate::value::{Cells, Column, Table, Value, Words};

/// Rows put into groups of equal keys, in the order of the keys.
pub(crate) struct Groups {
    /// For each group the first row.
    pub first: Vec<usize>,
    /// For each row its group.
    pub row_groups: Vec<usize>,
}

impl Groups {
    /// The groups of so many rows by columns.
    pub fn new(keys: &[(String, Cells)], rows: usize) -> Groups {
        let bits: Vec<Vec<u64>> = keys.iter().map(|(_, cells)| bits(cells)).collect();
        let mut index: HashMap<Vec<u64>, usize> = HashMap::new();
        let (mut first, mut row_groups) = (Vec::new(), Vec::with_capacity(rows));
        for row in 0..rows {
            let key: Vec<u64> = bits.iter().map(|column| column[row]).collect();
            let group = *index.entry(key).or_insert_with(|| {
                first.push(row);
                first.len() - 1
            });
            row_groups.push(group);
        }
        let mut order: Vec<usize> = (0..first.len()).collect();
        order.sort_by(|&a, &b| {
            let compared = keys.iter().map(|(_, cells)| compare(cells, first[a], first[b]));
            compared.fold(Ordering::Equal, Ordering::then)
        });
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, old)| place[*old] = new);
        Groups {
            first: order.iter().map(|old| first[*old]).collect(),
            row_groups: row_groups.into_iter().map(|group| place[group]).collect(),
        }
    }

    /// Number of rows of each group.
    pub fn counts(&self) -> Vec<f64> {
        let mut counts = vec![0.0; self.first.len()];
        self.row_groups.iter().for_each(|group| counts[*group] += 1.0);
        counts
    }

    /// The rows of each group.
    pub fn rows(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new(); self.first.len()];
        self.row_groups.iter().enumerate().for_each(|(row, group)| all[*group].push(row));
        all
    }

    /// A number for the values of each group.
    pub fn each(&self, values: &[f64], reduce: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        let rows = self.rows();
        let values =
            rows.iter().map(|rows| rows.iter().map(|row| values[*row]).collect::<Vec<_>>());
        values.map(|values| reduce(&values)).collect()
    }

    /// The keys of the groups, as columns.
    pub fn key_columns(&self, keys: &[(String, Cells)]) -> Table {
        let columns = keys.iter();
        columns.fold(Table::new(), |table, (name, cells)| {
            table.with(name.clone(), cells.select_rows(&self.first))
        })
    }
}

/// Which of two rows comes first; numbers that are missing come last.
pub(crate) fn compare(cells: &Cells, a: usize, b: usize) -> Ordering {
    match cells {
        Cells::Numbers(column) => {
            let (a, b) = (column.values[a], column.values[b]);
            a.is_nan().cmp(&b.is_nan()).then(a.total_cmp(&b))
        }
        Cells::Words(words) => words.word(a).cmp(words.word(b)),
        Cells::Truths(truths) => truths[a].cmp(&truths[b]),
    }
}

/// Equal bits are equal keys.
pub(crate) fn bits(cells: &Cells) -> Vec<u64> {
    match cells {
        Cells::Numbers(column) => {
            column.values.iter().map(|value| (value + 0.0).to_bits()).collect()
        }
        Cells::Words(words) => words.codes.iter().map(|code| u64::from(*code)).collect(),
        Cells::Truths(truths) => truths.iter().map(|truth| u64::from(*truth)).collect(),
    }
}

/// A column with a value for each row.
pub(crate) fn of_rows(value: &Value, rows: usize, span: &Span) -> Result<Cells, Wrong> {
    cells(value, rows).ok_or_else(|| {
        let what = numbers(value)
            .map_or_else(|| value.a_kind().to_string(), |(all, _)| format!("{} values", all.len()));
        error("L152", span, format!("this has {what}, and there are {rows} rows")).into()
    })
}

/// Single values as a column; `None`: they are not alike.
pub(crate) fn column_of(values: &[Value]) -> Option<Cells> {
    match values.first()? {
        Value::Text(_) => {
            let texts = values.iter().map(|value| match value {
                Value::Text(text) => Some(text.to_string()),
                _ => None,
            });
            Some(Cells::Words(Words::from_rows(texts.collect::<Option<Vec<_>>>()?)))
        }
        Value::Bool(_) => {
            let truths = values.iter().map(|value| match value {
                Value::Bool(truth) => Some(*truth),
                _ => None,
            });
            Some(Cells::Truths(truths.collect::<Option<Arc<[bool]>>>()?))
        }
        _ => {
            let (values, unit) = numbers(&Value::List(values.into()))?;
            Some(Cells::Numbers(Column { values: values.into(), unit }))
        }
    }
}
