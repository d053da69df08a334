//! The superstep log from blocks made by hand.

use crate::support::sealed;
use cll_supersteps::{Ending, Log, Relation};
use cll_trace::layout::{
    BlockHeader, KIND_SUPERSTEPS, SUPERSTEP_END, SUPERSTEP_OBLIVIOUS, SuperstepRecord,
    TrafficRecord, UNKNOWN_MACHINE, meta_block,
};
use cll_trace::meta::{Clock, Machine, Meta, Point, Process};

/// A sealed block of supersteps of a processor.
fn block(processor: u32, sequence: u32, payload: &[u8]) -> Vec<u8> {
    let header = BlockHeader {
        kind: KIND_SUPERSTEPS,
        process: 1,
        thread: processor,
        sequence,
        ticks_open: 1_000_000,
        mono_open: 1_000_000,
        ..BlockHeader::default()
    };
    sealed(header, payload, 2_000_000)
}

fn tables(processors: u32) -> Vec<u8> {
    let process = Process { format: 2, clock: Clock::Mono, pid: 1, ..Process::default() };
    let mut all = vec![Meta::Process(process)];
    for processor in 0..processors {
        let (key, nprocs) = ("0".to_owned(), processors);
        let parent = key.clone();
        let machine =
            Machine { processor, key, parent, nprocs, pid: processor, ..Machine::default() };
        all.push(Meta::Machine(machine));
        let point = Point { processor, id: 0, file: "a.c".into(), line: 7, path: vec![(0, 64)] };
        all.push(Meta::Point(point));
    }
    meta_block(&all, BlockHeader { process: 1, ..BlockHeader::default() })
}

fn superstep(number: u32, traffic: u32) -> SuperstepRecord {
    let start = 1_000_000 + 1000 * u64::from(number % 1000);
    let (entered, end, waiting) = (start + 500, start + 900, 300.0);
    SuperstepRecord { start, entered, end, waiting, number, traffic, ..SuperstepRecord::default() }
}

fn set(number: u32, entries: &[TrafficRecord]) -> Vec<u8> {
    let mut bytes = SuperstepRecord::head(number, entries.len() as u32).encode().to_vec();
    entries.iter().for_each(|entry| bytes.extend_from_slice(&entry.encode()));
    bytes
}

fn read(bytes: &[u8]) -> Log {
    cll_supersteps::read(bytes).expect("a log")
}

#[test]
fn times_endings_and_places_come_back() {
    let mut payload = superstep(1, 0).encode().to_vec();
    let oblivious = SuperstepRecord { flags: SUPERSTEP_OBLIVIOUS, ..superstep(2, 0) };
    payload.extend(oblivious.encode());
    let end = SuperstepRecord { flags: SUPERSTEP_END, point: u16::MAX, ..superstep(3, 0) };
    payload.extend(end.encode());
    let log = read(&[tables(1), block(0, 0, &payload)].concat());
    assert_eq!(log.damage, []);
    let processor = &log.processors[0];
    let endings: Vec<Ending> =
        processor.supersteps.iter().map(|superstep| superstep.ending).collect();
    assert_eq!(endings, [Ending::Sync, Ending::Oblivious, Ending::End]);
    let first = &processor.supersteps[0];
    assert!((first.start.get() - 1e-6).abs() < 1e-12);
    assert!((first.computation.get() - 500e-9).abs() < 1e-15);
    assert!((first.waiting.get() - 300e-9).abs() < 1e-15);
    assert!((first.communication.get() - 100e-9).abs() < 1e-15);
    assert_eq!(
        processor.point(first).map(|point| (point.line, &*point.path)),
        Some((7, &[(0, 64)][..]))
    );
    assert_eq!(processor.point(&processor.supersteps[2]), None);
}

#[test]
fn numbers_go_on_beyond_the_half_that_is_recorded() {
    let numbers = [u32::MAX - 1, u32::MAX, 0, 1];
    let payload: Vec<u8> =
        numbers.iter().flat_map(|&number| superstep(number, 0).encode()).collect();
    let log = read(&[tables(1), block(0, 0, &payload)].concat());
    let found: Vec<u64> =
        log.processors[0].supersteps.iter().map(|superstep| superstep.number.get()).collect();
    let base = u64::from(u32::MAX);
    assert_eq!(found, [base - 1, base, base + 1, base + 2]);
}

#[test]
fn supersteps_of_machines_that_no_table_has_keep_their_numbers() {
    let record_of = |number| SuperstepRecord { machine: UNKNOWN_MACHINE, ..superstep(number, 0) };
    let payload: Vec<u8> =
        [5, 1, 2, 1].iter().flat_map(|&number| record_of(number).encode()).collect();
    let log = read(&[tables(1), block(0, 0, &payload)].concat());
    let processor = &log.processors[0];
    let found: Vec<u64> =
        processor.supersteps.iter().map(|superstep| superstep.number.get()).collect();
    assert_eq!(found, [5, 1, 2, 1]);
    assert!(
        processor.supersteps.iter().all(|superstep| processor.machine(superstep.machine).is_none())
    );
}

#[test]
fn both_directions_follow_from_what_each_requested() {
    let entry = |partner, sent, got| TrafficRecord { partner, requests: 1, sent, got };
    // Processor 0 puts 100 to 1, gets 10 from 2, sends 5 to itself; 1 gets 7 from 0, in two parts
    // of a set.
    let zero = [set(0, &[entry(0, 5, 0), entry(1, 100, 0)]), set(0, &[entry(2, 0, 10)])].concat();
    let bytes = [
        tables(3),
        block(0, 0, &[zero, superstep(1, 0).encode().to_vec()].concat()),
        block(1, 0, &[set(9, &[entry(0, 0, 7)]), superstep(1, 9).encode().to_vec()].concat()),
        block(2, 0, &superstep(1, 0).encode()),
    ]
    .concat();
    let log = read(&bytes);
    let relation = Relation::new(&log);
    let share = |pid: u32| {
        let share = relation.share("0", &log.processors[pid as usize].supersteps[0], pid);
        (share.sent.get(), share.received.get(), share.h().get())
    };
    assert_eq!(share(0), (107, 10, 107));
    assert_eq!(share(1), (0, 107, 107));
    assert_eq!(share(2), (10, 0, 10));
}

#[test]
fn what_is_missing_is_reported_and_the_rest_is_read() {
    let record = superstep(1, 0).encode();
    // A block that ends within a record, one that is missing, one that is there twice.
    let cut = [&record[..], &record[..17]].concat();
    let bytes = [
        tables(1),
        block(0, 0, &cut),
        block(0, 2, &superstep(2, 0).encode()),
        block(0, 2, &superstep(9, 0).encode()),
    ]
    .concat();
    let log = read(&bytes);
    let reported: Vec<String> = log.damage.iter().map(ToString::to_string).collect();
    assert_eq!(reported.len(), 2, "{reported:?}");
    let numbers: Vec<u64> =
        log.processors[0].supersteps.iter().map(|superstep| superstep.number.get()).collect();
    assert_eq!(numbers, [1, 2]);
    // A head that promises more entries than there are.
    let short = SuperstepRecord::head(3, 1 << 30).encode();
    let log = read(&[tables(1), block(0, 0, &[&record[..], &short].concat())].concat());
    assert_eq!((log.damage.len(), log.processors[0].supersteps.len()), (1, 1));
}

#[test]
fn a_log_cut_or_damaged_anywhere_is_read_as_far_as_it_goes() {
    let mut bytes = tables(2);
    for sequence in 0..3 {
        for processor in 0..2 {
            let payload: Vec<u8> =
                (1..20).flat_map(|number| superstep(number, 0).encode()).collect();
            bytes.extend(block(processor, sequence, &payload));
        }
    }
    for position in 0..bytes.len() {
        if let Ok(log) = cll_supersteps::read(&bytes[..position]) {
            assert!(log.processors.iter().all(|processor| processor.supersteps.len() <= 57));
        }
        let mut damaged = bytes.clone();
        damaged[position] ^= 0x55;
        // One block at most is lost.
        let log = read(&damaged);
        let count: usize = log.processors.iter().map(|processor| processor.supersteps.len()).sum();
        assert!(count >= 5 * 19, "{count} at {position}");
    }
}

#[test]
fn samples_and_supersteps_do_not_see_each_other() {
    let bytes = [tables(1), block(0, 0, &superstep(1, 0).encode())].concat();
    let trace = cll_trace::read(&bytes[..]).expect("a trace");
    assert_eq!((trace.samples, trace.unknown_blocks), (0, 0));
    assert!(read(&tables(1)).is_empty());
}
