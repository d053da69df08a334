//! Known causes of changes of constants.

use cll_fit::{Fit, LevelChange};
use cll_result::ChangeCause;
use cll_units::Bytes;

use super::memory::{TouchedMemory, distance_to_cache};
use crate::Notation;
use crate::why::array;

/// Known causes of changes of constants.
#[derive(Clone, Copy, Debug, Default)]
pub struct Causes<'a> {
    /// The memory that boundaries are compared with; `None` if the bytes touched are not known.
    pub memory: Option<TouchedMemory<'a>>,
    /// The arrays that were seen to leave a level of the memory where a constant changes.
    pub followed: &'a [ChangeCause],
}

impl Causes<'_> {
    /// ` (L2, 2 MiB)`, or ` (a leaves L2, f.c:12)`: why the constant of a term changes; empty if that is not known. An
    /// array that was followed tells more than the bytes of all arrays. A cache is full once: it is named at the change
    /// that is nearest to that.
    pub(crate) fn text(
        &self,
        fit: &Fit,
        (term, index): (usize, usize),
        notation: Notation,
    ) -> String {
        let change = &fit.changes[term][index];
        if let Some(cause) = self.followed(fit, term, change) {
            let level = match cause.page {
                None => notation.text(&cause.level),
                Some(_) => format!("the {}", notation.text(&cause.level)),
            };
            let file = cause.file.rsplit('/').next().unwrap_or_default();
            let (array, file) = (array(&cause.array), notation.text(file));
            return format!(" ({array} leaves {level}, {file}:{})", cause.line);
        }
        let Some(memory) = self.memory else { return String::new() };
        let Some((name, size)) = self.cache_of(fit, memory, (term, index)) else {
            return String::new();
        };
        format!(" ({}, {})", notation.text(name), notation.bytes(size.get()))
    }

    /// The cause that was followed for a change; the model may have been fitted anew since.
    fn followed(&self, fit: &Fit, term: usize, change: &LevelChange) -> Option<&ChangeCause> {
        let constant = &fit.constants.get(term)?.constant;
        self.followed
            .iter()
            .find(|cause| cause.constant == *constant && cause.at == change.position())
    }

    fn cache_of<'m>(
        &self,
        fit: &Fit,
        memory: TouchedMemory<'m>,
        place: (usize, usize),
    ) -> Option<&'m (String, Bytes)> {
        let working_set = fit.working_set(memory.working_set).ok()?;
        let distance = |(term, index): (usize, usize), cache: &(String, Bytes)| {
            let (low, high) = fit.changes[term][index].reach();
            distance_to_cache(working_set.between(low, high)?, cache.1)
        };
        let places = || {
            let terms = fit.changes.iter().enumerate();
            terms.flat_map(|(term, changes)| (0..changes.len()).map(move |index| (term, index)))
        };
        memory.caches.iter().find(|cache| {
            let Some(own) = distance(place, cache) else { return false };
            let nearest = places()
                .filter_map(|other| Some((distance(other, cache)?, other)))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            nearest.is_some_and(|(least, other)| other == place || own < least)
        })
    }
}
