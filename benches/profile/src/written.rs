//! A log as programs write it, of made-up times.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use cll_trace::layout::{
    BlockHeader, HEADER_SIZE, KIND_SUPERSTEPS, SUPERSTEP_END, SUPERSTEP_SIZE, SuperstepRecord,
    TrafficRecord, field, meta_block, seal,
};
use cll_trace::live::SLOT_SIZE;
use cll_trace::meta::{Clock, Machine, Meta, Point, Process};

/// The shape of a log.
#[derive(Clone, Copy)]
pub struct Shape {
    pub processors: u32,
    pub supersteps: u64,
    /// Places, each at the end of a path of its own.
    pub places: u32,
}

/// Functions on the way to a place.
const DEPTH: u32 = 6;
/// Different sets of partners of a processor.
const SETS: u32 = 8;
/// Supersteps that end at a place before those of the next one.
const STRETCH: u64 = 5;
/// Records of a block: as many as the library's have room for.
const RECORDS: u64 = (SLOT_SIZE as u64 - HEADER_SIZE as u64) / SUPERSTEP_SIZE as u64;

/// Numbers that look like chance (Marsaglia's xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % limit
    }
}

/// Writes a log.
pub fn write(path: &Path, shape: Shape) -> Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    for number in 0..shape.processors {
        out.write_all(&tables(number, shape))?;
    }
    let mut chances: Vec<Chance> =
        (0..u64::from(shape.processors)).map(|processor| Chance(0x9E37_79B9 + processor)).collect();
    // Block by block of each in turn, as they become full.
    let mut starts = vec![1000u64; shape.processors as usize];
    let mut from = 1;
    for sequence in 0u32.. {
        let to = (from + RECORDS).min(shape.supersteps + 1);
        for number in 0..shape.processors {
            let index = number as usize;
            let mut records = if sequence == 0 { sets(number, shape) } else { Vec::new() };
            for superstep in from..to {
                let (record, end) = record(superstep, starts[index], &mut chances[index], shape);
                starts[index] = end;
                records.extend(record.encode());
            }
            out.write_all(&block(number, sequence, &records, starts[index])?)?;
        }
        from = to;
        if from > shape.supersteps {
            break;
        }
    }
    out.into_inner()?.sync_all()?;
    Ok(())
}

fn header(number: u32) -> BlockHeader {
    BlockHeader { process: 100 + number, mono_open: 1000, ticks_open: 1000, ..Default::default() }
}

fn tables(number: u32, shape: Shape) -> Vec<u8> {
    let program = "/nowhere/made-up".to_owned();
    let mut metas = vec![
        Meta::Process(Process { format: 2, program, clock: Clock::Mono, ..Process::default() }),
        Meta::Machine(Machine {
            processor: number,
            key: "0".into(),
            parent: "0".into(),
            nprocs: shape.processors,
            pid: number,
            ..Machine::default()
        }),
    ];
    for id in 0..shape.places {
        // Places share their outer functions: a tree with three branches at each node.
        let outwards = (0..DEPTH)
            .map(|level| u64::from(id) / 3u64.pow(level) * u64::from(DEPTH) + u64::from(level));
        let path = outwards.map(|offset| (0, offset + 1)).collect();
        let (file, line) = ("made_up.c".into(), id + 1);
        metas.push(Meta::Point(Point { processor: number, id, file, line, path }));
    }
    meta_block(&metas, header(number))
}

fn sets(number: u32, shape: Shape) -> Vec<u8> {
    let mut out = Vec::new();
    for set in 0..SETS {
        out.extend(SuperstepRecord::head(set, 2).encode());
        for step in [1, 2] {
            let partner = (number + step) % shape.processors;
            let sent = u64::from(64 * (set + 1) + number);
            out.extend(TrafficRecord { partner, requests: 1, sent, got: 0 }.encode());
        }
    }
    out
}

fn record(number: u64, start: u64, chance: &mut Chance, shape: Shape) -> (SuperstepRecord, u64) {
    let entered = start + 500 + chance.below(10_000);
    let waiting = chance.below(2000);
    let end = entered + waiting + 300 + chance.below(500);
    let record = SuperstepRecord {
        start,
        entered,
        end,
        waiting: waiting as f32,
        number: number as u32,
        flags: if number == shape.supersteps { SUPERSTEP_END } else { 0 },
        point: (number / STRETCH % u64::from(shape.places)) as u16,
        traffic: (number % u64::from(SETS)) as u32,
        ..SuperstepRecord::default()
    };
    (record, end)
}

fn block(number: u32, sequence: u32, records: &[u8], now: u64) -> Result<Vec<u8>> {
    let capacity = (HEADER_SIZE + records.len()).next_multiple_of(8);
    let kind = KIND_SUPERSTEPS;
    let header =
        BlockHeader { kind, thread: number, sequence, capacity: capacity as u32, ..header(number) };
    let mut block = header.encode().to_vec();
    block.extend(records);
    block[field::USED..field::USED + 4].copy_from_slice(&(records.len() as u32).to_le_bytes());
    block.resize(capacity, 0);
    seal(&mut block, now, now).context("a block cannot be sealed")?;
    Ok(block)
}
