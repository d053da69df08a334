//! Logs of several runs: measured and predicted times over the numbers of processors.

use std::path::PathBuf;

use crate::Error;
use cll_machine::Machine;
use cll_model::curves::scaling;
use cll_model::{Interval, Rule};
use cll_result::obsp::Prediction;
use cll_result::{Doubts, TimedCurve, TimedPoint};
use cll_units::Seconds;

use super::{ObspOptions, ReadLogs};
use crate::logs::logs_in;
use crate::messages::Messages;

/// Runs of a program with the same arguments.
pub struct Set {
    /// The program's name and arguments.
    pub words: String,
    /// Whether its processors were virtual.
    pub of_virtual_processors: bool,
    /// Ascending by number of processors, each number once.
    runs: Vec<ProcessorTimes>,
    /// The program, the machine and what h is, as the title of a table.
    pub head: String,
}

impl Set {
    /// Returns the kind of the times: virtual or measured.
    pub fn kind(&self) -> &'static str {
        if self.of_virtual_processors { "virtual" } else { "measured" }
    }

    /// The measured times of all runs on this number of processors.
    pub fn times(&self, processors: u32) -> Option<&[Seconds]> {
        let has_processors = |run: &&ProcessorTimes| run.prediction.processors == processors;
        self.runs.iter().find(has_processors).map(|run| &run.all[..])
    }

    /// The time by OBSP* on this number of processors.
    pub fn predicted(&self, processors: u32) -> Option<Interval> {
        let has_processors = |run: &&ProcessorTimes| run.prediction.processors == processors;
        self.runs.iter().find(has_processors).and_then(|run| run.time_by(Rule::ObspStar))
    }

    /// The numbers of processors, ascending.
    pub fn processors(&self) -> impl Iterator<Item = u32> {
        self.runs.iter().map(|run| run.prediction.processors)
    }
}

/// The times on one number of processors.
struct ProcessorTimes {
    prediction: Prediction,
    measured: Seconds,
    /// The times of all runs; `measured` is the median.
    all: Vec<Seconds>,
}

impl ProcessorTimes {
    fn processors(&self) -> f64 {
        f64::from(self.prediction.processors)
    }

    fn time_by(&self, rule: Rule) -> Option<Interval> {
        let entry = self.prediction.models.iter().find(|entry| entry.model == rule)?;
        entry.time
    }
}

/// Reads and prices the runs; each file, or folder of logs, is one. Also what should be known.
///
/// # Errors
/// If one cannot be read or priced.
pub fn sets(
    files: &[PathBuf],
    options: &ObspOptions,
    machine: &Machine,
    messages: &dyn Messages,
) -> Result<(Vec<Set>, Vec<String>), Error> {
    let mut sets: Vec<Set> = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    let mut note = |text: String| {
        if !notes.contains(&text) {
            notes.push(text);
        }
    };
    for path in files {
        let paths = logs_in(std::slice::from_ref(path))?;
        let read = ReadLogs::read(&paths, options, machine, messages)?;
        read.notes.iter().cloned().for_each(&mut note);
        let target = read.target(options, machine);
        let prediction = read.price(options, &target, false)?;
        for taken in &prediction.substitutions {
            note(format!("{} ({}): {}", taken.rule.name(), taken.asked, taken.substitution));
        }
        let measured = prediction.measured.unwrap_or(Seconds(f64::NAN));
        let run = ProcessorTimes { prediction, measured, all: vec![measured] };
        let alike = |set: &&mut Set| {
            set.words == read.words && set.of_virtual_processors == read.of_virtual_processors
        };
        match sets.iter_mut().find(alike) {
            Some(set) => set.runs.push(run),
            None => {
                let combine_name = target.combine.name();
                let head =
                    format!("{} on {}, h = {combine_name}(in, out)", read.words, machine.name);
                let of_virtual_processors = read.of_virtual_processors;
                sets.push(Set { words: read.words, of_virtual_processors, runs: vec![run], head });
            }
        }
    }
    for set in &mut sets {
        set.runs = middles(std::mem::take(&mut set.runs));
        if on_one_processor(set, |run| Some(run.measured)).is_none() {
            let missing = format!(
                "there is no run of {} on one processor: its speed-up, efficiency and serial fraction are unknown",
                set.words
            );
            notes.insert(0, missing);
        }
    }
    Ok((sets, notes))
}

/// If there are several runs on the same number of processors, the one with the median time (the lower of two).
fn middles(mut runs: Vec<ProcessorTimes>) -> Vec<ProcessorTimes> {
    runs.sort_by(|a, b| {
        let processors = a.prediction.processors.cmp(&b.prediction.processors);
        processors.then(a.measured.total_cmp(&b.measured))
    });
    let mut by_processors: Vec<ProcessorTimes> = Vec::new();
    let mut rest = runs.into_iter().peekable();
    while let Some(first) = rest.next() {
        let processors = first.prediction.processors;
        let mut alike = vec![first];
        while let Some(next) = rest.next_if(|run| run.prediction.processors == processors) {
            alike.push(next);
        }
        let all: Vec<Seconds> = alike.iter().map(|run| run.measured).collect();
        let middle = alike.swap_remove((all.len() - 1) / 2);
        by_processors.push(ProcessorTimes { all, ..middle });
    }
    by_processors
}

/// A time on one processor.
fn on_one_processor(
    set: &Set,
    time: impl Fn(&ProcessorTimes) -> Option<Seconds>,
) -> Option<Seconds> {
    set.runs.iter().find(|run| run.prediction.processors == 1).and_then(time)
}

fn point(run: &ProcessorTimes, time: Seconds, option: Option<Seconds>) -> TimedPoint {
    TimedPoint {
        at: run.processors(),
        time,
        low: None,
        high: None,
        beyond: None,
        beside: Default::default(),
        scaling: option.map(|seconds| scaling(run.processors(), time, seconds)),
        isoefficiency_size: None,
        runs: Some(run.all.len()),
    }
}

impl Set {
    /// The measured times.
    pub fn measured_curve(&self) -> TimedCurve {
        let set = self;
        let seconds = on_one_processor(set, |run| Some(run.measured));
        TimedCurve {
            name: set.words.clone(),
            kind: set.kind(),
            of_runs: true,
            doubts: Doubts::default(),
            points: set.runs.iter().map(|run| point(run, run.measured, seconds)).collect(),
        }
    }

    /// The times by OBSP\*, beside those by BSP and OBSP.
    pub fn predicted_curve(&self) -> TimedCurve {
        let set = self;
        let value = |run: &ProcessorTimes, rule| run.time_by(rule).map(|interval| interval.value);
        let seconds = on_one_processor(set, |run| value(run, Rule::ObspStar));
        // Each run has one, or pricing would have failed.
        let points = set.runs.iter().filter_map(|run| {
            let time = run.time_by(Rule::ObspStar)?;
            let others = [Rule::Bsp, Rule::Obsp];
            let beside = others
                .iter()
                .filter_map(|&rule| Some((rule.name().to_owned(), value(run, rule)?.get().into())));
            Some(TimedPoint {
                low: (time.low < time.high).then_some(time.low),
                high: (time.low < time.high).then_some(time.high),
                beside: beside.collect(),
                ..point(run, time.value, seconds)
            })
        });
        let (name, kind) = (set.words.clone(), Rule::ObspStar.name());
        TimedCurve {
            name,
            kind,
            of_runs: false,
            doubts: Doubts::default(),
            points: points.collect(),
        }
    }
}
