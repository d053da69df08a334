//! A log of supersteps from those that were found.

use std::collections::HashMap;
use std::io::{self, Write};

use cll_trace::layout::{
    BlockHeader, FORMAT_VERSION, HEADER_SIZE, KIND_SUPERSTEPS, SuperstepRecord, TrafficRecord,
    meta_block, round_up, seal,
};
use cll_trace::meta::{Clock, Machine, Meta, Point, Process};

use super::part::MachineObject;
use super::{CallSites, Overview};

/// A block is written when it has as much.
const FULL: usize = 60 << 10;
/// Number of tables that are collected before they are written.
const TABLES: usize = 1 << 10;
/// Number of sets that are kept; a reader keeps the same number.
const SETS: usize = 1 << 16;

/// The log, as far as it was written.
pub(super) struct LogWriter<'o> {
    out: &'o mut dyn Write,
    /// Nanoseconds at which times are 0.
    zero_ns: u64,
    processors: Vec<Written>,
    /// Tables that were not written yet.
    machines: Vec<Meta>,
}

/// A processor's records that were not written yet, and its sets.
#[derive(Default)]
struct Written {
    payload: Vec<u8>,
    opened: u64,
    sequence: u32,
    sets: HashMap<Vec<TrafficRecord>, u32>,
    /// The number of the last set; 0 is the empty one, which is never written.
    last_set: u32,
}

/// A superstep, in seconds.
pub(super) struct SuperstepTimes {
    pub(super) start_s: f64,
    pub(super) computation_s: f64,
    pub(super) waiting_s: f64,
    pub(super) end_s: f64,
    /// The machine's number in the process's tables.
    pub(super) machine: u16,
    pub(super) number: u64,
    pub(super) flags: u16,
    pub(super) point: Option<u32>,
    pub(super) asked: Vec<TrafficRecord>,
}

impl<'o> LogWriter<'o> {
    /// Writes the tables: for each rank its process, files and places; and the machine of all processes.
    pub(super) fn new(
        ranks: &[(usize, &Overview)],
        sites: &mut CallSites<'_>,
        out: &'o mut dyn Write,
    ) -> io::Result<LogWriter<'o>> {
        let zero_ns = ranks.first().map_or(0, |(_, overview)| overview.zero_ns);
        let nprocs = ranks.len() as u32;
        for (_, overview) in ranks {
            let Some((number, _)) = overview.rank() else { continue };
            let process = Process {
                format: FORMAT_VERSION,
                clock: Clock::Mono,
                tick_hz: None,
                processors: nprocs,
                clock_of: match overview.correction {
                    Some(_) => ranks[0].1.process.host.clone(),
                    None => String::new(),
                },
                ..overview.process.clone()
            };
            let machine = Machine {
                processor: number,
                key: "0".to_owned(),
                parent: "0".to_owned(),
                nprocs,
                pid: number,
                ..Machine::default()
            };
            let mut tables = vec![Meta::Process(process), Meta::Machine(machine)];
            for (&thread, lane) in &overview.lanes {
                for module in &lane.modules {
                    let module = cll_trace::meta::Module { processor: number, ..module.clone() };
                    tables.push(Meta::Module(module));
                }
                for point in lane.points.values() {
                    let (file, line) = sites(overview, thread, point);
                    let point = Point { processor: number, file, line, ..point.clone() };
                    tables.push(Meta::Point(point));
                }
            }
            for tables in tables.chunks(1024) {
                out.write_all(&meta_block(tables, header(number, zero_ns)))?;
            }
        }
        let processors = ranks.iter().map(|_| Written::default()).collect();
        Ok(LogWriter { out, zero_ns, processors, machines: Vec::new() })
    }

    /// Records the part that a processor enters, with its number in the processor's tables.
    pub(super) fn machine(
        &mut self,
        processor: u32,
        id: u16,
        part: &MachineObject,
        parent: u64,
        within: u64,
    ) -> io::Result<()> {
        let first = part.range.start;
        self.machines.push(Meta::Machine(Machine {
            processor,
            id: id.into(),
            key: format!("{:x}", part.number),
            parent: format!("{parent:x}"),
            within,
            first,
            nprocs: part.range.end - first,
            pid: processor - first,
        }));
        if self.machines.len() < TABLES { Ok(()) } else { self.tell_machines() }
    }

    /// A block of tables is of one process.
    fn tell_machines(&mut self) -> io::Result<()> {
        let mut machines = std::mem::take(&mut self.machines);
        let processor_of = |table: &Meta| match table {
            Meta::Machine(machine) => machine.processor,
            _ => 0,
        };
        machines.sort_by_key(processor_of);
        for machines in machines.chunk_by(|meta, next| processor_of(meta) == processor_of(next)) {
            self.out.write_all(&meta_block(
                machines,
                header(processor_of(&machines[0]), self.zero_ns),
            ))?;
        }
        Ok(())
    }

    fn ticks(&self, seconds: f64) -> u64 {
        self.zero_ns.wrapping_add((seconds * 1e9).round() as i64 as u64)
    }

    /// Adds a superstep of a processor.
    pub(super) fn push(&mut self, number: u32, superstep: &SuperstepTimes) -> io::Result<()> {
        let (start, end) = (self.ticks(superstep.start_s), self.ticks(superstep.end_s));
        let entered =
            self.ticks(superstep.start_s + superstep.computation_s).clamp(start, end.max(start));
        let written = &mut self.processors[number as usize];
        if written.payload.is_empty() {
            written.opened = start;
        }
        let traffic = written.set(&superstep.asked);
        let most = (end.wrapping_sub(entered)) as f64;
        let record = SuperstepRecord {
            start,
            entered,
            end,
            waiting: (superstep.waiting_s * 1e9).clamp(0.0, most.max(0.0)) as f32,
            number: superstep.number as u32,
            machine: superstep.machine,
            flags: superstep.flags,
            point: superstep.point.and_then(|id| u16::try_from(id).ok()).unwrap_or(u16::MAX),
            traffic,
        };
        written.payload.extend_from_slice(&record.encode());
        if written.payload.len() >= FULL {
            self.flush(number)?;
        }
        Ok(())
    }

    fn flush(&mut self, number: u32) -> io::Result<()> {
        let written = &mut self.processors[number as usize];
        if written.payload.is_empty() {
            return Ok(());
        }
        let payload = std::mem::take(&mut written.payload);
        let capacity = round_up(HEADER_SIZE + payload.len(), 8);
        let header = BlockHeader {
            kind: KIND_SUPERSTEPS,
            capacity: capacity as u32,
            used: payload.len() as u32,
            thread: number,
            sequence: written.sequence,
            ..header(number, written.opened)
        };
        written.sequence += 1;
        let opened = written.opened;
        let mut block = header.encode().to_vec();
        block.extend_from_slice(&payload);
        block.resize(capacity, 0);
        seal(&mut block, opened, opened);
        self.out.write_all(&block)
    }

    /// Writes what is left.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.tell_machines()?;
        for number in 0..self.processors.len() as u32 {
            self.flush(number)?;
        }
        self.out.flush()
    }
}

impl Written {
    /// The number of a set. The set is written if it is new.
    fn set(&mut self, asked: &[TrafficRecord]) -> u32 {
        if asked.is_empty() {
            return 0;
        }
        if let Some(&known) = self.sets.get(asked) {
            return known;
        }
        if self.sets.len() == SETS {
            self.sets.clear();
        }
        // 0 stays that of the empty set.
        self.last_set = self.last_set.wrapping_add(1).max(1);
        self.sets.insert(asked.to_vec(), self.last_set);
        let head = SuperstepRecord::head(self.last_set, asked.len() as u32);
        self.payload.extend_from_slice(&head.encode());
        asked.iter().for_each(|entry| self.payload.extend_from_slice(&entry.encode()));
        self.last_set
    }
}

/// Processes are distinguished by their ranks: on different hosts they may have the same number.
fn header(number: u32, ns: u64) -> BlockHeader {
    BlockHeader {
        process: number + 1,
        processor: u32::MAX,
        ticks_open: ns,
        mono_open: ns,
        ..BlockHeader::default()
    }
}
