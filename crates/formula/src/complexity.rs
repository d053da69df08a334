//! Formulas as users write them: the exponents are numbers, or some are constants.

use crate::power::parse_power;
use crate::{Formula, Parsed, PowerFormula, Variable, parse, parse_anonymous};

/// A complexity formula of either kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Complexity {
    /// All exponents are numbers: the formula is linear in its constants.
    Linear(Formula),
    /// Some exponents are constants.
    Power(PowerFormula),
}

impl Complexity {
    /// Parses the formula of the experiment `experiment`: only its own constants can be exponents.
    ///
    /// Spans in the diagnostics are byte offsets in `text`. At most [`MAX_EXPONENTS`](crate::MAX_EXPONENTS) constants
    /// can be exponents.
    pub fn parse(experiment: &str, text: &str) -> Parsed<Complexity> {
        match parse_power(Some(experiment), text) {
            Some(parsed) => Complexity::power(parsed),
            None => Complexity::linear(parse(experiment, text)),
        }
    }

    /// As [`Complexity::parse`]; the name of the experiment is that of the first constant in `text`. Any constants are
    /// exponents, and any number of them: to refuse too many is left to the fit.
    pub fn parse_anonymous(text: &str) -> Parsed<Complexity> {
        match parse_power(None, text) {
            Some(parsed) => Complexity::power(parsed),
            None => Complexity::linear(parse_anonymous(text)),
        }
    }

    fn power(Parsed { formula, diagnostics }: Parsed<PowerFormula>) -> Parsed<Complexity> {
        Parsed { formula: formula.map(Complexity::Power), diagnostics }
    }

    fn linear(Parsed { formula, diagnostics }: Parsed) -> Parsed<Complexity> {
        Parsed { formula: formula.map(Complexity::Linear), diagnostics }
    }

    /// The formula itself, or the one that stands for all exponents: it has the same terms and variables.
    pub fn shape(&self) -> &Formula {
        match self {
            Complexity::Linear(formula) => formula,
            Complexity::Power(power) => power.shape(),
        }
    }

    /// The name of the experiment.
    pub fn experiment(&self) -> &str {
        self.shape().experiment()
    }

    /// The variables, each once, in order of first appearance.
    pub fn variables(&self) -> &[Variable] {
        self.shape().variables()
    }

    /// The number of constants: those of terms, and those in exponents.
    pub fn constants(&self) -> usize {
        let exponents = match self {
            Complexity::Linear(_) => 0,
            Complexity::Power(power) => power.names().len(),
        };
        self.shape().terms().len() + exponents
    }

    /// The text: in canonical form, or as it was given if constants are exponents.
    pub fn text(&self) -> &str {
        match self {
            Complexity::Linear(formula) => formula.text(),
            Complexity::Power(power) => power.text(),
        }
    }

    /// Whether another place of the experiment has the same formula. White space in a text as it was given is no
    /// difference.
    pub fn is_same(&self, other: &Complexity) -> bool {
        let letters = |text: &str| text.split_whitespace().collect::<String>();
        match (self, other) {
            (Complexity::Linear(own), Complexity::Linear(other)) => own.text() == other.text(),
            _ => letters(self.text()) == letters(other.text()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_of_either_kind() {
        let read = |text: &str| Complexity::parse("f", text).formula.expect(text);
        let linear = read("f[1]*N*2 + f[0]");
        assert!(matches!(linear, Complexity::Linear(_)));
        assert_eq!((linear.text(), linear.constants()), ("f[1]*N + f[0]", 2));
        let power = read("f[0] + f[1]*N^f[2]*  M");
        assert_eq!((power.text(), power.constants()), ("f[0] + f[1]*N^f[2]* M", 3));
        let variables: Vec<&str> = power.variables().iter().map(|v| v.name.as_str()).collect();
        assert_eq!((power.experiment(), variables), ("f", vec!["N", "M"]));
        assert!(power.is_same(&read("f[0]+f[1]*N^f[2]*M")) && !power.is_same(&linear));
        assert!(!power.is_same(&read("f[0] + f[1]*N^f[2]*L")));
        assert!(matches!(read("f[0]*N^g[0]"), Complexity::Linear(_)), "g is a variable");
    }

    #[test]
    fn a_formula_without_experiment_has_that_of_its_constants() {
        let parsed = Complexity::parse_anonymous("g[0] + g[1]*N^e[0]");
        assert!(parsed.diagnostics.is_empty(), "{parsed:?}");
        let formula = parsed.formula.unwrap();
        assert_eq!((formula.experiment(), formula.constants()), ("g", 3));
        for text in ["g[0] +", "g[0] + g[1]*N^e[0] +"] {
            let parsed = Complexity::parse_anonymous(text);
            assert!(parsed.formula.is_none() && !parsed.diagnostics.is_empty(), "{text}");
        }
    }
}
