//! The answer of a model, and everything behind it.

use crate::support::Place;

/// Most lines of the answer of one experiment.
const MAX_LINES: usize = 14;

/// t = 2 µs + 3 ns*N, five times each.
fn place() -> Place {
    let place = Place::new();
    let mut text = String::from("N,time\n");
    for k in 1..=20 {
        for repetition in 0..5 {
            let error = 1.0 + 0.004 * f64::from((k * 7 + repetition * 3) % 5 - 2);
            let n = f64::from(1000 * k);
            text += &format!("{n},{}\n", (2e-6 + 3e-9 * n) * error);
        }
    }
    place.write("t.csv", text);
    place.cll(&["fit", "t.csv", "--formula", "f[0] + f[1]*N", "-o", "t.json"]).expect(0);
    place
}

#[test]
fn the_answer_is_short_and_leads_to_the_rest() {
    let place = place();
    let fit = ["fit", "t.csv", "--formula", "f[0] + f[1]*N", "--predict", "N=3000:90000:*1.2"];
    let done = place.cll(&fit).expect(0);
    assert!(done.out.lines().count() <= MAX_LINES, "{}", done.out);
    done.prints(&[
        "inside the data",
        "predictions more: --details",
        "the same command with --details",
    ]);
    let kept = place.cll(&[&fit[..], &["-o", "t.json"]].concat()).expect(0);
    let kept = kept.prints(&["predictions more: cll predict t.json --at N=...", "cll show t.json"]);
    assert!(kept.out.lines().count() <= MAX_LINES, "{}", kept.out);
    // The file's name is a word of the shell.
    place.cll(&[&fit[..], &["-o", "a model.json"]].concat()).expect(0).prints(&["'a model.json'"]);
}

#[test]
fn everything_is_printed_by_show_and_by_details() {
    let place = place();
    let shown = place.cll(&["show", "t.json", "--predict", "N=30000"]).expect(0);
    let shown = shown.prints(&["Constants", "Quality", "lack of fit", "beyond the data"]);
    let line = ["fit", "t.csv", "--formula", "f[0] + f[1]*N", "--predict", "N=30000", "--details"];
    assert_eq!(place.cll(&line).expect(0).out, shown.out);
}

#[test]
fn sections_are_chosen_by_name() {
    let place = place();
    let show = |more: &[&str]| place.cll(&[&["show", "t.json"], more].concat());
    let done = show(&["constants"]).expect(0).prints(&["f  t.csv", "f[1]"]);
    assert!(!done.out.contains("Quality"), "{}", done.out);
    let done = show(&["quality", "points"]).expect(0).prints(&["lack of fit", "repetitions"]);
    assert!(done.out.lines().count() > 20 && !done.out.contains("Constants"), "{}", done.out);
    let lacking = ["intervals", "search", "alternatives", "sampling", "predictions", "shared"];
    show(&lacking).expect(0).prints(&[
        "one interval",
        "no search: the formula was given",
        "no alternatives",
        "no sampling",
        "no predictions: --predict asks for them",
        "no shared constants",
    ]);
    show(&["predictions", "--predict", "N=5000"]).expect(0).prints(&["5000", "inside the data"]);
    let done = show(&["constant"]).expect(2);
    done.says(&["no section `constant`", "did you mean `constants`?", "alternatives, sampling"]);
    show(&["-e", "g"]).expect(3);
    place.cll(&["show", "none.json"]).expect(3);
    place.cll(&["show", "t.csv"]).expect(3).says(&["no model"]);
}

#[test]
fn json_is_that_of_the_report() {
    let place = place();
    let shown = place.cll(&["show", "t.json", "--json", "--predict", "N=30000"]).expect(0).json();
    let fit = ["fit", "t.csv", "--formula", "f[0] + f[1]*N", "--predict", "N=30000", "--json"];
    let mut fitted = place.cll(&fit).expect(0).json();
    fitted["created"] = shown["created"].clone();
    assert_eq!(shown, fitted);
    place.cll(&["show", "t.json", "constants", "--json"]).expect(2);
}

#[test]
fn what_is_not_measurable_is_marked_there_too() {
    let place = place();
    let mut model: serde_json::Value = serde_json::from_str(&place.read("t.json")).unwrap();
    model["experiments"][0]["doubts"] =
        serde_json::json!([{ "code": "not-measurable", "text": "other programs ran" }]);
    place.write("loaded.json", model.to_string());
    let refuses = [("CLL_LOADED", "refuse")];
    let line = ["show", "loaded.json", "predictions", "--predict", "N=5000"];
    let done = place.cll_with(&refuses, &line).expect(8);
    done.prints(&["NOT MEASURABLE: other programs ran"]);
    place.cll_with(&[("CLL_LOADED", "accept")], &line).expect(0).says(&["other programs ran"]);
}
