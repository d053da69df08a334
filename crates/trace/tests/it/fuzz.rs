//! The fuzz target `trace` on mutations of the fixtures.

#[path = "../../../../fuzz/src/trace.rs"]
mod entry;
#[path = "../../../../fuzz/src/mutate.rs"]
mod mutate;

#[test]
fn any_bytes_are_read_up_to_the_damage() {
    let mut seeds = Vec::new();
    for name in ["v1-small.dat", "v1-processes.dat", "v1-killed.dat"] {
        let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
        seeds.push(std::fs::read(&path).expect(&path));
    }
    let words = [
        "CLL1",
        "\0\0\0\0",
        "\u{1}\0\0\0",
        "\u{7f}\u{7f}\u{7f}\u{7f}",
        "{\"type\":\"unit\"}",
        "\"base\":0",
        "[]",
        "{",
        "\"places\":",
        "\"variables\":[\"N\"]",
        "-1",
        "1e999",
        "null",
    ];
    mutate::mutations(&seeds, &words, 0..3000, entry::check);
}
