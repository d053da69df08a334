//! Names of variables with values, and the name that was probably meant.

use std::str::FromStr;

pub use cll_campaign::{number, split};
pub use cll_diagnostic::nearest;

/// `NAME=VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// The variable, as in formulas: `N`, `a->n`.
    pub name: String,
    /// The value of the variable.
    pub value: f64,
}

impl FromStr for Binding {
    type Err = cll_campaign::Error;

    fn from_str(text: &str) -> Result<Binding, cll_campaign::Error> {
        let (name, value) = split(text)?;
        Ok(Binding { name: name.to_owned(), value: number(value)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bindings() {
        let binding = |text: &str| text.parse::<Binding>();
        assert_eq!(binding("N=1e3"), Ok(Binding { name: "N".into(), value: 1000.0 }));
        assert_eq!(binding("a->n = 3").unwrap().name, "a->n");
        for wrong in ["N", "=3", "N=", "N=x", "N=inf", "N=nan"] {
            assert!(binding(wrong).is_err(), "{wrong}");
        }
    }
}
