//! A processor's place in its log.

use cll_supersteps::{Records, StoredProcessor, time_shares};
use cll_trace::layout::{SUPERSTEP_END, SuperstepRecord, UNKNOWN_MACHINE};
use cll_units::{ProcessorId, Seconds, SuperstepNumber};

use super::call_paths::CallPaths;

/// No record of the superstep.
pub(super) const ABSENT: u32 = u32::MAX;

/// Why a processor does not go on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stop {
    /// The window is full.
    Window,
    /// It entered a part of the machine: the part's number.
    Part(usize),
    /// The next superstep of the processor is of another machine.
    Outside,
    /// It has no more records.
    Ended,
}

/// The position that a processor has reached in a machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    pub(super) stop: Stop,
    /// Seconds in parts of it since its last superstep.
    pub(super) inside: f64,
    /// Ticks from its first record to its last.
    pub(super) span: Option<(u64, u64)>,
}

impl Default for Position {
    fn default() -> Position {
        Position { stop: Stop::Window, inside: 0.0, span: None }
    }
}

/// The values of a processor in the supersteps of a window.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) paths: Vec<u32>,
    pub(super) sets: Vec<u32>,
    /// Seconds: computation, communication, waiting.
    pub(super) times: [Vec<f64>; 3],
}

impl Rows {
    pub(super) fn clear(&mut self, size: usize) {
        self.paths.clear();
        self.paths.resize(size, ABSENT);
        self.sets.resize(size, 0);
        self.times.iter_mut().for_each(|row| row.resize(size, 0.0));
    }
}

/// Reads the records of a processor.
pub(super) struct Cursor<'a> {
    /// Number in the program.
    pub(super) number: ProcessorId,
    pub(super) records: Records<'a>,
    /// Machines of the program by the processor's own numbers.
    pub(super) machines: Vec<Option<usize>>,
    paths: CallPaths,
    tick: Seconds,
    /// Ticks at the end of its last record.
    until: Option<u64>,
    /// The first set of partners that was not in the log, and how many references there were to other missing sets.
    /// (The set without partners is never written, so one missing set is normal.)
    pub(super) lacked: (Option<u32>, u64),
    pub(super) unnamed: u64,
    pub(super) negative: (u64, f64),
    /// The largest gap between supersteps: ticks, superstep.
    jump: (i64, SuperstepNumber),
    pub(super) ended: bool,
    /// Seconds in supersteps of the whole machine.
    pub(super) first: Option<u64>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(
        stored: &'a StoredProcessor<'a>,
        machines: Vec<Option<usize>>,
        paths: CallPaths,
    ) -> Cursor<'a> {
        Cursor {
            number: stored.tables.number,
            records: stored.records(),
            machines,
            paths,
            tick: stored.clock.tick,
            until: None,
            lacked: (None, 0),
            unnamed: 0,
            negative: (0, 0.0),
            jump: (0, SuperstepNumber(0)),
            ended: false,
            first: None,
        }
    }

    /// The machine of the next record.
    fn machine(&self, record: &SuperstepRecord) -> Option<usize> {
        match record.machine {
            UNKNOWN_MACHINE => None,
            id => self.machines.get(usize::from(id)).copied().flatten(),
        }
    }

    /// Number of the next record in its machine.
    pub(super) fn next_number(&mut self) -> Option<u64> {
        self.records.peek().map(|(_, number)| number.get())
    }

    /// Reads supersteps `base..limit` of a machine, until something else comes.
    pub(super) fn fill(
        &mut self,
        rows: &mut Rows,
        (base, limit): (u64, u64),
        machine: usize,
        part_of: impl Fn(usize) -> Option<usize>,
        position: &mut Position,
    ) {
        position.stop = loop {
            let Some((record, number)) = self.records.peek() else { break Stop::Ended };
            let Some(owner) = self.machine(&record) else {
                self.unnamed += 1;
                self.records.advance(&record, number);
                continue;
            };
            if owner != machine {
                break part_of(owner).map_or(Stop::Outside, Stop::Part);
            }
            if number.get() >= limit {
                break Stop::Window;
            }
            self.first = self.first.or(Some(record.start));
            let begun = position.span.map_or(record.start, |(start, _)| start);
            position.inside =
                self.fill_from_block(rows, (base, limit), record.machine, position.inside);
            position.span = self.until.map(|until| (begun, until));
        }
    }

    /// Reads the consecutive supersteps of a machine that follow here in the block; there is at least one.
    /// `inside` is the time in seconds in parts of the machine before the first of these. Returns the time that belongs
    /// to a later superstep.
    fn fill_from_block(
        &mut self,
        rows: &mut Rows,
        (base, limit): (u64, u64),
        machine: u16,
        mut inside: f64,
    ) -> f64 {
        let Cursor { records, paths, negative, ended, tick, .. } = self;
        let tick = *tick;
        let (mut until, mut jump) = (self.until, self.jump);
        // Slices of the same length, so that the index is checked only once per superstep.
        let size = (limit - base) as usize;
        let (row_of_paths, row_of_sets) = (&mut rows.paths[..size], &mut rows.sets[..size]);
        let [computation, communication, idle] = rows.times.each_mut().map(|row| &mut row[..size]);
        records.each_of(machine, SuperstepNumber(limit), |record, number| {
            let gap = record.start.wrapping_sub(until.unwrap_or(record.start)) as i64;
            if gap > jump.0 {
                jump = (gap, number);
            }
            until = Some(record.end);
            let Some(offset) = number.get().checked_sub(base) else { return };
            let offset = offset as usize;
            let end = record.flags & SUPERSTEP_END != 0;
            *ended |= end;
            let mut times = time_shares(record, tick).map(Seconds::get);
            if !times[2].is_finite() {
                // Communication is the whole call then.
                let record = SuperstepRecord { waiting: 0.0, ..*record };
                times = time_shares(&record, tick).map(Seconds::get);
            }
            times[0] -= inside;
            inside = 0.0;
            if times.iter().any(|&time| time < 0.0) {
                let duration = record.end.wrapping_sub(record.start) as i64 as f64 * tick.get();
                times = mend(times, duration, negative);
            }
            let path = paths.known.get(usize::from(record.point)).unwrap_or(&paths.unknown);
            row_of_paths[offset] = path[usize::from(end)];
            row_of_sets[offset] = record.traffic;
            [computation[offset], communication[offset], idle[offset]] = times;
        });
        (self.until, self.jump) = (until, jump);
        inside
    }

    /// The largest gap between supersteps: seconds, superstep.
    pub(super) fn jump(&self) -> (f64, SuperstepNumber) {
        (self.jump.0 as f64 * self.tick.get(), self.jump.1)
    }

    /// From its first record to its last, seconds.
    pub(super) fn lasted(&self) -> f64 {
        self.seconds(self.first.zip(self.until))
    }

    /// Notes a set that was not in the log.
    pub(super) fn lacks(&mut self, set: u32) {
        match self.lacked.0 {
            Some(known) if known != set => self.lacked.1 += 1,
            _ => self.lacked.0 = Some(set),
        }
    }

    /// Returns the seconds of a span of ticks; 0 if there is none.
    pub(super) fn seconds(&self, span: Option<(u64, u64)>) -> f64 {
        span.map_or(0.0, |(from, to)| to.wrapping_sub(from) as i64 as f64 * self.tick.get())
    }
}

/// Small negative times come from rounding; they are set to 0. A large negative time means that a clock went back.
/// These are counted, and the smallest is kept.
#[cold]
fn mend(times: [f64; 3], duration: f64, negative: &mut (u64, f64)) -> [f64; 3] {
    let slack = -1e-6 * (duration.abs() + 1e-3);
    let least = times.iter().copied().fold(f64::INFINITY, f64::min);
    if least < slack {
        negative.0 += 1;
        negative.1 = negative.1.min(least);
    }
    times.map(|time| if (slack..0.0).contains(&time) { 0.0 } else { time })
}
