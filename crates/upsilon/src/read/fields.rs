//! The fields of a table. They are taken one by one; keys that were not taken are unknown.

use std::ops::Range;

use cll_diagnostic::{Diagnostic, suggestion};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value with its place.
type Value<'i> = Spanned<DeValue<'i>>;

/// A table of the file.
pub(super) struct Fields<'a, 'i> {
    what: &'static str,
    table: &'a DeTable<'i>,
    /// The place of the table, or of its first key.
    pub place: Range<usize>,
    asked: Vec<&'static str>,
}

impl<'a, 'i> Fields<'a, 'i> {
    pub fn new(what: &'static str, table: &'a DeTable<'i>, place: Range<usize>) -> Self {
        Fields { what, table, place, asked: Vec::new() }
    }

    pub fn take(&mut self, key: &'static str) -> Option<&'a Value<'i>> {
        self.asked.push(key);
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    /// The place of a value, or of the table.
    pub fn place_of(&self, key: &str) -> Range<usize> {
        let found = self.table.iter().find(|(name, _)| name.get_ref() == key);
        found.map_or(self.place.clone(), |(_, value)| value.span())
    }

    pub fn text(&mut self, key: &'static str, messages: &mut Vec<Diagnostic>) -> Option<String> {
        text(self.take(key)?, key, messages)
    }

    /// A text that must be there.
    pub fn needed(&mut self, key: &'static str, messages: &mut Vec<Diagnostic>) -> Option<String> {
        if self.take(key).is_none() {
            self.missing(key, messages);
            return None;
        }
        self.text(key, messages)
    }

    fn missing(&self, key: &str, messages: &mut Vec<Diagnostic>) {
        let message = format!("{} has no {key}", self.what);
        messages.push(Diagnostic::error("U003", self.place.clone(), message));
    }

    /// A line of the source, which must be there.
    pub fn line(&mut self, key: &'static str, messages: &mut Vec<Diagnostic>) -> Option<usize> {
        let Some(value) = self.take(key) else {
            self.missing(key, messages);
            return None;
        };
        let number = match value.get_ref() {
            DeValue::Integer(number) => {
                usize::from_str_radix(number.as_str(), number.radix()).ok().filter(|one| *one > 0)
            }
            _ => None,
        };
        if number.is_none() {
            let message = format!("{key} is a whole number from 1 on");
            messages.push(Diagnostic::error("U003", value.span(), message));
        }
        number
    }

    /// Texts in a list, with their places.
    pub fn texts(
        &mut self,
        key: &'static str,
        messages: &mut Vec<Diagnostic>,
    ) -> Vec<(Range<usize>, String)> {
        let Some(value) = self.take(key) else { return Vec::new() };
        let DeValue::Array(list) = value.get_ref() else {
            let message = format!("{key} is a list of texts");
            messages.push(Diagnostic::error("U003", value.span(), message));
            return Vec::new();
        };
        list.iter().filter_map(|one| Some((one.span(), text(one, key, messages)?))).collect()
    }

    /// The tables of a list; `what` is the name of one of them.
    pub fn tables(
        &mut self,
        key: &'static str,
        what: &'static str,
        messages: &mut Vec<Diagnostic>,
    ) -> Vec<Fields<'a, 'i>> {
        let Some(value) = self.take(key) else { return Vec::new() };
        let DeValue::Array(list) = value.get_ref() else {
            let message = format!("{key} is a list of tables");
            messages.push(Diagnostic::error("U003", value.span(), message));
            return Vec::new();
        };
        let mut found = Vec::new();
        for one in list.iter() {
            match one.get_ref() {
                DeValue::Table(table) => found.push(Fields::new(what, table, one.span())),
                _ => {
                    let message = format!("{what} is a table");
                    messages.push(Diagnostic::error("U003", one.span(), message));
                }
            }
        }
        found
    }

    /// Reports keys that were not taken.
    pub fn end(&self, messages: &mut Vec<Diagnostic>) {
        for (name, _) in self.table.iter() {
            if self.asked.iter().any(|key| *key == name.get_ref()) {
                continue;
            }
            let message = format!("{} has no key `{}`", self.what, name.get_ref());
            let wrong = Diagnostic::error("U003", name.span(), message);
            messages.push(wrong.help(suggestion(name.get_ref(), &self.asked)));
        }
    }
}

fn text(value: &Value<'_>, key: &str, messages: &mut Vec<Diagnostic>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        _ => {
            let message = format!("{key} is a text in quotes");
            messages.push(Diagnostic::error("U003", value.span(), message));
            None
        }
    }
}
