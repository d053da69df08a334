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
    let mut seeds = vec![MEASURED.as_bytes().to_vec(), memory.into_bytes()];
    seeds.extend(cll_machine::PUBLISHED.iter().map(|one| one.text.as_bytes().to_vec()));
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
    mutate::mutations(&seeds, &words, 20_000, entry::check);
}
