//! Formulas and lists of variables.

use cll_formula::{Constants, Formula, Parsed, parse, parse_anonymous, parse_variables};

/// Reads `data` in every way; panics if something does not hold.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    check_parsed(&text, parse("f", &text));
    check_parsed(&text, parse_anonymous(&text));
    let list = parse_variables(&text);
    check_places(&text, list.diagnostics.iter());
}

fn check_parsed(text: &str, parsed: Parsed) {
    let errors = parsed.diagnostics.iter().any(|diagnostic| diagnostic.is_error());
    assert_eq!(parsed.formula.is_none(), errors, "{text:?}: {:?}", parsed.diagnostics);
    check_places(text, parsed.diagnostics.iter());
    let Some(formula) = parsed.formula else { return };
    check_formula(text, &formula);
}

fn check_places<'a>(text: &str, diagnostics: impl Iterator<Item = &'a cll_diagnostic::Diagnostic>) {
    for diagnostic in diagnostics {
        for label in std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary) {
            assert!(text.get(label.span.clone()).is_some(), "{text:?}: {diagnostic:?}");
        }
        assert!(!diagnostic.message.is_empty());
    }
}

fn check_formula(text: &str, formula: &Formula) {
    let again = parse(formula.experiment(), formula.text());
    assert_eq!(
        again.formula.as_ref(),
        Some(formula),
        "{text:?}: {:?}: {:?}",
        formula.text(),
        again.diagnostics
    );

    let values = vec![2.5; formula.variables().len()];
    let constants = vec![0.5; formula.terms().len()];
    let mut row = vec![0.0; formula.terms().len()];
    formula.terms_at(&values, &mut row);
    let sum = row.iter().fold(0.0, |sum, value| sum + 0.5 * value);
    let value = formula.evaluate(&values, &constants);
    assert!(sum == value || (sum.is_nan() && value.is_nan()), "{text:?}: {sum} and {value}");

    for constants in
        [Constants::Names, Constants::Values(&constants), Constants::Rounded(&constants, 3)]
    {
        assert!(!formula.to_text(constants).is_empty());
    }
}
