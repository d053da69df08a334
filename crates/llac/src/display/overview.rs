//! The overview of values, one line for each.

use cll_diagnostic::counted;
use cll_report::{Column, Style, Table};

use crate::value::Value;

/// A value in a line.
pub fn brief(value: &Value) -> String {
    match value {
        Value::Bool(_) | Value::Text(_) | Value::Number(_) => {
            let style = Style { width: 200, color: false, unicode: true };
            super::text(value, &style, 0.90).trim_end().to_owned()
        }
        Value::Column(column) => {
            let numbers = counted(column.values.len(), "number", "numbers");
            if column.unit.is_none() { numbers } else { format!("{numbers} in {}", column.unit) }
        }
        Value::Words(words) => counted(words.codes.len(), "word", "words"),
        Value::Truths(truths) => counted(truths.len(), "truth value", "truth values"),
        Value::List(values) => counted(values.len(), "value", "values"),
        Value::Table(table) => {
            let rows = counted(table.rows(), "row", "rows");
            format!("{rows}, {}", counted(table.columns().len(), "column", "columns"))
        }
        Value::Samples(samples) => {
            let marked = match samples.marked() {
                0 => String::new(),
                marked => format!(", {marked} marked"),
            };
            let ranges = crate::evaluate::ranges(samples);
            let points = samples.groups.len();
            let points = counted(points, "point", "points");
            format!("{} at {points}, {ranges}{marked}", samples.rows())
        }
        Value::Model(model) => {
            let formulas: Vec<&str> =
                model.experiments().map(|experiment| experiment.formula.as_str()).collect();
            match formulas.len() {
                1 => formulas[0].to_owned(),
                count => {
                    let names: Vec<&str> =
                        model.experiments().map(|experiment| experiment.name.as_str()).collect();
                    format!("{count} experiments: {}", names.join(", "))
                }
            }
        }
        Value::Prediction(prediction) => {
            counted(prediction.predicted.len(), "prediction", "predictions")
        }
        Value::Comparison(comparison) => comparison.summary(),
        Value::Function(function) => function.definition.clone(),
        Value::Plot(plot) => plot.title.clone(),
        Value::Thing(thing) => thing.summary(),
        Value::Space(names) => {
            let names: Vec<&str> = names.keys().map(String::as_str).collect();
            names.join(", ")
        }
    }
}

/// Names with the kind and a line about each value.
pub fn overview<'v>(
    names: impl IntoIterator<Item = (&'v str, &'v Value)>,
    style: &Style,
) -> String {
    let mut table =
        Table::new(vec![Column::left("name"), Column::left("is"), Column::left("").flexible()]);
    for (name, value) in names {
        table.row([name.into(), value.kind().into(), brief(value).into()]);
    }
    if table.is_empty() {
        "there are no names yet: `open \"FILE\"` reads samples or a model\n".to_owned()
    } else {
        table.render(style, 0)
    }
}
