//! The fuzz target `formula` on mutations of good inputs.

#[path = "../../../../fuzz/src/formula.rs"]
mod entry;
#[path = "../../../../fuzz/src/mutate.rs"]
mod mutate;

#[test]
fn any_text_is_read() {
    let tables = ["canonical", "errors", "notes", "trees", "variables", "uses", "numbers"];
    let mut seeds = Vec::new();
    for table in tables {
        let path = format!("{}/tests/formulas/cases/{table}.txt", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect(&path);
        let inputs = text.lines().filter_map(|line| {
            line.split_once(" => ").map(|(input, _)| input).or(line.strip_prefix("> "))
        });
        seeds.extend(inputs.map(|input| input.as_bytes().to_vec()));
    }
    assert!(seeds.len() > 400);
    let words = [
        "f[0]",
        "f[1]",
        "f",
        "N",
        "log(",
        "pow(",
        ")",
        "(",
        "+",
        "-",
        "*",
        "/",
        "%",
        "^",
        "[",
        "]",
        "->",
        ".",
        ",",
        "sizeof",
        "sizeof(int)",
        "1e999",
        "0",
        "0x",
        "-1",
        " ",
        "++",
        "==",
        "?",
        ":",
        "/*",
        "*/",
        "//",
        "\\\n",
        "\"",
        "'",
        "(int)",
        "(double)",
        "min(N,",
        "factorial(",
        "é",
        "²",
        "\n",
        "int",
        "NAN",
    ];
    mutate::mutations(&seeds, &words, 0..6000, entry::check);
}
