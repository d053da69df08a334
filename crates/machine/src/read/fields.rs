//! Quantities among the fields of a machine's file.

use std::ops::Range;

pub(super) use cll_diagnostic::fields::{Fields, Messages};
use cll_diagnostic::fields::{Style, Value};
use cll_diagnostic::{Diagnostic, suggestion};
use toml::de::DeValue;

use crate::quantity::{QuantityKind, Wrong, parse};
use crate::uncertain::Uncertain;

/// The messages about machines' files.
pub(super) const STYLE: Style = Style {
    file: "a machine's file",
    syntax: "M001",
    unknown: "M004",
    missing: "M005",
    kind: "M006",
    word: "M012",
    is: "is",
};

/// Fields that are quantities.
pub(super) trait Quantities {
    /// A quantity of one of these kinds that must be there.
    fn quantity(
        &mut self,
        key: &'static str,
        kinds: &[QuantityKind],
        messages: &mut Messages,
    ) -> Option<(QuantityKind, Uncertain)>;

    /// A quantity that may be missing.
    fn quantity_if_there(
        &mut self,
        key: &'static str,
        kinds: &[QuantityKind],
        messages: &mut Messages,
    ) -> Option<(QuantityKind, Uncertain)>;
}

impl Quantities for Fields<'_, '_> {
    fn quantity(
        &mut self,
        key: &'static str,
        kinds: &[QuantityKind],
        messages: &mut Messages,
    ) -> Option<(QuantityKind, Uncertain)> {
        quantity(self.need(key, messages)?, key, kinds, messages)
    }

    fn quantity_if_there(
        &mut self,
        key: &'static str,
        kinds: &[QuantityKind],
        messages: &mut Messages,
    ) -> Option<(QuantityKind, Uncertain)> {
        quantity(self.take(key)?, key, kinds, messages)
    }
}

/// Whether a value is a text.
pub(super) fn is_text(value: &Value<'_>) -> bool {
    matches!(value.get_ref(), DeValue::String(_))
}

/// Whether a value is a list of nothing: what else is wrong with a list is said of its values.
pub(super) fn is_empty_list(value: &Value<'_>) -> bool {
    matches!(value.get_ref(), DeValue::Array(list) if list.is_empty())
}

fn quantity(
    value: &Value<'_>,
    key: &str,
    kinds: &[QuantityKind],
    messages: &mut Messages,
) -> Option<(QuantityKind, Uncertain)> {
    let described = || {
        let all: Vec<&str> = kinds.iter().map(|kind| kind.described()).collect();
        all.join(", or ")
    };
    let DeValue::String(written) = value.get_ref() else {
        let text = format!("{key} is {}, in quotation marks", described());
        messages.error("M006", value.span(), text);
        return None;
    };
    let wrong = match parse(written, kinds) {
        Ok(parsed) => return Some(parsed),
        Err(wrong) => wrong,
    };
    let span = value.span();
    // Inside the quotation marks, if the text is unchanged there.
    let inside = |place: Range<usize>| {
        if span.len() == written.len() + 2 {
            span.start + 1 + place.start..span.start + 1 + place.end
        } else {
            span.clone()
        }
    };
    messages.push(match wrong {
        Wrong::Number(place) => {
            Diagnostic::error("M007", inside(place), format!("{key} has no number here"))
                .help(format!("{key} is {}", described()))
        }
        Wrong::Value(place, why) => {
            let number = written[place.clone()].trim();
            let text = format!("{key} cannot be {number}: {why}");
            Diagnostic::error("M008", inside(place), text)
                .help("times, sizes and rates are numbers from zero upwards")
        }
        Wrong::NoUnit(place) => {
            Diagnostic::error("M007", inside(place), format!("{key} has no unit"))
                .help(format!("{key} is {}", described()))
        }
        Wrong::Unit(place) => {
            let unit = written[place.clone()].to_owned();
            let units: Vec<String> = kinds.iter().map(|kind| kind.units()).collect();
            let known: Vec<&str> = units.iter().flat_map(|all| all.split(", ")).collect();
            Diagnostic::error("M007", inside(place), format!("there is no unit {unit}"))
                .help(suggestion(&unit, &known))
        }
        Wrong::Other(place, kind) => {
            let unit = written[place.clone()].to_owned();
            let text = format!("{unit} is a unit of {}", kind.described());
            Diagnostic::error("M007", inside(place), text)
                .label(format!("{key} is {}", described()))
                .help(format!(
                    "the units are {}",
                    kinds.iter().map(|kind| kind.units()).collect::<Vec<_>>().join(", ")
                ))
        }
        Wrong::Interval(place, why) => Diagnostic::error("M009", inside(place), why)
            .help("such as \"1.2 [1.1, 1.3] us\": the value, and the interval it lies in"),
    });
    None
}
