use std::fmt::{self, Write as _};
use std::io::{Read, Write};
use std::ops::ControlFlow;

use csv::Writer;

use cll_trace::{Sample, stream};
use cll_trace::{Start, Trace};

use super::{ExportError, Number};

/// Columns before those of the variables.
const COLUMNS: [&str; 12] = [
    "experiment",
    "place",
    "trace",
    "process",
    "processor",
    "thread",
    "depth",
    "parent",
    "flags",
    "start_s",
    "inclusive_s",
    "exclusive_s",
];

/// Writes samples as CSV, one row each, in constant memory.
pub struct CsvExport<'w> {
    out: Writer<Box<dyn Write + 'w>>,
    variables: Vec<String>,
    observables: Vec<String>,
    traces: u32,
    /// The text of a field.
    text: String,
}

impl<'w> CsvExport<'w> {
    /// Writes the header. Variables and observables are those of all `surveys`, in order of first
    /// appearance.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn new(out: impl Write + 'w, surveys: &[Trace]) -> Result<Self, ExportError> {
        let mut variables: Vec<String> = Vec::new();
        let mut observables: Vec<String> = Vec::new();
        for experiment in surveys.iter().flat_map(|survey| &survey.experiments) {
            for name in &experiment.variables {
                if !variables.contains(name) {
                    variables.push(name.clone());
                }
            }
            for observed in &experiment.observables {
                if !observables.contains(&observed.name) {
                    observables.push(observed.name.clone());
                }
            }
        }
        let mut out = Writer::from_writer(Box::new(out) as Box<dyn Write + 'w>);
        // A variable may also be called `depth`.
        let title = |name: &String| {
            if COLUMNS.contains(&name.as_str()) { format!("variable.{name}") } else { name.clone() }
        };
        let titles = variables.iter().map(title);
        let observed = observables.iter().flat_map(|name| [name.clone(), exclusive(name)]);
        let all = COLUMNS.into_iter().map(str::to_owned).chain(titles).chain(observed);
        out.write_record(all).map_err(failed)?;
        Ok(CsvExport { out, variables, observables, traces: 0, text: String::new() })
    }

    /// Writes the samples of `input`, the same trace that `survey` was read from.
    ///
    /// # Errors
    /// If `out` cannot be written, or `input` cannot be read or has changed.
    pub fn add(&mut self, input: impl Read, survey: &Trace) -> Result<(), ExportError> {
        let mut result = Ok(());
        stream(input, survey, |sample| match self.row(survey, sample) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                result = Err(error);
                ControlFlow::Break(())
            }
        })?;
        self.traces += 1;
        result
    }

    /// Writes out what is buffered.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn finish(mut self) -> Result<(), ExportError> {
        Ok(self.out.flush()?)
    }

    fn row(&mut self, survey: &Trace, sample: &Sample<'_>) -> Result<(), ExportError> {
        let place = sample.place;
        let flags = [
            (sample.left, "left"),
            (!sample.exclusive_certain, "uncertain"),
            (sample.switched, "switched"),
            (sample.together == Start::Barrier, "barrier"),
            (matches!(sample.together, Start::Window | Start::Late), "window"),
            (sample.together == Start::Late, "late"),
        ];
        let process = survey.processes.get(sample.process);
        let pid = process.map_or(0, |process| process.pid);
        let processor = process.and_then(|process| process.processor.as_ref());
        let parent = sample.parent.map_or("", |parent| parent.experiment.as_str());
        let (out, text) = (&mut self.out, &mut self.text);
        let mut field = |arguments: fmt::Arguments<'_>| {
            text.clear();
            let _ = text.write_fmt(arguments);
            out.write_field(&*text).map_err(failed)
        };
        field(format_args!("{}", place.experiment))?;
        field(format_args!("{}:{}", place.file, place.line))?;
        field(format_args!("{}", self.traces))?;
        field(format_args!("{pid}"))?;
        match processor {
            Some(processor) => field(format_args!("{}", processor.number))?,
            None => field(format_args!(""))?,
        }
        field(format_args!("{}", sample.thread))?;
        field(format_args!("{}", sample.depth))?;
        field(format_args!("{parent}"))?;
        let mut set = flags.into_iter().filter(|(set, _)| *set).map(|(_, name)| name);
        match (set.next(), set.next()) {
            (Some(first), Some(second)) => {
                let rest: String = set.flat_map(|name| [" ", name]).collect();
                field(format_args!("{first} {second}{rest}"))?;
            }
            (first, _) => field(format_args!("{}", first.unwrap_or_default()))?,
        }
        field(format_args!("{}", Number(sample.start.get())))?;
        field(format_args!("{}", Number(sample.inclusive.get())))?;
        field(format_args!("{}", Number(sample.exclusive.get())))?;
        for variable in &self.variables {
            let index = place.variables.iter().position(|name| name == variable);
            match index.and_then(|index| sample.values.get(index)) {
                Some(&value) => field(format_args!("{}", Number(value)))?,
                None => field(format_args!(""))?,
            }
        }
        for name in &self.observables {
            let counted = sample.observed.iter().find(|counted| counted.observable.name == *name);
            let both = counted.map(|counted| [counted.inclusive, counted.exclusive]);
            for value in both.unwrap_or([f64::NAN; 2]) {
                if value.is_nan() {
                    field(format_args!(""))?;
                } else {
                    field(format_args!("{}", Number(value)))?;
                }
            }
        }
        out.write_record(None::<&[u8]>).map_err(failed)
    }
}

/// Name of the column with the exclusive values of an observable.
fn exclusive(name: &str) -> String {
    format!("{name}.exclusive")
}

pub(super) fn failed(error: csv::Error) -> ExportError {
    ExportError::Io(error.into())
}
