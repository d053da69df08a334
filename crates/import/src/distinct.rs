//! Each value once.

use std::collections::HashSet;
use std::hash::Hash;

/// The values in the order in which they first appear, each once.
pub(crate) fn distinct<T: Clone + Eq + Hash>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut known = HashSet::new();
    all.into_iter().filter(|value| known.insert(value.clone())).collect()
}
