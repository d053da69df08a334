//! `cll profile export`: each format read by a program that people read it with, whose sums must be ours.
//! `tests/readers/install` installs what is not Debian's.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::profile::logged;
use crate::schemas::check;
use crate::support::{Place, have, run, skip};

const READERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/readers");

/// Names that formats could take for their own.
const HOSTILE: &str = "\
D Wed Apr  9 12:22:32 1997
F -O3
N ACRONYM
P 2
A <16 of b.c bcast,a;b\u{202e}\"c\u{1b}[31m->d,main, > with 250 SYNCS 9.5 9.25 9.0 COMP 4.0 2.5 1.0 COMM 3.0 1.5 0.0 COMPIDLE 1000 625 250 HREL 9.5,1.0,3.0,0,1000;9.0,4.0,0.0,250,0;
A <16 of b.c bcast,(1) <b>&amp;,main, > with 150 SYNCS 0.5 0.5 0.5 COMP 1.0 1.0 1.0 COMM 0.5 0.25 0.0 COMPIDLE 100 100 100 HREL 0.5,1.0,0.0,100,100;0.5,1.0,0.5,100,0;
A <17 of b.c ns::sort<int>(int\u{2028} double),main, > with 50 SYNCS 0.5 0.5 0.5 COMP 1.0 1.0 1.0 COMM 0.5 0.25 0.0 COMPIDLE 7 7 7 HREL 0.5,1.0,0.0,7,7;0.5,1.0,0.5,7,0;
A <18 of b.c walk,walk,walk,main, > with 5 SYNCS 0.5 0.5 0.5 COMP 1.0 1.0 1.0 COMM 0.5 0.25 0.0 COMPIDLE 30 30 30 HREL 0.5,1.0,0.0,30,30;0.5,1.0,0.5,30,0;
E 30.0
";

fn with_hostile_names() -> Place {
    let place = Place::new();
    place.write("PROF.bsp", HOSTILE);
    place
}

/// Exports to a file.
fn export(place: &Place, file: &str, format: &str, more: &[&str], name: &str) {
    let line = ["profile", "export", file, "--format", format, "-o", name];
    place.cll(&[&line[..], more].concat()).expect(0);
}

/// All that is known of a profile.
fn known(place: &Place, file: &str) -> Value {
    place.cll(&["profile", "show", file, "--json"]).expect(0).json()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[track_caller]
fn near(value: f64, expected: f64) {
    // Formats have whole nanoseconds, and sums of a few.
    let slack = 1e-6 * expected.abs() + 1e-7;
    assert!((value - expected).abs() <= slack, "{value} instead of {expected}");
}

/// Nanoseconds, whole ones in the format: one may be lost in each node that is added up.
#[track_caller]
fn near_ns(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 12.0, "{value} ns instead of {expected} ns");
}

/// The same, but for the last digit, which readers of JSON may round.
#[track_caller]
fn exact(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 4.0 * f64::EPSILON * expected.abs(), "{value} {expected}");
}

/// The node of the graph of this name.
fn node<'a>(known: &'a Value, name: &str) -> &'a Value {
    let named = |node: &&Value| node["kind"]["function"] == name;
    let nodes = known["graph"]["nodes"].as_array().unwrap();
    nodes.iter().find(named).unwrap_or_else(|| panic!("{name}: {nodes:#?}"))
}

fn maximum(node: &Value, metric: usize) -> f64 {
    number(&node["costs"]["metrics"][metric]["maximum"])
}

fn time(node: &Value) -> f64 {
    maximum(node, 0) + maximum(node, 1)
}

/// The profiles that speedscope reads in files, in a browser, with the sums of their frames.
fn speedscope(place: &Place, test: &str, files: &[&str]) -> Option<Value> {
    if !have("node", test) || !have("chromium", test) {
        return None;
    }
    if !Path::new(READERS).join("node_modules").exists() {
        skip(test, "speedscope: tests/readers/install has not been run");
        return None;
    }
    let script = PathBuf::from(READERS).join("speedscope.mjs");
    Some(run(place.command("node").arg(script).args(files)).expect(0).json())
}

/// The values that a program in Python reads.
fn python(place: &Place, test: &str, words: &[&str]) -> Option<Value> {
    let python = Path::new(READERS).join(".venv/bin/python");
    if !python.exists() {
        skip(test, "Python's readers: tests/readers/install has not been run");
        return None;
    }
    let script = PathBuf::from(READERS).join("tables.py");
    Some(run(place.command(python).arg(script).args(words)).expect(0).json())
}

/// The profile of a file whose name has a word in it.
fn profile<'a>(read: &'a Value, file: &str, word: &str) -> &'a Value {
    let all = read[file].as_array().unwrap_or_else(|| panic!("{file}: {read:#}"));
    let named = |entry: &&Value| entry["name"].as_str().unwrap().contains(word);
    all.iter().find(named).unwrap_or_else(|| panic!("{word}: {all:#?}"))
}

/// The total of a frame; a frame that weighs nothing is in no stack.
fn total(profile: &Value, frame: &str) -> f64 {
    profile["frames"].get(frame).map_or(0.0, |sums| number(&sums["total"]))
}

#[test]
fn speedscope_adds_up_the_same() {
    let (place, log) = (logged(), "b.cll.0.log");
    export(&place, log, "speedscope", &[], "b.speedscope.json");
    export(&place, log, "folded", &["--metric", "h"], "h.folded.txt");
    export(&place, log, "folded", &["--metric", "time"], "time.folded.txt");
    export(&place, log, "chrome", &[], "b.trace.json");
    export(&place, log, "callgrind", &[], "callgrind.out.b");
    let files =
        ["b.speedscope.json", "h.folded.txt", "time.folded.txt", "b.trace.json", "callgrind.out.b"];
    let Some(read) = speedscope(&place, "profile: speedscope", &files) else { return };
    let known = known(&place, log);
    let root = &known["profile"]["nodes"][0];
    let figures = ["time", "computation", "communication", "idle", "h-relation"];
    for (index, name) in figures.into_iter().enumerate() {
        let cost_of = |node: &Value| if index == 0 { time(node) } else { maximum(node, index - 1) };
        let value = profile(&read, "b.speedscope.json", name);
        assert_eq!(value["unit"], if index == 4 { "bytes" } else { "seconds" });
        near(number(&value["whole"]), cost_of(root));
        for function in ["one", "two", "foo", "bar", "main"] {
            near(total(value, function), cost_of(node(&known, function)));
        }
    }
    for function in ["one", "two", "foo", "bar"] {
        let own = node(&known, function);
        let stacks = profile(&read, "h.folded.txt", "");
        assert_eq!(total(stacks, function), maximum(own, 3), "{function}");
        near_ns(total(profile(&read, "time.folded.txt", ""), function), time(own) * 1e9);
        assert_eq!(total(profile(&read, "callgrind.out.b", "H"), function), maximum(own, 3));
        let idle = profile(&read, "callgrind.out.b", "Idle");
        near_ns(total(idle, function), maximum(own, 2) * 1e9);
    }
    // A track for each processor; what came before its first superstep is in none.
    let nodes = known["profile"]["nodes"].as_array().unwrap();
    let start = nodes.iter().find(|node| node["kind"]["kind"] == "start").unwrap();
    for pid in 0..4 {
        let track = profile(&read, "b.trace.json", &format!("processor {pid}"));
        let each = |metric: usize| {
            (number(&root["each"][metric][pid]) - number(&start["each"][metric][pid])) * 1e6
        };
        let frames = track["frames"].as_object().unwrap();
        let self_time = |word: &str| -> f64 {
            let those = frames.iter().filter(|(name, _)| name.starts_with(word));
            those.map(|(_, sums)| number(&sums["self"])).sum()
        };
        for (metric, word) in ["computation", "communication", "waiting"].into_iter().enumerate() {
            // Microseconds, of which speedscope keeps three digits behind the point.
            let (value, expected) = (self_time(word), each(metric));
            assert!(
                (value - expected).abs() < 0.05 + 1e-6 * expected,
                "{word}: {value} {expected}"
            );
        }
    }
}

#[test]
fn speedscope_reads_hostile_names() {
    let (place, prof) = (with_hostile_names(), "PROF.bsp");
    export(&place, prof, "speedscope", &[], "evil.speedscope.json");
    export(&place, prof, "folded", &["--metric", "h"], "evil.folded.txt");
    let files = ["evil.speedscope.json", "evil.folded.txt"];
    let Some(read) = speedscope(&place, "profile: speedscope", &files) else { return };
    for (file, word) in [(files[0], "h-relation"), (files[1], "")] {
        let value = profile(&read, file, word);
        assert_eq!(number(&value["whole"]), 1137.0, "{file}");
        // Reached in two ways, and below itself: counted once.
        assert_eq!((total(value, "bcast"), total(value, "walk")), (1100.0, 30.0), "{file}");
        let frames = value["frames"].as_object().unwrap();
        assert!(frames.keys().all(|name| !name.contains(['\u{1b}', '\u{202e}'])), "{frames:?}");
        assert_eq!(frames.len(), 10, "{frames:#?}");
    }
}

#[test]
fn callgrinds_reader_adds_up_the_same() {
    let place = logged();
    if !have("callgrind_annotate", "profile: callgrind") {
        return;
    }
    let annotated = |place: &Place, of: &str| {
        export(place, of, "callgrind", &[], "callgrind.out.b");
        place.sh("callgrind_annotate --inclusive=yes --threshold=100 callgrind.out.b").expect(0).out
    };
    // Without the shares that stand behind them.
    let costs_of = |text: &str, function: &str| -> Vec<f64> {
        let line = text.lines().find(|line| line.ends_with(&format!(":{function}")));
        let line = line.unwrap_or_else(|| panic!("{function}: {text}"));
        let figures = line.split_whitespace().map(|word| word.replace(',', ""));
        figures.filter_map(|word| word.parse().ok()).collect()
    };
    let text = annotated(&place, "b.cll.0.log");
    let known = known(&place, "b.cll.0.log");
    for function in ["one", "two", "foo", "bar", "main"] {
        let (values, node) = (costs_of(&text, function), node(&known, function));
        assert_eq!(values.len(), 4, "{text}");
        for (metric, value) in values.into_iter().enumerate() {
            let scale = if metric == 3 { 1.0 } else { 1e9 };
            let expected = maximum(node, metric) * scale;
            near_ns(value, expected);
        }
    }
    let text = annotated(&with_hostile_names(), "PROF.bsp");
    assert_eq!(costs_of(&text, "bcast")[3], 1100.0, "{text}");
    assert_eq!(costs_of(&text, "_(1) <b>&amp;")[3], 100.0, "{text}");
    assert_eq!(costs_of(&text, "main")[3], 1137.0, "{text}");
}

#[test]
fn hatchet_adds_up_the_same() {
    for (place, file) in [(logged(), "b.cll.0.log"), (with_hostile_names(), "PROF.bsp")] {
        export(&place, file, "hatchet", &[], "b.hatchet.json");
        let words = ["hatchet", "b.hatchet.json"];
        let Some(read) = python(&place, "profile: hatchet", &words) else { return };
        let known = known(&place, file);
        let nodes = known["profile"]["nodes"].as_array().unwrap();
        let values = read["nodes"].as_array().unwrap();
        assert_eq!(values.len(), nodes.len());
        // Hatchet orders the callees of a function by their names.
        let row_of = |time: f64, of: &dyn Fn(usize, &str) -> f64| {
            let mut row = vec![time];
            for metric in 0..4 {
                row.extend(["maximum", "average", "minimum"].map(|text| of(metric, text)));
            }
            row
        };
        let mut theirs: Vec<Vec<f64>> = Vec::new();
        for node in values {
            let columns = &node["columns"];
            theirs.push(row_of(number(&columns["time (inc)"]), &|metric, column| {
                let name = ["computation", "communication", "idle", "h-relation"][metric];
                let which = match column {
                    "maximum" => "",
                    "average" => " avg",
                    _ => " min",
                };
                number(&columns[format!("{name}{which} (inc)")])
            }));
        }
        let mut ours: Vec<Vec<f64>> = Vec::new();
        for node in nodes {
            let costs = &node["costs"]["metrics"];
            ours.push(row_of(time(node), &|metric, our| number(&costs[metric][our])));
        }
        for rows in [&mut theirs, &mut ours] {
            rows.sort_by(|a, b| {
                a.iter()
                    .zip(b)
                    .map(|(a, b)| a.total_cmp(b))
                    .find(|o| o.is_ne())
                    .unwrap_or(std::cmp::Ordering::Equal)
            });
        }
        for (value, expected) in theirs.iter().flatten().zip(ours.iter().flatten()) {
            near(*value, *expected);
        }
        let path = |node: &&Value| {
            let names: Vec<&str> =
                node["path"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            names.ends_with(&["main", "foo", "one"]) || names.ends_with(&["main", "walk", "walk"])
        };
        let value = values.iter().find(path).unwrap_or_else(|| panic!("{values:#?}"));
        let h = number(&value["columns"]["h-relation (inc)"]);
        assert!([5.0 * 8000.0 * 3.0, 30.0].contains(&h), "{value}");
        // Whose own sums of what it takes for exclusive are what it takes for inclusive.
        assert_eq!(read["exclusive"].as_array().unwrap().len(), 14, "{:?}", read["exclusive"]);
        assert_eq!(read["inclusive"].as_array().unwrap().len(), 14);
        for (name, difference) in read["differences"].as_object().unwrap() {
            assert!(number(difference) < 1e-6, "{name}: {difference}");
        }
    }
}

#[test]
fn rows_are_those_of_pythons_modules() {
    for (place, file) in [(logged(), "b.cll.0.log"), (with_hostile_names(), "PROF.bsp")] {
        export(&place, file, "csv", &[], "b.csv");
        let Some(read) = python(&place, "profile: csv", &["csv", "b.csv"]) else { return };
        let known = known(&place, file);
        let nodes = known["profile"]["nodes"].as_array().unwrap();
        let rows = read["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 4 * nodes.len());
        for (index, row) in rows.iter().enumerate() {
            let (node, metric) = (&nodes[index / 4], index % 4);
            let cell = |name: &str| -> f64 { row[name].as_str().unwrap().parse().unwrap() };
            let costs = &node["costs"]["metrics"][metric];
            assert_eq!(cell("node"), (index / 4) as f64);
            for name in ["maximum", "average", "minimum"] {
                exact(cell(name), number(&costs[name]));
            }
            for (pid, value) in node["each"][metric].as_array().unwrap().iter().enumerate() {
                exact(cell(&format!("p{pid}")), number(value));
            }
            let own = row["name"].as_str().unwrap();
            assert!(row["path"].as_str().unwrap().ends_with(own), "{row}");
        }
        for name in ["maximum", "average", "minimum", "supersteps", "p0"] {
            let kind = read["types"][name].as_str().unwrap();
            assert!(kind.starts_with("float") || kind.starts_with("int"), "{name}: {kind}");
        }
        for (metric, centres) in read["centres"].as_object().unwrap() {
            near(number(centres), number(&read["root"][metric]));
        }
    }
}

#[test]
fn json_is_as_its_schema_says() {
    for (place, input) in [(logged(), "b.cll.0.log"), (with_hostile_names(), "PROF.bsp")] {
        export(&place, input, "json", &[], "b.json");
        let exported: Value = serde_json::from_str(&place.read("b.json")).unwrap();
        check("profile-show", &exported);
        let words = ["profile", "show", input, "--json", "--as-on", "sgi-origin-2000"];
        let on = place.cll(&words).expect(0).json();
        let notes = on["as_on"]["notes"].to_string();
        assert!(notes.contains("published"), "{notes}");
    }
}
