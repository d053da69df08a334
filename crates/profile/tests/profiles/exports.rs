//! The exports to other programs.

use cll_profile::export::{Figure, callgrind, csv, extrap, folded, hatchet, speedscope, timeline};
use cll_profile::{Metric, oxford};
use cll_supersteps::stored;

use crate::oxford::PROF;
use crate::written::{Reported, Step, log};

fn profile() -> cll_profile::Profile {
    oxford::read(PROF.as_bytes()).unwrap()
}

#[test]
fn stacks_have_what_is_their_own() {
    let text = folded(&profile(), Figure::Maximum(Metric::HRelation));
    assert_eq!(
        text,
        "program;main;foo;bcast;bcast.c:16 1000\nprogram;main;bar;bcast;bcast.c:16 100\n"
    );
}

#[test]
fn speedscopes_weights_are_the_root() {
    let value = speedscope(&profile());
    let of_h = &value["profiles"][4];
    assert_eq!(
        (of_h["name"].as_str(), of_h["endValue"].as_f64()),
        (Some("h-relation"), Some(1100.0))
    );
    let frames = value["shared"]["frames"].as_array().unwrap().len() as u64;
    // Reached in two ways, one frame.
    let names = value["shared"]["frames"].as_array().unwrap();
    assert_eq!(names.iter().filter(|frame| frame["name"] == "bcast").count(), 1);
    for value in value["profiles"].as_array().unwrap() {
        let (samples, weights) =
            (value["samples"].as_array().unwrap(), value["weights"].as_array().unwrap());
        assert_eq!(samples.len(), weights.len());
        let all = samples.iter().flat_map(|stack| stack.as_array().unwrap());
        assert!(
            all.clone().count() > 0
                && all.into_iter().all(|frame| frame.as_u64().unwrap() < frames)
        );
    }
}

#[test]
fn callgrind_adds_up() {
    let text = callgrind(&profile());
    // What is below main, in its call lines, is the whole.
    assert!(text.contains("summary: 10250000000 5000000000 3500000000 1100\n"), "{text}");
    assert_eq!(text.matches("\nfn=bcast\n").count(), 2, "{text}");
}

#[test]
fn hatchets_tree_is_the_profiles() {
    let value = hatchet(&profile());
    let root = &value[0];
    // What is inclusive says so: Hatchet adds up the rest.
    assert_eq!(root["metrics"]["h-relation (inc)"], 1100.0);
    assert_eq!(
        (&root["metrics"]["h-relation"], &root["metrics"]["time"]),
        (&0.0.into(), &0.0.into())
    );
    assert_eq!(root["children"][0]["children"][0]["frame"]["name"], "foo");
    assert_eq!(root["children"][0]["children"].as_array().unwrap().len(), 3);
}

#[test]
fn rows_and_lines_have_every_node() {
    let profile = profile();
    let text = csv(&profile);
    assert_eq!(text.lines().count(), 1 + 4 * profile.nodes.len());
    let last = text.lines().nth(4).unwrap();
    assert_eq!(last, "0,,program,program,,0,program,401,h-relation,1100,725,350,1100,350");
    for line in extrap(&profile, &[("N".to_owned(), 64.0)]).lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            (value["params"]["P"].as_u64(), value["params"]["N"].as_f64()),
            (Some(2), Some(64.0))
        );
    }
}

#[test]
fn a_timeline_has_a_track_for_each_processor() {
    let reported: Vec<Reported> = (0..2)
        .map(|pid| {
            let mut reported = Reported::new(pid, 2);
            let point = reported.point(5, &[0]);
            reported.sets = vec![vec![]];
            let step =
                Step { point, computed: 2000, communicated: 500, waited: 1000, ..Step::default() };
            reported.steps =
                vec![Step { number: 1, ..step }, Step { number: 2, end: true, ..step }];
            reported
        })
        .collect();
    let bytes = log(&reported);
    let mut out = Vec::new();
    timeline(&[stored(&bytes).unwrap()], &mut out).unwrap();
    let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let events = value["traceEvents"].as_array().unwrap();
    assert_eq!(events.len(), 2 * (1 + 2 * 3 * 2));
    let moments = |phase: &str| -> Vec<f64> {
        let those = events.iter().filter(|event| event["tid"] == 1 && event["ph"] == phase);
        those.map(|event| event["ts"].as_f64().unwrap()).collect()
    };
    let (begins, ends) = (moments("B"), moments("E"));
    // What follows begins where what was before it ends, to the last digit.
    assert_eq!(begins[1..], ends[..ends.len() - 1]);
    let of_one: Vec<f64> = begins.iter().zip(&ends).map(|(begin, end)| end - begin).collect();
    let expected = [2.0, 1.0, 0.5, 2.0, 1.0, 0.5];
    assert!(
        of_one.iter().zip(expected).all(|(found, wanted)| (found - wanted).abs() < 1e-6),
        "{of_one:?}"
    );
}

#[test]
fn names_cannot_break_a_format() {
    let evil = PROF.replace("foo", "a;b\u{202e}\"c\u{1b}[31m->d");
    let profile = oxford::read(evil.as_bytes()).unwrap();
    let stacks = folded(&profile, Figure::Time);
    for line in stacks.lines() {
        let stack = line.rsplit_once(' ').unwrap().0;
        assert!(stack.split(';').count() <= 5 && !stack.contains(['\u{1b}', '\u{202e}']), "{line}");
    }
    for line in callgrind(&profile).lines() {
        assert!(!line.contains(['\u{1b}', '\u{202e}']));
    }
    let paths = extrap(&profile, &[]);
    assert!(paths.lines().all(|line| !line.contains("\\u001b")));
}
