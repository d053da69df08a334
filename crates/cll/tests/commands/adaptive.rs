//! `cll model --adaptive`: it chooses where to measure. What it measures here is of no interest, only what it does.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{Done, Place, with_enough_time};

const ASK: &[&str] =
    &["--adaptive", "--vary", "N=2^10:2^16", "--predict", "N=2^18", "--json", "-q"];

fn sizes(value: &Value) -> BTreeSet<u64> {
    let runs = value["runs"].as_array().unwrap();
    runs.iter().map(|run| run["arguments"][0].as_str().unwrap().parse().unwrap()).collect()
}

#[test]
fn points_are_chosen_from_the_span() {
    let place = Place::with_walk();
    // So narrow that points have to be chosen.
    let precise = ["--precision", "0.01%", "--seed", "3"];
    let model = |budget: &str| {
        let line = [&["model", "walk.c", "--budget", budget], ASK, &precise, &["--", "{N}"]];
        place.cll(&line.concat())
    };
    // On a loaded machine a budget may have no room for a round, or none for more than the first points.
    let has_chosen = |done: &Done| {
        let has = |model: Value| model["sampling"]["adaptive"].get(0).is_some();
        done.code == 0 && has(done.json())
    };
    let answer = with_enough_time(model, has_chosen).expect(0).json();
    let sampling = &answer["sampling"];
    let stopped = sampling["stopped"].as_str().unwrap();
    assert!(["precise", "budget", "hopeless", "planned"].contains(&stopped), "{stopped}");
    let chosen = sampling["adaptive"].as_array().unwrap();
    let run = sizes(&answer);
    assert!(run.iter().all(|n| (1024..=65536).contains(n)), "{run:?}");
    // The first points are the smaller ones; not all that could be run are.
    let rounds = sampling["rounds"].as_array().unwrap();
    let of_first = |round: &Value| round["runs"].as_array().unwrap().len();
    assert_eq!(of_first(&rounds[0]), 4);
    assert!((1..=rounds.len()).contains(&chosen.len()), "{chosen:?}");
    // On a loaded machine the budget has no room for all five launches of the first points.
    let mut next = chosen[0]["round"].as_u64().unwrap();
    assert!((1..=5).contains(&next), "{chosen:?}");
    for value in chosen {
        assert_eq!(value["round"], next, "{chosen:?}");
        let points = value["points"].as_array().unwrap();
        assert!(!points.is_empty() && points.len() <= 3, "{points:?}");
        next += points.iter().map(|point| point["runs"].as_u64().unwrap()).max().unwrap();
        for point in points {
            let n = point["at"][0][1].as_f64().unwrap() as u64;
            assert!(run.contains(&n) || stopped == "budget", "{n} of {run:?}");
            let words = ["narrows", "distinguishes", "checks", "bisects"];
            assert!(words.contains(&point["reason"].as_str().unwrap()), "{point}");
        }
    }
    // The same command continues, and what was chosen is not lost.
    let again = with_enough_time(model, |done| done.code == 0).expect(0).json();
    let before = again["sampling"]["adaptive"].as_array().unwrap();
    assert_eq!(&before[..chosen.len()], &chosen[..]);
    assert!(sizes(&again).is_superset(&run));
    // The report has them, too.
    let line = ["model", "walk.c", "--adaptive", "--vary", "N=2^10:2^16", "--predict", "N=2^18"];
    let report = |budget: &str| {
        place.cll(&[&line[..], &precise, &["--details", "--budget", budget, "--", "{N}"]].concat())
    };
    let done = with_enough_time(report, |done| done.code == 0).expect(0);
    done.prints(&[&format!("chosen before round {}", chosen[0]["round"]), "N = "]);
}

#[test]
fn numbers_of_processors_are_chosen_as_well() {
    let place = Place::new();
    place.write(
        "share.c",
        "#include <stdlib.h>\n#include <omp.h>\n#pragma cll parallel OpenMP\n\
         static double a[1 << 16];\n\
         int main(int argc, char **argv)\n{\n    int N = atoi(argv[1]), k, i;\n    \
         for (k = 0; k < 3; k++) {\n#pragma cll f f[0] + f[1]*N/P\n#pragma omp parallel for\n\
         for (i = 0; i < N; i++) a[i] += i;\n#pragma cll end f\n    }\n    return argc < 2;\n}\n",
    );
    let line = ["model", "share.c", "-n", "1,2", "--oversubscribe", "--adaptive"];
    let more = ["--vary", "N=2^8:2^12", "--predict", "N=2^13,P=4", "--json", "-q"];
    let model =
        |budget: &str| place.cll(&[&line[..], &more, &["--budget", budget, "--", "{N}"]].concat());
    let counts = |done: &Done| -> BTreeSet<u64> {
        let value = done.json();
        let runs = value["runs"].as_array().unwrap().iter();
        runs.filter_map(|run| run["processors"].as_u64()).collect()
    };
    // On a loaded machine a budget may have room for the first points only.
    let both = BTreeSet::from([1, 2]);
    let done = with_enough_time(model, |done| done.code == 0 && counts(done) == both).expect(0);
    assert_eq!(counts(&done), both);
}

#[test]
fn what_cannot_be_chosen_is_refused_at_once() {
    let place = Place::with_walk();
    let model = |more: &[&str]| place.cll(&[&["model", "walk.c", "--adaptive"], more].concat());
    model(&["--", "5"]).expect(2).says(&["--vary"]);
    model(&["--vary", "N=1:9", "--launches", "3", "--", "{N}"]).expect(2).says(&["--launches"]);
    let other = model(&["--vary", "M=1:9", "--", "{M}"]).expect(2);
    other.says(&["no formula has a variable M"]);
    model(&["--vary", "N=1:9", "--vary", "N=2:8", "--", "{N}"]).expect(2).says(&["given twice"]);
    // A span of a million sizes is one to choose from only.
    place
        .cll(&["model", "walk.c", "--vary", "N=1:2^20", "--", "{N}"])
        .expect(2)
        .says(&["--vary", "more than 100000 values"]);
}

/// A program that measures N steps, and fails above a size.
const LIMITED: &str = r#"#include <stdlib.h>
static volatile double s;
int main(int argc, char **argv)
{
    int N = atoi(argv[argc - 1]), i;
    if (N > 5000)
        return 3;
#pragma cll f f[0] + f[1]*N
    for (i = 0; i < N; i++)
        s += i;
#pragma cll end f
    return 0;
}
"#;

#[test]
fn sizes_at_which_the_program_fails_are_named() {
    let place = Place::new();
    place.write("limited.c", LIMITED);
    let model = |range: &str, budget: &str| {
        let line = ["model", "limited.c", "--adaptive", "--loaded", "accept", "--fresh", "-q"];
        let vary = ["--vary", range, "--predict", "N=2^16", "--precision", "0.01%"];
        place.cll(&[&line[..], &vary, &["--budget", budget, "--", "{N}"]].concat())
    };
    // What is measured below is kept, and the prediction says how far it is beyond that.
    let done = with_enough_time(|budget| model("N=2^8:2^15", budget), |done| done.code == 5);
    let done = done.expect(5);
    let done = done.says(&["the program ended with exit code 3 (N=", "recorded samples are kept"]);
    let done = done.prints(&["all numbers: cll show limited.cll"]);
    // What a disturbed run contradicts is not predicted.
    let is_told = ["beyond the data", "no prediction"].iter().any(|words| done.out.contains(words));
    assert!(is_told, "{}", done.out);
    let failed = done.err.split("exit code 3 (").nth(1).unwrap().split(')').next().unwrap();
    let sizes = failed.split("; ").filter_map(|text| text.strip_prefix("N="));
    let sizes: Vec<u64> = sizes.map(|size| size.parse().unwrap()).collect();
    assert!(!sizes.is_empty() && sizes.iter().all(|&size| size > 5000), "{failed}");
    // Where all sizes fail there is nothing to fit.
    let none = model("N=2^13:2^15", "20s").expect(5);
    none.says(&["exit code 3 (N=", "nothing was recorded"]);
}

#[test]
fn a_budget_below_one_run_is_refused_with_what_is_needed() {
    let place = Place::new();
    // However quick the machine is, a run takes half a second.
    let slow = LIMITED.replace("#include <stdlib.h>", "#include <stdlib.h>\n#include <unistd.h>");
    place.write("slow.c", slow.replace("    if (N", "    usleep(500000);\n    if (N"));
    let line = ["model", "slow.c", "--adaptive", "--vary", "N=2^8:2^12", "-q"];
    let done = place.cll(&[&line[..], &["--budget", "20ms", "--", "{N}"]].concat()).expect(2);
    done.says(&["--budget 20ms is too small for one round", "rounds need --budget"]);
    for (budget, words) in
        [("0s", "--budget"), ("-1s", "--budget"), ("3x", "is not a unit of time")]
    {
        let budget = format!("--budget={budget}");
        place.cll(&[&line[..], &[&budget, "--", "{N}"]].concat()).expect(2).says(&[words]);
    }
}

#[test]
fn options_that_contradict_the_choice_are_refused() {
    let place = Place::new();
    place.write("limited.c", LIMITED);
    let model = |more: &[&str], arguments: &str| {
        let line = ["model", "limited.c", "--adaptive", "--loaded", "accept", "--budget", "5"];
        place.cll(&[&line[..], more, &["-q", "--", arguments]].concat())
    };
    let vary = ["--vary", "N=2^8:2^12"];
    model(&[&vary[..], &["--precision", "0"]].concat(), "{N}").expect(2).says(&["above 0"]);
    let other = [&vary[..], &["--predict", "M=4"]].concat();
    model(&other, "{N}").expect(2).says(&["no experiment has a variable M"]);
    model(&vary, "7").expect(2).says(&["{N} is not in the program's arguments"]);
    // One value is nothing to choose from: the formula cannot be fitted, and that is said.
    model(&["--vary", "N=512"], "{N}").expect(6).prints(&["N had one value", "vary it"]);
}
