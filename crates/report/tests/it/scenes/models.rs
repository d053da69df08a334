//! Models of which a test says only what it is about.

use cll_result::{ModelFile, Predicted, PredictionView};
use serde_json::{Value, json};

/// The model that this JSON is the beginning of: what it leaves out is empty.
pub fn model(given: &Value) -> ModelFile {
    let complete = over(
        json!({ "format": "cll-model", "version": 1, "tool": "", "created": "", "program": null,
                "machine": null, "clock": "", "seed": null, "runs": [], "experiments": [],
                "warnings": [] }),
        given,
    );
    let program = json!({ "name": "", "sources": [], "model": "", "compiled": null });
    let run = json!({ "trace": "", "arguments": [], "processors": null, "order": "", "exit": null,
                      "signal": null, "timed_out": false, "time_s": null });
    let experiment = json!({ "name": "", "formula": "", "places": [], "variables": [], "unit": "s",
                             "time": "", "samples": 0, "fit": null, "failure": null,
                             "warnings": [] });
    let complete = inside(complete, "program", &|value| over(program.clone(), value));
    let complete = inside(complete, "runs", &|value| over(run.clone(), value));
    let complete = inside(complete, "experiments", &|value| over(experiment.clone(), value));
    let complete = inside(complete, "sampling", &sampling);
    serde_json::from_value(complete).expect("a model")
}

fn sampling(given: &Value) -> Value {
    let complete = over(
        json!({ "seed": 0, "precision": null, "reached": null, "widest": null,
                "budget_s": null, "wanted": [], "stopped": "launches", "pinned": null,
                "scheduler": "", "canary_known": false, "verdict": {}, "rounds": [],
                "discarded": { "samples": 0, "switched": 0 }, "overhead": [] }),
        given,
    );
    let verdict = json!({ "state": "quiet", "reasons": [], "advice": [] });
    let canary = json!({ "chain": null, "width": null, "narrow": null, "partner": null });
    let round = json!({ "round": 0, "runs": [], "started": 0.0, "wall": 0.0, "cpu": 0.0,
                        "involuntary": 0, "voluntary": 0, "steal": 0.0, "others": 0.0,
                        "elsewhere": 0.0, "canary": canary, "marked": [], "used": true });
    let measuring = json!({ "against": "plain", "because": null, "run": "", "pairs": 0, "with": 0.0,
                            "without": 0.0, "start": 0.0, "share": 0.0, "low": null, "high": null,
                            "code": null });
    let dilation = json!({ "experiment": "", "gate_on": 0.0, "gate_off": 0.0, "share": 0.0,
                           "per_region": null, "too_short": false });
    let complete = inside(complete, "verdict", &|value| over(verdict.clone(), value));
    let complete = inside(complete, "rounds", &|value| over(round.clone(), value));
    let complete = inside(complete, "measuring", &|value| over(measuring.clone(), value));
    inside(complete, "overhead", &|value| over(dilation.clone(), value))
}

/// The fields of one value, those of another in their place where it has them.
fn over(mut base: Value, given: &Value) -> Value {
    let fields = given.as_object().expect("an object");
    fields.iter().for_each(|(name, value)| base[name] = value.clone());
    base
}

/// A field, or what it lists, made whole; what is not there stays so.
fn inside(mut value: Value, field: &str, complete: &dyn Fn(&Value) -> Value) -> Value {
    match value.get_mut(field) {
        Some(Value::Array(all)) => all.iter_mut().for_each(|value| *value = complete(value)),
        Some(value @ Value::Object(_)) => *value = complete(value),
        _ => {}
    }
    value
}

/// Predictions of each experiment that has a fit.
pub fn predicted(model: &ModelFile, views: &[Vec<PredictionView>]) -> Vec<Predicted> {
    let each = views.iter().enumerate().flat_map(|(index, views)| {
        let fit = model.experiments.get(index).and_then(|experiment| experiment.fit.as_ref());
        fit.into_iter().flat_map(move |fit| {
            views.iter().map(move |view| Predicted::new(index, fit, view.clone()))
        })
    });
    each.collect()
}
