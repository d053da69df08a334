//! Operators and numbers of C.

use crate::value::{Binary, Value};

/// The operator and how strongly it binds.
pub(super) fn operator(word: &str) -> Option<(Binary, u8)> {
    Some(match word {
        "|" => (Binary::Or, 3),
        "^" => (Binary::Xor, 4),
        "&" => (Binary::And, 5),
        "==" => (Binary::Equal, 6),
        "!=" => (Binary::Unequal, 6),
        "<" => (Binary::Less, 7),
        "<=" => (Binary::LessEqual, 7),
        ">" => (Binary::Greater, 7),
        ">=" => (Binary::GreaterEqual, 7),
        "<<" => (Binary::ShiftLeft, 8),
        ">>" => (Binary::ShiftRight, 8),
        "+" => (Binary::Add, 9),
        "-" => (Binary::Subtract, 9),
        "*" => (Binary::Multiply, 10),
        "/" => (Binary::Divide, 10),
        "%" => (Binary::Remainder, 10),
        _ => return None,
    })
}

/// A number of C; unknown if it is none that fits.
pub(super) fn number(text: &str) -> Value {
    let plain: String = text.chars().filter(|letter| *letter != '\'').collect();
    let lower = plain.to_ascii_lowercase();
    let (digits, radix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'b', ..] => (&lower[2..], 2),
        [b'0', b'0'..=b'9', ..] => (&lower[1..], 8),
        _ => (&lower[..], 10),
    };
    let integer = digits.trim_end_matches(['u', 'l', 'z']);
    if let Ok(number) = i64::from_str_radix(integer, radix) {
        return Value::Int(number);
    }
    match lower.trim_end_matches(['f', 'l']).parse::<f64>() {
        Ok(number) if radix == 10 || lower.contains('.') => Value::Real(number),
        _ => Value::Unknown,
    }
}
