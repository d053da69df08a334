//! Names of variables, as numbers.

use std::collections::HashMap;

/// Every name of a file once: `n`, `a->n`, `m.rows`, `sizeof(Complex)`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    ids: HashMap<String, usize>,
    texts: Vec<String>,
}

impl Names {
    /// The number of a name.
    pub(crate) fn id(&mut self, text: &str) -> usize {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = self.texts.len();
        self.texts.push(text.to_owned());
        self.ids.insert(text.to_owned(), id);
        id
    }

    /// The number of a name that is there already.
    pub(crate) fn find(&self, text: &str) -> Option<usize> {
        self.ids.get(text).copied()
    }

    /// The name.
    pub(crate) fn text(&self, id: usize) -> &str {
        &self.texts[id]
    }

    /// The names of members of `root`, with what follows it: `->n`.
    pub(crate) fn members<'a>(&'a self, root: usize) -> impl Iterator<Item = (usize, &'a str)> {
        let root = self.texts[root].as_str();
        self.texts.iter().enumerate().filter_map(move |(id, text)| {
            let rest = text.strip_prefix(root)?;
            (rest.starts_with("->") || rest.starts_with('.')).then_some((id, rest))
        })
    }
}
