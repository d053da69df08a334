//! Processes with different `MPI_COMM_WORLD`s.

use crate::support::opener;

use cll_calls::{Overview, Summary, join, of_different_runs};
use cll_trace::meta::Communicator;

use crate::support::ranks::{Rank, communicator};

const LINK: &str = "start 7.1.0";

/// The communicator of a process with another world.
fn inter(own: u32, key: &str, by: &str, sizes: (u32, u32), link: &str) -> Communicator {
    let table = communicator(1, key, own, vec![(0, sizes.0, 1)]);
    let (remote_size, remote) = (sizes.1, vec![(-1, sizes.1, 0)]);
    let link = link.to_owned();
    let linked_ns = if link.is_empty() { 0 } else { 5 };
    Communicator { made_by: by.into(), remote_size, remote, link, linked_ns, ..table }
}

/// All processes of both, those of one first.
fn merged(own: u32, key: &str, parent: &str, ranks: Vec<(i32, u32, i32)>) -> Communicator {
    let table = communicator(2, key, own, ranks);
    Communicator { made_by: "Intercomm_merge".into(), parent: parent.into(), ..table }
}

/// Two parents, then three children: rank 0 sends to the second child, which answers after 700 ns; at the end all meet in
/// a communicator that they have made of both groups, where the third child comes last.
fn logs(child_link: &str) -> (Vec<Vec<u8>>, Vec<Overview>) {
    let mut all: Vec<(Rank, u32, u32)> = Vec::new();
    for own in 0..2 {
        let mut rank = Rank::new(own, 2);
        let link = if own == 0 { LINK } else { "" };
        rank.communicators.push(inter(own, "abc", "Comm_spawn", (2, 3), link));
        rank.communicators.push(merged(own, "abd", "abc", vec![(0, 2, 1), (-1, 3, 0)]));
        if own == 0 {
            rank.call("Send", &[1, 1, 5, 8], 100, 10);
            rank.call("Recv", &[1, 1, 6, 8], 0, 900);
        }
        all.push((rank, own, 2));
    }
    for own in 0..3 {
        let mut rank = Rank::new(own, 3);
        rank.communicators.push(inter(own, "def", "parent", (3, 2), child_link));
        rank.communicators.push(merged(own, "dff", "def", vec![(-1, 2, 0), (0, 3, 1)]));
        if own == 1 {
            rank.call("Recv", &[1, 0, 5, 8], 50, 100);
            rank.call("Send", &[1, 0, 6, 8], 700, 10);
        }
        all.push((rank, own, 3));
    }
    let mut logs = Vec::new();
    for (index, (mut rank, own, world_size)) in all.into_iter().enumerate() {
        let come = if index == 4 { 2000 } else { 1500 };
        rank.call("Allreduce", &[2, 0, 8, 8], come - rank.now, 2100 - come).ends(0);
        logs.push(rank.log(own, world_size));
    }
    let mut overviews: Vec<Overview> =
        logs.iter().map(|log| Overview::read(&log[..]).expect("a log")).collect();
    for (index, overview) in overviews.iter_mut().enumerate() {
        overview.job = if index < 2 { "parents".into() } else { "children".into() };
        overview.mpi.as_mut().expect("MPI").started = index >= 2;
    }
    (logs, overviews)
}

fn ns(seconds: f64) -> i64 {
    (seconds * 1e9).round() as i64
}

#[test]
fn messages_and_collectives_of_parents_and_children_are_matched() {
    let (logs, mut overviews) = logs(LINK);
    join(&mut overviews);
    let world_of = |index: usize| overviews[index].world.as_ref().expect("joined");
    assert_eq!((world_of(1).first, world_of(1).ranks, world_of(1).started), (0, 2, false));
    assert_eq!((world_of(3).first, world_of(3).ranks, world_of(3).started), (2, 3, true));
    assert_eq!(of_different_runs(&overviews), None);
    let mut open = opener(&logs);
    let summary = Summary::new(&mut overviews, &mut open).expect("readable");
    assert_eq!((summary.ranks, summary.unreceived, summary.missing()), (5, 0, Vec::new()));
    let traffic: Vec<(u32, u32, u64)> = summary
        .account
        .traffic
        .iter()
        .map(|traffic| (traffic.from, traffic.to, traffic.messages))
        .collect();
    assert_eq!(traffic, [(0, 3, 1), (3, 0, 1)]);
    let waiting = |call: &str| {
        let total = summary.by_call.iter().find(|total| total.call == call).expect("a call");
        ns(total.waiting.get())
    };
    // The child waits from 50 to 100; rank 0 from 110 to 850. All but the last one wait for it from 1500 to 2000.
    assert_eq!(waiting("MPI_Recv"), 50 + 740);
    assert_eq!(waiting("MPI_Allreduce"), 4 * 500);
}

#[test]
fn processes_that_another_call_has_started_are_not_joined() {
    let (_, mut overviews) = logs("start 8.1.0");
    join(&mut overviews);
    assert!(overviews.iter().all(|overview| overview.world.is_none()));
    assert!(of_different_runs(&overviews).is_some());
}
