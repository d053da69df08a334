//! Parts: machine objects of some of the processes of the whole machine, or of another part.
//!
//! A communicator of processes with consecutive ranks is a machine of its own, a part. The part begins with a
//! collective of the communicator. It ends for all its processes when one of them communicates with a process outside.
//! Their next collective begins another part, in the superstep of the machine around it that they are in then. Parts
//! that overlap are never in the same superstep.

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use cll_trace::meta::Communicator;

/// The processes of a communicator, by rank of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Membership {
    first: u32,
    end: u32,
    /// Whether all between the first and the last are in it.
    pub(super) are_neighbours: bool,
}

impl Membership {
    /// Those of a communicator, of so many processes in all.
    pub(super) fn new(table: &Communicator, all: u32) -> Membership {
        let unknown = Membership { first: 0, end: all, are_neighbours: false };
        let mut ends = None;
        let mut count = 0u64;
        for &(first, many, step) in &table.ranks {
            if many == 0 {
                continue;
            }
            let last = i64::from(first) + i64::from(many - 1) * i64::from(step);
            let (low, high) = (last.min(first.into()), last.max(first.into()));
            if low < 0 || high >= i64::from(all) {
                return unknown;
            }
            let (least, most) = ends.unwrap_or((low, high));
            ends = Some((low.min(least), high.max(most)));
            count += u64::from(many);
        }
        let Some((least, most)) = ends.filter(|_| count == u64::from(table.size)) else {
            return unknown;
        };
        let (first, end) = (least as u32, most as u32 + 1);
        Membership { first, end, are_neighbours: count == u64::from(end - first) }
    }

    /// From the first to behind the last.
    pub(super) fn range(self) -> Range<u32> {
        self.first..self.end
    }

    pub(super) fn are_in(self, range: &Range<u32>) -> bool {
        range.start <= self.first && self.end <= range.end
    }
}

/// A machine object.
#[derive(Debug)]
pub(super) struct MachineObject {
    /// The number of the machine; 0 is the machine of all.
    pub(super) number: u64,
    /// The processes of the machine, by rank of all.
    pub(super) range: Range<u32>,
    /// The machine around it, and the superstep of that machine that it is in.
    pub(super) parent: Option<(Rc<MachineObject>, u64)>,
    /// How many of its processes have reached a call that involves processes outside.
    pub(super) leaving: Cell<u32>,
}

impl MachineObject {
    /// The machine of all.
    pub(super) fn root(count: u32) -> Rc<MachineObject> {
        Rc::new(MachineObject { number: 0, range: 0..count, parent: None, leaving: Cell::new(0) })
    }

    /// A part within a superstep.
    pub(super) fn within(position: Position, range: Range<u32>, number: u64) -> Rc<MachineObject> {
        let parent = Some((position.part, position.superstep));
        Rc::new(MachineObject { number, range, parent, leaving: Cell::new(0) })
    }

    fn depth(&self) -> usize {
        self.parent.as_ref().map_or(0, |(parent, _)| parent.depth() + 1)
    }
}

/// A superstep of a machine.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub(super) part: Rc<MachineObject>,
    pub(super) superstep: u64,
}

impl Position {
    /// The superstep of the machine around it that contains it; itself if there is no such machine.
    pub(super) fn around(&self) -> Position {
        match &self.part.parent {
            Some((part, superstep)) => Position { part: Rc::clone(part), superstep: *superstep },
            None => self.clone(),
        }
    }

    /// The later one of two in the innermost machine that both are in.
    pub(super) fn later(&self, other: &Position) -> Position {
        let (mut position, mut other) = (self.clone(), other.clone());
        while !Rc::ptr_eq(&position.part, &other.part) {
            let (own, others) = (position.part.depth(), other.part.depth());
            if own >= others {
                position = position.around();
            }
            if others >= own {
                other = other.around();
            }
        }
        Position { superstep: position.superstep.max(other.superstep), part: position.part }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn among(size: u32, ranks: Vec<(i32, u32, i32)>) -> Membership {
        Membership::new(&Communicator { size, ranks, ..Communicator::default() }, 12)
    }

    #[test]
    fn neighbours_are_known_in_any_order() {
        assert_eq!(
            among(4, vec![(4, 4, 1)]),
            Membership { first: 4, end: 8, are_neighbours: true },
            "a row"
        );
        assert_eq!(among(3, vec![(5, 3, -1)]).range(), 3..6);
        assert_eq!(among(4, vec![(9, 1, 0), (6, 3, 1)]).range(), 6..10);
        assert!(among(4, vec![(9, 1, 0), (6, 3, 1)]).are_neighbours);
        assert!(!among(3, vec![(1, 3, 4)]).are_neighbours, "a column");
        assert!(!among(3, vec![(1, 2, 1), (4, 1, 0)]).are_neighbours);
        assert!(!among(9, vec![]).are_neighbours, "too many stretches for the log");
        assert!(!among(2, vec![(-1, 2, 1)]).are_neighbours, "one of another run");
        assert!(among(3, vec![(1, 3, 4)]).are_in(&(1..10)));
        assert!(!among(3, vec![(1, 3, 4)]).are_in(&(1..9)));
    }

    #[test]
    fn of_two_positions_the_later_one_in_what_both_are_in() {
        let position_at =
            |part: &Rc<MachineObject>, superstep| Position { part: Rc::clone(part), superstep };
        let root = MachineObject::root(8);
        let half = MachineObject::within(position_at(&root, 3), 0..4, 1);
        let pair = MachineObject::within(position_at(&half, 2), 2..4, 2);
        let other = MachineObject::within(position_at(&root, 5), 4..8, 3);
        let later = |left: &Position, other: &Position| {
            let (position, back) = (left.later(other), other.later(left));
            assert_eq!(
                (position.part.number, position.superstep),
                (back.part.number, back.superstep)
            );
            (position.part.number, position.superstep)
        };
        assert_eq!(later(&position_at(&half, 1), &position_at(&half, 7)), (1, 7));
        assert_eq!(later(&position_at(&pair, 9), &position_at(&half, 1)), (1, 2));
        assert_eq!(later(&position_at(&pair, 9), &position_at(&other, 1)), (0, 5));
        assert_eq!(later(&position_at(&root, 6), &position_at(&pair, 1)), (0, 6));
    }
}
