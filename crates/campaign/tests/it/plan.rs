//! Plans as people write them, right and wrong.

use std::fmt::Write;

use cll_campaign::{Launcher, Plan, PlannedPoint, order, read, write};
use expect_test::expect_file;

const WHOLE: &str = r#"
cll-campaign = 1
name = "heat"
program = "./heat"
arguments = ["{N}", "{T}", 100]
processors = "1:4:*2"
rounds = 3
repetitions = 2
timeout = "2m"
budget = "1h"
expect = 5
seed = 7
launcher = "slurm"

[parameters]
N = "1000:8000:*2"
T = [1, 2]

[environment]
OMP_PROC_BIND = true

[batch]
queue = "short"
options = ["--exclusive"]
"#;

fn plan(text: &str) -> Plan {
    let read = read(text.as_bytes(), "file");
    read.plan.unwrap_or_else(|| panic!("{:?}", read.diagnostics))
}

/// Code, text at the place, message and help of all that is wrong.
fn wrong(text: &str) -> Vec<(String, String, String)> {
    let read = read(text.as_bytes(), "file");
    assert!(read.plan.is_none(), "{text}");
    let findings = read.diagnostics.iter().map(|diagnostic| {
        let help = diagnostic.help.join("; ");
        (
            diagnostic.code.to_owned(),
            text[diagnostic.primary.span.clone()].to_owned(),
            format!("{}; {help}", diagnostic.message),
        )
    });
    findings.collect()
}

#[test]
fn a_whole_plan() {
    let plan = plan(WHOLE);
    assert_eq!((plan.name.as_str(), plan.program.as_str()), ("heat", "./heat"));
    assert_eq!(plan.arguments, ["{N}", "{T}", "100"]);
    assert_eq!(plan.processors, [1, 2, 4]);
    assert_eq!((plan.timeout, plan.budget, plan.expect), (120.0, Some(3600.0), Some(5.0)));
    assert_eq!(plan.environment, [("OMP_PROC_BIND".to_owned(), "true".to_owned())]);
    assert_eq!((plan.launcher, plan.batch.queue.as_deref()), (Launcher::Slurm, Some("short")));
    assert_eq!((plan.grid().len(), plan.runs()), (4 * 2 * 3, 4 * 2 * 3 * 3 * 2));
    let mut names: Vec<&str> = plan.parameters.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["N", "T"]);
}

#[test]
fn what_is_left_out_has_its_default() {
    let plan = plan("cll-campaign = 1\nprogram = \"x\"\n");
    assert_eq!(plan, Plan::new("file".into(), "x".into()));
    assert_eq!((plan.runs(), plan.launcher), (5, Launcher::Here));
}

#[test]
fn limits_of_time_make_no_other_plan() {
    let original = plan(WHOLE);
    let other = plan(&WHOLE.replace("budget = \"1h\"", "budget = \"2h\""));
    assert!(original != other);
    assert_eq!(original.without_limits(), other.without_limits());
    let third = plan(&WHOLE.replace("rounds = 3", "rounds = 4"));
    assert!(original.without_limits() != third.without_limits());
}

#[test]
fn counters_are_in_rounds_of_their_own() {
    let text = WHOLE.replace("rounds = 3", "rounds = 3\ncounters = [\"cycles\", \"r01\", \"r02\"]");
    let plan = plan(&text);
    assert_eq!((plan.counters.len(), plan.all_rounds(), plan.group_of(2)), (1, 3, 0));
    let group = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let counters = vec![group(&["cycles", "r02"]), group(&["cycles", "r01"])];
    let divided = Plan { counters, ..plan.clone() };
    assert_eq!((divided.all_rounds(), divided.runs()), (6, 2 * plan.runs()));
    assert_eq!([0, 1, 2].map(|round| divided.group_of(round)), [0, 1, 0]);
    assert_eq!(divided.without_limits(), plan.without_limits());
    let other = Plan { counters: vec![group(&["cycles", "r02"])], ..plan.clone() };
    assert!(other.without_limits() != plan.without_limits());
}

/// The messages about plans that are wrong: `UPDATE_EXPECT=1` writes `plan.txt` anew.
#[test]
fn every_value_is_looked_at() {
    let text_with = |arguments: &str, more: &str| {
        format!("cll-campaign = 1\nprogram = \"./x\"\narguments = {arguments}\n{more}\n")
    };
    let mut all = String::new();
    let mut say = |what: &str, text: &str| {
        writeln!(all, "== {}", what.trim_end()).unwrap();
        for (code, place, message) in wrong(text) {
            let message = message.trim_end_matches("; ");
            writeln!(all, "{code} {message}\n    at `{}`", place.trim()).unwrap();
        }
    };
    say("timout, que", &WHOLE.replace("timeout", "timout").replace("queue", "que"));
    for (from, to) in [
        ("\"1000:8000:*2\"", "\"1:4:2\""),
        ("\"1:4:*2\"", "\"0.5,1\""),
        ("\"1:4:*2\"", "true"),
        ("rounds = 3", "rounds = 0"),
        ("rounds = 3", "rounds = -3"),
        ("\"2m\"", "\"2 weeks\""),
        ("\"slurm\"", "\"slrum\""),
        ("\"./heat\"", "\"\""),
        ("[1, 2]", "[]"),
        ("[1, 2]", "[1, [2]]"),
        ("T = ", "\"a b\" = "),
        ("rounds = 3\nrepetitions = 2", "rounds = 1000000\nrepetitions = 1000"),
    ] {
        assert!(WHOLE.contains(from), "{from}");
        say(&to.replace('\n', "; "), &WHOLE.replace(from, to));
    }
    for (arguments, more) in [
        ("[\"a\", \"{P:3q}\"]", "processors = 2"),
        ("[\"-d{P:3d}\"]", "processors = 2"),
        ("[\"{P}\"]", ""),
        ("[\"{M}\"]", "[parameters]\nN = 1"),
        ("[\"x\"]", "[parameters]\nN = 1"),
        ("[\"{P}\"]", "processors = 2\n[parameters]\nP = 1"),
    ] {
        say(&format!("{arguments}; {}", more.replace('\n', "; ")), &text_with(arguments, more));
    }
    expect_file!["plan.txt"].assert_eq(&all);
}

#[test]
fn ranges_are_those_of_the_command_line_and_of_sources() {
    let plan_with = |line: &str| plan(&format!("cll-campaign = 1\nprogram = \"./x\"\n{line}\n"));
    assert_eq!(plan_with("processors = \"1:2\"").processors, [1, 2]);
    assert_eq!(plan_with("processors = \"1:8:2\"").processors, [1, 2, 4, 8]);
    let text = "arguments = [\"{N}\"]\n[parameters]\nN = \"3:5\"";
    assert_eq!(plan_with(text).parameters, [("N".to_owned(), vec![3.0, 4.0, 5.0])]);
}

#[test]
fn places_for_values_are_looked_at() {
    let text_with = |arguments: &str, more: &str| {
        format!("cll-campaign = 1\nprogram = \"./x\"\narguments = {arguments}\n{more}\n")
    };
    let fine = "[\"-d\", \"{P:3d}\", \"{P}\", \"{{P:q}\", \"{N}\"]";
    plan(&text_with(fine, "processors = \"1:8:2\"\n[parameters]\nN = 4"));
}

#[test]
fn what_is_no_plan() {
    assert_eq!(wrong("")[0].0, "P002");
    assert_eq!(wrong("cll-campaign = 9\n")[0].0, "P002");
    assert_eq!(wrong("cll-campaign = \n")[0].0, "P001");
    assert_eq!(read(b"\xff\xfe", "x").diagnostics[0].code, "P001");
    let torn: Vec<u8> = WHOLE.bytes().collect();
    for length in 0..torn.len() {
        // Whatever is cut off, it is read or reported, and never a panic.
        let _ = read(&torn[..length], "x");
    }
}

const POINTS: &str = r#"
cll-campaign = 1
program = "./heat"
arguments = ["{N}", "{T}"]
rounds = 3
budget = "10core-min"

[[points]]
N = 1024
T = 2
processors = 4
rounds = 5

[[points]]
T = "2^3"
N = 64
processors = 1
"#;

#[test]
fn points_one_by_one() {
    let plan = plan(POINTS);
    let point = |values: &[f64], processors, rounds| PlannedPoint {
        values: values.to_vec(),
        processors: Some(processors),
        rounds,
    };
    assert_eq!(plan.points, [point(&[1024.0, 2.0], 4, Some(5)), point(&[64.0, 8.0], 1, None)]);
    assert_eq!((plan.runs(), plan.all_rounds(), plan.grid().len()), (8, 5, 2));
    assert_eq!((plan.budget, plan.is_core_time), (Some(600.0), true));
    let run_count = |round| order(&plan.grid(), round, 1).len();
    assert_eq!([0, 2, 3, 4, 5].map(run_count), [2, 2, 1, 1, 0]);
}

#[test]
fn what_is_written_is_read_again() {
    let mut plan = plan(POINTS);
    plan.name = "a \"b\"".into();
    plan.points[1].values[0] = 0.125;
    plan.parameters[0].1[1] = 0.125;
    let why = ["for the prediction".to_owned(), "a\nbreak".to_owned()];
    let text = write(&plan, &["two\nlines".to_owned()], &why);
    let again = read(text.as_bytes(), "file");
    assert_eq!(again.plan.as_ref(), Some(&plan), "{text}\n{:?}", again.diagnostics);
}

#[test]
fn wrong_points_are_named() {
    let head = "cll-campaign = 1\nprogram = \"x\"\narguments = [\"{N}\"]\n";
    for (more, code, place, part) in [
        ("points = 3\n", "P006", "3", "tables"),
        ("points = []\n", "P006", "[]", "no point"),
        ("points = [{ N = \"2^x\" }]\n", "P006", "\"2^x\"", "`x` is not a number"),
        ("points = [{ N = 1, processors = 1.5 }]\n", "P006", "1.5", "whole number"),
        ("points = [{ N = 1, rounds = 0 }]\n", "P006", "0", "from 1 on"),
        ("points = [{ N = 1 }, { M = 2 }]\n", "P011", "{ M = 2 }", "parameters M, the first one N"),
        ("points = [{ N = 1 }, 4]\n", "P006", "4", "must be a table"),
        ("points = [{ N = 1 }]\nprocessors = 4\n", "P011", "[{ N = 1 }]", "also ranges"),
        ("points = [{ N = 1 }, { N = 2, processors = 4 }]\n", "P011", "", "some have none"),
    ] {
        let findings = wrong(&format!("{head}{more}"));
        let is_named = findings.iter().any(|(its, location, text)| {
            its == code && (place.is_empty() || location == place) && text.contains(part)
        });
        assert!(is_named, "{more}: {findings:?}");
    }
}
