//! The numbers of pragmas in the generated text.

use std::collections::BTreeMap;

use crate::language::Directive;
use crate::marks::{MarkId, Marked};

/// For each pragma that is compiled its number among those of the same kind, from 0.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    pub places: BTreeMap<MarkId, usize>,
    pub loops: BTreeMap<MarkId, usize>,
    pub reports: BTreeMap<MarkId, usize>,
}

impl Numbers {
    /// Numbers the pragmas that some variant of the file compiles.
    pub(crate) fn new(marked: &Marked<'_>, seen: &[bool]) -> Numbers {
        let mut numbers = Numbers::default();
        for (id, mark) in marked.marks.iter().enumerate().filter(|&(id, _)| seen[id]) {
            let table = match mark.directive {
                Directive::Begin(_) => &mut numbers.places,
                Directive::For(_) => &mut numbers.loops,
                Directive::Report { .. } => &mut numbers.reports,
                _ => continue,
            };
            let number = table.len();
            table.insert(id, number);
        }
        numbers
    }
}
