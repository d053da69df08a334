//! Memory and operations: from samples to values, in files, and what is wrong in files.

use cll_machine::{
    Access, AnalyzerSample, Cache, Machine, SampleKind, Uncertain, analyze, compare, read, write,
};
use cll_units::Bytes;

pub const HEAD: &str = "cll-machine = 2\nname = \"two\"\n[origin]\nby = \"hand\"\n";

/// A file with one of each.
pub const GOOD: &str = r#"
[[level]]
name = "L1"
size = "48 [46, 51] KiB"
latency = "1.25 [1.24, 1.26] ns"

[[level]]
name = "memory"
latency = "90 ns"

[[translation]]
reach = "6 MiB"
page = "4 KiB"
cost = "7 ns"

[[contention]]
level = "memory"
cores = 2
factor = "1.66 [1.6, 1.7] x"

[[operation]]
name = "add"
operand = "double"
latency = "0.5 ns"
each = "125 ps"

[process]
start = "0.9 ms"

[[loaded]]
cores = 2
points = [
  { rate = "0 B/s", time = "90 ns" },
  { rate = "12 [11, 13] GB/s", time = "140 ns" },
]

[[bandwidth]]
access = "triad"
cores = 2
points = [{ size = "12 KiB", rate = "300 GB/s" }, { size = "48 MiB", rate = "20 GB/s" }]

[[latency]]
stride = "64 B"
pages = "large"
points = [{ size = "4 KiB", time = "1.25 ns" }, { size = "64 MiB", time = "90 ns" }]
"#;

fn machine(text: &str) -> Machine {
    let read = read(text.as_bytes());
    assert_eq!(read.diagnostics, [], "{text}");
    read.machine.unwrap()
}

#[test]
fn a_file_with_memory_is_read_and_written_as_the_same() {
    let read = machine(&format!("{HEAD}{GOOD}"));
    assert_eq!(read.memory.levels[0].size.unwrap().low, 46.0 * 1024.0);
    assert_eq!(read.memory.loaded[0].points[1].rate.high, 13e9);
    assert_eq!(
        (read.memory.contention[0].factor.value, read.process_start.unwrap().value),
        (1.66, 0.9e-3)
    );
    let text = write(&read);
    assert!(text.starts_with("cll-machine = 2\n"), "{text}");
    assert_eq!(machine(&text), read);
}

/// Accesses that do not need each other, of version 5.
const INDEPENDENT: &str = r#"
[[independent]]
access = "read"
stride = "64 B"
pages = "large"
points = [
  { size = "8 KiB", time = "0.5 ns" },
  { size = "16 KiB", time = "0.6 ns" },
  { size = "64 MiB", time = "8 ns" },
  { size = "128 MiB", time = "9 ns" },
  { size = "192 MiB", time = "20 ns" },
]

[[independent]]
access = "write"
stride = "64 B"
pages = "small"
points = [{ size = "64 KiB", time = "2 ns" }, { size = "256 KiB", time = "3 ns" }]

[[independent]]
access = "write"
stride = "4160 B"
pages = "small"
points = [{ size = "64 KiB", time = "2 ns" }, { size = "256 KiB", time = "7 [6, 9] ns" }]
"#;

#[test]
fn accesses_that_do_not_need_each_other_are_of_version_5() {
    let text =
        format!("{HEAD}{GOOD}{INDEPENDENT}").replace("start = ", "page = \"3 us\"\nstart = ");
    let read = machine(&text);
    let written = write(&read);
    assert!(written.starts_with("cll-machine = 5\n"), "{written}");
    assert_eq!(machine(&written), read);
    assert_eq!(read.page_use.unwrap().value, 3e-6);
    let each = |access, level| read.memory.each(access, level).map(|uncertain| uncertain.value);
    assert_eq!(each(Access::Read, 0), Some(5.5e-10));
    assert_eq!(each(Access::Read, 1), Some(9e-9));
    // Of writes there are no working sets in the first level.
    assert_eq!((each(Access::Write, 0), each(Access::Write, 1)), (None, Some(2.5e-9)));
}

#[test]
fn files_of_supersteps_alone_stay_of_version_1() {
    let text = "cll-machine = 1\nname = \"a\"\n[origin]\nby = \"x\"\n[[empty]]\nprocessors = 1\nL = \"1 us\"\n";
    assert!(write(&machine(text)).starts_with("cll-machine = 1\n"));
}

#[test]
fn what_is_wrong_with_memory_is_said() {
    let wrong = [
        ("latency = \"90 ns\"\n\n[[translation]]", "\n[[translation]]", "M005", "has no latency"),
        (
            "\"90 ns\"\n\n[[translation]]",
            "\"0 ns\"\n\n[[translation]]",
            "M008",
            "latency cannot be 0",
        ),
        ("\"48 [46, 51] KiB\"", "\"48 ns\"", "M007", "ns is a unit of a time"),
        ("\"1.66 [1.6, 1.7] x\"", "1.66", "M006", "factor is a factor such as"),
        ("\"300 GB/s\"", "\"300 GiB/s\"", "M007", "there is no unit GiB/s"),
        ("access = \"triad\"", "access = \"triade\"", "M012", "there is no access"),
        ("pages = \"large\"\n", "", "M005", "has no pages"),
        (
            "points = [{ size = \"4 KiB\", time = \"1.25 ns\" }, { size = \"64 MiB\", time = \"90 ns\" }]",
            "",
            "M005",
            "has no points",
        ),
        (
            "{ size = \"64 MiB\", time = \"90 ns\" }",
            "{ size = \"4 KiB\", time = \"90 ns\" }",
            "M011",
            "do not ascend by size",
        ),
        (
            "{ size = \"48 MiB\", rate = \"20 GB/s\" }",
            "{ size = \"48 MiB\" }",
            "M005",
            "a point has no rate",
        ),
        ("latency = \"0.5 ns\"\neach = \"125 ps\"\n", "", "M005", "neither latency nor each"),
        ("cores = 2\nfactor", "cores = 0\nfactor", "M006", "cores is a whole number"),
        ("start = \"0.9 ms\"", "begin = \"0.9 ms\"", "M005", "has no start"),
    ];
    for (good, bad, code, message) in wrong {
        assert!(GOOD.contains(good), "{good}");
        let text = format!("{HEAD}{}", GOOD.replacen(good, bad, 1));
        let read = read(text.as_bytes());
        assert!(read.machine.is_none(), "{bad}");
        let fault = read.diagnostics.iter().find(|diagnostic| diagnostic.code == code);
        let fault = fault.unwrap_or_else(|| panic!("{bad}: {:?}", read.diagnostics));
        assert!(fault.message.contains(message), "{bad}: {}", fault.message);
    }
}

#[test]
fn a_file_that_was_cut_off_is_no_machine_or_a_smaller_one() {
    let text = format!("{HEAD}{GOOD}");
    for end in 0..text.len() {
        let read = read(&text.as_bytes()[..end]);
        assert_eq!(
            read.machine.is_none(),
            read.diagnostics.iter().any(|diagnostic| diagnostic.is_error()),
            "{end}"
        );
    }
    // A curve without its end is no shorter curve.
    let cut = text.find("{ size = \"64 MiB\"").unwrap();
    assert_eq!(read(&text.as_bytes()[..cut]).diagnostics[0].code, "M001");
}

fn sample(
    kind: SampleKind,
    name: &str,
    stride: f64,
    bytes: f64,
    cores: u32,
    ns: f64,
) -> AnalyzerSample {
    AnalyzerSample { kind, name: name.to_owned(), stride, bytes, cores, time: 1e-9 * ns }
}

/// Samples of a machine with two caches and two levels of translation.
fn samples() -> Vec<AnalyzerSample> {
    let mut all = Vec::new();
    for round in 0..7 {
        let off = 1.0 + 0.002 * f64::from(round);
        for k in 0..60 {
            let bytes = (4096.0 * 2f64.powf(f64::from(k) / 4.0)).round();
            let ns = if bytes <= 48e3 {
                1.0
            } else if bytes <= 1e6 {
                4.0
            } else {
                80.0
            };
            all.push(sample(SampleKind::Latency, "large", 64.0, bytes, 1, ns * off));
            let alone = if bytes <= 1e6 { 0.01 } else { 0.1 };
            all.push(sample(SampleKind::Bandwidth, "read", 64.0, bytes, 1, alone * off));
            let shared = if bytes <= 1e6 { 0.01 } else { 0.17 };
            all.push(sample(SampleKind::Bandwidth, "read", 64.0, bytes, 2, shared * off));
        }
        for k in 0..40 {
            let pages = 8.0 * 2f64.powf(f64::from(k) / 4.0);
            let bytes = (pages * 64.0).round();
            let line = if bytes <= 48e3 { 1.0 } else { 4.0 };
            let more = if pages <= 64.0 {
                0.0
            } else if pages <= 1536.0 {
                2.0
            } else {
                9.0
            };
            all.push(sample(SampleKind::Latency, "small", 64.0, bytes, 1, line * off));
            all.push(sample(SampleKind::Latency, "small", 4160.0, bytes, 1, (line + more) * off));
        }
        all.push(sample(SampleKind::Chain, "multiply_double", 0.0, 0.0, 1, 2.0));
        all.push(sample(SampleKind::Chain, "sqrt_double", 0.0, 0.0, 1, 12.0));
        all.push(sample(SampleKind::Many, "sqrt_double", 0.0, 0.0, 1, 3.0));
        all.push(sample(SampleKind::Process, "start", 0.0, 0.0, 1, 5e5));
    }
    all
}

#[test]
fn samples_give_levels_translation_contention_and_operations() {
    let near =
        |value: f64, truth: f64| assert!((value / truth - 1.0).abs() < 0.1, "{value} {truth}");
    let analyzed = analyze(&samples(), &[Cache { name: "L1".into(), bytes: Bytes(48 << 10) }], 0.0);
    assert_eq!(analyzed.missing, [""; 0]);
    let memory = &analyzed.memory;
    let names: Vec<&str> = memory.levels.iter().map(|level| level.name.as_str()).collect();
    assert_eq!(names, ["L1", "L2", "memory"]);
    near(memory.levels[0].size.unwrap().value, 48e3);
    near(memory.levels[1].size.unwrap().value, 1e6);
    near(memory.levels[2].latency.value, 80e-9);
    assert_eq!(memory.translation.len(), 2, "{:?}", memory.translation);
    near(memory.translation[0].reach.value, 64.0 * 4096.0);
    near(memory.translation[1].reach.value, 1536.0 * 4096.0);
    near(memory.translation[1].cost.value, 9e-9);
    let kappa: Vec<f64> =
        memory.contention.iter().map(|contention| contention.factor.value).collect();
    assert_eq!(kappa.len(), 3);
    near(kappa[0], 1.0);
    near(kappa[2], 1.7);
    let root = analyzed.operations.iter().find(|operation| operation.name == "sqrt").unwrap();
    near(root.latency.unwrap().value, 10e-9);
    near(analyzed.process_start.unwrap().value, 5e-4);
}

#[test]
fn a_disturbed_machine_has_wider_intervals_and_hidden_caches_are_named() {
    let caches = ["L1", "L2", "L3"].map(|name| Cache { name: name.into(), bytes: Bytes(32 << 20) });
    let (quiet, loaded) = (analyze(&samples(), &[], 0.0), analyze(&samples(), &caches, 0.3));
    let width = |all: &cll_machine::Analyzed| {
        let start = all.process_start.unwrap();
        start.high - start.low
    };
    assert!(width(&loaded) > width(&quiet) + 0.5 * 5e-4);
    let memory = |all: &cll_machine::Analyzed| all.memory.levels.last().unwrap().latency;
    assert!(memory(&loaded).high > 1.25 * memory(&quiet).high);
    assert!(memory(&loaded).low < 0.75 * memory(&quiet).low);
    let is_missing = |text: &str| loaded.missing.iter().any(|line| line.contains(text));
    assert!(
        is_missing("L3: the system says 32 MiB, the latency has 2 steps"),
        "{:?}",
        loaded.missing
    );
    assert!(
        is_missing("why the system says 32 MiB for L1 and accesses find"),
        "{:?}",
        loaded.missing
    );
    let nothing = analyze(&[], &caches, 0.0);
    assert!(nothing.memory.is_empty() && nothing.operations.is_empty());
}

#[test]
fn machines_differ_where_their_intervals_do_not_overlap() {
    let first = machine(&format!("{HEAD}{GOOD}"));
    let mut second = first.clone();
    assert!(compare(&first, &second).is_empty());
    second.memory.levels[0].latency = Uncertain { value: 1.255e-9, low: 1.25e-9, high: 1.26e-9 };
    second.operations[0].latency = Some(Uncertain::exact(1e-9));
    second.process_start = None;
    let differences = compare(&first, &second);
    let differing: Vec<&str> = differences
        .values
        .iter()
        .filter(|difference| difference.differs)
        .map(|difference| difference.what.as_str())
        .collect();
    assert_eq!(differing, ["add (double), latency"]);
    assert_eq!((differences.values[0].ratio.value, differences.only_first.len()), (2.0, 1));
    assert_eq!(compare(&Machine::default(), &second).values, []);
}

#[test]
fn the_keys_of_a_table_are_named_once() {
    let text = "cll-machine = 5\nname = \"x\"\n[[independent]]\nworking_set = 1\n";
    let diagnostics = format!("{:?}", read(text.as_bytes()).diagnostics);
    assert!(diagnostics.contains("there are: access, stride, pages, points"), "{diagnostics}");
}
