//! Tables of the program's exports as tables of the language.

use crate::value::{Cells, Column, Table, Unit, Words};

/// A table in CSV with a line of names. A column whose fields are all numbers or empty is of numbers; one whose name
/// ends in `_s` or `_bytes` has that unit.
pub fn csv_table(text: &[u8]) -> Table {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text);
    let names: Vec<String> = reader
        .byte_headers()
        .map(|names| names.iter().map(|one| String::from_utf8_lossy(one).into_owned()).collect())
        .unwrap_or_default();
    let mut columns: Vec<Vec<String>> = vec![Vec::new(); names.len()];
    for record in reader.byte_records().flatten() {
        for (k, column) in columns.iter_mut().enumerate() {
            let field = record.get(k).unwrap_or_default();
            column.push(String::from_utf8_lossy(field).into_owned());
        }
    }
    let mut table = Table::new();
    for (name, fields) in names.iter().zip(columns) {
        let numbers = fields.iter().map(|field| match field.is_empty() {
            true => Some(f64::NAN),
            false => field.parse().ok(),
        });
        let numbers: Option<Vec<f64>> = numbers.collect();
        let (name, unit) = match (name.strip_suffix("_s"), name.strip_suffix("_bytes")) {
            (Some(bare), _) => (bare, Unit::seconds()),
            (_, Some(bare)) => (bare, Unit::bytes()),
            _ => (name.as_str(), Unit::NONE),
        };
        table = match numbers.filter(|all| all.iter().any(|value| !value.is_nan())) {
            Some(values) => table.numbers(name, Column { values: values.into(), unit }),
            None => table.with(name, Cells::Words(Words::of(fields))),
        };
    }
    table
}
