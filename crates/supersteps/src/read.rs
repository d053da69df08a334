//! From bytes to a log.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Read;

use cll_trace::clock::{Calibration, ClockPair};
use cll_trace::layout::{BlockHeader, FORMAT_VERSION, KIND_META, KIND_SUPERSTEPS};
use cll_trace::meta::{self, Meta};
use cll_trace::{Batch, Scanner, TraceError};
use cll_trace::{Cause, Damage};
use cll_units::{Bytes, ProcessorId};

use super::bytes::ReadAt;
use super::records::{Piece, Records, superstep};
use super::stored::{Stored, StoredProcessor};
use super::{Log, Processor};

/// Reads the supersteps of a log, and its tables.
///
/// Damaged or missing parts are in [`Log::damage`], and the rest is read. A trace without supersteps gives an empty
/// log.
///
/// # Errors
/// If the log cannot be read: see [`TraceError`].
pub fn read(input: impl Read) -> Result<Log, TraceError> {
    let mut scanner = Scanner::new(input);
    let mut reader = Reader::default();
    let mut batch = Batch::default();
    while scanner.next(&mut batch)? {
        for block in &batch.blocks {
            let payload = &batch.bytes[block.payload.clone()];
            reader.block(&block.header, block.offset, payload, block.sound);
        }
    }
    let (_, damage) = scanner.finish()?;
    if reader.format > FORMAT_VERSION {
        return Err(TraceError::Newer { found: reader.format });
    }
    Ok(reader.finish(damage))
}

/// The data of a log while it is read.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) format: u32,
    /// By process, then number.
    processors: BTreeMap<(u32, u32), Parts>,
    processes: HashMap<u32, meta::Process>,
    pairs: HashMap<u32, Vec<ClockPair>>,
    engine: String,
    job: String,
    damage: Vec<Damage>,
    /// Processes that ended normally.
    ended: HashSet<u32>,
    /// Bytes of supersteps in blocks that were not sealed, by process.
    unsealed: BTreeMap<u32, u64>,
}

/// The data of a processor.
#[derive(Default)]
struct Parts {
    modules: Vec<meta::Module>,
    machines: Vec<meta::Machine>,
    points: Vec<meta::Point>,
    virtually: Option<meta::Virtual>,
    /// Where its records are, by number of the block: in the log, or among those that are held.
    pieces: BTreeMap<u32, Piece>,
    /// Payloads that were read.
    held: Vec<u8>,
}

impl Reader {
    /// The moments in a block's header.
    fn moments(&mut self, header: &BlockHeader) {
        let pairs = self.pairs.entry(header.process).or_default();
        let ends = [(header.ticks_open, header.mono_open), (header.ticks_seal, header.mono_seal)];
        pairs.extend(
            ends.into_iter()
                .filter(|&(_, mono_ns)| mono_ns > 0)
                .map(|(ticks, mono_ns)| ClockPair { ticks, mono_ns }),
        );
    }

    /// A block of supersteps.
    fn note(&mut self, header: &BlockHeader, bytes: u64) {
        if !header.is_sealed() {
            *self.unsealed.entry(header.process).or_default() += bytes;
        }
    }

    /// Lists the records without a checksum, of processes that did not end normally.
    fn unsealed(&self) -> impl Iterator<Item = Damage> {
        let open = self.unsealed.iter().filter(|(process, _)| !self.ended.contains(process));
        open.map(|(&process, &count)| {
            let cause = Cause::Unsealed { process, kind: KIND_SUPERSTEPS, count };
            Damage { trace: 0, offset: None, lost: Bytes(0), cause }
        })
    }

    /// A block whose records are read on request.
    pub(super) fn piece(&mut self, header: &BlockHeader, offset: u64, bytes: u32) {
        self.moments(header);
        if header.kind != KIND_SUPERSTEPS || bytes == 0 {
            return;
        }
        self.note(header, bytes.into());
        let crc = (header.is_sealed() && bytes == header.used).then_some(header.payload_crc);
        let parts = self.processors.entry((header.process, header.thread)).or_default();
        // A second block with this number is a copy of one that was open when the process was killed.
        parts.pieces.entry(header.sequence).or_insert(Piece {
            offset,
            bytes,
            crc,
            reported_at: offset,
        });
    }

    pub(super) fn block(&mut self, header: &BlockHeader, offset: u64, payload: &[u8], sound: bool) {
        self.moments(header);
        if !sound {
            return;
        }
        match header.kind {
            KIND_META => self.tables(header.process, offset, payload),
            KIND_SUPERSTEPS if !payload.is_empty() => {
                self.note(header, payload.len() as u64);
                let parts = self.processors.entry((header.process, header.thread)).or_default();
                parts.hold(header.sequence, offset, payload);
            }
            _ => {}
        }
    }

    fn add_damage(&mut self, offset: u64, cause: Cause) {
        self.damage.push(Damage { trace: 0, offset: Some(offset), lost: Bytes(0), cause });
    }

    fn tables(&mut self, pid: u32, offset: u64, payload: &[u8]) {
        for line in payload.split_inclusive(|&byte| byte == b'\n') {
            if line.trim_ascii().is_empty() {
                continue;
            }
            let key = |number| (pid, number);
            match serde_json::from_slice::<Meta>(line) {
                Ok(Meta::Process(table)) => {
                    self.format = self.format.max(table.format);
                    self.processes.entry(pid).or_insert(table);
                }
                Ok(Meta::Run(run)) => self.note_engine(run.engine),
                Ok(Meta::Processor(processor)) => {
                    self.note_engine(processor.engine);
                    self.job = processor.job;
                }
                Ok(Meta::End(_)) => {
                    self.ended.insert(pid);
                }
                Ok(Meta::Module(module)) => {
                    self.processors.entry(key(module.processor)).or_default().modules.push(module);
                }
                Ok(Meta::Machine(machine)) => {
                    let parts = self.processors.entry(key(machine.processor)).or_default();
                    parts.machines.push(machine);
                }
                Ok(Meta::Point(point)) => {
                    self.processors.entry(key(point.processor)).or_default().points.push(point);
                }
                Ok(Meta::Virtual(table)) => {
                    let parts = self.processors.entry(key(table.processor)).or_default();
                    parts.virtually = Some(table);
                }
                Ok(_) => {}
                Err(error) => self.add_damage(offset, Cause::Table { error: error.to_string() }),
            }
        }
    }

    fn note_engine(&mut self, engine: String) {
        if self.engine.is_empty() {
            self.engine = engine;
        }
    }

    fn finish(mut self, mut damage: Vec<Damage>) -> Log {
        let first = self.first_ns();
        let mut processors = Vec::new();
        for ((pid, number), mut parts) in std::mem::take(&mut self.processors) {
            damage.extend(gaps(pid, number, parts.pieces.keys().copied()));
            let process = self.processes.get(&pid).cloned().unwrap_or_default();
            let clock = self.clock(pid, &process);
            let pieces: Vec<Piece> = std::mem::take(&mut parts.pieces).into_values().collect();
            let held = std::mem::take(&mut parts.held);
            let mut records = Records::new(&pieces, &held, (pid, ProcessorId(number)), true);
            let mut supersteps = Vec::new();
            while let Some((record, of_machine)) = records.peek() {
                records.advance(&record, of_machine);
                supersteps.push(superstep(&clock, first, &record, of_machine));
            }
            let (traffic, mut partial) = records.into_sets();
            self.damage.append(&mut partial);
            processors.push(Processor {
                traffic,
                supersteps,
                ..parts.tables(ProcessorId(number), process)
            });
        }
        processors.retain(|processor: &Processor| !processor.supersteps.is_empty());
        processors.sort_by_key(|processor| processor.number);
        damage.extend(self.unsealed());
        damage.append(&mut self.damage);
        damage.sort_by_key(|damage| damage.offset.unwrap_or(u64::MAX));
        let mut log = Log {
            processors,
            damage,
            engine: self.engine,
            job: self.job,
            origin_ns: first,
            clocks: Vec::new(),
        };
        log.clocks = super::clocks::relate(&mut log);
        log
    }

    /// Returns the log as far as it is known without the records.
    pub(super) fn finish_stored(
        mut self,
        mut damage: Vec<Damage>,
        bytes: &dyn ReadAt,
    ) -> Stored<'_> {
        let first = self.first_ns();
        let mut processors = Vec::new();
        for ((pid, number), mut parts) in std::mem::take(&mut self.processors) {
            let pieces = std::mem::take(&mut parts.pieces);
            if pieces.is_empty() {
                continue;
            }
            damage.extend(gaps(pid, number, pieces.keys().copied()));
            let pieces = pieces.into_values().collect();
            let process = self.processes.get(&pid).cloned().unwrap_or_default();
            let clock = self.clock(pid, &process);
            let tables = parts.tables(ProcessorId(number), process);
            processors.push(StoredProcessor::new(tables, clock, first, pieces, bytes));
        }
        processors.sort_by_key(|processor| processor.tables.number);
        damage.extend(self.unsealed());
        damage.append(&mut self.damage);
        damage.sort_by_key(|damage| damage.offset.unwrap_or(u64::MAX));
        Stored { processors, damage, engine: self.engine, job: self.job }
    }

    /// The earliest moment in a block's header.
    fn first_ns(&self) -> u64 {
        self.pairs.values().flatten().map(|pair| pair.mono_ns).min().unwrap_or(0)
    }

    fn clock(&self, pid: u32, process: &meta::Process) -> Calibration {
        let pairs = self.pairs.get(&pid).map_or(&[][..], Vec::as_slice);
        let clock = Calibration::from_pairs(process.clock, pairs, process.tick_hz);
        if clock.uncertainty <= 1e-4 {
            return clock;
        }
        let others = self
            .processes
            .iter()
            .filter(|(_, other)| other.host == process.host && other.clock == process.clock);
        let all: Vec<ClockPair> = others
            .filter_map(|(pid, _)| self.pairs.get(pid))
            .flat_map(|pairs| pairs.iter().copied())
            .collect();
        clock.or_machine(&all)
    }
}

/// The missing blocks of a processor.
fn gaps(process: u32, thread: u32, blocks: impl Iterator<Item = u32>) -> Vec<Damage> {
    let gaps = missing(blocks).into_iter().map(|(first, count)| {
        let cause = Cause::MissingBlocks { process, thread, first, count };
        Damage { trace: 0, offset: None, lost: Bytes(0), cause }
    });
    gaps.collect()
}

/// Series of missing blocks: the number of the first one, and how many.
fn missing(blocks: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
    let mut wanted = 0;
    let mut gaps = Vec::new();
    for number in blocks {
        if number > wanted {
            gaps.push((wanted, number - wanted));
        }
        wanted = number.saturating_add(1);
    }
    gaps
}

impl Parts {
    /// Keeps the records of a block, unless they are there.
    fn hold(&mut self, sequence: u32, reported_at: u64, payload: &[u8]) {
        if let Entry::Vacant(place) = self.pieces.entry(sequence) {
            let (offset, bytes) = (self.held.len() as u64, payload.len() as u32);
            place.insert(Piece { offset, bytes, crc: None, reported_at });
            self.held.extend_from_slice(payload);
        }
    }

    fn tables(self, number: ProcessorId, process: meta::Process) -> Processor {
        let Parts { modules, machines, points, virtually, .. } = self;
        Processor { number, process, modules, machines, points, virtually, ..Processor::default() }
    }
}
