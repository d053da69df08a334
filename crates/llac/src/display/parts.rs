//! Numbers and tables as JSON.

use serde_json::{Value as Json, json as object};

use crate::value::{Cells, Quantity, Table};

/// A number with its unit and interval.
pub(crate) fn of_number(number: &Quantity, confidence: f64) -> Json {
    let interval = number.interval(crate::normal::deviations(confidence));
    object!({
        "value": finite(number.value),
        "unit": number.unit.to_string(),
        "low": interval.map(|(low, _)| finite(low)),
        "high": interval.map(|(_, high)| finite(high)),
        "confidence": interval.map(|_| confidence),
        "beyond": number.beyond,
        "measurable": !number.doubtful,
    })
}

/// JSON has no infinities.
fn finite(value: f64) -> Json {
    if value.is_finite() { value.into() } else { Json::Null }
}

/// Numbers, those that are not finite as `null`.
pub(crate) fn numbers(values: &[f64]) -> Vec<Json> {
    values.iter().map(|value| finite(*value)).collect()
}

/// The columns of a table, in order.
pub(crate) fn of_table(table: &Table) -> Json {
    let columns = table.columns().iter().map(|(name, cells)| match cells {
        Cells::Numbers(column) => object!({
            "name": name, "unit": column.unit.to_string(), "values": numbers(&column.values),
        }),
        Cells::Words(words) => {
            let all: Vec<&str> = (0..words.codes.len()).map(|row| words.word(row)).collect();
            object!({ "name": name, "values": all })
        }
        Cells::Truths(truths) => object!({ "name": name, "values": truths.to_vec() }),
    });
    object!({ "rows": table.rows(), "columns": columns.collect::<Vec<_>>() })
}
