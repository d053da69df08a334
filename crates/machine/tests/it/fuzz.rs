//! The fuzz target `machine` on mutations of good inputs.

#[path = "../../../../fuzz/src/machine.rs"]
mod entry;
#[path = "../../../../fuzz/src/mutate.rs"]
mod mutate;

const MEASURED: &str = r#"cll-machine = 1
name = "two"
about = """
Two cores.
"""
combine = "sum"
missing = ["a", "b"]
[origin]
when = "2026"
by = "cll"
how = "rounds"
samples = "two.csv"
disturbed = ["so"]
[host]
cores = 2
caches = [{ name = "L1", size = "48 KiB" }]
[[classic]]
engine = "mpi"
processors = 2
s = "2 [1.9, 2.1] Gop/s"
g = "4 op/word"
l = "1 us"
calls = "0.1 ns/B"
[[empty]]
processors = 2
oversubscribed = true
synchronisation = "oblivious"
L = "100 [90, 120] ns"
[[communication]]
processors = 2
pattern = "total-exchange"
max = [
  { from = "8 B", to = "4 KiB", L = "1 us", g = "0.2 ns/B" },
  { from = "5000 B", to = "16 MiB", L = "2e-6 s", g = "0.4 [0.3, 0.5] ns/B" },
]
sum = [{ from = "16.5 B", to = "32 MB", L = "0 s", g = "3 us/word" }]
"#;

#[test]
fn any_bytes_are_read() {
    let memory = format!("{}{}", super::memory::HEAD, super::memory::GOOD);
    let messages = super::message_passing::TEXT.as_bytes().to_vec();
    let mut seeds = vec![MEASURED.as_bytes().to_vec(), memory.into_bytes(), messages];
    seeds.extend(cll_machine::PUBLISHED.iter().map(|published| published.text.as_bytes().to_vec()));
    let words = [
        "cll-machine = 1\n",
        "cll-machine = 2\n",
        "[[classic]]\n",
        "[[communication]]\n",
        "[[level]]\n",
        "[[latency]]\n",
        "points = [",
        "GB/s",
        "[origin]\n",
        "processors = 3\n",
        "name",
        "=",
        "\"",
        "\"\"\"",
        "[",
        "]",
        "{",
        "}",
        ",",
        "\n",
        "1e999",
        "1e-999",
        "1e308",
        "nan",
        "-1",
        "0",
        ".",
        "ns/B",
        "us",
        "µs",
        "op/word",
        "KiB",
        "[1, 2]",
        "true",
        "1979-05-27",
        "'",
        "\\u00e9",
        "#",
        "\u{1}",
    ];
    mutate::mutations(&seeds, &words, test_draw::thinned(0..20_000, 3), entry::check);
}

/// Every message has its place, and what was imported is a machine file.
fn imported(data: &[u8]) {
    let defaults =
        cll_machine::ImportDefaults { mpi: "An MPI".into(), hosts: 1, processes: Some(4) };
    let imported = cll_machine::import(data, "file", &defaults);
    for diagnostic in &imported.diagnostics {
        let span = &diagnostic.primary.span;
        assert!(span.start <= span.end && span.end <= data.len(), "{diagnostic:?}");
    }
    let failed = imported.diagnostics.iter().any(|diagnostic| diagnostic.is_error());
    assert_eq!(imported.machine.is_none(), failed, "{:?}", imported.diagnostics);
    if let Some(machine) = imported.machine {
        let text = cll_machine::write(&machine);
        assert_eq!(cll_machine::read(text.as_bytes()).diagnostics, [], "{text}");
    }
}

#[test]
fn any_bytes_are_imported() {
    let rows = |line: fn(u32) -> String| (0..8).map(|k| line(1 << k)).collect::<String>();
    let seeds = [
        "# p s(Mflops) l(flops) g(flops/word)\n2 74 1132 10.2\n4 74 - 9\n".to_owned(),
        "p= 2, r= 86.1 Mflop/s, g= 3.1, l= 1020.3\n".to_owned(),
        format!(
            "# OSU MPI Latency Test v5\n# Size Latency (us)\n{}",
            rows(|n| format!("{n} 1.5\n"))
        ),
        format!(
            "# OSU MPI Bcast Latency Test v5\n# Size Avg Latency(us) Max Latency(us)\n{}",
            rows(|n| format!("{n} 1.5 2\n"))
        ),
        format!(
            "# Benchmarking Bcast\n# #processes = 2\n#bytes #repetitions t_min[usec] t_max[usec]\n{}",
            rows(|n| format!("{n} 10 1 2\n"))
        ),
        format!("bytes,send_us,receive_us\n{}", rows(|n| format!("{n},1,2\n"))),
        rows(|n| format!("{n} {} 0.000001\n", f64::from(n) * 8.0 / 1.048_576)),
    ];
    let seeds: Vec<Vec<u8>> = seeds.into_iter().map(String::into_bytes).collect();
    let words =
        ["1e999", "1e308", "1e-308", "-", "0", "\n", "#", "# OSU MPI ", "p s g l\n", "(us)", ","];
    mutate::mutations(&seeds, &words, 0..500, imported);
}
