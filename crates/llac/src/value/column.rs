//! Columns: many numbers of one unit, words, or truth values.

use std::sync::Arc;

use super::unit::Unit;

/// Exact numbers of one unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The numbers, in the unit.
    pub values: Arc<[f64]>,
    /// Their unit.
    pub unit: Unit,
}

/// Words, such as places: each different one once.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// The different words.
    pub known: Arc<[String]>,
    /// For each row the index of its word.
    pub codes: Arc<[u32]>,
}

impl Column {
    /// Numbers without a unit.
    pub fn plain(values: impl Into<Arc<[f64]>>) -> Column {
        Column { values: values.into(), unit: Unit::NONE }
    }

    /// The numbers at the marked rows.
    pub fn kept(&self, marked: &[bool]) -> Column {
        let kept = self.values.iter().zip(marked).filter(|(_, keep)| **keep);
        Column { values: kept.map(|(value, _)| *value).collect(), unit: self.unit.clone() }
    }
}

impl Words {
    /// Makes a column from the words of each row.
    pub fn from_rows<S: AsRef<str>>(rows: impl IntoIterator<Item = S>) -> Words {
        let mut known: Vec<String> = Vec::new();
        let mut index = std::collections::HashMap::new();
        let mut codes = Vec::new();
        for row in rows {
            let row = row.as_ref();
            let code = match index.get(row) {
                Some(code) => *code,
                None => {
                    known.push(row.to_owned());
                    index.insert(row.to_owned(), known.len() as u32 - 1);
                    known.len() as u32 - 1
                }
            };
            codes.push(code);
        }
        Words { known: known.into(), codes: codes.into() }
    }

    /// The word of a row.
    pub fn word(&self, row: usize) -> &str {
        &self.known[self.codes[row] as usize]
    }

    /// The words at the marked rows.
    pub fn kept(&self, marked: &[bool]) -> Words {
        let kept = self.codes.iter().zip(marked).filter(|(_, keep)| **keep);
        Words { known: Arc::clone(&self.known), codes: kept.map(|(code, _)| *code).collect() }
    }
}
