//! Collectives as messages: dissemination where all need all, pairwise exchange, binomial trees from and to a root, a
//! chain for prefixes.

use cll_trace::layout::call::{CollectiveKind, Op};
use cll_trace::meta::Communicator;
use cll_units::Bytes;

use super::groups::Uneven;
use crate::{Call, CallData};

/// A message of a collective: the other rank in the communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CollectiveMessage {
    pub(super) is_sent: bool,
    pub(super) other: u32,
    pub(super) bytes: Bytes,
}

/// The messages of one process of a collective, in order; `None`: who sends to whom is not known. If each process may have
/// another size, `uneven` has those of the others, so that both sides of a message have one size.
pub(super) fn messages(
    call: &Call,
    table: &Communicator,
    uneven: Option<Uneven<'_>>,
) -> Option<Vec<CollectiveMessage>> {
    if table.remote_size > 0 {
        return None;
    }
    let (root, out, into) = match call.what {
        CallData::Collective { root, out, into, .. } => (root, out, into),
        _ => (None, Bytes(0), Bytes(0)),
    };
    let (own, size) = (table.rank, table.size);
    // Of a rank; that of this one in place of what no log has.
    let flow = |rank: u32| {
        uneven.filter(|_| rank != own).and_then(|uneven| uneven.bytes(rank)).unwrap_or((out, into))
    };
    let more = |(out, into): (Bytes, Bytes)| Bytes(out.get().max(into.get()).max(1));
    let most = more((out, into));
    let plain = call.op.plain();
    // Between the root and another process, as that one has it.
    let other = |rank: u32| {
        let here = if Some(own) == root { part(most, size) } else { most };
        uneven.filter(|_| rank != own).and_then(|uneven| uneven.bytes(rank)).map_or(here, more)
    };
    Some(match call.op.collective_kind() {
        CollectiveKind::All => dissemination(own, size, |rank| more(flow(rank))),
        CollectiveKind::Exchange if matches!(plain, Op::Allgather | Op::Allgatherv) => {
            pairwise(own, size, |rank| Bytes(flow(rank).0.get().max(1)))
        }
        CollectiveKind::Exchange => pairwise(own, size, |rank| part(flow(rank).0, size)),
        CollectiveKind::FromRoot if plain == Op::Bcast => tree(own, size, root?, most, false),
        CollectiveKind::FromRoot => star(own, size, root?, false, other),
        CollectiveKind::ToRoot if plain == Op::Reduce => tree(own, size, root?, most, true),
        CollectiveKind::ToRoot => star(own, size, root?, true, other),
        CollectiveKind::Prefix => chain(own, size, most),
        CollectiveKind::Neighbours => return None,
    })
}

fn sent(other: u32, bytes: Bytes) -> CollectiveMessage {
    CollectiveMessage { is_sent: true, other, bytes }
}

fn received(other: u32, bytes: Bytes) -> CollectiveMessage {
    CollectiveMessage { is_sent: false, other, bytes }
}

/// One of the parts for all others.
fn part(all: Bytes, size: u32) -> Bytes {
    Bytes((all.get() / u64::from(size.max(2) - 1)).max(1))
}

/// `bytes_of`: the size of what a rank sends.
fn dissemination(own: u32, size: u32, bytes_of: impl Fn(u32) -> Bytes) -> Vec<CollectiveMessage> {
    let mut all = Vec::new();
    let mut distance = 1;
    while distance < size {
        let from = (own + size - distance) % size;
        all.push(sent((own + distance) % size, bytes_of(own)));
        all.push(received(from, bytes_of(from)));
        distance *= 2;
    }
    all
}

/// `bytes_of`: the size of what a rank sends to each other one.
fn pairwise(own: u32, size: u32, bytes_of: impl Fn(u32) -> Bytes) -> Vec<CollectiveMessage> {
    let round = |distance: u32| {
        let from = (own + size - distance) % size;
        [sent((own + distance) % size, bytes_of(own)), received(from, bytes_of(from))]
    };
    (1..size).flat_map(round).collect()
}

/// A binomial tree: numbers relative to the root; a process and its parent differ in the lowest bit that is set.
fn tree(own: u32, size: u32, root: u32, bytes: Bytes, to_root: bool) -> Vec<CollectiveMessage> {
    let relative = (own + size - root % size) % size;
    let absolute = |number: u32| (number + root) % size;
    let lowest =
        if relative == 0 { size.next_power_of_two() } else { relative & relative.wrapping_neg() };
    let mut children = Vec::new();
    let mut bit = 1;
    while bit < lowest {
        if relative + bit < size {
            children.push(absolute(relative + bit));
        }
        bit *= 2;
    }
    let parent = (relative != 0).then(|| absolute(relative - lowest));
    if to_root {
        let all = children.into_iter().map(|child| received(child, bytes));
        all.chain(parent.map(|parent| sent(parent, bytes))).collect()
    } else {
        let first = parent.map(|parent| received(parent, bytes));
        let rest = children.into_iter().rev().map(|child| sent(child, bytes));
        first.into_iter().chain(rest).collect()
    }
}

/// `bytes_of`: the size of the message between the root and a rank.
fn star(
    own: u32,
    size: u32,
    root: u32,
    to_root: bool,
    bytes_of: impl Fn(u32) -> Bytes,
) -> Vec<CollectiveMessage> {
    let others = (0..size).filter(|&other| other != root);
    match (own == root, to_root) {
        (true, true) => others.map(|other| received(other, bytes_of(other))).collect(),
        (true, false) => others.map(|other| sent(other, bytes_of(other))).collect(),
        (false, true) => vec![sent(root, bytes_of(own))],
        (false, false) => vec![received(root, bytes_of(own))],
    }
}

fn chain(own: u32, size: u32, bytes: Bytes) -> Vec<CollectiveMessage> {
    let before = own.checked_sub(1).map(|before| received(before, bytes));
    let after = (own + 1 < size).then(|| sent(own + 1, bytes));
    before.into_iter().chain(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every message is sent and received once, in rounds that do not wait for each other.
    #[test]
    fn both_sides_of_each_message_agree() {
        let bytes = Bytes(8);
        let bytes_of = |sender: u32| Bytes(8 + u64::from(sender));
        type Of = Box<dyn Fn(u32, u32) -> Vec<CollectiveMessage>>;
        let all: [Of; 6] = [
            Box::new(move |own, size| dissemination(own, size, bytes_of)),
            Box::new(move |own, size| pairwise(own, size, bytes_of)),
            Box::new(move |own, size| tree(own, size, 2 % size, bytes, false)),
            Box::new(move |own, size| tree(own, size, 2 % size, bytes, true)),
            Box::new(move |own, size| star(own, size, 1 % size, true, bytes_of)),
            Box::new(move |own, size| chain(own, size, bytes)),
        ];
        for (number, parts_of) in all.iter().enumerate() {
            for size in 1..14 {
                let mut count = 0;
                let mut pairs = std::collections::BTreeMap::new();
                for own in 0..size {
                    for part in parts_of(own, size) {
                        assert!(part.other < size && part.other != own, "{number} {size}");
                        let pair = if part.is_sent { (own, part.other) } else { (part.other, own) };
                        let sides: &mut ((u32, u64), (u32, u64)) = pairs.entry(pair).or_default();
                        let (messages, bytes) =
                            if part.is_sent { &mut sides.0 } else { &mut sides.1 };
                        *messages += 1;
                        *bytes += part.bytes.get();
                        count += 1;
                    }
                }
                assert!(pairs.values().all(|sides| sides.0 == sides.1), "{number} {size}");
                // Trees, stars and chains have an edge less than nodes.
                if number >= 2 {
                    assert_eq!(count, 2 * (size - 1), "{number} {size}");
                }
            }
        }
    }
}
