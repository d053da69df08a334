//! The bytes between the processes of a collective.
//!
//! The log has the bytes that each process has to send and to receive with any algorithm. A log of supersteps has bytes
//! for pairs of processes. So the bytes are assigned to pairs such that each process has the h of the collective. If
//! less is sent than received (a broadcast), processes that have received the data pass them on.

use cll_trace::layout::call::CollectiveKind;

/// The data that a process sends to others: their numbers in the collective, and bytes.
pub(super) type Gives = Vec<(usize, u64)>;

/// The bytes of pairs, from the bytes that each process sends and receives. Bytes that could only go to their sender
/// are left out.
pub(super) fn flows(kind: CollectiveKind, both: &[(u64, u64)], root: Option<usize>) -> Vec<Gives> {
    let count = both.len();
    let mut gives: Vec<Gives> = vec![Vec::new(); count];
    let root = root.filter(|&root| root < count);
    let sums = both
        .iter()
        .fold((0u128, 0u128), |sum, pair| (sum.0 + u128::from(pair.0), sum.1 + u128::from(pair.1)));
    if sums == (0, 0) || count < 2 {
        return gives;
    }
    let equal = sums.0 == sums.1;
    if let Some(root) = root.filter(|_| equal && kind == CollectiveKind::ToRoot) {
        for (from, pair) in
            both.iter().enumerate().filter(|&(from, pair)| from != root && pair.0 > 0)
        {
            gives[from].push((root, pair.0));
        }
        return gives;
    }
    if let Some(root) = root.filter(|_| equal && kind == CollectiveKind::FromRoot) {
        let others = both.iter().enumerate().filter(|&(to, pair)| to != root && pair.1 > 0);
        gives[root] = others.map(|(to, other)| (to, other.1)).collect();
        return gives;
    }
    let (each, others) = (both[0].0, count as u64 - 1);
    let equal = both.iter().all(|&pair| pair == (each, each));
    if kind == CollectiveKind::Exchange && equal && each.is_multiple_of(others) {
        for (from, gives) in gives.iter_mut().enumerate() {
            *gives = (0..count).filter(|&to| to != from).map(|to| (to, each / others)).collect();
        }
        return gives;
    }
    let (mut out, mut into): (Vec<u64>, Vec<u64>) = both.iter().copied().unzip();
    let first = root.unwrap_or(0);
    if sums.0 < sums.1 {
        raise(&mut out, both, sums.1 - sums.0, first)
    } else {
        raise(&mut into, both, sums.0 - sums.1, first)
    }
    lay(&mut gives, out, into);
    gives
}

/// Increases the values of the side with fewer bytes, at most up to the h of each process, beginning with the process
/// `first`, by `by` bytes in all.
fn raise(side: &mut [u64], both: &[(u64, u64)], by: u128, first: usize) {
    let mut left = by;
    let count = side.len();
    for index in (0..count).map(|step| (first + step) % count) {
        let room = both[index].0.max(both[index].1) - side[index];
        let more = u128::from(room).min(left) as u64;
        side[index] += more;
        left -= u128::from(more);
    }
}

/// Assigns the sent and received bytes to pairs of different processes.
fn lay(gives: &mut [Gives], mut out: Vec<u64>, mut into: Vec<u64>) {
    let count = out.len();
    for step in 1..count {
        if out.iter().all(|&left| left == 0) {
            break;
        }
        for from in 0..count {
            let to = (from + step) % count;
            let bytes = out[from].min(into[to]);
            if bytes > 0 {
                gives[from].push((to, bytes));
                out[from] -= bytes;
                into[to] -= bytes;
            }
        }
    }
    // The remaining bytes would go from a process to itself. They are sent through a pair of other processes.
    for own in 0..count {
        let mut left = out[own].min(into[own]);
        for from in (0..count).filter(|&from| from != own) {
            let mut rerouted = Vec::new();
            for (to, bytes) in gives[from].iter_mut().filter(|(to, _)| *to != own) {
                let moved = left.min(*bytes);
                *bytes -= moved;
                left -= moved;
                if moved > 0 {
                    rerouted.push((*to, moved));
                }
            }
            for (to, moved) in rerouted {
                give(&mut gives[from], own, moved);
                give(&mut gives[own], to, moved);
            }
        }
    }
    gives.iter_mut().for_each(|gives| gives.retain(|&(_, bytes)| bytes > 0));
}

fn give(gives: &mut Gives, to: usize, bytes: u64) {
    match gives.iter_mut().find(|give| give.0 == to) {
        Some(known) => known.1 += bytes,
        None => gives.push((to, bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(gives: &[Gives]) -> Vec<(u64, u64)> {
        let mut both = vec![(0, 0); gives.len()];
        for (from, gives) in gives.iter().enumerate() {
            for &(to, bytes) in gives {
                assert_ne!(from, to, "{gives:?}");
                both[from].0 += bytes;
                both[to].1 += bytes;
            }
        }
        both
    }

    fn h(both: &[(u64, u64)]) -> Vec<u64> {
        both.iter().map(|pair| pair.0.max(pair.1)).collect()
    }

    #[test]
    fn each_has_the_h_of_the_collective() {
        let broadcast = [(0, 8), (8, 0), (0, 8), (0, 8)];
        let reduction = [(8, 0), (0, 8), (8, 0), (8, 0)];
        let scan = [(8, 0), (8, 8), (8, 8), (0, 8)];
        for (kind, reported, root) in [
            (CollectiveKind::FromRoot, broadcast, Some(1)),
            (CollectiveKind::ToRoot, reduction, Some(1)),
            (CollectiveKind::All, [(8, 8); 4], None),
            (CollectiveKind::Exchange, [(24, 24); 4], None),
            (CollectiveKind::Prefix, scan, None),
            // An allgather of parts of different sizes: in the end each process has the parts of all others.
            (CollectiveKind::Exchange, [(10, 6), (1, 15), (2, 14), (3, 13)], None),
        ] {
            let totals = both(&flows(kind, &reported, root));
            assert_eq!(h(&totals), h(&reported), "{kind:?} of {reported:?}: {totals:?}");
        }
    }

    #[test]
    fn what_could_only_go_to_its_sender_is_no_communication() {
        // All others send 2 bytes, so 3 of the first one's 5 are its own.
        let reported = [(30, 5), (0, 10), (2, 7), (0, 10)];
        let totals = both(&flows(CollectiveKind::All, &reported, None));
        assert_eq!(totals, [(27, 2), (0, 10), (2, 7), (0, 10)]);
    }

    #[test]
    fn where_as_much_leaves_as_comes_both_are_kept() {
        let mut seed = 1u64;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % below
        };
        for _ in 0..500 {
            let count = 2 + random(6) as usize;
            let mut reported = vec![(0u64, 0u64); count];
            for from in 0..count {
                for to in (0..count).filter(|&to| to != from) {
                    let bytes = if random(3) == 0 { 0 } else { random(100) };
                    reported[from].0 += bytes;
                    reported[to].1 += bytes;
                }
            }
            assert_eq!(both(&flows(CollectiveKind::All, &reported, None)), reported);
        }
    }

    #[test]
    fn exchanges_gathers_and_scatters_are_what_they_are() {
        let all = flows(CollectiveKind::Exchange, &[(30, 30); 4], None);
        assert_eq!(all[2], [(0, 10), (1, 10), (3, 10)]);
        let gather = flows(CollectiveKind::ToRoot, &[(5, 0), (7, 0), (0, 12)], Some(2));
        assert_eq!(gather, [vec![(2, 5)], vec![(2, 7)], vec![]]);
        let scatter = flows(CollectiveKind::FromRoot, &[(0, 5), (9, 0), (0, 4)], Some(1));
        assert_eq!(scatter, [vec![], vec![(0, 5), (2, 4)], vec![]]);
        assert_eq!(flows(CollectiveKind::All, &[(0, 0); 3], None), vec![vec![]; 3]);
    }
}
