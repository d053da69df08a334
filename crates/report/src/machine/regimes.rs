//! Regimes of a machine as text.

use cll_fit::Unit;
use cll_machine::{Machine, NEIGHBOURS, Regime};

use super::memory::{about, gigabytes};
use crate::Notation;
use crate::document::Section;
use crate::text::escape;
use cll_units::text::{PercentDigits, percent};

/// Values with several regimes that are shown; the file has all.
const SHOWN: usize = 6;

/// The regimes in which a machine was measured; `None` if nothing is known of them.
pub(super) fn section(machine: &Machine, notation: Notation) -> Option<Section> {
    let (neighbours, values): (Vec<_>, Vec<_>) =
        machine.regimes.iter().partition(|regimes| regimes.what == NEIGHBOURS);
    let all = neighbours.into_iter().chain(values);
    let lines: Vec<String> = all
        .map(|regimes| {
            format!("{}: {}", regimes.what, in_words(&regimes.seen, regimes.unit, notation))
        })
        .collect();
    let head = "regimes: values among which the machine changed";
    let mut section = lines
        .iter()
        .take(SHOWN)
        .fold(Section::plain(head), |section, line| section.line(escape(line)));
    match lines.len() {
        0 => return None,
        count if count > SHOWN => {
            section = section.line(format!("and {} more, in the file", count - SHOWN));
        }
        _ => {}
    }
    Some(section)
}

/// `two regimes: 65 ns (40 %) and 218 ns (60 %)`.
pub(super) fn in_words(seen: &[Regime], unit: &str, notation: Notation) -> String {
    let each = seen.iter().map(|regime| {
        let share = percent(regime.share, PercentDigits::Decimals(0));
        format!("{} ({share})", in_unit(regime.at, unit, notation))
    });
    let each = each.collect::<Vec<_>>();
    match &each[..] {
        [] => String::new(),
        [_] => format!("one regime: {}", in_unit(seen[0].at, unit, notation)),
        [first, second] => format!("two regimes: {first} and {second}"),
        [first @ .., last] => format!("{} regimes: {} and {last}", each.len(), first.join(", ")),
    }
}

/// A value in a unit that people use for it.
pub(super) fn in_unit(value: f64, unit: &str, notation: Notation) -> String {
    match unit {
        "s" => notation.quantity(value, &Unit::Seconds),
        "s/B" => notation.quantity(1e9 * value, &Unit::Other("ns/B".into())),
        "op/s" => notation.quantity(value / 1e6, &Unit::Other("Mop/s".into())),
        "B" => about(value),
        "B/s" => gigabytes(value),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::Style;
    use cll_machine::Regimes;

    #[test]
    fn regimes_in_words() {
        let notation = Style::default().notation();
        let seen = |all: &[(f64, f64)]| -> Vec<Regime> {
            all.iter().map(|(value, share)| Regime { at: *value, share: *share }).collect()
        };
        let text = in_words(&seen(&[(65e-9, 0.4), (218e-9, 0.6)]), "s", notation);
        assert_eq!(text, "two regimes: 65.0 ns (40 %) and 218 ns (60 %)");
        let three = in_words(&seen(&[(1e-9, 0.2), (2e-9, 0.3), (4e-9, 0.5)]), "s", notation);
        assert!(three.starts_with("3 regimes: 1.00 ns (20 %), 2.00 ns (30 %) and"), "{three}");
        assert!(section(&Machine::default(), notation).is_none());
        let regimes = Regimes::of_neighbours(&[65e-9]).unwrap();
        let machine = Machine { regimes: vec![regimes; 9], ..Machine::default() };
        let text = super::super::machine_text(&machine, &Style::default());
        assert!(text.contains("message between two processors: one regime: 65.0 ns"), "{text}");
        assert!(text.contains("and 3 more, in the file"), "{text}");
    }
}
