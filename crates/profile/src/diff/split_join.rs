//! Finds one function that became several, or several that became one. They are found by their places: each has as many
//! supersteps with the same h-relation as before.

use super::pair::{Pair, PairedNodes, Status};
use super::union::Union;

/// Removes such functions from both lists, and adds the other functions that they call.
pub(super) fn split_and_joined(
    old: &Union,
    new: &Union,
    a: &mut Vec<usize>,
    b: &mut Vec<usize>,
    pairs: &mut Vec<Pair>,
    matches: &mut PairedNodes,
) {
    for x in a.clone() {
        if let Some(parts) = parts(old, x, new, b) {
            one_and_several((old, x, a), (new, b), &parts, Status::Split, pairs, |place, other| {
                matches.push((place, other, Status::Moved));
            });
        }
    }
    for y in b.clone() {
        if b.contains(&y)
            && let Some(parts) = parts(new, y, old, a)
        {
            one_and_several(
                (new, y, b),
                (old, a),
                &parts,
                Status::Joined,
                pairs,
                |place, other| {
                    matches.push((other, place, Status::Moved));
                },
            );
        }
    }
}

/// The places of a function, each with its counterpart and the function that contains the counterpart.
type NodeParts = Vec<(usize, usize, usize)>;

/// The places of a function that are in other functions now. There must be several such functions, and most places of
/// this function and of the others must match.
fn parts(source: &Union, node: usize, other: &Union, rest: &[usize]) -> Option<NodeParts> {
    source.function(node)?;
    let places = |union: &Union, function: usize| {
        let children = union.nodes[function].children.iter().copied();
        children.filter(|&child| union.nodes[child].kind.is_centre()).collect::<Vec<usize>>()
    };
    let own = places(source, node);
    let mut theirs: Vec<(usize, usize)> = rest
        .iter()
        .filter(|&&function| other.function(function).is_some())
        .flat_map(|&function| {
            places(other, function).into_iter().map(move |candidate| (function, candidate))
        })
        .collect();
    let mut parts = NodeParts::new();
    for place in &own {
        let same = |&(_, candidate): &(usize, usize)| {
            source.file(*place) == other.file(candidate)
                && source.supersteps(*place) == other.supersteps(candidate)
                && source.h(*place) == other.h(candidate)
        };
        if let Some(position) = theirs.iter().position(same) {
            let (function, counterpart) = theirs.remove(position);
            parts.push((*place, counterpart, function));
        }
    }
    let mut functions: Vec<usize> = parts.iter().map(|part| part.2).collect();
    functions.sort_unstable();
    functions.dedup();
    let most = |part: usize, of: usize| part * 2 > of;
    let fits_whole = most(parts.len(), own.len());
    let fits_each = functions.iter().all(|function| {
        let in_it = parts.iter().filter(|part| part.2 == *function).count();
        most(in_it, places(other, *function).len())
    });
    (functions.len() > 1 && fits_whole && fits_each).then_some(parts)
}

/// Notes one function and those of the other side.
fn one_and_several(
    (source, node, list): (&Union, usize, &mut Vec<usize>),
    (other, rest): (&Union, &mut Vec<usize>),
    parts: &NodeParts,
    status: Status,
    pairs: &mut Vec<Pair>,
    mut matched: impl FnMut(usize, usize),
) {
    let mut functions: Vec<usize> = Vec::new();
    for (.., function) in parts {
        if !functions.contains(function) {
            functions.push(*function);
        }
    }
    let pair = |index: usize, is_before: bool| {
        if is_before { Pair::only_before(index, status) } else { Pair::only_after(index, status) }
    };
    let splits = status == Status::Split;
    let with = functions.iter().map(|&part| other.label(part)).collect();
    pairs.push(Pair { with, ..pair(node, splits) });
    let own = vec![source.label(node)];
    pairs.extend(functions.iter().map(|&part| Pair { with: own.clone(), ..pair(part, !splits) }));
    list.retain(|&entry| entry != node);
    rest.retain(|entry| !functions.contains(entry));
    list.extend(
        source.nodes[node].children.iter().filter(|child| !parts.iter().any(|p| p.0 == **child)),
    );
    for function in functions {
        let children = other.nodes[function].children.iter();
        rest.extend(children.filter(|child| !parts.iter().any(|p| p.1 == **child)));
    }
    for &(place, counterpart, _) in parts {
        matched(place, counterpart);
    }
}
