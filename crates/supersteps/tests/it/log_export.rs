//! Supersteps exported record by record are those of the log in memory.

use std::collections::BTreeMap;

use crate::support::sealed;
use cll_supersteps::LogExport;
use cll_supersteps::{Relation, stored};
use cll_trace::layout::{
    BlockHeader, KIND_SUPERSTEPS, SUPERSTEP_END, SuperstepRecord, TrafficRecord, meta_block,
};
use cll_trace::meta::{Clock, Machine, Meta, Process};
use proptest::prelude::*;

/// Partner, sent, got.
type Requested = Vec<(u32, u64, u64)>;

/// A part's supersteps of one processor before that of the whole machine, with what it requested in each.
#[derive(Clone, Debug)]
struct Written {
    part: u32,
    /// The traffic of the part and of the whole.
    steps: Vec<(Requested, Requested)>,
    /// A block that is lost.
    lost: Option<usize>,
}

/// The blocks of a processor: of `nprocs` the first `half` are one part, the others another.
fn blocks(number: u32, nprocs: u32, half: u32, written: &Written) -> Vec<u8> {
    let header = BlockHeader {
        process: 1 + number,
        mono_open: 1000,
        ticks_open: 1000,
        ..Default::default()
    };
    let process = Process { format: 2, clock: Clock::Mono, pid: 1 + number, ..Process::default() };
    let full_machine = Machine {
        processor: number,
        key: "0".into(),
        parent: "0".into(),
        nprocs,
        pid: number,
        ..Machine::default()
    };
    let (key, first, count) =
        if number < half { ("a", 0, half) } else { ("b", half, nprocs - half) };
    let part = Machine {
        id: 1,
        key: key.into(),
        within: 1,
        first,
        nprocs: count,
        pid: number - first,
        ..full_machine.clone()
    };
    let mut out = meta_block(
        &[Meta::Process(process), Meta::Machine(full_machine), Meta::Machine(part)],
        header,
    );
    let mut now = 1000;
    let mut set = 0;
    for (sequence, (inside, around)) in written.steps.iter().enumerate() {
        let mut payload = Vec::new();
        let mut step =
            |machine: u16, number: u32, asked: &[(u32, u64, u64)], nprocs: u32, flags: u16| {
                set += 1;
                payload.extend(SuperstepRecord::head(set, asked.len() as u32).encode());
                for &(partner, sent, got) in asked {
                    payload.extend(
                        TrafficRecord { partner: partner % nprocs, requests: 1, sent, got }
                            .encode(),
                    );
                }
                let (start, entered, end) = (now, now + 10, now + 30);
                now = end;
                let record = SuperstepRecord {
                    start,
                    entered,
                    end,
                    number,
                    machine,
                    traffic: set,
                    flags,
                    ..Default::default()
                };
                payload.extend(record.encode());
            };
        for index in 0..written.part {
            step(1, sequence as u32 * written.part + index + 1, inside, count, 0);
        }
        let flags = if sequence + 1 == written.steps.len() { SUPERSTEP_END } else { 0 };
        step(0, sequence as u32 + 1, around, nprocs, flags);
        let header = BlockHeader {
            kind: KIND_SUPERSTEPS,
            thread: number,
            sequence: sequence as u32,
            ..header
        };
        if written.lost != Some(sequence) {
            out.extend(sealed(header, &payload, now));
        }
    }
    out
}

fn written() -> impl Strategy<Value = Written> {
    let asked = || prop::collection::vec((0u32..8, 0u64..100, 0u64..100), 0..3);
    let steps = prop::collection::vec((asked(), asked()), 1..12);
    // Of different lengths: some processors are far ahead of others.
    (0u32..40, steps, prop::option::weighted(0.2, 0usize..12))
        .prop_map(|(part, steps, lost)| Written { part, steps, lost })
}

/// By machine, superstep and processor of the program: requests, sent, received.
type Shares = BTreeMap<(String, u64, u32), (u64, u64, u64)>;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn both_directions_are_those_of_the_whole_log(written in prop::collection::vec(written(), 1..6), half in 1u32..5) {
        let nprocs = written.len() as u32;
        let half = half.min(nprocs);
        let bytes: Vec<u8> =
            (0u32..).zip(&written).flat_map(|(number, one)| blocks(number, nprocs, half, one)).collect();
        let whole = cll_supersteps::read(&bytes[..]).unwrap();
        let relation = Relation::new(&whole);
        let mut expected = Shares::new();
        for processor in &whole.processors {
            for superstep in &processor.supersteps {
                let machine = processor.machine(superstep.machine).unwrap();
                let share = relation.share(&machine.key, superstep, machine.pid);
                let key = (machine.key.clone(), superstep.number.get(), processor.number.get());
                expected.insert(key, (share.requests, share.sent.get(), share.received.get()));
            }
        }
        let logs = [stored(&bytes).unwrap()];
        let export = LogExport::new(&logs).unwrap();
        let mut json = Vec::new();
        export.json(&mut json).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        let mut found = Shares::new();
        for row in json["supersteps"].as_array().unwrap() {
            let number = |name: &str| row[name].as_u64().unwrap();
            let machine = row["machine"].as_str().unwrap().to_owned();
            let is_part = machine != "0";
            prop_assert_eq!(row["parent"].as_str().unwrap(), if is_part { "0" } else { "" });
            prop_assert_eq!(row["within"].as_u64(), is_part.then_some(1));
            let key = (machine, number("superstep"), number("of_program") as u32);
            found.insert(key, (number("requests"), number("bytes_sent"), number("bytes_received")));
        }
        prop_assert_eq!(found, expected);
        let mut csv = Vec::new();
        export.csv(&mut csv).unwrap();
        let rows = String::from_utf8(csv).unwrap().lines().count() - 1;
        prop_assert_eq!(rows, json["supersteps"].as_array().unwrap().len());
    }
}

/// The only block of the log is lost.
#[test]
fn a_log_without_supersteps_names_the_columns() {
    let written =
        Written { part: 0, steps: vec![(Requested::new(), Requested::new())], lost: Some(0) };
    let bytes = blocks(0, 1, 1, &written);
    let logs = [stored(&bytes).unwrap()];
    let export = LogExport::new(&logs).unwrap();
    assert!(export.is_empty());
    let mut csv = Vec::new();
    export.csv(&mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    assert!(csv.starts_with("machine,superstep,processor,processors,of_program,ending"), "{csv}");
    assert!(csv.ends_with(",parent,within\n"), "{csv}");
    assert_eq!(csv.lines().count(), 1);
}
