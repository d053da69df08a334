//! `cll profile diff` of real logs: `examples/profile/diff`, whose functions were moved, renamed, inlined, split.

use std::fs;

use serde_json::Value;

use crate::built;
use crate::support::Place;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/profile/diff");

/// Both programs, called alike, each with logs of so many runs: numbers 0 on, and from there on.
fn logged(flags: &str, runs: usize) -> Place {
    let place = Place::new();
    for (source, folder) in [("before.c", "old"), ("after.c", "new")] {
        let text = fs::read(format!("{EXAMPLES}/{source}")).unwrap();
        place.write(&format!("{folder}/program.c"), text);
        let (source, program) = (format!("{folder}/program.c"), format!("{folder}/program"));
        let flags: Vec<&str> = flags.split_whitespace().collect();
        let line = [&["cc", "-O2", &source, "-o", &program], &flags[..]].concat();
        built::by_cll(&place, &[], &line, &[&source], &program);
        for _ in 0..runs {
            place.cll(&["run", "-n", "4", "--log", &format!("{folder}/program")]).expect(0);
        }
    }
    place
}

fn log(number: usize) -> String {
    format!("program.cll.{number}.log")
}

fn row<'a>(json: &'a Value, label: &str) -> &'a Value {
    let rows = json["difference"]["rows"].as_array().unwrap();
    let is_it = |row: &&Value| row["path"].as_array().unwrap().last().unwrap() == label;
    rows.iter().find(is_it).unwrap_or_else(|| panic!("{label}: {rows:#?}"))
}

/// The place below a function, whose h-relation is three times so many bytes.
fn place_of(json: &Value, bytes: f64) -> &Value {
    let rows = json["difference"]["rows"].as_array().unwrap();
    let is_it = |row: &&Value| {
        let label = row["path"].as_array().unwrap().last().unwrap().as_str().unwrap();
        label.contains("program.c:") && row["metrics"][3]["before"] == 3.0 * bytes
    };
    rows.iter().find(is_it).unwrap_or_else(|| panic!("{bytes}: {rows:#?}"))
}

#[test]
fn functions_are_found_again() {
    let place = logged("-g", 1);
    let line = ["profile", "diff", &log(0), &log(1)];
    let json = place.cll(&[&line[..], &["--json"]].concat()).expect(0).json();
    let status = |label: &str| row(&json, label)["status"].as_str().unwrap().to_owned();
    for (label, expected) in [
        ("main", "same"),
        ("unchanged", "same"),
        // The function is the same wherever it lies in its file: its line is only a hint.
        ("moved", "same"),
        ("scatter_rows", "renamed"),
        ("small", "inlined"),
        ("large", "same"),
        ("whole", "split"),
        ("first_half", "split"),
        ("second_half", "split"),
        ("removed", "gone"),
        ("added", "new"),
    ] {
        assert_eq!(status(label), expected, "{label}");
    }
    assert_eq!(row(&json, "scatter_rows")["now"], "distribute");
    assert_eq!(row(&json, "whole")["with"], serde_json::json!(["first_half", "second_half"]));
    // Each place is paired with the one that sends as much.
    for bytes in [100.0, 200.0, 300.0, 310.0, 400.0, 500.0, 510.0] {
        let place = place_of(&json, bytes);
        assert_eq!(place["metrics"][3]["after"], 3.0 * bytes, "{place}");
        assert_eq!(place["status"], "moved", "{place}");
        assert_eq!(place["supersteps"]["after"], 3.0, "{place}");
    }
    let removed = place_of(&json, 600.0);
    assert_eq!(
        (&removed["status"], &removed["metrics"][3]["after"]),
        (&"gone".into(), &0.0.into())
    );
    place.cll(&line).expect(0).prints(&[
        "renamed distribute",
        "split into first_half, second_half",
        "split off whole",
        "inlined",
        "gone",
        "new",
    ]);
    // The other way round.
    let json = place.cll(&["profile", "diff", &log(1), &log(0), "--json"]).expect(0).json();
    for (label, expected) in [
        ("distribute", "renamed"),
        ("small", "same"),
        ("first_half", "joined"),
        ("whole", "joined"),
        ("added", "gone"),
        ("removed", "new"),
    ] {
        assert_eq!(row(&json, label)["status"], expected, "{label}");
    }
    let back = ["profile", "diff", &log(1), &log(0)];
    place.cll(&back).expect(0).prints(&["joined into whole", "made of first_half, second_half"]);
}

#[test]
fn without_debug_information_what_was_inlined_is_gone_and_nothing_is_lost() {
    let place = logged("", 1);
    let json = place.cll(&["profile", "diff", &log(0), &log(1), "--json"]).expect(0).json();
    for (label, expected) in [
        ("unchanged", "same"),
        ("small", "inlined"),
        ("large", "same"),
        ("scatter_rows", "renamed"),
        ("whole", "split"),
        ("removed", "gone"),
    ] {
        assert_eq!(row(&json, label)["status"], expected, "{label}");
    }
    assert_eq!(row(&json, "small")["metrics"][3]["after"], 0.0);
    assert_eq!(place_of(&json, 400.0)["metrics"][3]["after"], 1200.0);
}

#[test]
fn sets_of_runs_have_their_spread() {
    let place = logged("-g", 3);
    let [before, after] = [0, 3].map(|from| (from..from + 3).map(log).collect::<Vec<String>>());
    let mut line = vec!["profile", "diff"];
    line.extend(before.iter().map(String::as_str));
    line.push("--with");
    line.extend(after.iter().map(String::as_str));
    let json = place.cll(&[&line[..], &["--json"]].concat()).expect(0).json();
    assert_eq!(json["difference"]["runs"], serde_json::json!([3, 3]));
    let root = row(&json, "program");
    // h has no noise: its interval is a point.
    let h = &root["metrics"][3];
    let expected = 3.0 * (700.0 - 600.0);
    assert_eq!(h["difference"], expected);
    assert_eq!(h["interval"], serde_json::json!([expected, expected]));
    let time = &root["time"];
    let (low, high) =
        (time["interval"][0].as_f64().unwrap(), time["interval"][1].as_f64().unwrap());
    let difference = time["difference"].as_f64().unwrap();
    assert!(low < difference && difference < high, "{time}");
    // What was measured thrice is wider for more confidence.
    line.extend(["--confidence", "0.999"]);
    let sure = place.cll(&[&line[..], &["--json"]].concat()).expect(0).json();
    assert!(row(&sure, "program")["time"]["interval"][1].as_f64().unwrap() > high);
    line.extend(["--by", "h", "--fail-if", "h.max > +1%"]);
    place.cll(&line).expect(9).prints(&["3 runs before, 3 runs after", "interval", "is met"]);
    // A set and one: no interval.
    let mut line = vec!["profile", "diff", &before[0], "--with"];
    line.extend(after.iter().map(String::as_str));
    let value = place.cll(&[&line[..], &["--json"]].concat()).expect(0).json();
    assert_eq!(row(&value, "program")["time"].get("interval"), None);
    place.cll(&line).expect(0).prints(&[
        "one run before cannot tell a change from noise",
        "cll profile diff BEFORE... --with AFTER...",
        "may be chance",
    ]);
}

#[test]
fn times_of_one_run_each_may_differ_by_chance() {
    let place = logged("-g", 1);
    let line = ["profile", "diff", &log(0), &log(1)];
    let doubt = "cannot tell a change from noise";
    let text = place.cll(&line).expect(0).out;
    assert!(text.contains(&format!("one run each {doubt}")), "{text}");
    assert!(text.contains("cll profile diff BEFORE... --with AFTER..."), "{text}");
    // No difference stands without that remark.
    let differs = |row: &&str| row.split_whitespace().any(|cell| cell.starts_with('+'));
    let rows: Vec<&str> = text.lines().filter(differs).collect();
    assert!(!rows.is_empty() && rows.iter().all(|row| row.contains("may be chance")), "{text}");
    // Bytes have no noise.
    let text = place.cll(&[&line[..], &["--by", "h"]].concat()).expect(0).out;
    assert!(!text.contains(doubt) && !text.contains("may be chance"), "{text}");
}

#[test]
fn another_checkout_is_no_difference() {
    let place = Place::new();
    let text = fs::read(format!("{EXAMPLES}/before.c")).unwrap();
    for name in ["here/src/before.c", "there/src/renamed.c"] {
        place.write(name, &text);
        let folder = name.split('/').next().unwrap();
        let path = place.path(name);
        let line = format!("cll cc -O2 -g {} -o {folder}/program", path.display());
        place.sh(&line).expect(0);
        place.cll(&["run", "-n", "2", "--log", &format!("{folder}/program")]).expect(0);
    }
    let json = place.cll(&["profile", "diff", &log(0), &log(1), "--json"]).expect(0).json();
    for row in json["difference"]["rows"].as_array().unwrap() {
        assert_eq!(row["status"], "same", "{row:#}");
    }
    assert!(json["difference"]["matched"].as_f64().unwrap() > 0.999_999);
}
