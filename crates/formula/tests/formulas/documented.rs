//! `docs/language.md` lists every code, and its examples cause the code they are given for.

use cll_formula::{CODES, parse, parse_anonymous};

#[test]
fn every_code_is_explained_by_an_example() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/language.md");
    let document = std::fs::read_to_string(path).expect(path);
    let mut explained = Vec::new();
    for section in document.split("\n#### ").skip(1) {
        let code = section.split([':', '\n']).next().unwrap_or_default();
        if !code.starts_with('F') {
            continue;
        }
        let examples =
            section.split("```formula\n").nth(1).and_then(|rest| rest.split("```").next());
        for example in examples.unwrap_or_else(|| panic!("{code} has no example")).lines() {
            let parsed =
                if code == "F030" { parse_anonymous(example) } else { parse("f", example) };
            let codes: Vec<&str> =
                parsed.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
            assert!(codes.contains(&code), "{example}: {code} is not among {codes:?}");
        }
        explained.push(code);
    }
    assert_eq!(explained, CODES);
}

#[test]
fn the_examples_of_formulas_are_formulas() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/language.md");
    let document = std::fs::read_to_string(path).expect(path);
    let mut count = 0;
    for block in document.split("```accepted\n").skip(1) {
        for line in block.split("```").next().unwrap_or_default().lines() {
            let (input, canonical) = line.split_once("=>").expect(line);
            let formula = parse("f", input.trim()).formula.expect(line);
            assert_eq!(formula.text(), canonical.trim());
            count += 1;
        }
    }
    assert!(count >= 10);
}
