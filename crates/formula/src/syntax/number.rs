//! C's literals for numbers.

use crate::codes;

/// A number, and how it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number {
    pub(crate) value: f64,
    pub(crate) integer: bool,
    pub(crate) octal: bool,
}

/// Why a literal is invalid.
pub(crate) struct WrongNumber {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// Length of the number at the begin of `text`: C's preprocessing number.
pub(crate) fn extent(text: &str) -> usize {
    let bytes = text.as_bytes();
    let exponent: &[u8] = if has_prefix(text, 'x') { b"pP" } else { b"eE" };
    let mut end = 0;
    while end < bytes.len() {
        let sign =
            matches!(bytes[end], b'+' | b'-') && end > 0 && exponent.contains(&bytes[end - 1]);
        if !bytes[end].is_ascii_alphanumeric() && !matches!(bytes[end], b'.' | b'_') && !sign {
            break;
        }
        end += 1;
    }
    end
}

/// Reads a literal: decimal, hexadecimal, octal, binary, with C's suffixes.
pub(crate) fn read(text: &str) -> Result<Number, WrongNumber> {
    if has_prefix(text, 'x') {
        return hexadecimal(text);
    }
    if has_prefix(text, 'b') {
        return integer(text, &text[2..], 2);
    }
    let integral = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &text[integral..];
    if !rest.starts_with(['.', 'e', 'E']) {
        if integral > 1 && text.starts_with('0') {
            let number = integer(text, text, 8)?;
            return Ok(Number { octal: number.value >= 8.0, ..number });
        }
        return integer(text, text, 10);
    }
    let digits = decimal_extent(text);
    if !matches!(&text[digits..], "" | "f" | "F" | "l" | "L") {
        return Err(malformed(text, digits));
    }
    let value = text[..digits].parse().map_err(|_| malformed(text, integral))?;
    finite(text, value, false)
}

fn has_prefix(text: &str, letter: char) -> bool {
    let mut start = text.chars();
    start.next() == Some('0') && start.next().is_some_and(|c| c.eq_ignore_ascii_case(&letter))
}

/// Length of mantissa and exponent of a decimal floating literal.
fn decimal_extent(text: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(text);
    if text[end..].starts_with('.') {
        end += 1 + digits(&text[end + 1..]);
    }
    if text[end..].starts_with(['e', 'E']) {
        let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
        let exponent = digits(&text[end + 1 + sign..]);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}

fn integer(text: &str, body: &str, radix: u32) -> Result<Number, WrongNumber> {
    let count = body.chars().take_while(|c| c.is_digit(radix)).count();
    let (digits, suffix) = body.split_at(count);
    if digits.is_empty() || !is_integer_suffix(suffix) {
        if radix == 8 && suffix.starts_with(['8', '9']) {
            return Err(WrongNumber {
                code: codes::NUMBER,
                message: format!(
                    "`{text}` begins with 0 and is octal, but has the digit {}",
                    &suffix[..1]
                ),
                help: Some("remove the leading zeros to write a decimal number".into()),
            });
        }
        return Err(malformed(text, text.len() - suffix.len()));
    }
    let value = if radix == 10 {
        digits.parse().map_err(|_| malformed(text, count))?
    } else {
        exact(digits, radix).ok_or_else(|| too_long(text))?
    };
    finite(text, value, true)
}

fn hexadecimal(text: &str) -> Result<Number, WrongNumber> {
    let body = &text[2..];
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_hexdigit).count();
    let integral = digits(body);
    let mut end = integral;
    let mut fraction = "";
    if body[end..].starts_with('.') {
        let length = digits(&body[end + 1..]);
        fraction = &body[end + 1..end + 1 + length];
        end += 1 + length;
    }
    if integral == end && !body[end..].starts_with(['p', 'P']) {
        return integer(text, body, 16);
    }
    let exponent_text = body[end..].strip_prefix(['p', 'P']).ok_or_else(|| WrongNumber {
        code: codes::NUMBER,
        message: format!("the hexadecimal number `{text}` has a point but no exponent"),
        help: Some("C requires `p` and a power of two, as in `0x1.8p3`".into()),
    })?;
    let signed = usize::from(exponent_text.starts_with(['+', '-']));
    let length = signed + exponent_text[signed..].bytes().take_while(u8::is_ascii_digit).count();
    if length == signed
        || integral + fraction.len() == 0
        || !matches!(&exponent_text[length..], "" | "f" | "F" | "l" | "L")
    {
        return Err(malformed(text, 2 + end));
    }
    let mantissa =
        exact(&format!("{}{fraction}", &body[..integral]), 16).ok_or_else(|| too_long(text))?;
    // An exponent of more digits than i64 holds is 0 or infinite anyway.
    let exponent = exponent_text[..length]
        .parse::<i64>()
        .unwrap_or(if exponent_text.starts_with('-') { i64::MIN } else { i64::MAX });
    let exponent = exponent.clamp(-5000, 5000) as i32 - 4 * fraction.len() as i32;
    // In two steps: 2^exponent alone may underflow where the product does not.
    let half = exponent / 2;
    finite(text, mantissa * f64::powi(2.0, half) * f64::powi(2.0, exponent - half), false)
}

/// The value of up to 32 hexadecimal digits, rounded once.
fn exact(digits: &str, radix: u32) -> Option<f64> {
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        return Some(0.0);
    }
    u128::from_str_radix(significant, radix).ok().map(|value| value as f64)
}

fn is_integer_suffix(suffix: &str) -> bool {
    matches!(
        suffix.to_ascii_lowercase().as_str(),
        "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu"
    )
}

fn finite(text: &str, value: f64, integer: bool) -> Result<Number, WrongNumber> {
    if value.is_finite() {
        return Ok(Number { value, integer, octal: false });
    }
    Err(WrongNumber {
        code: codes::NOT_FINITE,
        message: format!("the number `{}` is too large for a double", shortened(text)),
        help: Some("the largest double is about 1.8e308".into()),
    })
}

fn too_long(text: &str) -> WrongNumber {
    WrongNumber {
        code: codes::NUMBER,
        message: format!("the number `{}` has too many digits", shortened(text)),
        help: Some("write it in decimal, with an exponent".into()),
    }
}

fn malformed(text: &str, good: usize) -> WrongNumber {
    let (number, rest) = text.split_at(good);
    let name = rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let help = (name && !number.is_empty() && read(number).is_ok())
        .then(|| format!("for a product write `{number}*{}`", shortened(rest)));
    WrongNumber {
        code: codes::NUMBER,
        message: format!("`{}` is not a number", shortened(text)),
        help,
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(24) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
