//! More counters than can be recorded at once: in runs of their own.

use serde_json::Value;

use crate::counters::{TOUCH, counts_faults};
use crate::support::Place;

/// Takes the place of a processor whose number of counters is known.
const PROCESSOR: &str = include_str!("stand_in_processor.c");

/// A place with the program, without clauses, and with the processor; `None` where the kernel counts nothing for us.
fn with_processor() -> Option<Place> {
    let place = Place::new();
    place.write("touch.c", TOUCH.replace("counters(page-faults) ", ""));
    place.write("processor.c", PROCESSOR);
    let built = place.sh("cc -shared -fPIC -O1 -o processor.so processor.c -ldl");
    assert_eq!(built.code, 0, "{}", built.err);
    counts_faults(&place).then_some(place)
}

/// With a processor of so many counters.
fn with<'a>(library: &'a str, counters: &'a str) -> [(&'a str, &'a str); 2] {
    [("LD_PRELOAD", library), ("STAND_IN_COUNTERS", counters)]
}

fn library(place: &Place) -> String {
    place.path("processor.so").to_string_lossy().into_owned()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn experiment<'a>(model: &'a Value, name: &str) -> &'a Value {
    let all = model["experiments"].as_array().unwrap();
    all.iter().find(|value| value["name"] == name).unwrap_or_else(|| panic!("{name} in {model}"))
}

fn per_n(model: &Value) -> f64 {
    let constants = &experiment(model, "touch")["fit"]["intervals"][0]["constants"];
    constants[1]["value"].as_f64().unwrap_or_else(|| panic!("{model}"))
}

/// The counters that were recorded in each run, each list once, in the order of the alphabet.
fn recorded(model: &Value) -> Vec<String> {
    let runs = model["runs"].as_array().unwrap().iter();
    let mut lists: Vec<String> = runs
        .map(|run| {
            let names = run["counters"].as_array().unwrap_or_else(|| panic!("{run}"));
            names.iter().map(|name| name.as_str().unwrap()).collect::<Vec<_>>().join(",")
        })
        .collect();
    lists.sort();
    lists.dedup();
    lists
}

const ASKED: &str = "cycles,instructions,branch-misses,page-faults,branches,r01";

#[test]
fn a_model_has_each_counter_from_its_runs_and_the_time_of_all() {
    let Some(place) = with_processor() else { return };
    let library = library(&place);
    let model = place.cll_with(
        &with(&library, "2"),
        &["model", "touch.c", "-q", "--launches", "2", "--counters", ASKED, "--json"],
    );
    let model = model.expect(0).says(&[
        "3 groups, each in separate runs: cycles, instructions, page-faults; branch-misses, branches; r01",
    ]);
    let model = json(&model.out);
    let groups = ["branch-misses,branches", "cycles,instructions,page-faults", "r01"];
    assert_eq!(recorded(&model), groups);
    assert_eq!(model["runs"].as_array().unwrap().len(), 2 * 3);
    assert!(model["warnings"].as_array().unwrap().iter().any(|one| one["code"] == "counters"));
    // From the traces, together, without that processor: 8 points in 2 rounds and 3 groups.
    let fit = |names: &[&str]| {
        let words = ["fit", "touch.cll", "--intervals", "none", "--json"];
        json(&place.cll(&[&words, names].concat()).expect(0).out)
    };
    let time = fit(&[]);
    assert_eq!(experiment(&time, "touch")["samples"], 2 * 3 * 8);
    for name in ASKED.split(',') {
        let own = fit(&["--observable", name]);
        assert!((per_n(&own) - 1.0).abs() < 0.02, "{name}: {own}");
    }
    let counted = experiment(&model, "touch")["counters"].as_array().unwrap();
    let names: Vec<&str> = counted.iter().map(|value| value["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 6, "{names:?}");
    for value in counted {
        // Of two runs of six, but for samples that were switched out; the processor's stand-in counts as the kernel.
        let points = value["points"].as_array().unwrap();
        let count: u64 = points.iter().map(|point| point["count"].as_u64().unwrap()).sum();
        assert!((1..=16).contains(&count) && value["samples"] == count, "{value}");
        for point in points {
            let (n, median) = (&point["values"][0], point["median"].as_f64().unwrap());
            assert!((median - n.as_f64().unwrap()).abs() < 30.0, "{value}");
        }
    }
    assert!(place.read("touch.cll/touch.html").contains("2 of 6"));
    // Misses and accesses are of the same samples.
    let misses = experiment(&time, "touch")["misses"].as_array().unwrap();
    assert_eq!((&misses[0]["accesses"], &misses[0]["share"]), (&"branches".into(), &1.0.into()));
}

#[test]
fn counters_that_would_take_turns_are_divided_as_those_that_are_refused() {
    let Some(place) = with_processor() else { return };
    let library = library(&place);
    let [preload, counters] = with(&library, "4");
    let words = ["model", "touch.c", "-q", "--launches", "1", "--counters", ASKED, "--json"];
    let turns = ("STAND_IN_TURNS", "1");
    let model = json(&place.cll_with(&[preload, counters, turns], &words).expect(0).out);
    let groups = ["cycles,instructions,branch-misses,branches,page-faults", "r01"];
    let mut sorted: Vec<Vec<String>> = recorded(&model).iter().map(names).collect();
    sorted.sort();
    assert_eq!(sorted, groups.map(names), "{model}");
    let scaled = |model: &Value| {
        let texts = model["warnings"].as_array().unwrap().iter();
        texts.filter_map(|text| text["text"].as_str()).any(|text| text.contains("they took turns"))
    };
    assert!(!scaled(&model), "{model}");
    // In one run they do, which is reported before and after.
    place.build("touch");
    let run = ["run", "--counters", ASKED, "./touch"];
    let done = place.cll_with(&[preload, counters, turns], &run).expect(0);
    done.says(&["they take turns", "--counters r01; cll fit takes their traces together"]);
    let fit = json(&place.cll(&["fit", "touch.cll.0.dat", "--json"]).expect(0).out);
    assert!(scaled(&fit), "{fit}");
    // With counters enough nothing is said.
    let done = place.cll_with(&[preload, ("STAND_IN_COUNTERS", "5"), turns], &run).expect(0);
    assert!(!done.err.contains("turns"), "{}", done.err);
}

fn names(list: impl AsRef<str>) -> Vec<String> {
    let mut names: Vec<String> = list.as_ref().split(',').map(str::to_owned).collect();
    names.sort();
    names
}

#[test]
fn clauses_of_the_program_leave_less_room() {
    let Some(place) = with_processor() else { return };
    let library = library(&place);
    place.write("touch.c", TOUCH.replace("counters(page-faults)", "counters(cycles)"));
    let words =
        ["model", "touch.c", "-q", "--launches", "1", "--counters", "r01,instructions", "--json"];
    let model = json(&place.cll_with(&with(&library, "2"), &words).expect(0).out);
    assert_eq!(recorded(&model), ["instructions", "r01"]);
    let fit = place.cll(&["fit", "touch.cll", "--observable", "cycles", "--json"]).expect(0).json();
    assert_eq!(experiment(&fit, "touch")["samples"], 2 * 8);
}

#[test]
fn a_campaign_has_rounds_of_each_group() {
    let Some(place) = with_processor() else { return };
    let library = library(&place);
    place.build("touch");
    let plan = "cll-campaign = 1\nprogram = \"./touch\"\nrounds = 2\ncounters = [\"cycles\", \
                \"instructions\", \"perf::faults\", \"r01\"]\n";
    place.write("plan.toml", plan);
    let cll = |arguments: &[&str]| place.cll_with(&with(&library, "2"), arguments);
    let check = cll(&["campaign", "check", "plan.toml"]).expect(0);
    check.prints(&["4 runs: 1 combination, 2 rounds with each of 2 groups of counters"]);
    let run = ["campaign", "run", "plan.toml", "-q"];
    cll(&run).expect(0).says(&["2 groups", "cycles, instructions, page-faults; r01"]);
    let fit = |observable: &[&str]| {
        let words = ["fit", "plan.campaign", "--intervals", "none", "--json"];
        json(&place.cll(&[&words, observable].concat()).expect(0).out)
    };
    assert_eq!(experiment(&fit(&[]), "touch")["samples"], 2 * 2 * 8);
    for name in ["cycles", "page-faults", "r01"] {
        let own = fit(&["--observable", name]);
        assert!((per_n(&own) - 1.0).abs() < 0.02, "{name}: {own}");
    }
    // It is the same plan again, and another one with other counters.
    cll(&run).expect(0);
    let status = cll(&["campaign", "status", "plan.campaign", "--json"]).expect(0).json();
    assert_eq!(status["counts"]["done"], 4);
    place.write("plan.toml", plan.replace(", \"r01\"", ""));
    cll(&run).expect(2).says(&["holds the runs of another plan"]);
    // What cannot be had is said before there is a book.
    place.write("other.toml", plan.replace("r01", "cycels"));
    cll(&["campaign", "run", "other.toml"]).expect(2).says(&["did you mean cycles?"]);
    assert!(!place.exists("other.campaign"));
}

/// The kernel's and the system's own: there are more of them than a record has room for.
#[test]
fn more_than_a_record_has_room_for_are_in_several_runs() {
    let place = Place::new();
    place.write("touch.c", TOUCH.replace("counters(page-faults) ", ""));
    let list = json(&place.cll(&["counters", "--json"]).expect(0).out);
    let all = list["counters"].as_array().unwrap().iter();
    let there = all.filter(|value| {
        value["available"] == true && (value["source"] == "system" || value["source"] == "kernel")
    });
    let names: Vec<&str> = there.map(|value| value["name"].as_str().unwrap()).collect();
    if names.len() <= 16 {
        return;
    }
    let counters = names.join(",");
    let model = place.cll(&[
        "model",
        "touch.c",
        "-q",
        "--launches",
        "1",
        "--counters",
        &counters,
        "--json",
    ]);
    let model = json(&model.expect(0).out);
    assert_eq!(recorded(&model).len(), 2);
    assert_eq!(recorded(&model).concat().split(',').count() + 1, names.len());
    place.build("touch");
    let done = place.cll(&["run", "--counters", &counters, "./touch"]).expect(2);
    let (first, rest) = (names[..16].join(","), names[16..].join(","));
    let [first, rest] = [first, rest].map(|group| format!("a run: --counters {group}"));
    let done = done.says(&["counters are too many: 16 can be recorded at a time", &first, &rest]);
    done.says(&["cll fit takes the traces of all these runs together"]);
}
