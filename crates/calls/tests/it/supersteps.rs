//! Supersteps of calls of MPI: logs made by hand, of which h and times are known.

use std::io::Cursor;

use crate::support::ranks::{BEGIN, Rank, communicator, convert, ranks};
use cll_calls::{Note, Overview, Refused, supersteps};
use cll_supersteps::{Ending, Log, Relation};
use cll_trace::layout::call::{ANY, Got, NOBODY, Op};
use cll_trace::meta::{Point, Window};

/// Lists the ending of each superstep and the h of each processor, bytes.
fn course(log: &Log) -> Vec<(Ending, Vec<u64>)> {
    let relation = Relation::new(log);
    let count = log.processors[0].supersteps.len();
    let step_at = |index: usize| {
        let ending = log.processors[0].supersteps[index].ending;
        let h = log.processors.iter().map(|processor| {
            let superstep = &processor.supersteps[index];
            assert_eq!((superstep.number.get(), superstep.ending), (index as u64 + 1, ending));
            relation.share("0", superstep, processor.number.get()).h().get()
        });
        (ending, h.collect())
    };
    assert!(log.processors.iter().all(|processor| processor.supersteps.len() == count), "{log:?}");
    (0..count).map(step_at).collect()
}

fn times(log: &Log, processor: usize, index: usize) -> [u64; 3] {
    let superstep = &log.processors[processor].supersteps[index];
    [superstep.computation, superstep.communication, superstep.waiting]
        .map(|time| (time.get() * 1e9).round() as u64)
}

use Ending::{End as AtEnd, Oblivious, Sync};

#[test]
fn collectives_of_all_end_supersteps_of_all() {
    let mut all = ranks(3);
    for (rank, process) in (0u64..).zip(&mut all) {
        // All come at 1000, 2000 and 3000, and leave at 3100.
        let computes = 1000 * (rank + 1);
        process.call("Allreduce", &[0, 0, 80, 80], computes, 3100 - computes);
        let cast = if rank == 1 { [0, 2, 40, 0] } else { [0, 2, 0, 40] };
        process.call("Bcast", &cast, 500, 100);
        process.call("Alltoall", &[0, 0, 60, 60], 10, 10);
        process.call("Barrier", &[0, 0, 0, 0], 10, 10).ends(900);
    }
    let (log, notes) = convert(&all).expect("supersteps");
    assert_eq!(notes, []);
    let expected = vec![
        (Sync, vec![80; 3]),
        (Oblivious, vec![40; 3]),
        (Sync, vec![60; 3]),
        (Sync, vec![0; 3]),
        (AtEnd, vec![0; 3]),
    ];
    assert_eq!(course(&log), expected);
    // Who comes first waits longest; what is left is communication.
    assert_eq!(times(&log, 0, 0), [1000, 100, 2000]);
    assert_eq!(times(&log, 2, 0), [3000, 100, 0]);
    assert_eq!(times(&log, 1, 4), [900, 0, 0]);
    let point = log.processors[1].point(&log.processors[1].supersteps[2]).expect("a place");
    assert_eq!(
        (point.file.as_str(), point.line),
        ("a.c", u32::from(Op::named("Alltoall").unwrap().number()))
    );
    assert_eq!(point.path, [(0, 0x100 + u64::from(point.line))]);
}

#[test]
fn an_exchange_of_messages_is_a_superstep_and_waiting_is_reported() {
    let mut all = ranks(2);
    for (rank, process) in (0i64..).zip(&mut all) {
        let (late, other) = (rank as u64 * 400, 1 - rank);
        process.now += late;
        for _ in 0..3 {
            let receipt = process.asks("Irecv", &[0, other, 5, 1000]);
            let sent = process.asks("Isend", &[0, other, 5, 100 * (rank + 1)]);
            // Rank 1 sends 400 later, so rank 0 waits for it.
            process.waits(&[receipt, sent], 0, 500 - late).now += late;
        }
        process.ends(0);
    }
    let (log, _) = convert(&all).expect("supersteps");
    // What is asked for is not what comes: bytes are those that are sent.
    let exchange = (Oblivious, vec![200, 200]);
    assert_eq!(course(&log), [exchange.clone(), exchange.clone(), exchange, (AtEnd, vec![0, 0])]);
    assert_eq!(times(&log, 0, 1), [0, 100, 400]);
    assert_eq!(times(&log, 1, 1), [400, 100, 0]);
}

#[test]
fn clocks_of_several_hosts_are_related_by_what_went_between_them() {
    // Other clocks, whose logs were opened 5000 and 70000 later; the third host talks to the second alone.
    let mut all = vec![
        Rank::on("one", BEGIN, 0, 0, 3),
        Rank::on("two", 1 << 50, 5_000, 1, 3),
        Rank::on("three", 1 << 40, 70_000, 2, 3),
    ];
    all.iter_mut().for_each(|rank| rank.now = 100_000);
    for _ in 0..50 {
        // Messages take 100; rank 1 computes for 2000 before it answers, rank 2 for 3000 before it does.
        all[0].call("Send", &[0, 1, 0, 8], 0, 10).call("Recv", &[0, 1, 0, 8], 0, 2290);
        all[1].call("Recv", &[0, 0, 0, 8], 0, 100).call("Send", &[0, 0, 0, 8], 2000, 10);
        all[1].call("Recv", &[0, 2, 0, 8], 0, 3190).call("Send", &[0, 2, 0, 8], 0, 10);
        all[2].call("Send", &[0, 1, 0, 8], 5210, 10).call("Recv", &[0, 1, 0, 8], 0, 190);
        let latest = all.iter().map(|rank| rank.now).max().unwrap_or(0);
        all.iter_mut().for_each(|rank| rank.now = latest + 100);
    }
    all.iter_mut().for_each(|rank| rank.ends(0));
    let (log, notes) = convert(&all).expect("supersteps");
    let related = notes.iter().filter_map(|note| match note {
        Note::Related { host, uncertainty, drift: 0.0 } => Some((host.as_str(), uncertainty.get())),
        _ => None,
    });
    let within: Vec<(&str, f64)> = related.collect();
    assert_eq!(within.iter().map(|gap| gap.0).collect::<Vec<_>>(), ["two", "three"]);
    assert!(within.iter().all(|gap| gap.1 < 300e-9), "{within:?}");
    // What began at the same moment is reported to have, as far as that is known; who waited, too.
    let waited = log.processors[0].supersteps.iter().map(|superstep| superstep.waiting.get());
    let waited: Vec<f64> = waited.filter(|&waited| waited > 0.0).collect();
    assert_eq!(waited.len(), 50, "{waited:?}");
    assert!(waited.iter().all(|waited| (waited - 2.09e-6).abs() < 300e-9), "{waited:?}");
    let starts: Vec<f64> =
        log.processors.iter().map(|processor| processor.supersteps[0].start.get()).collect();
    assert!((starts[1] - starts[0] - 5e-6).abs() < 300e-9, "{starts:?}");
    assert!((starts[2] - starts[0] - 70e-6).abs() < 600e-9, "{starts:?}");
    assert_eq!(log.clocks, [], "they are those of one host now");
}

#[test]
fn clocks_of_hosts_between_which_nothing_goes_are_not_compared() {
    let mut all = vec![Rank::on("one", BEGIN, 0, 0, 2), Rank::on("two", 1 << 50, 0, 1, 2)];
    // In one direction only.
    all[0].call("Send", &[0, 1, 0, 8], 0, 10).ends(0);
    all[1].call("Recv", &[0, 0, 0, 8], 0, 100).ends(0);
    let (log, notes) = convert(&all).expect("supersteps");
    assert_eq!(notes, [Note::Unrelated { hosts: vec!["two".to_owned()] }]);
    assert_eq!(log.processors[1].supersteps[0].waiting.get(), 0.0);
}

#[test]
fn neighbours_at_the_ends_stay_in_step() {
    // A row: each tells the left one, then the right one, in two exchanges.
    let count = 4;
    let mut all = ranks(count);
    for (rank, process) in (0i64..).zip(&mut all) {
        let left = if rank > 0 { rank - 1 } else { NOBODY };
        let right = if rank + 1 < i64::from(count) { rank + 1 } else { NOBODY };
        for _ in 0..5 {
            process.call("Sendrecv", &[0, left, 0, 8, right, 0, 8], 100, 10);
            process.call("Sendrecv", &[0, right, 1, 8, left, 1, 8], 0, 10);
        }
        process.call("Allreduce", &[0, 0, 4, 4], 0, 10).ends(0);
    }
    let (log, notes) = convert(&all).expect("supersteps");
    let course = course(&log);
    assert_eq!((course.len(), notes), (12, vec![]));
    assert!(course[..10].iter().all(|step| *step == (Oblivious, vec![8; 4])), "{course:?}");
    assert_eq!(course[10], (Sync, vec![4; 4]));
}

#[test]
fn a_pipeline_has_a_superstep_for_each_piece_at_its_head_too() {
    let mut all = ranks(3);
    for (rank, process) in (0i64..).zip(&mut all) {
        for _ in 0..4 {
            if rank > 0 {
                process.call("Recv", &[0, rank - 1, 0, 16], 0, 50);
            }
            if rank < 2 {
                process.call("Send", &[0, rank + 1, 0, 16], 200, 10);
            }
        }
        process.ends(0);
    }
    let (log, notes) = convert(&all).expect("supersteps");
    assert_eq!(notes, []);
    let h: Vec<Vec<u64>> = course(&log).into_iter().map(|step| step.1).collect();
    let both = vec![16, 16, 16];
    let expected = [vec![16, 16, 0], both.clone(), both.clone(), both, vec![0, 16, 16], vec![0; 3]];
    assert_eq!(h, expected);
}

#[test]
fn many_messages_before_a_receipt_are_one_superstep() {
    let mut all = ranks(2);
    for (rank, process) in (0i64..).zip(&mut all) {
        for _ in 0..2 {
            for _ in 0..6 {
                process.call("Send", &[0, 1 - rank, 3, 10], 5, 5);
            }
            for _ in 0..6 {
                process.call("Recv", &[0, 1 - rank, 3, 10], 5, 5);
            }
        }
        process.ends(0);
    }
    let (log, notes) = convert(&all).expect("supersteps");
    assert_eq!(notes, []);
    assert_eq!(
        course(&log),
        [(Oblivious, vec![60; 2]), (Oblivious, vec![60; 2]), (AtEnd, vec![0; 2])]
    );
}

#[test]
fn collectives_of_some_bring_these_together() {
    // Columns of a grid of 2 x 2: 0 with 2, 1 with 3; then all.
    let mut all = ranks(4);
    for (rank, process) in (0u32..).zip(&mut all) {
        let (key, first) = if rank % 2 == 0 { ("a", 0) } else { ("b", 1) };
        process.communicators.push(communicator(1, key, rank / 2, vec![(first, 2, 2)]));
        process.call("Comm_split", &[0], 0, 10);
        for _ in 0..2 + rank % 2 {
            process.call("Allreduce", &[1, 0, 32, 32], 100, 10);
        }
        process.call("Reduce", &if rank == 0 { [0, 1, 0, 8] } else { [0, 1, 8, 0] }, 0, 10).ends(0);
    }
    let (log, notes) = convert(&all).expect("supersteps");
    assert!(matches!(notes[..], [Note::Scattered { communicators: 2, .. }]), "{notes:?}");
    let expected = vec![
        (Sync, vec![0; 4]),
        (Oblivious, vec![32; 4]),
        (Oblivious, vec![32; 4]),
        // Those of the even column have come to the reduction of all: it is in the superstep of the last of them.
        (Oblivious, vec![0, 32, 0, 32]),
        (Oblivious, vec![8; 4]),
        (AtEnd, vec![0; 4]),
    ];
    assert_eq!(course(&log), expected);
}

#[test]
fn one_sided_accesses_are_requests_until_the_fence() {
    let mut all = ranks(2);
    for (rank, process) in (0i64..).zip(&mut all) {
        process.windows.push(Window { id: 0, key: "f".into(), communicator: 0 });
        process.call("Win_allocate", &[0], 0, 10);
        process.call("Win_fence", &[1, ANY], 0, 10);
        if rank == 0 {
            process.call("Put", &[1, 1, 24, 0], 0, 10).call("Get", &[1, 1, 0, 100], 0, 10);
        }
        process.call("Win_fence", &[1, ANY], 50, 10).call("Win_free", &[1, ANY], 0, 10).ends(0);
    }
    let (log, _) = convert(&all).expect("supersteps");
    let h: Vec<Vec<u64>> = course(&log).into_iter().map(|step| step.1).collect();
    assert_eq!(h, [vec![0, 0], vec![0, 0], vec![100, 100], vec![0, 0], vec![0, 0]]);
}

#[test]
fn collectives_without_waiting_end_where_they_are_waited_for() {
    let mut all = ranks(2);
    for rank in &mut all {
        let reduced = rank.asks("Iallreduce", &[0, 0, 8, 8]);
        rank.waits(&[reduced], 700, 20);
        rank.call("Barrier", &[0, 0, 0, 0], 100, 10).ends(0);
    }
    let (log, notes) = convert(&all).expect("supersteps");
    assert_eq!(notes, []);
    assert_eq!(course(&log), [(Oblivious, vec![8; 2]), (Sync, vec![0; 2]), (AtEnd, vec![0; 2])]);
    assert_eq!(times(&log, 0, 0), [700, 20, 0]);
}

/// A master that gives tasks to whoever has done one.
fn farm(workers: i64) -> Vec<Rank> {
    let mut all = ranks(workers as u32 + 1);
    for round in 0..20 {
        for worker in 1..=workers {
            all[worker as usize].call("Send", &[0, 0, 1, 8], 100, 10);
            all[0].begin("Recv", &[0, ANY, ANY, 8], None, 5);
            all[0].returns(5, Some(Got { source: worker, tag: 1, bytes: 8 }));
            if round < 19 {
                all[0].call("Send", &[0, worker, 2, 64], 0, 5);
                all[worker as usize].call("Recv", &[0, 0, 2, 64], 0, 30);
            }
        }
    }
    all.iter_mut().for_each(|rank| rank.ends(0));
    all
}

#[test]
fn a_task_farm_is_told_to_have_none() {
    let Err(Refused::Farm { late, messages, call }) = convert(&farm(6)) else {
        panic!("it has supersteps");
    };
    assert!(late * 3 > messages, "{late} of {messages}");
    let receives = u32::from(Op::named("Recv").unwrap().number());
    assert_eq!(call.to_string(), format!("MPI_Recv at a.c:{receives} (rank 0)"));
    // With one worker it is a game of two, each in turn.
    convert(&farm(1)).expect("supersteps");
}

#[test]
fn what_has_no_supersteps_is_told_by_call_and_place() {
    let with = |what: &dyn Fn(usize, &mut Rank)| {
        let mut all = ranks(2);
        for (rank, process) in all.iter_mut().enumerate() {
            what(rank, process);
            process.ends(0);
        }
        convert(&all).expect_err("none").to_string()
    };
    let partial = with(&|_, rank| {
        rank.windows.push(Window { id: 0, key: "f".into(), communicator: 0 });
        rank.call("Win_start", &[1, ANY], 0, 1);
    });
    assert!(
        partial.starts_with("MPI_Win_start at a.c:") && partial.contains("(rank 0)"),
        "{partial}"
    );
    let spawned = with(&|_, rank| {
        rank.call("Comm_spawn", &[0], 0, 1);
    });
    assert!(spawned.contains("MPI_Comm_spawn") && spawned.contains("outside"), "{spawned}");
    let unsent = with(&|rank, process| {
        if rank == 1 {
            process.call("Recv", &[0, 0, 9, 8], 0, 1);
        }
    });
    assert!(unsent.contains("a message from rank 0 that no call"), "{unsent}");
    let lonely = with(&|rank, process| {
        if rank == 1 {
            process.call("Barrier", &[0, 0, 0, 0], 0, 1);
        }
    });
    assert!(lonely.starts_with("MPI_Barrier at a.c:") && lonely.contains("(rank 1)"), "{lonely}");
    let bytes = Rank::new(0, 2).log(0, 2);
    let mut overviews = [Overview::read(&bytes[..]).unwrap()];
    let mut sites = |_: &Overview, _: u32, _: &Point| (String::new(), 0);
    let missing = supersteps(
        &mut overviews,
        &mut |_| Ok(Box::new(Cursor::new(&bytes[..]))),
        &mut sites,
        &mut Vec::new(),
    );
    assert_eq!(
        missing.expect_err("none").to_string(),
        "there is no log of rank 1 of 2: supersteps are those of all ranks"
    );
}

#[test]
fn logs_that_were_cut_give_what_was_before() {
    let mut all = ranks(2);
    for rank in &mut all {
        rank.call("Barrier", &[0, 0, 0, 0], 10, 10).call("Allreduce", &[0, 0, 8, 8], 10, 10);
    }
    all[0].begin("Recv", &[0, 1, 0, 8], None, 10);
    let (log, notes) = convert(&all).expect("supersteps");
    assert_eq!(course(&log), [(Sync, vec![0; 2]), (Sync, vec![8; 2])]);
    let [Note::Cut { ranks }] = &notes[..] else { panic!("{notes:?}") };
    assert_eq!(ranks.iter().map(|rank| rank.0).collect::<Vec<_>>(), [0, 1]);
    assert!(
        notes[0].to_string().contains("the log of rank 0 ends in MPI_Recv at a.c:"),
        "{}",
        notes[0]
    );
}
