//! The fields of a table. They are taken one by one; keys that were not taken are unknown.

use std::ops::Range;

use cll_diagnostic::{Diagnostic, suggestion};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::quantity::{QuantityKind, Wrong, parse};
use crate::uncertain::Uncertain;

/// A value with its place.
pub(super) type Value<'i> = Spanned<DeValue<'i>>;

/// The errors so far, and whether unknown keys are errors.
pub(super) struct Messages {
    pub found: Vec<Diagnostic>,
    /// The file has a later version: unknown keys in it are ignored.
    pub later: bool,
}

impl Messages {
    pub fn error(&mut self, code: &'static str, place: Range<usize>, text: impl Into<String>) {
        self.found.push(Diagnostic::error(code, place, text));
    }

    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }
}

/// A table of the file.
pub(super) struct Fields<'a, 'i> {
    /// Its name in messages: `[host]`, `a segment`.
    what: &'static str,
    table: &'a DeTable<'i>,
    /// The place of its name in the file.
    pub place: Range<usize>,
    asked: Vec<&'static str>,
}

impl<'a, 'i> Fields<'a, 'i> {
    pub fn new(what: &'static str, table: &'a DeTable<'i>, place: Range<usize>) -> Self {
        Fields { what, table, place, asked: Vec::new() }
    }

    /// The field, if it is there.
    pub fn take(&mut self, key: &'static str) -> Option<&'a Value<'i>> {
        if !self.asked.contains(&key) {
            self.asked.push(key);
        }
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    /// The field, or a message that it is missing.
    pub fn need(&mut self, key: &'static str, messages: &mut Messages) -> Option<&'a Value<'i>> {
        let found = self.take(key);
        if found.is_none() {
            messages.error("M005", self.place.clone(), format!("{} has no {key}", self.what));
        }
        found
    }

    pub fn text(&mut self, key: &'static str, messages: &mut Messages) -> Option<String> {
        text(self.take(key)?, key, messages).map(str::to_owned)
    }

    pub fn flag(&mut self, key: &'static str, messages: &mut Messages) -> Option<bool> {
        let value = self.take(key)?;
        match value.get_ref() {
            DeValue::Boolean(flag) => Some(*flag),
            _ => {
                messages.error("M006", value.span(), format!("{key} is true or false"));
                None
            }
        }
    }

    /// A whole number from 1 on.
    pub fn count(&mut self, key: &'static str, messages: &mut Messages) -> Option<u32> {
        let value = self.take(key)?;
        let number = match value.get_ref() {
            DeValue::Integer(number) => {
                u32::from_str_radix(number.as_str(), number.radix()).ok().filter(|one| *one > 0)
            }
            _ => None,
        };
        if number.is_none() {
            let text = format!("{key} is a whole number from 1 on");
            messages.error("M006", value.span(), text);
        }
        number
    }

    /// One of these words.
    pub fn word<T: Copy>(
        &mut self,
        key: &'static str,
        known: &[T],
        name: impl Fn(T) -> &'static str,
        messages: &mut Messages,
    ) -> Option<T> {
        let value = self.take(key)?;
        let word = text(value, key, messages)?;
        let found = known.iter().copied().find(|one| name(*one) == word);
        if found.is_none() {
            let names: Vec<&str> = known.iter().map(|one| name(*one)).collect();
            messages.push(
                Diagnostic::error("M012", value.span(), format!("there is no {key} {word:?}"))
                    .help(suggestion(word, &names)),
            );
        }
        found
    }

    /// Texts in a list.
    pub fn texts(&mut self, key: &'static str, messages: &mut Messages) -> Vec<String> {
        let Some(value) = self.take(key) else { return Vec::new() };
        let DeValue::Array(list) = value.get_ref() else {
            messages.error("M006", value.span(), format!("{key} is a list of texts"));
            return Vec::new();
        };
        list.iter().filter_map(|one| text(one, key, messages).map(str::to_owned)).collect()
    }

    /// A quantity of one of these kinds that must be there.
    pub fn quantity(
        &mut self,
        key: &'static str,
        kinds: &[QuantityKind],
        messages: &mut Messages,
    ) -> Option<(QuantityKind, Uncertain)> {
        let value = self.need(key, messages)?;
        quantity(value, key, kinds, messages)
    }

    /// A quantity that may be missing.
    pub fn quantity_if_there(
        &mut self,
        key: &'static str,
        kinds: &[QuantityKind],
        messages: &mut Messages,
    ) -> Option<(QuantityKind, Uncertain)> {
        quantity(self.take(key)?, key, kinds, messages)
    }

    /// The tables of a list; `what` is the name of one of them.
    pub fn tables(
        &mut self,
        key: &'static str,
        what: &'static str,
        messages: &mut Messages,
    ) -> Vec<Fields<'a, 'i>> {
        let Some(value) = self.take(key) else { return Vec::new() };
        let DeValue::Array(list) = value.get_ref() else {
            messages.error("M006", value.span(), format!("{key} is a list of tables"));
            return Vec::new();
        };
        list.iter().filter_map(|one| table(one, what, messages)).collect()
    }

    /// The table of this name, if it is there.
    pub fn table(
        &mut self,
        key: &'static str,
        what: &'static str,
        messages: &mut Messages,
    ) -> Option<Fields<'a, 'i>> {
        table(self.take(key)?, what, messages)
    }

    /// Reports keys that were never read.
    pub fn end(self, messages: &mut Messages) {
        for (key, _) in self.table.iter() {
            let name = key.get_ref().as_ref();
            if self.asked.contains(&name) {
                continue;
            }
            let text = format!("{} has no key {name}", self.what);
            messages.push(match messages.later {
                true => Diagnostic::warning("M004", key.span(), text)
                    .help("it was written for a later version: it is left out"),
                false => {
                    Diagnostic::error("M004", key.span(), text).help(suggestion(name, &self.asked))
                }
            });
        }
    }
}

fn table<'a, 'i>(
    value: &'a Value<'i>,
    what: &'static str,
    messages: &mut Messages,
) -> Option<Fields<'a, 'i>> {
    match value.get_ref() {
        DeValue::Table(table) => Some(Fields::new(what, table, value.span())),
        _ => {
            messages.error("M006", value.span(), format!("{what} is a table"));
            None
        }
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

fn text<'a>(value: &'a Value<'_>, key: &str, messages: &mut Messages) -> Option<&'a str> {
    match value.get_ref() {
        DeValue::String(text) => Some(text),
        _ => {
            messages.error("M006", value.span(), format!("{key} is a text in quotation marks"));
            None
        }
    }
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
        Ok(found) => return Some(found),
        Err(wrong) => wrong,
    };
    let span = value.span();
    // Inside the quotation marks, if the text is unchanged there.
    let inside = |place: Range<usize>| match span.len() == written.len() + 2 {
        true => span.start + 1 + place.start..span.start + 1 + place.end,
        false => span.clone(),
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
