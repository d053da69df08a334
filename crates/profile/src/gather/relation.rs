//! Both directions of what went between the processors of a machine in a superstep.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

use crate::metric::Summary;

use super::cursor::Cursor;

/// Relations that are remembered; what comes after them is worked out anew.
const KEPT: usize = 1 << 14;

/// h of each processor, bytes.
#[derive(Debug)]
pub(super) struct Relation {
    pub(super) each: Vec<f64>,
    pub(super) summary: Summary,
}

/// The key of a superstep's relation: two sums of what the processors asked for, each set's number multiplied
/// by what is the processor's own. The factors are random enough that no two relations will have the same.
pub(super) type Key = (u64, u64);

/// What the number of a processor's set is multiplied by in a key.
pub(super) fn factors(member: usize) -> [u32; 2] {
    let scattered = scatter(member as u64 + 1);
    [scattered as u32 | 1, (scattered >> 32) as u32 | 1]
}

/// A permutation of 64-bit numbers without structure (the finaliser of SplitMix64).
fn scatter(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// Hashes keys: what is left to do is to bring all bits to where a table looks.
#[derive(Default)]
struct OfKeys(u64);

impl Hasher for OfKeys {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, half: u64) {
        self.0 = scatter(self.0.rotate_left(32) ^ half);
    }
}

/// The relations of a machine.
#[derive(Default)]
pub(super) struct Relations {
    known: HashMap<Key, Rc<Relation>, BuildHasherDefault<OfKeys>>,
}

impl Relations {
    /// The relation of a superstep in which processor i asked for the set `set(i)`.
    pub(super) fn find(
        &mut self,
        key: Key,
        cursors: &mut [Cursor<'_>],
        set: impl Fn(usize) -> u32,
    ) -> Rc<Relation> {
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if self.known.len() == KEPT {
            self.known.clear();
        }
        let relation = Rc::new(between(cursors, set));
        self.known.insert(key, relation.clone());
        relation
    }
}

fn between(cursors: &mut [Cursor<'_>], set: impl Fn(usize) -> u32) -> Relation {
    let count = cursors.len();
    let mut both = vec![(0u64, 0u64); count];
    for (own, cursor) in cursors.iter_mut().enumerate() {
        let number = set(own);
        let Some(traffic) = cursor.records.traffic(number) else {
            cursor.lacks(number);
            continue;
        };
        for entry in traffic {
            let partner = entry.partner as usize;
            if partner == own || partner >= count {
                continue;
            }
            both[own].0 += entry.sent;
            both[own].1 += entry.got;
            both[partner].1 += entry.sent;
            both[partner].0 += entry.got;
        }
    }
    let each: Vec<f64> = both.into_iter().map(|(sent, got)| sent.max(got) as f64).collect();
    let summary = Summary {
        maximum: each.iter().copied().fold(0.0, f64::max),
        average: each.iter().sum::<f64>() / count as f64,
        minimum: each.iter().copied().fold(f64::INFINITY, f64::min),
    };
    Relation { each, summary }
}
