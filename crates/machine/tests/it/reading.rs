//! Machine's files: good ones are read, whatever is wrong in bad ones is said at its place.

use std::fmt::Write;

use cll_machine::{Combine, Pattern, Synchronisation, read};
use expect_test::expect_file;

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
    let read = read(GOOD.as_bytes());
    assert_eq!(read.diagnostics, []);
    let machine = read.machine.unwrap();
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
}

/// Texts of the good file, and what stands in their places.
const WRONG: [(&str, &str); 26] = [
    ("[[classic]]", "[classic]"),
    ("about", "abuot"),
    ("cores = 2", "core = 2"),
    ("from = \"8 B\"", "form = \"8 B\""),
    ("total-exchange", "total_exchange"),
    ("combine = \"max\"", "combine = \"+\""),
    ("processors = 2", "processors = 0"),
    ("processors = 2", "processors = \"2\""),
    ("\"0.2 ns/B\"", "\"0.2 ns\""),
    ("\"1 us\"", "\"1 usec\""),
    ("\"1 us\"", "\"1\""),
    ("\"1 us\"", "1e-6"),
    ("\"0.2 ns/B\"", "\"-0.2 ns/B\""),
    ("\"0.2 ns/B\"", "\"nan ns/B\""),
    ("\"48 KiB\"", "\"48 KB\""),
    ("[0.3, 0.5]", "[0.5, 0.6]"),
    ("s = \"2 Gop/s\"\n", ""),
    ("s = \"2 Gop/s\"", "s = \"0 op/s\""),
    ("from = \"5000 B\"", "from = \"4096 B\""),
    ("to = \"16 MiB\"", "to = \"16 B\""),
    ("sum = [{ from = \"16 B\", to = \"32 MiB\", L = \"1 us\", g = \"0.1 ns/B\" }]", "sum = []"),
    ("missing = [\"memory\"]", "missing = \"memory\""),
    ("caches = [{ name = \"L1\", size = \"48 KiB\" }, ", "caches = [\"L1\", "),
    (
        "[origin]\nwhen = \"2026-01-31T12:00:00Z\"\nby = \"cll 0.1.0\"\nhow = \"rounds\"\nsamples = \"two.csv\"",
        "[[origin]]",
    ),
    ("[[empty]]", "[[empty]]\noversubscribed = \"yes\""),
    ("[[empty]]", "[[empty]]\nengine = \"processes\"\nprocessors = 2\nL = \"1 us\"\n\n[[empty]]"),
];

/// Messages about a file that is wrong, with the texts that they point at: `UPDATE_EXPECT=1` writes `reading.txt`
/// anew.
#[test]
fn what_is_wrong_is_said_at_its_place() {
    let mut all = String::new();
    for (good, bad) in WRONG {
        assert!(GOOD.contains(good), "{good}");
        let text = GOOD.replacen(good, bad, 1);
        let read = read(text.as_bytes());
        assert!(read.machine.is_none(), "{bad}");
        writeln!(all, "== {} -> {}", good.trim_end(), bad.replace('\n', "; ")).unwrap();
        for diagnostic in &read.diagnostics {
            writeln!(all, "{} {}", diagnostic.code, diagnostic.message).unwrap();
            writeln!(all, "    at `{}`", &text[diagnostic.primary.span.clone()]).unwrap();
            for help in &diagnostic.help {
                writeln!(all, "    = {help}").unwrap();
            }
        }
    }
    let all: String = all.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    expect_file!["reading.txt"].assert_eq(&all);
}

#[test]
fn a_later_version_is_read_as_far_as_it_is_known() {
    let text = GOOD.replacen("cll-machine = 1", "cll-machine = 6\nquantum = 7", 1)
        + "\n[[memory]]\nworking_set = \"1 MiB\"\n";
    let read = read(text.as_bytes());
    let codes: Vec<_> = read.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(codes, ["M003", "M004", "M004"]);
    assert!(read.machine.is_some());
}

/// A field of the wrong kind is not missing besides.
#[test]
fn a_fault_has_one_message() {
    let origin = "[origin]\nby = \"hand\"\n";
    let numbers = "[[empty]]\nengine = \"threads\"\nprocessors = 2\nL = \"1 us\"\n";
    let name = "name = \"x\"\n";
    let wrong = |(name, origin, numbers): (&str, &str, &str)| {
        let text = format!("cll-machine = 4\n{name}{origin}{numbers}");
        let messages = read(text.as_bytes()).diagnostics;
        messages.into_iter().map(|diagnostic| diagnostic.message).collect::<Vec<String>>()
    };
    assert_eq!(wrong((name, origin, numbers)), [""; 0]);
    let more = |text: &str| format!("{numbers}{text}\n");
    for (text, message) in [
        ((name, "[[origin]]\nby = \"hand\"\n", numbers), "[origin] is a table"),
        (("name = 3\n", origin, numbers), "name is a text in quotation marks"),
        (("name = \"\"\n", origin, numbers), "the machine has no name"),
        ((name, "[origin]\nby = 3\n", numbers), "by is a text in quotation marks"),
        ((name, "[origin]\nsource = 3\n", numbers), "source is a text in quotation marks"),
        ((name, origin, &more("[[regime]]\nvalue = \"L1\"\nseen = 3")), "seen is a list of tables"),
        ((name, origin, &more("[[regime]]\nvalue = \"L1\"\nseen = [3]")), "a regime is a table"),
        (
            (name, origin, &more("[[operation]]\nname = \"add\"\neach = 3")),
            "each is a time such as \"1.2 us\", in quotation marks",
        ),
        (
            (
                name,
                origin,
                "[[communication]]\nengine = \"threads\"\npattern = \"random\"\nprocessors = 2\nmax = [3]\n",
            ),
            "a segment is a table",
        ),
    ] {
        assert_eq!(wrong(text), [message], "{text:?}");
    }
}

#[test]
fn wrong_regimes_are_shown_at_their_place() {
    let wrong = |seen: &str| {
        let text = GOOD.replacen("cll-machine = 1", "cll-machine = 4", 1)
            + &format!("\n[[regime]]\nvalue = \"L1, latency\"\nseen = [{seen}]\n");
        let read = read(text.as_bytes());
        assert_eq!(read.machine.is_none(), !read.diagnostics.is_empty());
        let shown = |diagnostic: &cll_diagnostic::Diagnostic| {
            (diagnostic.code, text[diagnostic.primary.span.clone()].to_owned())
        };
        read.diagnostics.iter().map(shown).collect::<Vec<_>>()
    };
    let is = |code: &'static str, at: &str| vec![(code, at.to_owned())];
    let (near, far) =
        ("{ at = \"1 ns\", share = \"0.4 x\" }", "{ at = \"3 ns\", share = \"0.6 x\" }");
    assert_eq!(wrong(&format!("{near}, {far}")), []);
    assert_eq!(wrong(&format!("{far}, {near}"))[0].0, "M011");
    assert_eq!(wrong("")[0].0, "M005");
    assert_eq!(wrong("{ at = \"1 ns\", share = \"0.4\" }")[0].0, "M007");
    assert_eq!(
        wrong(&format!("{near}, {{ at = \"3 KiB\", share = \"0.6 x\" }}")),
        is("M007", "KiB")
    );
    assert_eq!(wrong("{ at = \"1 ns\" }")[0].0, "M005");
}

/// If each entry were compared with each other one, this would take minutes.
#[test]
fn a_file_of_many_entries_is_read_and_what_is_twice_is_named() {
    const COUNT: u32 = 100_000;
    let mut text = String::from(
        "cll-machine = 1\nname = \"many\"\n[origin]\nhow = \"by hand\"\nsource = \"a test\"\n",
    );
    let mut add = |processors: u32| {
        let _ = writeln!(
            text,
            "[[classic]]\nprocessors = {processors}\ns = \"1 Mop/s\"\ng = \"1 us/B\"\nl = \"1 ms\""
        );
    };
    (1..=COUNT).for_each(&mut add);
    add(COUNT);
    let diagnostics = read(text.as_bytes()).diagnostics;
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(
        (diagnostics[0].code, &*diagnostics[0].message),
        ("M013", "(s, g, l) of 100000 processors is here twice")
    );
}
