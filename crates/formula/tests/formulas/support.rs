//! Formulas and diagnostics as text, to be compared.

use std::fmt::Write;

use cll_diagnostic::Diagnostic;
use cll_formula::{Expression, Formula, parse};

/// The formula `text` of experiment `f`; panics with its diagnostics if it is invalid.
pub fn formula(text: &str) -> Formula {
    let parsed = parse("f", text);
    let rendered = render(text, &parsed.diagnostics);
    parsed.formula.unwrap_or_else(|| panic!("{text}\n{rendered}"))
}

/// Each diagnostic with carets below its positions, on one line of text.
pub fn render(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let _ = writeln!(out, "{diagnostic}");
        let _ = writeln!(out, "  {}", text.replace(['\n', '\t'], " "));
        let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
        for (place, label) in labels.enumerate() {
            let (start, end) = (label.span.start, label.span.end);
            assert!(start <= end && end <= text.len(), "{start}..{end} is not in {text:?}");
            let width = text[start..end].chars().count().max(1);
            let mark = if place == 0 { "^" } else { "-" };
            let line = format!(
                "  {}{} {}",
                " ".repeat(text[..start].chars().count()),
                mark.repeat(width),
                label.text
            );
            let _ = writeln!(out, "{}", line.trim_end());
        }
        for help in &diagnostic.help {
            let _ = writeln!(out, "  help: {help}");
        }
    }
    out
}

/// The tree of an expression, one letter or name for each node.
pub fn tree(formula: &Formula, expression: &Expression) -> String {
    let chain = |name: &str, parts: &[(bool, Expression)], inverse: &str| {
        let parts: Vec<String> = parts
            .iter()
            .map(|(inverted, part)| {
                format!("{}{}", if *inverted { inverse } else { "" }, tree(formula, part))
            })
            .collect();
        format!("({name} {})", parts.join(" "))
    };
    match expression {
        Expression::Number(value) => format!("{value}"),
        Expression::Variable(index) => formula.variables()[*index].name.clone(),
        Expression::Negated(inner) => format!("(neg {})", tree(formula, inner)),
        Expression::Sum(parts) => chain("+", parts, "-"),
        Expression::Product(parts) => chain("*", parts, "/"),
        Expression::Remainder(a, b) => format!("(% {} {})", tree(formula, a), tree(formula, b)),
        Expression::Power(a, b) => format!("(^ {} {})", tree(formula, a), tree(formula, b)),
        Expression::Call(function, arguments) => {
            let parts: Vec<String> =
                arguments.iter().map(|argument| tree(formula, argument)).collect();
            format!("({} {})", function.name(), parts.join(" "))
        }
    }
}

/// `k: tree` of each term.
pub fn trees(formula: &Formula) -> String {
    let terms: Vec<String> = formula
        .terms()
        .iter()
        .map(|term| format!("{}: {}", term.constant, tree(formula, &term.expression)))
        .collect();
    terms.join(", ")
}
