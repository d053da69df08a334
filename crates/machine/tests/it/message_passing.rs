//! The tables of MPIs in a machine's file: what is written is read, and what is wrong is named at its place.

use cll_machine::{
    Collective, CollectiveLine, Machine, MessageCall, Origin, Partner, Published, compare, read,
    simgrid, write,
};

pub const TEXT: &str = r#"cll-machine = 3

name = "two"

[origin]
by = "hand"

[host]
name = "here"
kernel = "6.1.0"
microcode = "0x1"

[[mpi]]
name = "An MPI 1"
hosts = 1
eager = "4040 [4032, 4048] B"
eager-outside = "256 B"
start = [
  { processes = 2, time = "400 [390, 420] ms" },
]

[[message]]
mpi = "An MPI 1"
hosts = 1
call = "total"
pieces = [
  { from = "8 B", to = "4040 B", L = "300 ns", g = "500 ps/B" },
  { from = "4 KiB", to = "1 MiB", L = "1 us", g = "100 ps/B" },
]

[[message]]
mpi = "An MPI 1"
hosts = 1
call = "emission"
pieces = [
  { from = "8 B", to = "1 MiB", L = "50 ns", g = "100 ps/B" },
]

[[message]]
mpi = "An MPI 1"
hosts = 1
call = "transit"
pieces = [
  { from = "8 B", to = "1 MiB", L = "200 ns", g = "300 ps/B" },
]

[[message]]
mpi = "An MPI 1"
hosts = 1
call = "reception"
pieces = [
  { from = "8 B", to = "1 MiB", L = "50 ns", g = "100 ps/B" },
]

[[message]]
mpi = "An MPI 1"
hosts = 1
call = "send"
partner = "late"
pieces = [
  { from = "8 B", to = "1 MiB", L = "50 ns", g = "100 ps/B" },
]

[[collective]]
mpi = "An MPI 1"
hosts = 1
call = "allreduce"
processes = 4
oversubscribed = true
pieces = [
  { from = "8 B", to = "1 MiB", L = "8 us", g = "1 ns/B" },
]
"#;

fn machine() -> Machine {
    let read = read(TEXT.as_bytes());
    assert_eq!(read.diagnostics, []);
    read.machine.unwrap()
}

#[test]
fn what_is_written_is_read() {
    let machine = machine();
    let text = write(&machine);
    assert_eq!(read(text.as_bytes()).machine.unwrap(), machine, "{text}");
    assert!(text.starts_with("cll-machine = 3\n"));
    let mpi = &machine.message_passing;
    assert_eq!(mpi.library("An MPI 1", 1).unwrap().eager.unwrap().high, 4048.0);
    let send = mpi.message("An MPI 1", 1, MessageCall::Send, Some(Partner::Late)).unwrap();
    assert!((send.time(1000.0).value - 150e-9).abs() < 1e-15);
    assert_eq!(
        (mpi.collectives[0].call, mpi.collectives[0].oversubscribed),
        (Collective::Allreduce, true)
    );
    // Between two pieces the nearer one, beyond them the last one.
    let total = mpi.message("An MPI 1", 1, MessageCall::Total, None).unwrap();
    assert!((total.time(4041.0).value - (300e-9 + 4041.0 * 500e-12)).abs() < 1e-12);
    assert!((total.time(2e6).value - (1e-6 + 2e6 * 100e-12)).abs() < 1e-12);
}

#[test]
fn what_is_wrong_is_named_at_its_place() {
    let wrong = |old: &str, new: &str| {
        let text = TEXT.replacen(old, new, 1);
        assert_ne!(text, TEXT, "{old}");
        let read = read(text.as_bytes());
        assert_eq!(read.machine, None, "{new}");
        let code_of = |diagnostic: &cll_diagnostic::Diagnostic| {
            (diagnostic.code, text[diagnostic.primary.span.clone()].to_owned())
        };
        read.diagnostics.iter().map(code_of).collect::<Vec<_>>()
    };
    let codes =
        |all: Vec<(&'static str, String)>| all.into_iter().map(|pair| pair.0).collect::<Vec<_>>();
    assert_eq!(wrong("\"256 B\"", "\"256 ns\""), [("M007", "ns".into())], "a wrong unit");
    assert_eq!(wrong("\"50 ns\"", "\"50 B\""), [("M007", "B".into())]);
    assert_eq!(wrong("\"late\"", "\"lazy\""), [("M012", "\"lazy\"".into())]);
    assert_eq!(wrong("\"allreduce\"", "\"allreduse\""), [("M012", "\"allreduse\"".into())]);
    assert_eq!(codes(wrong("partner = \"late\"\n", "")), ["M005"], "a call needs a partner");
    assert_eq!(
        codes(wrong("call = \"total\"\n", "call = \"total\"\npartner = \"late\"\n")),
        ["M012"]
    );
    assert_eq!(codes(wrong("processes = 4\n", "")), ["M005"]);
    assert_eq!(codes(wrong("\"emission\"", "\"total\"")), ["M013"], "twice");
    assert_eq!(codes(wrong("eager-outside", "eager_outside")), ["M004"]);
    // A missing curve.
    let curve =
        "pieces = [\n  { from = \"8 B\", to = \"1 MiB\", L = \"8 us\", g = \"1 ns/B\" },\n]\n";
    assert_eq!(codes(wrong(curve, "")), ["M005"]);
    assert_eq!(codes(wrong(curve, "pieces = []\n")), ["M005"]);
}

#[test]
fn machines_are_compared_by_their_messages() {
    let (a, mut b) = (machine(), machine());
    assert!(compare(&a, &b).is_empty());
    b.message_passing.libraries[0].eager = Some(cll_machine::Uncertain::exact(8255.0));
    b.message_passing.collectives[0].segments[0].l = cll_machine::Uncertain::exact(80e-6);
    let differences = compare(&a, &b);
    let differ: Vec<&str> = differences
        .values
        .iter()
        .filter(|difference| difference.differs)
        .map(|difference| difference.what.as_str())
        .collect();
    assert!(differ.contains(&"An MPI 1, eager limit"), "{differ:?}");
    assert!(differ.contains(&"An MPI 1, allreduce of 8 B with 4 processes"), "{differ:?}");
}

#[test]
fn what_has_changed_since_is_said_of_the_same_computer() {
    let then = machine().host.unwrap();
    let mut now = then.clone();
    assert_eq!(then.changes(&now), [] as [String; 0]);
    now.kernel = "6.8.0".into();
    now.microcode = "0x2".into();
    assert_eq!(then.changes(&now), ["kernel 6.1.0 is now 6.8.0", "microcode 0x1 is now 0x2"]);
    now.name = "elsewhere".into();
    assert_eq!(then.changes(&now), [] as [String; 0]);
}

#[test]
fn a_platform_has_the_busy_times_below_the_limit_and_the_whole_above() {
    let text = simgrid(&machine(), None, 2, Some(1e9)).unwrap();
    for part in [
        "<prop id=\"smpi/async-small-thresh\" value=\"4040\"/>",
        "<prop id=\"smpi/os\" value=\"0:5.000000e-8:1.000000e-10;4041:0:0\"/>",
        "latency=\"2.000000e-7s\"",
        "bandwidth=\"1.000000e10Bps\"",
        "<host id=\"process-1\" speed=\"1.000000e9f\"/>",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(simgrid(&machine(), Some("Other"), 2, Some(1e9)).unwrap_err().0.contains("Other"));
    assert!(simgrid(&machine(), None, 2, None).unwrap_err().0.contains("--speed"));
    let published = Published::named("sgi-powerchallenge").unwrap().machine();
    assert!(simgrid(&published, None, 2, None).unwrap_err().0.contains("no times of messages"));
}

#[test]
fn what_is_added_is_not_there_twice() {
    let mut all = machine();
    assert!(all.add(machine()).unwrap_err().to_string().contains("total of An MPI 1"));
    let more = Published::named("sgi-powerchallenge").unwrap().machine();
    all.origin = Origin { source: Some("one".into()), ..Origin::default() };
    all.add(more).unwrap();
    assert!(all.classic.len() > 1 && all.origin.source.unwrap().starts_with("one; Oxford"));
}

/// If each line were compared with each other one, this would take hours.
#[test]
fn many_lines_are_added_to_many() {
    const COUNT: u32 = 200_000;
    let mut all = machine();
    let line = all.message_passing.collectives[0].clone();
    let lines = |first: u32| -> Vec<_> {
        let numbers = first..first + COUNT;
        numbers.map(|processes| CollectiveLine { processes, ..line.clone() }).collect()
    };
    all.message_passing.collectives = lines(1);
    let mut more = all.clone();
    more.message_passing.messages.clear();
    more.classic.clear();
    more.message_passing.collectives = lines(COUNT + 1);
    let mut same = more.clone();
    all.add(more).unwrap();
    assert_eq!(all.message_passing.collectives.len(), 2 * COUNT as usize);
    same.message_passing.collectives = lines(2 * COUNT);
    let message = all.add(same).unwrap_err().to_string();
    assert!(message.ends_with("of 400000 processes"), "{message}");
}
