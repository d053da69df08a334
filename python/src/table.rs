//! Tables of Python as CSV, so that they are read by the rules of a file: names, units, missing values, repetitions.

use cll_analysis::Error;
use std::io::Write;

/// A column: its name, and its values as numbers or texts.
#[derive(Debug)]
pub struct TableColumn {
    /// The name.
    pub name: String,
    /// The values.
    pub values: TableValues,
}

/// The values of a column.
#[derive(Debug)]
pub enum TableValues {
    /// Numbers; NaN where one is missing.
    Numbers(Vec<f64>),
    /// Texts; `None` where one is missing.
    Texts(Vec<Option<String>>),
}

impl TableValues {
    fn len(&self) -> usize {
        match self {
            TableValues::Numbers(all) => all.len(),
            TableValues::Texts(all) => all.len(),
        }
    }
}

/// The table as CSV: a number is written so that reading it gives the same number.
///
/// # Errors
/// If it has no columns or no rows, or two columns have one name.
pub fn csv(columns: &[TableColumn]) -> Result<Vec<u8>, Error> {
    let rows = columns.first().map_or(0, |column| column.values.len());
    if columns.is_empty() {
        return Err(Error::content("the DataFrame has no columns"));
    }
    if rows == 0 {
        return Err(Error::content("the DataFrame has no rows"));
    }
    for (index, column) in columns.iter().enumerate() {
        if columns[..index].iter().any(|other| other.name == column.name) {
            return Err(Error::content(format!("the DataFrame has two columns {}", column.name)));
        }
    }
    let mut out = Vec::with_capacity(rows * columns.len() * 12);
    for (index, column) in columns.iter().enumerate() {
        field(&mut out, index, &column.name);
    }
    out.push(b'\n');
    for row in 0..rows {
        for (index, column) in columns.iter().enumerate() {
            match &column.values {
                TableValues::Numbers(all) => number(&mut out, index, all[row]),
                TableValues::Texts(all) => {
                    field(&mut out, index, all[row].as_deref().unwrap_or(""))
                }
            }
        }
        out.push(b'\n');
    }
    Ok(out)
}

fn number(out: &mut Vec<u8>, index: usize, value: f64) {
    if index > 0 {
        out.push(b',');
    }
    // A missing value is an empty field; infinity is written, so that a message shows it.
    if !value.is_nan() {
        let _ = write!(out, "{value:?}");
    }
}

fn field(out: &mut Vec<u8>, index: usize, text: &str) {
    if index > 0 {
        out.push(b',');
    }
    // A line with quotes takes the reader longer, so only texts that need them have them.
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:[]()".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        out.extend(text.bytes());
        return;
    }
    out.push(b'"');
    out.extend(text.replace('"', "\"\"").replace(['\n', '\r'], " ").bytes());
    out.push(b'"');
}
