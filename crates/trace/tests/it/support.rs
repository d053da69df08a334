//! Small traces with known content.
#![allow(dead_code)] // each test file uses its part

use cll_trace::layout::{BlockHeader, HEADER_SIZE, NO_PARENT, SampleHeader, meta_block, seal};
use cll_trace::meta::{Clock, End, Meta, Place, Process, Unit};
use cll_trace::write::SampleBlock;

/// Ticks of a nanosecond in these traces.
pub const TICKS: u64 = 2;
pub const PID: u32 = 4711;

pub fn place(id: u32, name: &str, formula: &str, variables: &[&str]) -> Place {
    Place {
        id,
        experiment: name.into(),
        formula: formula.into(),
        file: "prog.c".into(),
        line: 10 * (id + 1),
        end_line: 10 * (id + 1) + 5,
        function: "work".into(),
        variables: variables.iter().map(|&name| name.into()).collect(),
        every: 1,
        observables: 0,
    }
}

pub fn process(pid: u32) -> Process {
    Process {
        format: 2,
        runtime: "0.1.0".into(),
        program: "./prog".into(),
        args: vec!["64".into()],
        host: "there".into(),
        cpu: "some".into(),
        pid,
        parent_pid: 1,
        start_unix_ns: 1_700_000_000_000_000_000,
        clock: Clock::Tsc,
        processors: 1,
        ..Process::default()
    }
}

/// The header of a block that is opened `ns` nanoseconds after 1 s of the monotonic clock.
pub fn opened(pid: u32, thread: u32, sequence: u32, ns: u64) -> BlockHeader {
    BlockHeader {
        process: pid,
        thread,
        sequence,
        ticks_open: 5_000 + ns * TICKS,
        mono_open: 1_000_000_000 + ns,
        ..BlockHeader::default()
    }
}

pub fn tables(pid: u32, places: Vec<Place>) -> Vec<u8> {
    let unit = Unit {
        base: 0,
        file: "prog.c".into(),
        compiler: "gcc".into(),
        model: "sequential".into(),
        places,
    };
    meta_block(&[Meta::Process(process(pid)), Meta::Unit(unit)], opened(pid, 0, 0, 0))
}

pub fn end(pid: u32, samples: u64) -> Vec<u8> {
    let end = End { samples: Some(samples), ..End::default() };
    meta_block(&[Meta::End(end)], opened(pid, 0, 0, 2_000_000_000))
}

/// A sample from `start` to `end`, nanoseconds as in [`opened`].
pub fn sample(place: u16, depth: u32, start: u64, end: u64) -> SampleHeader {
    let parent = if depth == 0 { NO_PARENT } else { 0 };
    let (start, end) = (5_000 + start * TICKS, 5_000 + end * TICKS);
    SampleHeader { start, end, place, parent, depth, flags: 0 }
}

/// A sealed compact block of samples, opened at `ns`.
pub fn block(
    pid: u32,
    thread: u32,
    sequence: u32,
    ns: u64,
    samples: &[(SampleHeader, &[f64])],
) -> Vec<u8> {
    let mut block = SampleBlock::new(opened(pid, thread, sequence, ns), 65536);
    samples.iter().for_each(|(sample, values)| assert!(block.push(sample, values)));
    block.seal_compact(5_000 + (ns + 50_000) * TICKS, 1_000_050_000 + ns)
}

/// A block as large as it must be, sealed at these ticks of a clock of nanoseconds.
pub fn sealed(header: BlockHeader, payload: &[u8], end: u64) -> Vec<u8> {
    let capacity = (HEADER_SIZE + payload.len()).next_multiple_of(8);
    let (size, used) = (capacity as u32, payload.len() as u32);
    let mut block = BlockHeader { capacity: size, used, ..header }.encode().to_vec();
    block.extend_from_slice(payload);
    block.resize(capacity, 0);
    seal(&mut block, end, end);
    block
}

/// Two experiments in three blocks: `outer` (N, P) around `inner` (N), each
/// outer one of 1000·(i+1) ns with two inner ones of 100 ns.
pub fn small() -> Vec<u8> {
    let mut trace = tables(
        PID,
        vec![
            place(0, "outer", "outer[0]+outer[1]*N", &["N", "P"]),
            place(1, "inner", "inner[0]*N", &["N"]),
        ],
    );
    for sequence in 0..3u32 {
        let base = u64::from(sequence) * 100_000_000;
        let n = f64::from(64 << sequence);
        let mut samples: Vec<(SampleHeader, Vec<f64>)> = Vec::new();
        for i in 0..3 {
            let start = base + 10_000 * i;
            samples.push((sample(1, 1, start + 100, start + 200), vec![n]));
            samples.push((sample(1, 1, start + 300, start + 400), vec![n]));
            samples.push((sample(0, 0, start, start + 1000 * (i + 1)), vec![n, 1.0]));
        }
        let samples: Vec<_> = samples.iter().map(|(s, v)| (*s, v.as_slice())).collect();
        trace.extend(block(PID, 0, sequence, base, &samples));
    }
    trace.extend(end(PID, 27));
    trace
}

/// Where the blocks of a sound trace begin, and their sizes.
pub fn blocks(trace: &[u8]) -> Vec<(usize, usize)> {
    let mut blocks = Vec::new();
    let mut offset = 0;
    while let Some(header) = BlockHeader::decode(&trace[offset..]) {
        blocks.push((offset, header.capacity as usize));
        offset += header.capacity as usize;
    }
    assert_eq!(offset, trace.len());
    blocks
}
