//! Logs as programs write them, from values.

use cll_trace::layout::{
    BlockHeader, HEADER_SIZE, KIND_SUPERSTEPS, SUPERSTEP_END, SUPERSTEP_SIZE, SuperstepRecord,
    TrafficRecord, field, meta_block, seal,
};
use cll_trace::meta::{Clock, Machine, Meta, Point, Process};

/// A superstep of one processor; times in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    pub machine: u16,
    pub number: u32,
    pub point: u16,
    /// Before it begins, in no superstep.
    pub paused: u64,
    pub computed: u64,
    /// The time before the superstep that belongs to parts of its machine; the superstep began before that.
    pub around: u64,
    pub communicated: u64,
    pub waited: u64,
    pub set: u32,
    pub end: bool,
}

/// The report of a processor.
#[derive(Clone, Debug, Default)]
pub struct Reported {
    pub machines: Vec<Machine>,
    pub points: Vec<Point>,
    /// Sets of partners: `(partner, sent, got)`.
    pub sets: Vec<Vec<(u32, u64, u64)>>,
    pub steps: Vec<Step>,
    /// The host of the processor.
    pub host: String,
    /// When its clock begins, behind what clocks begin at otherwise, nanoseconds.
    pub begins: u64,
    /// Parts in a million by which its clock is faster than others.
    pub faster: u64,
    /// The wait of one superstep, by its place: whatever it says.
    pub not_a_number: Option<(usize, f32)>,
}

impl Reported {
    /// A processor of the whole machine.
    pub fn new(pid: u32, nprocs: u32) -> Reported {
        let machine =
            Machine { key: "0".into(), parent: "0".into(), nprocs, pid, ..Machine::default() };
        Reported { machines: vec![machine], ..Reported::default() }
    }

    /// Adds a place, with a path whose offsets stand for functions.
    pub fn point(&mut self, line: u32, path: &[u64]) -> u16 {
        let id = self.points.len() as u32;
        let path = path.iter().map(|&function| (0, function)).collect();
        self.points.push(Point { id, file: "a.c".into(), line, path, ..Point::default() });
        id as u16
    }
}

/// The log of processors 0, 1, …, whose clocks all begin at 1000 ns.
pub fn log(processors: &[Reported]) -> Vec<u8> {
    let mut out = Vec::new();
    for (number, reported) in (0u32..).zip(processors) {
        out.extend(blocks(number, reported));
    }
    out
}

/// The blocks of one processor.
pub fn blocks(number: u32, reported: &Reported) -> Vec<u8> {
    let begin = 1000 + reported.begins;
    let header = BlockHeader {
        process: 100 + number,
        mono_open: begin,
        ticks_open: begin,
        ..Default::default()
    };
    let process = Process {
        format: 2,
        program: "/p/program".into(),
        clock: Clock::Mono,
        host: reported.host.clone(),
        ..Process::default()
    };
    let mut metas = vec![Meta::Process(process)];
    metas.extend(
        reported.machines.iter().map(|m| Meta::Machine(Machine { processor: number, ..m.clone() })),
    );
    metas.extend(
        reported.points.iter().map(|p| Meta::Point(Point { processor: number, ..p.clone() })),
    );
    let mut out = meta_block(&metas, header);
    let mut sets = Vec::new();
    for (set, entries) in (0u32..).zip(&reported.sets) {
        sets.extend(SuperstepRecord::head(set, entries.len() as u32).encode());
        for &(partner, sent, got) in entries {
            sets.extend(TrafficRecord { partner, requests: 1, sent, got }.encode());
        }
    }
    let mut records = Vec::new();
    let mut passed = 0u64;
    let shown = |passed: u64| {
        begin.wrapping_add(passed).wrapping_add(passed / 1000 * reported.faster / 1000)
    };
    let mut now = begin;
    for (index, step) in reported.steps.iter().enumerate() {
        passed = passed.wrapping_add(step.paused);
        let start = shown(passed.wrapping_sub(step.around));
        let entered = shown(passed.wrapping_add(step.computed));
        passed = passed.wrapping_add(step.computed + step.communicated + step.waited);
        now = shown(passed);
        let record = SuperstepRecord {
            start,
            entered,
            end: now,
            waiting: match reported.not_a_number {
                Some((affected, waiting)) if affected == index => waiting,
                _ => step.waited as f32,
            },
            number: step.number,
            machine: step.machine,
            flags: if step.end { SUPERSTEP_END } else { 0 },
            point: step.point,
            traffic: step.set,
        };
        records.extend(record.encode());
    }
    // Blocks of 1000 records at most, so that there are several, the sets in the first.
    let mut parts: Vec<Vec<u8>> =
        records.chunks(1000 * SUPERSTEP_SIZE).map(<[u8]>::to_vec).collect();
    parts.resize(parts.len().max(1), Vec::new());
    parts[0].splice(0..0, sets);
    for (sequence, part) in (0u32..).zip(parts) {
        let capacity = (HEADER_SIZE + part.len()).next_multiple_of(8) as u32;
        let header =
            BlockHeader { kind: KIND_SUPERSTEPS, thread: number, sequence, capacity, ..header };
        let mut block = header.encode().to_vec();
        block.extend(&part);
        block[field::USED..field::USED + 4].copy_from_slice(&(part.len() as u32).to_le_bytes());
        block.resize(capacity as usize, 0);
        seal(&mut block, now, now).unwrap();
        out.extend(block);
    }
    out
}
