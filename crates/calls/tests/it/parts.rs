//! Communicators of some processes as machine objects: logs made by hand.

use std::collections::BTreeMap;

use crate::support::ranks::{Rank, communicator, convert, ranks};
use cll_calls::Note;
use cll_supersteps::{Ending, Log, Relation};
use cll_trace::meta::Machine;
use cll_units::{ProcessorId, Seconds};

use Ending::{End as AtEnd, Oblivious, Sync};

/// Supersteps of a machine: ending, and h of each processor.
type Course = Vec<(Ending, Vec<u64>)>;

/// A machine: its processors (the first, how many), its parent and the superstep of that, and its supersteps.
type Found = ((u32, u32), (String, u64), Course);

/// The machines in the order of their keys. All processors of a machine tell the same of it, and in their streams a part lies before the
/// superstep that it is within.
fn machines(log: &Log) -> Vec<Found> {
    let relation = Relation::new(log);
    let mut all: BTreeMap<u64, (Machine, Vec<Course>)> = BTreeMap::new();
    for processor in &log.processors {
        for machine in &processor.machines {
            let key = u64::from_str_radix(&machine.key, 16).expect("digits");
            assert_eq!(ProcessorId(machine.first + machine.pid), processor.number);
            let entry = all.entry(key).or_insert_with(|| (machine.clone(), Vec::new()));
            let reported = |candidate: &Machine| {
                (
                    candidate.key.clone(),
                    candidate.parent.clone(),
                    candidate.within,
                    candidate.first,
                    candidate.nprocs,
                )
            };
            assert_eq!(reported(&entry.0), reported(machine));
            let own =
                || processor.supersteps.iter().filter(|superstep| superstep.machine == machine.id);
            assert!(
                own().zip(1..).all(|(superstep, number)| superstep.number.get() == number),
                "{machine:?}"
            );
            let h = |superstep| relation.share(&machine.key, superstep, machine.pid).h();
            entry.1.push(
                own().map(|superstep| (superstep.ending, vec![h(superstep).get()])).collect(),
            );
            let Some(parent) =
                processor.machines.iter().find(|candidate| candidate.key == machine.parent)
            else {
                panic!("{machine:?} has no parent");
            };
            if machine.key == "0" {
                continue;
            }
            let find_superstep = |wanted: &dyn Fn(&cll_supersteps::Superstep) -> bool| {
                processor.supersteps.iter().position(wanted).expect("a superstep")
            };
            let around = find_superstep(&|superstep| {
                (superstep.machine, superstep.number.get()) == (parent.id, machine.within)
            });
            let last = find_superstep(&|superstep| {
                superstep.machine == machine.id && superstep.ending == AtEnd
            });
            assert!(last < around, "{machine:?}");
            let (inside, around) = (&processor.supersteps[last], &processor.supersteps[around]);
            let computed = around.start + around.computation;
            assert!(inside.end() <= computed + Seconds(1e-9), "a part is computation: {machine:?}");
        }
    }
    let merged = |(machine, courses): (Machine, Vec<Course>)| {
        assert_eq!(courses.len() as u32, machine.nprocs, "{machine:?}");
        let mut course = courses[0].clone();
        for other in &courses[1..] {
            assert_eq!(other.len(), course.len(), "{machine:?}");
            for (all, pair) in course.iter_mut().zip(other) {
                assert_eq!(all.0, pair.0, "{machine:?}");
                all.1.extend(&pair.1);
            }
        }
        ((machine.first, machine.nprocs), (machine.parent, machine.within), course)
    };
    all.into_values().map(merged).collect()
}

fn zeros(count: usize) -> Vec<u64> {
    vec![0; count]
}

fn whole_head(count: u32) -> ((u32, u32), (String, u64)) {
    ((0, count), ("0".to_owned(), 0))
}

fn within(first: u32, count: u32, superstep: u64) -> ((u32, u32), (String, u64)) {
    ((first, count), ("0".to_owned(), superstep))
}

/// A machine's heading without its supersteps.
fn head(machine: &Found) -> ((u32, u32), (String, u64)) {
    (machine.0, machine.1.clone())
}

/// Puts the halves of all into communicators 1.
fn halves(all: &mut [Rank]) {
    let half = all.len() as u32 / 2;
    for (rank, process) in (0u32..).zip(all) {
        let key = if rank < half { "a" } else { "b" };
        let first = (rank / half * half) as i32;
        process.communicators.push(communicator(1, key, rank % half, vec![(first, half, 1)]));
    }
}

#[test]
fn halves_have_supersteps_of_their_own() {
    let mut all = ranks(4);
    halves(&mut all);
    for (rank, process) in (0u64..).zip(&mut all) {
        process.call("Comm_split", &[0], 0, 10);
        // The second half has three supersteps, the first one has one, and nobody has an empty one.
        for _ in 0..1 + rank / 2 * 2 {
            process.call("Allreduce", &[1, 0, 32, 32], 100 * (rank + 1), 10);
        }
        process.call("Allreduce", &[0, 0, 8, 8], 50, 10).ends(0);
    }
    let (log, notes) = convert(&all).expect("supersteps");
    assert_eq!(notes, []);
    let machines = machines(&log);
    assert_eq!(machines.len(), 3);
    assert_eq!(head(&machines[0]), whole_head(4));
    let expected = [(Sync, zeros(4)), (Sync, vec![8; 4]), (AtEnd, zeros(4))];
    assert_eq!(machines[0].2, expected);
    let mut parts = machines[1..].to_vec();
    parts.sort_by_key(|part| part.0);
    let reduced = (Sync, vec![32; 2]);
    assert_eq!((head(&parts[0]), head(&parts[1])), (within(0, 2, 2), within(2, 2, 2)));
    assert_eq!(parts[0].2, [reduced.clone(), (AtEnd, zeros(2))]);
    assert_eq!(parts[1].2, [reduced.clone(), reduced.clone(), reduced, (AtEnd, zeros(2))]);
    // Rank 3: of three times 400 and 10 in the part, then 50.
    let around = &log.processors[3]
        .supersteps
        .iter()
        .find(|superstep| (superstep.machine, superstep.number.get()) == (0, 2));
    let computation = around.expect("it is there").computation.get();
    assert!((computation - (3.0 * 410e-9 + 50e-9)).abs() < 1.5e-9, "{computation}");
}

#[test]
fn rows_and_columns_of_a_grid_alternate() {
    // Of 2 x 3: rows are neighbours, columns are not.
    let mut all = ranks(6);
    for (rank, process) in (0u32..).zip(&mut all) {
        let (row, column) = (rank / 3, rank % 3);
        let (first, key) = ((row * 3) as i32, ["a", "b"][row as usize]);
        process.communicators.push(communicator(1, key, column, vec![(first, 3, 1)]));
        let key = ["c", "d", "e"][column as usize];
        process.communicators.push(communicator(2, key, row, vec![(column as i32, 2, 3)]));
        process.call("Comm_split", &[0], 0, 10).call("Comm_split", &[0], 0, 10);
        for _ in 0..4 {
            process.call("Allreduce", &[1, 0, 24, 24], 100, 10);
            process.call("Allreduce", &[2, 0, 16, 16], 100, 10);
        }
        process.ends(0);
    }
    let (log, notes) = convert(&all).expect("supersteps");
    let [Note::Scattered { communicators: 3, call }] = &notes[..] else { panic!("{notes:?}") };
    assert_eq!(call.call, "Allreduce");
    let machines = machines(&log);
    // Two rows in each round; the columns' supersteps are those of all, none of them empty.
    assert_eq!(machines.len(), 1 + 2 * 4);
    let column = (Oblivious, vec![16; 6]);
    let mut expected = vec![(Sync, zeros(6)); 2];
    expected.extend(vec![column; 4]);
    expected.push((AtEnd, zeros(6)));
    assert_eq!(machines[0].2, expected);
    for (index, part) in machines[1..].iter().enumerate() {
        assert_eq!(part.1, ("0".to_owned(), 3 + index as u64 / 2));
        assert_eq!(part.2, [(Sync, vec![24; 3]), (AtEnd, zeros(3))]);
    }
}

#[test]
fn only_those_who_take_part_have_supersteps() {
    // The first half works, with exchanges and reductions; the others wait for its result.
    let mut all = ranks(4);
    all[0].communicators.push(communicator(1, "a", 0, vec![(0, 2, 1)]));
    all[1].communicators.push(communicator(1, "a", 1, vec![(0, 2, 1)]));
    for rank in &mut all {
        rank.call("Comm_split", &[0], 0, 10);
    }
    for (rank, process) in (0i64..2).zip(&mut all) {
        process.call("Allreduce", &[1, 0, 8, 8], 100, 10);
        for _ in 0..5 {
            process.call("Sendrecv", &[1, 1 - rank, 0, 64, 1 - rank, 0, 64], 100, 10);
            process.call("Allreduce", &[1, 0, 8, 8], 100, 10);
        }
    }
    for (rank, process) in (0u32..).zip(&mut all) {
        process
            .call("Bcast", &if rank == 0 { [0, 1, 40, 0] } else { [0, 1, 0, 40] }, 0, 10)
            .ends(0);
    }
    let (log, notes) = convert(&all).expect("supersteps");
    assert_eq!(notes, []);
    let machines = machines(&log);
    assert_eq!(machines.len(), 2);
    assert_eq!(machines[0].2, [(Sync, zeros(4)), (Oblivious, vec![40; 4]), (AtEnd, zeros(4))]);
    let mut expected = vec![(Sync, vec![8; 2])];
    for _ in 0..5 {
        expected.extend([(Oblivious, vec![64; 2]), (Sync, vec![8; 2])]);
    }
    expected.push((AtEnd, zeros(2)));
    assert_eq!((head(&machines[1]), &machines[1].2), (within(0, 2, 2), &expected));
    let others = &log.processors[2].supersteps;
    assert_eq!(others.len(), 3, "{others:?}");
}

#[test]
fn parts_have_parts() {
    // A half has quarters: a reduction in each quarter, then in the half, twice; then in all.
    let mut all = ranks(8);
    halves(&mut all);
    for (rank, process) in (0u32..).zip(&mut all) {
        let key = ["c", "d", "e", "f"][rank as usize / 2];
        let first = (rank / 2 * 2) as i32;
        process.communicators.push(communicator(2, key, rank % 2, vec![(first, 2, 1)]));
        process.call("Barrier", &[1, 0, 0, 0], 10, 10);
        for _ in 0..2 {
            process.call("Allreduce", &[2, 0, 4, 4], 100, 10);
            process.call("Allreduce", &[1, 0, 16, 16], 100, 10);
        }
        process.call("Barrier", &[0, 0, 0, 0], 10, 10).ends(0);
    }
    let (log, notes) = convert(&all).expect("supersteps");
    assert_eq!(notes, []);
    let machines = machines(&log);
    assert_eq!(machines.len(), 1 + 2 + 2 * 4);
    let machines_of = |count: u32| {
        machines.iter().filter(move |machine| machine.0.1 == count).collect::<Vec<_>>()
    };
    for half in machines_of(4) {
        let reduced = (Sync, vec![16; 4]);
        assert_eq!(half.2, [(Sync, zeros(4)), reduced.clone(), reduced, (AtEnd, zeros(4))]);
        assert_eq!(half.1, ("0".to_owned(), 1));
    }
    let quarters = machines_of(2);
    assert_eq!(quarters.len(), 8);
    for quarter in quarters {
        assert_ne!(quarter.1.0, "0", "it is part of a half");
        assert!([2, 3].contains(&quarter.1.1), "{quarter:?}");
        assert_eq!(quarter.2, [(Sync, vec![4; 2]), (AtEnd, zeros(2))]);
    }
}

#[test]
fn who_stays_leaves_with_those_that_go() {
    // Leaders of the halves exchange something; the others go from one reduction of their half to its next.
    let mut all = ranks(4);
    halves(&mut all);
    for (rank, process) in (0i64..).zip(&mut all) {
        for _ in 0..3 {
            process.call(
                "Reduce",
                &[1, 1, i64::from(rank % 2 == 1) * 8, i64::from(rank % 2 == 0) * 8],
                100,
                10,
            );
            if rank % 2 == 0 {
                process.call("Sendrecv", &[0, 2 - rank, 0, 8, 2 - rank, 0, 8], 10, 10);
            }
            process.call(
                "Bcast",
                &[1, 1, i64::from(rank % 2 == 0) * 8, i64::from(rank % 2 == 1) * 8],
                0,
                30,
            );
        }
        process.ends(0);
    }
    let (log, notes) = convert(&all).expect("supersteps");
    assert_eq!(notes, []);
    let machines = machines(&log);
    // A part ends where its leader has to do with the other one. So there are a reduction, a broadcast with the next reduction, and so on.
    let leaders = (Oblivious, vec![8, 0, 8, 0]);
    let expected = [leaders.clone(), leaders.clone(), leaders, (AtEnd, zeros(4))];
    assert_eq!(machines[0].2, expected);
    assert_eq!(machines.len(), 1 + 2 * 4);
    let (single, both) = (vec![(Oblivious, vec![8; 2])], vec![(Oblivious, vec![8; 2]); 2]);
    for (index, part) in machines[1..].iter().enumerate() {
        let round = index / 2;
        assert_eq!(part.1.1, round as u64 + 1);
        let mut expected = if [0, 3].contains(&round) { single.clone() } else { both.clone() };
        expected.push((AtEnd, zeros(2)));
        assert_eq!(part.2, expected, "{round}");
    }
}

#[test]
fn communicators_that_overlap_are_never_within_one_superstep() {
    // 0-2 and 1-3, in turn.
    let mut all = ranks(4);
    for (rank, process) in (0u32..).zip(&mut all) {
        process.communicators.push(communicator(1, "a", rank, vec![(0, 3, 1)]));
        process.communicators.push(communicator(2, "b", rank.saturating_sub(1), vec![(1, 3, 1)]));
        for _ in 0..2 {
            if rank < 3 {
                process.call("Barrier", &[1, 0, 0, 0], 10, 10);
            }
            if rank > 0 {
                process.call("Barrier", &[2, 0, 0, 0], 10, 10);
            }
        }
        process.ends(0);
    }
    let (log, notes) = convert(&all).expect("supersteps");
    let [Note::Overlapping { times: 3, call }] = &notes[..] else { panic!("{notes:?}") };
    assert_eq!(call.call, "Barrier");
    let machines = machines(&log);
    let heads: Vec<_> = machines[1..].iter().map(head).collect();
    assert_eq!(heads, [within(0, 3, 1), within(1, 3, 2), within(0, 3, 3), within(1, 3, 4)]);
}

#[test]
fn what_was_sent_before_a_part_is_received_after_it() {
    let mut all = ranks(4);
    halves(&mut all);
    for (rank, process) in (0i64..).zip(&mut all) {
        for _ in 0..2 {
            let (next, before) = ((rank + 1) % 4, (rank + 3) % 4);
            let receipt = process.asks("Irecv", &[0, before, 5, 100]);
            let sent = process.asks("Isend", &[0, next, 5, 100]);
            process.call("Allreduce", &[1, 0, 8, 8], 100, 10).waits(&[receipt, sent], 10, 10);
        }
        process.ends(0);
    }
    let (log, notes) = convert(&all).expect("supersteps");
    assert_eq!(notes, []);
    let machines = machines(&log);
    let ring = (Oblivious, vec![100; 4]);
    assert_eq!(machines[0].2, [ring.clone(), ring, (AtEnd, zeros(4))]);
    assert_eq!(machines.len(), 1 + 2 * 2);
}

#[test]
fn reductions_that_nobody_waits_in_belong_to_what_their_processes_are_in() {
    let mut all = ranks(4);
    halves(&mut all);
    for rank in &mut all {
        // None has begun a part; then one has; then it is waited for outside.
        let reduced = rank.asks("Iallreduce", &[1, 0, 8, 8]);
        rank.waits(&[reduced], 100, 20);
        rank.call("Barrier", &[1, 0, 0, 0], 10, 10);
        let reduced = rank.asks("Iallreduce", &[1, 0, 16, 16]);
        rank.waits(&[reduced], 100, 20);
        let reduced = rank.asks("Iallreduce", &[1, 0, 24, 24]);
        rank.call("Barrier", &[0, 0, 0, 0], 10, 10);
        rank.waits(&[reduced], 100, 20).ends(0);
    }
    let (log, _) = convert(&all).expect("supersteps");
    let machines = machines(&log);
    assert_eq!(machines.len(), 3);
    let own: Vec<Vec<u64>> = machines[0].2.iter().map(|machine| machine.1.clone()).collect();
    // The last one was asked for in the part, and is waited for after it.
    assert_eq!(own, [vec![8; 4], zeros(4), vec![24; 4], zeros(4)]);
    for part in &machines[1..] {
        assert_eq!(part.1.1, 2);
        let (reduced, asked) = ((Oblivious, vec![16; 2]), (Oblivious, zeros(2)));
        assert_eq!(part.2, [(Sync, zeros(2)), reduced, asked, (AtEnd, zeros(2))]);
    }
}

#[test]
fn communicators_that_only_have_messages_are_told_to_be_none() {
    let mut all = ranks(4);
    halves(&mut all);
    for (rank, process) in (0i64..).zip(&mut all) {
        for _ in 0..3 {
            process.call("Sendrecv", &[1, 1 - rank % 2, 0, 8, 1 - rank % 2, 0, 8], 10, 10);
        }
        process.ends(0);
    }
    let (log, notes) = convert(&all).expect("supersteps");
    assert!(matches!(notes[..], [Note::Uncollected { communicators: 2, .. }]), "{notes:?}");
    assert!(notes[0].to_string().contains("no collective, only messages"), "{}", notes[0]);
    let machines = machines(&log);
    assert_eq!(machines.len(), 1);
    let exchange = (Oblivious, vec![8; 4]);
    assert_eq!(machines[0].2, [exchange.clone(), exchange.clone(), exchange, (AtEnd, zeros(4))]);
}

#[test]
fn a_process_that_dies_in_a_part_leaves_what_was_before() {
    let mut all = ranks(4);
    halves(&mut all);
    for (rank, process) in (0u32..).zip(&mut all) {
        for _ in 0..3 {
            process.call("Allreduce", &[1, 0, 8, 8], 10, 10);
        }
        match rank {
            0 => process.begin("Send", &[1, 1, 0, 8], None, 10),
            1 => process.begin("Recv", &[0, 2, 0, 8], None, 10),
            _ => process.ends(10),
        }
    }
    let (log, notes) = convert(&all).expect("supersteps");
    let [Note::Cut { ranks }] = &notes[..] else { panic!("{notes:?}") };
    assert_eq!(ranks.iter().map(|rank| rank.0).collect::<Vec<_>>(), [0, 1]);
    let parts: Vec<usize> =
        log.processors.iter().map(|processor| processor.machines.len()).collect();
    assert_eq!(parts, [2; 4]);
    let last = log.processors[3].supersteps.last().expect("one");
    assert_eq!((last.machine, last.ending), (0, AtEnd));
}

#[test]
fn logs_that_contradict_each_other_do_no_harm() {
    // Each says something else of who is in the communicator; 3 has no part in it.
    for contradicting in 0..4usize {
        let mut all = ranks(4);
        let members = [(0, 2, 1), (1, 2, 1), (2, 2, 1), (0, 2, 2)];
        for (rank, process) in (0u32..).zip(&mut all) {
            let group = if rank as usize == contradicting { 3 } else { rank as usize % 3 };
            process.communicators.push(communicator(1, "a", rank % 2, vec![members[group]]));
            process.communicators.push(communicator(2, "b", rank, vec![(0, 3, 1)]));
            for _ in 0..2 {
                if rank < 3 {
                    process.call("Allreduce", &[2, 0, 8, 8], 10, 10);
                }
                process.call("Allreduce", &[1, 0, 8, 8], 10, 10);
                process.call("Barrier", &[0, 0, 0, 0], 10, 10);
            }
            process.ends(10);
        }
        // What comes of it means nothing; it comes to an end.
        if let Ok((log, _)) = convert(&all) {
            assert!(log.processors.len() <= 4);
        }
    }
}

#[test]
fn more_parts_than_a_log_has_numbers_for_are_told() {
    let mut all = ranks(3);
    let rounds = 16_400;
    for (rank, process) in (0u32..).zip(&mut all) {
        if rank < 2 {
            process.communicators.push(communicator(1, "a", rank, vec![(0, 2, 1)]));
        }
        for _ in 0..rounds {
            if rank < 2 {
                process.call("Barrier", &[1, 0, 0, 0], 10, 10);
            }
            process.call("Barrier", &[0, 0, 0, 0], 10, 10);
        }
        process.ends(0);
    }
    let (log, notes) = convert(&all).expect("supersteps");
    assert!(matches!(notes[..], [Note::Crowded { .. }]), "{notes:?}");
    let machines: Vec<usize> =
        log.processors.iter().map(|processor| processor.machines.len()).collect();
    assert_eq!(machines, [16_383, 16_383, 1]);
    let superstep_count = |number: usize| {
        log.processors[number].supersteps.iter().filter(|superstep| superstep.machine == 0).count()
    };
    assert_eq!(superstep_count(0), superstep_count(2));
}
