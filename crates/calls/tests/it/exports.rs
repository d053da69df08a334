//! Runs for simulators and viewers.

use crate::support::opener;
use std::collections::BTreeMap;

use cll_calls::{Overview, chrome, goal, time_independent};
use serde_json::Value;

use crate::support::ranks::{Rank, ranks};

fn logs(all: &[Rank]) -> (Vec<Vec<u8>>, Vec<Overview>) {
    let count = all.len() as u32;
    let logs: Vec<Vec<u8>> = (0..count).map(|rank| all[rank as usize].log(rank, count)).collect();
    let overviews = logs.iter().map(|log| Overview::read(&log[..]).expect("a log")).collect();
    (logs, overviews)
}

/// The values that each rank sends in an uneven collective, and that come to it; the root's are those of all others.
const PARTS: [i64; 4] = [100, 20, 3000, 7];

fn uneven() -> Vec<Rank> {
    let mut all = ranks(4);
    let sum: i64 = PARTS.iter().sum();
    for (rank, process) in all.iter_mut().enumerate() {
        let own = PARTS[rank];
        let rest = sum - own;
        for root in 0..4 {
            let is_root = rank as i64 == root;
            process.call(
                "Scatterv",
                &[0, root + 1, if is_root { rest } else { 0 }, if is_root { 0 } else { own }],
                5,
                5,
            );
            process.call(
                "Gatherv",
                &[0, root + 1, if is_root { 0 } else { own }, if is_root { rest } else { 0 }],
                5,
                5,
            );
        }
        process.call("Allgatherv", &[0, 0, own, rest], 5, 5);
        process.call("Alltoallv", &[0, 0, 3 * own, rest], 5, 5);
        process.call("Reduce_scatter", &[0, 0, rest, own], 5, 5);
        process.ends(5);
    }
    all
}

/// Sizes by sender, receiver and tag, in the order of sending and of receiving.
type Sides = BTreeMap<(u32, u32, u64), [Vec<i64>; 2]>;

#[test]
fn both_sides_of_a_message_of_an_uneven_collective_have_its_size() {
    let (logs, mut overviews) = logs(&uneven());
    let mut open = opener(&logs);
    let mut out = Vec::new();
    time_independent(&mut overviews, &mut open, 1e9, &mut out).expect("a trace");
    let mut sides = Sides::new();
    for line in String::from_utf8(out).expect("text").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |index: usize| words[index].parse::<u32>().expect("a number");
        let (pair, side) = match words[1] {
            "send" | "isend" => ((number(0), number(2)), 0),
            "recv" | "irecv" => ((number(2), number(0)), 1),
            _ => continue,
        };
        let (tag, bytes) = (words[3].parse().expect("a tag"), words[4].parse().expect("a size"));
        sides.entry((pair.0, pair.1, tag)).or_default()[side].push(bytes);
    }
    assert_eq!(sides.len(), 12);
    for ((from, to, _), [sent, received]) in &sides {
        assert_eq!(sent, received, "{from} to {to}");
        let (own, other) = (PARTS[*from as usize], PARTS[*to as usize]);
        // Scattered by the sender, gathered by the receiver, gathered by all, a third of what it sends to all.
        for bytes in [other, own] {
            assert!(sent.contains(&bytes), "{from} to {to}: {sent:?}");
        }
        assert!(
            sent.iter().filter(|&&bytes| bytes == own).count() >= 2,
            "{from} to {to}: {sent:?}"
        );
    }
    let mut program = Vec::new();
    goal(&mut overviews, &mut open, &mut program).expect("a program");
    let program = String::from_utf8(program).expect("text");
    let sum = |word: &str| -> i64 {
        let sizes = program.lines().filter_map(|line| {
            let mut words = line.split(' ').skip_while(|&text| text != word);
            words.nth(1)?.strip_suffix('b')?.parse::<i64>().ok()
        });
        sizes.sum()
    };
    assert!(sum("send") > 10_000);
    assert_eq!(sum("send"), sum("recv"));
}

#[test]
fn collectives_of_one_size_are_as_before() {
    let mut all = ranks(3);
    for (rank, process) in all.iter_mut().enumerate() {
        let (out, into) = if rank == 1 { (16, 0) } else { (0, 8) };
        process.call("Scatter", &[0, 2, out, into], 5, 5);
        process.call("Allgather", &[0, 0, 8, 16], 5, 5);
        process.call("Alltoall", &[0, 0, 80, 80], 5, 5);
        process.call("Allreduce", &[0, 0, 24, 24], 5, 5).ends(0);
    }
    let (logs, mut overviews) = logs(&all);
    let mut out = Vec::new();
    let mut open = opener(&logs);
    time_independent(&mut overviews, &mut open, 1e9, &mut out).expect("a trace");
    let text = String::from_utf8(out).expect("text");
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for line in text.lines().filter(|line| line.contains("recv")) {
        *sizes.entry(line.rsplit(' ').next().expect("a size")).or_default() += 1;
    }
    // Two parts, two rounds of three of 8 and of 40 bytes; two rounds of dissemination.
    assert_eq!(sizes, BTreeMap::from([("8", 2 + 6), ("40", 6), ("24", 6)]));
}

/// A slice: begin, end, name.
type Slice<'a> = (f64, f64, &'a str);

/// An arrow's end: process, thread, time.
fn end(event: &Value) -> (u64, u64, f64) {
    let number = |name: &str| event[name].as_u64().expect("a number");
    (number("pid"), number("tid"), event["ts"].as_f64().expect("a time"))
}

#[test]
fn arrows_begin_and_end_inside_of_slices_however_many_there_are() {
    // Calls follow each other without a gap, some take no time.
    let mut all = ranks(2);
    let rounds = if test_draw::is_full() { 50_000 } else { 5_000 };
    for round in 0..rounds {
        let takes = round % 3;
        all[0].call("Send", &[0, 1, 1, 8], 0, takes).call("Recv", &[0, 1, 2, 8], 0, 1 + takes);
        let request = all[1].asks("Irecv", &[0, 0, 1, 8]);
        all[1].waits(&[request], 0, 1 + takes).call("Send", &[0, 0, 2, 8], 0, takes);
    }
    all.iter_mut().for_each(|rank| rank.ends(1));
    let (logs, mut overviews) = logs(&all);
    let mut out = Vec::new();
    chrome(&mut overviews, &mut opener(&logs), &mut out).expect("a trace");
    let trace: Value = serde_json::from_slice(&out).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("a list");
    let mut slices: BTreeMap<(u64, u64), Vec<Slice<'_>>> = BTreeMap::new();
    for event in events.iter().filter(|event| event["ph"] == "X") {
        let (pid, tid, begin) = end(event);
        let long = event["dur"].as_f64().expect("a time");
        let name = event["name"].as_str().expect("a name");
        slices.entry((pid, tid)).or_default().push((begin, begin + long, name));
    }
    let mut count = [0, 0];
    for event in events {
        let is_end = event["ph"] == "f";
        if !is_end && event["ph"] != "s" {
            continue;
        }
        count[usize::from(is_end)] += 1;
        let (pid, tid, time) = end(event);
        let of_thread = &slices[&(pid, tid)];
        let after = of_thread.partition_point(|slice| slice.0 <= time + 1e-4);
        // Those without length in the log are a nanosecond long.
        let mut before = of_thread[..after].iter().rev().take(3);
        let wanted = match (is_end, pid) {
            (false, _) => "MPI_Send",
            (true, 0) => "MPI_Recv",
            (true, _) => "MPI_Waitall",
        };
        let target = before.find(|slice| slice.2 == wanted && time < slice.1 - 1e-4);
        assert!(target.is_some(), "{event}: {:?}", &of_thread[after.saturating_sub(3)..after]);
    }
    assert_eq!(count, [2 * rounds, 2 * rounds].map(|count| count as i32));
}
