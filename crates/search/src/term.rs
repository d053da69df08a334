//! Terms and models, as indices of factors.

/// A product of factors of different variables: (variable, factor), in ascending order of variables.
pub(crate) type Term = Vec<(u16, u16)>;

/// A sum of terms, with or without a constant term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Model {
    /// Whether there is a term 1.
    pub(crate) constant: bool,
    /// The other terms, in ascending order.
    pub(crate) terms: Vec<Term>,
}

impl Model {
    pub(crate) fn new(constant: bool, mut terms: Vec<Term>) -> Model {
        terms.sort_unstable();
        Model { constant, terms }
    }

    /// Number of constants.
    pub(crate) fn constants(&self) -> usize {
        usize::from(self.constant) + self.terms.len()
    }
}

/// The factor `factor` of the variable `variable`.
pub(crate) fn factor(variable: usize, factor: usize) -> (u16, u16) {
    (variable as u16, factor as u16)
}
