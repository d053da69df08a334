//! `cll obsp --against`: runs of two programs on numbers of processors and machines.

use serde_json::Value;

use crate::obsp::machine;
use crate::recorded::log;
use crate::support::{Done, Place};

/// Runs: two of the large one on one and two processors each, two of the small one too, and one of it on four.
fn runs() -> (Place, Vec<String>, Vec<String>) {
    let place = Place::new();
    place.write("slow.toml", machine("100 Mop/s"));
    let quick =
        machine("100 Mop/s").replace("\"slow\"", "\"quick\"").replace("\"1 ms\"", "\"1 us\"");
    place.write("quick.toml", quick);
    let recorded = |names: &[&str]| {
        let copied = names.iter().map(|name| {
            let to = format!("{name}.log");
            log(&place, "virtual", &format!("shares-{name}"), &to);
            to
        });
        copied.collect::<Vec<_>>()
    };
    let large = recorded(&["1", "0", "4", "3"]);
    let small = recorded(&["less-0", "less-1", "less-2", "less-3", "less-4"]);
    (place, large, small)
}

fn against(place: &Place, texts: &[String], other: &[String], more: &[&str]) -> Done {
    let words = |all: &[String]| all.to_vec();
    let fixed = |all: &[&str]| all.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let line = [fixed(&["obsp"]), words(texts), fixed(&["--against"]), words(other), fixed(more)];
    let line = line.concat();
    place.cll(&line.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn two_programs_on_two_machines() {
    let (place, large, small) = runs();
    let both = ["--curves", "P", "--machine", "slow.toml,quick.toml"];
    let done = against(&place, &large, &small, &[&both[..], &["--json"]].concat()).expect(0);
    let answer = done.json();
    assert_eq!(answer["format"], "cll-gains");
    assert_eq!(
        (&answer["first"], &answer["second"]),
        (&"shares 4000000".into(), &"shares 1000000".into())
    );
    let tables = answer["tables"].as_array().unwrap();
    let kinds: Vec<(&str, Option<&str>)> = tables
        .iter()
        .map(|table| (table["kind"].as_str().unwrap(), table["machine"].as_str()))
        .collect();
    assert_eq!(kinds, [("virtual", None), ("OBSP*", Some("slow")), ("OBSP*", Some("quick"))]);
    let number = |value: &Value| value.as_f64().unwrap();
    for table in tables {
        let points = table["points"].as_array().unwrap();
        let processors: Vec<f64> =
            points.iter().map(|point| number(&point["processors"])).collect();
        assert_eq!(processors, [1.0, 2.0], "{table}");
        for point in points {
            let time = |side: &str| number(&point[side]["time_s"]);
            let ratio = number(&point["ratio"]);
            assert!((ratio - time("first") / time("second")).abs() < 1e-9 * ratio, "{point}");
            for side in ["first", "second"] {
                let value = number(&points[0][side]["time_s"]);
                let speed_up = number(&point[side]["speed_up"]);
                assert!((speed_up - value / time(side)).abs() < 1e-9 * speed_up, "{point}");
            }
        }
    }
    // Two runs of each have an interval; costs that are exact give none.
    let first = &tables[0]["points"][0];
    assert!(number(&first["low"]) <= number(&first["ratio"]), "{first}");
    assert!(number(&first["ratio"]) <= number(&first["high"]), "{first}");
    assert_eq!((&first["first"]["runs"], &first["second"]["runs"]), (&2.into(), &2.into()));
    assert!(tables[1]["points"][0]["low"].is_null());
    // Two supersteps of 1 ms are most of the small program's time on the slow machine: the gain is less there.
    let ratio = |table: usize| number(&tables[table]["points"][1]["ratio"]);
    assert!(1.0 < ratio(1) && ratio(1) < ratio(2), "{} {}", ratio(1), ratio(2));
    // A single prediction is what is said without a comparison.
    let alone =
        place.cll(&["obsp", &small[1], "--machine", "slow.toml", "--json"]).expect(0).json();
    let star = alone["predictions"][0]["models"].as_array().unwrap();
    let star = star.iter().find(|value| value["model"] == "obsp-star").unwrap();
    let times = [&small[1], &small[3]].map(|log| {
        let alone = place.cll(&["obsp", log, "--machine", "slow.toml", "--json"]).expect(0).json();
        let all = alone["predictions"][0]["models"].as_array().unwrap().clone();
        number(&all.iter().find(|value| value["model"] == "obsp-star").unwrap()["value_s"])
    });
    let time_s = number(&tables[1]["points"][1]["second"]["time_s"]);
    assert!(times.iter().any(|time| (time - time_s).abs() < 1e-12), "{times:?} {time_s} {star}");

    against(&place, &large, &small, &both)
        .expect(0)
        .prints(&[
            "A: shares 4000000; B: shares 1000000",
            "Times (virtual)",
            "Times on quick (OBSP*)",
            "speed-up A",
        ])
        .says(&["only one of both programs has runs on 4 processors"]);
}

#[test]
fn what_cannot_be_compared_is_said() {
    let (place, large, small) = runs();
    let curves = ["--curves", "P", "--machine", "slow.toml"];
    let mixed = [large.clone(), small.clone()].concat();
    against(&place, &large, &mixed, &curves)
        .expect(2)
        .says(&["these are shares 4000000, shares 1000000", "one set of arguments"]);
    against(&place, &large, &small[4..], &curves)
        .expect(6)
        .says(&["no number of processors has runs of both programs"]);
    against(&place, &large, &small, &["--curves", "P=1:4", "--machine", "slow.toml"])
        .expect(2)
        .says(&["use --curves P"]);
    against(&place, &large, &small, &[&curves[..], &["--svg", "a.svg"]].concat())
        .expect(2)
        .says(&["--svg"]);
    let texts = ["obsp", &large[0], "--machine", "slow.toml,quick.toml"];
    place.cll(&texts).expect(2).says(&["several machines are for logs of two programs"]);
}
