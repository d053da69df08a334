//! Values of integer expressions, as far as they are known.

use std::collections::HashMap;

/// Known values of variables and constants; `None`: it has a value that is not known.
pub(super) type Values = HashMap<String, Option<i64>>;

/// The value of an expression; `None` if it is not known, or is none of these operators.
pub(super) fn value(tokens: &[String], values: &Values) -> Option<i64> {
    let mut reader = ValueReader { tokens, position: 0, values };
    let number = reader.binary(0)?;
    (reader.position == tokens.len()).then_some(number)
}

struct ValueReader<'a> {
    tokens: &'a [String],
    position: usize,
    values: &'a Values,
}

/// Operators of two operands by precedence, the weakest first.
const LEVELS: [&[&str]; 6] =
    [&["||"], &["&&"], &["==", "!="], &["<", ">", "<=", ">="], &["+", "-"], &["*", "/", "%"]];

impl ValueReader<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.position).map_or("", String::as_str)
    }

    fn binary(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        loop {
            // Lexers may give operators of two characters as two.
            let Some((operator, length)) = self.operator(operators) else { return Some(left) };
            self.position += length;
            let right = self.binary(level + 1)?;
            left = match operator {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "+" => left.checked_add(right)?,
                "-" => left.checked_sub(right)?,
                "*" => left.checked_mul(right)?,
                "/" => left.checked_div(right)?,
                _ => left.checked_rem(right)?,
            };
        }
    }

    fn operator<'o>(&self, operators: &[&'o str]) -> Option<(&'o str, usize)> {
        let text = self.peek();
        operators.iter().find(|&&operator| operator == text).map(|&operator| (operator, 1))
    }

    fn unary(&mut self) -> Option<i64> {
        let token = self.peek().to_owned();
        self.position += 1;
        match token.as_str() {
            "(" => {
                let number = self.binary(0)?;
                let closes = self.peek() == ")";
                self.position += 1;
                closes.then_some(number)
            }
            "-" => self.unary()?.checked_neg(),
            "+" => self.unary(),
            "!" => Some(i64::from(self.unary()? == 0)),
            name if name.starts_with(|c: char| c.is_ascii_digit()) => {
                name.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok()
            }
            name => self.values.get(name).copied().flatten(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_has_a_value() {
        let values: Values =
            [("rank".to_owned(), Some(3)), ("size".to_owned(), Some(4)), ("x".to_owned(), None)]
                .into();
        for (text, expected) in [
            ("rank + 1", Some(4)),
            ("( rank + 1 ) % size", Some(0)),
            ("rank == 0 || rank < size - 1", Some(0)),
            ("! rank", Some(0)),
            ("2 * rank - - 1", Some(7)),
            ("x + 1", None),
            ("unknown", None),
            ("rank / 0", None),
            ("rank +", None),
            ("f ( rank )", None),
        ] {
            let tokens: Vec<String> = text.split(' ').map(str::to_owned).collect();
            assert_eq!(value(&tokens, &values), expected, "{text}");
        }
    }
}
