//! Communicators and their processes.

use std::collections::BTreeMap;

use cll_trace::meta::Communicator;

use super::UNDEFINED;
use crate::Overview;

/// A communicator of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Comm {
    pub(super) name: String,
    /// The number of the one that it was made from.
    pub(super) parent: u32,
    /// Ranks in `MPI_COMM_WORLD` of its processes, in their order.
    pub(super) members: Vec<u32>,
    /// Ranks of the other group, if there are two.
    pub(super) remote: Option<Vec<u32>>,
}

/// The communicators of a run whose processes are all of the run, and the number of each key.
pub(super) fn communicators(overviews: &[Overview]) -> (Vec<Comm>, BTreeMap<&str, u32>) {
    let mut tables: BTreeMap<&str, Vec<(u32, &Communicator)>> = BTreeMap::new();
    for overview in overviews {
        let Some((own, _)) = overview.rank() else { continue };
        for table in overview.communicators.values() {
            tables.entry(&table.key).or_default().push((own, table));
        }
    }
    let mut known: Vec<(&str, Groups)> =
        tables.iter().filter_map(|(&key, tables)| Some((key, groups(tables)?))).collect();
    // Readers know no communicator before the one that it was made from.
    let parent = |key: &str| tables.get(key).map_or("", |tables| tables[0].1.parent.as_str());
    let depth = |key: &str| {
        let next = |key: &&str| Some(parent(key)).filter(|key| tables.contains_key(key));
        // A damaged log may say that one was made from itself.
        std::iter::successors(Some(key), |key| next(key)).take(tables.len()).count()
    };
    known.sort_by_cached_key(|(key, _)| depth(key));
    let mut all = Vec::new();
    let mut numbers = BTreeMap::new();
    for (key, (members, remote)) in known {
        let number = all.len() as u32;
        let made_by = tables[key].iter().map(|(_, table)| table.made_by.as_str());
        let name = match made_by.max().unwrap_or("") {
            "world" => "MPI_COMM_WORLD".to_owned(),
            "" if members.len() == 1 && remote.is_none() => format!("MPI_COMM_SELF {}", members[0]),
            "" => format!("communicator {number}"),
            call => format!("MPI_{call} {number}"),
        };
        let parent = numbers.get(parent(key)).copied().unwrap_or(UNDEFINED);
        numbers.insert(key, number);
        all.push(Comm { name, parent, members, remote });
    }
    (all, numbers)
}

type Groups = (Vec<u32>, Option<Vec<u32>>);

/// The processes of a communicator; `None` if some are of another run, or not known.
fn groups(tables: &[(u32, &Communicator)]) -> Option<Groups> {
    let (_, first) = tables[0];
    let stated = |ranks: &[(i32, u32, i32)], size: u32| {
        let expand = |&(first, count, step): &(i32, u32, i32)| {
            (0..count).map(move |index| i64::from(first) + i64::from(index) * i64::from(step))
        };
        let ranks: Option<Vec<u32>> =
            ranks.iter().flat_map(expand).map(|rank| u32::try_from(rank).ok()).collect();
        ranks.filter(|ranks| ranks.len() == size as usize)
    };
    if first.remote_size > 0 {
        let own = stated(&first.ranks, first.size)?;
        let other = stated(&first.remote, first.remote_size)?;
        // Which group is the first one must not depend on whose table it is.
        return Some(if own.iter().min() <= other.iter().min() {
            (own, Some(other))
        } else {
            (other, Some(own))
        });
    }
    if !first.ranks.is_empty() {
        return Some((stated(&first.ranks, first.size)?, None));
    }
    // A table leaves out ranks that are too many stretches; then each process knows its own.
    let own: BTreeMap<u32, u32> = tables.iter().map(|&(own, table)| (table.rank, own)).collect();
    (own.len() == first.size as usize).then(|| (own.into_values().collect(), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overview(rank: u32, tables: Vec<Communicator>) -> Overview {
        let mpi = cll_trace::meta::Mpi { rank, ranks: 3, ..Default::default() };
        let communicators = tables.into_iter().map(|table| (table.id, table)).collect();
        Overview { mpi: Some(mpi), communicators, ..Overview::default() }
    }

    fn table(key: &str, rank: u32, size: u32, ranks: &[(i32, u32, i32)]) -> Communicator {
        let (key, ranks) = (key.to_owned(), ranks.to_vec());
        Communicator { key, rank, size, ranks, ..Communicator::default() }
    }

    #[test]
    fn processes_come_from_tables_or_from_all_logs() {
        let world =
            |rank| Communicator { made_by: "world".into(), ..table("0", rank, 3, &[(0, 3, 1)]) };
        let mixed = |rank| Communicator { id: 1, parent: "0".into(), ..table("a", rank, 3, &[]) };
        // Of the processes of another run, which a program has started, ranks are -1.
        let merged = |rank| Communicator { id: 2, ..table("b", rank, 4, &[(0, 3, 1), (-1, 1, 1)]) };
        let all = [(0, 2), (1, 0), (2, 1)].map(|(rank, in_mixed)| {
            overview(rank, vec![world(rank), mixed(in_mixed), merged(rank)])
        });
        let (comms, numbers) = communicators(&all);
        assert_eq!(numbers, BTreeMap::from([("0", 0), ("a", 1)]));
        assert_eq!((comms[0].name.as_str(), comms[0].parent), ("MPI_COMM_WORLD", UNDEFINED));
        assert_eq!((comms[1].members.clone(), comms[1].parent), (vec![1, 2, 0], 0));
        // Without one of the logs they are not known.
        assert_eq!(communicators(&all[..2]).1.len(), 1);
    }

    #[test]
    fn groups_of_an_intercommunicator_have_one_order() {
        let intercommunicator =
            |own: &[(i32, u32, i32)], remote: &[(i32, u32, i32)]| Communicator {
                remote: remote.to_vec(),
                remote_size: remote[0].1,
                ..table("c", 0, own[0].1, own)
            };
        for (own, remote) in [((1, 2, 1), (0, 1, 1)), ((0, 1, 1), (1, 2, 1))] {
            let (comms, _) =
                communicators(&[overview(0, vec![intercommunicator(&[own], &[remote])])]);
            assert_eq!((&comms[0].members, &comms[0].remote), (&vec![0], &Some(vec![1, 2])));
        }
    }
}
