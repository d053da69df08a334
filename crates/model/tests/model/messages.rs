//! The longest path over messages and collectives, on fixtures computed by hand.

use std::convert::Infallible;

use cll_calls::{Operation, SendMode};
use cll_model::messages::{Evaluated, Free, LogGops, MessageCosts, evaluate};
use cll_trace::layout::call::Op;
use cll_units::{Bytes, Seconds};

fn compute(seconds: f64) -> Operation {
    Operation::Compute(Seconds(seconds))
}

fn send(to: u32, bytes: u64, request: Option<u64>) -> Operation {
    Operation::Send { to, bytes: Bytes(bytes), tag: 0, mode: SendMode::Standard, request }
}

fn receive(from: u32, bytes: u64, request: Option<u64>) -> Operation {
    Operation::Receive { from, bytes: Bytes(bytes), tag: 0, request }
}

fn wait(requests: &[u64]) -> Operation {
    Operation::Wait(requests.to_vec())
}

fn collective(name: &str, size: u32, number: u32, root: Option<u32>) -> Operation {
    let op = Op::named(name).unwrap();
    Operation::Collective { op, group: 0, size, number, root, bytes: Bytes(8) }
}

fn run(costs: &dyn MessageCosts, programs: Vec<Vec<Operation>>) -> Evaluated {
    let ranks: Vec<u32> = (0..programs.len() as u32).collect();
    let mut programs: Vec<_> = programs.into_iter().map(Vec::into_iter).collect();
    evaluate(&ranks, costs, 1.0, |rank| Ok::<_, Infallible>(programs[rank].next())).unwrap()
}

fn ends(evaluated: &Evaluated) -> Vec<f64> {
    assert!(evaluated.complete, "{evaluated:?}");
    evaluated.ranks.iter().map(|rank| rank.end.get()).collect()
}

#[track_caller]
fn near(values: &[f64], truth: &[f64]) {
    let is_near =
        |(value, other): (&f64, &f64)| (value - other).abs() <= 1e-12 * other.abs().max(1.0);
    assert!(
        values.len() == truth.len() && values.iter().zip(truth).all(is_near),
        "{values:?} {truth:?}"
    );
}

/// L = 10, o = 1, g = 4, G = 0.5, O = 0.25, S = 100.
const COSTS: LogGops = LogGops {
    latency: 10.0,
    overhead: 1.0,
    gap: 4.0,
    gap_per_byte: 0.5,
    overhead_per_byte: 0.25,
    synchronous: 100.0,
};

#[test]
fn an_eager_message_by_log_gops() {
    // 5 bytes: busy 1 + 4·0.25 = 2 on each side, 10 + 4·0.5 = 12 on the way.
    let evaluated = run(&COSTS, vec![vec![send(1, 5, None)], vec![receive(0, 5, None)]]);
    near(&ends(&evaluated), &[2.0, 2.0 + 12.0 + 2.0]);
    // A receiver that comes at 20 finds it: it is busy for 2.
    let evaluated =
        run(&COSTS, vec![vec![send(1, 5, None)], vec![compute(20.0), receive(0, 5, None)]]);
    near(&ends(&evaluated), &[2.0, 22.0]);
    assert_eq!(evaluated.ranks[1].waiting, Seconds(0.0));
}

#[test]
fn the_gap_holds_the_next_message_back() {
    // Messages of one byte: busy 1, the next one 4 after the first; both 10 on the way.
    let evaluated = run(
        &COSTS,
        vec![
            vec![send(1, 1, None), send(1, 1, None)],
            vec![receive(0, 1, None), receive(0, 1, None)],
        ],
    );
    near(&ends(&evaluated), &[5.0, 4.0 + 1.0 + 10.0 + 1.0]);
}

#[test]
fn a_large_message_waits_for_its_receiver() {
    // 101 bytes: busy 26 on each side, 60 on the way; both begin at 30.
    let programs = vec![vec![send(1, 101, None)], vec![compute(30.0), receive(0, 101, None)]];
    let evaluated = run(&COSTS, programs);
    near(&ends(&evaluated), &[142.0, 142.0]);
    assert_eq!(
        (evaluated.ranks[0].waiting, evaluated.ranks[0].communication),
        (Seconds(30.0), Seconds(112.0))
    );
    // The other way round the receiver waits.
    let evaluated =
        run(&COSTS, vec![vec![compute(30.0), send(1, 101, None)], vec![receive(0, 101, None)]]);
    near(&ends(&evaluated), &[142.0, 142.0]);
    assert_eq!(evaluated.ranks[1].waiting, Seconds(30.0));
}

#[test]
fn requests_overlap_the_way_with_computation() {
    let programs = |work: f64| {
        vec![
            vec![send(1, 101, Some(1)), compute(work), wait(&[1])],
            vec![receive(0, 101, Some(7)), compute(work), wait(&[7])],
        ]
    };
    // Computation of 20 is hidden behind 26 + 60, and the receiver is busy for 26 after that.
    near(&ends(&run(&COSTS, programs(20.0))), &[112.0, 112.0]);
    // Of 500 nothing but what the receiver is busy is left.
    near(&ends(&run(&COSTS, programs(500.0))), &[500.0, 526.0]);
}

#[test]
fn an_exchange_waits_for_neither_side() {
    let program = |other| vec![send(other, 5, Some(9)), receive(other, 5, None), wait(&[9])];
    near(&ends(&run(&COSTS, vec![program(1), program(0)])), &[16.0, 16.0]);
}

#[test]
fn collectives_end_by_their_meaning() {
    struct Fixed;
    impl MessageCosts for Fixed {
        fn emission(&self, _: f64) -> f64 {
            0.5
        }
        fn transit(&self, _: f64) -> f64 {
            0.0
        }
        fn reception(&self, _: f64) -> f64 {
            0.0
        }
        fn is_rendezvous(&self, _: f64) -> bool {
            false
        }
        fn collective(&self, _: Op, _: u32, _: f64) -> Option<f64> {
            Some(3.0)
        }
    }
    let all = |name: &str, root: Option<u32>| {
        let rank = |number: u32| {
            vec![compute([4.0, 1.0, 9.0, 2.0][number as usize]), collective(name, 4, number, root)]
        };
        run(&Fixed, (0..4).map(rank).collect())
    };
    near(&ends(&all("Allreduce", None)), &[12.0; 4]);
    // Two rounds of 0.5 on the root.
    near(&ends(&all("Bcast", Some(0))), &[5.0, 7.0, 12.0, 7.0]);
    near(&ends(&all("Reduce", Some(1))), &[5.0, 12.0, 10.0, 3.0]);
    let scan = all("Scan", None);
    near(&ends(&scan), &[5.0, 7.0, 12.0, 12.0]);
    assert_eq!(scan.ranks[3].waiting, Seconds(7.0));
}

#[test]
fn free_communication_leaves_computation_and_waiting() {
    let programs = vec![
        vec![compute(2.0), send(1, 1 << 30, None), compute(1.0)],
        vec![receive(0, 1 << 30, None), compute(4.0)],
    ];
    let evaluated = run(&Free, programs);
    near(&ends(&evaluated), &[3.0, 6.0]);
    assert_eq!(evaluated.last().rank, 1);
    let sum = |rank: usize| {
        evaluated.ranks[rank].computation
            + evaluated.ranks[rank].communication
            + evaluated.ranks[rank].waiting
    };
    assert_eq!((sum(0), sum(1)), (Seconds(3.0), Seconds(6.0)));
}

#[test]
fn who_waits_for_what_never_comes_does_not_end() {
    let evaluated = run(&COSTS, vec![vec![compute(1.0), receive(1, 1, None)], vec![compute(2.0)]]);
    assert!(!evaluated.complete);
    assert_eq!(evaluated.ranks.iter().map(|rank| rank.end.get()).collect::<Vec<_>>(), [1.0, 2.0]);
    let synchronous = Operation::Send {
        to: 1,
        bytes: Bytes(1),
        tag: 0,
        mode: SendMode::Synchronous,
        request: None,
    };
    assert!(!run(&Free, vec![vec![synchronous], vec![]]).complete);
}
