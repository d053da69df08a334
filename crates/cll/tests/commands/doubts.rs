//! Doubts in every output: a number that is not measurable, disturbed or beyond the data is marked so.

use serde_json::{Value, json};

use crate::support::Place;

const WHY: &str = "in 1 of 1 round other programs were running";

/// A model of `t = 2e-6 + 3e-9 N` with a verdict of its machine: `quiet.json`, `loaded.json`, `shaken.json`.
fn place() -> Place {
    let place = Place::new();
    let mut text = String::from("N,time\n");
    for (k, n) in (1..=12).map(|k| (k, 1000.0 * f64::from(k))) {
        for repetition in 0..3 {
            let error = 1.0 + 0.004 * f64::from((k * 7 + repetition * 3) % 5 - 2);
            text += &format!("{n},{}\n", (2e-6 + 3e-9 * n) * error);
        }
    }
    place.write("t.csv", text);
    place.cll(&["fit", "t.csv", "--formula", "f[0] + f[1]*N", "-o", "quiet.json"]).expect(0);
    for (name, state) in [("loaded.json", "not-measurable"), ("shaken.json", "disturbed")] {
        let mut model: Value = serde_json::from_str(&place.read("quiet.json")).unwrap();
        model["sampling"] = json!({
            "seed": 1, "precision": null, "reached": null, "widest": null, "budget_s": null,
            "wanted": [], "stopped": "launches", "pinned": null, "scheduler": "other",
            "canary_known": true, "rounds": [], "discarded": { "samples": 0, "switched": 0 },
            "dilation": [],
            "verdict": {
                "state": state, "reasons": [{ "code": "loaded", "text": WHY }], "advice": [],
                "off": { "below": 0.1, "above": 0.1 },
            },
        });
        place.write(name, model.to_string());
    }
    place
}

/// Whether a JSON says why it is not measurable.
#[track_caller]
fn refuses(value: &Value) {
    assert_eq!(value["measurable"], false, "{value}");
    assert!(value["why_not"].as_str().is_some_and(|why| why.contains(WHY)), "{}", value["why_not"]);
    assert_eq!(value["doubts"][0]["code"], "not-measurable");
}

#[track_caller]
fn is_sure(value: &Value) {
    assert_eq!((&value["measurable"], &value["why_not"]), (&true.into(), &Value::Null));
}

#[test]
fn a_page_of_several_models_keeps_the_doubt_of_each() {
    let place = place();
    let models = ["loaded.json", "quiet.json", "shaken.json"];
    let page = ["page", models[0], models[1], models[2], "--predict", "N=5000", "-o", "both.html"];
    place.cll(&page).expect(0);
    let html = place.read("both.html");
    let (markup, rest) = html.split_once("id=\"cll-data\">").unwrap();
    let data: Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    assert!(markup.contains("class=\"verdict bad\""), "a red box");
    assert!(markup.contains("class=\"verdict caution\""), "an amber box");
    assert!(markup.contains("Not measurable: no number of loaded"));
    assert!(!markup.contains("no number of loaded, quiet"));
    // A mark before each number of that model, and of that model only.
    assert_eq!(markup.matches("<span class=\"doubt\">? ").count(), 1);
    assert!(markup.contains("NOT MEASURABLE: "), "its picture says so, too");
    refuses(&data["experiments"][0]);
    is_sure(&data["experiments"][1]);
    assert_eq!(data["experiments"][2]["doubts"][0]["code"], "disturbed");
}

#[test]
fn pictures_say_that_their_numbers_are_not_reliable() {
    let place = place();
    place.cll(&["plot", "loaded.json", "--svg", "p.svg"]).expect(0);
    let svg = place.read("p.svg");
    assert!(svg.matches("NOT MEASURABLE").count() >= 2, "in the footer and in the description");
    assert!(svg.contains("other programs"));
    let curves = ["predict", "loaded.json", "--curves", "N=4000:64000:*2"];
    place.cll(&[&curves[..], &["--svg", "c.svg"]].concat()).expect(0);
    let svg = place.read("c.svg");
    assert!(svg.contains("NOT MEASURABLE") && svg.contains("beyond the data"), "{svg}");
    assert!(svg.contains("class=\"curve beyond"), "what is beyond the data looks different");
    place.cll(&["plot", "loaded.json"]).expect(0).prints(&["NOT MEASURABLE", "other programs"]);
    place.cll(&curves).expect(0).prints(&["NOT MEASURABLE", "beyond"]);
    place.cll(&["plot", "shaken.json", "--svg", "s.svg"]).expect(0);
    assert!(place.read("s.svg").contains("its intervals are wider"));
    place.cll(&["plot", "quiet.json", "--svg", "q.svg"]).expect(0);
    assert!(!place.read("q.svg").contains("MEASURABLE"));
}

#[test]
fn json_says_whether_and_why_not() {
    let place = place();
    let accept = [("CLL_LOADED", "accept")];
    for arguments in [
        &["plot", "loaded.json", "--json"][..],
        &["predict", "loaded.json", "--at", "N=5000", "--json"],
        &["predict", "loaded.json", "--curves", "N=4000:64000:*2", "--json"],
        &["plan", "loaded.json", "--predict", "N=50000", "--budget", "10s", "--json"],
        &["what-if", "loaded.json", "--at", "N=5000", "--json"],
    ] {
        let part = |answer: Value| match arguments {
            ["plot", ..] => answer["plots"][0].clone(),
            [_, _, "--curves", ..] => answer["curves"][0].clone(),
            _ => answer,
        };
        refuses(&part(place.cll_with(&accept, arguments).expect(0).json()));
        let sure: Vec<&str> = arguments
            .iter()
            .map(|word| if *word == "loaded.json" { "quiet.json" } else { word })
            .collect();
        is_sure(&part(place.cll(&sure).expect(0).json()));
    }
    let done = place.cll(&["predict", "quiet.json", "--curves", "N=4000:64000:*2", "--json"]);
    let points = done.expect(0).json()["curves"][0]["points"].clone();
    assert_eq!((&points[0]["beyond"], &points[4]["beyond"]), (&false.into(), &true.into()));
    let compared =
        ["fit", "t.csv", "--formula", "f[0] + f[1]*N", "--compare", "loaded.json", "--json"];
    let value = place.cll(&compared).expect(0).json();
    is_sure(&value);
    assert_eq!(value["comparison"]["notices"][0]["code"], "not-measurable");
}

#[test]
fn text_marks_every_prediction() {
    let place = place();
    let question = ["predict", "loaded.json", "--at", "N=5000"];
    let done = place.cll_with(&[("CLL_LOADED", "accept")], &question).expect(0);
    let lines = || done.out.lines().filter(|line| !line.is_empty());
    assert!(lines().count() > 0 && lines().all(|line| line.starts_with('?')), "{}", done.out);
}

#[test]
fn values_of_llac_say_so_when_they_are_printed() {
    let place = place();
    let evaluated = |statements: &str| place.cll(&["llac", "-e", statements]).expect(0);
    for (statements, expected) in [
        ("m = (open \"loaded.json\").loaded; m[1]", "not measurable"),
        ("m = (open \"loaded.json\").loaded; m(5000)", "not measurable"),
        ("m = (open \"loaded.json\").loaded; 2*m(5000) + m(6000)", "not measurable"),
        ("m = (open \"loaded.json\").loaded; m(50000)", "beyond the data, not measurable"),
        ("m = (open \"loaded.json\").loaded; m", "NOT MEASURABLE"),
        ("m = (open \"loaded.json\").loaded; plot m by N", "NOT MEASURABLE"),
        (
            "m = (open \"loaded.json\").loaded; g(N) = 2*m(N); plot g at N = 1000:8000:*2 by N",
            "NOT MEASURABLE",
        ),
        ("m = (open \"loaded.json\").loaded; predict m at N = 5000", "? "),
    ] {
        evaluated(statements).prints(&[expected]);
        let sure = statements.replace("loaded", "quiet");
        let out = evaluated(&sure).out;
        assert!(
            !out.to_lowercase().contains("not measurable") && !out.contains("? "),
            "{sure}: {out}"
        );
    }
    evaluated("m = (open \"loaded.json\").loaded; m.constants").says(&["not to be believed"]);
    evaluated("m = (open \"loaded.json\").loaded; predict m at N = 5000")
        .says(&["not to be believed"]);
    let json = place
        .cll(&["llac", "--json", "-e", "m = (open \"loaded.json\").loaded; m(5000)"])
        .expect(0);
    assert!(json.out.contains("\"measurable\":false"), "{}", json.out);
}
