//! Words that belong to samples: columns of text of a table, or of one that was joined.

use std::collections::HashMap;
use std::sync::Arc;

use cll_trace::{Cell, Origin, Start, Stretch};

use super::Samples;
use crate::value::{Cells, Words};

/// A column of words, one for each origin of samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The name.
    pub name: String,
    /// The word of each origin.
    pub words: Words,
}

impl Samples {
    /// The label of this name.
    pub fn label(&self, name: &str) -> Option<&Label> {
        self.labels.iter().find(|label| label.name == name)
    }

    /// With a column of words, one for each sample in the order of groups and samples; one of this name is replaced.
    pub fn with_words(&self, name: &str, words: &Words) -> Samples {
        let mut samples = self.clone();
        samples.labels.retain(|label| label.name != name);
        // An origin of each old origin with each word.
        let mut known: HashMap<(u32, u32), u32> = HashMap::new();
        let mut all: Vec<(u32, u32)> = Vec::new();
        let mut row = 0;
        for group in &mut samples.groups {
            let mut stretches: Vec<Stretch> = Vec::new();
            for stretch in &group.cell.stretches {
                for _ in 0..stretch.count {
                    let key = (stretch.origin, words.codes[row]);
                    row += 1;
                    let origin = *known.entry(key).or_insert_with(|| {
                        all.push(key);
                        all.len() as u32 - 1
                    });
                    match stretches.last_mut() {
                        Some(last) if last.origin == origin => last.count += 1,
                        _ => stretches.push(Stretch { origin, count: 1 }),
                    }
                }
            }
            let mut cell = Cell::clone(&group.cell);
            cell.stretches = stretches;
            group.cell = Arc::new(cell);
        }
        let none = Origin {
            process: 0,
            thread: 0,
            place: 0,
            left: false,
            switched: false,
            start: Start::Own,
        };
        let origin = |old: u32| samples.origins.get(old as usize).copied().unwrap_or(none);
        samples.origins = all.iter().map(|(old, _)| origin(*old)).collect();
        for label in &mut samples.labels {
            let code = |old: u32| label.words.codes.get(old as usize).copied().unwrap_or(0);
            label.words.codes = all.iter().map(|(old, _)| code(*old)).collect();
        }
        let codes = all.iter().map(|(_, code)| *code).collect();
        let words = Words { known: Arc::clone(&words.known), codes };
        samples.labels.push(Label { name: name.to_owned(), words });
        samples
    }
}

impl Label {
    /// The words, one for each sample.
    pub fn cells(&self, samples: &Samples) -> Cells {
        let mut codes = Vec::with_capacity(samples.rows());
        for stretch in samples.groups.iter().flat_map(|group| &group.cell.stretches) {
            let code = self.words.codes.get(stretch.origin as usize).copied().unwrap_or(0);
            codes.resize(codes.len() + stretch.count as usize, code);
        }
        Cells::Words(Words { known: Arc::clone(&self.words.known), codes: codes.into() })
    }
}
