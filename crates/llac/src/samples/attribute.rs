//! The attributes of each sample beside its values and its time.

use cll_trace::{Origin, Start};

use super::Samples;
use crate::value::{Cells, Column, Unit, Words};

/// A column that follows from where samples come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// Time without the regions inside.
    OwnTime,
    /// Processor of a parallel program, from 0.
    Processor,
    /// Thread, from 0.
    Thread,
    /// Run, from 0; all processes that were started together are of one.
    Run,
    /// File that was read.
    File,
    /// Machine.
    Host,
    /// Engine of a BSP program.
    Engine,
    /// Day at which the program began: `2026-01-31`.
    Day,
    /// Place in the source: `fft.c:12`.
    Place,
    /// Number of the sample among those of its values, from 0.
    Sample,
    /// Whether the thread was switched out during it.
    Switched,
    /// Whether the region was left by a jump, a return or the end of its thread.
    Left,
    /// How it began: `own`, `barrier`, `window`, `late`.
    Start,
    /// Whether it is marked as an outlier.
    Marked,
}

/// All of them, in the order in which they are shown.
pub const ATTRIBUTES: &[Attribute] = &[
    Attribute::OwnTime,
    Attribute::Processor,
    Attribute::Thread,
    Attribute::Run,
    Attribute::File,
    Attribute::Host,
    Attribute::Engine,
    Attribute::Day,
    Attribute::Place,
    Attribute::Sample,
    Attribute::Switched,
    Attribute::Left,
    Attribute::Start,
    Attribute::Marked,
];

impl Attribute {
    /// The name of the attribute in the language.
    pub fn name(self) -> &'static str {
        match self {
            Attribute::OwnTime => "own_time",
            Attribute::Processor => "processor",
            Attribute::Thread => "thread",
            Attribute::Run => "run",
            Attribute::File => "file",
            Attribute::Host => "host",
            Attribute::Engine => "engine",
            Attribute::Day => "day",
            Attribute::Place => "place",
            Attribute::Sample => "sample",
            Attribute::Switched => "switched",
            Attribute::Left => "left",
            Attribute::Start => "start",
            Attribute::Marked => "marked",
        }
    }

    /// The attribute of this name.
    pub fn named(name: &str) -> Option<Attribute> {
        ATTRIBUTES.iter().copied().find(|attribute| attribute.name() == name)
    }

    /// Whether these samples have it. Rows of a table have no origin.
    pub fn is_of(self, samples: &Samples) -> bool {
        samples.column.is_none() || matches!(self, Attribute::Sample | Attribute::Marked)
    }

    /// The values of the attribute, one for each sample in the order of groups and samples.
    pub fn cells(self, samples: &Samples) -> Cells {
        let trace = &samples.context.trace;
        let process = |origin: &Origin| trace.processes.get(origin.process as usize);
        match self {
            Attribute::OwnTime => {
                let all = samples.groups.iter().flat_map(|group| group.cell.exclusive());
                Cells::Numbers(Column { values: all.copied().collect(), unit: Unit::seconds() })
            }
            Attribute::Sample => {
                let all = samples.groups.iter().flat_map(|group| 0..group.len());
                Cells::Numbers(Column::plain(all.map(|k| k as f64).collect::<Vec<_>>()))
            }
            Attribute::Marked => {
                let mut all = Vec::with_capacity(samples.rows());
                for group in &samples.groups {
                    match &group.marks {
                        Some(marks) => all.extend_from_slice(marks),
                        None => all.resize(all.len() + group.len(), false),
                    }
                }
                Cells::Truths(all.into())
            }
            Attribute::Processor => numbers(samples, |origin| {
                let processor = process(origin).and_then(|process| process.processor.as_ref());
                processor.map_or(0.0, |processor| f64::from(processor.number))
            }),
            Attribute::Thread => numbers(samples, |origin| f64::from(origin.thread)),
            Attribute::Run => numbers(samples, |origin| {
                process(origin).map_or(0.0, |process| f64::from(process.run))
            }),
            Attribute::File => words(samples, |origin| {
                let trace = process(origin).map_or(0, |process| process.trace);
                samples.context.files.get(trace as usize).cloned().unwrap_or_default()
            }),
            Attribute::Host => words(samples, |origin| {
                process(origin).map_or_else(String::new, |process| process.table.host.clone())
            }),
            Attribute::Engine => words(samples, |origin| {
                let engine = process(origin).and_then(|process| trace.engine_of(process));
                engine.unwrap_or_default().to_owned()
            }),
            Attribute::Day => words(samples, |origin| {
                process(origin).map_or_else(String::new, |process| day(process.table.start_unix_ns))
            }),
            Attribute::Place => words(samples, |origin| {
                samples
                    .places
                    .get(origin.place as usize)
                    .map_or_else(String::new, ToString::to_string)
            }),
            Attribute::Start => words(samples, |origin| {
                match origin.start {
                    Start::Own => "own",
                    Start::Barrier => "barrier",
                    Start::Window => "window",
                    Start::Late => "late",
                }
                .to_owned()
            }),
            Attribute::Switched => truths(samples, |origin| origin.switched),
            Attribute::Left => truths(samples, |origin| origin.left),
        }
    }
}

/// The day in Universal Time, by the proleptic Gregorian calendar.
fn day(unix_ns: u64) -> String {
    let seconds = (unix_ns / 1_000_000_000) as i64;
    match jiff::Timestamp::from_second(seconds) {
        Ok(time) => time.strftime("%Y-%m-%d").to_string(),
        Err(_) => String::new(),
    }
}

/// Calls `each` with every stretch of equal origin.
fn stretches(samples: &Samples, mut each: impl FnMut(u32, usize)) {
    for group in &samples.groups {
        for stretch in &group.cell.stretches {
            each(stretch.origin, stretch.count as usize);
        }
    }
}

fn numbers(samples: &Samples, value_of: impl Fn(&Origin) -> f64) -> Cells {
    let known: Vec<f64> = samples.origins.iter().map(value_of).collect();
    let mut all = Vec::with_capacity(samples.rows());
    stretches(samples, |origin, count| {
        let value = known.get(origin as usize).copied().unwrap_or(0.0);
        all.resize(all.len() + count, value);
    });
    Cells::Numbers(Column::plain(all))
}

fn truths(samples: &Samples, truth_of: impl Fn(&Origin) -> bool) -> Cells {
    let known: Vec<bool> = samples.origins.iter().map(truth_of).collect();
    let mut all = Vec::with_capacity(samples.rows());
    stretches(samples, |origin, count| {
        let value = known.get(origin as usize).copied().unwrap_or(false);
        all.resize(all.len() + count, value);
    });
    Cells::Truths(all.into())
}

fn words(samples: &Samples, word_of: impl Fn(&Origin) -> String) -> Cells {
    let by_origin = Words::from_rows(samples.origins.iter().map(word_of));
    let mut codes = Vec::with_capacity(samples.rows());
    stretches(samples, |origin, count| {
        let code = by_origin.codes.get(origin as usize).copied().unwrap_or(0);
        codes.resize(codes.len() + count, code);
    });
    Cells::Words(Words { known: by_origin.known, codes: codes.into() })
}
