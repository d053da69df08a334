//! Collectives: which processes have arrived at each, and what happens when all have arrived.

use crate::FastMap as HashMap;
use cll_trace::layout::call::CollectiveKind;

use crate::collective::CollectiveKey;

use super::flows::{Gives, flows};
use super::part::{Membership, Position};

/// A process arrives at a collective.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) key: CollectiveKey,
    pub(super) kind: CollectiveKind,
    /// How many take part, and which of them this is.
    pub(super) size: u32,
    pub(super) rank: u32,
    /// The processes that take part, and whether they stay until all have arrived.
    pub(super) among: Membership,
    pub(super) at_once: bool,
    /// The root's number among them.
    pub(super) root: Option<u32>,
    /// Bytes that it has to send, and to receive.
    pub(super) bytes: (u64, u64),
}

/// A process that has arrived.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// Rank in the collective, and in `MPI_COMM_WORLD`.
    rank: u32,
    of_all: u32,
    at_s: f64,
    bytes: (u64, u64),
}

/// A collective at which not all have arrived, or that not all have left.
#[derive(Debug)]
struct OpenCollective {
    kind: CollectiveKind,
    size: usize,
    root: Option<u32>,
    came: Vec<Member>,
    gives: Vec<Gives>,
    /// The superstep that it is in; if its processes stay, it is known when all have arrived.
    position: Option<Position>,
    gone: usize,
    /// The processes that wait for others.
    waiting: Vec<usize>,
}

/// The result for a process of a collective at which all have arrived.
#[derive(Debug)]
pub(super) struct Taken {
    /// The processes that it needs, by rank of all, and when they arrived, seconds.
    pub(super) needed: Vec<(u32, f64)>,
    /// The data that the process sends: rank of all, requests, bytes.
    pub(super) gives: Vec<(u32, u32, u64)>,
    pub(super) kind: CollectiveKind,
    pub(super) size: usize,
}

/// The collectives that are not complete.
#[derive(Debug, Default)]
pub(super) struct OpenCollectives(HashMap<CollectiveKey, OpenCollective>);

impl OpenCollectives {
    /// A process arrives, in a superstep if it does not stay; whether all have arrived now.
    pub(super) fn arrive(
        &mut self,
        arrival: &Arrival,
        of_all: u32,
        position: Option<Position>,
        at_s: f64,
    ) -> bool {
        let Arrival { kind, size, rank, root, bytes, .. } = *arrival;
        let collective_match = self.0.entry(arrival.key).or_insert_with(|| OpenCollective {
            kind,
            size: size as usize,
            root: None,
            came: Vec::new(),
            gives: Vec::new(),
            position: None,
            gone: 0,
            waiting: Vec::new(),
        });
        collective_match.root = collective_match.root.or(root);
        collective_match.position = match (collective_match.position.take(), position) {
            (Some(position), Some(other)) => Some(position.later(&other)),
            (position, other) => position.or(other),
        };
        collective_match.came.push(Member { rank, of_all, at_s, bytes });
        if collective_match.came.len() < collective_match.size {
            return false;
        }
        collective_match.came.sort_by_key(|came| came.rank);
        let both: Vec<(u64, u64)> = collective_match.came.iter().map(|came| came.bytes).collect();
        collective_match.gives =
            flows(collective_match.kind, &both, collective_match.root.map(|root| root as usize));
        true
    }

    /// The processes that have arrived, by rank of all.
    pub(super) fn members(&self, key: CollectiveKey) -> Vec<usize> {
        let came = self.0.get(&key).map_or(&[][..], |collective_match| &collective_match.came);
        came.iter().map(|came| came.of_all as usize).collect()
    }

    /// All have arrived, and are in this superstep if that was not known; the processes that have waited for it.
    pub(super) fn complete(
        &mut self,
        key: CollectiveKey,
        position: Option<Position>,
    ) -> Vec<usize> {
        let Some(collective_match) = self.0.get_mut(&key) else { return Vec::new() };
        collective_match.position = position.or(collective_match.position.take());
        std::mem::take(&mut collective_match.waiting)
    }

    /// The superstep that it is in, if all have arrived; else the process waits.
    pub(super) fn position(&mut self, key: CollectiveKey, process: usize) -> Option<Position> {
        let collective_match = self.0.get_mut(&key)?;
        if collective_match.came.len() < collective_match.size {
            collective_match.waiting.push(process);
            return None;
        }
        collective_match.position.clone()
    }

    /// A process leaves; all have arrived.
    pub(super) fn leave(&mut self, key: CollectiveKey, of_all: u32) -> Option<Taken> {
        let collective_match = self.0.get_mut(&key)?;
        let taken = collective_match.taken(of_all)?;
        collective_match.gone += 1;
        if collective_match.gone == collective_match.size {
            self.0.remove(&key);
        }
        Some(taken)
    }
}

impl OpenCollective {
    fn taken(&self, of_all: u32) -> Option<Taken> {
        let own = self.came.iter().position(|came| came.of_all == of_all)?;
        let root = self.root.map(|root| root as usize);
        let needed = (0..self.size).filter(|&other| self.kind.needs(own, other, root));
        let needed = needed.map(|other| (self.came[other].of_all, self.came[other].at_s)).collect();
        let mut gives: Vec<(u32, u32, u64)> = Vec::new();
        for other in 0..self.size {
            let bytes =
                self.gives[own].iter().find(|give| give.0 == other).map_or(0, |give| give.1);
            if bytes > 0 || self.kind.needs(other, own, root) {
                gives.push((self.came[other].of_all, 1, bytes));
            }
        }
        Some(Taken { needed, gives, kind: self.kind, size: self.size })
    }
}
