//! The sizes of messages of a place in the program, and how they grow.

use std::collections::BTreeMap;

use crate::growth::{Growth, growth};

/// Messages that a call sends in the passages of a place with the same values.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// The number of the place.
    pub place: u64,
    /// The saved values.
    pub values: Vec<f64>,
    /// How many passages a process had with these values.
    pub passages: u64,
    /// How many processes ran.
    pub processes: u32,
    /// The function: `MPI_Send`.
    pub call: String,
    /// The return address of the call, in the file.
    pub code: u64,
    /// The size of each.
    pub bytes: f64,
    /// How many all processes sent.
    pub number: u64,
}

/// The messages of a line with a number of processes.
#[derive(Clone, Debug, PartialEq)]
pub struct SentFrom {
    /// Index of the line, as the caller numbers them.
    pub line: usize,
    /// The function.
    pub call: String,
    /// How many processes ran.
    pub processes: u32,
    /// The largest ones of a passage.
    pub largest: Sizes,
    /// The smallest ones.
    pub smallest: Sizes,
    /// How many all processes send in a passage, at the largest values.
    pub number: f64,
}

/// Sizes of messages by the values of the variables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sizes {
    /// The values, ascending, and bytes.
    pub points: Vec<(Vec<f64>, f64)>,
    /// How they grow; `None` with fewer than three points.
    pub growth: Option<Growth>,
}

/// The messages of each line, function and number of processes. `line` gives the index of a return address's line; of the
/// saved values the first `variables` are used.
pub fn sent_from(all: &[&Sent], variables: usize, line: impl Fn(u64) -> usize) -> Vec<SentFrom> {
    type Key<'a> = (usize, &'a str, u32);
    /// By values: the smallest size, the largest one, how many and in how many passages.
    type Row = (Vec<f64>, f64, f64, u64, u64);
    let mut found: BTreeMap<Key<'_>, Vec<Row>> = BTreeMap::new();
    for sent in all {
        let rows = found.entry((line(sent.code), &sent.call, sent.processes)).or_default();
        let values = &sent.values[..variables.min(sent.values.len())];
        match rows.iter_mut().find(|row| row.0 == values) {
            Some(row) => {
                row.1 = row.1.min(sent.bytes);
                row.2 = row.2.max(sent.bytes);
                row.3 += sent.number;
                row.4 = row.4.max(sent.passages);
            }
            None => {
                rows.push((values.to_vec(), sent.bytes, sent.bytes, sent.number, sent.passages));
            }
        }
    }
    let finish = |((line, call, processes), mut rows): (Key<'_>, Vec<Row>)| {
        rows.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal));
        let sizes = |bytes_of: fn(&Row) -> f64| {
            let points: Vec<(Vec<f64>, f64)> =
                rows.iter().map(|row| (row.0.clone(), bytes_of(row))).collect();
            Sizes { growth: growth(&points), points }
        };
        let last = rows.last();
        SentFrom {
            line,
            call: call.to_owned(),
            processes,
            largest: sizes(|row| row.2),
            smallest: sizes(|row| row.1),
            number: last.map_or(0.0, |row| row.3 as f64 / row.4.max(1) as f64),
        }
    };
    found.into_iter().map(finish).collect()
}

impl Sizes {
    /// Where a variable is when the size first exceeds so many bytes, the others as at the largest values, and whether
    /// sizes on both sides were run; `None` if it does not, or if it always did.
    pub fn exceeds(&self, bytes: f64, variable: usize) -> Option<(f64, bool)> {
        let (last, largest) = self.points.last()?;
        let is_along = |values: &[f64]| {
            values.iter().zip(last).enumerate().all(|(k, (a, b))| k == variable || a == b)
        };
        let along: Vec<(f64, f64)> = self
            .points
            .iter()
            .filter(|(values, _)| is_along(values))
            .map(|(values, size)| (*values.get(variable).unwrap_or(&0.0), *size))
            .collect();
        let passed = |pair: &&[(f64, f64)]| pair[0].1 <= bytes && pair[1].1 > bytes;
        if let Some(pair) = along.windows(2).rev().find(passed) {
            let ((x0, low), (x1, high)) = (pair[0], pair[1]);
            // With sizes of the formula between two far points.
            let exact = self.growth.as_ref().filter(|growth| growth.error < CLOSE);
            let exact = exact.and_then(|growth| growth.reaches(bytes, variable, last, x0));
            let part = ((bytes.max(1.0)) / low.max(1.0)).ln() / (high / low.max(1.0)).ln();
            let between = if x0 > 0.0 { x0 * (x1 / x0).powf(part) } else { x0 + part * (x1 - x0) };
            return Some((exact.filter(|x| (x0..=x1).contains(x)).unwrap_or(between), true));
        }
        if *largest > bytes {
            return None;
        }
        let from = *last.get(variable)?;
        let value = self.growth.as_ref()?.reaches(bytes, variable, last, from.max(1.0))?;
        Some((value, false))
    }
}

/// Up to this error a formula is used between two points that were run.
const CLOSE: f64 = 0.02;

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(n: f64, processes: u32, bytes: f64, number: u64) -> Sent {
        Sent {
            place: 1,
            values: vec![n],
            passages: 2,
            processes,
            call: "MPI_Send".into(),
            code: 40,
            bytes,
            number,
        }
    }

    #[test]
    fn sizes_are_those_of_a_number_of_processes() {
        let mut all = Vec::new();
        for n in [64.0, 256.0, 1024.0, 4096.0] {
            for processes in [2, 4] {
                all.push(sent(n, processes, 8.0 * n / f64::from(processes), 20));
                all.push(sent(n, processes, 8.0, 4));
            }
        }
        let all: Vec<&Sent> = all.iter().collect();
        let senders = sent_from(&all, 1, |code| code as usize);
        assert_eq!(senders.len(), 2);
        for (from, processes) in senders.iter().zip([2.0, 4.0]) {
            assert_eq!((from.line, from.number), (40, 12.0));
            let (value, is_between) = from.largest.exceeds(4040.0, 0).unwrap();
            assert!(
                (value / (4040.0 / 8.0 * processes) - 1.0).abs() < 0.01 && is_between,
                "{value}"
            );
            // Beyond what was run it follows from the formula.
            let (value, is_between) = from.largest.exceeds(1e6, 0).unwrap();
            assert!((value / (1e6 / 8.0 * processes) - 1.0).abs() < 0.01 && !is_between, "{value}");
            // Before that it is not asked for.
            assert_eq!(from.largest.exceeds(64.0, 0), None);
            assert_eq!(from.smallest.exceeds(4040.0, 0), None);
        }
    }
}
