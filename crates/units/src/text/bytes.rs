//! Sizes in bytes.

use crate::digits::grouped;

/// Bytes, or a power of 1024 of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BinaryUnit {
    /// A byte.
    B,
    /// 1024 bytes.
    Kib,
    /// 1024² bytes.
    Mib,
    /// 1024³ bytes.
    Gib,
    /// 1024⁴ bytes.
    Tib,
    /// 1024⁵ bytes.
    Pib,
    /// 1024⁶ bytes.
    Eib,
}

/// All units, from the smallest.
const UNITS: [BinaryUnit; 7] = [
    BinaryUnit::B,
    BinaryUnit::Kib,
    BinaryUnit::Mib,
    BinaryUnit::Gib,
    BinaryUnit::Tib,
    BinaryUnit::Pib,
    BinaryUnit::Eib,
];

impl BinaryUnit {
    /// The name: `KiB`.
    pub fn name(self) -> &'static str {
        ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][self as usize]
    }

    /// The bytes of a unit.
    pub fn bytes(self) -> f64 {
        1024f64.powi(self as i32)
    }
}

/// The choice of the unit of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BytesUnit {
    /// This unit, for sizes that are compared.
    Only(BinaryUnit),
    /// The largest of which there is at least one, up to this one.
    Largest(BinaryUnit),
    /// The largest up to GiB of which there are at least 16, or at least one and all in eighths: `1448 B`.
    Even,
}

impl BytesUnit {
    fn choose(self, size: f64) -> BinaryUnit {
        let largest = |last: BinaryUnit, fits: &dyn Fn(f64) -> bool| {
            let units = UNITS.into_iter().rev().filter(|unit| *unit <= last);
            units.into_iter().find(|unit| fits(unit.bytes())).unwrap_or(BinaryUnit::B)
        };
        match self {
            BytesUnit::Only(unit) => unit,
            BytesUnit::Largest(last) => largest(last, &|unit| size >= unit),
            BytesUnit::Even => largest(BinaryUnit::Gib, &|unit| {
                size >= unit && size % (unit / 8.0) == 0.0 || size >= 16.0 * unit
            }),
        }
    }
}

/// The digits of a size. A size in bytes is a whole number, unless the form says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BytesDigits {
    /// So many decimals: `5.0 MiB`.
    Decimals(usize),
    /// A decimal below 100 of the unit, unless the number is whole: `29.3 KiB`, `16 MiB`.
    Few,
    /// A decimal that is no zero, also of bytes: `123.4 KiB`, `8 B`.
    Trimmed,
    /// Three, none of them after the point if the number is nearly whole: `1.77 MiB`, `48 KiB`.
    Three,
    /// A whole number that is not larger than the size.
    Down,
    /// A whole number that is not smaller than the size.
    Up,
    /// A whole number with commas between thousands: `65,536 B`.
    Grouped,
}

/// A size: `32 KiB`.
pub fn bytes(size: f64, unit: BytesUnit, digits: BytesDigits) -> String {
    let unit = unit.choose(size);
    let number = size / unit.bytes();
    let is_plain = unit == BinaryUnit::B;
    let decimals = match digits {
        BytesDigits::Trimmed => {
            let text = format!("{number:.1}");
            return format!("{} {}", text.strip_suffix(".0").unwrap_or(&text), unit.name());
        }
        BytesDigits::Grouped => {
            return format!("{} {}", grouped(number.round()), unit.name());
        }
        BytesDigits::Down => return format!("{} {}", number.floor(), unit.name()),
        BytesDigits::Up => return format!("{} {}", number.ceil(), unit.name()),
        _ if is_plain => 0,
        BytesDigits::Decimals(decimals) => decimals,
        BytesDigits::Few => usize::from(number < 100.0 && number.fract() != 0.0),
        BytesDigits::Three => match number {
            n if (n - n.round()).abs() < 0.005 || n >= 100.0 => 0,
            n if n >= 10.0 => 1,
            _ => 2,
        },
    };
    format!("{number:.decimals$} {}", unit.name())
}

/// The unit in which a size is read best with so many digits; `None` above all.
pub fn binary_unit(size: f64, digits: usize) -> Option<BinaryUnit> {
    // 1023.96 KiB in three digits would read 1024 KiB: it is 1.00 MiB.
    let carry = 1.0 + 0.5 * 10f64.powi(1 - digits as i32);
    UNITS.into_iter().find(|unit| size.abs() / unit.bytes() * carry < 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_is_the_largest_or_a_given_one() {
        use BinaryUnit::{B, Eib, Gib, Kib, Mib, Pib};
        for (size, unit, digits, text) in [
            (0.0, BytesUnit::Largest(Pib), BytesDigits::Decimals(1), "0 B"),
            (1023.0, BytesUnit::Largest(Pib), BytesDigits::Decimals(1), "1023 B"),
            (1536.0, BytesUnit::Largest(Pib), BytesDigits::Decimals(1), "1.5 KiB"),
            (5.0 * Mib.bytes(), BytesUnit::Largest(Pib), BytesDigits::Decimals(1), "5.0 MiB"),
            (2f64.powi(60), BytesUnit::Largest(Pib), BytesDigits::Decimals(1), "1024.0 PiB"),
            (2f64.powi(60), BytesUnit::Largest(Eib), BytesDigits::Few, "1 EiB"),
            (3e6, BytesUnit::Only(Mib), BytesDigits::Decimals(1), "2.9 MiB"),
            (3e6, BytesUnit::Only(Mib), BytesDigits::Down, "2 MiB"),
            (3e6, BytesUnit::Only(Mib), BytesDigits::Up, "3 MiB"),
            (2.0 * Gib.bytes(), BytesUnit::Largest(Mib), BytesDigits::Trimmed, "2048 MiB"),
            (65_536.0, BytesUnit::Only(B), BytesDigits::Grouped, "65,536 B"),
            (4096.0, BytesUnit::Even, BytesDigits::Few, "4 KiB"),
            (1448.0, BytesUnit::Even, BytesDigits::Few, "1448 B"),
            (1152.0, BytesUnit::Even, BytesDigits::Few, "1.1 KiB"),
            (16.0 * Kib.bytes() + 1.0, BytesUnit::Even, BytesDigits::Few, "16.0 KiB"),
            (16384.0 * 1024.0, BytesUnit::Even, BytesDigits::Few, "16 MiB"),
        ] {
            assert_eq!(bytes(size, unit, digits), text, "{size} {unit:?} {digits:?}");
        }
    }

    #[test]
    fn digits_are_few_or_three() {
        let largest = BytesUnit::Largest(BinaryUnit::Gib);
        for (size, few, trimmed, three) in [
            (8.0, "8 B", "8 B", "8 B"),
            (22.6, "23 B", "22.6 B", "23 B"),
            (30_000.0, "29.3 KiB", "29.3 KiB", "29.3 KiB"),
            (49_152.0, "48 KiB", "48 KiB", "48 KiB"),
            (126_362.0, "123 KiB", "123.4 KiB", "123 KiB"),
            (1_856_000.0, "1.8 MiB", "1.8 MiB", "1.77 MiB"),
            (2_095_000.0, "2.0 MiB", "2 MiB", "2 MiB"),
        ] {
            let text = |digits| bytes(size, largest, digits);
            assert_eq!(text(BytesDigits::Few), few);
            assert_eq!(text(BytesDigits::Trimmed), trimmed);
            assert_eq!(text(BytesDigits::Three), three);
        }
    }

    #[test]
    fn a_number_does_not_round_to_1024() {
        assert_eq!(binary_unit(1023.99 * 1024.0, 3), Some(BinaryUnit::Mib));
        assert_eq!(binary_unit(1000.0 * 1024.0, 3), Some(BinaryUnit::Kib));
        assert_eq!(binary_unit(-1e30, 3), None);
    }
}
