//! The fields of a plan's tables, read one by one; fields that are left are unknown.

use std::ops::Range;

use cll_diagnostic::{Diagnostic, suggestion};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value with its place.
pub(super) type Value<'i> = Spanned<DeValue<'i>>;

/// A table of the plan.
pub(super) struct Fields<'a, 'i> {
    /// Its name in messages: `a plan`, `[batch]`.
    what: &'static str,
    table: &'a DeTable<'i>,
    /// Where it is named.
    pub place: Range<usize>,
    asked: Vec<&'static str>,
    /// The errors so far.
    pub found: Vec<Diagnostic>,
}

impl<'a, 'i> Fields<'a, 'i> {
    pub fn new(what: &'static str, table: &'a DeTable<'i>, place: Range<usize>) -> Self {
        Fields { what, table, place, asked: Vec::new(), found: Vec::new() }
    }

    pub fn wrong(&mut self, code: &'static str, place: Range<usize>, text: impl Into<String>) {
        self.found.push(Diagnostic::error(code, place, text));
    }

    /// The field, if it exists.
    pub fn take(&mut self, key: &'static str) -> Option<&'a Value<'i>> {
        self.asked.push(key);
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    pub fn text(&mut self, key: &'static str) -> Option<String> {
        let value = self.take(key)?;
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => {
                self.wrong(
                    "P006",
                    value.span(),
                    format!("{key} must be a text in quotation marks"),
                );
                None
            }
        }
    }

    pub fn flag(&mut self, key: &'static str) -> Option<bool> {
        let value = self.take(key)?;
        match value.get_ref() {
            DeValue::Boolean(flag) => Some(*flag),
            _ => {
                self.wrong("P006", value.span(), format!("{key} must be true or false"));
                None
            }
        }
    }

    /// A whole number, at least `least`.
    pub fn whole(&mut self, key: &'static str, least: u64) -> Option<u64> {
        let value = self.take(key)?;
        let number = match value.get_ref() {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        let number = number.filter(|number| *number >= least);
        if number.is_none() {
            let text = format!("{key} must be a whole number from {least} on");
            self.wrong("P006", value.span(), text);
        }
        number
    }

    /// A whole number from 1 on, not above a million.
    pub fn count(&mut self, key: &'static str) -> Option<u32> {
        const MAX: u64 = 1_000_000;
        let number = self.whole(key, 1)?;
        if number > MAX {
            let place = self.take(key).map_or(0..0, |value| value.span());
            self.wrong("P006", place, format!("{key} must be at most {MAX}"));
            return None;
        }
        u32::try_from(number).ok()
    }

    /// Texts in a list; a single text or number counts as a list of one.
    pub fn texts(&mut self, key: &'static str) -> Vec<String> {
        let Some(value) = self.take(key) else { return Vec::new() };
        let DeValue::Array(list) = value.get_ref() else {
            self.wrong("P006", value.span(), format!("{key} must be a list of texts"));
            return Vec::new();
        };
        let mut texts = Vec::new();
        for one in list.iter() {
            match scalar(one) {
                Some(text) => texts.push(text),
                None => self.wrong("P006", one.span(), format!("{key} must be a list of texts")),
            }
        }
        texts
    }

    /// The table of this name, if it exists.
    pub fn table(&mut self, key: &'static str, what: &'static str) -> Option<Fields<'a, 'i>> {
        let value = self.take(key)?;
        match value.get_ref() {
            DeValue::Table(table) => Some(Fields::new(what, table, value.span())),
            _ => {
                self.wrong("P006", value.span(), format!("{what} must be a table"));
                None
            }
        }
    }

    /// All entries of a table whose keys the user chooses.
    pub fn entries(&self) -> impl Iterator<Item = (&'a str, Range<usize>, &'a Value<'i>)> {
        self.table.iter().map(|(name, value)| (name.get_ref().as_ref(), name.span(), value))
    }

    /// Reports fields that were never read; returns all errors.
    pub fn end(mut self) -> Vec<Diagnostic> {
        for (key, _) in self.table.iter() {
            let name = key.get_ref().as_ref();
            if !self.asked.contains(&name) {
                let text = format!("{} has no key {name}", self.what);
                let wrong = Diagnostic::error("P004", key.span(), text);
                self.found.push(wrong.help(suggestion(name, &self.asked)));
            }
        }
        self.found
    }
}

/// A text, or a number or truth value as it is written.
pub(super) fn scalar(value: &Value<'_>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.as_str().to_owned()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// Whether a text is a name of a parameter.
pub(super) fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !text.is_empty() && text.chars().all(letter) && !text.starts_with(|c: char| c.is_ascii_digit())
}
