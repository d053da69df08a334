//! Tables of small cases in `cases/`: the text after `=>` or below a line that begins with `>` is
//! the output of the crate. `UPDATE_EXPECT=1 cargo test` rewrites it; check the difference.

use std::path::Path;

use cll_formula::{parse, parse_anonymous, parse_variables};
use expect_test::expect_file;

use super::support::{formula, render, trees};

/// Compares each line `INPUT => OUTPUT` of a file.
fn lines(name: &str, output: impl Fn(&str) -> String) {
    let mut count = 0;
    let written = rewritten(name, |line, out| {
        let input = line.split_once("=>").map_or(line, |(input, _)| input).trim_end();
        count += 1;
        out.push_str(&format!("{input} => {}\n", output(input)));
    });
    assert!(count >= 10, "{name}");
    expect_file![path(name)].assert_eq(&written);
}

/// Compares what follows each line `> INPUT` of a file.
fn blocks(name: &str, output: impl Fn(&str) -> String) {
    let mut count = 0;
    let written = rewritten(name, |line, out| {
        if let Some(input) = line.strip_prefix('>') {
            let input = input.strip_prefix(' ').unwrap_or(input);
            count += 1;
            out.push_str(&format!("{line}\n{}\n", output(&input.replace("␤", "\n"))));
        }
    });
    assert!(count >= 10, "{name}");
    expect_file![path(name)].assert_eq(&written);
}

fn path(name: &str) -> String {
    format!("{}/tests/formulas/cases/{name}.txt", env!("CARGO_MANIFEST_DIR"))
}

/// The file with its comments; `each` rewrites the other lines.
fn rewritten(name: &str, mut each: impl FnMut(&str, &mut String)) -> String {
    let text = std::fs::read_to_string(Path::new(&path(name))).expect(name);
    let mut out = String::new();
    for line in text.lines() {
        if line.starts_with("# ") {
            out.push_str(&format!("{line}\n"));
        } else if !line.is_empty() {
            each(line, &mut out);
        }
    }
    out
}

fn diagnosed(experiment: &str, text: &str) -> String {
    let parsed = parse(experiment, text);
    let rendered = render(text, &parsed.diagnostics);
    let errors = parsed.diagnostics.iter().any(|d| d.is_error());
    assert_eq!(parsed.formula.is_none(), errors, "{text}\n{rendered}");
    match parsed.formula {
        Some(formula) => format!("= {}\n{rendered}", formula.text()),
        None => rendered,
    }
}

#[test]
fn trees_are_those_of_c() {
    // As the base of a power no factor is absorbed by the constant.
    lines("trees", |text| {
        let tree = trees(&formula(&format!("f[0]*({text}\n)^q")));
        tree.strip_prefix("0: (^ ")
            .and_then(|tree| tree.strip_suffix(" q)"))
            .expect(text)
            .to_owned()
    });
}

#[test]
fn numbers_are_those_of_c() {
    lines("numbers", |text| {
        let parsed = parse("f", &format!("f[0]*({text} + N)"));
        match parsed.formula {
            Some(formula) => {
                let mut row = [0.0];
                formula.terms_at(&[0.0], &mut row);
                format!("{:?}", row[0])
            }
            None => parsed.diagnostics[0].to_string(),
        }
    });
}

#[test]
fn canonical_form_is_reached() {
    lines("canonical", |text| {
        let formula = formula(text);
        format!("{}   [{}]", formula.text(), trees(&formula))
    });
}

#[test]
fn variables_are_named() {
    lines("variables", |text| {
        let formula = formula(&format!("f[0]*({text} + x)"));
        let names: Vec<String> =
            formula.variables().iter().map(|v| format!("{} {:?}", v.name, v.kind)).collect();
        names[..names.len() - 1].join(", ")
    });
}

#[test]
fn products_of_variables_are_found() {
    lines("products", |text| formula(text).products().join(", "));
}

#[test]
fn errors_are_explained() {
    blocks("errors", |text| diagnosed("f", text));
}

#[test]
fn notes_and_warnings_are_given() {
    blocks("notes", |text| diagnosed("f", text));
}

#[test]
fn names_of_experiments_matter() {
    blocks("experiments", |line| {
        let (experiment, text) = line.split_once(": ").expect(line);
        diagnosed(experiment, text)
    });
}

#[test]
fn anonymous_formulas_find_their_name() {
    blocks("anonymous", |text| {
        let parsed = parse_anonymous(text);
        match parsed.formula {
            Some(formula) => format!(
                "= {}: {}\n{}",
                formula.experiment(),
                formula.text(),
                render(text, &parsed.diagnostics)
            ),
            None => render(text, &parsed.diagnostics),
        }
    });
}

#[test]
fn lists_of_variables_are_read() {
    blocks("uses", |text| {
        let parsed = parse_variables(text);
        let names: Vec<String> =
            parsed.variables.iter().map(|v| format!("{} {:?}", v.name, v.kind)).collect();
        format!("= {}\n{}", names.join(", "), render(text, &parsed.diagnostics))
    });
}
