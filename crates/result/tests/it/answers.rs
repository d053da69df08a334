//! The output of `--json` for a model: predictions, speed-up, points to measure next, curves, machines, counters.

use cll_fit::rounds::State;
use cll_model::curves::Crossover;
use cll_result::*;
use cll_units::Seconds;
use serde_json::{Value, json};

use crate::support::{experiment, full_model, line};

fn value(result: &impl serde::Serialize) -> Value {
    serde_json::to_value(result).unwrap()
}

/// A model of one experiment that needs N alone, or N and P.
fn model(processors: &[f64]) -> ModelFile {
    let formula = if processors.is_empty() { "f[0] + f[1]*N" } else { "f[0] + f[1]*N/P" };
    let fit = line(formula, processors);
    let mut model = ModelFile::new(String::new());
    model.experiments = vec![experiment("f", Some(fit))];
    model
}

fn predicted(model: &ModelFile, values: &[f64]) -> Predicted {
    let fit = model.experiments[0].fit.as_ref().unwrap();
    Predicted::new(0, fit, PredictionView::new(fit, values))
}

#[test]
fn a_prediction_has_its_value_band_and_place() {
    let model = model(&[]);
    let inside = predicted(&model, &[4500.0]);
    let beyond = predicted(&model, &[80_000.0]);
    let json = value(&Predictions::of(&model, &[inside.clone(), beyond]));
    assert_eq!(
        (&json["format"], &json["version"], &json["measurable"]),
        (&"cll-predictions".into(), &1.into(), &true.into())
    );
    let first = &json["predictions"][0];
    let truth = 2e-6 + 3e-9 * 4500.0;
    let number = |name: &str| first[name].as_f64().unwrap();
    assert!((number("value") / truth - 1.0).abs() < 0.01, "{first}");
    assert!(number("low") < number("value") && number("value") < number("high"));
    assert_eq!(number("value"), inside.view.result.unwrap().value, "exact");
    assert_eq!(
        (&first["experiment"], &first["at"], &first["unit"]),
        (&"f".into(), &json!({"N": 4500.0}), &"s".into())
    );
    assert_eq!(
        (&first["domain"]["where"], &first["error"], &first["assumed"]),
        (&"inside".into(), &Value::Null, &json!([]))
    );
    assert!(first.get("measured").is_none() && first.get("averaged").is_none());
    assert_eq!(json["predictions"][1]["domain"]["where"], "beyond");
    assert_eq!(json["predictions"][1]["domain"]["nearest"], 8000.0);
}

#[test]
fn a_prediction_that_cannot_be_made_says_why() {
    let model = model(&[]);
    let missing = predicted(&model, &[f64::NAN]);
    assert!(missing.view.result.is_err());
    let json = value(&Predictions::of(&model, &[missing]));
    let answer = &json["predictions"][0];
    assert!(
        answer["value"].is_null() && answer["low"].is_null() && answer["domain"].is_null(),
        "{answer}"
    );
    assert!(!answer["error"].as_str().unwrap().is_empty());
}

#[test]
fn a_point_that_was_measured_has_its_error() {
    let model = model(&[]);
    let mut point = predicted(&model, &[4500.0]);
    let value_there = point.view.result.as_ref().unwrap().value;
    point.view.measured = Some(2.0 * value_there);
    assert_eq!(point.view.error(), Some(0.5));
    let json = value(&Predictions::of(&model, &[point.clone()]));
    assert_eq!(json["predictions"][0]["relative_error"], 0.5);
    assert_eq!(json["predictions"][0]["measured"], 2.0 * value_there);
    point.view.measured = Some(0.0);
    assert_eq!(point.view.error(), None);
}

#[test]
fn numbers_of_a_disturbed_machine_are_marked() {
    let mut model = full_model();
    model.sampling.as_mut().unwrap().verdict.state = State::NotMeasurable;
    assert_eq!(value(&Predictions::of(&model, &[]))["measurable"], false);
}

#[test]
fn the_answer_is_the_model_with_its_predictions() {
    let model = model(&[1.0, 2.0, 4.0]);
    let json = value(&ModelJson::of(&model, &[predicted(&model, &[8000.0, 8.0])]));
    let mut rest = json.clone();
    for name in ["predictions", "scaling", "measurable", "why_not", "doubts"] {
        rest.as_object_mut().unwrap().remove(name).expect(name);
    }
    assert_eq!(rest, value(&model), "and nothing else");
    // It is still a model.
    assert_eq!(ModelFile::parse(json.to_string().as_bytes()).unwrap(), model);
    let [scaling] = &json["scaling"].as_array().unwrap()[..] else { panic!("{json}") };
    assert_eq!((&scaling["experiment"], &scaling["at"]), (&"f".into(), &json!({"N": 8000.0})));
    let points = scaling["points"].as_array().unwrap();
    let column = |name: &str| points.iter().map(|point| point[name].as_f64()).collect::<Vec<_>>();
    assert_eq!(column("processors"), [1.0, 2.0, 4.0, 8.0].map(Some));
    assert_eq!((column("speed_up")[0], column("serial_fraction")[0]), (Some(1.0), None));
    let truth = |p: f64| (2e-6 + 3e-9 * 8000.0) / (2e-6 + 3e-9 * 8000.0 / p);
    for (point, p) in points.iter().zip([1.0, 2.0, 4.0, 8.0]) {
        let speed_up = point["speed_up"].as_f64().unwrap();
        assert!((speed_up / truth(p) - 1.0).abs() < 0.01, "{point}");
        assert!((point["efficiency"].as_f64().unwrap() - speed_up / p).abs() < 1e-12);
        assert_eq!(point["beyond"], p > 4.0);
        assert_eq!(point["measured_s"].is_null(), p > 4.0);
    }
}

/// A constant below zero makes the time on many processors too short.
#[test]
fn a_speed_up_of_more_than_the_processors_needs_a_measurement() {
    let mut model = model(&[1.0, 2.0, 4.0]);
    let scaling_of = |processors: &[f64], model: &ModelFile| {
        let asked: Vec<_> = processors.iter().map(|p| predicted(model, &[8000.0, *p])).collect();
        let scaling = scalings(model, 0, &asked).remove(0);
        let shown: Vec<f64> = scaling.points.iter().map(|point| point.processors).collect();
        assert!(scaling.points.iter().all(|point| point.serial_fraction.is_none_or(|s| s >= 0.0)));
        (shown, scaling.unlikely)
    };
    assert_eq!(scaling_of(&[8.0], &model), (vec![1.0, 2.0, 4.0, 8.0], Vec::new()));
    let fit = model.experiments[0].fit.as_mut().unwrap();
    for interval in &mut fit.intervals {
        interval.solution[0] = -2e-6;
        interval.constants[0].value = Some(-2e-6);
    }
    let (shown, unlikely) = scaling_of(&[8.0], &model);
    assert!(unlikely.contains(&8.0) && !shown.contains(&8.0), "{shown:?} {unlikely:?}");
}

#[test]
fn a_sequential_program_has_no_speed_up() {
    let mut model = model(&[1.0, 2.0]);
    assert_eq!(scalings(&model, 0, &[]).len(), 1, "where most were measured");
    model.program =
        Some(ProgramModel { model: "sequential".to_owned(), ..ProgramModel::default() });
    assert!(scalings(&model, 0, &[]).is_empty());
    let model = self::model(&[]);
    assert!(scalings(&model, 0, &[]).is_empty(), "P is no variable");
}

#[test]
fn what_to_measure_next_is_written_in_seconds() {
    let mut next = NextPoints::new(20.0, true);
    next.cost = Seconds(12.5);
    next.points.push(NextPoint {
        at: vec![("N".to_owned(), 4096.0)],
        runs: 5,
        cost: Seconds(2.5),
        reason: "narrows".to_owned(),
        why: String::new(),
    });
    next.predictions.push(NextPrediction {
        experiment: "f".to_owned(),
        at: vec![("N".to_owned(), 1e6)],
        value: 0.1 + 0.2,
        unit: "s".to_owned(),
        confidence: 0.9,
        now: None,
        after: 0.02,
        least: 0.01,
    });
    next.noise.push(NextNoise {
        experiment: "f".to_owned(),
        kind: "both",
        absolute: 1e-6,
        relative: 0.01,
    });
    next.notes.push(Notice::new("few", "few"));
    assert_eq!(
        value(&next),
        json!({
            "measurable": true, "why_not": null, "doubts": [],
            "format": "cll-next", "version": 1, "budget_s": 20.0, "core_time": true, "cost_s": 12.5,
            "points": [{ "at": [["N", 4096.0]], "runs": 5, "cost_s": 2.5, "reason": "narrows" }],
            "predictions": [{ "experiment": "f", "at": [["N", 1e6]], "value": 0.1 + 0.2, "unit": "s", "confidence": 0.9,
                "now": null, "after": 0.02, "least": 0.01 }],
            "noise": [{ "experiment": "f", "kind": "both", "absolute": 1e-6, "relative": 0.01 }],
            "notes": [{ "code": "few", "text": "few" }],
        })
    );
}

#[test]
fn curves_and_their_crossovers() {
    let place = Crossover { low: 100.0, high: 200.0, at: 150.5, first_wins: true };
    let crossover = CurveCrossover { first: "a".to_owned(), second: "b".to_owned(), place };
    let curves =
        Curves::new("N".to_owned(), Vec::new(), vec![crossover], vec!["beyond".to_owned()]);
    assert_eq!(
        value(&curves),
        json!({
            "format": "cll-curves", "version": 1, "variable": "N", "curves": [],
            "crossovers": [{ "first": "a", "second": "b", "low": 100.0, "high": 200.0, "at": 150.5, "first_wins": true }],
            "notes": ["beyond"],
        })
    );
}

#[test]
fn machines_of_a_project_stand_before_the_published_ones() {
    let mut machines = Machines::published();
    let published = machines.machines.len();
    let name = machines.machines[published - 1].name.clone();
    assert!(
        machines
            .machines
            .iter()
            .all(|machine| machine.place == "program" && machine.source.is_some())
    );
    machines.add("mine", "project", None);
    machines.add("yours", "user", None);
    machines.add(&name, "user", None);
    let names: Vec<&str> = machines.machines.iter().map(|listed| listed.name.as_str()).collect();
    assert_eq!((names.len(), &names[..3]), (published + 2, &["mine", "yours", name.as_str()][..]));
    let json = value(&machines);
    assert_eq!((&json["format"], &json["version"]), (&"cll-machines".into(), &1.into()));
    assert_eq!(
        json["machines"][0],
        json!({ "name": "mine", "place": "project", "machine": "(its file is wrong)", "processors": [], "source": null })
    );
}

#[test]
fn counters_are_listed_with_why_they_cannot_be_had() {
    let counter = KnownCounter {
        name: "cycles".to_owned(),
        unit: "cycles",
        source: "processor",
        about: "clock cycles",
        additive: true,
        available: false,
        why_not: Some("the kernel refuses it".to_owned()),
    };
    assert_eq!(
        value(&KnownCounters::new(None, vec![counter])),
        json!({
            "format": "cll-counters", "version": 1, "papi": null,
            "counters": [{ "name": "cycles", "unit": "cycles", "source": "processor", "about": "clock cycles",
                "additive": true, "available": false, "why_not": "the kernel refuses it" }],
        })
    );
}

#[test]
fn a_virtual_run_has_the_version_and_leaves_out_what_there_is_not() {
    let json = value(&VirtualPrediction::new());
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(json["version"], 1);
    for key in [
        "processors",
        "cores",
        "machine",
        "substitutions",
        "complete",
        "total_s",
        "supersteps",
        "model",
        "real",
    ] {
        assert!(keys.iter().any(|known| *known == key), "{key}: {json}");
    }
    assert!(json.get("ranks").is_none() && json.get("left_out").is_none());
}

/// The formula of a search and the average over all formulas contradict each other: a sentence says which to use.
#[test]
fn contradicting_answers_say_which_to_use() {
    let model = model(&[]);
    let mut near = predicted(&model, &[4500.0]);
    let value_there = near.view.result.as_ref().unwrap().value;
    let averaged = |factor: f64| {
        let value = factor * value_there;
        Some(Ok(cll_search::Averaged { value, low: 0.9 * value, high: 1.1 * value, best: value }))
    };
    near.view.averaged = averaged(1.0);
    let mut far = near.clone();
    far.view.averaged = averaged(3.0);
    let json = value(&Predictions::of(&model, &[near, far]));
    let disputed = |place: usize| {
        let warnings = json["predictions"][place]["warnings"].as_array().unwrap();
        warnings.iter().any(|warning| warning["code"] == "disputed")
    };
    assert!(!disputed(0) && disputed(1), "{json}");
}
