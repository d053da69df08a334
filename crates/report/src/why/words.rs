//! Numbers and places in the sentences.

use crate::machine::memory::about;
use crate::text::escape;
use cll_units::digits::grouped;
use cll_units::text::{BinaryUnit, BytesDigits, BytesUnit};

/// Crossings of an experiment that are shown.
pub(super) const MOST: usize = 8;
/// Half of the accesses miss so much beyond the first size, as a ratio: then both are shown.
pub(super) const WIDE: f64 = 1.1;

/// Exact where limits are known to the byte.
pub(super) fn size(bytes: f64) -> String {
    match bytes {
        small if small < 100_000.0 => {
            cll_units::text::bytes(small, BytesUnit::Only(BinaryUnit::B), BytesDigits::Grouped)
        }
        large => about(large),
    }
}

pub(super) fn at_lines(file: &str, lines: &[u32], program: &str) -> String {
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    if file == program {
        lines.join(", ")
    } else {
        format!("{}:{}", escape(file), lines.join(", "))
    }
}

/// Three digits, with commas between thousands.
pub(super) fn number(value: f64) -> String {
    let rounded = match value.abs() {
        large if large >= 1000.0 => {
            let unit = 10f64.powf(large.log10().floor() - 2.0);
            (value / unit).round() * unit
        }
        large if large >= 100.0 || value.fract() == 0.0 => value.round(),
        small => {
            let decimals = (2.0 - small.log10().floor()).clamp(0.0, 9.0) as usize;
            let text = format!("{value:.decimals$}");
            return text.trim_end_matches('0').trim_end_matches('.').to_owned();
        }
    };
    grouped(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!(number(78_123.4), "78,100");
        assert_eq!(number(486.4), "486");
        assert_eq!(number(1_234_567.0), "1,230,000");
        assert_eq!(number(12.34), "12.3");
        assert_eq!(number(0.012_34), "0.0123");
        assert_eq!(number(25.0), "25");
    }
}
