//! Models of older versions lack fields, those of newer ones have more.

use cll_fit::rounds::State;
use cll_result::{ModelError, ModelFile, Sampling};
use serde_json::{Value, json};

use crate::support::{experiment, full_model};

/// A model as value, changed and read.
fn read(change: impl FnOnce(&mut Value)) -> Result<ModelFile, ModelError> {
    let mut value = serde_json::to_value(full_model()).unwrap();
    change(&mut value);
    ModelFile::parse(value.to_string().as_bytes())
}

/// Adds a field to each object of a value.
fn grow(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.values_mut().for_each(grow);
            fields.insert("of tomorrow".to_owned(), json!({ "a": [1, null] }));
        }
        Value::Array(elements) => elements.iter_mut().for_each(grow),
        _ => {}
    }
}

#[test]
fn fields_of_newer_versions_are_passed_over() {
    let grown = read(|value| {
        grow(&mut value["sampling"]);
        grow(&mut value["runs"]);
        grow(&mut value["ranking"]);
        grow(&mut value["machine"]);
        grow(&mut value["experiments"][0]["search"]);
        grow(&mut value["experiments"][0]["counters"]);
        value["of tomorrow"] = json!(1);
    });
    assert_eq!(grown.unwrap(), full_model());
}

#[test]
fn fields_that_came_later_may_be_missing() {
    let model = read(|value| {
        let top = ["sampling", "shared", "ranking", "predicted"];
        let of_experiment = [
            "observable",
            "column",
            "working_set",
            "imbalance",
            "sync",
            "counters",
            "misses",
            "held_out",
            "search",
            "suggestion",
        ];
        for name in top {
            value.as_object_mut().unwrap().remove(name).expect(name);
        }
        for name in of_experiment {
            value["experiments"][0].as_object_mut().unwrap().remove(name).expect(name);
        }
        for name in ["round", "counters"] {
            value["runs"][0].as_object_mut().unwrap().remove(name).expect(name);
        }
    });
    let model = model.unwrap();
    assert_eq!(model.experiments[0].observable, "time");
    assert!(model.sampling.is_none() && model.ranking.is_none() && model.shared.is_empty());
    assert_eq!((model.runs[0].round, model.runs[0].counters.len()), (None, 0));
    assert_eq!(model.experiments[0].fit, full_model().experiments[0].fit);
}

#[test]
fn the_first_samplings_had_no_intervals_and_no_comparison() {
    let mut value = serde_json::to_value(full_model().sampling).unwrap();
    for name in ["measuring", "core_time", "adaptive"] {
        value.as_object_mut().unwrap().remove(name).expect(name);
    }
    for name in ["share_low", "share_high", "per_region_low", "per_region_high"] {
        value["overhead"][0].as_object_mut().unwrap().remove(name).expect(name);
    }
    for name in ["off", "common"] {
        value["verdict"].as_object_mut().unwrap().remove(name).expect(name);
    }
    let sampling: Sampling = serde_json::from_value(value).unwrap();
    assert!(sampling.measuring.is_none() && !sampling.is_core_time && sampling.adaptive.is_empty());
    assert_eq!(sampling.dilation[0].share_low, None);
    assert_eq!((sampling.verdict.off, sampling.verdict.common), (None, None));
}

#[test]
fn other_versions_and_other_files_are_told_apart() {
    let message =
        |change: &dyn Fn(&mut Value)| read(|value| change(value)).unwrap_err().to_string();
    let newer = message(&|value| value["version"] = 2.into());
    assert_eq!(
        newer,
        "the model has version 2, and this program reads up to version 1: use a newer one"
    );
    let other = message(&|value| value["format"] = "cll-next".into());
    assert_eq!(other, "this is no model (its format is not \"cll-model\")");
    let none = message(&|value| value["version"] = 0.into());
    assert_eq!(none, "this is no model (it has no version)");
    let none = message(&|value| value["version"] = Value::Null);
    assert_eq!(none, "this is no model (it has no version)");
    let wrong = message(&|value| value["experiments"] = "none".into());
    assert!(wrong.starts_with("damaged model: invalid type: string"), "{wrong}");
    let word = message(&|value| value["sampling"]["stopped"] = "tired".into());
    assert!(word.contains("unknown variant `tired`"), "{word}");
}

#[test]
fn numbers_that_are_not_to_be_believed_have_a_reservation() {
    let mut model = full_model();
    assert_eq!(
        model.reservation().unwrap(),
        "the model is predicted for node7, not measured there: from m.json, measured on here"
    );
    model.machine = None;
    assert!(model.reservation().unwrap().contains("predicted for another machine,"));
    model.predicted = None;
    assert!(!model.is_not_measurable() && model.reservation().is_none(), "disturbed is measurable");
    model.sampling.as_mut().unwrap().verdict.state = State::NotMeasurable;
    assert!(model.is_not_measurable());
    assert_eq!(
        model.reservation().unwrap(),
        "the model was measured on a disturbed machine, and its numbers are not to be believed: other programs ran"
    );
    model.sampling = None;
    assert!(!model.is_not_measurable());
}

#[test]
fn a_model_is_named_by_its_program_or_its_only_experiment() {
    let mut model = full_model();
    assert_eq!(model.name(), "walk");
    model.program = None;
    assert_eq!(model.name(), "f");
    model.experiments.push(experiment("g", None));
    assert_eq!(model.name(), "Data");
    assert!(model.has_fit() && model.has_ranked_formula());
    model.experiments.remove(0);
    model.ranking.as_mut().unwrap().spots.clear();
    assert!(!model.has_fit() && !model.has_ranked_formula());
    assert_eq!(ModelFile::new(String::new()).caches(), []);
    // Where it was measured, or in which column it stood.
    assert_eq!(experiment("g", None).place(), "walk.c:9, walk.c:30");
    assert_eq!(full_model().experiments[0].place(), "t.csv: column wall, in ms");
    let mut column = full_model().experiments.remove(0);
    column.column.as_mut().unwrap().unit = None;
    assert_eq!(column.place(), "t.csv: column wall, taken as seconds");
}
