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

    /// For each name those of its members, with what follows the `.` or `->` after it: `n`, `a.n`.
    pub(crate) fn members(&self) -> HashMap<usize, Vec<(usize, String)>> {
        let mut found: HashMap<usize, Vec<(usize, String)>> = HashMap::new();
        for (id, text) in self.texts.iter().enumerate() {
            for (position, joint) in text.match_indices('.').chain(text.match_indices("->")) {
                if let Some(root) = self.find(&text[..position]) {
                    let rest = text[position + joint.len()..].to_owned();
                    found.entry(root).or_default().push((id, rest));
                }
            }
        }
        found
    }
}
