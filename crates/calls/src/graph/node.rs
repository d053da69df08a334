//! The parts of a folded sequence of calls, with sums over all their passages.

use std::hash::{DefaultHasher, Hash, Hasher};

use cll_units::{Bytes, Seconds};

use super::few::Few;
use crate::{CollectiveKind, SiteId};

/// The number of different partners of a node that are kept.
const PARTNERS: usize = 64;
/// The number of passages of a node whose partners are kept in their order.
const PEERS: usize = 4096;

/// A node of a graph, or a loop.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Calls.
    Call(Node),
    /// A sequence that repeats.
    Loop(Loop),
}

impl Item {
    /// The key of its first call.
    pub(super) fn first_key(&self) -> u64 {
        match self {
            Item::Call(node) => node.key(),
            Item::Loop(loop_item) => loop_item.body.first().map_or(0, Item::first_key),
        }
    }

    /// Turns a call into a loop of one passage.
    pub(super) fn make_loop(&mut self) {
        if let Item::Call(node) = self {
            let keys = vec![node.key()];
            let times = node.times;
            let body = vec![Item::Call(node.clone())];
            *self = Item::Loop(Loop { times, ..Loop::new(body, keys) });
        }
    }
}

/// Whom a call sends to or receives from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Partner {
    /// A rank of `MPI_COMM_WORLD`.
    Rank(u32),
    /// Any.
    Any,
    /// None: `MPI_PROC_NULL`.
    Nobody,
    /// A process that is not of the run.
    Outside,
    /// The root of a collective: a rank in its communicator.
    Root(u32),
}

/// All passages of a call in its place of the sequence, with the computation before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The call path of the node.
    pub site: SiteId,
    /// Number of the first call: with the process, the name of the node.
    pub first: u32,
    /// How often it was passed, by all processes.
    pub times: u64,
    /// Unsuccessful polls before it.
    pub polls: u64,
    /// Computation before it.
    pub computed: Seconds,
    /// Time in it, and of that waiting.
    pub time: Seconds,
    /// The part of that time spent waiting.
    pub waiting: Seconds,
    /// Bytes sent or received in a passage: the fewest and the most.
    pub bytes: (Bytes, Bytes),
    /// Bytes that left the processes in it, and that came to them, of all passages.
    pub moved: (Bytes, Bytes),
    /// Partners, a limited number.
    pub partners: Few<Partner>,
    /// The same as differences to the own rank.
    pub offsets: Few<i64>,
    /// Whether there were more.
    pub more_partners: bool,
    /// The largest number of processes of its communicator.
    pub group: u32,
    /// Passages that have not returned.
    pub open: u64,
    /// The details that a model of the program needs; only of [`Summary::by_rank`](crate::Summary::by_rank).
    pub details: Option<Box<Details>>,
}

/// Whom a passage sends to or receives from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Peer {
    /// A rank of `MPI_COMM_WORLD`.
    Rank(u32),
    /// Any rank.
    Any,
    /// None, or a process that is not of the run.
    Nobody,
}

/// The passages of a node in more detail. Sums are over all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Details {
    /// When the first passage began.
    pub began: Seconds,
    /// Receivers of messages in the order of passages, a limited number.
    pub to: Vec<Peer>,
    /// Senders, in the same way.
    pub from: Vec<Peer>,
    /// Bytes that left the process.
    pub sent: u64,
    /// Bytes that came to it.
    pub received: u64,
    /// Sends to the rank of which the last message from any rank was.
    pub replies: u64,
    /// Requests that were completed.
    pub done: u64,
    /// Passages after which no request was pending.
    pub done_all: u64,
    /// Passages that have returned an error.
    pub errors: u64,
    /// Who needs whom, if it is a collective of several ranks.
    pub collective: Option<CollectiveKind>,
    /// For a collective of some ranks only: these.
    pub members: Vec<u32>,
    /// Whether passages are of different communicators.
    pub mixed: bool,
}

impl Details {
    /// Adds later passages.
    pub fn join(&mut self, other: Details) {
        let room = |list: &Vec<Peer>| PEERS.saturating_sub(list.len());
        let (to, from) = (room(&self.to), room(&self.from));
        self.to.extend(other.to.into_iter().take(to));
        self.from.extend(other.from.into_iter().take(from));
        self.sent += other.sent;
        self.received += other.received;
        self.replies += other.replies;
        self.done += other.done;
        self.done_all += other.done_all;
        self.errors += other.errors;
        self.mixed |= other.mixed || self.members != other.members;
    }
}

impl Node {
    /// A node of one call.
    pub fn new(site: SiteId, first: u32) -> Node {
        Node {
            site,
            first,
            times: 1,
            polls: 0,
            computed: Seconds::ZERO,
            time: Seconds::ZERO,
            waiting: Seconds::ZERO,
            bytes: (Bytes(0), Bytes(0)),
            moved: (Bytes(0), Bytes(0)),
            partners: Few::None,
            offsets: Few::None,
            more_partners: false,
            group: 0,
            open: 0,
            details: None,
        }
    }

    pub(super) fn key(&self) -> u64 {
        u64::from(self.site.0)
    }

    /// Adds the passages of another node at the same place.
    pub(super) fn add(&mut self, other: Node) {
        self.times += other.times;
        self.polls += other.polls;
        self.computed += other.computed;
        self.time += other.time;
        self.waiting += other.waiting;
        self.bytes = (self.bytes.0.min(other.bytes.0), self.bytes.1.max(other.bytes.1));
        self.moved.0 += other.moved.0;
        self.moved.1 += other.moved.1;
        self.group = self.group.max(other.group);
        self.open += other.open;
        self.more_partners |= other.more_partners;
        for &partner in other.partners.iter() {
            if self.partners.len() < PARTNERS {
                self.partners.insert(partner);
            } else if !self.partners.contains(&partner) {
                self.more_partners = true;
            }
        }
        for &offset in other.offsets.iter() {
            if self.offsets.len() < PARTNERS {
                self.offsets.insert(offset);
            }
        }
        if let (Some(own), Some(details)) = (&mut self.details, other.details) {
            own.join(*details);
        }
    }
}

/// A sequence that repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The fewest and the most passages each time.
    pub passages: (u64, u64),
    /// How often the loop itself was passed, by all processes.
    pub times: u64,
    /// The steps that repeat.
    pub body: Vec<Item>,
    pub(super) keys: Vec<u64>,
    pub(super) last_key: u64,
}

impl Loop {
    pub(super) fn new(body: Vec<Item>, keys: Vec<u64>) -> Loop {
        let last_key = keys.last().copied().unwrap_or(0);
        Loop { passages: (1, 1), times: 1, body, keys, last_key }
    }

    /// Loops with one body are equal, however often they were passed, and a loop of one call is equal to that call.
    pub(super) fn key(&self) -> u64 {
        if let [alone] = self.keys[..] {
            return alone;
        }
        let mut hasher = DefaultHasher::new();
        self.keys.hash(&mut hasher);
        // Other than a call's.
        hasher.finish() | (1 << 63)
    }

    /// One passage more of a loop of one call.
    pub(super) fn again_alone(&mut self, call: Node, parents: &mut [u32]) {
        match &mut self.body[..] {
            [Item::Call(own)] => {
                self.passages = (self.passages.0 + 1, self.passages.1 + 1);
                parents[call.first as usize] = own.first;
                own.add(call);
            }
            _ => self.again(vec![Item::Call(call)], parents),
        }
    }

    /// One passage more.
    pub(super) fn again(&mut self, tail: Vec<Item>, parents: &mut [u32]) {
        self.passages = (self.passages.0 + 1, self.passages.1 + 1);
        merge(&mut self.body, tail, &mut |into, from| parents[from as usize] = into);
    }
}

/// Merges sequences of one structure. `joined` gets the node that another one has become part of.
pub(super) fn merge(into: &mut [Item], from: Vec<Item>, joined: &mut dyn FnMut(u32, u32)) {
    for (item, mut other) in into.iter_mut().zip(from) {
        if matches!(item, Item::Loop(_)) || matches!(other, Item::Loop(_)) {
            item.make_loop();
            other.make_loop();
        }
        match (item, other) {
            (Item::Call(node), Item::Call(other)) => {
                joined(node.first, other.first);
                node.add(other);
            }
            (Item::Loop(item), Item::Loop(other)) => {
                let (least, most) = item.passages;
                item.passages = (least.min(other.passages.0), most.max(other.passages.1));
                item.times += other.times;
                merge(&mut item.body, other.body, joined);
            }
            _ => {}
        }
    }
}
