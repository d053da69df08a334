//! `cll model --adaptive`: it chooses where to measure. What it measures here is of no interest, only what it does.

use std::collections::BTreeSet;

use crate::support::Place;

const ASK: &[&str] =
    &["--adaptive", "--vary", "N=2^10:2^16", "--predict", "N=2^18", "--json", "-q"];

fn sizes(found: &serde_json::Value) -> BTreeSet<u64> {
    let runs = found["runs"].as_array().unwrap();
    runs.iter().map(|run| run["arguments"][0].as_str().unwrap().parse().unwrap()).collect()
}

#[test]
fn points_are_chosen_from_the_span() {
    let place = Place::with_walk();
    let model = |precision: &str, more: &[&str]| {
        let line = [&["model", "walk.c", "--budget", "20"], ASK, &["--precision", precision], more];
        place.cll(&[&line.concat()[..], &["--", "{N}"]].concat()).expect(0).json()
    };
    // So narrow that points have to be chosen.
    let found = model("0.01%", &["--seed", "3"]);
    let sampling = &found["sampling"];
    let stopped = sampling["stopped"].as_str().unwrap();
    assert!(["precise", "budget", "hopeless", "planned"].contains(&stopped), "{stopped}");
    let chosen = sampling["adaptive"].as_array().unwrap();
    assert!(!chosen.is_empty() && chosen.len() <= 12, "{chosen:?}");
    let run = sizes(&found);
    assert!(run.iter().all(|n| (1024..=65536).contains(n)), "{run:?}");
    // The first points are the smaller ones; not all that could be run are.
    let rounds = sampling["rounds"].as_array().unwrap();
    let of_first = |round: &serde_json::Value| round["runs"].as_array().unwrap().len();
    assert_eq!(of_first(&rounds[0]), 4);
    let mut next = 5;
    for one in chosen {
        assert_eq!(one["round"], next, "{chosen:?}");
        let points = one["points"].as_array().unwrap();
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
    let again = model("0.01%", &["--seed", "3"]);
    let before = again["sampling"]["adaptive"].as_array().unwrap();
    assert_eq!(&before[..chosen.len()], &chosen[..]);
    assert!(sizes(&again).is_superset(&run));
    // The report has them, too.
    let line = ["model", "walk.c", "--adaptive", "--vary", "N=2^10:2^16", "--predict", "N=2^18"];
    let more = ["--precision", "0.01%", "--budget", "20", "--seed", "3", "--", "{N}"];
    place.cll(&[&line[..], &more].concat()).expect(0).prints(&["chosen before round 5", "N = "]);
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
    let line = ["model", "share.c", "-n", "1,2", "--oversubscribe", "--adaptive", "--budget", "10"];
    let more = ["--vary", "N=2^8:2^12", "--predict", "N=2^13,P=4", "--json", "-q", "--", "{N}"];
    let found = place.cll(&[&line[..], &more].concat()).expect(0).json();
    let counts: BTreeSet<u64> = found["runs"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|run| run["processors"].as_u64())
        .collect();
    assert_eq!(counts, BTreeSet::from([1, 2]));
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
