//! `model.json` is read as it was written, to the last bit of each number.

use cll_result::{CounterPoint, ModelError, ModelFile, Stopped};
use cll_units::Seconds;
use serde_json::Value;

use crate::support::{experiment, full_model, line, sampling};

/// Written and read again.
#[track_caller]
fn again(model: &ModelFile) -> ModelFile {
    ModelFile::parse(&model.to_json().expect("JSON")).expect("a model")
}

#[test]
fn every_field_comes_back() {
    let model = full_model();
    assert_eq!(again(&model), model);
    // A copy of a copy is the same text.
    assert_eq!(again(&model).to_json().unwrap(), model.to_json().unwrap());
    let text = String::from_utf8(model.to_json().unwrap()).unwrap();
    assert!(text.ends_with("}\n"));
}

#[test]
fn numbers_are_exact() {
    let numbers = [
        0.1 + 0.2,
        f64::MIN_POSITIVE,
        f64::MAX,
        5e-324,
        -0.0,
        1.0 / 3.0,
        9_007_199_254_740_993.0,
        1e22,
        2.225_073_858_507_201e-308,
        1.797_693_134_862_315_7e308,
    ];
    let mut model = full_model();
    for (number, seed) in
        numbers.into_iter().zip([u64::MAX, 1 << 63, (1 << 53) + 1].into_iter().cycle())
    {
        model.seed = Some(seed);
        model.runs[0].wall = Some(Seconds(number));
        model.experiments[0].held_out[0].values = numbers.to_vec();
        let read = again(&model);
        let wall = read.runs[0].wall.unwrap().get();
        assert_eq!(wall.to_bits(), number.to_bits(), "{number:e}");
        assert_eq!(read, model);
    }
}

/// The file has all that predictions need of a fit: they are the same to the last bit.
#[test]
fn a_fit_predicts_as_before() {
    for (formula, processors, points) in [
        ("f[0] + f[1]*N", &[][..], &[vec![500.0], vec![4321.0], vec![8000.0], vec![1e6]][..]),
        (
            "f[0] + f[1]*N/P",
            &[1.0, 2.0, 4.0],
            &[vec![500.0, 1.0], vec![8000.0, 3.0], vec![9e6, 64.0]],
        ),
    ] {
        let fit = line(formula, processors);
        let mut model = ModelFile::new(String::new());
        model.experiments = vec![experiment("f", Some(fit.clone()))];
        let read = again(&model).experiments.remove(0).fit.expect("a fit");
        assert_eq!(read, fit, "{formula}");
        for values in points {
            assert_eq!(read.predict(values), fit.predict(values), "{formula} at {values:?}");
        }
    }
}

/// JSON has no word for them: `null` is read as not a number where there must be one.
#[test]
fn counts_that_are_no_numbers_are_read_again() {
    let mut model = full_model();
    let point = &mut model.experiments[0].counters[0].points[0];
    *point = CounterPoint { values: vec![f64::NAN, 2.0], median: f64::INFINITY, ..point.clone() };
    model.experiments[0].misses[0].share = f64::NAN;
    let read = again(&model);
    let point = &read.experiments[0].counters[0].points[0];
    assert!(
        point.values[0].is_nan() && point.values[1] == 2.0 && point.median.is_nan(),
        "{point:?}"
    );
    assert!(read.experiments[0].misses[0].share.is_nan());
}

/// The names that scripts and the page rely on: additions go into the documentation and here.
#[test]
fn the_fields_of_a_sampling_have_these_names() {
    let json = serde_json::to_value(sampling()).unwrap();
    let keys =
        |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(
        keys(&json),
        "adaptive budget_s canary_known core_time discarded measuring overhead pinned precision reached rounds \
         scheduler seed stopped verdict wanted widest"
    );
    assert_eq!(
        keys(&json["rounds"][0]),
        "canary cpu elsewhere involuntary marked others round runs started steal used voluntary wall"
    );
    assert_eq!(keys(&json["verdict"]), "advice common off reasons state");
    assert_eq!(keys(&json["rounds"][0]["canary"]), "chain narrow partner width");
    assert_eq!(json["verdict"]["state"], "disturbed");
    assert_eq!(json["rounds"][0]["marked"], serde_json::json!(["loaded", "clock"]));
    assert_eq!(json["measuring"]["against"], "gate");
}

#[test]
fn reasons_to_stop_are_words() {
    for (stopped, word) in [
        (Stopped::Precise, "precise"),
        (Stopped::Budget, "budget"),
        (Stopped::Launches, "launches"),
        (Stopped::Interrupted, "interrupted"),
        (Stopped::Hopeless, "hopeless"),
        (Stopped::Planned, "planned"),
    ] {
        assert_eq!(serde_json::to_value(stopped).unwrap(), word);
        assert_eq!(serde_json::from_value::<Stopped>(word.into()).unwrap(), stopped);
    }
}

/// Up to every byte: no prefix is a model, and none of them is a panic.
#[test]
fn a_file_that_was_cut_is_damaged_or_no_model() {
    let bytes = full_model().to_json().unwrap();
    for length in (0..bytes.len() - 2).step_by(97) {
        match ModelFile::parse(&bytes[..length]) {
            Err(ModelError::Damaged(_) | ModelError::NoModel(_)) => {}
            other => panic!("{length}: {other:?}"),
        }
    }
    assert!(
        ModelFile::parse(&bytes[..bytes.len() - 1]).is_ok(),
        "only the end of the line is missing"
    );
}
