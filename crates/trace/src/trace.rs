use std::fmt;

use cll_units::{Bytes, Seconds};

use crate::clock::Calibration;
use crate::damage::Damage;
use crate::meta;
use crate::warning::Warning;

/// The content of one or more traces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The processes, in order of appearance.
    pub processes: Vec<Process>,
    /// The launchers' records of the runs.
    pub runs: Vec<Run>,
    /// The experiments, in order of appearance; also those without samples.
    pub experiments: Vec<Experiment>,
    /// The experiments that the program wants reported; empty: all.
    pub report: Vec<String>,
    /// The missing and damaged parts, by trace and offset.
    pub damage: Vec<Damage>,
    /// Warnings that a reader of the times should know.
    pub warnings: Vec<Warning>,
    /// Samples read.
    pub samples: u64,
    /// Size of what was read.
    pub bytes: Bytes,
    /// Blocks of kinds that this version does not know.
    pub unknown_blocks: u64,
    /// Number of traces that were merged into this one, 1 for one that was read.
    pub traces: u32,
    /// `CLOCK_MONOTONIC` of the earliest block, nanoseconds: the origin of `start_s`.
    pub first_mono_ns: u64,
}

/// A process that was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Process {
    /// Index of the trace among those that were merged.
    pub trace: u32,
    /// The number of the run it belongs to, among those of the traces: equal for all processes that
    /// were started together, whether they have written one file or several.
    pub run: u32,
    /// The number of the process in the system.
    pub pid: u32,
    /// The table of the process; defaults if that is missing.
    pub table: meta::Process,
    /// Which processor of a parallel program it is, if recorded.
    pub processor: Option<meta::Processor>,
    /// The kinds of `sync` that it used.
    pub sync: Vec<meta::Sync>,
    /// The translated sources of the process.
    pub units: Vec<meta::Unit>,
    /// The observables of the process; `None` if there are none.
    pub observables: Option<meta::Observables>,
    /// The end record of the process; `None` if it did not end normally.
    pub end: Option<meta::End>,
    /// Conversion from its ticks to seconds.
    pub calibration: Calibration,
    /// Threads that recorded samples.
    pub threads: u32,
    /// Samples read.
    pub samples: u64,
    /// Blocks that were not sealed: their samples have no checksum.
    pub unsealed: u64,
    /// Nanoseconds it waited for free space.
    pub waited_ns: u64,
    /// How often it waited.
    pub waits: u64,
}

impl Process {
    /// The place that its records call `id`.
    pub fn place(&self, id: u16) -> Option<&meta::Place> {
        let places = self.units.iter().flat_map(|unit| &unit.places);
        places.into_iter().find(|place| place.id == u32::from(id))
    }
}

/// A launcher's record of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Index of the trace among those that were merged.
    pub trace: u32,
    /// The record.
    pub table: meta::Run,
}

/// An experiment: all samples of one name and formula.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Experiment {
    /// The name of the experiment.
    pub name: String,
    /// The formula of the experiment, normalised.
    pub formula: String,
    /// The variables whose values each sample has.
    pub variables: Vec<String>,
    /// The observables of the experiment, in order of appearance.
    pub observables: Vec<Observed>,
    /// Where in the sources it is measured.
    pub places: Vec<Place>,
    /// The samples of the experiment, one cell per distinct tuple of values, in order of appearance.
    pub cells: Vec<Cell>,
    /// Where samples come from; [`Stretch::origin`] is an index into it.
    pub origins: Vec<Origin>,
    /// Samples whose region was left by a jump, a return or the end of its thread.
    pub left: u64,
    /// Samples whose thread was switched out or moved to another core during them.
    pub switched: u64,
    /// How the begins of samples were synchronised among processors.
    pub starts: Starts,
    /// Samples with a negative time, because the clock went backwards; they are kept.
    pub negative: u64,
    /// Samples whose exclusive time may be too long, because samples inside are lost.
    pub exclusive_uncertain: u64,
    /// How evenly processors took part, after the samples of each passage were paired; `None` if
    /// there were not several processors.
    pub imbalance: Option<Imbalance>,
}

/// How evenly the processors of a parallel program took part: sums over all passages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Imbalance {
    /// Passages in which several processors took part.
    pub passages: u64,
    /// The largest number of processors in a passage.
    pub processors: u32,
    /// The slowest of each.
    pub longest: Seconds,
    /// The mean of each.
    pub mean: Seconds,
    /// The fastest of each.
    pub shortest: Seconds,
}

impl Experiment {
    /// Number of its samples, even if they were only counted ([`crate::survey`]).
    pub fn samples(&self) -> u64 {
        self.places.iter().map(|place| place.samples).sum()
    }
}

/// An observable of an experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// The name of the observable, such as `page-faults`.
    pub name: String,
    /// Unit of its values.
    pub unit: String,
    /// Whether exclusive values differ from inclusive ones.
    pub additive: bool,
}

/// Where an experiment is measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// The file the region is in.
    pub file: String,
    /// Line where it begins.
    pub line: u32,
    /// Line where it ends.
    pub end_line: u32,
    /// The function around it, empty if unknown.
    pub function: String,
    /// Model of the source: `sequential`, `OpenMP`, …
    pub model: String,
    /// Every n-th execution is recorded, at least 1.
    pub every: u32,
    /// Samples read from this place.
    pub samples: u64,
}

impl Place {
    pub(crate) fn new(unit: &meta::Unit, place: &meta::Place) -> Place {
        Place {
            file: place.file.clone(),
            line: place.line,
            end_line: place.end_line,
            function: place.function.clone(),
            model: unit.model.clone(),
            every: place.every.max(1),
            samples: 0,
        }
    }
}

impl fmt::Display for Place {
    /// `file:line`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The samples of an experiment at one tuple of values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// One value for each variable of the experiment. Values are equal if their bits are; all NaN
    /// are equal, and 0 and -0 are.
    pub values: Vec<f64>,
    /// Seconds from the region's start to its end, in order of recording.
    pub inclusive: Vec<f64>,
    /// See [`Cell::exclusive`]; empty while all are equal to the inclusive ones.
    own: Vec<f64>,
    /// One series for each observable of the experiment.
    pub observed: Vec<Series>,
    /// Where the samples come from: stretches of equal origin, in order.
    pub stretches: Vec<Stretch>,
    /// Processes whose first sample of the experiment is in this cell (indices in
    /// [`Trace::processes`]).
    pub first_of: Vec<u32>,
}

/// The values of an observable, one for each sample of a cell; NaN if not recorded or not readable.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Inclusive values.
    pub inclusive: Vec<f64>,
    /// Exclusive values.
    pub exclusive: Vec<f64>,
}

impl Series {
    fn pad(&mut self, length: usize) {
        self.inclusive.resize(length, f64::NAN);
        self.exclusive.resize(length, f64::NAN);
    }
}

/// Reserves memory: more than doubles long lists, because unused memory costs nothing but copying
/// does.
#[inline]
fn grow(times: &mut Vec<f64>) {
    if times.len() == times.capacity() && times.len() >= 1024 {
        times.reserve(3 * times.len());
    }
}

/// Consecutive samples of a cell with the same origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Index into [`Experiment::origins`].
    pub origin: u32,
    /// Number of samples.
    pub count: u32,
}

/// Where a sample comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Index into [`Trace::processes`].
    pub process: u32,
    /// The thread within the process.
    pub thread: u32,
    /// Index into [`Experiment::places`].
    pub place: u32,
    /// Whether the region was left by a jump, a return or the end of its thread.
    pub left: bool,
    /// Whether the thread was switched out or moved to another core, if the process records that
    /// ([`meta::Process::switched`]).
    pub switched: bool,
    /// How its begin was synchronised with other processors.
    pub start: Start,
}

/// How the begin of a sample was synchronised with other processors (`sync`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Start {
    /// It was not, or that is unknown.
    #[default]
    Own,
    /// After a barrier.
    Barrier,
    /// At a time that all had agreed on.
    Window,
    /// Later than that time.
    Late,
}

/// Number of samples by how they began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Starts {
    /// After a barrier.
    pub barrier: u64,
    /// At the agreed time.
    pub window: u64,
    /// Later than that.
    pub late: u64,
    /// Samples left out when passages were paired, because a processor began late.
    pub left_out: u64,
}

impl Starts {
    #[inline]
    pub(crate) fn count(&mut self, start: Start) {
        match start {
            Start::Own => {}
            Start::Barrier => self.barrier += 1,
            Start::Window => self.window += 1,
            Start::Late => self.late += 1,
        }
    }

    pub(crate) fn add(&mut self, other: Starts) {
        self.barrier += other.barrier;
        self.window += other.window;
        self.late += other.late;
        self.left_out += other.left_out;
    }
}

impl Cell {
    /// A cell without samples.
    pub fn new(values: Vec<f64>) -> Cell {
        Cell { values, ..Cell::default() }
    }

    /// The exclusive times: seconds without the recorded regions inside, in the same thread.
    pub fn exclusive(&self) -> &[f64] {
        if self.own.is_empty() { &self.inclusive } else { &self.own }
    }

    /// Takes the times, exclusive or inclusive, out of the cell: they may fill the memory.
    pub fn take_times(&mut self, exclusive: bool) -> Vec<f64> {
        let inclusive = std::mem::take(&mut self.inclusive);
        let own = std::mem::take(&mut self.own);
        if exclusive && !own.is_empty() { own } else { inclusive }
    }

    /// Adds a sample.
    #[inline]
    pub fn push(&mut self, inclusive: f64, exclusive: f64, origin: u32) {
        if self.own.is_empty() && inclusive != exclusive {
            self.own.clone_from(&self.inclusive);
        }
        if !self.own.is_empty() || inclusive != exclusive {
            grow(&mut self.own);
            self.own.push(exclusive);
        }
        grow(&mut self.inclusive);
        self.inclusive.push(inclusive);
        self.extend(Stretch { origin, count: 1 });
    }

    /// Sets the value of an observable for the last sample.
    pub(crate) fn observe(&mut self, index: usize, inclusive: f64, exclusive: f64) {
        if self.observed.len() <= index {
            self.observed.resize_with(index + 1, Series::default);
        }
        let series = &mut self.observed[index];
        series.pad(self.inclusive.len().saturating_sub(1));
        series.inclusive.push(inclusive);
        series.exclusive.push(exclusive);
    }

    /// Completes the series of this many observables with NaN.
    pub(crate) fn complete(&mut self, observables: usize) {
        self.observed.resize_with(observables, Series::default);
        self.observed.iter_mut().for_each(|series| series.pad(self.inclusive.len()));
    }

    /// Adds the samples of another cell; `origins` and `observables` map its indices to those of
    /// this cell.
    pub fn append(&mut self, mut other: Cell, origins: &[u32], observables: &[usize]) {
        let before = self.inclusive.len();
        for (&index, series) in observables.iter().zip(std::mem::take(&mut other.observed)) {
            if self.observed.len() <= index {
                self.observed.resize_with(index + 1, Series::default);
            }
            let own = &mut self.observed[index];
            own.pad(before);
            own.inclusive.extend(series.inclusive);
            own.exclusive.extend(series.exclusive);
        }
        if !(self.own.is_empty() && other.own.is_empty()) {
            if self.own.is_empty() {
                self.own.clone_from(&self.inclusive);
            }
            self.own.extend_from_slice(other.exclusive());
        }
        self.first_of.append(&mut other.first_of);
        self.inclusive.append(&mut other.inclusive);
        for Stretch { origin, count } in other.stretches {
            let origin = origins.get(origin as usize).copied().unwrap_or(0);
            self.extend(Stretch { origin, count });
        }
    }

    /// Multiplies the times of each stretch by the factor of its origin.
    pub(crate) fn scale(&mut self, factors: &[f64]) {
        for times in [&mut self.inclusive, &mut self.own] {
            let mut times = times.iter_mut();
            for stretch in &self.stretches {
                let factor = factors[stretch.origin as usize];
                times.by_ref().take(stretch.count as usize).for_each(|time| *time *= factor);
            }
        }
    }

    #[inline]
    fn extend(&mut self, more: Stretch) {
        match self.stretches.last_mut() {
            Some(last) if last.origin == more.origin && last.count <= u32::MAX - more.count => {
                last.count += more.count;
            }
            _ => self.stretches.push(more),
        }
    }

    /// Takes the cell, leaving one with the same values and no samples.
    fn emptied(&mut self) -> Cell {
        let first_of = std::mem::take(&mut self.first_of);
        let empty = Cell { first_of, ..Cell::new(std::mem::take(&mut self.values)) };
        std::mem::replace(self, empty)
    }

    /// Keeps the samples with these ascending indices.
    pub fn keep_samples(&mut self, kept: &[usize]) {
        let all = self.emptied();
        let mut stretches = all.stretches.iter();
        let (mut origin, mut end) = (0, 0);
        for &sample in kept {
            while sample >= end {
                let Some(stretch) = stretches.next() else { return };
                (origin, end) = (stretch.origin, end + stretch.count as usize);
            }
            self.push(all.inclusive[sample], all.exclusive()[sample], origin);
            for (index, series) in all.observed.iter().enumerate() {
                self.observe(index, series.inclusive[sample], series.exclusive[sample]);
            }
        }
        self.complete(all.observed.len());
    }

    /// Keeps the samples of the marked stretches; returns the number removed.
    pub(crate) fn keep(&mut self, stretches: &[bool]) -> u64 {
        let all = self.emptied();
        let mut start = 0;
        let mut left_out = 0;
        for (stretch, keep) in all.stretches.iter().zip(stretches) {
            let end = start + stretch.count as usize;
            if *keep {
                (start..end).for_each(|sample| {
                    self.push(all.inclusive[sample], all.exclusive()[sample], stretch.origin);
                    for (index, series) in all.observed.iter().enumerate() {
                        self.observe(index, series.inclusive[sample], series.exclusive[sample]);
                    }
                })
            } else {
                left_out += u64::from(stretch.count)
            }
            start = end;
        }
        self.complete(all.observed.len());
        left_out
    }

    /// Number of its samples that were switched out ([`Origin::switched`]).
    pub fn switched(&self, experiment: &Experiment) -> usize {
        let away = |stretch: &&Stretch| {
            experiment.origins.get(stretch.origin as usize).is_some_and(|origin| origin.switched)
        };
        self.stretches.iter().filter(away).map(|stretch| stretch.count as usize).sum()
    }

    /// The origin of each sample, in their order.
    pub fn origins<'a>(
        &'a self,
        experiment: &'a Experiment,
    ) -> impl Iterator<Item = &'a Origin> + 'a {
        self.stretches.iter().flat_map(|stretch| {
            let origin = experiment.origins.get(stretch.origin as usize);
            origin.into_iter().cycle().take(stretch.count as usize)
        })
    }
}
