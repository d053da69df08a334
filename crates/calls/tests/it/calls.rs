//! The log of calls of MPI from blocks made by hand.

use crate::support::opener;
use std::io::Cursor;

use crate::support::sealed;
use cll_calls::{Call, CallData, Calls, Overview, Summary, relate, unrecorded};
use cll_calls::{calls_csv, calls_json};
use cll_trace::layout::call::{
    Begun, CallRecord, CallWriter, Got, KIND_UNRECORDED, NOBODY, Op, unrecorded_entry,
};
use cll_trace::layout::{BlockHeader, HEADER_SIZE, KIND_CALLS, meta_block};
use cll_trace::meta::{Clock, Communicator, End, Meta, Module, Mpi, Point, Process};
use cll_units::{Bytes, Seconds};

/// A sealed block of calls of a thread.
fn block(thread: u32, sequence: u32, records: &[CallRecord]) -> Vec<u8> {
    let mut writer = CallWriter::new(1_000_000);
    records.iter().for_each(|record| writer.push(record));
    let header = BlockHeader {
        kind: KIND_CALLS,
        process: 1,
        thread,
        sequence,
        ticks_open: 1_000_000,
        mono_open: 1_000_000,
        ..BlockHeader::default()
    };
    sealed(header, &writer.finish(), 9_000_000)
}

fn tables(rank: u32, ranks: u32) -> Vec<u8> {
    let process = Process { format: 2, clock: Clock::Mono, pid: 1, ..Process::default() };
    let mpi = Mpi { library: "An MPI".into(), rank, ranks, ..Mpi::default() };
    let world = Communicator {
        key: "0".into(),
        made_by: "world".into(),
        rank,
        size: ranks,
        ranks: vec![(0, ranks, 1)],
        ..Communicator::default()
    };
    let module = Module { path: "/a/program".into(), ..Module::default() };
    let point = Point { path: vec![(0, 0x40)], ..Point::default() };
    let all = [
        Meta::Process(process),
        Meta::Mpi(mpi),
        Meta::Communicator(world),
        Meta::Module(module),
        Meta::Point(point),
        Meta::End(End::default()),
    ];
    meta_block(&all, BlockHeader { process: 1, ..BlockHeader::default() })
}

fn begun(name: &str, fields: &[i64], request: Option<u64>, start: u64) -> CallRecord {
    let mut all = [0; 7];
    all[..fields.len()].copy_from_slice(fields);
    let op = Op::named(name).expect("a call");
    let start = 1_000_000 + start;
    CallRecord::Begun(Begun { op, point: Some(0), fields: all, request, start })
}

fn returned(end: u64) -> CallRecord {
    CallRecord::Returned { end: 1_000_000 + end, got: None, new: None, error: 0 }
}

fn read(log: &[u8]) -> (Overview, Vec<Call>) {
    let overview = Overview::read(log).expect("a log");
    let mut calls = Calls::new(Box::new(Cursor::new(log)), &overview);
    let mut all = Vec::new();
    while let Some(call) = calls.next_call().expect("readable") {
        all.push(call);
    }
    drop(calls);
    (overview, all)
}

#[test]
fn nothing_goes_to_nobody() {
    let records = [
        begun("Send", &[0, 1, 7, 100], None, 0),
        returned(10),
        begun("Send", &[0, NOBODY, 7, 100], None, 20),
        returned(30),
        begun("Sendrecv", &[0, NOBODY, 7, 100, 1, 7, 50], None, 40),
        returned(50),
    ];
    let (_, calls) = read(&[tables(0, 2), block(0, 0, &records)].concat());
    let bytes: Vec<(u64, u64)> = calls
        .iter()
        .map(Call::bytes)
        .map(|(sent, received)| (sent.get(), received.get()))
        .collect();
    assert_eq!(bytes, [(100, 0), (0, 0), (0, 50)]);
}

#[test]
fn time_without_a_core_is_known_where_the_log_says_it() {
    let records = [
        begun("Barrier", &[0, 0, 0, 0], None, 0),
        returned(10),
        begun("Barrier", &[0, 0, 0, 0], None, 500_000),
        CallRecord::OffCore { ns: 400_000, ready_ns: Some(150_000) },
        returned(500_010),
        begun("Barrier", &[0, 0, 0, 0], None, 900_000),
        CallRecord::OffCore { ns: 300_000, ready_ns: None },
        returned(900_010),
    ];
    let off = |records: &[CallRecord], watched_ns: u64| {
        let mpi = Mpi { ranks: 1, watched_ns, ..Mpi::default() };
        let meta =
            meta_block(&[Meta::Mpi(mpi)], BlockHeader { process: 1, ..BlockHeader::default() });
        let (overview, calls) = read(&[tables(0, 1), meta, block(0, 0, records)].concat());
        assert!(overview.damage.is_empty(), "{:?}", overview.damage);
        let time_of = |call: &Call| {
            call.off_core.map(|off| {
                let ns = |time: Seconds| (time.get() * 1e9).round() as u64;
                (ns(off.time), off.ready.map(ns))
            })
        };
        calls.iter().map(time_of).collect::<Vec<_>>()
    };
    let known = [Some((0, Some(0))), Some((400_000, Some(150_000))), Some((300_000, None))];
    assert_eq!(off(&records, 100_000), known);
    // An older log says nothing of cores.
    assert_eq!(off(&[records[0], records[1]], 0), [None]);
}

#[test]
fn calls_without_records_are_counted_unless_the_log_is_of_an_earlier_version() {
    let log = |counted: bool, counts: &[(&str, u64)]| {
        let mpi = Mpi { ranks: 1, counted, ..Mpi::default() };
        let meta =
            meta_block(&[Meta::Mpi(mpi)], BlockHeader { process: 1, ..BlockHeader::default() });
        let mut payload = Vec::new();
        for (name, calls) in counts {
            let mut entry = unrecorded_entry(name).expect("a short name");
            entry[..8].copy_from_slice(&calls.to_le_bytes());
            payload.extend(entry);
        }
        let header = BlockHeader { kind: KIND_UNRECORDED, process: 1, ..BlockHeader::default() };
        let counts = if payload.is_empty() { payload } else { sealed(header, &payload, 9_000_000) };
        Overview::read(&[tables(0, 1), meta, counts].concat()[..]).expect("a log")
    };
    let totals = |overviews: &[Overview]| {
        let all = unrecorded(overviews)?.into_iter();
        Some(all.map(|unrecorded| (unrecorded.call, unrecorded.calls)).collect::<Vec<_>>())
    };
    let (overview, other) =
        (log(true, &[("MPI_Send_c", 2), ("MPI_Bcast_c", 4)]), log(true, &[("MPI_Send_c", 3)]));
    assert!(overview.damage.is_empty(), "{:?}", overview.damage);
    let expected = vec![("MPI_Send_c".to_owned(), 5), ("MPI_Bcast_c".to_owned(), 4)];
    assert_eq!(totals(&[overview.clone(), other]), Some(expected));
    assert_eq!(totals(&[log(true, &[])]), Some(Vec::new()));
    assert_eq!(totals(&[overview, log(false, &[])]), None);
}

#[test]
fn a_wait_says_which_request_it_completed_and_what_came() {
    let got = Some(Got { source: 1, tag: 5, bytes: 40 });
    let records = [
        begun("Irecv", &[0, -1, -1, 4096], Some(1), 0),
        returned(1000),
        begun("Wait", &[1], Some(1), 2000),
        returned(5000),
        CallRecord::Done { request: 1, got, cancelled: false },
    ];
    let log = [tables(0, 2), block(0, 0, &records)].concat();
    let (overview, calls) = read(&log);
    assert!(overview.damage.is_empty(), "{:?}", overview.damage);
    assert_eq!((calls.len(), calls[0].op.name(), calls[0].request), (2, "Irecv", Some(1)));
    // What has come is known when it has.
    assert_eq!((calls[0].bytes(), calls[1].bytes()), ((Bytes(0), Bytes(0)), (Bytes(0), Bytes(40))));
    let done = &calls[1].done[0];
    assert_eq!((done.origin.expect("the receipt").op.name(), done.got), ("Irecv", got));
    assert_eq!(calls[1].what, CallData::Requests { count: 1, first: Some(1) });
    assert!((calls[1].time().unwrap().get() - 3e-6).abs() < 1e-12);
    assert!((calls[1].start.get() - 2e-6).abs() < 1e-12);
}

#[test]
fn a_call_that_never_returned_is_there() {
    let log = [tables(0, 2), block(0, 0, &[begun("Recv", &[0, 1, 7, 8], None, 10)])].concat();
    let calls = read(&log).1;
    assert_eq!((calls[0].op.name(), calls[0].end), ("Recv", None));
    // What it asked for has not come.
    assert_eq!(calls[0].bytes(), (Bytes(0), Bytes(0)));
    let mut overviews = vec![Overview::read(&log[..]).unwrap()];
    let summary =
        Summary::new(&mut overviews, &mut |_| Ok(Box::new(Cursor::new(&log[..])))).unwrap();
    assert_eq!(summary.by_rank[0].inside[0].call, "MPI_Recv");
    assert!(!summary.by_rank[0].finalized);
}

#[test]
fn what_a_request_receives_counts_when_it_is_complete() {
    let records = [
        begun("Iallreduce", &[0, 0, 80, 80], Some(1), 0),
        returned(10),
        begun("Irecv", &[0, 1, 7, 8], Some(2), 20),
        returned(30),
        begun("Wait", &[1], Some(1), 40),
        returned(50),
        CallRecord::Done { request: 1, got: None, cancelled: false },
        begun("Sendrecv", &[0, 1, 7, 100, 1, 7, 50], None, 60),
        CallRecord::Returned { end: 1_000_070, got: None, new: None, error: 15 },
        begun("Wait", &[1], Some(2), 80),
    ];
    let (_, calls) = read(&[tables(0, 2), block(0, 0, &records)].concat());
    let bytes: Vec<(u64, u64)> = calls
        .iter()
        .map(Call::bytes)
        .map(|(sent, received)| (sent.get(), received.get()))
        .collect();
    assert_eq!(bytes, [(80, 0), (0, 0), (0, 80), (0, 0), (0, 0)]);
}

#[test]
fn calls_of_several_threads_come_in_the_order_of_time() {
    // A thread waits for what another one has asked for, and its block stands before that one's.
    let asks = [begun("Irecv", &[0, 1, 7, 40], Some(1), 100), returned(200)];
    let waits = [
        begun("Wait", &[1], Some(1), 300),
        returned(900),
        CallRecord::Done { request: 1, got: None, cancelled: false },
    ];
    let later = [begun("Barrier", &[0, 0, 0, 0], None, 950), returned(1000)];
    let log = [tables(0, 1), block(1, 0, &waits), block(0, 1, &later), block(0, 0, &asks)].concat();
    let calls = read(&log).1;
    let names: Vec<&str> = calls.iter().map(|call| call.op.name()).collect();
    assert_eq!(names, ["Irecv", "Wait", "Barrier"]);
    assert_eq!((calls[0].bytes(), calls[1].bytes()), ((Bytes(0), Bytes(0)), (Bytes(0), Bytes(40))));
}

#[test]
fn time_in_mpi_is_a_share_of_the_time_of_all_threads() {
    let busy = |from: u64| {
        let records = [
            begun("Barrier", &[0, 0, 0, 0], None, from),
            returned(from + 800),
            begun("Recv", &[0, 1, 7, 8], None, 1000),
        ];
        records.to_vec()
    };
    let log = [tables(0, 2), block(0, 0, &busy(0)), block(1, 0, &busy(100))].concat();
    let mut overviews = vec![Overview::read(&log[..]).unwrap()];
    let summary =
        Summary::new(&mut overviews, &mut |_| Ok(Box::new(Cursor::new(&log[..])))).unwrap();
    let rank = &summary.by_rank[0];
    let ns = [rank.time, rank.thread, rank.mpi].map(Seconds::get);
    assert_eq!(ns.map(|s| (s * 1e9).round()), [1000.0, 2000.0, 1600.0]);
    // Both threads are in a call.
    let inside: Vec<(u32, &str)> =
        rank.inside.iter().map(|inside| (inside.thread, inside.call.as_str())).collect();
    assert_eq!((rank.threads, inside), (2, vec![(0, "MPI_Recv"), (1, "MPI_Recv")]));
}

#[test]
fn blocks_come_in_any_order_and_a_missing_one_is_told() {
    let send =
        |start: u64| [begun("Send", &[0, 1, 0, start as i64], None, start), returned(start + 5)];
    let blocks: Vec<Vec<u8>> = (0..4).map(|i| block(0, i, &send(100 * u64::from(i) + 1))).collect();
    // The last one stands first in a process's own file, and its copy again behind.
    let log = [&tables(0, 2), &blocks[3], &blocks[0], &blocks[1], &blocks[2], &blocks[3]];
    let log: Vec<u8> = log.into_iter().flatten().copied().collect();
    let (overview, calls) = read(&log);
    let sent: Vec<u64> = calls.iter().map(|call| call.bytes().0.get()).collect();
    assert_eq!((sent, overview.damage.len()), (vec![1, 101, 201, 301], 0));
    let log = [&tables(0, 2), &blocks[3], &blocks[0], &blocks[2]];
    let log: Vec<u8> = log.into_iter().flatten().copied().collect();
    let (overview, calls) = read(&log);
    assert_eq!(calls.len(), 3);
    let reported = overview.damage[0].to_string();
    assert_eq!(reported, "block 1 of thread 0 of process 1 is missing");
}

#[test]
fn damage_and_rubbish_are_told_and_the_rest_is_read() {
    let good = block(0, 0, &[begun("Barrier", &[0, 0, 0, 0], None, 0), returned(10)]);
    let mut bad = block(0, 1, &[begun("Barrier", &[0, 0, 0, 0], None, 20), returned(30)]);
    bad[HEADER_SIZE + 1] ^= 0x40;
    let log = [tables(0, 1), good.clone(), bad].concat();
    let (overview, calls) = read(&log);
    assert_eq!(calls.len(), 1);
    assert!(
        overview.damage[0].to_string().contains("the calls of thread 0"),
        "{:?}",
        overview.damage
    );
    // Every cut is survived.
    let bytes = [tables(0, 1), good].concat();
    for length in 1..bytes.len() {
        if let Ok(overview) = Overview::read(&bytes[..length]) {
            let mut calls = Calls::new(Box::new(Cursor::new(&bytes[..length])), &overview);
            while calls.next_call().expect("readable").is_some() {}
        }
    }
    // A payload that was never sealed and holds what is no record.
    let mut open = block(0, 1, &[begun("Barrier", &[0, 0, 0, 0], None, 20), returned(30)]);
    open[6] = 0;
    open[48..72].fill(0);
    open[HEADER_SIZE] = 15;
    let (overview, calls) = read(&[bytes, open].concat());
    assert_eq!(calls.len(), 1);
    let reported =
        overview.damage.iter().any(|damage| damage.to_string().contains("ends within a record"));
    assert!(reported, "{:?}", overview.damage);
}

/// Two ranks: the first receives 300 ns before the second sends, both meet in a barrier 50 ns apart.
fn two() -> [Vec<u8>; 2] {
    let records = [
        begun("Recv", &[0, 1, 7, 80], None, 100),
        returned(500),
        begun("Barrier", &[0, 0, 0, 0], None, 600),
        returned(700),
    ];
    let other = [
        begun("Send", &[0, 0, 7, 80], None, 400),
        returned(450),
        begun("Barrier", &[0, 0, 0, 0], None, 650),
        returned(700),
    ];
    [[tables(0, 2), block(0, 0, &records)].concat(), [tables(1, 2), block(0, 0, &other)].concat()]
}

#[test]
fn waiting_is_known_where_both_sides_are() {
    let logs = two();
    let mut overviews: Vec<Overview> =
        logs.iter().map(|log| Overview::read(&log[..]).unwrap()).collect();
    let summary = Summary::new(&mut overviews, &mut opener(&logs)).unwrap();
    let total_of = |name: &str| summary.by_call.iter().find(|total| total.call == name).unwrap();
    assert!((total_of("MPI_Recv").waiting.get() - 300e-9).abs() < 1e-12, "{summary:?}");
    assert!((total_of("MPI_Barrier").waiting.get() - 50e-9).abs() < 1e-12, "{summary:?}");
    assert_eq!((total_of("MPI_Send").sent, total_of("MPI_Recv").received), (Bytes(80), Bytes(80)));
    assert_eq!(
        (total_of("MPI_Send").waiting, summary.unreceived, summary.calls),
        (Seconds::ZERO, 0, 4)
    );
    assert!((summary.by_rank[0].waiting.get() - 350e-9).abs() < 1e-12);
}

#[test]
fn a_call_waits_as_long_as_for_the_last_that_it_waits_for() {
    let records = [
        begun("Irecv", &[0, 1, 7, 8], Some(1), 10),
        returned(11),
        begun("Irecv", &[0, 1, 8, 8], Some(2), 20),
        returned(21),
        begun("Waitall", &[2], Some(1), 100),
        returned(900),
        CallRecord::Done { request: 1, got: None, cancelled: false },
        CallRecord::Done { request: 2, got: None, cancelled: false },
    ];
    let other = [
        begun("Send", &[0, 0, 7, 8], None, 300),
        returned(310),
        begun("Send", &[0, 0, 8, 8], None, 600),
        returned(610),
    ];
    let logs = [
        [tables(0, 2), block(0, 0, &records)].concat(),
        [tables(1, 2), block(0, 0, &other)].concat(),
    ];
    let mut overviews: Vec<Overview> =
        logs.iter().map(|log| Overview::read(&log[..]).unwrap()).collect();
    let summary = Summary::new(&mut overviews, &mut opener(&logs)).unwrap();
    assert!((summary.by_rank[0].waiting.get() - 500e-9).abs() < 1e-12, "{:?}", summary.by_rank[0]);
}

#[test]
fn calls_are_exported_as_rows() {
    let logs = two();
    let mut overviews: Vec<Overview> =
        logs.iter().map(|log| Overview::read(&log[..]).unwrap()).collect();
    relate(&mut overviews);
    let mut csv = Vec::new();
    calls_csv(&overviews, &mut opener(&logs), &mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 5, "{csv}");
    assert!(lines[0].starts_with("rank,thread,call,start_s,time_s"), "{csv}");
    assert!(lines[1].starts_with("0,0,MPI_Recv,") && lines[1].contains(",/a/program,40,"), "{csv}");
    let mut json = Vec::new();
    calls_json(&overviews, &mut opener(&logs), &mut json).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["calls"].as_array().unwrap().len(), 4);
    assert_eq!(json["calls"][2]["call"], "MPI_Send");
    assert_eq!(json["calls"][2]["bytes_sent"], 80);
    assert_eq!(json["processes"][1]["rank"], 1);
}

#[test]
fn the_documentation_numbers_the_calls_as_they_are() {
    let text = include_str!("../../../../docs/formats/trace.md");
    let (_, list) = text.split_once("| from | class | calls").expect("the table");
    let mut number = 16;
    for row in list.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(cells[1].parse(), Ok(number), "{row}");
        for name in cells[3].split(", ") {
            let op = Op::of_number(number).expect("a call");
            let star = if op.has_request() { "\\*" } else { "" };
            assert_eq!(name, format!("`{}`{star}", op.name()));
            assert_eq!(cells[2], format!("{:?}", op.class()).to_lowercase());
            number += 1;
        }
    }
    assert_eq!(usize::from(number), 16 + Op::all().count());
}

#[test]
fn an_export_without_calls_names_the_columns() {
    let mut csv = Vec::new();
    calls_csv(&[], &mut |_| Ok(Box::new(Cursor::new(&[][..]))), &mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    assert!(csv.starts_with("rank,thread,call,start_s,time_s"), "{csv}");
    assert_eq!(csv.lines().count(), 1);
}
