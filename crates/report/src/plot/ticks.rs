//! Round numbers along an axis.

use cll_fit::Unit;

use super::{Mapping, Scale};
use crate::Notation;
use crate::notation::scale::{Scale as UnitScale, UnitKind, unit_kind};
use cll_units::digits::{exponent, fixed, shift};

/// The ticks of an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ticks {
    /// Values with labels, ascending.
    pub(crate) major: Vec<(f64, String)>,
    /// Values between them without labels.
    pub(crate) minor: Vec<f64>,
    /// The unit of the labels, for the axis title: `ms`, `10⁶ misses`; empty if every label has
    /// its own unit, or there is none.
    pub(crate) unit: String,
}

/// Ranges below this have no round numbers.
const SMALLEST: f64 = 1e12 * f64::MIN_POSITIVE;

/// About `target` (at least 2) round numbers in the mapping's range; never more than twice that.
pub(crate) fn ticks(mapping: &Mapping, target: usize, unit: &Unit, notation: Notation) -> Ticks {
    let target = target.max(2);
    let (low, high) = (mapping.low, mapping.high);
    // Numbers so small have few digits, and none is round.
    if low.abs().max(high.abs()) < SMALLEST {
        return Ticks::default();
    }
    match mapping.scale {
        Scale::Linear => linear(low, high, target, unit, notation),
        Scale::Binary if (high / low).log2() >= 2.0 => binary(low, high, target, notation),
        Scale::Binary | Scale::Log => logarithmic(low, high, target, unit, notation)
            .unwrap_or_else(|| linear(low, high, target, unit, notation)),
    }
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn linear(low: f64, high: f64, target: usize, unit: &Unit, notation: Notation) -> Ticks {
    let size = low.abs().max(high.abs());
    // Round in the unit that is shown: 2 KiB, not 2000 B.
    let scale = UnitScale::for_size(size, 2, unit, notation);
    let (low, high) = (scale.apply(low), scale.apply(high));
    let rough = (high / 2.0 - low / 2.0) / target as f64 * 2.0;
    if !rough.is_normal() {
        return Ticks::default();
    }
    let power = rough.log10().floor() as i32;
    let (factor, power) = match shift(rough, -power) {
        lead if lead <= 1.0 + 1e-9 => (1.0, power),
        lead if lead <= 2.0 + 1e-9 => (2.0, power),
        lead if lead <= 5.0 + 1e-9 => (5.0, power),
        _ => (1.0, power + 1),
    };
    let step = shift(factor, power);
    let (first, last) = ((low / step).ceil(), (high / step).floor());
    if !step.is_normal() || !first.is_finite() || !last.is_finite() || last - first > 1e3 {
        return Ticks::default();
    }
    let mut major = Vec::new();
    let mut tick = first;
    while tick <= last {
        let value = shift(tick * factor, power) + 0.0;
        major.push((scale.undo(value), fixed(value, (-power).max(0))));
        tick += 1.0;
    }
    Ticks { major, minor: Vec::new(), unit: title_unit(&scale, notation) }
}

/// Powers of ten, or 1, 2, 5 (or every digit) times powers of ten if there are few; `None`
/// if the range is so short that these are fewer than three.
fn logarithmic(
    low: f64,
    high: f64,
    target: usize,
    unit: &Unit,
    notation: Notation,
) -> Option<Ticks> {
    let decades = high.log10() - low.log10();
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let inside = |v: &f64| *v >= low * (1.0 - 1e-9) && *v <= high * (1.0 + 1e-9);
    let multiples = |factors: &[f64]| -> Vec<f64> {
        let all = (first..=last).flat_map(|e| factors.iter().map(move |f| shift(*f, e)));
        all.filter(inside).collect()
    };
    let all = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    let choices: [&[f64]; 3] = [&[1.0, 2.0, 5.0], &[1.0, 3.0], &[1.0]];
    let fits = choices.into_iter().map(multiples).find(|c| c.len() <= target + target / 3);
    let (major, minor) = match fits {
        Some(major) if major.len() >= 3 => {
            let minor = if decades <= 8.0 { multiples(&all) } else { Vec::new() };
            (major, minor)
        }
        Some(major) if decades > 1.5 && major.len() >= 2 => (major, multiples(&all)),
        Some(_) => return None,
        None => {
            let step = (decades / target as f64).ceil().max(1.0) as i32;
            let start = first.div_euclid(step) * step;
            let major = (start..=last).step_by(step as usize).map(|e| shift(1.0, e));
            let minor = if decades <= 40.0 { multiples(&[1.0]) } else { Vec::new() };
            (major.filter(inside).collect(), minor)
        }
    };
    let minor = minor.into_iter().filter(|m| !major.contains(m)).collect();
    let major = major.into_iter().map(|v| (v, label(v, unit, notation))).collect();
    Some(Ticks { major, minor, unit: String::new() })
}

/// Powers of two.
fn binary(low: f64, high: f64, target: usize, notation: Notation) -> Ticks {
    let (first, last) = ((low.log2() - 1e-9).ceil() as i32, (high.log2() + 1e-9).floor() as i32);
    let step = ((last - first) as usize).div_ceil(target + target / 3).max(1);
    let short = last <= 16 && first >= 0;
    let power = |e: i32| {
        let value = 2f64.powi(e);
        if short {
            return format!("{value}");
        }
        match notation {
            Notation::Unicode => format!("2{}", superscript(e)),
            Notation::Ascii => format!("2^{e}"),
        }
    };
    let start = first.div_euclid(step as i32) * step as i32;
    let start = if start < first { start + step as i32 } else { start };
    let major: Vec<i32> = (start..=last).step_by(step).collect();
    let minor = if last - first <= 40 {
        (first..=last).filter(|e| !major.contains(e)).map(|e| 2f64.powi(e)).collect()
    } else {
        Vec::new()
    };
    Ticks {
        major: major.into_iter().map(|e| (2f64.powi(e), power(e))).collect(),
        minor,
        unit: String::new(),
    }
}

fn label(value: f64, unit: &Unit, notation: Notation) -> String {
    match unit_kind(unit) {
        // Such a unit is in the axis title.
        UnitKind::Named(_) => match exponent(value, 1) {
            e if (-3..6).contains(&e) => notation.number(value),
            e if notation == Notation::Unicode => {
                let lead = fixed(shift(value, -e), 0);
                if lead == "1" {
                    format!("10{}", superscript(e))
                } else {
                    format!("{lead}·10{}", superscript(e))
                }
            }
            _ => notation.number(value),
        },
        _ => notation.rounded(value, 1, unit),
    }
}

fn title_unit(scale: &UnitScale, notation: Notation) -> String {
    let suffix = scale.suffix.trim();
    let Some(rest) = suffix.strip_prefix('e').filter(|_| scale.power) else {
        return suffix.to_owned();
    };
    let (power, unit) = rest.split_once(' ').unwrap_or((rest, ""));
    let power = match (notation, power.parse()) {
        (Notation::Unicode, Ok(e)) if unit.is_empty() => format!("×10{}", superscript(e)),
        (Notation::Unicode, Ok(e)) => format!("10{}", superscript(e)),
        _ => format!("1e{power}"),
    };
    format!("{power} {unit}").trim().to_owned()
}

fn superscript(e: i32) -> String {
    let digit = |c| match c {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => char::from_u32('⁰' as u32 + u32::from(c as u8 - b'0')).unwrap_or(c),
    };
    e.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bare() -> Unit {
        Unit::Other(String::new())
    }

    fn labels(low: f64, high: f64, scale: Scale, target: usize, unit: &Unit) -> (String, String) {
        let mapping = Mapping::exact(low, high, scale, 0.0, 1.0);
        let ticks = ticks(&mapping, target, unit, Notation::Unicode);
        let labels: Vec<&str> = ticks.major.iter().map(|(_, l)| l.as_str()).collect();
        (labels.join(" "), ticks.unit)
    }

    #[test]
    fn linear_ticks_are_round() {
        for (low, high, target, unit, text, title) in [
            (0.0, 10.0, 5, bare(), "0 2 4 6 8 10", ""),
            (0.0, 0.0042, 5, Unit::Seconds, "0 1 2 3 4", "ms"),
            (-0.3, 0.3, 4, bare(), "-0.2 0.0 0.2", ""),
            (64.0, 4096.0, 6, bare(), "1000 2000 3000 4000", ""),
            (0.99e-3, 1.01e-3, 4, Unit::Seconds, "0.990 0.995 1.000 1.005 1.010", "ms"),
            (0.0, 3e6, 3, Unit::Other("misses".into()), "0 1 2 3", "10⁶ misses"),
            (0.0, 8192.0, 4, Unit::Other("B".into()), "0 2 4 6 8", "KiB"),
        ] {
            assert_eq!(
                labels(low, high, Scale::Linear, target, &unit),
                (text.into(), title.into())
            );
        }
    }

    #[test]
    fn logarithmic_ticks_are_round() {
        for (low, high, target, unit, text, title) in [
            (1.0, 1000.0, 5, bare(), "1 10 100 1000", ""),
            (1e-6, 2e-2, 6, Unit::Seconds, "1 µs 10 µs 100 µs 1 ms 10 ms", ""),
            (3.0, 90.0, 6, bare(), "5 10 20 50", ""),
            (2e-3, 3e-3, 4, Unit::Seconds, "2.0 2.5 3.0", "ms"),
            (1e-300, 1e300, 5, bare(), "10⁻²⁴⁰ 10⁻¹²⁰ 1 10¹²⁰ 10²⁴⁰", ""),
        ] {
            assert_eq!(labels(low, high, Scale::Log, target, &unit), (text.into(), title.into()));
        }
        for (low, high, target, text) in [
            (64.0, 4096.0, 7, "64 128 256 512 1024 2048 4096"),
            (64.0, 4096.0, 3, "64 256 1024 4096"),
            (1.0, 2f64.powi(24), 5, "2⁰ 2⁴ 2⁸ 2¹² 2¹⁶ 2²⁰ 2²⁴"),
            (3.0, 5.0, 4, "3.0 3.5 4.0 4.5 5.0"),
        ] {
            assert_eq!(labels(low, high, Scale::Binary, target, &bare()).0, text);
        }
    }

    #[test]
    fn numbers_with_few_digits_have_no_ticks() {
        let (a, b) = (4.114_805_397_280_43e-309, 1.846_398_223_400_68e-308);
        for scale in [Scale::Linear, Scale::Log, Scale::Binary] {
            let mapping = Mapping::exact(a, b, scale, 0.0, 1.0);
            assert!(ticks(&mapping, 5, &Unit::Seconds, Notation::Unicode).major.is_empty());
        }
    }

    proptest! {
        #[test]
        fn ticks_lie_in_the_range_and_are_few(
            a in any::<f64>(),
            b in any::<f64>(),
            scale in prop_oneof![Just(Scale::Linear), Just(Scale::Log), Just(Scale::Binary)],
            target in 0usize..12,
        ) {
            let mapping = Mapping::exact(a, b, scale, 0.0, 1.0);
            let ticks = ticks(&mapping, target, &Unit::Seconds, Notation::Unicode);
            prop_assert!(ticks.major.len() <= 2 * target.max(2) + 2, "{ticks:?}");
            for (value, label) in &ticks.major {
                let slack = (mapping.high / 2.0 - mapping.low / 2.0) * 1e-6;
                prop_assert!(*value >= mapping.low - slack && *value <= mapping.high + slack);
                prop_assert!(!label.contains("NaN") && !label.contains("inf"));
            }
            prop_assert!(ticks.major.windows(2).all(|w| w[0].0 < w[1].0));
        }
    }
}
