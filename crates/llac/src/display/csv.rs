//! Values as CSV (RFC 4180), numbers with the digits that read back as the same number.

use std::fmt::Write;

use crate::samples::{Frame, Level, Samples};
use crate::value::{Cells, Table, Unit, Value};

/// A value as CSV with a line of names; the unit stands behind a name, `time [s]`.
///
/// # Errors
/// The kind of a value that is no table.
pub fn csv(value: &Value) -> Result<String, &'static str> {
    let table = as_table(value).ok_or_else(|| value.kind())?;
    Ok(of_table(&table))
}

/// The table of a value; `None`: it is none.
pub(crate) fn as_table(value: &Value) -> Option<Table> {
    match value {
        Value::Table(table) => Some(Table::clone(table)),
        Value::Samples(samples) => Some(of_samples(samples)),
        Value::Prediction(prediction) => Some(prediction.table()),
        Value::Comparison(comparison) => Some(comparison.table()),
        Value::Model(model) => {
            let only = model.only().ok()?;
            model.constants(only)
        }
        other => {
            let count = crate::evaluate::elements(other).map_or(1, |all| all.len());
            if let Value::List(values) = other {
                return list_table(values);
            }
            let cells = crate::evaluate::cells(other, count)?;
            Some(Table::new().with("value", cells))
        }
    }
}

/// Numbers with their intervals.
fn list_table(values: &[Value]) -> Option<Table> {
    let z = crate::normal::deviations(0.90);
    let mut rows: [Vec<f64>; 3] = Default::default();
    let mut unit: Option<Unit> = None;
    for value in values {
        let Value::Number(number) = value else { return None };
        if *unit.get_or_insert_with(|| number.unit.clone()) != number.unit {
            return None;
        }
        let (low, high) = number.interval(z).unwrap_or((f64::NAN, f64::NAN));
        rows[0].push(number.value);
        rows[1].push(low);
        rows[2].push(high);
    }
    let unit = unit.unwrap_or_default();
    let [value, low, high] = rows;
    let with =
        |values: Vec<f64>| crate::value::Column { values: values.into(), unit: unit.clone() };
    Some(
        Table::new()
            .numbers("value", with(value))
            .numbers("low", with(low))
            .numbers("high", with(high)),
    )
}

/// A row for each sample, with all columns that say something.
fn of_samples(samples: &Samples) -> Table {
    let frame = Frame { samples, level: Level::Rows };
    let mut table = Table::new();
    for name in samples.column_names() {
        if let Some(cells) = frame.column(&name) {
            table = table.with(name, cells);
        }
    }
    table
}

fn of_table(table: &Table) -> String {
    let mut text = String::new();
    let names = table.columns().iter().map(|(name, cells)| match cells {
        Cells::Numbers(column) if !column.unit.is_none() => {
            field(&format!("{name} [{}]", column.unit))
        }
        _ => field(name),
    });
    text.push_str(&names.collect::<Vec<_>>().join(","));
    text.push('\n');
    for row in 0..table.rows() {
        for (k, (_, cells)) in table.columns().iter().enumerate() {
            if k > 0 {
                text.push(',');
            }
            match cells {
                Cells::Numbers(column) if column.values[row].is_nan() => {}
                Cells::Numbers(column) => {
                    let _ = write!(text, "{}", column.values[row]);
                }
                Cells::Words(words) => text.push_str(&field(words.word(row))),
                Cells::Truths(truths) => text.push_str(if truths[row] { "true" } else { "false" }),
            }
        }
        text.push('\n');
    }
    text
}

/// A field, in quotes if it needs them.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
