//! Predictions between measured values, where the formula does not fit.

use crate::steps::{Class, Steps, Tally, classes, data, one_function};
use cll_fit::{Domain, Fit, Intervals, Options, fit};
use fastrand::Rng;

fn fitted(class: &Class, steps: Steps, seed: u64, follow: bool) -> Fit {
    let formula = class.formula();
    let data = data(class, &formula, steps, &mut Rng::with_seed(seed));
    fit(&formula, &data, &Options { follow, ..Intervals::dynamic().into() }).expect("a fit")
}

fn held_out(class: &Class, steps: Steps, functions: u64, intervals: &Intervals) -> [Tally; 2] {
    let each =
        (0..functions).map(|seed| one_function(class, steps, intervals, &mut Rng::with_seed(seed)));
    each.fold([Tally::default(), Tally::default()], |[a, b], [c, d]| [a.with(&c), b.with(&d)])
}

#[test]
fn sizes_left_out_between_smooth_steps_are_predicted() {
    let classes = classes();
    for class in test_draw::thinned([&classes[0], &classes[2]], 2) {
        let [alone, following] =
            held_out(class, Steps::Smooth, 12, &Intervals::dynamic()).map(|t| t.summary());
        assert!(alone[0] > 5.0, "{}: {alone:?}", class.name);
        assert!(
            following[0] < 3.0 && following[1] < 0.6 * alone[1],
            "{}: {following:?}",
            class.name
        );
        assert!((84.0..97.0).contains(&following[3]), "{}: {following:?}", class.name);
    }
}

#[test]
fn smooth_steps_are_levels() {
    let class = &classes()[0];
    let [levels, _] = held_out(class, Steps::Smooth, 12, &Intervals::levels()).map(|t| t.summary());
    let [_, followed] =
        held_out(class, Steps::Smooth, 12, &Intervals::dynamic()).map(|t| t.summary());
    assert!(levels[0] < followed[0], "{}: {levels:?} {followed:?}", class.name);
}

#[test]
fn sharp_steps_are_predicted_no_worse() {
    let [alone, following] =
        held_out(&classes()[0], Steps::Sharp, 12, &Intervals::default()).map(|t| t.summary());
    assert!(following[0] <= alone[0] && following[1] <= alone[1], "{alone:?} {following:?}");
}

#[test]
fn where_the_formula_fits_nothing_changes() {
    for class in &classes() {
        for seed in 0..4 {
            let mut with = fitted(class, Steps::None, seed, true);
            assert_eq!(with.correction, None, "{} {seed}", class.name);
            with.options.follow = false;
            assert_eq!(with, fitted(class, Steps::None, seed, false));
        }
    }
}

#[test]
fn beyond_the_data_and_when_it_is_off_the_formula_predicts() {
    let class = &classes()[0];
    let (with, without) =
        (fitted(class, Steps::Smooth, 1, true), fitted(class, Steps::Smooth, 1, false));
    assert!(with.correction.is_some() && without.correction.is_none());
    assert_eq!(with.intervals, without.intervals);
    let prediction_at = |fit: &Fit, n: f64| {
        fit.predict_named(&[("N".to_owned(), n), ("P".to_owned(), 2.0)]).expect("a prediction")
    };
    let (a, b) = (prediction_at(&with, 1e6), prediction_at(&without, 1e6));
    assert!(matches!(a.domain, Domain::Beyond { .. }) && !a.follows);
    assert!((a.value / b.value).ln().abs() < 0.01, "{} {}", a.value, b.value);
    let (a, b) = (prediction_at(&with, 20_000.0), prediction_at(&without, 20_000.0));
    assert!(a.follows && !b.follows && a.value != b.value);
    let band = a.band.expect("a band");
    assert!(band.low < a.value && a.value < band.high);
    assert!(with.warnings.iter().any(|w| w.code() == "follows"));
}

#[test]
fn it_is_kept() {
    let with = fitted(&classes()[0], Steps::Smooth, 1, true);
    let mut json = serde_json::to_value(&with).expect("json");
    let back: Fit = serde_json::from_value(json.clone()).expect("a fit");
    assert_eq!(back, with);
    let place = [2.0, 20_000.0];
    assert_eq!(back.predict(&place), with.predict(&place));
    // A correction edited by hand so that it has no points is ignored.
    json["correction"]["points"] = serde_json::json!([]);
    let damaged: Fit = serde_json::from_value(json).expect("a fit");
    assert!(!damaged.predict(&place).expect("a prediction").follows);
}
