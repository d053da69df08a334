//! Values as JSON. `docs/formats/llac.md` describes it.

use cll_result::{ModelJson, Predictions};
use serde_json::{Map, Value as Json, json as object};

use crate::samples::Samples;
use crate::value::Value;

use super::parts::{numbers, of_number, of_table};

/// A value as JSON: an object with its `kind`.
pub fn json(value: &Value, confidence: f64) -> Json {
    let kind = value.kind();
    match value {
        Value::Bool(truth) => object!({ "kind": kind, "value": truth }),
        Value::Number(number) => with_kind(kind, of_number(number, confidence)),
        Value::Text(text) => object!({ "kind": kind, "value": &**text }),
        Value::Column(column) => object!({
            "kind": kind,
            "unit": column.unit.to_string(),
            "values": numbers(&column.values),
        }),
        Value::Words(words) => {
            let all: Vec<&str> = (0..words.codes.len()).map(|row| words.word(row)).collect();
            object!({ "kind": kind, "values": all })
        }
        Value::Truths(truths) => object!({ "kind": kind, "values": truths.to_vec() }),
        Value::List(values) => {
            let all: Vec<Json> = values.iter().map(|value| json(value, confidence)).collect();
            object!({ "kind": kind, "values": all })
        }
        Value::Table(table) => with_kind(kind, of_table(table)),
        Value::Samples(samples) => with_kind(kind, of_samples(samples)),
        Value::Model(model) => {
            let file = model.chosen();
            let model = serde_json::to_value(ModelJson::of(&file, &[])).unwrap_or_default();
            object!({ "kind": kind, "model": model })
        }
        Value::Prediction(prediction) => {
            let predictions = Predictions::of(&prediction.model.file, &prediction.predicted);
            let predictions = serde_json::to_value(predictions).unwrap_or_default();
            object!({ "kind": kind, "predictions": predictions })
        }
        Value::Comparison(comparison) => with_kind(kind, comparison.json(confidence)),
        Value::Function(function) => object!({
            "kind": kind,
            "name": function.name,
            "parameters": function.parameters,
            "definition": function.definition,
        }),
        Value::Plot(plot) => {
            object!({ "kind": kind, "plot": serde_json::to_value(&**plot).unwrap_or_default() })
        }
        Value::Thing(thing) => object!({ "kind": kind, "content": thing.json() }),
        Value::Space(names) => {
            let names: Map<String, Json> =
                names.iter().map(|(name, value)| (name.clone(), json(value, confidence))).collect();
            object!({ "kind": kind, "names": names })
        }
    }
}

fn with_kind(kind: &str, mut value: Json) -> Json {
    if let Json::Object(fields) = &mut value {
        fields.insert("kind".to_owned(), kind.into());
    }
    value
}

fn of_samples(samples: &Samples) -> Json {
    let points = samples.groups.iter().map(|group| {
        object!({
            "values": numbers(&group.values),
            "observations": numbers(&group.cell.inclusive),
            "marked": group.marked(),
        })
    });
    object!({
        "name": samples.name,
        "formula": samples.formula,
        "unit": samples.unit.to_string(),
        "variables": samples.variables,
        "samples": samples.rows(),
        "marked": samples.marked(),
        "changes": samples.changes,
        "points": points.collect::<Vec<_>>(),
    })
}
