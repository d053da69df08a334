//! The overview of the log of a process.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read, Seek, SeekFrom};

use cll_supersteps::Correction;
use cll_trace::clock::{Calibration, ClockPair};
use cll_trace::layout::call::{CallRecord, CallRecords, Op, unrecorded};
use cll_trace::layout::{
    BlockHeader, FORMAT_VERSION, HEADER_SIZE, KIND_CALLS, KIND_META, KIND_SAMPLES, KIND_SUPERSTEPS,
    KIND_UNRECORDED,
};
use cll_trace::meta::{self, Meta};
use cll_trace::{Batch, Scanner, TraceError};
use cll_trace::{Cause, Damage};
use cll_units::{Bytes, Seconds, Ticks};

/// The tables of a log, and what is wrong with it.
#[derive(Clone, Debug, Default)]
pub struct Overview {
    /// The process.
    pub process: meta::Process,
    /// The MPI of the process; `None`: it has logged no calls.
    pub mpi: Option<meta::Mpi>,
    /// The cost of recording a call; `None`: older logs.
    pub cost: Option<meta::Cost>,
    /// The times of a loop that fills the width of a core, measured at the begin and end of the process, and how long
    /// it has computed for this; empty: nobody has asked for it.
    pub widths: Vec<(Seconds, Seconds)>,
    /// The cost of running the process in turns; its times are then those of its computation only.
    pub virtually: Option<meta::Virtual>,
    /// The identifier of the run, the same in all of its processes.
    pub job: String,
    /// Communicators by number.
    pub communicators: BTreeMap<u32, meta::Communicator>,
    /// Windows by number.
    pub windows: BTreeMap<u32, meta::Window>,
    /// Threads that called MPI, by number.
    pub lanes: BTreeMap<u32, Lane>,
    /// Whether the process ended normally.
    pub ended: bool,
    /// Blocks of calls.
    pub blocks: u64,
    /// Their size, without headers.
    pub bytes: Bytes,
    /// Calls in blocks that were not sealed: they have no checksum.
    pub unsealed: u64,
    /// The zero of all times, in nanoseconds of the host's monotonic clock: the beginning of the log's earliest block.
    /// Logs of one host can be given the same zero.
    pub zero_ns: u64,
    /// How ticks become seconds.
    pub clock: Calibration,
    /// The correction of times to those of another host, if they are corrected.
    pub(crate) correction: Option<Correction>,
    /// The processes that it shares `MPI_COMM_WORLD` with, if logs of several such were joined.
    pub world: Option<World>,
    /// Whether it has collectives in which each process may have another size.
    pub(crate) has_uneven: bool,
    /// How often calls without records were made, by the names of the functions.
    pub(crate) unrecorded: BTreeMap<String, u64>,
    /// Missing or damaged parts of the log.
    pub damage: Vec<Damage>,
}

/// Processes with one `MPI_COMM_WORLD`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// The rank of its first process in the whole run.
    pub first: u32,
    /// Number of its processes.
    pub ranks: u32,
    /// The program of the processes.
    pub program: String,
    /// Whether another program of the run has started it.
    pub started: bool,
}

/// Where calls of a thread stand.
#[derive(Clone, Debug, Default)]
pub struct Lane {
    /// Files that code lies in.
    pub modules: Vec<meta::Module>,
    /// Places, by number.
    pub points: BTreeMap<u32, meta::Point>,
    /// The blocks of the thread by number; `None`: it is damaged.
    pub(crate) blocks: BTreeMap<u32, Option<Stored>>,
}

/// Where the records of a block are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored {
    /// In the log, bytes from its begin.
    pub(crate) offset: u64,
    pub(crate) bytes: u32,
    /// When the block was opened, ticks.
    pub(crate) ticks_open: u64,
}

impl Overview {
    /// Reads the tables of a log. If the log has several processes, those of the first one.
    ///
    /// # Errors
    /// If the log cannot be read: see [`TraceError`].
    pub fn read(mut input: impl Read) -> Result<Overview, TraceError> {
        Overview::scan(&mut input)
    }

    /// [`Overview::read`], compiled once and here.
    fn scan(input: &mut dyn Read) -> Result<Overview, TraceError> {
        let mut scanner = Scanner::new(input);
        let mut overview = Overview::default();
        let mut pairs: Vec<ClockPair> = Vec::new();
        let mut pid = None;
        let mut batch = Batch::default();
        let mut format = 0;
        let mut damage = Vec::new();
        while scanner.next(&mut batch)? {
            for block in &batch.blocks {
                let header = &block.header;
                if ![KIND_META, KIND_CALLS, KIND_UNRECORDED].contains(&header.kind)
                    || header.process == 0
                {
                    continue;
                }
                if *pid.get_or_insert(header.process) != header.process {
                    continue;
                }
                let ends =
                    [(header.ticks_open, header.mono_open), (header.ticks_seal, header.mono_seal)];
                let known = ends.into_iter().filter(|&(_, mono_ns)| mono_ns > 0);
                pairs.extend(known.map(|(ticks, mono_ns)| ClockPair { ticks, mono_ns }));
                let payload = &batch.bytes[block.payload.clone()];
                match header.kind {
                    KIND_META if block.sound => {
                        overview.tables(payload, block.offset, &mut format, &mut damage);
                    }
                    KIND_CALLS => {
                        overview.calls(header, block.offset, payload, block.sound, &mut damage)
                    }
                    // A copy of a block has the same functions.
                    KIND_UNRECORDED if block.sound => {
                        overview.unrecorded.extend(unrecorded(payload));
                    }
                    _ => {}
                }
            }
        }
        let (_, damages) = scanner.finish()?;
        if format > FORMAT_VERSION {
            return Err(TraceError::Newer { found: format });
        }
        overview.damage = damages;
        overview.damage.append(&mut damage);
        overview.conclude(pid.unwrap_or(0), &pairs);
        Ok(overview)
    }

    fn calls(
        &mut self,
        header: &BlockHeader,
        offset: u64,
        payload: &[u8],
        sound: bool,
        damage: &mut Vec<Damage>,
    ) {
        let lane = self.lanes.entry(header.thread).or_default();
        let known = lane.blocks.entry(header.sequence).or_default();
        // A second block with this number is a copy of one that was open when the process was killed.
        if known.is_some() || payload.is_empty() || !sound {
            return;
        }
        *known = Some(Stored {
            offset: offset + HEADER_SIZE as u64,
            bytes: payload.len() as u32,
            ticks_open: header.ticks_open,
        });
        self.blocks += 1;
        self.bytes += Bytes(payload.len() as u64);
        let mut records = CallRecords::new(payload, header.ticks_open);
        let mut count = 0;
        for record in records.by_ref() {
            count += 1;
            if let (false, CallRecord::Begun(begun)) = (self.has_uneven, &record) {
                self.has_uneven = is_uneven(begun.op);
            }
        }
        self.unsealed += if header.is_sealed() { 0 } else { count };
        if records.is_broken() {
            let (offset, cause) = (Some(offset), Cause::PartialCall);
            damage.push(Damage { trace: 0, offset, lost: Bytes(0), cause });
        }
    }

    fn tables(&mut self, payload: &[u8], offset: u64, format: &mut u32, damage: &mut Vec<Damage>) {
        for line in payload.split_inclusive(|&byte| byte == b'\n') {
            if line.trim_ascii().is_empty() {
                continue;
            }
            match serde_json::from_slice::<Meta>(line) {
                Ok(Meta::Process(table)) => {
                    *format = (*format).max(table.format);
                    self.process = table;
                }
                Ok(Meta::Processor(table)) => self.job = table.job,
                Ok(Meta::Virtual(table)) => self.virtually = Some(table),
                Ok(Meta::Mpi(table)) => self.mpi = Some(table),
                Ok(Meta::Cost(table)) => self.cost = Some(table),
                Ok(Meta::Width(table)) => {
                    let seconds = |ns: u64| Seconds(1e-9) * ns as f64;
                    self.widths.push((seconds(table.ns), seconds(table.spent_ns)));
                }
                Ok(Meta::Communicator(table)) => {
                    self.communicators.insert(table.id, table);
                }
                Ok(Meta::Window(table)) => {
                    self.windows.insert(table.id, table);
                }
                Ok(Meta::Module(table)) => {
                    self.lanes.entry(table.processor).or_default().modules.push(table);
                }
                Ok(Meta::Point(table)) => {
                    let lane = self.lanes.entry(table.processor).or_default();
                    lane.points.insert(table.id, table);
                }
                Ok(Meta::End(_)) => self.ended = true,
                Ok(_) => {}
                Err(error) => {
                    let cause = Cause::Table { error: error.to_string() };
                    damage.push(Damage { trace: 0, offset: Some(offset), lost: Bytes(0), cause });
                }
            }
        }
    }

    fn conclude(&mut self, pid: u32, pairs: &[ClockPair]) {
        self.zero_ns = pairs.iter().map(|pair| pair.mono_ns).min().unwrap_or(0);
        self.clock = Calibration::from_pairs(self.process.clock, pairs, self.process.tick_hz);
        let mut add = |cause| {
            self.damage.push(Damage { trace: 0, offset: None, lost: Bytes(0), cause });
        };
        for (&thread, lane) in &self.lanes {
            let mut wanted = 0;
            for &sequence in lane.blocks.keys() {
                if sequence > wanted {
                    let count = sequence - wanted;
                    add(Cause::MissingBlocks { process: pid, thread, first: wanted, count });
                }
                wanted = sequence.saturating_add(1);
            }
        }
        if let (Some(mpi), false) = (&self.mpi, self.ended) {
            add(Cause::NoEnd { process: pid, processor: Some(mpi.rank) });
            if self.unsealed > 0 {
                add(Cause::Unsealed { process: pid, kind: KIND_CALLS, count: self.unsealed });
            }
        }
    }

    /// When a process read these ticks, since [`Overview::zero_ns`].
    pub(crate) fn time(&self, ticks: Ticks) -> Seconds {
        let time = self.clock.seconds_since(self.zero_ns, ticks);
        self.correction.map_or(time, |correction| correction.correct(time))
    }

    /// The time between two calls from which on the log says how long the thread had no core; `None`: it does not.
    pub fn watched(&self) -> Option<Seconds> {
        let watched_ns = self.mpi.as_ref()?.watched_ns;
        (watched_ns > 0).then(|| Seconds(1e-9) * watched_ns as f64)
    }

    /// The number of processes, and the rank of this one.
    pub fn rank(&self) -> Option<(u32, u32)> {
        self.mpi.as_ref().map(|mpi| (mpi.rank, mpi.ranks))
    }

    /// The place of a call, and the files that contain its addresses.
    pub fn place(&self, lane: u32, point: Option<u32>) -> Option<(&meta::Point, &[meta::Module])> {
        let lane = self.lanes.get(&lane)?;
        Some((lane.points.get(&point?)?, &lane.modules))
    }

    /// The key of a communicator; empty if no table has it.
    pub fn key(&self, communicator: u32) -> &str {
        self.communicators.get(&communicator).map_or("", |table| table.key.as_str())
    }

    /// Converts a rank in a communicator to the rank in `MPI_COMM_WORLD`.
    pub fn world_rank(&self, communicator: u32, rank: i64) -> Option<u32> {
        self.communicators.get(&communicator)?.world_rank(rank)
    }
}

/// Whether a file is a log of calls. The first block that is not a table decides this.
///
/// # Errors
/// If it cannot be read.
pub fn holds_calls(mut input: impl Read + Seek) -> io::Result<bool> {
    let mut offset = 0;
    loop {
        input.seek(SeekFrom::Start(offset))?;
        let mut header = Vec::new();
        input.by_ref().take(HEADER_SIZE as u64).read_to_end(&mut header)?;
        let header = BlockHeader::decode(&header).filter(BlockHeader::is_plausible);
        let Some(header) = header else { return Ok(false) };
        match header.kind {
            KIND_CALLS => return Ok(true),
            KIND_SAMPLES | KIND_SUPERSTEPS => return Ok(false),
            _ => offset += u64::from(header.capacity),
        }
    }
}

/// The indices of two logs of different runs, the earlier run first; `None` if all can be of one run.
pub fn of_different_runs(overviews: &[Overview]) -> Option<(usize, usize)> {
    let mut by_rank: BTreeMap<u32, usize> = BTreeMap::new();
    let mut job: Option<(&str, usize)> = None;
    for (index, overview) in overviews.iter().enumerate() {
        let Some((rank, _)) = overview.rank() else { continue };
        let other = by_rank.insert(rank, index);
        let &mut (known_job, first) = job.get_or_insert((&overview.job, index));
        let different = (known_job != overview.job).then_some(first);
        if let Some(other) = other.or(different) {
            return Some((other, index));
        }
    }
    None
}

/// Whether processes may have different sizes in a collective.
pub(crate) fn is_uneven(op: Op) -> bool {
    matches!(
        op.plain(),
        Op::Gatherv
            | Op::Scatterv
            | Op::Allgatherv
            | Op::Alltoallv
            | Op::Alltoallw
            | Op::Reduce_scatter
    )
}

/// Gives all logs of a host the same zero and the same clock, the one with the best calibration: a host has only one
/// counter.
pub fn relate(overviews: &mut [Overview]) {
    let mut hosts: HashMap<(String, meta::Clock), Vec<usize>> = HashMap::new();
    for (index, overview) in overviews.iter().enumerate() {
        let host = (overview.process.host.clone(), overview.process.clock);
        hosts.entry(host).or_default().push(index);
    }
    for members in hosts.values() {
        let zero = members.iter().map(|&index| overviews[index].zero_ns).min().unwrap_or(0);
        let best = members
            .iter()
            .map(|&index| overviews[index].clock)
            .min_by(|calibration, other| calibration.uncertainty.total_cmp(&other.uncertainty));
        let Some(best) = best else { continue };
        for &index in members {
            overviews[index].zero_ns = zero;
            overviews[index].clock = best;
        }
    }
}
