//! Collectives as messages: dissemination where all need all, pairwise exchange, binomial trees from and to a root, a
//! chain for prefixes.

use cll_trace::meta::Communicator;
use cll_units::Bytes;

use crate::collective::CollectiveKind;
use crate::{Call, CallData};

/// A message of a collective: the other rank in the communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) is_sent: bool,
    pub(super) other: u32,
    pub(super) bytes: Bytes,
}

/// The messages of one process of a collective, in order; `None`: who sends to whom is not known.
pub(super) fn messages(call: &Call, table: &Communicator) -> Option<Vec<Part>> {
    if table.remote_size > 0 {
        return None;
    }
    let (root, out, into) = match call.what {
        CallData::Collective { root, out, into, .. } => (root, out, into),
        _ => (None, Bytes(0), Bytes(0)),
    };
    let (own, size) = (table.rank, table.size);
    let most = Bytes(out.get().max(into.get()).max(1));
    let name = call.op.name().trim_start_matches('I').to_ascii_lowercase();
    Some(match CollectiveKind::from_name(call.op.name()) {
        CollectiveKind::All => dissemination(own, size, most),
        CollectiveKind::Exchange => pairwise(own, size, most),
        CollectiveKind::FromRoot if name == "bcast" => tree(own, size, root?, most, false),
        CollectiveKind::FromRoot => star(own, size, root?, out, into, false),
        CollectiveKind::ToRoot if name == "reduce" => tree(own, size, root?, most, true),
        CollectiveKind::ToRoot => star(own, size, root?, out, into, true),
        CollectiveKind::Prefix => chain(own, size, most),
        CollectiveKind::Neighbours => return None,
    })
}

fn sent(other: u32, bytes: Bytes) -> Part {
    Part { is_sent: true, other, bytes }
}

fn received(other: u32, bytes: Bytes) -> Part {
    Part { is_sent: false, other, bytes }
}

fn dissemination(own: u32, size: u32, bytes: Bytes) -> Vec<Part> {
    let mut all = Vec::new();
    let mut distance = 1;
    while distance < size {
        all.push(sent((own + distance) % size, bytes));
        all.push(received((own + size - distance) % size, bytes));
        distance *= 2;
    }
    all
}

fn pairwise(own: u32, size: u32, bytes: Bytes) -> Vec<Part> {
    let each = Bytes((bytes.get() / u64::from(size.max(2) - 1)).max(1));
    let round = |distance: u32| {
        [sent((own + distance) % size, each), received((own + size - distance) % size, each)]
    };
    (1..size).flat_map(round).collect()
}

/// A binomial tree: numbers relative to the root; a process and its parent differ in the lowest bit that is set.
fn tree(own: u32, size: u32, root: u32, bytes: Bytes, to_root: bool) -> Vec<Part> {
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
    match to_root {
        true => {
            let all = children.into_iter().map(|child| received(child, bytes));
            all.chain(parent.map(|parent| sent(parent, bytes))).collect()
        }
        false => {
            let first = parent.map(|parent| received(parent, bytes));
            let rest = children.into_iter().rev().map(|child| sent(child, bytes));
            first.into_iter().chain(rest).collect()
        }
    }
}

fn star(own: u32, size: u32, root: u32, out: Bytes, into: Bytes, to_root: bool) -> Vec<Part> {
    let others = (0..size).filter(|&other| other != root);
    let each = |all: Bytes| Bytes((all.get() / u64::from(size.max(2) - 1)).max(1));
    match (own == root, to_root) {
        (true, true) => others.map(|other| received(other, each(into))).collect(),
        (true, false) => others.map(|other| sent(other, each(out))).collect(),
        (false, true) => vec![sent(root, Bytes(out.get().max(1)))],
        (false, false) => vec![received(root, Bytes(into.get().max(1)))],
    }
}

fn chain(own: u32, size: u32, bytes: Bytes) -> Vec<Part> {
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
        type Of = Box<dyn Fn(u32, u32) -> Vec<Part>>;
        let all: [Of; 6] = [
            Box::new(move |own, size| dissemination(own, size, bytes)),
            Box::new(move |own, size| pairwise(own, size, bytes)),
            Box::new(move |own, size| tree(own, size, 2 % size, bytes, false)),
            Box::new(move |own, size| tree(own, size, 2 % size, bytes, true)),
            Box::new(move |own, size| star(own, size, 1 % size, bytes, bytes, true)),
            Box::new(move |own, size| chain(own, size, bytes)),
        ];
        for (number, of) in all.iter().enumerate() {
            for size in 1..14 {
                let mut count = 0;
                let mut pairs = std::collections::BTreeMap::new();
                for own in 0..size {
                    for part in of(own, size) {
                        assert!(part.other < size && part.other != own, "{number} {size}");
                        let pair = match part.is_sent {
                            true => (own, part.other),
                            false => (part.other, own),
                        };
                        let sides: &mut (u32, u32) = pairs.entry(pair).or_default();
                        sides.0 += u32::from(part.is_sent);
                        sides.1 += u32::from(!part.is_sent);
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
