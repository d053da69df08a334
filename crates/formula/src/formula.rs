//! A formula in canonical form.

use cll_diagnostic::Diagnostic;
use serde::{Deserialize, Serialize};

use crate::canonical::{self, Draft};
use crate::evaluate::Postfix;
use crate::print::text;
use crate::syntax::{self, Report, Syntax};
use crate::{Constants, Term, Variable, codes};

/// The result of [`parse`], or of another parser with the formula `F`.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed<F = Formula> {
    /// The formula; `None` if and only if an error is among the diagnostics.
    pub formula: Option<F>,
    /// Errors, warnings and notes, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

/// The result of [`parse_variables`].
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedVariables {
    /// The variables that could be read, each once, in order of first appearance.
    pub variables: Vec<Variable>,
    /// Errors, warnings and notes, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

/// A complexity formula in canonical form: Σ constant · expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "WrittenFormula", try_from = "WrittenFormula")]
pub struct Formula {
    experiment: String,
    text: String,
    terms: Vec<Term>,
    variables: Vec<Variable>,
    program: Postfix,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct WrittenFormula {
    experiment: String,
    text: String,
}

/// Parses the formula of the experiment `experiment`.
///
/// Spans in the diagnostics are byte offsets in `text`. White space, C comments and `\` at the end
/// of a line only separate tokens.
pub fn parse(experiment: &str, text: &str) -> Parsed {
    read(Some(experiment), text)
}

/// As [`parse`]; the name of the experiment is that of the first `NAME[INTEGER]` in `text`.
pub fn parse_anonymous(text: &str) -> Parsed {
    read(None, text)
}

/// Parses the list of a clause `uses(a, b->n, x*y)`, without the parentheses: C expressions without
/// side effects, separated by commas.
///
/// Unlike in a formula, an expression here is evaluated by C, with C's rules.
pub fn parse_variables(text: &str) -> ParsedVariables {
    let mut report = Report::default();
    let variables = syntax::variables(text, &mut report);
    ParsedVariables { variables, diagnostics: report.finish() }
}

fn read(experiment: Option<&str>, text: &str) -> Parsed {
    let mut report = Report::default();
    let syntax = syntax::read(experiment, text, &mut report);
    if syntax.experiment.is_empty() && syntax.tree.is_some() {
        report.push(
            Diagnostic::error(
                codes::NO_NAME,
                0..text.len(),
                "there is no constant `NAME[0]` in the formula",
            )
            .help("each term is one constant times an expression, such as `f[0] + f[1]*N`"),
        );
        return Parsed { formula: None, diagnostics: report.finish() };
    }
    let drafts = canonical::terms(&syntax, text, &mut report);
    let formula = (!report.has_errors()).then(|| Formula::new(syntax, drafts));
    Parsed { formula, diagnostics: report.finish() }
}

impl Formula {
    fn new(syntax: Syntax, drafts: Vec<Draft>) -> Formula {
        let Syntax { experiment, variables, .. } = syntax;
        let terms = drafts.into_iter().map(|draft| Term {
            constant: draft.constant,
            name: format!("{experiment}[{}]", draft.constant),
            text: text::expression(&draft.expression, &variables),
            expression: draft.expression,
        });
        let terms: Vec<Term> = terms.collect();
        let program = Postfix::new(terms.iter().map(|term| &term.expression));
        let mut formula = Formula { experiment, text: String::new(), terms, variables, program };
        formula.text = formula.to_text(Constants::Names);
        formula
    }

    /// The experiment's name.
    pub fn experiment(&self) -> &str {
        &self.experiment
    }

    /// The formula in canonical form: `f[0] + f[1]*N*log(N)`.
    ///
    /// [`parse`] of this text gives an equal formula, without errors or absorbed factors. Two
    /// places of one experiment have the same formula if and only if these texts are equal.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The terms, in the order of the text; at least one.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The variables, each once, in order of first appearance.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// A row of the design matrix: the value of every term's expression.
    ///
    /// `values` are those of the variables in the order of [`Formula::variables`]; `out` has one
    /// element for each term. A domain error gives NaN or an infinity, as in C: `log(0)` is -inf,
    /// `sqrt(-1)` NaN.
    ///
    /// # Panics
    /// If `values` or `out` have the wrong length.
    pub fn terms_at(&self, values: &[f64], out: &mut [f64]) {
        assert_eq!(values.len(), self.variables.len(), "a value for each variable");
        assert_eq!(out.len(), self.terms.len(), "a place for each term");
        self.program.run(values, |term, value| out[term] = value);
    }

    /// The value of the formula, for constants in the order of [`Formula::terms`].
    ///
    /// # Panics
    /// If `values` or `constants` have the wrong length.
    pub fn evaluate(&self, values: &[f64], constants: &[f64]) -> f64 {
        assert_eq!(values.len(), self.variables.len(), "a value for each variable");
        assert_eq!(constants.len(), self.terms.len(), "a value for each constant");
        let mut sum = 0.0;
        self.program.run(values, |term, value| sum += constants[term] * value);
        sum
    }

    /// As text that [`parse`] reads (if the constants are names): `f[0] + f[1]*N*log(N)`, `0.0012 + 3.5e-8*N*log(N)`.
    pub fn to_text(&self, constants: Constants<'_>) -> String {
        text::formula(&self.terms, &self.variables, constants)
    }
}

impl From<Formula> for WrittenFormula {
    fn from(formula: Formula) -> Self {
        WrittenFormula { experiment: formula.experiment, text: formula.text }
    }
}

impl TryFrom<WrittenFormula> for Formula {
    type Error = String;

    fn try_from(written: WrittenFormula) -> Result<Self, String> {
        let parsed = parse(&written.experiment, &written.text);
        parsed.formula.ok_or_else(|| {
            let errors: Vec<_> = parsed
                .diagnostics
                .iter()
                .filter(|d| d.is_error())
                .map(ToString::to_string)
                .collect();
            format!("formula '{}': {}", written.text, errors.join("; "))
        })
    }
}
