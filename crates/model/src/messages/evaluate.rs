//! Goes through the operations of all ranks: each as far as it can go without others.

use std::collections::HashMap;

use cll_calls::{Operation, SendMode};
use cll_units::Seconds;
use schemars::JsonSchema;
use serde::Serialize;

use super::MessageCosts;
use super::collectives::{CollectiveKey, Collectives};

/// The times of a rank, and the moment when it ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct RankTime {
    /// The rank.
    pub rank: u32,
    /// When it ended.
    #[serde(rename = "end_s")]
    pub end: Seconds,
    /// Computation.
    #[serde(rename = "computation_s")]
    pub computation: Seconds,
    /// Sending, receiving and the time on the way.
    #[serde(rename = "communication_s")]
    pub communication: Seconds,
    /// Until others had sent, received or come.
    #[serde(rename = "waiting_s")]
    pub waiting: Seconds,
}

/// The result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluated {
    /// In the order in which they were given.
    pub ranks: Vec<RankTime>,
    /// Whether all came to their end: not if one waits for what never comes.
    pub complete: bool,
}

impl Evaluated {
    /// The rank that ended last.
    pub fn last(&self) -> RankTime {
        let last =
            self.ranks.iter().max_by(|time, other| time.end.get().total_cmp(&other.end.get()));
        last.copied().unwrap_or_default()
    }
}

/// Sender, receiver, tag, and the number of the message among these.
type MessageKey = (u32, u32, u64, u64);

#[derive(Clone, Copy, Debug, Default)]
struct Message {
    /// When its sending began, its bytes, when it is there, and whether it waits for its receiver.
    sent: Option<(f64, f64, f64, bool)>,
    /// When it was asked for.
    asked: Option<f64>,
    /// How many sides have gone on.
    left: u8,
}

/// A side of a message.
#[derive(Clone, Copy, Debug)]
struct Side {
    key: MessageKey,
    is_sender: bool,
}

#[derive(Debug, Default)]
struct Rank {
    time: RankTime,
    now: f64,
    /// When the next message can begin.
    free: f64,
    requests: HashMap<u64, Side>,
    blocked: Option<Blocked>,
    ended: bool,
}

#[derive(Debug)]
enum Blocked {
    On(Side),
    Sides(Vec<Side>),
    Collective { key: CollectiveKey, number: u32, took: f64, busy: f64 },
}

struct State<'a> {
    costs: &'a dyn MessageCosts,
    messages: HashMap<MessageKey, Message>,
    /// By sender, receiver and tag: how many were sent, and asked for.
    counts: HashMap<(u32, u32, u64), (u64, u64)>,
    collectives: Collectives,
    /// By group and rank: how many collectives.
    order: HashMap<(u64, u32), u64>,
}

/// Computes when each rank ends. `ranks` are the numbers of the ranks; `next` gives the next operation of one of them, by
/// its place among these. Every computation is multiplied by `factor`. Memory grows with messages and requests that are
/// under way, not with operations.
///
/// # Errors
/// Those of `next`.
pub fn evaluate<E>(
    ranks: &[u32],
    costs: &dyn MessageCosts,
    factor: f64,
    mut next: impl FnMut(usize) -> Result<Option<Operation>, E>,
) -> Result<Evaluated, E> {
    let mut state = State {
        costs,
        messages: HashMap::new(),
        counts: HashMap::new(),
        collectives: Collectives::default(),
        order: HashMap::new(),
    };
    let new =
        |&rank: &u32| Rank { time: RankTime { rank, ..RankTime::default() }, ..Rank::default() };
    let mut all: Vec<Rank> = ranks.iter().map(new).collect();
    loop {
        let mut has_moved = false;
        for (place, rank) in all.iter_mut().enumerate() {
            while !rank.ended && state.unblocks(rank) {
                has_moved = true;
                match next(place)? {
                    Some(operation) => state.begin(rank, operation, factor),
                    None => rank.ended = true,
                }
            }
        }
        if !has_moved {
            break;
        }
    }
    let complete = all.iter().all(|rank| rank.ended);
    let ranks = all.into_iter().map(|rank| RankTime { end: Seconds(rank.now), ..rank.time });
    Ok(Evaluated { ranks: ranks.collect(), complete })
}

impl Rank {
    fn compute(&mut self, seconds: f64) {
        self.now += seconds;
        self.time.computation += Seconds(seconds);
    }

    /// Goes on at `end`; of the time until then it waits until `event`.
    fn go_on(&mut self, event: f64, end: f64) {
        let waited = (event.min(end) - self.now).max(0.0);
        let end = end.max(self.now);
        self.time.waiting += Seconds(waited);
        self.time.communication += Seconds(end - self.now - waited);
        self.now = end;
    }
}

impl State<'_> {
    fn begin(&mut self, rank: &mut Rank, operation: Operation, factor: f64) {
        let own = rank.time.rank;
        match operation {
            Operation::Compute(time) => rank.compute(time.get() * factor),
            Operation::Send { to, bytes, tag, mode, request } => {
                let side = self.send(rank, (own, to, tag), bytes.as_f64(), mode);
                match request {
                    Some(request) => {
                        rank.requests.insert(request, side);
                    }
                    None => rank.blocked = Some(Blocked::On(side)),
                }
            }
            Operation::Receive { from, tag, request, .. } => {
                let count = &mut self.counts.entry((from, own, tag)).or_default().1;
                let key = (from, own, tag, *count);
                *count += 1;
                self.messages.entry(key).or_default().asked = Some(rank.now);
                let side = Side { key, is_sender: false };
                match request {
                    Some(request) => {
                        rank.requests.insert(request, side);
                    }
                    None => rank.blocked = Some(Blocked::On(side)),
                }
            }
            Operation::Wait(requests) => {
                let sides = requests.iter().filter_map(|request| rank.requests.remove(request));
                rank.blocked = Some(Blocked::Sides(sides.collect()));
            }
            Operation::Collective { op, group, size, number, root, bytes } => {
                let count = self.order.entry((group, own)).or_default();
                let key = (group, *count);
                *count += 1;
                self.collectives.came(key, op.collective_kind(), root, (number, size), rank.now);
                let took = self.costs.collective(op, size, bytes.as_f64()).unwrap_or(0.0);
                let rounds = f64::from(size.max(1).next_power_of_two().trailing_zeros());
                let busy = took.min(rounds * self.costs.emission(bytes.as_f64()));
                rank.blocked = Some(Blocked::Collective { key, number, took, busy });
            }
        }
    }

    /// A message leaves a rank, which is busy with it.
    fn send(
        &mut self,
        rank: &mut Rank,
        channel: (u32, u32, u64),
        bytes: f64,
        mode: SendMode,
    ) -> Side {
        let count = &mut self.counts.entry(channel).or_default().0;
        let key = (channel.0, channel.1, channel.2, *count);
        *count += 1;
        let waits = match mode {
            SendMode::Standard => self.costs.is_rendezvous(bytes),
            SendMode::Synchronous => true,
            SendMode::Buffered => false,
        };
        let begin = rank.now.max(rank.free);
        let emission = self.costs.emission(bytes);
        rank.free = begin + self.costs.gap(bytes);
        let arrival = begin + emission + self.costs.transit(bytes);
        let message = self.messages.entry(key).or_default();
        message.sent = Some((begin, bytes, arrival, waits));
        if !waits {
            rank.go_on(rank.now, begin + emission);
        }
        Side { key, is_sender: true }
    }

    /// Lets a rank go on if it can.
    fn unblocks(&mut self, rank: &mut Rank) -> bool {
        let Some(blocked) = &rank.blocked else { return true };
        match blocked {
            Blocked::On(side) => {
                let Some((event, end, busy)) = self.end_of(*side) else { return false };
                let key = side.key;
                rank.go_on(event, end.max(rank.now) + busy);
                self.leave(key);
            }
            Blocked::Sides(sides) => {
                let ends: Option<Vec<_>> = sides.iter().map(|side| self.end_of(*side)).collect();
                let Some(mut ends) = ends else { return false };
                let keys: Vec<MessageKey> = sides.iter().map(|side| side.key).collect();
                ends.sort_by(|first, other| first.1.total_cmp(&other.1));
                for (event, end, busy) in ends {
                    rank.go_on(event, end.max(rank.now) + busy);
                }
                keys.into_iter().for_each(|key| self.leave(key));
            }
            Blocked::Collective { key, number, took, busy } => {
                let Some((latest, needs_any)) = self.collectives.until(*key, *number) else {
                    return false;
                };
                let took = if needs_any { *took } else { *busy };
                let key = *key;
                rank.go_on(latest, latest + took);
                self.collectives.left(key);
            }
        }
        rank.blocked = None;
        true
    }

    /// For a side that waits: what it waits for, when the message needs it no longer or is there, and how long the side is
    /// busy after that; `None` if the other side has not come.
    fn end_of(&self, side: Side) -> Option<(f64, f64, f64)> {
        let message = self.messages.get(&side.key)?;
        if side.is_sender {
            let (sent, bytes, _, waits) = message.sent?;
            if !waits {
                return Some((sent, sent, 0.0));
            }
            let begin = sent.max(message.asked?);
            return Some((begin, begin + self.total_time(bytes), 0.0));
        }
        let (sent, bytes, arrival, waits) = message.sent?;
        let reception = self.costs.reception(bytes);
        if waits {
            let begin = sent.max(message.asked?);
            Some((begin, begin + self.total_time(bytes) - reception, reception))
        } else {
            Some((sent, arrival, reception))
        }
    }

    fn total_time(&self, bytes: f64) -> f64 {
        self.costs.emission(bytes) + self.costs.transit(bytes) + self.costs.reception(bytes)
    }

    fn leave(&mut self, key: MessageKey) {
        if let Some(message) = self.messages.get_mut(&key) {
            message.left += 1;
            if message.left == 2 {
                self.messages.remove(&key);
            }
        }
    }
}
