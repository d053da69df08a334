//! Formulas with constants in exponents, `f[0] + f[1]*N^f[2]`: formulas for given exponents.

use crate::{Parsed, parse, parse_anonymous};

/// A formula in which some exponents are constants of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PowerFormula {
    /// The text between the exponents: one more than occurrences.
    parts: Vec<String>,
    /// For each occurrence the place of its constant in `names`.
    occurrences: Vec<usize>,
    names: Vec<String>,
    text: String,
}

impl PowerFormula {
    /// The formula, if a constant is an exponent in it; `None` if not.
    pub fn find(text: &str) -> Option<PowerFormula> {
        let mut formula = PowerFormula {
            parts: Vec::new(),
            occurrences: Vec::new(),
            names: Vec::new(),
            text: text.trim().to_owned(),
        };
        let mut rest = text;
        let mut before = String::new();
        while let Some(at) = rest.find('^') {
            let (head, tail) = rest.split_at(at + 1);
            before.push_str(head);
            match constant(tail) {
                Some((name, length)) => {
                    let known = formula.names.iter().position(|other| *other == name);
                    let place = known.unwrap_or(formula.names.len());
                    if known.is_none() {
                        formula.names.push(name);
                    }
                    formula.occurrences.push(place);
                    formula.parts.push(std::mem::take(&mut before));
                    rest = &tail[length..];
                }
                None => rest = tail,
            }
        }
        before.push_str(rest);
        formula.parts.push(before);
        (!formula.names.is_empty()).then_some(formula)
    }

    /// The constants in exponents, in the order of their appearance.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The text as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The formula with these exponents, finite numbers in the order of [`PowerFormula::names`]; `experiment` as for
    /// [`parse`], `None` as for [`parse_anonymous`].
    pub fn at(&self, exponents: &[f64], experiment: Option<&str>) -> Parsed {
        let mut text = self.parts[0].clone();
        for (&place, part) in self.occurrences.iter().zip(&self.parts[1..]) {
            let exponent = exponents.get(place).copied().unwrap_or(f64::NAN);
            text.push_str(&format!("({exponent}){part}"));
        }
        match experiment {
            Some(experiment) => parse(experiment, &text),
            None => parse_anonymous(&text),
        }
    }
}

/// `f[2]` at the beginning, also in parentheses, and its length.
fn constant(text: &str) -> Option<(String, usize)> {
    let inner = text.trim_start();
    let opened = inner.strip_prefix('(').map(str::trim_start);
    let body = opened.unwrap_or(inner);
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let name = body.find(|c: char| !word(c)).filter(|&end| end > 0)?;
    if body.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let index = body[name..].strip_prefix('[')?;
    let digits = index.find(|c: char| !c.is_ascii_digit()).filter(|&end| end > 0)?;
    let mut after = index[digits..].strip_prefix(']')?;
    let constant = format!("{}[{}]", &body[..name], &index[..digits]);
    if opened.is_some() {
        after = after.trim_start().strip_prefix(')')?;
    }
    Some((constant, text.len() - after.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_in_exponents_are_found() {
        let formula = PowerFormula::find("f[0] + f[1]*N^f[2] + f[3]*P^( f[4] )*N^f[2]").unwrap();
        assert_eq!(formula.names(), ["f[2]", "f[4]"]);
        let linear = formula.at(&[1.5, -0.5], None).formula.unwrap();
        assert_eq!(linear.terms().len(), 3);
        let mut terms = [0.0; 3];
        let at: Vec<f64> =
            linear.variables().iter().map(|v| if v.name == "N" { 4.0 } else { 16.0 }).collect();
        linear.terms_at(&at, &mut terms);
        assert_eq!(terms, [1.0, 8.0, 2.0]);
    }

    #[test]
    fn other_exponents_are_left_alone() {
        for text in
            ["f[0] + f[1]*N^2", "f[0]*N^(1/2)", "f[0]*N^(f[1] + 1)", "f[0]*N^2[1]", "^", "é^é["]
        {
            assert_eq!(PowerFormula::find(text), None, "{text}");
        }
        let collide = PowerFormula::find("f[0]*N + f[1]*N^f[2]").unwrap();
        assert!(collide.at(&[1.0], None).formula.is_none(), "the terms are equal");
    }
}
