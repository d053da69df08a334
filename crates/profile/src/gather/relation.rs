//! The relation of a superstep: the data that the processors of a machine sent to each other, in both directions.
//! Most programs have few different ones: each is worked out once, and found again by a hash of the sets of partners.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::metric::{Metric, Summary};

use super::cursor::Cursor;
use super::parts::Account;
use super::tree::NodeId;

/// Number of relations that are kept. If a window has more, they are computed again in later windows.
const KEPT: usize = 1 << 14;
/// Centres with their relations whose supersteps are counted before they are added.
const COUNTED: usize = 1 << 16;

/// h of each processor, bytes.
#[derive(Debug)]
pub(super) struct Relation {
    pub(super) each: Vec<f64>,
    pub(super) summary: Summary,
}

/// The key of a superstep's relation: two sums over the processors of the number of its set of partners times a factor
/// of the processor. The factors are so random that two relations will not have the same key.
pub(super) type Key = (u64, u64);

/// The factors of a processor in a key.
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

/// The relations of a machine, and how often each was that of a superstep.
#[derive(Default)]
pub(super) struct Relations {
    known: HashMap<Key, u32, FxBuildHasher>,
    all: Vec<Relation>,
    /// Supersteps by their centre and relation.
    times: HashMap<(NodeId, u32), u64, FxBuildHasher>,
    /// Supersteps whose relation is not known yet: key, centre, position in the window.
    unknown: Vec<(Key, NodeId, usize)>,
}

impl Relations {
    /// Counts a superstep of a centre, which is at a place in its window.
    pub(super) fn count(&mut self, key: Key, node: NodeId, position: usize) {
        match self.known.get(&key) {
            Some(&relation) => *self.times.entry((node, relation)).or_default() += 1,
            None => self.unknown.push((key, node, position)),
        }
    }

    /// Computes the relations of the window that were not known yet. `set(position, i)` is the set of partners of processor i
    /// in the superstep at `position`.
    pub(super) fn learn(&mut self, cursors: &mut [Cursor<'_>], set: impl Fn(usize, usize) -> u32) {
        for (key, node, position) in self.unknown.drain(..) {
            let relation = *self.known.entry(key).or_insert_with(|| {
                self.all.push(between(cursors, |member| set(position, member)));
                self.all.len() as u32 - 1
            });
            *self.times.entry((node, relation)).or_default() += 1;
        }
    }

    /// The relation with this key, if it was learnt.
    pub(super) fn get(&self, key: Key) -> Option<&Relation> {
        self.known.get(&key).map(|&index| &self.all[index as usize])
    }

    /// Whether the kept relations or the counts have reached their limit.
    pub(super) fn is_full(&self) -> bool {
        self.all.len() >= KEPT || self.times.len() >= COUNTED
    }

    /// Adds the counts to the centres, and sets them to zero.
    pub(super) fn settle(
        &mut self,
        account: &mut Account,
        each: &mut [[Vec<f64>; 4]],
        first: usize,
    ) {
        let h = Metric::HRelation.index();
        let mut counted: Vec<_> = self.times.drain().collect();
        counted.sort_unstable();
        for ((node, relation), times) in counted {
            let (relation, times) = (&self.all[relation as usize], times as f64);
            account.own.entry(node).or_default().metrics[h] += relation.summary.times(times);
            for (own, value) in each[node][h][first..].iter_mut().zip(&relation.each) {
                *own += value * times;
            }
        }
        if self.all.len() >= KEPT {
            self.known.clear();
            self.all.clear();
        }
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
