//! Values as text and as JSON.

mod csv;
mod json;
mod overview;
mod parts;
mod read_csv;
mod samples;
mod table;

use cll_report::{Notation, ReportOptions, Style, model_report, predictions_report};

pub(crate) use csv::as_table;
pub use csv::csv;
pub use json::json;
pub use overview::{brief, overview};
pub(crate) use parts::{of_number, of_table};
pub use read_csv::{CsvColumn, columns_table, csv_columns, csv_table};
pub(crate) use table::{number_text, table_text};

use crate::value::{Quantity, Value};
use cll_units::text::{PercentDigits, percent};

/// Rows of a table that are shown; `print` shows all.
pub(crate) const SHOWN_ROWS: usize = 40;

/// Rows of a plot in the terminal.
const PLOT_ROWS: usize = 18;

/// Values of a list that are shown.
const SHOWN_VALUES: usize = 100;

/// A value as text, each line ended by a new line. `confidence` is that of intervals.
pub fn text(value: &Value, style: &Style, confidence: f64) -> String {
    match value {
        Value::Bool(truth) => format!("{truth}\n"),
        Value::Number(number) => format!("{}\n", quantity(number, style, confidence)),
        Value::Text(text) => format!("{}\n", cll_report::escape(text)),
        Value::Column(_) | Value::Words(_) | Value::Truths(_) | Value::List(_) => {
            values(value, style, confidence)
        }
        Value::Table(table) => table_text(table, style, Some(SHOWN_ROWS)),
        Value::Samples(samples) => samples::text(samples, style),
        Value::Model(model) => {
            let shown = ReportOptions { points: false, accept: true };
            model_report(&model.chosen(), &[], shown, style)
        }
        Value::Prediction(prediction) => {
            predictions_report(&prediction.model.file, &prediction.predicted, style)
        }
        Value::Comparison(comparison) => comparison.text(style, confidence),
        Value::Function(function) => format!("{}\n", function.definition),
        Value::Plot(plot) => cll_report::terminal_plot(plot, style, PLOT_ROWS),
        Value::Thing(thing) => thing.text(style),
        Value::Space(names) => {
            overview(names.iter().map(|(name, value)| (name.as_str(), value)), style)
        }
    }
}

/// A number with its unit and interval.
pub(crate) fn quantity(number: &Quantity, style: &Style, confidence: f64) -> String {
    let notation = if style.unicode { Notation::Unicode } else { Notation::Ascii };
    let mut remarks: Vec<String> = Vec::new();
    let z = crate::normal::deviations(confidence);
    let value = match number.interval(z) {
        None => number_text(number.value, &number.unit, notation),
        Some((low, high)) => {
            let unit = number.unit.to_fit();
            let digits = if high > low { digits(number.value, high - low) } else { 4 };
            let percent = percent(confidence, PercentDigits::Decimals(0));
            remarks.push(format!("{} at {percent}", notation.range(low, high, &unit)));
            notation.rounded(number.value, digits, &unit)
        }
    };
    remarks.extend(number.beyond.then(|| "beyond the data".to_owned()));
    remarks.extend(number.doubtful.then(|| "not measurable".to_owned()));
    if remarks.is_empty() { value } else { format!("{value} ({})", remarks.join(", ")) }
}

/// Digits that an interval's width allows, at least 2.
fn digits(value: f64, width: f64) -> usize {
    let ratio = (value.abs() / width).log10();
    if ratio.is_finite() { (ratio.ceil() as i32 + 2).clamp(2, 6) as usize } else { 3 }
}

fn values(value: &Value, style: &Style, confidence: f64) -> String {
    let all = crate::evaluate::elements(value).unwrap_or_default();
    let mut text = String::new();
    for value in all.iter().take(SHOWN_VALUES) {
        match value {
            Value::Number(_) | Value::Text(_) | Value::Bool(_) => {
                text.push_str(&self::text(value, style, confidence));
            }
            other => text.push_str(&format!("{}\n", brief(other))),
        }
    }
    match all.len() {
        0 => "no values\n".to_owned(),
        length if length > SHOWN_VALUES => {
            format!("{text}and {} more; `print` shows all\n", length - SHOWN_VALUES)
        }
        _ => text,
    }
}
