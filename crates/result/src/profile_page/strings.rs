//! Each text once.

use std::collections::HashMap;

/// Texts by number.
#[derive(Debug, Default)]
pub(super) struct Strings {
    pub(super) list: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Strings {
    /// The number of a text.
    pub(super) fn number(&mut self, text: &str) -> usize {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        self.numbers.insert(text.to_owned(), self.list.len());
        self.list.push(text.to_owned());
        self.list.len() - 1
    }
}
