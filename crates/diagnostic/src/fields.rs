//! The fields of a file in TOML. They are taken one by one; keys that were not taken are unknown.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::{Diagnostic, suggestion};

/// A value with its place.
pub type Value<'i> = Spanned<DeValue<'i>>;

/// If there are more syntax errors than this, most are consequences of one error.
const MAX_SYNTAX_ERRORS: usize = 5;

/// The properties that messages about a kind of files have in common.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// The file in messages: `a plan`.
    pub file: &'static str,
    /// The code of text that is not TOML.
    pub syntax: &'static str,
    /// The code of a key that is not known.
    pub unknown: &'static str,
    /// The code of a field that is missing.
    pub missing: &'static str,
    /// The code of a value of another kind.
    pub kind: &'static str,
    /// The code of a word that is not known.
    pub word: &'static str,
    /// `is` or `must be`: the words between a key and what its value should be.
    pub is: &'static str,
}

/// The messages about a file so far.
pub struct Messages {
    style: Style,
    /// In the order in which they were found.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the file has a later version: unknown keys in it are left out.
    pub later: bool,
}

impl Messages {
    /// Adds an error.
    pub fn error(&mut self, code: &'static str, place: Range<usize>, text: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, place, text));
    }

    /// Adds a message.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Whether an error is among them.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// A value should be something else.
    fn kind(&mut self, place: Range<usize>, what: &str, should: &str) {
        let Style { kind, is, .. } = self.style;
        self.error(kind, place, format!("{what} {is} {should}"));
    }
}

/// Reads a file by `read`. All messages are in the order of the text.
pub fn read_fields<T>(
    text: &[u8],
    style: Style,
    read: impl FnOnce(Fields<'_, '_>, &mut Messages) -> T,
) -> (Option<T>, Vec<Diagnostic>) {
    let text = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            let offset = error.valid_up_to();
            let place = offset..offset + error.error_len().unwrap_or(text.len() - offset);
            let wrong = Diagnostic::error(style.syntax, place, "the text is not UTF-8");
            return (None, vec![wrong]);
        }
    };
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let diagnostics = errors.iter().take(MAX_SYNTAX_ERRORS).map(|error| {
            let place = error.span().unwrap_or(0..0);
            let place = place.start.min(text.len())..place.end.min(text.len());
            let message = format!("this is not TOML: {}", error.message());
            Diagnostic::error(style.syntax, place, message)
        });
        return (None, diagnostics.collect());
    }
    let mut messages = Messages { style, diagnostics: Vec::new(), later: false };
    let first_line = 0..text.find('\n').unwrap_or(text.len());
    let value = read(Fields::new(style.file, table.get_ref(), first_line), &mut messages);
    messages
        .diagnostics
        .sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.primary.span.end));
    (Some(value), messages.diagnostics)
}

/// A table of the file.
pub struct Fields<'a, 'i> {
    /// The name of the table in messages: `[host]`, `a segment`.
    what: &'static str,
    table: &'a DeTable<'i>,
    /// The place of its name in the file.
    pub place: Range<usize>,
    asked: Vec<&'static str>,
}

impl<'a, 'i> Fields<'a, 'i> {
    /// The fields of a table; `what` is its name in messages.
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
        let spanned = self.take(key);
        if spanned.is_none() {
            let text = format!("{} has no {key}", self.what);
            messages.error(messages.style.missing, self.place.clone(), text);
        }
        spanned
    }

    /// The place of a value, or of the table.
    pub fn place_of(&self, key: &str) -> Range<usize> {
        let entry = self.table.iter().find(|(name, _)| name.get_ref() == key);
        entry.map_or(self.place.clone(), |(_, value)| value.span())
    }

    /// A text.
    pub fn text(&mut self, key: &'static str, messages: &mut Messages) -> Option<String> {
        text(self.take(key)?, key, messages).map(str::to_owned)
    }

    /// A text that must be there.
    pub fn needed_text(&mut self, key: &'static str, messages: &mut Messages) -> Option<String> {
        text(self.need(key, messages)?, key, messages).map(str::to_owned)
    }

    /// A truth value.
    pub fn flag(&mut self, key: &'static str, messages: &mut Messages) -> Option<bool> {
        let value = self.take(key)?;
        match value.get_ref() {
            DeValue::Boolean(flag) => Some(*flag),
            _ => {
                messages.kind(value.span(), key, "true or false");
                None
            }
        }
    }

    /// A whole number from `least` on.
    pub fn integer_from<T: TryFrom<u64>>(
        &mut self,
        key: &'static str,
        least: u64,
        messages: &mut Messages,
    ) -> Option<T> {
        let value = self.take(key)?;
        let number = integer(value).filter(|number| *number >= least);
        let number = number.and_then(|number| T::try_from(number).ok());
        if number.is_none() {
            messages.kind(value.span(), key, &format!("a whole number from {least} on"));
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
        let choice = known.iter().copied().find(|item| name(*item) == word);
        if choice.is_none() {
            let names: Vec<&str> = known.iter().map(|item| name(*item)).collect();
            let text = format!("there is no {key} {word:?}");
            let wrong = Diagnostic::error(messages.style.word, value.span(), text);
            messages.push(wrong.help(suggestion(word, &names)));
        }
        choice
    }

    /// Texts in a list.
    pub fn texts(&mut self, key: &'static str, messages: &mut Messages) -> Vec<String> {
        self.placed_texts(key, messages).into_iter().map(|(_, text)| text).collect()
    }

    /// Texts in a list, with their places.
    pub fn placed_texts(
        &mut self,
        key: &'static str,
        messages: &mut Messages,
    ) -> Vec<(Range<usize>, String)> {
        let list = self.list(key, "a list of texts", messages);
        let placed = |value: &Value<'_>, messages: &mut Messages| {
            Some((value.span(), text(value, key, messages)?.to_owned()))
        };
        list.iter().filter_map(|spanned| placed(spanned, messages)).collect()
    }

    /// The values of a list; `should` says what it is a list of.
    pub fn list(
        &mut self,
        key: &'static str,
        should: &str,
        messages: &mut Messages,
    ) -> &'a [Value<'i>] {
        let Some(value) = self.take(key) else { return &[] };
        match value.get_ref() {
            DeValue::Array(list) => list,
            _ => {
                messages.kind(value.span(), key, should);
                &[]
            }
        }
    }

    /// The tables of a list; `what` is the name of one of them.
    pub fn tables(
        &mut self,
        key: &'static str,
        what: &'static str,
        messages: &mut Messages,
    ) -> Vec<Fields<'a, 'i>> {
        let list = self.list(key, "a list of tables", messages);
        list.iter().filter_map(|spanned| table(spanned, what, messages)).collect()
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

    /// All entries of a table whose keys the user chooses.
    pub fn entries(&self) -> impl Iterator<Item = (&'a str, Range<usize>, &'a Value<'i>)> {
        self.table.iter().map(|(name, value)| (name.get_ref().as_ref(), name.span(), value))
    }

    /// Reports keys that were never taken.
    pub fn end(&self, messages: &mut Messages) {
        for (name, place, _) in self.entries() {
            if self.asked.contains(&name) {
                continue;
            }
            let (code, text) = (messages.style.unknown, format!("{} has no key {name}", self.what));
            messages.push(if messages.later {
                Diagnostic::warning(code, place, text)
                    .help("it was written for a later version: it is left out")
            } else {
                Diagnostic::error(code, place, text).help(suggestion(name, &self.asked))
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
            messages.kind(value.span(), what, "a table");
            None
        }
    }
}

fn text<'a>(value: &'a Value<'_>, key: &str, messages: &mut Messages) -> Option<&'a str> {
    match value.get_ref() {
        DeValue::String(text) => Some(text),
        _ => {
            messages.kind(value.span(), key, "a text in quotation marks");
            None
        }
    }
}

/// A whole number that is not negative.
pub fn integer(value: &Value<'_>) -> Option<u64> {
    match value.get_ref() {
        DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    }
}

/// A text, or a number or truth value as it is written.
pub fn scalar(value: &Value<'_>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.as_str().to_owned()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    }
}
