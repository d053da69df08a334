//! Plans as people write them, right and wrong.

use cll_campaign::{Launcher, Plan, read};

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
    let found = read.diagnostics.iter().map(|one| {
        let help = one.help.join("; ");
        (
            one.code.to_owned(),
            text[one.primary.span.clone()].to_owned(),
            format!("{}; {help}", one.message),
        )
    });
    found.collect()
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
    let one = plan(WHOLE);
    let other = plan(&WHOLE.replace("budget = \"1h\"", "budget = \"2h\""));
    assert!(one != other);
    assert_eq!(one.without_limits(), other.without_limits());
    let third = plan(&WHOLE.replace("rounds = 3", "rounds = 4"));
    assert!(one.without_limits() != third.without_limits());
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

#[test]
fn misspelt_keys_are_reported_at_their_place() {
    let found = wrong(&WHOLE.replace("timeout", "timout").replace("queue", "que"));
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!((found[0].0.as_str(), found[0].1.as_str()), ("P004", "timout"));
    assert!(found[0].2.contains("did you mean timeout?"), "{found:?}");
    assert!(found[1].2.contains("[batch] has no key que"), "{found:?}");
}

#[test]
fn every_value_is_looked_at() {
    for (from, to, at, said) in [
        ("\"1000:8000:*2\"", "\"1:4:2\"", "\"1:4:2\"", "write *2"),
        ("\"1:4:*2\"", "\"0.5,1\"", "\"0.5,1\"", "not a number of processors"),
        ("\"1:4:*2\"", "true", "true", "processors"),
        ("rounds = 3", "rounds = 0", "0", "from 1 on"),
        ("rounds = 3", "rounds = -3", "-3", "from 1 on"),
        ("\"2m\"", "\"2 weeks\"", "\"2 weeks\"", "not a unit of time"),
        ("\"slurm\"", "\"slrum\"", "\"slrum\"", "did you mean slurm?"),
        ("\"./heat\"", "\"\"", "", "no program"),
        ("[1, 2]", "[]", "[]", "a range, a number, or a list"),
        ("[1, 2]", "[1, [2]]", "[1, [2]]", "a range, a number, or a list"),
        ("T = ", "\"a b\" = ", "\"a b\"", "not a name"),
        ("rounds = 3", "rounds = 1000000\nrepetitions = 1000", "", "at most"),
    ] {
        let text = match to.contains("repetitions") {
            true => WHOLE.replace(from, to).replace("repetitions = 2\n", ""),
            false => WHOLE.replace(from, to),
        };
        let found = wrong(&text);
        assert!(
            found.iter().any(|one| one.1.trim() == at && one.2.contains(said)),
            "{to}: {found:?}"
        );
    }
}

#[test]
fn ranges_are_those_of_the_command_line_and_of_sources() {
    let of = |line: &str| plan(&format!("cll-campaign = 1\nprogram = \"./x\"\n{line}\n"));
    assert_eq!(of("processors = \"1:2\"").processors, [1, 2]);
    assert_eq!(of("processors = \"1:8:2\"").processors, [1, 2, 4, 8]);
    let text = "arguments = [\"{N}\"]\n[parameters]\nN = \"3:5\"";
    assert_eq!(of(text).parameters, [("N".to_owned(), vec![3.0, 4.0, 5.0])]);
}

#[test]
fn places_for_values_are_looked_at() {
    let of = |arguments: &str, more: &str| {
        format!("cll-campaign = 1\nprogram = \"./x\"\narguments = {arguments}\n{more}\n")
    };
    let fine = "[\"-d\", \"{P:3d}\", \"{P}\", \"{{P:q}\", \"{N}\"]";
    plan(&of(fine, "processors = \"1:8:2\"\n[parameters]\nN = 4"));
    for (arguments, more, place, part) in [
        ("[\"a\", \"{P:3q}\"]", "processors = 2", "\"{P:3q}\"", "`3q` is not a grid"),
        ("[\"-d{P:3d}\"]", "processors = 2", "\"-d{P:3d}\"", "makes 3 arguments"),
        ("[\"{P}\"]", "", "\"{P}\"", "there is none"),
        ("[\"{M}\"]", "[parameters]\nN = 1", "\"{M}\"", "did you mean N?"),
        ("[\"x\"]", "[parameters]\nN = 1", "[\"x\"]", "is not in"),
        ("[\"{P}\"]", "processors = 2\n[parameters]\nP = 1", "[\"{P}\"]", "cannot be a variable"),
    ] {
        let all = wrong(&of(arguments, more));
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!((&all[0].0[..], &all[0].1[..]), ("P010", place));
        assert!(all[0].2.contains(part), "{all:?}");
    }
}

#[test]
fn what_is_no_plan() {
    assert_eq!(wrong("")[0].0, "P002");
    assert_eq!(wrong("cll-campaign = 9\n")[0].0, "P002");
    assert_eq!(wrong("cll-campaign = \n")[0].0, "P001");
    assert_eq!(read(b"\xff\xfe", "x").diagnostics[0].code, "P001");
    let torn: Vec<u8> = WHOLE.bytes().collect();
    for length in 0..torn.len() {
        // Whatever is cut off, it is read or told, and never a panic.
        let _ = read(&torn[..length], "x");
    }
}
