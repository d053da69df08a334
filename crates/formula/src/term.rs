//! A term of a formula.

use crate::Expression;

/// One constant times an expression without constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The `k` of `NAME[k]`.
    pub constant: u32,
    /// The factor of the constant; `1` for a constant alone.
    pub expression: Expression,
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Term {
    /// The constant's name: `f[2]`.
    pub fn constant_name(&self) -> &str {
        &self.name
    }

    /// The expression's text: `N*log(N)`; `1` for a constant alone.
    pub fn expression_text(&self) -> &str {
        &self.text
    }
}
