//! Orders blocks: from the order of the file to the order of each thread's samples.

mod tables;

use std::collections::{BTreeMap, HashMap};

use cll_units::Bytes;

use crate::clock::{Calibration, Pairs};
use crate::damage::{Cause, Damage};
use crate::layout::{
    BlockHeader, FLAG_COPY, HEADER_SIZE, KIND_META, KIND_SAMPLES, KIND_SUPERSTEPS, pid_of, round_up,
};
use crate::meta;
use crate::trace::Process;

use super::scan::{Batch, Block};
use super::thread::{Held, RawSample, Size, Stop, Thread, decode};
use tables::set_size;

/// Bytes of blocks that may be held until earlier blocks or tables arrive. Beyond, they are read as
/// if those were lost.
const HELD_BYTES: usize = 256 << 20;

/// Receives the samples.
pub(crate) trait Sink {
    /// A place of a process may occur from now on.
    fn place(
        &mut self,
        process: usize,
        unit: &meta::Unit,
        place: &meta::Place,
        observables: &[meta::Observable],
    );
    /// Samples of this thread follow.
    fn thread(&mut self, process: usize, thread: u32);
    /// The next sample.
    fn sample(&mut self, sample: &RawSample<'_>);
}

/// A process whose blocks are being read.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    pub(super) pid: u32,
    /// Number of runs that had ended before.
    run: u32,
    pub(super) table: Option<meta::Process>,
    pub(super) units: Vec<meta::Unit>,
    pub(super) processor: Option<meta::Processor>,
    pub(super) observables: Option<meta::Observables>,
    pub(super) sync: Vec<meta::Sync>,
    /// Units with counted places that came before the table of observables.
    pub(super) waiting: Vec<meta::Unit>,
    pub(super) end: Option<meta::End>,
    pairs: Pairs,
    threads: BTreeMap<u32, Thread>,
    /// Length of a record for each place.
    pub(super) sizes: Vec<Size>,
    samples: u64,
    unsealed: u64,
    /// Number of record blocks cut to their used part, as a launcher does.
    compacted: u64,
    /// Whether there is a block that the process itself keeps in its file.
    has_live: bool,
    /// Samples in blocks that were not sealed.
    unsealed_samples: u64,
    waited_ns: u64,
    waits: u64,
}

/// All that is known so far.
#[derive(Debug, Default)]
pub(crate) struct Assembler {
    pub(super) processes: Vec<Assembly>,
    /// The latest process for each number.
    by_number: HashMap<u32, usize>,
    held_bytes: usize,
    /// Places found by an earlier reading of the same trace, for each process.
    seed: Vec<Vec<Size>>,
    pub runs: Vec<meta::Run>,
    pub report: Vec<String>,
    pub(super) report_all: bool,
    pub damage: Vec<Damage>,
    pub unknown_blocks: u64,
    pub samples: u64,
    pub newest_format: u32,
    pub first_mono_ns: Option<u64>,
}

impl Assembler {
    /// Starts with the places of `processes`.
    pub fn seeded(processes: &[Process]) -> Self {
        let sizes = |process: &Process| {
            let mut sizes = Vec::new();
            for place in process.units.iter().flat_map(|unit| &unit.places) {
                set_size(&mut sizes, place);
            }
            sizes
        };
        Assembler { seed: processes.iter().map(sizes).collect(), ..Assembler::default() }
    }

    /// Adds the blocks of a batch.
    pub fn accept(&mut self, batch: &Batch, sink: &mut impl Sink) {
        for block in &batch.blocks {
            let payload = &batch.bytes[block.payload.clone()];
            match block.header.kind {
                KIND_META if block.sound => self.tables(block, payload, sink),
                KIND_META => {}
                KIND_SAMPLES => self.samples(block, payload, sink),
                // Other crates read them.
                KIND_SUPERSTEPS => {}
                _ => self.unknown_blocks += 1,
            }
            // After the tables, so that a new process gets the times of its own first block.
            self.note(&block.header);
        }
    }

    /// At the end of the input: reads the blocks that are held, and reports what is missing.
    pub fn finish(&mut self, sink: &mut impl Sink) {
        for process in 0..self.processes.len() {
            self.end_process(process, sink);
        }
        let broke_off = |process: &Assembly| process.end.is_none() && process.compacted > 0;
        let is_own = |process: &Assembly| process.has_live;
        if self.runs.is_empty()
            && self.processes.iter().any(broke_off)
            && !self.processes.iter().any(is_own)
        {
            self.report_damage(None, 0, Cause::Unfinished);
        }
    }

    /// The processes, after everything was read.
    pub fn into_processes(self) -> Vec<Process> {
        let mut by_machine: HashMap<(String, meta::Clock), Vec<_>> = HashMap::new();
        for process in &self.processes {
            let table = process.table.clone().unwrap_or_default();
            by_machine.entry((table.host, table.clock)).or_default().extend(process.pairs.all());
        }
        let public = |process: Assembly| {
            let table = process.table.unwrap_or_default();
            let own = Calibration::from_pairs(table.clock, &process.pairs.all(), table.tick_hz);
            let calibration = match by_machine.get(&(table.host.clone(), table.clock)) {
                Some(pairs) if own.uncertainty > 1e-4 => own.or_machine(pairs),
                _ => own,
            };
            Process {
                trace: 0,
                run: process.run,
                pid: process.pid,
                table,
                units: process.units,
                processor: process.processor,
                observables: process.observables,
                sync: process.sync,
                end: process.end,
                calibration,
                threads: process.threads.len() as u32,
                samples: process.samples,
                unsealed: process.unsealed,
                waited_ns: process.waited_ns,
                waits: process.waits,
            }
        };
        self.processes.into_iter().map(public).collect()
    }

    /// The index of the process with this number, from a header.
    pub(super) fn process(&mut self, number: u32) -> usize {
        match self.by_number.get(&number) {
            Some(&process) => process,
            None => self.new_process(number),
        }
    }

    pub(super) fn new_process(&mut self, number: u32) -> usize {
        let pid = pid_of(number);
        let index = self.processes.len();
        let sizes = self.seed.get_mut(index).map(std::mem::take).unwrap_or_default();
        let run = self.runs.len() as u32;
        self.processes.push(Assembly { pid, run, sizes, ..Assembly::default() });
        self.by_number.insert(number, index);
        index
    }

    /// Uses the content of a header, without its payload.
    fn note(&mut self, header: &BlockHeader) {
        let Some(&process) = self.by_number.get(&header.process) else { return };
        let process = &mut self.processes[process];
        process.pairs.push(header.ticks_open, header.mono_open);
        process.pairs.push(header.ticks_seal, header.mono_seal);
        process.unsealed += u64::from(!header.is_sealed());
        if header.kind != KIND_META {
            let used = round_up(HEADER_SIZE + header.used as usize, 8);
            let is_cut = header.is_sealed() && header.capacity as usize == used;
            let is_copy = header.flags & FLAG_COPY != 0;
            process.compacted += u64::from(is_cut && !is_copy);
            process.has_live |= !is_cut || is_copy;
        }
        if header.waited_ns > 0 {
            process.waits += 1;
            process.waited_ns = process.waited_ns.saturating_add(header.waited_ns);
        }
        if header.mono_open > 0 {
            let first = self.first_mono_ns.get_or_insert(header.mono_open);
            *first = header.mono_open.min(*first);
        }
    }

    fn samples(&mut self, block: &Block, payload: &[u8], sink: &mut impl Sink) {
        let process = self.process(block.header.process);
        let BlockHeader { thread: number, sequence, ticks_open, .. } = block.header;
        if payload.is_empty() && !block.header.is_sealed() {
            return; // emptied, and may still have the number of its copy
        }
        let Block { offset, sound, .. } = *block;
        let assembly = &mut self.processes[process];
        let pid = assembly.pid;
        let thread = assembly.threads.entry(number).or_default();
        let late = if sequence < thread.next {
            thread.given_up.iter().position(|range| range.contains(&sequence))
        } else {
            None
        };
        if thread.held.contains_key(&sequence) || (sequence < thread.next && late.is_none()) {
            if block.header.flags & FLAG_COPY != 0 {
                return; // the original of this copy is present
            }
            let cause = Cause::RepeatedBlock { process: pid, thread: number, sequence };
            return self.report_damage(Some(offset), payload.len() as u64, cause);
        }
        if let Some(range) = late {
            // The blocks after it were read already: what its samples enclose is unknown.
            let range = thread.given_up.swap_remove(range);
            let halves = [range.start..sequence, sequence + 1..range.end];
            thread.given_up.extend(halves.into_iter().filter(|half| !half.is_empty()));
            let mut own = Thread { next: sequence, ..Thread::default() };
            own.exclusive_times.lose(u64::MAX);
            own.held.insert(sequence, Held::new(block, payload, 0));
            self.held_bytes += HEADER_SIZE + payload.len();
            let after = std::mem::replace(thread, own);
            self.drain_thread(process, number, true, sink);
            self.processes[process].threads.insert(number, after);
            return;
        }
        let mut done = 0;
        if sequence == thread.next && thread.held.is_empty() {
            if !sound {
                thread.lost = true;
                thread.next = sequence.saturating_add(1);
                return;
            }
            thread.begin(ticks_open);
            sink.thread(process, number);
            let (bytes, samples, stop) =
                decode(payload, &assembly.sizes, &mut thread.exclusive_times, |s| sink.sample(&s));
            assembly.samples += samples;
            assembly.unsealed_samples += if block.header.is_sealed() { 0 } else { samples };
            self.samples += samples;
            match stop {
                Some(Stop::Place(_)) => done = bytes,
                None | Some(Stop::Partial) => {
                    thread.next = sequence.saturating_add(1);
                    if stop.is_some() {
                        let lost = (payload.len() - bytes) as u64;
                        self.report_damage(Some(offset), lost, Cause::PartialSample);
                    }
                    return;
                }
            }
        }
        thread.held.insert(sequence, Held::new(block, payload, done));
        self.held_bytes += HEADER_SIZE + payload.len();
        self.drain_thread(process, number, false, sink);
        if self.held_bytes > HELD_BYTES {
            (0..self.processes.len()).for_each(|process| self.drain(process, true, sink));
        }
    }

    pub(super) fn drain(&mut self, process: usize, all: bool, sink: &mut impl Sink) {
        let threads: Vec<u32> = self.processes[process].threads.keys().copied().collect();
        threads.into_iter().for_each(|thread| self.drain_thread(process, thread, all, sink));
    }

    /// Reads the held blocks that are next in order; with `all` as if the missing ones never came.
    fn drain_thread(&mut self, process: usize, number: u32, all: bool, sink: &mut impl Sink) {
        let assembly = &mut self.processes[process];
        let pid = assembly.pid;
        let Some(thread) = assembly.threads.get_mut(&number) else { return };
        while let Some(entry) = thread.held.first_entry() {
            let sequence = *entry.key();
            if sequence != thread.next && !all {
                break;
            }
            let mut held = entry.remove();
            if sequence > thread.next {
                let missing = thread.next..sequence;
                let (first, count) = (missing.start, sequence - missing.start);
                let cause = Cause::MissingBlocks { process: pid, thread: number, first, count };
                self.damage.push(Damage { trace: 0, offset: None, lost: Bytes(0), cause });
                thread.given_up.push(missing);
                thread.lost = true;
            }
            thread.next = sequence;
            let mut stop = None;
            if held.sound {
                if held.done == 0 {
                    thread.begin(held.ticks_open);
                }
                sink.thread(process, number);
                let (bytes, samples, stopped) = decode(
                    &held.payload[held.done..],
                    &assembly.sizes,
                    &mut thread.exclusive_times,
                    |s| {
                        sink.sample(&s);
                    },
                );
                held.done += bytes;
                assembly.samples += samples;
                assembly.unsealed_samples += if held.sealed { 0 } else { samples };
                self.samples += samples;
                stop = stopped;
            } else {
                thread.lost = true;
            }
            let lost = Bytes((held.payload.len() - held.done) as u64);
            let cause = match stop {
                Some(Stop::Place(_)) if !all => {
                    thread.held.insert(sequence, held);
                    break;
                }
                Some(Stop::Place(place)) => {
                    thread.lost = true;
                    Some(Cause::UnknownPlace { process: pid, place })
                }
                Some(Stop::Partial) => Some(Cause::PartialSample),
                None => None,
            };
            if let Some(cause) = cause {
                let offset = Some(held.offset);
                self.damage.push(Damage { trace: 0, offset, lost, cause });
            }
            self.held_bytes -= HEADER_SIZE + held.payload.len();
            thread.next = sequence.saturating_add(1);
        }
    }

    fn end_process(&mut self, process: usize, sink: &mut impl Sink) {
        self.drain(process, true, sink);
        let assembly = &self.processes[process];
        let pid = assembly.pid;
        let mut causes = Vec::new();
        if assembly.table.is_none() {
            causes.push(Cause::NoProcessTable { process: pid });
        }
        if !assembly.waiting.is_empty() {
            causes.push(Cause::NoObservables { process: pid });
        }
        match &assembly.end {
            None => {
                let processor = assembly.processor.as_ref();
                let processor = processor
                    .filter(|processor| processor.count > 1)
                    .map(|processor| processor.number);
                causes.push(Cause::NoEnd { process: pid, processor });
                let count = assembly.unsealed_samples;
                if count > 0 {
                    causes.push(Cause::Unsealed { process: pid, kind: KIND_SAMPLES, count });
                }
            }
            Some(end) => {
                let read = assembly.samples;
                if let Some(count) = end.samples.and_then(|reported| reported.checked_sub(read))
                    && count > 0
                {
                    causes.push(Cause::MissingSamples { process: pid, count });
                }
                if end.dropped > 0 {
                    causes.push(Cause::Dropped { process: pid, count: end.dropped });
                }
            }
        }
        causes.into_iter().for_each(|cause| self.report_damage(None, 0, cause));
    }

    pub(super) fn report_damage(&mut self, offset: Option<u64>, lost: u64, cause: Cause) {
        self.damage.push(Damage { trace: 0, offset, lost: Bytes(lost), cause });
    }
}

impl Held {
    fn new(block: &Block, payload: &[u8], done: usize) -> Self {
        Held {
            offset: block.offset,
            ticks_open: block.header.ticks_open,
            payload: payload.to_vec(),
            done,
            sound: block.sound,
            sealed: block.header.is_sealed(),
        }
    }
}
