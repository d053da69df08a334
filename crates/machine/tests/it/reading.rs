//! Machine's files: good ones are read, whatever is wrong in bad ones is said at its place.

use cll_machine::{Combine, Pattern, Synchronisation, read};

const GOOD: &str = r#"cll-machine = 1

name = "two cores"
about = """
A virtual machine.
"""
combine = "max"
missing = ["memory"]

[origin]
when = "2026-01-31T12:00:00Z"
by = "cll 0.1.0"
how = "rounds"
samples = "two.csv"

[host]
name = "lab"
cpu = "some"
cores = 2
caches = [{ name = "L1", size = "48 KiB" }, { name = "L2", size = "2 MiB" }]

[[classic]]
engine = "processes"
processors = 2
s = "2 Gop/s"
g = "4 op/word"
l = "1000 op"

[[empty]]
engine = "processes"
processors = 2
L = "100 [90, 120] ns"

[[communication]]
engine = "processes"
processors = 2
pattern = "total-exchange"
calls = "0.1 ns/B"
max = [
  { from = "8 B", to = "4 KiB", L = "1 us", g = "0.2 ns/B" },
  { from = "5000 B", to = "16 MiB", L = "2 us", g = "0.4 [0.3, 0.5] ns/B" },
]
sum = [{ from = "16 B", to = "32 MiB", L = "1 us", g = "0.1 ns/B" }]
"#;

#[test]
fn a_whole_file_is_read() {
    let found = read(GOOD.as_bytes());
    assert_eq!(found.diagnostics, []);
    let machine = found.machine.unwrap();
    assert_eq!(
        (machine.name.as_str(), machine.about.as_str()),
        ("two cores", "A virtual machine.")
    );
    assert_eq!(machine.combine, Some(Combine::Max));
    assert_eq!(machine.host.as_ref().unwrap().caches[1].bytes.get(), 2 << 20);
    let classic = &machine.classic[0];
    assert_eq!((classic.g.value, classic.l.value), (0.5e-9, 0.5e-6));
    assert_eq!(machine.empty[0].l.high, 120e-9);
    assert_eq!(machine.empty[0].synchronisation, Synchronisation::Barrier);
    let [max, sum] = &machine.communication[..] else { panic!("{:?}", machine.communication) };
    assert_eq!((max.combine, sum.combine), (Combine::Max, Combine::Sum));
    assert_eq!((max.pattern, max.segments.len()), (Pattern::TotalExchange, 2));
    assert_eq!(max.segments[1].g.low, 0.3e-9);
    assert_eq!(max.calls.unwrap().value, 0.1e-9);
}

/// The good file with one text put for another: the messages with the text they point at.
#[track_caller]
fn told(good: &str, bad: &str, expected: &[(&str, &str, &str)]) {
    assert!(GOOD.contains(good), "{good}");
    let text = GOOD.replacen(good, bad, 1);
    let found = read(text.as_bytes());
    let told: Vec<_> = found
        .diagnostics
        .iter()
        .map(|one| {
            let help = one.help.join("; ");
            (one.code, format!("{} ({help})", one.message), &text[one.primary.span.clone()])
        })
        .collect();
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for ((code, message, place), (wanted, part, at)) in told.iter().zip(expected) {
        assert_eq!(code, wanted, "{message}");
        assert!(message.contains(part), "{part:?} is not in {message:?}");
        assert_eq!(place, at, "{message}");
    }
    assert!(found.machine.is_none());
}

#[test]
fn what_is_no_machine_file() {
    let first = |text: &str| read(text.as_bytes()).diagnostics.remove(0);
    assert_eq!(first("").code, "M002");
    assert_eq!(first("name = \"x\"\n").code, "M002");
    assert_eq!(first("cll-machine = 0").code, "M002");
    assert_eq!(first("cll-machine = \"1\"").code, "M002");
    assert_eq!(first("cll-machine = 1\nname =").code, "M001");
    assert_eq!(read(b"cll-machine = 1 # \xff").diagnostics[0].primary.span, 18..19);
    assert!(first("cll-machine = 1\nname = \"x\"\n").message.contains("where the numbers"));
    told("[[classic]]", "[classic]", &[("M006", "classic is a list of tables", "[classic]")]);
}

#[test]
fn unknown_keys_and_words_have_a_suggestion() {
    told("about", "abuot", &[("M004", "did you mean about?", "abuot")]);
    told(
        "cores = 2",
        "core = 2",
        &[("M004", "[host] has no key core (did you mean cores?", "core")],
    );
    told(
        "from = \"8 B\"",
        "form = \"8 B\"",
        &[
            (
                "M005",
                "a piece has no from",
                "{ form = \"8 B\", to = \"4 KiB\", L = \"1 us\", g = \"0.2 ns/B\" }",
            ),
            ("M004", "did you mean from?", "form"),
        ],
    );
    told(
        "total-exchange",
        "total_exchange",
        &[("M012", "did you mean total-exchange?", "\"total_exchange\"")],
    );
    told("combine = \"max\"", "combine = \"+\"", &[("M012", "there are: max, sum", "\"+\"")]);
    told("processors = 2", "processors = 0", &[("M006", "from 1 on", "0")]);
    told("processors = 2", "processors = \"2\"", &[("M006", "whole number", "\"2\"")]);
}

#[test]
fn quantities_with_wrong_units_and_values() {
    told("\"0.2 ns/B\"", "\"0.2 ns\"", &[("M007", "ns is a unit of a time", "ns")]);
    told("\"1 us\"", "\"1 usec\"", &[("M007", "there is no unit usec", "usec")]);
    told("\"1 us\"", "\"1\"", &[("M007", "L has no unit", "1")]);
    told("\"1 us\"", "1e-6", &[("M006", "in quotation marks", "1e-6")]);
    told("\"0.2 ns/B\"", "\"-0.2 ns/B\"", &[("M008", "g cannot be -0.2: it is negative", "-0.2")]);
    told("\"0.2 ns/B\"", "\"nan ns/B\"", &[("M008", "not a number", "nan")]);
    told("\"48 KiB\"", "\"48 KB\"", &[("M007", "did you mean kB?", "KB")]);
    told("[0.3, 0.5]", "[0.5, 0.6]", &[("M009", "does not hold the value", "[0.5, 0.6]")]);
    told(
        "s = \"2 Gop/s\"\n",
        "",
        &[("M014", "g is in operations", ""), ("M014", "l is in", "")]
            .map(|(code, text, _)| (code, text, "[[classic]]")),
    );
    told("s = \"2 Gop/s\"", "s = \"0 op/s\"", &[("M008", "s cannot be 0", "\"0 op/s\"")]);
}

#[test]
fn pieces_that_contradict_each_other() {
    let segment =
        "{ from = \"5000 B\", to = \"16 MiB\", L = \"2 us\", g = \"0.4 [0.3, 0.5] ns/B\" }";
    let other = segment.replace("5000 B", "4096 B");
    told(segment, &other, &[("M011", "begins at 4096 B, the one before ends at 4096 B", &other)]);
    let other = segment.replace("16 MiB", "16 B");
    told(segment, &other, &[("M010", "begins at 5000 B and ends at 16 B", &other)]);
    told(
        "sum = [{ from = \"16 B\", to = \"32 MiB\", L = \"1 us\", g = \"0.1 ns/B\" }]",
        "sum = []",
        &[("M005", "sum has no pieces", "[]")],
    );
    let twice = "[[empty]]\nengine = \"processes\"\nprocessors = 2\nL = \"1 us\"\n\n[[empty]]";
    told("[[empty]]", twice, &[("M013", "is here twice", "[[empty]]")]);
}

#[test]
fn a_later_version_is_read_as_far_as_it_is_known() {
    let text = GOOD.replacen("cll-machine = 1", "cll-machine = 2\nquantum = 7", 1)
        + "\n[[memory]]\nworking_set = \"1 MiB\"\n";
    let found = read(text.as_bytes());
    let codes: Vec<_> = found.diagnostics.iter().map(|one| one.code).collect();
    assert_eq!(codes, ["M003", "M004", "M004"]);
    assert!(found.machine.is_some());
}
