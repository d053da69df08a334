//! `cll why`: which array leaves which level at which line.

use serde_json::Value;

use crate::support::Place;

/// Two walks: one through memory that a helper allocates, one through a static table by way of a parameter.
pub const WALKS: &str = "\
#include <stdio.h>
#include <stdlib.h>

int table[1 << 16];

static void *get(size_t size)
{
    void *p = calloc(size, 1);
    if (p == NULL)
        exit(2);
    return p;
}

static double walk(double *x, int n)
{
    double sum = 0;
#pragma cll walk walk[0] + walk[1]*n
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < n; i++)
            sum += x[i];
#pragma cll end walk
    return sum;
}

static int look(const int *from, int n)
{
    int sum = 0;
#pragma cll look look[0] + look[1]*n
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < n; i++)
            sum += from[4 * i];
#pragma cll end look
    return sum;
}

int main(int argc, char **argv)
{
    int most = argc > 1 ? atoi(argv[1]) : 8000;
    double *values = get(sizeof *values * 16384);
    double all = 0;
    int n = 1;
    if (most < 0) {
        fprintf(stderr, \"walks: it is negative\\n\");
        return 3;
    }
#pragma cll for (n = 500; n < most; n += n / 2)
    all += walk(values, n) + look(table, n);
#pragma cll end for
    printf(\"%g\\n\", all);
    free(values);
    return 0;
}
";

/// Levels of 40 KiB and 1 MiB.
pub const LEVELS: &str = "\
cll-machine = 2
name = \"two levels\"

[origin]
by = \"hand\"

[[level]]
name = \"L1\"
size = \"40 KiB\"
latency = \"1 ns\"

[[level]]
name = \"L2\"
size = \"256 KiB\"
latency = \"4 ns\"

[[level]]
name = \"memory\"
latency = \"80 ns\"
";

fn crossing<'a>(answer: &'a Value, experiment: &str, level: &str) -> &'a Value {
    let experiments = answer["experiments"].as_array().unwrap();
    let entry = experiments.iter().find(|value| value["name"] == experiment).unwrap();
    let all = entry["crossings"].as_array().unwrap();
    all.iter().find(|value| value["level"] == level).unwrap_or_else(|| panic!("{level}: {all:?}"))
}

#[test]
fn arrays_and_lines_that_leave_levels_are_named() {
    let place = Place::new();
    place.write("walks.c", WALKS);
    place.write("two.toml", LEVELS);
    let done = place.cll(&["why", "walks.c", "--machine", "two.toml", "--json"]).expect(0);
    let answer = done.json();
    assert_eq!((&answer["format"], &answer["is_measured"]), (&"cll-why".into(), &true.into()));
    for (experiment, level, array, line, boundary) in [
        ("walk", "L1", "values", 20, 40.0 * 1024.0 / 8.0),
        ("walk", "L2", "values", 20, 256.0 * 1024.0 / 8.0),
        ("look", "L1", "table", 31, 40.0 * 1024.0 / 16.0),
        ("look", "L2", "table", 31, 256.0 * 1024.0 / 16.0),
    ] {
        let value = crossing(&answer, experiment, level);
        assert_eq!((&value["array"], &value["line"]), (&array.into(), &line.into()), "{value}");
        let ratio = value["at"].as_f64().unwrap() / boundary;
        assert!((0.9..1.1).contains(&ratio), "{experiment} {level}: {value}");
        // Sizes up to 6400 were run.
        assert_eq!(value["measured"], boundary < 6400.0, "{value}");
    }
    let text = place.cll(&["why", "walks.c", "--machine", "two.toml", "-e", "look"]).expect(0);
    let text = text.prints(&["table[]", "L1", "n = 2,", "look[0] + look[1]*n"]);
    assert!(!text.out.contains("values[]"), "{}", text.out);
}

#[test]
fn boundaries_of_a_model_are_bound_to_their_causes() {
    let place = Place::new();
    place.write("walks.c", WALKS);
    place.write("two.toml", LEVELS);
    // Times that become longer where the static table leaves L1, and once more for no reason.
    let mut csv = String::from("n,time\n");
    for k in 0..40 {
        let n = 500.0 * 1.06f64.powi(k);
        let each = if n < 2560.0 { 1.0 } else { 2.5 };
        let each = if n < 900.0 { 0.5 } else { each };
        for noise in [0.995, 1.0, 1.005] {
            csv.push_str(&format!("{n:.0},{:e}\n", 1e-9 * each * n * noise));
        }
    }
    place.write("look.csv", &csv);
    let formula = "look[0] + look[1]*n";
    place.cll(&["fit", "look.csv", "--formula", formula, "-o", "look.json"]).expect(0);
    // A model of another source, without its name, is put beside the program.
    place.cll(&["why", "look.json"]).expect(3).says(&["does not say of which source"]);
    std::fs::create_dir(place.path("walks.cll")).unwrap();
    std::fs::rename(place.path("look.json"), place.path("walks.cll/model.json")).unwrap();
    let words = ["why", "walks.c", "--machine", "two.toml", "-e", "look"];
    let answer = place.cll(&[&words[..], &["--json"]].concat()).expect(0).json();
    let boundaries = answer["experiments"][0]["boundaries"].as_array().unwrap();
    let about = |n: f64| {
        let is_there = |boundary: &&Value| {
            let (low, high) =
                (boundary["low"].as_f64().unwrap(), boundary["high"].as_f64().unwrap());
            low <= n && n <= high
        };
        boundaries.iter().find(is_there).unwrap_or_else(|| panic!("{n}: {boundaries:?}"))
    };
    assert_eq!(about(900.0)["causes"], Value::Array(Vec::new()));
    let cause = &about(2560.0)["causes"][0];
    assert_eq!((&cause["array"], &cause["level"]), (&"table".into(), &"L1".into()), "{cause}");
    let text = place.cll(&words).expect(0);
    let text = text.prints(&["no cause found", "table[] (16*n", "leaves L1 (40 KiB) at n = 2,"]);
    text.prints(&[
        "look[1] (n) jumps from 500 ps to 1",
        "look[1] (n) jumps from 1",
        "to 2.50 ns, n = 2,",
    ]);

    // Reports name the cause after it was kept.
    let shown = place.cll(&["show", "walks.cll"]).expect(0);
    assert!(!shown.out.contains("table"), "{}", shown.out);
    let kept = place.cll(&[&words[..], &["--keep"]].concat()).expect(0);
    kept.says(&["model.json has 1 cause of changes now", "cll show"]);
    let shown = place.cll(&["show", "walks.cll"]).expect(0);
    shown.prints(&["(table[] leaves L1,", "walks.c:31)"]);
    std::fs::remove_dir_all(place.path("walks.cll")).unwrap();
    let no_model = place.cll(&["why", "walks.c", "--machine", "two.toml", "--keep"]).expect(2);
    no_model.says(&["--keep needs a model", "cll model"]);
}

#[test]
fn what_cannot_be_followed_is_said() {
    let place = Place::new();
    place.write("walks.c", WALKS);
    place.write("two.toml", LEVELS);
    let published = place.cll(&["why", "walks.c", "--machine", "sgi-origin-2000"]).expect(3);
    published.says(&["SGI Origin 2000 has no levels of memory", "cll machine probe --memory"]);
    place.cll(&["why", "walks.c", "--machine", "none.toml"]).expect(3).says(&["none.toml"]);
    place.cll(&["why", "none.c"]).expect(3).says(&["none.c"]);
    place.cll(&["why", "walks.c", "--sample", "3"]).expect(2).says(&["power of two"]);

    place.write("wrong.c", WALKS.replace("double sum = 0;", "double sum = nothing;"));
    let wrong = place.cll(&["why", "wrong.c", "--machine", "two.toml"]).expect(4);
    wrong.says(&["does not compile", "nothing"]);
    place.write("pragma.c", WALKS.replace("walk[1]*n", "walk[1]*(n"));
    place.cll(&["why", "pragma.c", "--machine", "two.toml"]).expect(3).says(&["pragma.c"]);
    place.write("plain.c", "int main(void) { return 0; }\n");
    place.cll(&["why", "plain.c"]).expect(3).says(&["plain.c has no experiment"]);
    place.write(
        "bsp.c",
        WALKS.replace("#include <stdio.h>", "#pragma cll parallel OpenMP\n#include <stdio.h>"),
    );
    place.cll(&["why", "bsp.c"]).expect(2).says(&["follows accesses in sequential programs"]);

    let failed = place.cll(&["why", "walks.c", "--machine", "two.toml", "--arguments", "-5"]);
    failed.expect(5).says(&["the program failed", "it is negative"]);
    let small = place.cll(&["why", "walks.c", "--machine", "two.toml", "--arguments", "600"]);
    small.expect(0).prints(&["with 1 set of values", "at least 3 are needed"]);
}

/// A model of `look` as `cll model walks.c` would write it, with times of a machine with `LEVELS`: 1 ns an access, and half
/// of what the accesses beyond L1 would wait.
fn modelled(place: &Place) {
    place.write("walks.c", WALKS);
    place.write("here.toml", LEVELS);
    let mut csv = String::from("n,time\n");
    for k in 0..36 {
        let n = (500.0 * 1.08f64.powi(k)).round();
        // Four elements of a cache line are read; there are three rounds.
        let waits = if 16.0 * n > 40.0 * 1024.0 { 0.5 * 0.25 * 3.0 } else { 0.0 };
        for noise in [0.998, 1.0, 1.002] {
            csv.push_str(&format!("{n},{:e}\n", 3e-9 * n * (1.0 + waits) * noise));
        }
    }
    place.write("look.csv", &csv);
    let formula = "look[0] + look[1]*n";
    place.cll(&["fit", "look.csv", "--formula", formula, "-o", "look.json"]).expect(0);
    let mut model: Value = serde_json::from_str(&place.read("look.json")).unwrap();
    model["program"] = serde_json::json!({
        "name": "walks",
        "sources": [{ "file": "walks.c", "crc32": "" }],
        "model": "sequential",
        "compiled": null,
    });
    place.write("look.json", model.to_string());
}

#[test]
fn times_on_another_machine_follow_from_its_costs() {
    let place = Place::new();
    modelled(&place);
    let there = LEVELS.replace("40 KiB", "80 KiB").replace("1 ns", "2 ns").replace("two", "other");
    place.write("there.toml", &there);
    let words = ["predict", "look.json", "--at", "n=4000", "--at", "n=6000"];
    let both = ["--machine", "there.toml", "--measured-on", "here.toml"];
    let answer = place.cll(&[&words[..], &both, &["--json"]].concat()).expect(0).json();
    let experiment = &answer["experiments"][0];
    assert_eq!(
        (&answer["format"], &experiment["by"]),
        (&"cll-on-machine".into(), &"memory".into())
    );
    assert!(experiment["error_here"].as_f64().unwrap() < 0.08, "{experiment}");
    let waits = experiment["waits"].as_f64().unwrap();
    assert!((waits - 0.5).abs() < 0.15, "{experiment}");
    // In 80 KiB the first size is in the first level, the second one is not.
    for (point, expected) in [(0, 12_000.0 * 2e-9), (1, 18_000.0 * (2e-9 + waits * 0.25 * 2e-9))] {
        let value = experiment["points"][point]["there_s"].as_f64().unwrap();
        assert!(
            (value / expected - 1.0).abs() < 0.08,
            "{point}: {value} and not {expected}: {experiment}"
        );
        let (low, high) =
            (&experiment["points"][point]["low_s"], &experiment["points"][point]["high_s"]);
        assert!(low.as_f64() < Some(value) && Some(value) < high.as_f64(), "{experiment}");
    }
    let boundary = &experiment["boundaries"][0];
    assert_eq!(
        (&boundary["level"], &boundary["array"]),
        (&"L1".into(), &"table".into()),
        "{experiment}"
    );
    let text = place.cll(&[&words[..], &both].concat()).expect(0);
    text.prints(&[
        "other levels",
        "by the costs of memory",
        "table[] leaves L1 at n = 51",
        "look[1]  = {(",
    ]);

    // The sets of its constants there, on known truth: 3 accesses an element, at 2 ns, and what they wait beyond 80 KiB.
    let fit = &experiment["fit"];
    let boundary = &experiment["boundaries"][0];
    let (low, high) = (boundary["low"].as_f64().unwrap(), boundary["high"].as_f64().unwrap());
    assert!(
        (0.8 * 5120.0..5120.0).contains(&low) && (5120.0..1.2 * 5120.0).contains(&high),
        "{boundary}"
    );
    assert_eq!((&boundary["file"], &boundary["line"]), (&"walks.c".into(), &31.into()));
    assert!((boundary["effect"].as_f64().unwrap() - 0.25 * waits).abs() < 0.03, "{boundary}");
    let pieces = fit["constants"][1]["segments"].as_array().unwrap();
    let found: Vec<f64> =
        pieces.iter().map(|piece| piece["estimate"]["value"].as_f64().unwrap()).collect();
    for (value, truth) in found.iter().zip([6e-9, 6e-9 + 1.5e-9 * waits]) {
        assert!((value / truth - 1.0).abs() < 0.04, "{found:?}");
    }
    assert_eq!((found.len(), &fit["axis"]), (2, &"n".into()), "{fit}");
    let break_at = fit["boundaries"][0]["at"].as_f64().unwrap();
    assert!((break_at / 5120.0 - 1.0).abs() < 0.05, "{break_at}");

    // They are a model: for predictions, and for llac.
    let written = ["--machine", "there.toml", "--measured-on", "here.toml", "-o", "there.json"];
    place.cll(&[&["predict", "look.json"][..], &written].concat()).expect(0);
    let again = place.cll(&["predict", "there.json", "--at", "n=4000", "--json"]).expect(0);
    let value = again.json()["predictions"][0]["value"].as_f64().unwrap();
    assert!(
        (value / experiment["points"][0]["there_s"].as_f64().unwrap() - 1.0).abs() < 0.03,
        "{value}"
    );
    let warned = place.cll(&["predict", "there.json", "--at", "n=4000"]).expect(0);
    warned.says(&["predicted for other levels, not measured there", "measured on two levels"]);
    let sets = place.cll(&["llac", "there.json", "-e", "show aleph there"]).expect(0);
    sets.prints(&["look[1]  = {(", "predicted for other levels, from two levels"]);

    // Of a published machine only the operations per second are known.
    let s =
        "[[classic]]\nprocessors = 1\ns = \"740 Mflop/s\"\ng = \"1 flop/word\"\nl = \"9 flop\"\n";
    place.write("rate.toml", format!("{}\n{s}", LEVELS.split("[[level]]").next().unwrap()));
    let both = ["--machine", "sgi-powerchallenge", "--measured-on", "rate.toml"];
    let answer = place.cll(&[&words[..], &both, &["--json"]].concat()).expect(0).json();
    let value = &answer["experiments"][0];
    assert_eq!(value["by"], "rate");
    let ratio = value["points"][0]["there_s"].as_f64().unwrap()
        / value["points"][0]["here_s"].as_f64().unwrap();
    assert!((ratio - 10.0).abs() < 0.01 && value["notes"][0].is_string(), "{value}");
}

#[test]
fn what_a_prediction_for_another_machine_needs() {
    let place = Place::new();
    modelled(&place);
    let words = ["predict", "look.json", "--at", "n=4000"];
    let wrong = |more: &[&str], code: i32, parts: &[&str]| {
        place.cll(&[&words[..], more].concat()).expect(code).says(parts);
    };
    wrong(&["--machine", "here.toml"], 2, &["--measured-on MACHINE"]);
    wrong(&["--machine", "none.toml", "--measured-on", "here.toml"], 3, &["none.toml"]);
    let head = LEVELS.split("[[level]]").next().unwrap().replace("two levels", "empty");
    let adds = "[[operation]]\nname = \"add\"\noperand = \"double\"\nlatency = \"1 ns\"\n";
    place.write("empty.toml", format!("{head}{adds}"));
    let both = ["--machine", "empty.toml", "--measured-on", "here.toml"];
    wrong(&both, 6, &["empty has no levels of memory", "no operations per second"]);
    std::fs::remove_file(place.path("walks.c")).unwrap();
    let both = ["--machine", "here.toml", "--measured-on", "here.toml"];
    wrong(&both, 3, &["the source of the model, walks.c, is not there"]);
}
