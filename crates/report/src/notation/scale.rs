//! Units and their prefixes.

use cll_fit::Unit;

use super::Notation;
use cll_units::digits::{exponent, shift};
use cll_units::text::{binary_unit, time_prefix};

/// The divisor for numbers of one magnitude, and the suffix.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    divisor: Divisor,
    /// ` ms`, `e6 misses`, ` KiB`, or nothing.
    pub(crate) suffix: String,
    /// Whether the suffix is a power of ten, so that `a ± b` needs parentheses before it.
    pub(crate) power: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Divisor {
    Ten(i32),
    Binary(f64),
}

impl Scale {
    /// The scale in which a number of this size, rounded to so many digits, is read best.
    pub(crate) fn for_size(size: f64, digits: usize, unit: &Unit, notation: Notation) -> Scale {
        match unit_kind(unit) {
            UnitKind::Seconds => seconds(exponent(size, digits), notation),
            UnitKind::Bytes => bytes(size, digits),
            UnitKind::Named(name) => {
                let e = exponent(size, digits);
                // A bare number, such as a variable's value, is read digit by digit.
                let plain = if name.is_empty() { -3..7 } else { -3..5 };
                let ten = if plain.contains(&e) { 0 } else { 3 * e.div_euclid(3) };
                Scale::ten(ten, &notation.text(name))
            }
        }
    }

    /// No prefix at all.
    pub(crate) fn plain(unit: &Unit, notation: Notation) -> Scale {
        match unit_kind(unit) {
            UnitKind::Seconds => Scale::ten(0, "s"),
            UnitKind::Bytes => Scale::ten(0, "B"),
            UnitKind::Named(name) => Scale::ten(0, &notation.text(name)),
        }
    }

    fn ten(ten: i32, unit: &str) -> Scale {
        let space = if unit.is_empty() { "" } else { " " };
        let suffix =
            if ten == 0 { format!("{space}{unit}") } else { format!("e{ten}{space}{unit}") };
        Scale { divisor: Divisor::Ten(ten), suffix, power: ten != 0 }
    }

    /// The number in this scale.
    pub(crate) fn apply(&self, value: f64) -> f64 {
        match self.divisor {
            Divisor::Ten(ten) => shift(value, -ten),
            Divisor::Binary(unit) => value / unit,
        }
    }

    /// The number that is `value` in this scale.
    pub(crate) fn undo(&self, value: f64) -> f64 {
        match self.divisor {
            Divisor::Ten(ten) => shift(value, ten),
            Divisor::Binary(unit) => value * unit,
        }
    }
}

pub(crate) enum UnitKind<'a> {
    Seconds,
    Bytes,
    Named(&'a str),
}

pub(crate) fn unit_kind(unit: &Unit) -> UnitKind<'_> {
    match unit {
        Unit::Seconds => UnitKind::Seconds,
        Unit::Other(name) => match name.trim() {
            "s" | "sec" | "second" | "seconds" => UnitKind::Seconds,
            "B" | "byte" | "bytes" => UnitKind::Bytes,
            "1" => UnitKind::Named(""),
            name => UnitKind::Named(name),
        },
    }
}

fn seconds(e: i32, notation: Notation) -> Scale {
    let Some((ten, name)) = time_prefix(e) else {
        return Scale::ten(3 * e.div_euclid(3), "s");
    };
    let suffix = format!(" {}", notation.text(name));
    Scale { divisor: Divisor::Ten(ten), suffix, power: false }
}

fn bytes(size: f64, digits: usize) -> Scale {
    match binary_unit(size, digits) {
        Some(unit) => {
            let suffix = format!(" {}", unit.name());
            Scale { divisor: Divisor::Binary(unit.bytes()), suffix, power: false }
        }
        None => Scale::ten(3 * exponent(size, digits).div_euclid(3), "B"),
    }
}
