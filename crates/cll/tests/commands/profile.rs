//! `cll profile`: logs of real programs, shown, compared, exported.

use std::fs;

use test_draw::is_full;

use crate::built;
use crate::support::Place;

/// A broadcast in one superstep from two functions, and one in two supersteps.
const PROGRAM: &str = r#"#include <bsp.h>
#include <stdlib.h>

static char from[1 << 14], to[1 << 14];

static void __attribute__((noinline)) one(int n)
{
    if (bsp_pid() == 0)
        for (int i = 1; i < bsp_nprocs(); i++)
            bsp_put(i, from, to, 0, n);
    bsp_sync();
}

static void __attribute__((noinline)) two(int n)
{
    int p = bsp_nprocs(), part = n / p;
    if (bsp_pid() == 0)
        for (int i = 1; i < p; i++)
            bsp_put(i, from, to, i * part, part);
    bsp_sync();
    for (int i = 0; i < p; i++)
        if (i != bsp_pid())
            bsp_put(i, from, to, bsp_pid() * part, part);
    bsp_sync();
}

static void __attribute__((noinline)) foo(int n)
{
    for (int i = 0; i < 5; i++)
        one(n);
    __asm__("");
}

static void __attribute__((noinline)) bar(int n)
{
    for (int i = 0; i < 5; i++)
        one(n);
    for (int i = 0; i < 10; i++)
        two(n);
    __asm__("");
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 8000;
    bsp_begin(bsp_nprocs());
    bsp_push_reg(to, sizeof to);
    bsp_sync();
    foo(n);
    bar(n);
    bsp_end();
    return 0;
}
"#;

pub fn logged() -> Place {
    let place = Place::new();
    place.write("b.c", PROGRAM);
    built::by_cll(&place, &[], &["cc", "-O1", "-g", "b.c", "-o", "b"], &["b.c"], "b");
    place.cll(&["run", "-n", "4", "--log", "./b"]).expect(0);
    place
}

/// Maximum of a metric of the graph's node of this name.
fn maximum(json: &serde_json::Value, name: &str, metric: usize) -> f64 {
    let nodes = json["graph"]["nodes"].as_array().unwrap();
    let named = |node: &&serde_json::Value| node["kind"]["function"] == name;
    let node = nodes.iter().find(named).unwrap_or_else(|| panic!("{name}: {nodes:#?}"));
    node["costs"]["metrics"][metric]["maximum"].as_f64().unwrap()
}

#[test]
fn a_log_is_shown_by_calls() {
    let place = logged();
    place.cll(&["profile", "show", "b.cll.0.log"]).expect(0).prints(&[
        "b: P = 4",
        " of the time",
        "parallel efficiency",
        "(50% | 33%)",
        "b > main > ",
        "b.c:11",
    ]);
    let json = place.cll(&["profile", "show", "b.cll.0.log", "--json"]).expect(0).json();
    assert_eq!((json["format"].as_str(), json["version"].as_u64()), (Some("cll-profile"), Some(1)));
    assert_eq!(json["critical"].as_array().unwrap().len(), 17);
    let headline = &json["headline"];
    let node = headline["node"].as_u64().unwrap() as usize;
    assert!(node < json["profile"]["nodes"].as_array().unwrap().len(), "{headline}");
    assert!((0.0..=1.0).contains(&headline["share"].as_f64().unwrap()), "{headline}");
    // n (p - 1) bytes each time; two stages: n/p (p - 1) twice.
    assert_eq!(maximum(&json, "one", 3), 10.0 * 8000.0 * 3.0);
    assert_eq!(maximum(&json, "two", 3), 20.0 * 2000.0 * 3.0);
    assert_eq!(maximum(&json, "foo", 3), 5.0 * 8000.0 * 3.0);
    place
        .cll(&["profile", "show", "b.cll.0.log", "--view", "graph"])
        .expect(0)
        .prints(&["from foo: 50 % of h-relation", "from bar: 50 % of h-relation"]);
    place
        .cll(&["profile", "show", "b.cll.0.log", "--view", "processors", "--path", "absolute:h"])
        .expect(0)
        .prints(&["processor", "is not always the same"]);
    place
        .cll(&["profile", "show", "b.cll.0.log", "--as-on", "sgi-origin-2000", "--words"])
        .expect(0)
        .prints(&["communication as on SGI Origin 2000", "words"]);
}

#[test]
fn two_logs_are_compared_and_conditions_held() {
    let place = logged();
    place.cll(&["run", "-n", "4", "--log", "./b", "10000"]).expect(0);
    let line = ["profile", "diff", "b.cll.0.log", "b.cll.1.log", "--by", "h"];
    place.cll(&line).expect(0).prints(&["1.250", "the whole: h-relation"]);
    let with = |condition: &str| place.cll(&[&line[..], &["--fail-if", condition]].concat());
    with("h.max > +5%").expect(9).prints(&["is met"]);
    with("h.max > +30%").expect(0).prints(&["is not met"]);
    with("one: h > 1e9").expect(0);
}

#[test]
fn what_cannot_be_read_is_said() {
    let place = logged();
    let log = place.bytes("b.cll.0.log");
    place.write("cut.log", &log[..log.len() * 3 / 4]);
    let cut = place.cll(&["profile", "show", "cut.log"]);
    assert!([0, 3, 6].contains(&cut.code) && !cut.err.is_empty(), "{cut:?}");
    // Without symbols, or of another program: addresses stand for functions.
    fs::remove_file(place.path("b")).unwrap();
    let unnamed = place.cll(&["profile", "show", "b.cll.0.log"]).expect(0);
    assert!(unnamed.out.contains("b+0x") && unnamed.err.contains("no symbols for"), "{unnamed:?}");
}

#[test]
fn logs_that_do_not_belong_together_are_said() {
    let place = logged();
    place.cll(&["run", "-n", "3", "--log", "./b"]).expect(0);
    let (first, other) = ("b.cll.0.log", "b.cll.1.log");
    // Of other numbers of processors they are compared, and it is said.
    place.cll(&["profile", "diff", first, other]).expect(0).says(&["4 processors before, 3 after"]);
    // A program that was compiled anew is another one: its functions would be wrong.
    place.write("b.c", PROGRAM.replace("i < 5", "i < 6"));
    place.cll(&["cc", "-O2", "-g", "b.c", "-o", "b"]).expect(0);
    let unnamed = place.cll(&["profile", "show", first]).expect(0).says(&["no symbols for"]);
    assert!(unnamed.out.contains("b+0x") && !unnamed.out.contains("foo"), "{}", unnamed.out);
}

/// A profile of two processors with a function of a name.
fn oxford(name: &str) -> String {
    format!(
        "D today\nN a\u{1b}[31mlas\u{202e}\nP 2\nA <16 of {name}.c {name},main, > with 10 SYNCS 2 1 0 COMP 2 1 0 COMM 0 0 \
         0 COMPIDLE 8 6 4 HREL 2,2,0,8,0;0,0,0,4,0;\nE 5\n"
    )
}

#[test]
fn names_from_elsewhere_do_nothing_to_the_terminal() {
    let place = Place::new();
    place.write("evil.bsp", oxford("a\u{1b}]0;title\u{7}\u{202e}b\u{200b}\r\u{85}c"));
    place.write("long.bsp", oxford(&"x".repeat(if is_full() { 10_000_000 } else { 1_000_000 })));
    let lines: &[&[&str]] = &[
        &["show", "evil.bsp"],
        &["show", "evil.bsp", "--view", "graph"],
        &["show", "evil.bsp", "--view", "processors"],
        &["show", "long.bsp", "--view", "graph"],
        &["diff", "evil.bsp", "long.bsp"],
        &["diff", "long.bsp", "evil.bsp", "--fail-if", "f\u{1b}[2J: h > +5%"],
        &["export", "evil.bsp", "--format", "folded"],
        &["export", "evil.bsp", "--format", "callgrind"],
        &["export", "long.bsp", "--format", "csv"],
        &["export", "evil.bsp", "--format", "speedscope"],
    ];
    for line in lines {
        let done = place.cll(&[&["profile"], *line].concat());
        assert!([0, 2].contains(&done.code), "{line:?}: {done:?}");
        for text in [&done.out, &done.err] {
            let wrong = text
                .chars()
                .find(|c| c.is_control() && *c != '\n' || "\u{202e}\u{200b}".contains(*c));
            assert_eq!(wrong, None, "{line:?}: {text:?}");
            assert!(text.len() < 100_000, "{line:?}: {}", text.len());
        }
    }
}

#[test]
fn unlike_programs_are_compared_and_said_to_be_unlike() {
    let place = logged();
    place.write("PROF.bsp", oxford("elsewhere"));
    let done = place.cll(&["profile", "diff", "b.cll.0.log", "PROF.bsp", "--by", "h"]).expect(0);
    done.says(&["4 processors before, 2 after", "almost no nodes in common (b and program)"])
        .prints(&["gone", "new", "only before", "only after"]);
}
