//! Expressions without constants: sizes, counts, numbers of processors.

use cll_diagnostic::Diagnostic;

use crate::evaluate::Postfix;
use crate::print::text;
use crate::syntax::{self, Report};
use crate::{Variable, codes};

/// An expression without constants of an experiment: `N/P`, `16*N`, `log2(P)`.
///
/// Unlike a term of a [`Formula`](crate::Formula) it keeps its numeric factors.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    text: String,
    variables: Vec<Variable>,
    program: Postfix,
}

/// The result of [`parse_quantity`].
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedQuantity {
    /// The expression; `None` if and only if an error is among the diagnostics.
    pub quantity: Option<Quantity>,
    /// Errors, warnings and notes, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses an expression. Spans in the diagnostics are byte offsets in `text`.
pub fn parse_quantity(text: &str) -> ParsedQuantity {
    let mut report = Report::default();
    let syntax = syntax::read(Some(""), text, &mut report);
    let expression = match &syntax.tree {
        Some(tree) => tree.expression(),
        None => {
            let empty = Diagnostic::error(codes::EMPTY, 0..text.len(), "the expression is empty");
            report.push(empty.help("write a number or an expression, such as `16*N/P`"));
            None
        }
    };
    let quantity = expression.filter(|_| !report.has_errors()).map(|expression| Quantity {
        text: text::expression(&expression, &syntax.variables),
        program: Postfix::new([&expression]),
        variables: syntax.variables,
    });
    if quantity.is_none() && !report.has_errors() {
        report.push(Diagnostic::error(codes::OPERAND, 0..text.len(), "this is not an expression"));
    }
    ParsedQuantity { quantity, diagnostics: report.finish() }
}

impl Quantity {
    /// As text that [`parse_quantity`] reads.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The variables, each once, in order of first appearance.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Returns the value for values of [`Quantity::variables`], in their order. A domain error gives NaN or an
    /// infinity, as in C.
    ///
    /// # Panics
    /// If `values` have the wrong length.
    pub fn value(&self, values: &[f64]) -> f64 {
        assert_eq!(values.len(), self.variables.len(), "a value for each variable");
        let mut result = f64::NAN;
        self.program.run(values, |_, value| result = value);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept() {
        let quantity = parse_quantity("16 * N / (2*P)").quantity.unwrap();
        let names: Vec<&str> = quantity.variables().iter().map(|v| v.name.as_str()).collect();
        assert_eq!(names, ["N", "P"]);
        assert_eq!(quantity.value(&[8.0, 4.0]), 16.0);
        assert_eq!(parse_quantity("7").quantity.unwrap().value(&[]), 7.0);
        assert_eq!(parse_quantity("-3").quantity.unwrap().value(&[]), -3.0);
        assert_eq!(parse_quantity(quantity.text()).quantity.unwrap(), quantity);
    }

    #[test]
    fn what_is_no_expression_is_reported_at_its_place() {
        for text in ["", "N +", "N N", "log(", "foo(3)"] {
            let parsed = parse_quantity(text);
            assert!(parsed.quantity.is_none(), "{text}");
            assert!(parsed.diagnostics.iter().any(Diagnostic::is_error), "{text}");
        }
        assert_eq!(parse_quantity("N + $").diagnostics[0].primary.span, 4..5);
    }
}
