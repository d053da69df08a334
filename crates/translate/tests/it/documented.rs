//! `docs/language.md` explains every code, and its examples cause the code they are given for.

use cll_diagnostic::Severity;
use cll_translate::{CODES, Options, OwnNames, Source, translate};

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
            assert!(["T017", "T024"].contains(&code), "{code} has no example");
            continue;
        };
        let example = example.split("```").next().unwrap_or_default();
        let text = if example.starts_with("#pragma cll parallel") {
            example.to_string()
        } else {
            format!("void function(int n, int m)\n{{\n{example}}}\n")
        };
        let source = Source { name: "x.c", text: text.as_bytes() };
        let diagnostics = translate(&source, &Options::default()).diagnostics;
        let codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert!(codes.contains(&code), "{text}: {code} is not among {codes:?}");
    }
    explained.sort_unstable();
    assert_eq!(explained, CODES);
}

#[test]
fn missing_handles_are_reported() {
    let text = "#pragma cll parallel MPI teem\n\
                void f(int n) {\n#pragma cll f f[0]*n/P\nn++;\n#pragma cll end f\n}\n\
                void g(int n) {\n#pragma cll g g[0]*n/P\nn++;\n#pragma cll end g\n}\n";
    let source = Source { name: "x.c", text: text.as_bytes() };
    let reported = |printed: &str| {
        let own = OwnNames::from_compiler(printed);
        let translation = translate(&source, &Options { own, ..Options::default() });
        let diagnostics = translation.diagnostics.iter();
        diagnostics.map(|diagnostic| (diagnostic.code, diagnostic.severity)).collect::<Vec<_>>()
    };
    assert_eq!(reported(""), [("T024", Severity::Error)]);
    let in_scope = |place| format!("x.c:3:1: error: size of array 'cll_probe_{place}_handle'\n");
    assert_eq!(reported(&in_scope(0)), [("T024", Severity::Warning)]);
    assert_eq!(reported(&[in_scope(0), in_scope(1)].concat()), []);
    assert_eq!(reported("x.c:1:1: fatal error: mpi.h: No such file"), []);
}

#[test]
fn limits_are_reported() {
    let deep = format!("void f(int n) {{\n#pragma cll f f[0]\n{} n++; }}", "{".repeat(3000));
    let groups: String = (0..70).map(|n| format!("#elif X == {n}\nn++;\n")).collect();
    let wide = format!(
        "void f(int n) {{\n#pragma cll f f[0]\n#if X\n{groups}#endif\n#pragma cll end f\n}}\n"
    );
    for text in [deep, wide] {
        let source = Source { name: "x.c", text: text.as_bytes() };
        let diagnostics = translate(&source, &Options::default()).diagnostics;
        assert!(diagnostics.iter().any(|said| said.code == "T017"), "{diagnostics:?}");
    }
}
