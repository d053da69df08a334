//! The messages about mistakes, whole. In `errors.txt` a line `> TEXT` (with `\n` for ends of lines) is a text, and the
//! lines `| ` below it are the messages. `UPDATE_EXPECT=1` writes the file anew.

use std::collections::BTreeSet;
use std::fmt::Write;

use cll_diagnostic::{Diagnostic, Lines};
use cll_llac::syntax::{codes, parse};
use expect_test::expect_file;

const KEPT: &str = include_str!("errors.txt");

#[test]
fn mistakes_are_explained() {
    let mut now = String::new();
    let mut seen = BTreeSet::new();
    for line in KEPT.lines().filter(|line| !line.starts_with('|')) {
        writeln!(now, "{line}").unwrap();
        let Some(text) = line.strip_prefix("> ") else { continue };
        let text = text.replace("\\n", "\n");
        let parsed = parse(&text);
        assert!(!parsed.diagnostics.is_empty(), "{text:?} is read without error");
        for diagnostic in &parsed.diagnostics {
            seen.insert(diagnostic.code);
            shown(&mut now, &text, diagnostic);
        }
    }
    expect_file!["errors.txt"].assert_eq(&now);
    seen.insert(codes::MORE);
    assert_eq!(seen, codes::CODES.iter().copied().collect(), "a code without an example");
}

fn shown(out: &mut String, text: &str, diagnostic: &Diagnostic) {
    writeln!(out, "| {diagnostic}").unwrap();
    let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
    for (number, label) in labels.enumerate() {
        let lines = Lines::new(text.as_bytes());
        let (line, column) = lines.position(text.as_bytes(), label.span.start);
        let content = text.lines().nth(line - 1).unwrap_or_default();
        let length = text[label.span.clone()].chars().count().max(1);
        let mark = if number == 0 { "^" } else { "-" };
        writeln!(out, "|   {content}").unwrap();
        let under = format!("{}{} {}", " ".repeat(column - 1), mark.repeat(length), label.text);
        writeln!(out, "|   {}", under.trim_end()).unwrap();
    }
    for help in &diagnostic.help {
        writeln!(out, "|   help: {help}").unwrap();
    }
}

#[test]
fn the_other_statements_are_read() {
    let parsed = parse("x = 1\ny = )\nz = (2\n  + 3)\nw = 1 2\nv = 4; u = ; t = 5");
    assert_eq!(parsed.diagnostics.len(), 3, "{:?}", parsed.diagnostics);
    assert_eq!(parsed.statements.len(), 4, "{:?}", parsed.statements);
}

#[test]
fn of_very_many_errors_the_first_are_given() {
    let parsed = parse(&"x = )\n".repeat(1000));
    assert_eq!(parsed.diagnostics.len(), 51);
    assert_eq!(parsed.diagnostics.last().unwrap().code, codes::MORE);
}
