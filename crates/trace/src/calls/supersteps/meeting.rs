//! Collectives: who has come to which, and what comes of it when all have.

use std::collections::HashMap;

use super::collective::{Gives, Kind, flows};

/// What a collective is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Of {
    Communicator,
    Window,
    /// All files that were opened on a communicator.
    Files,
}

/// A collective: what it is of, the key of that, which of its collectives it is.
pub(super) type Key = (Of, u64, u64);

/// What a process tells of a collective.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coming {
    pub(super) key: Key,
    pub(super) kind: Kind,
    /// How many come to it, and which of them this is.
    pub(super) size: u32,
    pub(super) rank: u32,
    /// The root's number among them.
    pub(super) root: Option<u32>,
    /// Bytes that have to leave it, and to come to it.
    pub(super) bytes: (u64, u64),
}

/// Who has come.
#[derive(Clone, Copy, Debug)]
struct Came {
    /// Rank in the collective, and in the communicator of all.
    rank: u32,
    of_all: u32,
    superstep: u64,
    at_s: f64,
    bytes: (u64, u64),
}

/// A collective to which not all have come, or from which not all have gone.
#[derive(Debug)]
struct Meeting {
    kind: Kind,
    size: usize,
    root: Option<u32>,
    came: Vec<Came>,
    gives: Vec<Gives>,
    superstep: u64,
    gone: usize,
    /// Who waits for others to come.
    waiting: Vec<usize>,
}

/// What a process takes from a collective to which all have come.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) superstep: u64,
    /// Whom it needs, by rank of all, and when they came, seconds.
    pub(super) needed: Vec<(u32, f64)>,
    /// What it gives to whom: rank of all, requests, bytes.
    pub(super) gives: Vec<(u32, u32, u64)>,
    pub(super) kind: Kind,
    pub(super) size: usize,
}

/// The collectives that go on.
#[derive(Debug, Default)]
pub(super) struct Meetings(HashMap<Key, Meeting>);

impl Meetings {
    /// A process comes; if it is the last one, those that have waited for it.
    pub(super) fn come(
        &mut self,
        coming: &Coming,
        of_all: u32,
        superstep: u64,
        at_s: f64,
    ) -> Vec<usize> {
        let Coming { kind, size, rank, root, bytes, .. } = *coming;
        let meeting = self.0.entry(coming.key).or_insert_with(|| Meeting {
            kind,
            size: size as usize,
            root: None,
            came: Vec::new(),
            gives: Vec::new(),
            superstep: 0,
            gone: 0,
            waiting: Vec::new(),
        });
        meeting.root = meeting.root.or(root);
        meeting.superstep = meeting.superstep.max(superstep);
        meeting.came.push(Came { rank, of_all, superstep, at_s, bytes });
        if meeting.came.len() < meeting.size {
            return Vec::new();
        }
        meeting.came.sort_by_key(|came| came.rank);
        let both: Vec<(u64, u64)> = meeting.came.iter().map(|came| came.bytes).collect();
        meeting.gives = flows(meeting.kind, &both, meeting.root.map(|root| root as usize));
        debug_assert!(meeting.came.iter().all(|came| came.superstep <= meeting.superstep));
        std::mem::take(&mut meeting.waiting)
    }

    /// A process goes, if all have come; else it waits.
    pub(super) fn go(&mut self, key: Key, of_all: u32, seat: usize) -> Option<Taken> {
        let meeting = self.0.get_mut(&key)?;
        if meeting.came.len() < meeting.size {
            meeting.waiting.push(seat);
            return None;
        }
        let taken = meeting.taken(of_all)?;
        meeting.gone += 1;
        if meeting.gone == meeting.size {
            self.0.remove(&key);
        }
        Some(taken)
    }
}

impl Meeting {
    fn taken(&self, of_all: u32) -> Option<Taken> {
        let own = self.came.iter().position(|came| came.of_all == of_all)?;
        let root = self.root.map(|root| root as usize);
        let needed = (0..self.size).filter(|&other| self.kind.needs(own, other, root));
        let needed = needed.map(|other| (self.came[other].of_all, self.came[other].at_s)).collect();
        let mut gives: Vec<(u32, u32, u64)> = Vec::new();
        for other in 0..self.size {
            let bytes = self.gives[own].iter().find(|one| one.0 == other).map_or(0, |one| one.1);
            if bytes > 0 || self.kind.needs(other, own, root) {
                gives.push((self.came[other].of_all, 1, bytes));
            }
        }
        let (superstep, kind, size) = (self.superstep, self.kind, self.size);
        Some(Taken { superstep, needed, gives, kind, size })
    }
}
