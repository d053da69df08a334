use std::io::Read;
use std::ops::ControlFlow;

use cll_units::{Seconds, Ticks};

use crate::meta;
use crate::trace::{Process, Start, Trace};

use super::TraceError;
use super::assemble::{Assembler, Sink};
use super::scan::{Batch, Scanner};
use super::thread::RawSample;

/// A sample as passed to the function given to [`stream`].
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Index into [`Trace::processes`].
    pub process: usize,
    /// The thread within the process.
    pub thread: u32,
    /// Where it was measured.
    pub place: &'a meta::Place,
    /// The place of the region around it, if there is one and it is known.
    pub parent: Option<&'a meta::Place>,
    /// Number of open regions around it in the same thread.
    pub depth: u32,
    /// Whether its region was left by a jump, a return or the end of its thread.
    pub left: bool,
    /// Whether its thread was switched out or moved to another core during it, if the process
    /// records that ([`meta::Process::switched`]).
    pub switched: bool,
    /// How its begin was synchronised with other processors.
    pub together: Start,
    /// From the trace's earliest block to the region's start.
    pub start: Seconds,
    /// From the region's start to its end.
    pub inclusive: Seconds,
    /// The same without the recorded regions inside it in the same thread.
    pub exclusive: Seconds,
    /// Whether no sample inside is missing; else `exclusive` may be too long.
    pub exclusive_certain: bool,
    /// One value per variable of the place.
    pub values: &'a [f64],
    /// The observables of the sample, if the place is counted.
    pub observed: &'a [Counted<'a>],
}

/// An observable of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted<'a> {
    /// Which it is.
    pub observable: &'a meta::Observable,
    /// The value of the region, in the observable's unit; NaN if it could not be read.
    pub inclusive: f64,
    /// The same without the counted regions inside it.
    pub exclusive: f64,
}

/// Passes every sample of a trace to `visit`, each thread's in order of recording, in constant
/// memory.
///
/// `survey` is the result of [`super::survey`] (or [`super::read`]) for the same bytes: it has the
/// tables and the calibration, which may come after the samples. Damage is reported there and not
/// again. `visit` may stop early.
///
/// # Errors
/// If nothing can be read, or the bytes are not the ones surveyed.
pub fn stream(
    mut input: impl Read,
    survey: &Trace,
    mut visit: impl FnMut(&Sample<'_>) -> ControlFlow<()>,
) -> Result<(), TraceError> {
    pass_on(&mut input, survey, &mut visit)
}

/// [`stream`], compiled once and here.
fn pass_on(
    input: &mut dyn Read,
    survey: &Trace,
    visit: &mut dyn FnMut(&Sample<'_>) -> ControlFlow<()>,
) -> Result<(), TraceError> {
    let mut scanner = Scanner::new(input);
    let mut assembler = Assembler::seeded(&survey.processes);
    let places = survey.processes.iter().map(by_id).collect();
    let mut visitor = Visitor {
        survey,
        places,
        visit,
        process: 0,
        thread: 0,
        values: Vec::new(),
        observed: Vec::new(),
        stopped: false,
        changed: false,
    };
    let mut batch = Batch::default();
    while !visitor.stopped && scanner.next(&mut batch)? {
        assembler.accept(&batch, &mut visitor);
    }
    if visitor.stopped {
        return Ok(());
    }
    assembler.finish(&mut visitor);
    scanner.finish()?;
    if visitor.changed || assembler.samples != survey.samples {
        Err(TraceError::Changed)
    } else {
        Ok(())
    }
}

/// The places of a process, by number.
fn by_id(process: &Process) -> Vec<Option<&meta::Place>> {
    let mut places = Vec::new();
    for place in process.units.iter().flat_map(|unit| &unit.places) {
        let id = place.id as usize;
        if places.len() <= id {
            places.resize(id + 1, None);
        }
        places[id] = Some(place);
    }
    places
}

struct Visitor<'t, V> {
    survey: &'t Trace,
    places: Vec<Vec<Option<&'t meta::Place>>>,
    visit: V,
    process: usize,
    thread: u32,
    values: Vec<f64>,
    observed: Vec<Counted<'t>>,
    stopped: bool,
    changed: bool,
}

impl<'t, V> Visitor<'t, V> {
    fn place(&self, id: u16) -> Option<&'t meta::Place> {
        *self.places.get(self.process)?.get(usize::from(id))?
    }
}

impl<V: FnMut(&Sample<'_>) -> ControlFlow<()>> Sink for Visitor<'_, V> {
    fn place(&mut self, _: usize, _: &meta::Unit, _: &meta::Place, _: &[meta::Observable]) {}

    fn thread(&mut self, process: usize, thread: u32) {
        (self.process, self.thread) = (process, thread);
    }

    fn sample(&mut self, sample: &RawSample<'_>) {
        if self.stopped {
            return;
        }
        let process = self.survey.processes.get(self.process);
        let place = Visitor::place(self, sample.header.place);
        let (Some(process), Some(place)) = (process, place) else {
            self.changed = true;
            return;
        };
        let (values, _) = sample.values.as_chunks();
        self.values.clear();
        self.values.extend(values.iter().map(|&bytes| f64::from_le_bytes(bytes)));
        let list = process.observables.as_ref().map_or(&[][..], |table| &table.list);
        self.observed.clear();
        let both = sample.observed.iter().zip(sample.observed_exclusive);
        self.observed.extend(list.iter().zip(both).map(|(observable, (&all, &own))| Counted {
            observable,
            inclusive: all * observable.scale,
            exclusive: if observable.additive { own } else { all } * observable.scale,
        }));
        let clock = &process.calibration;
        let sample = Sample {
            process: self.process,
            thread: self.thread,
            place,
            parent: sample.parent().and_then(|id| Visitor::place(self, id)),
            depth: sample.header.depth,
            left: sample.left(),
            switched: sample.switched(),
            together: sample.start(),
            start: clock.seconds_since(self.survey.first_mono_ns, Ticks(sample.header.start)),
            inclusive: clock.seconds(sample.inclusive_ticks()),
            exclusive: clock.seconds(sample.exclusive_ticks),
            exclusive_certain: sample.exclusive_certain,
            values: &self.values,
            observed: &self.observed,
        };
        self.stopped = (self.visit)(&sample).is_break();
    }
}
