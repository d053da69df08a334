//! Waiting is the same in the report of a run and in supersteps.

use crate::support::opener;

use crate::support::ranks::{Rank, convert, ranks};
use cll_calls::{Overview, Summary};
use cll_trace::layout::call::{ANY, Got};
use cll_trace::meta::Window;

/// Nanoseconds of waiting of each rank, which both tell.
fn waited(all: &[Rank]) -> Vec<u64> {
    let count = all.len() as u32;
    let logs: Vec<Vec<u8>> = (0..count).map(|rank| all[rank as usize].log(rank, count)).collect();
    let mut overviews: Vec<Overview> =
        logs.iter().map(|log| Overview::read(&log[..]).expect("a log")).collect();
    let mut open = opener(&logs);
    let summary = Summary::new(&mut overviews, &mut open).expect("readable");
    let ns = |seconds: f64| (seconds * 1e9).round() as u64;
    let reported: Vec<u64> = summary.by_rank.iter().map(|rank| ns(rank.waiting.get())).collect();
    let (log, _) = convert(all).expect("supersteps");
    let in_supersteps: Vec<u64> = log
        .processors
        .iter()
        .map(|processor| {
            ns(processor.supersteps.iter().map(|superstep| superstep.waiting.get()).sum())
        })
        .collect();
    assert_eq!(reported, in_supersteps);
    let by_call: f64 = summary.by_call.iter().map(|total| total.waiting.get()).sum();
    assert_eq!(ns(by_call), reported.iter().sum::<u64>());
    reported
}

#[test]
fn who_completes_a_collective_waits_in_that_call() {
    let mut all = ranks(2);
    // Both ask at once; the second comes 600 later, while the first waits since 200.
    all[1].now += 600;
    for (rank, (computes, takes)) in all.iter_mut().zip([(200, 500), (0, 100)]) {
        let request = rank.asks("Iallreduce", &[0, 0, 8, 8]);
        rank.waits(&[request], computes, takes).ends(0);
    }
    assert_eq!(waited(&all), [400, 0]);
    // Who comes to it later than all have come does not wait.
    let mut all = ranks(2);
    for rank in &mut all {
        let request = rank.asks("Ibcast", &[0, 1, 8, 0]);
        rank.waits(&[request], 1000, 100).ends(0);
    }
    assert_eq!(waited(&all), [0, 0]);
}

#[test]
fn who_completes_a_started_persistent_collective_waits_in_that_call() {
    let mut all = ranks(2);
    // It is made at different times, which nobody waits for; the second rank starts it 600 later, twice.
    for (rank, (late, computes, takes)) in all.iter_mut().zip([(0, 200, 500), (600, 0, 100)]) {
        rank.now += late;
        let request = rank.asks("Allreduce_init", &[0, 0, 8, 8]);
        rank.starts(request, 0);
        rank.waits(&[request], computes, takes);
        rank.starts(request, late);
        rank.waits(&[request], computes, takes);
        rank.call("Request_free", &[1], 0, 0).ends(0);
    }
    assert_eq!(waited(&all), [800, 0]);
}

#[test]
fn fences_and_the_making_of_communicators_are_collectives() {
    let mut all = ranks(2);
    for (rank, process) in (0u64..).zip(&mut all) {
        process.windows = vec![Window { id: 0, key: "9".into(), communicator: 0 }];
        process.call("Win_fence", &[1, -1], 300 * rank, 500 - 300 * rank);
        process.call("Put", &[1, 1 - rank as i64, 40, 0], 10, 10);
        process.call("Win_fence", &[1, -1], 100 * rank, 200 - 100 * rank);
        process.call("Comm_dup", &[0], 70 - 70 * rank, 130 + 70 * rank).ends(0);
    }
    assert_eq!(waited(&all), [300 + 100, 70]);
}

#[test]
fn loops_of_tests_wait_until_what_they_look_for_was_sent() {
    let mut all = ranks(2);
    let rank = &mut all[0];
    let request = rank.asks("Irecv", &[0, 1, 5, 8]);
    // Three quarters of the loop are spent in MPI.
    rank.polls("Test", &[1], Some(request), 1000, 750);
    rank.begin("Test", &[1], Some(request), 0);
    rank.returns(10, None);
    rank.completes(request);
    rank.ends(0);
    let other = &mut all[1];
    other.call("Send", &[0, 0, 5, 8], 600, 10).ends(0);
    assert_eq!(waited(&all), [450, 0]);
}

#[test]
fn who_looks_in_turn_for_a_message_and_a_request_waits_for_both() {
    let mut all = ranks(2);
    let rank = &mut all[0];
    let request = rank.asks("Irecv", &[0, 1, 5, 8]);
    let begin = rank.now;
    // Two records of looks in turn, over the same time.
    rank.polls("Iprobe", &[0, ANY, ANY], None, 1000, 400);
    rank.now = begin + 1;
    rank.polls("Test", &[1], Some(request), 1000, 500);
    let got = |tag: i64| Some(Got { source: 1, tag, bytes: 8 });
    rank.begin("Iprobe", &[0, ANY, ANY], None, 0);
    rank.returns(10, got(6));
    rank.begin("Recv", &[0, 1, 6, 8], None, 0);
    rank.returns(10, None);
    rank.begin("Wait", &[1], Some(request), 0);
    rank.returns(10, None);
    rank.completes(request);
    rank.ends(0);
    let other = &mut all[1];
    // The message is sent after half of the looks, what the request receives at their end.
    other.call("Send", &[0, 0, 6, 8], 500, 1);
    other.call("Send", &[0, 0, 5, 8], 500, 1).ends(100);
    assert_eq!(waited(&all), [200 + 500, 0]);
}

#[test]
fn who_probes_waits_for_the_message_that_is_found() {
    let mut all = ranks(2);
    let rank = &mut all[0];
    rank.begin("Probe", &[0, ANY, ANY], None, 100);
    rank.returns(900, Some(Got { source: 1, tag: 3, bytes: 8 }));
    rank.call("Recv", &[0, 1, 3, 8], 50, 10).ends(0);
    all[1].call("Send", &[0, 0, 3, 8], 400, 10).ends(0);
    assert_eq!(waited(&all), [300, 0]);
}

fn summary(all: &[Rank]) -> Summary {
    let count = all.len() as u32;
    let logs: Vec<Vec<u8>> = (0..count).map(|rank| all[rank as usize].log(rank, count)).collect();
    let mut overviews: Vec<Overview> =
        logs.iter().map(|log| Overview::read(&log[..]).expect("a log")).collect();
    Summary::new(&mut overviews, &mut opener(&logs)).expect("readable")
}

#[test]
fn a_message_that_is_received_before_it_was_sent_is_told() {
    // The first send has no record, so the second one is taken for it.
    let count_early = |sends_after: u64| {
        let mut all = ranks(2);
        all[1].call("Recv", &[0, 0, 5, 8], 0, 1000);
        all[0].call("Send", &[0, 1, 5, 8], sends_after, 1000);
        all.iter_mut().for_each(|rank| rank.ends(0));
        summary(&all).before_sent
    };
    assert_eq!(count_early(2_000_000), 1);
    // Within the error of the clock.
    assert_eq!((count_early(0), count_early(5_000)), (0, 0));
}

#[test]
fn requests_that_are_left_are_told_by_rank_and_call() {
    let mut all = ranks(2);
    let done = all[0].asks("Isend", &[0, 1, 5, 8]);
    all[0].asks("Isend", &[0, 1, 6, 8]);
    all[0].asks("Isend", &[0, 1, 7, 8]);
    all[0].asks("Send_init", &[0, 1, 8, 8]);
    all[0].waits(&[done], 0, 10);
    let freed = all[1].asks("Recv_init", &[0, 0, 5, 8]);
    all[1].begin("Request_free", &[1], Some(freed), 0);
    all[1].returns(0, None);
    all[0].ends(0);
    let left = |all: &[Rank]| {
        let open_requests = summary(all).open_requests.into_iter();
        open_requests
            .map(|requests| (requests.rank, requests.call, requests.requests))
            .collect::<Vec<_>>()
    };
    all[1].ends(0);
    let expected = [(0, "MPI_Isend".to_owned(), 2), (0, "MPI_Send_init".to_owned(), 1)];
    assert_eq!(left(&all), expected);
    // Of a rank that died nothing is known.
    let mut died = ranks(1);
    died[0].asks("Isend", &[0, 0, 5, 8]);
    assert_eq!(left(&died), []);
}

#[test]
fn a_loop_of_request_get_status_waits_for_the_message() {
    let mut all = ranks(2);
    let request = all[1].asks("Irecv", &[0, 0, 5, 8]);
    all[1].polls("Request_get_status", &[1], Some(request), 1000, 900);
    all[1].call("Request_get_status", &[0], 0, 10);
    all[1].waits(&[request], 0, 10).ends(0);
    all[0].call("Send", &[0, 1, 5, 8], 800, 100);
    all[0].ends(500);
    let waiting = summary(&all).by_rank[1].waiting.get();
    assert!((waiting - 720e-9).abs() < 1e-12, "{waiting}");
}
