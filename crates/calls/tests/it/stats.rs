//! Statistics and graphs of logs of known times.

use crate::support::opener;

use cll_calls::{Activity, Graph, Item, Overview, SiteId, Summary, WaitKind};
use cll_trace::layout::call::Op;

use crate::support::ranks::{Rank, ranks};

fn analysed(all: &[Rank]) -> (Summary, Graph) {
    let count = all.len() as u32;
    let logs: Vec<Vec<u8>> = (0..count).map(|rank| all[rank as usize].log(rank, count)).collect();
    let mut overviews: Vec<Overview> =
        logs.iter().map(|log| Overview::read(&log[..]).expect("a log")).collect();
    let mut open = opener(&logs);
    Summary::with_graph(&mut overviews, &mut open, &mut |_, _, _| String::new()).expect("readable")
}

fn ns(seconds: f64) -> i64 {
    (seconds * 1e9).round() as i64
}

/// Delays as process, what it did, where it was waited, nanoseconds.
fn delays(summary: &Summary) -> Vec<(usize, String, &'static str, i64)> {
    let account = &summary.account;
    let name = |site: SiteId| account.sites[site.0 as usize].site.op.name();
    let doing = |activity: Activity| match activity {
        Activity::Call(site) => name(site).to_owned(),
        Activity::Computation { before, .. } => format!("to {}", name(before)),
        Activity::WithoutCore(site) => format!("no core before {}", name(site)),
    };
    account
        .delays
        .iter()
        .map(|delay| {
            let activity = account.activities[delay.activity.0 as usize].activity;
            (delay.process, doing(activity), name(delay.site), ns(delay.time.get()))
        })
        .collect()
}

#[test]
fn a_delay_is_followed_back_along_the_messages() {
    let mut all = ranks(3);
    all[0].call("Send", &[0, 1, 5, 8], 1000, 10).ends(0);
    all[1].call("Recv", &[0, 0, 5, 8], 100, 950);
    all[1].call("Ssend", &[0, 2, 5, 8], 50, 10).ends(0);
    all[2].call("Recv", &[0, 1, 5, 8], 100, 1010).ends(0);
    let (summary, _) = analysed(&all);
    let delayed = delays(&summary);
    // Rank 1 waits for 900 ns. Rank 2 waits for 1000: 900 of rank 0, 100 of what rank 1 did itself.
    assert_eq!(delayed[0], (0, "to Send".to_owned(), "Recv", 900 + 900));
    let rest: i64 = delayed[1..].iter().map(|delay| delay.3).sum();
    assert!(delayed[1..].iter().all(|delay| delay.0 == 1), "{delayed:?}");
    assert_eq!(rest, 100, "{delayed:?}");
    let [kind] = &summary.account.kinds[..] else { panic!("{:?}", summary.account.kinds) };
    assert_eq!((kind.kind, kind.calls), (Some(WaitKind::LateSender), 2));
    let critical = &summary.account.critical;
    // 1000 on rank 0; transfer, computation and the send on rank 1; then the transfer on rank 2.
    assert_eq!((ns(critical.time.get()), critical.changes), (1110, 2));
    assert_eq!(ns(critical.by_process[0].get()), 1000);
}

#[test]
fn the_cause_is_where_the_late_one_took_longer_not_what_it_does_last() {
    let mut all = ranks(2);
    // The same work behind an unequal part.
    for (rank, (slow, takes)) in all.iter_mut().zip([(400, 10), (100, 310)]) {
        rank.call("Win_lock", &[0, 0], slow, 0);
        rank.call("Barrier", &[0, 0, 0, 0], 600, takes).ends(0);
    }
    let (summary, _) = analysed(&all);
    assert_eq!(delays(&summary), [(0, "to Win_lock".to_owned(), "Barrier", 300)]);
}

#[test]
fn efficiencies_multiply_to_computation_by_runtime() {
    let mut all = ranks(2);
    for (rank, computes) in all.iter_mut().zip([900, 300]) {
        rank.call("Barrier", &[0, 0, 0, 0], computes, 1000 - computes).ends(0);
    }
    let (summary, _) = analysed(&all);
    let efficiency = summary.account.efficiency.expect("known");
    assert_eq!(ns(efficiency.runtime.get()), 1000);
    let near = |value: f64, other: f64| (value - other).abs() < 1e-9;
    assert!(near(efficiency.load_balance, 600.0 / 900.0));
    assert!(near(efficiency.serialisation, 1.0));
    assert!(near(efficiency.transfer, 0.9));
    assert!(near(efficiency.parallel(), 0.6));
}

#[test]
fn a_sender_waits_only_if_it_returns_after_the_receipt_was_asked_for() {
    for (takes, waited) in [(50, 0), (450, 400)] {
        let mut all = ranks(2);
        all[0].call("Send", &[0, 1, 5, 8], 0, takes).ends(1000);
        all[1].call("Recv", &[0, 0, 5, 8], 400, 60).ends(0);
        let (summary, _) = analysed(&all);
        assert_eq!(ns(summary.by_rank[0].waiting.get()), waited);
    }
    // The same in the wait for the request of a send.
    let mut all = ranks(2);
    let request = all[0].asks("Isend", &[0, 1, 5, 8]);
    all[0].waits(&[request], 100, 350).ends(1000);
    all[1].call("Recv", &[0, 0, 5, 8], 400, 60).ends(0);
    let (summary, _) = analysed(&all);
    let kinds = &summary.account.kinds;
    assert_eq!((kinds[0].kind, ns(kinds[0].time.get())), (Some(WaitKind::LateReceiver), 300));
}

#[test]
fn a_loop_of_polls_waits_in_its_calls_and_does_not_compute_between_them() {
    let mut all = ranks(2);
    let request = all[0].asks("Irecv", &[0, 1, 5, 8]);
    all[0].polls("Test", &[1], Some(request), 1000, 300);
    all[0].begin("Test", &[1], Some(request), 0);
    all[0].returns(10, None);
    all[0].completes(request);
    all[0].ends(0);
    all[1].call("Send", &[0, 0, 5, 8], 800, 10).ends(0);
    let (summary, _) = analysed(&all);
    let kinds = &summary.account.kinds;
    // In MPI it was for three tenths of the 800 until the message was sent.
    assert_eq!((kinds[0].kind, ns(kinds[0].time.get())), (Some(WaitKind::Polling), 240));
    assert_eq!(ns(summary.by_rank[0].waiting.get()), 240);
    assert_eq!(delays(&summary), [(1, "to Send".to_owned(), "Test", 240)]);
    // Rank 0 computes nothing, rank 1 800, of 1010.
    let efficiency = summary.account.efficiency.expect("known");
    assert!((efficiency.load_balance - 0.5).abs() < 1e-9, "{efficiency:?}");
}

#[test]
fn messages_and_collectives_join_nodes_of_folded_flows() {
    let mut all = ranks(3);
    for _ in 0..100 {
        for to in 1..3 {
            all[0].call("Send", &[0, to, 5, 8 * to], 10, 10);
        }
        all[1].call("Recv", &[0, 0, 5, 64], 10, 10);
        all[2].call("Recv", &[0, 0, 5, 64], 10, 10);
        for rank in &mut all {
            rank.call("Barrier", &[0, 0, 0, 0], 10, 10);
        }
    }
    all.iter_mut().for_each(|rank| rank.ends(0));
    let (summary, graph) = analysed(&all);
    let [first, others] = &graph.flows[..] else { panic!("{} flows", graph.flows.len()) };
    assert_eq!((first.threads.len(), others.threads.len()), (1, 2));
    let [_, Item::Loop(outer_loop), _] = &first.items[..] else { panic!("{:?}", first.items) };
    assert_eq!(outer_loop.passages, (100, 100));
    let [Item::Loop(sends), Item::Call(barrier)] = &outer_loop.body[..] else {
        panic!("{:?}", outer_loop.body)
    };
    assert_eq!(sends.passages, (2, 2));
    let Item::Call(send) = &sends.body[0] else { panic!("{:?}", sends.body) };
    assert_eq!((send.times, send.bytes.0.get(), send.bytes.1.get()), (200, 8, 16));
    let op = |site: SiteId| summary.account.sites[site.0 as usize].site.op;
    assert_eq!((Some(op(send.site)), barrier.times), (Op::named("Send"), 100));
    let [edge] = &graph.edges[..] else { panic!("{:?}", graph.edges) };
    assert_eq!((edge.messages, edge.from.flow, edge.to.flow), (200, 0, 1));
    let [group] = &graph.collectives[..] else { panic!("{:?}", graph.collectives) };
    assert_eq!(group.iter().map(|node| node.flow).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn calls_of_one_name_are_one_step() {
    let mut all = ranks(2);
    all[0].call("Barrier", &[0, 0, 0, 0], 10, 10).ends(0);
    all[1].call("Barrier", &[0, 0, 0, 0], 10, 10).ends(0);
    // The second one is called from elsewhere.
    let count = all.len() as u32;
    let logs: Vec<Vec<u8>> = (0..count).map(|rank| all[rank as usize].log(rank, count)).collect();
    for named in [false, true] {
        let mut overviews: Vec<Overview> =
            logs.iter().map(|log| Overview::read(&log[..]).expect("a log")).collect();
        let points = overviews[1].lanes.values_mut().flat_map(|lane| lane.points.values_mut());
        points.for_each(|point| point.path[0].1 += 0x1000);
        let mut open = opener(&logs);
        let mut names = |_: &Overview, _: u32, point: &cll_trace::meta::Point| {
            if named { format!("main a.c:{}", point.id) } else { String::new() }
        };
        let (_, graph) =
            Summary::with_graph(&mut overviews, &mut open, &mut names).expect("readable");
        assert_eq!(graph.flows.len(), if named { 1 } else { 2 });
    }
}

#[test]
fn who_waits_for_what_was_sent_is_in_no_deadlock() {
    for was_sent in [false, true] {
        let mut all = ranks(2);
        if was_sent {
            all[0].call("Send", &[0, 1, 5, 8], 10, 10);
        }
        for (rank, process) in (0..).zip(&mut all) {
            // It does not return.
            process.begin("Recv", &[0, 1 - rank, 5, 8], None, 20);
        }
        let (summary, graph) = analysed(&all);
        let cycle: Vec<u32> = summary.deadlock.iter().map(|link| link.rank).collect();
        assert_eq!(cycle, if was_sent { vec![] } else { vec![0, 1] });
        let opened = |item: &Item| matches!(item, Item::Call(node) if node.open > 0);
        assert!(graph.flows.iter().all(|flow| flow.items.iter().any(opened)));
    }
}

#[test]
fn work_that_is_hidden_behind_a_longer_wait_is_marked() {
    let mut all = ranks(4);
    all[0].call("Send", &[0, 1, 5, 8], 100_000, 10);
    // It computes while the message is on its way, and waits for it then.
    let request = all[1].asks("Irecv", &[0, 0, 5, 8]);
    all[1].waits(&[request], 60_000, 40_030);
    for rank in &mut all {
        let takes = 101_000 - rank.now;
        rank.call("Barrier", &[0, 0, 0, 0], 0, takes).ends(0);
    }
    let (summary, _) = analysed(&all);
    let account = &summary.account;
    let causes: Vec<_> = delays(&summary)
        .into_iter()
        .zip(&account.delays)
        .map(|(words, delay)| (words.0, words.1, delay.is_hidden, ns(delay.critical.get())))
        .collect();
    for (process, doing, is_hidden, critical) in
        [(0, "to Send", false, 100_000), (1, "to Waitall", true, 0)]
    {
        let of_cause: Vec<_> =
            causes.iter().filter(|cause| (cause.0, &*cause.1) == (process, doing)).collect();
        assert!(!of_cause.is_empty(), "{causes:?}");
        for cause in of_cause {
            assert_eq!((cause.2, cause.3), (is_hidden, critical), "{causes:?}");
        }
    }
    let own: Vec<i64> = account.delays.iter().map(|delay| ns(delay.own.get())).collect();
    assert!(own.contains(&60_000) && own.contains(&100_000), "{own:?}");
}

#[test]
fn time_without_a_core_is_no_imbalance_and_no_cause() {
    let mut all = ranks(2);
    // Both compute for 300 us; rank 0 has no core for 700 us.
    all[0].starves(1_000_000, 700_000, 10_000);
    all[1].starves(300_000, 0, 710_000);
    all.iter_mut().for_each(|rank| rank.ends(0));
    let (summary, _) = analysed(&all);
    let account = &summary.account;
    let lost = account.without_core.as_ref().expect("known");
    let times: Vec<i64> = lost.time.iter().map(|time| ns(time.get())).collect();
    assert_eq!(times, [700_000, 0]);
    assert_eq!((ns(lost.waited.get()), ns(lost.critical.get())), (700_000, 700_000));
    assert!(account.delays.is_empty(), "{:?}", account.delays);
    let efficiency = account.efficiency.expect("known");
    assert!((efficiency.load_balance - 1.0).abs() < 1e-9, "{efficiency:?}");
    // 300 of the 310 us that are left.
    assert!((efficiency.parallel() - 300.0 / 310.0).abs() < 1e-9, "{efficiency:?}");
    assert_eq!(ns(efficiency.runtime.get()), 1_010_000);
    assert_eq!(ns(efficiency.without_core.get()), 700_000);
    let computed = account.activities.iter().filter_map(|activity| match activity.activity {
        Activity::Computation { .. } => {
            Some(activity.time.iter().map(|time| ns(time.get())).sum::<i64>())
        }
        _ => None,
    });
    assert_eq!(computed.sum::<i64>(), 600_000);
    // Logs that say nothing of cores.
    let mut all = ranks(2);
    all.iter_mut().for_each(|rank| rank.call("Barrier", &[0, 0, 0, 0], 300, 100).ends(0));
    assert_eq!(analysed(&all).0.account.without_core, None);
}
