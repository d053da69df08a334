//! Decimal digits: how many make sense, and rounding that never shows `-0.00`.

/// Exponent of ten of the leading digit, after rounding to a number of significant digits (at least
/// one): `999.96` to 3 digits gives 3. Zero, NaN and infinity give 0.
pub fn exponent(value: f64, digits: usize) -> i32 {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    let text = format!("{:.*e}", digits.max(1) - 1, value);
    text.rsplit_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0)
}

/// The decimal place (exponent of ten) to which an uncertainty is worth showing, and with it the
/// value: the rule of the Particle Data Group (leading digits up to 354: two digits, up to 949:
/// one, above: rounded up to 1000).
pub fn place(uncertainty: f64) -> i32 {
    let text = format!("{:.2e}", uncertainty.abs());
    let Some((digits, power)) = text.split_once('e') else { return 0 };
    let leading: f64 = digits.parse().unwrap_or(0.0);
    let power: i32 = power.parse().unwrap_or(0);
    if leading < 3.55 { power - 1 } else { power }
}

/// `value` rounded to `decimals` places after the point; negative ones round to tens, hundreds…
pub fn fixed(value: f64, decimals: i32) -> String {
    let text = if decimals >= 0 {
        format!("{value:.*}", decimals.min(340) as usize)
    } else {
        let unit = 10f64.powi(-decimals);
        format!("{:.0}", (value / unit).round() * unit)
    };
    let zero = text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
    if zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// Without zeros at the end of a fraction.
pub fn trim(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// `value * 10^power` without passing through a number that is too small or too large.
pub fn shift(value: f64, power: i32) -> f64 {
    if power.abs() > 300 {
        let half = power / 2;
        return value * 10f64.powi(half) * 10f64.powi(power - half);
    }
    // A division by a power of ten is exact; a multiplication by 1e-3 is not.
    if power < 0 { value / 10f64.powi(-power) } else { value * 10f64.powi(power) }
}

/// A number without unit: whole ones below 1e15 exactly, others to 4 significant digits: `3000`, `0.125`, `1.5e-7`.
pub fn four_digits(value: f64) -> String {
    if !value.is_finite() {
        return not_finite(value).to_owned();
    }
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return format!("{}", value + 0.0);
    }
    let e = exponent(value, 4);
    if (-4..6).contains(&e) {
        return trim(&fixed(value, 3 - e)).to_owned();
    }
    let digits = fixed(shift(value, -e), 3);
    format!("{}e{e}", trim(&digits))
}

/// As [`four_digits`], but all digits before the point: `12346` of 12345.6.
pub fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let exponent = value.abs().log10().floor();
    if value.fract() == 0.0 && exponent < 15.0 {
        return format!("{value}");
    }
    if !(-4.0..6.0).contains(&exponent) {
        let text = format!("{value:.3e}");
        return match text.split_once('e') {
            Some((digits, power)) => format!("{}e{power}", trim(digits)),
            None => text,
        };
    }
    let decimals = (3.0 - exponent).max(0.0) as usize;
    trim(&format!("{value:.decimals$}")).to_owned()
}

/// A number with two digits, of small ones one that is not zero; `0.001` at least.
pub fn nonzero(value: f64) -> String {
    let places = match value.abs() {
        value if value >= 9.95 => 0,
        value if value >= 0.095 => 1,
        value if value >= 0.0095 => 2,
        _ => 3,
    };
    let text = format!("{value:.places$}");
    if text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) { text } else { "0.001".to_owned() }
}

/// A whole number, with commas between thousands.
pub fn grouped(rounded: f64) -> String {
    let digits = format!("{:.0}", rounded.abs());
    let mut out = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if rounded < 0.0 { format!("-{out}") } else { out }
}

/// An infinity, or what is no number.
pub fn not_finite(value: f64) -> &'static str {
    if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "inf"
    } else {
        "-inf"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_after_rounding() {
        for (value, digits, expected) in [
            (1.0, 3, 0),
            (999.96, 3, 3),
            (999.4, 3, 2),
            (0.00099996, 3, -3),
            (-12.0, 2, 1),
            (0.0, 3, 0),
            (5e-324, 3, -324),
            (f64::MAX, 3, 308),
            (f64::NAN, 3, 0),
        ] {
            assert_eq!(exponent(value, digits), expected, "{value}");
        }
    }

    #[test]
    fn the_place_of_an_uncertainty() {
        for (uncertainty, expected) in
            [(0.08, -2), (0.12, -2), (0.354, -2), (0.36, -1), (0.096, -2), (25.0, 0), (400.0, 2)]
        {
            assert_eq!(place(uncertainty), expected, "{uncertainty}");
        }
    }

    #[test]
    fn rounding_shows_no_negative_zero() {
        for (value, decimals, expected) in [
            (-0.001, 2, "0.00"),
            (1234.0, -2, "1200"),
            (2.5, 0, "2"),
            (-1.25, 1, "-1.2"),
            (49.0, -2, "0"),
            (0.0, 3, "0.000"),
        ] {
            assert_eq!(fixed(value, decimals), expected);
        }
    }

    #[test]
    fn numbers_have_four_digits() {
        for (value, strict, whole) in [
            (0.0, "0", "0"),
            (0.5, "0.5", "0.5"),
            (2.345678, "2.346", "2.346"),
            (12345.6, "12350", "12346"),
            (1048576.0, "1048576", "1048576"),
            (-2.5e-7, "-2.5e-7", "-2.5e-7"),
            (f64::INFINITY, "inf", "inf"),
        ] {
            assert_eq!((four_digits(value).as_str(), number(value).as_str()), (strict, whole));
        }
        assert_eq!([grouped(-1_234_567.0), grouped(999.0)], ["-1,234,567", "999"]);
        assert_eq!([nonzero(12.34), nonzero(0.0123), nonzero(0.0)], ["12", "0.01", "0.001"]);
    }
}
