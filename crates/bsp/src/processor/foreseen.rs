//! Gets that are the same in one superstep after the other.
//!
//! Programs that iterate get the same places again and again. What was got twice in the same way is
//! ordered: its owners send it when they have ended their computation, and those supersteps need no second
//! wait, in which others would read what is theirs.

use super::gets::{Get, overlap};
use super::record::copy;
use crate::engine::{Engine, Piece};

/// Gets of a superstep at most, of those that are compared.
const MOST: usize = 64;
/// Supersteps without gets after which an order is withdrawn.
const PATIENCE: u32 = 4;

/// What was got before, and whether it is ordered.
#[derive(Debug, Default)]
pub(super) struct Foreseen {
    /// Of the last superstep with gets; empty: they cannot be ordered.
    before: Vec<Piece>,
    ordered: bool,
    /// They cannot be ordered.
    refused: bool,
    /// Supersteps since.
    idle: u32,
}

impl Foreseen {
    /// At the end of computation: whether these gets were ordered.
    #[inline]
    pub fn is(&mut self, gets: &[Get], engine: &mut dyn Engine) -> bool {
        if gets.is_empty() && !self.ordered {
            return false;
        }
        self.compare(gets, engine)
    }

    fn compare(&mut self, gets: &[Get], engine: &mut dyn Engine) -> bool {
        if gets.is_empty() {
            self.idle += 1;
        } else if !self.ordered || self.is_as_before(gets) {
            self.idle = 0;
            return self.ordered;
        }
        if !gets.is_empty() || self.idle > PATIENCE {
            engine.withdraw();
            self.ordered = false;
        }
        false
    }

    fn is_as_before(&self, gets: &[Get]) -> bool {
        let is_same = |(get, piece): (&Get, &Piece)| {
            get.from == piece.of && get.size == piece.size && get.here.cast_const() == piece.here
        };
        // What is reached of a get by its whole size has no other parts.
        gets.len() == self.before.len()
            && gets.iter().all(|get| get.reached.1 == get.size)
            && gets.iter().zip(&self.before).all(is_same)
    }

    /// Between the two waits of a superstep with gets that were not foreseen: orders them if they are those of
    /// the last one.
    pub fn learn(&mut self, gets: &[Get], engine: &mut dyn Engine) {
        if gets.is_empty() {
            return;
        }
        if self.is_as_before(gets) {
            self.ordered = !self.refused && engine.order(&self.before);
            self.refused = !self.ordered;
            return;
        }
        self.refused = false;
        self.before.clear();
        if gets.len() <= MOST && gets.iter().all(|get| get.reached.1 == get.size) {
            let piece = |get: &Get| Piece { of: get.from, here: get.here, size: get.size };
            self.before.extend(gets.iter().map(piece));
        }
    }
}

/// After the wait: these gets read what was sent.
pub(super) fn redirect(gets: &mut [Get], engine: &dyn Engine) {
    for nth in 0..gets.len() {
        let from = gets[nth].from;
        let earlier = gets[..nth].iter().filter(|get| get.from == from);
        let before: usize = earlier.map(|get| get.size.next_multiple_of(8)).sum();
        gets[nth].here = engine.ordered(from).wrapping_add(before);
    }
}

/// Writes what was sent, if nobody reads here: in the order of the processors it is from, then of the
/// calls.
pub(super) fn write(gets: &mut [Get]) {
    if overlap(gets) {
        gets.sort_by_key(|get| get.from);
    }
    for get in gets {
        // SAFETY: the caller of `get` has promised the memory; it was sent.
        unsafe { copy(get.here, get.dst, get.size) };
    }
}
