//! Profiles of the Oxford BSP Toolset: files of the same form as those of 1997.

use cll_profile::{Metric, NodeKind, Note, oxford};

/// A broadcast called by two functions, on two processors.
pub const PROF: &str = "\
D Wed Apr  9 12:22:32 1997
F  -O3 -flibrary-level 2
N ACRONYM
P 2
s 1 16 bcast.c
s 2 0 bsp_end
A <16 of bcast.c bcast,foo,main, > with 250 SYNCS 9.5 9.25 9.0 COMP 4.0 2.5 1.0 COMM 3.0 1.5 0.0 COMPIDLE 1000 625 250 HREL 9.5,1.0,3.0,0,1000;9.0,4.0,0.0,250,0;
A <16 of bcast.c bcast,bar,main, > with 150 SYNCS 0.5 0.5 0.5 COMP 1.0 1.0 1.0 COMM 0.5 0.25 0.0 COMPIDLE 100 100 100 HREL 0.5,1.0,0.0,100,100;0.5,1.0,0.5,100,0;
A <0 of bsp_end bsp_end,main, > with 1 SYNCS 0.25 0.125 0.0 COMP 0.0 0.0 0.0 COMM 0.0 0.0 0.0 COMPIDLE 0 0 0 HREL 0.25,0,0,0,0;0,0,0,0,0;
E 15.5
";

#[test]
fn a_profile_is_read() {
    assert!(oxford::is_profile(PROF.as_bytes()));
    let profile = oxford::read(PROF.as_bytes()).unwrap();
    assert_eq!((profile.processors, profile.h_unit, profile.elapsed.get()), (2, 4, 15.5));
    assert_eq!(profile.notes, []);
    let labels: Vec<String> = profile.nodes.iter().map(|node| node.kind.label()).collect();
    assert_eq!(
        labels,
        [
            "program",
            "main",
            "foo",
            "bcast",
            "bcast.c:16",
            "bar",
            "bcast",
            "bcast.c:16",
            "bsp_end",
            "end"
        ]
    );
    let root = &profile.root().costs;
    assert_eq!(root.supersteps, 401.0);
    assert_eq!(root.summary(Metric::Computation).maximum, 10.25);
    assert_eq!(root.summary(Metric::Communication).average, 3.5);
    assert_eq!(root.summary(Metric::HRelation).minimum, 350.0);
    assert_eq!(profile.nodes[2].costs.summary(Metric::HRelation).balance(), "(62% | 25%)");
    assert_eq!(profile.root().each[Metric::HRelation.index()], [1100.0, 350.0]);
    assert!(matches!(profile.nodes[9].kind, NodeKind::End { .. }));
}

fn notes(text: &str) -> Vec<String> {
    oxford::read(text.as_bytes()).unwrap().notes.iter().map(Note::to_string).collect()
}

#[test]
fn what_is_missing_or_inconsistent_is_reported() {
    let without = |word: &str| PROF.replace(word, "");
    let messages = notes(&without("E 15.5\n"));
    assert_eq!(messages, ["line 1: no line E has the time of the program"]);
    let messages = notes(&without("P 2\n"));
    assert_eq!(messages, ["line 1: no line P has the processors; 2 are in its centres"]);
    let messages = notes(&without("0.5 0.5 0.5 COMP"));
    assert_eq!(messages, ["line 8: this centre is left out: COMM stands where COMP should"]);
    let messages = notes(&PROF.replace("9.5,1.0,3.0,0,1000", "9.5,1.0,soon"));
    assert_eq!(messages, ["line 7: processor 0 has no five figures: 9.5,1.0,soon"]);
    let messages = notes(&PROF.replace("P 2", "P 3"));
    assert_eq!(messages[0], "line 7: it has figures of 2 processors, not of 3");
    let messages = notes(&PROF.replace("E 15.5", "E 2.5"));
    assert_eq!(
        messages,
        [
            "computation and communication are 15.25 s, the program took 2.50 s: communication was counted \
          over waiting"
        ]
    );
    let messages = notes(&PROF.replace("9.0,4.0,0.0,250", "9.0,4.0,7.0,250"));
    assert!(
        messages[0].starts_with("in 1 of 3 centres some processor waited longer"),
        "{messages:?}"
    );
    let texts = notes(&format!("{PROF}Q what\u{1b}[31m\n"));
    assert_eq!(texts, ["line 11: no record begins like this: Q what\\u{1b}[31m"]);
}

#[test]
fn what_cannot_be_used_is_refused_with_its_place() {
    let wrong = |text: &str| oxford::read(text.as_bytes()).unwrap_err();
    assert_eq!(wrong("D today\nP 4\n").code, "P001");
    let processors = wrong(&PROF.replace("P 2", "P 99999999999"));
    assert_eq!((processors.code, &PROF[processors.primary.span.start..][..2]), ("P002", "P "));
    for end in 0..PROF.len() {
        let _ = oxford::read(&PROF.as_bytes()[..end]);
    }
    // A name of 10 MB.
    let long = PROF.replace("foo", &"x".repeat(10_000_000));
    assert_eq!(oxford::read(long.as_bytes()).unwrap().nodes.len(), 10);
}

#[test]
fn a_log_with_lines_of_a_profile_in_it_is_a_log() {
    let text = b"D today\nP 2\nE 1\n";
    assert!(cll_profile::oxford::is_profile(text));
    assert!(!cll_profile::oxford::is_profile(&[&b"CLL1\n"[..], text].concat()));
}
