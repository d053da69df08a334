//! Finds for each node of the later profile the corresponding node of the earlier one.
//!
//! The trees are compared from the root downwards. Below two nodes that correspond, functions are matched by name and
//! file, then by name alone (moved to another file). Then come functions with one call level less or more above them
//! (inlined, split off), one function that became several or several that became one (split, joined), and functions
//! with another name but similar content (renamed). Places of one function are matched in the order of their lines,
//! since line numbers change.

use std::collections::BTreeMap;

use super::pair::{Pair, PairedNodes, Status};
use super::split_join::split_and_joined;
use super::union::Union;
use crate::profile::NodeKind;

/// All nodes of both profiles. Corresponding nodes are in one pair. Parents come before children.
pub(super) fn align(old: &Union, new: &Union) -> Vec<Pair> {
    let mut pairs = vec![Pair::both(0, 0, Status::Same)];
    let mut work = vec![(old.nodes[0].children.clone(), new.nodes[0].children.clone())];
    let same = |x: usize, y: usize| match (&old.nodes[x].kind, &new.nodes[y].kind) {
        (NodeKind::Start, NodeKind::Start) => true,
        _ => old.function(x).is_some() && old.nodes[x].key == new.nodes[y].key,
    };
    while let Some((mut a, mut b)) = work.pop() {
        let mut matches = Vec::new();
        take(&mut a, &mut b, same, Status::Same, &mut matches);
        named(old, new, &mut a, &mut b, &mut matches);
        dissolve(old, new, &mut a, &mut b, &mut pairs, &mut matches);
        split_and_joined(old, new, &mut a, &mut b, &mut pairs, &mut matches);
        named(old, new, &mut a, &mut b, &mut matches);
        places(old, new, &mut a, &mut b, &mut matches);
        renamed(old, new, &mut a, &mut b, &mut matches);
        for (x, y, status) in matches {
            let now_inlined = status == Status::Same && new.is_inlined(y) && !old.is_inlined(x);
            pairs.push(Pair::both(x, y, if now_inlined { Status::Inlined } else { status }));
            work.push((old.nodes[x].children.clone(), new.nodes[y].children.clone()));
        }
        for x in a {
            pairs.push(Pair::only_before(x, Status::Gone));
            work.push((old.nodes[x].children.clone(), Vec::new()));
        }
        for y in b {
            pairs.push(Pair::only_after(y, Status::New));
            work.push((Vec::new(), new.nodes[y].children.clone()));
        }
    }
    pairs
}

/// Matches functions of the same name; if the file is another one, the function was moved.
fn named(
    old: &Union,
    new: &Union,
    a: &mut Vec<usize>,
    b: &mut Vec<usize>,
    matches: &mut PairedNodes,
) {
    let belong =
        |x: usize, y: usize| old.function(x).is_some() && old.function(x) == new.function(y);
    let before = matches.len();
    take(a, b, belong, Status::Moved, matches);
    for (x, y, status) in &mut matches[before..] {
        if old.nodes[*x].key == new.nodes[*y].key {
            *status = Status::Same;
        }
    }
}

/// Removes corresponding nodes from both lists.
fn take(
    a: &mut Vec<usize>,
    b: &mut Vec<usize>,
    belong: impl Fn(usize, usize) -> bool,
    status: Status,
    matches: &mut PairedNodes,
) {
    a.retain(|&x| match b.iter().position(|&y| belong(x, y)) {
        Some(position) => {
            matches.push((x, b.remove(position), status));
            false
        }
        None => true,
    });
}

/// Handles functions that exist between caller and callee on one side only: what they call is treated as called by
/// their caller.
fn dissolve(
    old: &Union,
    new: &Union,
    a: &mut Vec<usize>,
    b: &mut Vec<usize>,
    pairs: &mut Vec<Pair>,
    matches: &mut PairedNodes,
) {
    // The nodes below such a function have their counterparts among the unmatched nodes of the other side.
    let fits = |side: &Union, node: usize, other: &Union, rest: &[usize]| {
        let children = &side.nodes[node].children;
        let counterpart = |&child: &usize| {
            rest.iter().any(|&candidate| match side.function(child) {
                Some(name) => other.function(candidate) == Some(name),
                None => {
                    let (own, there) = (&side.nodes[child].kind, &other.nodes[candidate].kind);
                    there.is_centre()
                        && is_same_kind(own, there)
                        && side.file(child) == other.file(candidate)
                        && side.supersteps(child) == other.supersteps(candidate)
                }
            })
        };
        side.function(node).is_some()
            && !children.is_empty()
            && children.iter().filter(|child| counterpart(child)).count() * 2 > children.len()
    };
    for _ in 0..old.nodes.len() + new.nodes.len() {
        if let Some(position) = a.iter().position(|&x| fits(old, x, new, b)) {
            let x = a.remove(position);
            pairs.push(Pair::only_before(x, Status::Inlined));
            a.extend(&old.nodes[x].children);
        } else if let Some(position) = b.iter().position(|&y| fits(new, y, old, a)) {
            let y = b.remove(position);
            pairs.push(Pair::only_after(y, Status::Split));
            b.extend(&new.nodes[y].children);
        } else {
            return;
        }
        named(old, new, a, b, matches);
    }
}

/// Whether both are the same kind of place: for calls, of the same function.
fn is_same_kind(kind: &NodeKind, other: &NodeKind) -> bool {
    match (kind, other) {
        (NodeKind::Call { call: text, .. }, NodeKind::Call { call: other, .. }) => text == other,
        _ => std::mem::discriminant(kind) == std::mem::discriminant(other),
    }
}

/// Places, file by file: as many on both sides belong together in their order; of different numbers those of
/// the same line, then those that end as many supersteps with the same h.
fn places(
    old: &Union,
    new: &Union,
    a: &mut Vec<usize>,
    b: &mut Vec<usize>,
    matches: &mut PairedNodes,
) {
    let groups = |union: &Union, list: &mut Vec<usize>| {
        let mut groups: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
        list.retain(|&node| {
            let kind = &union.nodes[node].kind;
            // Calls of different functions are different, too.
            let what = match kind {
                NodeKind::Centre { .. } => "",
                NodeKind::End { .. } => "end",
                NodeKind::Call { call, .. } => call,
                NodeKind::Program { .. } | NodeKind::Function(_) | NodeKind::Start => return true,
            };
            let group = (what.to_owned(), union.file(node).to_owned());
            groups.entry(group).or_default().push(node);
            false
        });
        for group in groups.values_mut() {
            group.sort_by_key(|&node| union.line(node));
        }
        groups
    };
    let (mut of_old, mut of_new) = (groups(old, a), groups(new, b));
    let status = |x: usize, y: usize| {
        if old.nodes[x].key == new.nodes[y].key { Status::Same } else { Status::Moved }
    };
    for (group, mine) in &mut of_old {
        let Some(theirs) = of_new.get_mut(group) else { continue };
        if mine.len() == theirs.len() {
            matches.extend(mine.drain(..).zip(theirs.drain(..)).map(|(x, y)| (x, y, status(x, y))));
            continue;
        }
        let lines = |x: usize, y: usize| old.line(x) == new.line(y);
        let same_counts =
            |x: usize, y: usize| old.supersteps(x) == new.supersteps(y) && old.h(x) == new.h(y);
        // If lines were shifted, an equal line number can be a coincidence. Then its supersteps are different.
        take(mine, theirs, |x, y| lines(x, y) && same_counts(x, y), Status::Same, matches);
        take(mine, theirs, same_counts, Status::Moved, matches);
        take(mine, theirs, lines, Status::Same, matches);
    }
    // The same function in another file.
    for (group, mine) in &mut of_old {
        for (other, theirs) in &mut of_new {
            if group.0 == other.0 && mine.len() == theirs.len() {
                matches.extend(
                    mine.drain(..).zip(theirs.drain(..)).map(|(x, y)| (x, y, Status::Moved)),
                );
            }
        }
    }
    a.extend(of_old.into_values().flatten());
    b.extend(of_new.into_values().flatten());
}

/// Matches the remaining functions: two that have similar nodes below them, and are each other's best match.
fn renamed(
    old: &Union,
    new: &Union,
    a: &mut Vec<usize>,
    b: &mut Vec<usize>,
    matches: &mut PairedNodes,
) {
    loop {
        let mut best: Option<(f64, usize, usize)> = None;
        for &x in a.iter() {
            for &y in b.iter() {
                if let Some(likeness) = likeness(old, x, new, y)
                    && best.is_none_or(|(known, ..)| likeness > known)
                {
                    best = Some((likeness, x, y));
                }
            }
        }
        let Some((_, x, y)) = best else { return };
        matches.push((x, y, Status::Renamed));
        a.retain(|&number| number != x);
        b.retain(|&number| number != y);
    }
}

/// How similar two functions are, 0 to 1: how many nodes below them are the same, and how close their supersteps and
/// h-relations are. `None` if they are too different to be the same function. A function with few nodes below it is
/// similar to many others. So it must also have as many supersteps with the same h-relation (which has no noise), or
/// nearly the same name.
fn likeness(old: &Union, x: usize, new: &Union, y: usize) -> Option<f64> {
    const ALIKE: f64 = 0.6;
    const MUCH: usize = 3;
    let names = strsim::normalized_damerau_levenshtein(old.function(x)?, new.function(y)?);
    let (below_x, below_y) = (old.below(x), new.below(y));
    let (count_x, count_y) = (below_x.len(), below_y.len());
    let common = common(&below_x, &below_y);
    let structure = common as f64 / (count_x + count_y - common).max(1) as f64;
    let near = |a: f64, b: f64| if a == b { 1.0 } else { a.min(b) / a.max(b) };
    let counts = near(old.supersteps(x), new.supersteps(y));
    let h = near(old.h(x), new.h(y));
    let is_significant =
        counts == 1.0 && h == 1.0 || common >= MUCH && structure >= 0.8 || names >= ALIKE;
    let likeness = 0.5 * structure + 0.3 * counts + 0.2 * h;
    (is_significant && likeness >= ALIKE).then_some(likeness)
}

/// How many names two lists have in common, both in their order.
fn common(a: &[&str], b: &[&str]) -> usize {
    let (mut x, mut y, mut common) = (0, 0, 0);
    while let (Some(text), Some(other)) = (a.get(x), b.get(y)) {
        let order = text.cmp(other);
        common += usize::from(order.is_eq());
        x += usize::from(order.is_le());
        y += usize::from(order.is_ge());
    }
    common
}
