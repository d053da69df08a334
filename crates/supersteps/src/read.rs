//! From bytes to a log.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Read;

use cll_trace::clock::{Calibration, Pair};
use cll_trace::layout::{
    BlockHeader, FORMAT_VERSION, KIND_META, KIND_SUPERSTEPS, SUPERSTEP_END, SUPERSTEP_OBLIVIOUS,
    SUPERSTEP_SIZE, SuperstepRecord, TRAFFIC_HEAD, TRAFFIC_SIZE, TrafficRecord, UNTOLD_MACHINE,
};
use cll_trace::meta::{self, Meta};
use cll_trace::{Batch, Scanner, TraceError};
use cll_trace::{Cause, Damage};

use super::stored::{Piece, ReadAt, Stored, StoredProcessor};
use super::{Ending, Log, Processor, Superstep};

/// Reads the supersteps of a log, and all that its tables say of them.
///
/// What is damaged or missing is told in [`Log::damage`], and the rest is read. A trace without
/// supersteps gives an empty log.
///
/// # Errors
/// If there is nothing to read: see [`TraceError`].
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

/// What a record says, with its number in the machine; times count from `first_ns`, nanoseconds of
/// `CLOCK_MONOTONIC`.
pub(super) fn superstep(
    clock: &Calibration,
    first_ns: u64,
    record: &SuperstepRecord,
    number: u64,
) -> Superstep {
    let seconds = |from: u64, to: u64| clock.seconds(to.wrapping_sub(from) as i64);
    let waiting_s = clock.tick_seconds * f64::from(record.waiting);
    Superstep {
        machine: record.machine.into(),
        number,
        point: (record.point != u16::MAX).then_some(record.point.into()),
        ending: match record.flags {
            flags if flags & SUPERSTEP_END != 0 => Ending::End,
            flags if flags & SUPERSTEP_OBLIVIOUS != 0 => Ending::Oblivious,
            _ => Ending::Sync,
        },
        start_s: clock.seconds_since(first_ns, record.start),
        computation_s: seconds(record.start, record.entered),
        communication_s: seconds(record.entered, record.end) - waiting_s,
        waiting_s,
        traffic: record.traffic,
    }
}

/// What is known of a log before all of it was read.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) format: u32,
    /// By process, then number.
    processors: BTreeMap<(u32, u32), Parts>,
    processes: HashMap<u32, meta::Process>,
    pairs: HashMap<u32, Vec<Pair>>,
    runs: Vec<meta::Run>,
    damage: Vec<Damage>,
    /// Processes that ended by themselves.
    ended: HashSet<u32>,
    /// Bytes of supersteps in blocks that were not sealed, by process.
    unsealed: BTreeMap<u32, u64>,
}

/// What is there of a processor.
#[derive(Default)]
struct Parts {
    modules: Vec<meta::Module>,
    machines: Vec<meta::Machine>,
    points: Vec<meta::Point>,
    virtually: Option<meta::Virtual>,
    traffic: HashMap<u32, Vec<TrafficRecord>>,
    /// By number of the block.
    records: BTreeMap<u32, Vec<SuperstepRecord>>,
    /// Where records lie that were not read.
    pieces: Vec<Piece>,
}

impl Reader {
    /// The moments that a block tells.
    fn moments(&mut self, header: &BlockHeader) {
        let pairs = self.pairs.entry(header.process).or_default();
        let ends = [(header.ticks_open, header.mono_open), (header.ticks_seal, header.mono_seal)];
        pairs.extend(
            ends.into_iter()
                .filter(|&(_, mono_ns)| mono_ns > 0)
                .map(|(ticks, mono_ns)| Pair { ticks, mono_ns }),
        );
    }

    /// A block of supersteps.
    fn note(&mut self, header: &BlockHeader, bytes: u64) {
        if !header.is_sealed() {
            *self.unsealed.entry(header.process).or_default() += bytes;
        }
    }

    /// What has no checksum, of processes that did not end by themselves.
    fn unsealed(&self) -> impl Iterator<Item = Damage> {
        let open = self.unsealed.iter().filter(|(process, _)| !self.ended.contains(process));
        open.map(|(&process, &count)| {
            let cause = Cause::Unsealed { process, kind: KIND_SUPERSTEPS, count };
            Damage { trace: 0, offset: None, lost_bytes: 0, cause }
        })
    }

    /// A block whose records are read when they are asked for.
    pub(super) fn piece(&mut self, header: &BlockHeader, offset: u64, bytes: u32) {
        self.moments(header);
        if header.kind != KIND_SUPERSTEPS || bytes == 0 {
            return;
        }
        self.note(header, bytes.into());
        let crc = (header.is_sealed() && bytes == header.used).then_some(header.payload_crc);
        let piece = Piece { offset, bytes, crc, sequence: header.sequence };
        let parts = self.processors.entry((header.process, header.thread)).or_default();
        parts.pieces.push(piece);
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
                // A second one is a copy of a block that was open when the process was killed.
                if !parts.records.contains_key(&header.sequence)
                    && !parts.records(header.sequence, payload)
                {
                    self.tell(offset, Cause::PartialSample);
                }
            }
            _ => {}
        }
    }

    fn tell(&mut self, offset: u64, cause: Cause) {
        self.damage.push(Damage { trace: 0, offset: Some(offset), lost_bytes: 0, cause });
    }

    fn tables(&mut self, pid: u32, offset: u64, payload: &[u8]) {
        for line in payload.split_inclusive(|&byte| byte == b'\n') {
            if line.trim_ascii().is_empty() {
                continue;
            }
            let of = |number| (pid, number);
            match serde_json::from_slice::<Meta>(line) {
                Ok(Meta::Process(table)) => {
                    self.format = self.format.max(table.format);
                    self.processes.entry(pid).or_insert(table);
                }
                Ok(Meta::Run(run)) => self.runs.push(run),
                Ok(Meta::End(_)) => {
                    self.ended.insert(pid);
                }
                Ok(Meta::Module(module)) => {
                    self.processors.entry(of(module.processor)).or_default().modules.push(module);
                }
                Ok(Meta::Machine(machine)) => {
                    let parts = self.processors.entry(of(machine.processor)).or_default();
                    parts.machines.push(machine);
                }
                Ok(Meta::Point(point)) => {
                    self.processors.entry(of(point.processor)).or_default().points.push(point);
                }
                Ok(Meta::Virtual(table)) => {
                    let parts = self.processors.entry(of(table.processor)).or_default();
                    parts.virtually = Some(table);
                }
                Ok(_) => {}
                Err(error) => self.tell(offset, Cause::Table { error: error.to_string() }),
            }
        }
    }

    fn finish(mut self, mut damage: Vec<Damage>) -> Log {
        let first = self.first_ns();
        let mut processors = Vec::new();
        for ((pid, number), parts) in std::mem::take(&mut self.processors) {
            damage.extend(gaps(pid, number, parts.records.keys().copied()));
            let process = self.processes.get(&pid).cloned().unwrap_or_default();
            let clock = self.clock(pid, &process);
            processors.push(parts.conclude(number, process, &clock, first));
        }
        processors.retain(|processor: &Processor| !processor.supersteps.is_empty());
        processors.sort_by_key(|processor| processor.number);
        damage.extend(self.unsealed());
        damage.append(&mut self.damage);
        damage.sort_by_key(|damage| damage.offset.unwrap_or(u64::MAX));
        let mut log =
            Log { processors, damage, runs: self.runs, origin_ns: first, clocks: Vec::new() };
        log.clocks = super::clocks::relate(&mut log);
        log
    }

    /// What is known without the records.
    pub(super) fn finish_stored(
        mut self,
        mut damage: Vec<Damage>,
        bytes: &dyn ReadAt,
    ) -> Stored<'_> {
        let first = self.first_ns();
        let mut processors = Vec::new();
        for ((pid, number), mut parts) in std::mem::take(&mut self.processors) {
            let mut pieces = std::mem::take(&mut parts.pieces);
            pieces.sort_by_key(|piece| piece.sequence);
            // A second one is a copy of a block that was open when the process was killed.
            pieces.dedup_by_key(|piece| piece.sequence);
            if pieces.is_empty() {
                continue;
            }
            damage.extend(gaps(pid, number, pieces.iter().map(|piece| piece.sequence)));
            let process = self.processes.get(&pid).cloned().unwrap_or_default();
            let clock = self.clock(pid, &process);
            let tables = parts.conclude(number, process, &clock, first);
            processors.push(StoredProcessor::new(tables, clock, first, pieces, bytes));
        }
        processors.sort_by_key(|processor| processor.tables.number);
        damage.extend(self.unsealed());
        damage.append(&mut self.damage);
        damage.sort_by_key(|damage| damage.offset.unwrap_or(u64::MAX));
        Stored { processors, damage, runs: self.runs }
    }

    /// The earliest moment that a block tells.
    fn first_ns(&self) -> u64 {
        self.pairs.values().flatten().map(|pair| pair.mono_ns).min().unwrap_or(0)
    }

    fn clock(&self, pid: u32, process: &meta::Process) -> Calibration {
        let pairs = self.pairs.get(&pid).map_or(&[][..], Vec::as_slice);
        let clock = Calibration::of(process.clock, pairs, process.tick_hz);
        if clock.uncertainty <= 1e-4 {
            return clock;
        }
        let others = self
            .processes
            .iter()
            .filter(|(_, other)| other.host == process.host && other.clock == process.clock);
        let all: Vec<Pair> = others
            .filter_map(|(pid, _)| self.pairs.get(pid))
            .flat_map(|pairs| pairs.iter().copied())
            .collect();
        clock.or_machine(&all)
    }
}

/// Blocks of a processor that are not there.
fn gaps(process: u32, thread: u32, blocks: impl Iterator<Item = u32>) -> Vec<Damage> {
    let told = missing(blocks).into_iter().map(|(first, count)| {
        let cause = Cause::MissingBlocks { process, thread, first, count };
        Damage { trace: 0, offset: None, lost_bytes: 0, cause }
    });
    told.collect()
}

/// Stretches of blocks that are not there: the first one's number, and how many.
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
    /// Whether the block ends with a whole record.
    fn records(&mut self, sequence: u32, mut payload: &[u8]) -> bool {
        let records = self.records.entry(sequence).or_default();
        while let Some((record, rest)) = payload.split_first_chunk::<SUPERSTEP_SIZE>() {
            payload = rest;
            let record = SuperstepRecord::decode(record);
            if record.flags != TRAFFIC_HEAD {
                records.push(record);
                continue;
            }
            let (entries, _) = rest.as_chunks::<TRAFFIC_SIZE>();
            let Some(entries) = entries.get(..record.number as usize) else { return false };
            let set = self.traffic.entry(record.traffic).or_default();
            set.extend(entries.iter().map(TrafficRecord::decode));
            payload = &rest[size_of_val(entries)..];
        }
        payload.is_empty()
    }

    fn conclude(
        self,
        number: u32,
        process: meta::Process,
        clock: &Calibration,
        first_ns: u64,
    ) -> Processor {
        let mut latest: HashMap<u16, u64> = HashMap::new();
        let superstep = |record: SuperstepRecord| {
            let last = latest.entry(record.machine).or_insert(0);
            if record.machine == UNTOLD_MACHINE {
                // They are of many machines, whose numbers do not follow each other.
                *last = 0;
            }
            // The record has the low half of the number.
            let step = record.number.wrapping_sub(*last as u32);
            *last += u64::from(step);
            superstep(clock, first_ns, &record, *last)
        };
        let supersteps = self.records.into_values().flatten().map(superstep).collect();
        let Parts { modules, machines, points, virtually, traffic, .. } =
            Parts { records: BTreeMap::new(), ..self };
        Processor { number, process, modules, machines, points, virtually, traffic, supersteps }
    }
}
