//! `docs/language.md` explains every code, and its examples have the code that
//! they stand for.

use cll_translate::{CODES, Options, Source, translate};

#[test]
fn every_code_is_explained() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/language.md");
    let document = std::fs::read_to_string(path).expect(path);
    let mut explained = Vec::new();
    for section in document.split("\n#### ").skip(1) {
        let code = section.split([':', '\n']).next().unwrap_or_default();
        if !code.starts_with('T') {
            continue;
        }
        explained.push(code);
        let Some(example) = section.split("```message\n").nth(1) else {
            assert_eq!(code, "T017", "{code} has no example");
            continue;
        };
        let example = example.split("```").next().unwrap_or_default();
        let text = if example.starts_with("#pragma cll parallel") {
            example.to_string()
        } else {
            format!("void function(int n, int m)\n{{\n{example}}}\n")
        };
        let source = Source { name: "x.c", text: text.as_bytes() };
        let said = translate(&source, &Options::default()).diagnostics;
        let codes: Vec<&str> = said.iter().map(|said| said.code).collect();
        assert!(codes.contains(&code), "{text}: {code} is not among {codes:?}");
    }
    explained.sort_unstable();
    assert_eq!(explained, CODES);
}

#[test]
fn limits_are_told() {
    let deep = format!("void f(int n) {{\n#pragma cll f f[0]\n{} n++; }}", "{".repeat(3000));
    let groups: String = (0..70).map(|n| format!("#elif X == {n}\nn++;\n")).collect();
    let wide = format!(
        "void f(int n) {{\n#pragma cll f f[0]\n#if X\n{groups}#endif\n#pragma cll end f\n}}\n"
    );
    for text in [deep, wide] {
        let source = Source { name: "x.c", text: text.as_bytes() };
        let said = translate(&source, &Options::default()).diagnostics;
        assert!(said.iter().any(|said| said.code == "T017"), "{said:?}");
    }
}
