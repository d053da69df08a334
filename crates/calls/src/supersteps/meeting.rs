//! Collectives: who has come to which, and what comes of it when all have.

use std::collections::HashMap;

use crate::collective::{Key, Kind};

use super::flows::{Gives, flows};
use super::part::{Among, Position};

/// What a process tells of a collective.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coming {
    pub(super) key: Key,
    pub(super) kind: Kind,
    /// How many come to it, and which of them this is.
    pub(super) size: u32,
    pub(super) rank: u32,
    /// Who comes to it, and whether they stay until all have come.
    pub(super) among: Among,
    pub(super) at_once: bool,
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
    /// The superstep that it is in; of those who stay it is found when all have come.
    position: Option<Position>,
    gone: usize,
    /// Who waits for others to come.
    waiting: Vec<usize>,
}

/// What a process takes from a collective to which all have come.
#[derive(Debug)]
pub(super) struct Taken {
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
    /// A process comes, in a superstep if it does not stay; whether all have come now.
    pub(super) fn come(
        &mut self,
        coming: &Coming,
        of_all: u32,
        position: Option<Position>,
        at_s: f64,
    ) -> bool {
        let Coming { kind, size, rank, root, bytes, .. } = *coming;
        let meeting = self.0.entry(coming.key).or_insert_with(|| Meeting {
            kind,
            size: size as usize,
            root: None,
            came: Vec::new(),
            gives: Vec::new(),
            position: None,
            gone: 0,
            waiting: Vec::new(),
        });
        meeting.root = meeting.root.or(root);
        meeting.position = match (meeting.position.take(), position) {
            (Some(one), Some(other)) => Some(one.later(&other)),
            (one, other) => one.or(other),
        };
        meeting.came.push(Came { rank, of_all, at_s, bytes });
        if meeting.came.len() < meeting.size {
            return false;
        }
        meeting.came.sort_by_key(|came| came.rank);
        let both: Vec<(u64, u64)> = meeting.came.iter().map(|came| came.bytes).collect();
        meeting.gives = flows(meeting.kind, &both, meeting.root.map(|root| root as usize));
        true
    }

    /// Who has come, by rank of all.
    pub(super) fn members(&self, key: Key) -> Vec<usize> {
        let came = self.0.get(&key).map_or(&[][..], |meeting| &meeting.came);
        came.iter().map(|came| came.of_all as usize).collect()
    }

    /// All have come, and are in this superstep if that was not known; those that have waited for it.
    pub(super) fn complete(&mut self, key: Key, position: Option<Position>) -> Vec<usize> {
        let Some(meeting) = self.0.get_mut(&key) else { return Vec::new() };
        meeting.position = position.or(meeting.position.take());
        std::mem::take(&mut meeting.waiting)
    }

    /// In which superstep it is, if all have come; else the process waits.
    pub(super) fn position(&mut self, key: Key, process: usize) -> Option<Position> {
        let meeting = self.0.get_mut(&key)?;
        if meeting.came.len() < meeting.size {
            meeting.waiting.push(process);
            return None;
        }
        meeting.position.clone()
    }

    /// A process goes; all have come.
    pub(super) fn go(&mut self, key: Key, of_all: u32) -> Option<Taken> {
        let meeting = self.0.get_mut(&key)?;
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
        Some(Taken { needed, gives, kind: self.kind, size: self.size })
    }
}
