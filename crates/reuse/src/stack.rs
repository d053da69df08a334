//! The exact reuse distance of each access (Olken 1981): lines in the order of their last use, counted by a tree over
//! time.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The smallest number of places in time.
const SMALLEST: usize = 1 << 14;

/// A hash for numbers of lines, which are no input of an enemy: one multiplication.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OfNumbers(u64);

impl Hasher for OfNumbers {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 29);
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

/// A map by numbers.
pub(crate) type ByNumber<K, V> = HashMap<K, V, BuildHasherDefault<OfNumbers>>;

/// Lines in the order of their last use.
///
/// A bit for each moment says whether the line that was used then has not been used since. The number of bits after a
/// moment is the number of different lines used after it. Bits are counted by words, and words by a Fenwick tree: a
/// distance costs O(log n) for n lines.
#[derive(Clone, Debug)]
pub struct Stack {
    /// The moment of each line's last use.
    last: ByNumber<u64, u32>,
    /// Whether a moment is a line's last use.
    bits: Vec<u64>,
    /// Sums of the bits of words, from 1, as a Fenwick tree.
    sums: Vec<u32>,
    now: usize,
}

impl Default for Stack {
    fn default() -> Stack {
        Stack {
            last: ByNumber::default(),
            bits: vec![0; SMALLEST / 64],
            sums: vec![0; SMALLEST / 64 + 1],
            now: 0,
        }
    }
}

impl Stack {
    /// Number of lines.
    pub fn len(&self) -> usize {
        self.last.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }

    /// Uses a line: the number of other lines used since its last use; `None` if this is its first one.
    pub fn used(&mut self, line: u64) -> Option<u64> {
        let distance = self.removed(line);
        self.pushed(line);
        distance
    }

    /// Takes a line out: how many others were used after it; `None` if it is not there.
    pub fn removed(&mut self, line: u64) -> Option<u64> {
        let moment = self.last.remove(&line)? as usize;
        let before = self.up_to(moment);
        self.change(moment, false);
        // All lines but this one that are not before it.
        Some(self.last.len() as u64 + 1 - before)
    }

    /// Puts a line before all others.
    pub fn pushed(&mut self, line: u64) {
        if self.now == self.bits.len() * 64 {
            self.compact();
        }
        self.last.insert(line, self.now as u32);
        self.change(self.now, true);
        self.now += 1;
    }

    fn change(&mut self, moment: usize, set: bool) {
        let mut node = moment / 64 + 1;
        self.bits[moment / 64] ^= 1 << (moment % 64);
        while node < self.sums.len() {
            self.sums[node] = if set { self.sums[node] + 1 } else { self.sums[node] - 1 };
            node += node & node.wrapping_neg();
        }
    }

    /// The bits up to this moment, with it.
    fn up_to(&self, moment: usize) -> u64 {
        let mask = u64::MAX >> (63 - moment % 64);
        let mut sum = u64::from((self.bits[moment / 64] & mask).count_ones());
        let mut node = moment / 64;
        while node > 0 {
            sum += u64::from(self.sums[node]);
            node &= node - 1;
        }
        sum
    }

    /// Numbers the moments anew, so that there are as many free ones as lines.
    fn compact(&mut self) {
        let mut order: Vec<(u32, u64)> =
            self.last.iter().map(|(line, moment)| (*moment, *line)).collect();
        order.sort_unstable();
        let places = (2 * order.len()).next_power_of_two().max(SMALLEST);
        self.bits = vec![0; places / 64];
        self.sums = vec![0; places / 64 + 1];
        self.now = order.len();
        for (now, (_, line)) in order.iter().enumerate() {
            self.last.insert(*line, now as u32);
            self.bits[now / 64] |= 1 << (now % 64);
        }
        for word in 0..self.bits.len() {
            let node = word + 1;
            self.sums[node] += self.bits[word].count_ones();
            let above = node + (node & node.wrapping_neg());
            if above < self.sums.len() {
                self.sums[above] += self.sums[node];
            }
        }
    }
}
