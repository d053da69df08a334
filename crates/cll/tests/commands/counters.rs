//! Counters that are recorded beside the times, and fitted in place of them.

use serde_json::Value;

use crate::support::{Place, have};

/// Touches N pages; `touch` counts them by its clause, `around` has it inside and no clause.
pub const TOUCH: &str = r#"#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

static void touch(int N)
{
    size_t at, length = (size_t)N * 4096;
    char *p;
#pragma cll touch counters(page-faults) touch[0] + touch[1]*N
    p = mmap(0, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        abort();
    madvise(p, length, MADV_NOHUGEPAGE);
    for (at = 0; at < length; at += 4096)
        ((volatile char *)p)[at] = 1;
    munmap(p, length);
#pragma cll end touch
}

int main(void)
{
    int N;
#pragma cll for (N = 50; N < 1000; N += N / 2)
#pragma cll around around[0] + around[1]*N
    touch(N);
#pragma cll end around
#pragma cll end for
    return 0;
}
"#;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn experiment<'a>(model: &'a Value, name: &str) -> &'a Value {
    let all = model["experiments"].as_array().unwrap();
    all.iter().find(|value| value["name"] == name).unwrap_or_else(|| panic!("{name} in {model}"))
}

/// Constant `index` of an experiment's only interval.
fn constant(model: &Value, name: &str, index: usize) -> f64 {
    experiment(model, name)["fit"]["intervals"][0]["constants"][index]["value"].as_f64().unwrap()
}

/// Whether the kernel counts page faults for us.
pub fn counts_faults(place: &Place) -> bool {
    let list = json(&place.cll(&["counters", "--json"]).expect(0).out);
    let all = list["counters"].as_array().unwrap();
    all.iter().any(|value| value["name"] == "page-faults" && value["available"] == true)
}

#[test]
fn the_list_says_what_there_is_and_what_is_not() {
    let place = Place::new();
    let text = place.cll(&["counters"]).expect(0).out;
    for part in ["cpu-time ", "[s]", "page-faults", "sim::D1mr", "PAPI"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let list = json(&place.cll(&["counters", "--json"]).expect(0).out);
    assert_eq!((&list["format"], &list["version"]), (&"cll-counters".into(), &1.into()));
    for value in list["counters"].as_array().unwrap() {
        assert_eq!(value["available"] == true, value["why_not"].is_null(), "{value}");
    }
}

#[test]
fn faults_are_fitted_and_predicted_in_their_own_unit() {
    let place = Place::new();
    place.write("touch.c", TOUCH);
    if !counts_faults(&place) {
        return;
    }
    let model = place.cll(&[
        "model",
        "touch.c",
        "-q",
        "--launches",
        "2",
        "--observable",
        "page-faults",
        "--predict",
        "N=5000",
        "--json",
        "--intervals",
        "none",
    ]);
    let model = json(&model.expect(0).out);
    for name in ["touch", "around"] {
        let value = experiment(&model, name);
        assert_eq!(
            (&value["observable"], &value["unit"]),
            (&"page-faults".into(), &"faults".into())
        );
        let each = constant(&model, name, 1);
        assert!((each - 1.0).abs() < 0.02, "{name}: {each}");
    }
    let warnings = model["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|one| one["code"] == "observable"), "{warnings:?}");
    let predicted = &model["predictions"].as_array().unwrap()[0];
    assert_eq!(predicted["unit"], "faults");
    assert!((predicted["value"].as_f64().unwrap() - 5000.0).abs() < 150.0, "{predicted}");
    // Exact counts are not refused on a loaded machine.
    assert_ne!(model["sampling"]["verdict"]["state"], "not-measurable");

    // From the traces: without what is inside there is next to nothing.
    let fit = place.cll(&[
        "fit",
        "touch.cll",
        "--observable",
        "perf::faults",
        "--time",
        "exclusive",
        "--weights",
        "absolute",
        "--intervals",
        "none",
        "--json",
    ]);
    let fit = json(&fit.expect(0).out);
    assert!(constant(&fit, "around", 1).abs() < 0.01, "{fit}");
    let fit = ["fit", "touch.cll", "--observable", "page-faults", "--details"];
    let text = place.cll(&fit).expect(0);
    assert!(text.out.contains("faults = touch[0]"), "{}", text.out);
    assert!(text.out.contains("the fitted value is page-faults, not the time"), "{}", text.out);
    let plot = place.cll(&["plot", "touch.cll/touch.cll.0.dat", "--observable", "page-faults"]);
    assert!(plot.expect(0).out.contains("page-faults"));
    let rows = place.cll(&["export", "touch.cll/touch.cll.0.dat"]).expect(0).out;
    assert!(rows.lines().next().unwrap().ends_with(",N,page-faults,page-faults.exclusive"));
    let svg = place.read("touch.cll/plots/touch.svg");
    assert!(svg.contains("page-faults"), "{svg}");
}

#[test]
fn clauses_alone_count_their_places() {
    let place = Place::new();
    place.write("touch.c", TOUCH);
    if !counts_faults(&place) {
        return;
    }
    place.build("touch");
    place.cll(&["run", "./touch"]).expect(0);
    let fit = place.cll(&["fit", "touch.cll.0.dat", "--observable", "page-faults", "--json"]);
    let fit = json(&fit.expect(0).out);
    assert_eq!(experiment(&fit, "around")["failure"], "no sample has page-faults");
    assert!(experiment(&fit, "touch")["fit"].is_object());
    let unknown = place.cll(&["fit", "touch.cll.0.dat", "--observable", "page-falts"]).expect(2);
    assert!(unknown.err.contains("did you mean page-faults?"), "{}", unknown.err);
    assert!(unknown.err.contains("no counter has the name page-falts"), "{}", unknown.err);
}

#[test]
fn processor_time_in_place_of_wall_time() {
    let place = Place::with_walk();
    let done = place.cll(&[
        "model",
        "walk.c",
        "-q",
        "--launches",
        "2",
        "--cpu-time",
        "--vary",
        "N=1000:100000:*3",
        "--json",
        "--",
        "{N}",
    ]);
    let model = json(&done.expect(0).out);
    let walk = experiment(&model, "walk");
    assert_eq!((&walk["observable"], &walk["unit"]), (&"cpu-time".into(), &"s".into()));
    let warnings = model["warnings"].as_array().unwrap();
    let reported = warnings.iter().find(|warning| warning["code"] == "cpu-time").unwrap();
    assert!(reported["text"].as_str().unwrap().contains("it contains no waiting"), "{reported}");
    assert!(constant(&model, "walk", 1) > 0.0);
    // The traces have the wall time, too.
    let fit = json(&place.cll(&["fit", "walk.cll", "--json"]).expect(0).out);
    assert_eq!(experiment(&fit, "walk")["observable"], "time");
    let both = place.cll(&["fit", "walk.cll", "--cpu-time", "--observable", "x"]).expect(2);
    assert!(both.err.contains("cannot be used with"), "{}", both.err);
}

#[test]
fn simulated_counts_are_exact() {
    let place = Place::with_walk();
    let arguments = [
        "model",
        "walk.c",
        "-q",
        "--simulate-caches=D1=32K,LL=1M",
        "--vary",
        "N=1000:32000:*2",
        "--cflags=-O0",
        "--json",
        "--",
        "{N}",
    ];
    if !have("valgrind", "counters::simulated_counts_are_exact") {
        let done = place.cll(&arguments).expect(7);
        assert!(done.err.contains("there is no valgrind in PATH"), "{}", done.err);
        return;
    }
    let model = json(&place.cll(&arguments).expect(0).out);
    let walk = experiment(&model, "walk");
    assert_eq!((&walk["observable"], &walk["unit"]), (&"sim::Ir".into(), &"instructions".into()));
    assert_eq!(model["sampling"]["rounds"].as_array().unwrap().len(), 1);
    let each = constant(&model, "walk", 1);
    assert!((each - each.round()).abs() < 1e-6 && each > 5.0, "{each}");
    let warnings = model["warnings"].as_array().unwrap();
    let caches = warnings.iter().find(|warning| warning["code"] == "simulated-caches").unwrap();
    assert!(caches["text"].as_str().unwrap().contains("--D1=32768,8,64"), "{caches}");

    // 8 bytes a step: one line in eight steps is missed, once the array is too large.
    let fit = |name: &str| {
        let done = place.cll(&["fit", "walk.cll", "--observable", name, "--json", "--points"]);
        json(&done.expect(0).out)
    };
    let misses = fit("sim::D1mr");
    let last = experiment(&misses, "walk")["fit"]["residuals"].as_array().unwrap().last().unwrap();
    let share = last["measured"].as_f64().unwrap() / 32000.0;
    assert!((share - 0.125).abs() < 0.01, "{share}: {last}");
    // The same beside the accesses: of reads, some are the loop's own.
    let recorded = experiment(&misses, "walk")["misses"].as_array().unwrap();
    let reads = recorded.iter().find(|value| value["misses"] == "sim::D1mr").unwrap();
    assert_eq!((&reads["accesses"], recorded.len()), (&"sim::Dr".into(), 6));
    let point = reads["points"].as_array().unwrap().last().unwrap();
    assert!(point["time_s"].is_null(), "times of a simulation: {point}");
    let files = place.list("walk.cll").into_iter().filter(|name| name.ends_with(".dat"));
    let files: Vec<String> = files.map(|name| format!("walk.cll/{name}")).collect();
    let words: Vec<&str> = ["export"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let export = place.cll(&words).expect(0).out;
    let rows: Vec<Vec<&str>> = export.lines().map(|row| row.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|head| *head == name).unwrap();
    let sum = |name: &str| {
        let largest = rows[1..].iter().filter(|row| row[column("N")].parse() == Ok(32000.0));
        largest.map(|row| row[column(name)].parse::<f64>().unwrap()).sum::<f64>()
    };
    let expected = sum("sim::D1mr") / sum("sim::Dr");
    assert!((point["share"].as_f64().unwrap() - expected).abs() < 1e-12, "{point}: {expected}");
    let text =
        place.cll(&["fit", "walk.cll", "--details", "--observable", "sim::D1mr"]).expect(0).out;
    assert!(text.contains("Misses per access") && text.contains("sim::DLmw"), "{text}");
    // Fitted as times they are said to be none.
    let times = place.cll(&["fit", "walk.cll"]).expect(0);
    assert!(times.out.contains("ran in a simulation"), "{}", times.out);
}

#[test]
fn a_simulated_run_keeps_its_exit_code_and_its_trace() {
    if !have("valgrind", "counters::a_simulated_run_keeps_its_exit_code_and_its_trace") {
        return;
    }
    let place = Place::new();
    place.write(
        "ends.c",
        "int main(void) {\n    volatile int i, n = 10;\n#pragma cll f f[0]*n\n    for (i = 0; \
         i < n; i++) {}\n#pragma cll end f\n    return 3;\n}\n",
    );
    place.build("ends");
    let done = place.cll(&["run", "--simulate-caches", "./ends"]).expect(3);
    assert!(done.err.contains("recorded in ends.cll.0.dat"), "{}", done.err);
    let head = place.cll(&["export", "ends.cll.0.dat"]).expect(0).out;
    assert!(head.lines().next().unwrap().contains("sim::DLmw"), "{head}");
}

#[test]
fn what_cannot_be_had_is_said_before_anything_is_run() {
    let place = Place::with_walk();
    place.build("walk");
    let says = |arguments: &[&str], code: i32, part: &str| {
        let done = place.cll(arguments).expect(code);
        assert!(done.err.contains(part), "{arguments:?}: {}", done.err);
    };
    says(
        &["run", "--counters", "cpu-tim", "./walk"],
        2,
        "there is no counter cpu-tim: did you mean cpu-time?",
    );
    says(&["run", "--counters", "sim::Ir", "./walk"], 2, "counted in a simulation only");
    says(&["run", "--simulate-caches", "--counters", "cpu-time", "./walk"], 2, "cannot be used");
    says(&["run", "--simulate-caches=L2=1M", "./walk"], 2, "`L2` is not a cache");
    says(&["run", "--simulate-caches=D1=48K:8", "./walk"], 2, "96 sets");
    says(&["model", "walk.c", "--simulate-caches", "--cpu-time"], 2, "in a simulation");
    says(&["model", "walk.c", "--observable", "cycels"], 2, "did you mean cycles?");
    let many: Vec<String> = (0..20).map(|n| format!("papi::e{n}")).collect();
    let done = place.cll(&["run", "--counters", &many.join(","), "./walk"]);
    // Too many, or no PAPI.
    assert!([2, 7].contains(&done.code), "{done:?}");
    assert!(!place.exists("walk.cll.0.dat") && !place.exists("walk.cll"));
    // Without valgrind.
    let done = place.cll_with(&[("PATH", "")], &["run", "--simulate-caches", "./walk"]).expect(7);
    assert!(done.err.contains("there is no valgrind in PATH"), "{}", done.err);
    // A clause; of a program that is built: in the tests of the crate `launch`.
    place.write(
        "odd.c",
        "int main(void) {\nint n = 1;\n#pragma cll f counters(page-fault) f[0]*n\n\
                          n++;\n#pragma cll end f\nreturn 0; }\n",
    );
    says(
        &["model", "odd.c"],
        3,
        "odd.c:3: there is no counter page-fault: did you mean page-faults?",
    );
    // A table has no observables.
    place.write("t.csv", "N,time\n1,2\n2,3\n3,4\n4,5\n");
    says(
        &["fit", "t.csv", "--formula", "f[0]+f[1]*N", "--observable", "cycles"],
        2,
        "not for tables",
    );
}

#[test]
fn what_only_the_program_knows_is_reported_by_it_and_the_fit() {
    let place = Place::with_walk();
    place.build("walk");
    let done = place.cll_with(&[("CLL_COUNTERS", "cpu-tiem,cpu-time")], &["run", "./walk"]);
    assert!(
        done.expect(0)
            .err
            .contains("cll: counter cpu-tiem is not recorded: there is no counter with this name")
    );
    let formula = "walk[0]*N";
    let words = ["fit", "walk.cll.0.dat", "--cpu-time", "--details", "--formula", formula];
    let fit = place.cll(&words).expect(0);
    assert!(
        fit.out.contains("cpu-tiem was not recorded: there is no counter with this name"),
        "{}",
        fit.out
    );
}
