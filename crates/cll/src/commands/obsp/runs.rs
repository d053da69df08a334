//! Logs of several runs: measured and predicted times over the numbers of processors.

use cll_machine::Machine;
use cll_model::Rule;
use cll_model::curves::scaling;
use cll_report::measured_text;
use cll_result::obsp::Prediction;
use cll_result::{Curves, TimedCurve, TimedPoint};
use cll_units::Seconds;

use cll_analysis::logs::logs_in;

use super::logged::ReadLogs;
use crate::cli::ObspArgs;
use crate::commands::curves::report;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// Runs of a program with the same arguments.
struct Set {
    /// The program's name and arguments.
    words: String,
    of_virtual_processors: bool,
    /// Ascending by number of processors, each number once.
    runs: Vec<Run>,
}

/// The times on one number of processors.
struct Run {
    prediction: Prediction,
    measured: Seconds,
    /// The number of runs of which it is the median.
    of: usize,
}

impl Run {
    fn processors(&self) -> f64 {
        f64::from(self.prediction.processors)
    }

    fn said(&self, rule: Rule) -> Option<cll_model::Interval> {
        let said = self.prediction.models.iter().find(|said| said.model == rule)?;
        said.time
    }
}

/// Each argument is a run: a log, or the folder with the logs of its processes.
pub fn run(
    along: &str,
    args: &ObspArgs,
    machine: &Machine,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    if along != "P" {
        return Err(Failure::usage(format!("--curves {along}: for logs the variable is P"))
            .help("use --curves P, without a range; NAME.obsp.toml describes a program for all numbers of processors"));
    }
    if args.curves.isoefficiency.is_some() || !args.curves.against.is_empty() {
        return Err(Failure::usage(
            "--isoefficiency and --against are for descriptions in formulas",
        ));
    }
    let mut sets: Vec<Set> = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    let mut note = |text: String| {
        if !notes.contains(&text) {
            notes.push(text);
        }
    };
    let mut heads: Vec<String> = Vec::new();
    for path in &args.files {
        let paths = logs_in(std::slice::from_ref(path))?;
        let read = ReadLogs::read(&paths, args, machine, terminal)?;
        read.notes.iter().cloned().for_each(&mut note);
        let target = read.target(args, machine);
        let prediction = read.price(args, &target, false)?;
        for taken in &prediction.substitutions {
            note(format!("{} ({}): {}", taken.rule.name(), taken.asked, taken.substitution));
        }
        let measured = prediction.measured.unwrap_or(Seconds(f64::NAN));
        let run = Run { prediction, measured, of: 1 };
        let alike = |set: &&mut Set| {
            set.words == read.words && set.of_virtual_processors == read.of_virtual_processors
        };
        match sets.iter_mut().find(alike) {
            Some(set) => set.runs.push(run),
            None => {
                let at = target.combine.name();
                heads.push(format!("{} on {}, h = {at}(in, out)", read.words, machine.name));
                let of_virtual_processors = read.of_virtual_processors;
                sets.push(Set { words: read.words, of_virtual_processors, runs: vec![run] });
            }
        }
    }
    for set in &mut sets {
        set.runs = middles(std::mem::take(&mut set.runs));
        if one(set, |run| Some(run.measured)).is_none() {
            let missing = format!(
                "there is no run of {} on one processor: its speed-up, efficiency and serial fraction are unknown",
                set.words
            );
            notes.insert(0, missing);
        }
    }
    let curves = sets.iter().flat_map(|set| [measured(set), predicted(set)]).collect();
    let answer = Curves::new("P".to_owned(), curves, Vec::new(), notes);
    let style = terminal.style();
    let tables = sets
        .iter()
        .zip(&heads)
        .map(|(set, head)| measured_text(head, &measured(set), &predicted(set), &style));
    let text = tables.collect::<Vec<_>>().join("\n");
    report(&answer, text, &args.curves, args.json, terminal)?;
    Ok(0)
}

/// If there are several runs on the same number of processors, the one with the median time (the lower of two).
fn middles(mut runs: Vec<Run>) -> Vec<Run> {
    runs.sort_by(|a, b| {
        let processors = a.prediction.processors.cmp(&b.prediction.processors);
        processors.then(a.measured.total_cmp(&b.measured))
    });
    let mut found: Vec<Run> = Vec::new();
    let mut rest = runs.into_iter().peekable();
    while let Some(first) = rest.next() {
        let processors = first.prediction.processors;
        let mut alike = vec![first];
        while let Some(next) = rest.next_if(|run| run.prediction.processors == processors) {
            alike.push(next);
        }
        let of = alike.len();
        let middle = alike.swap_remove((of - 1) / 2);
        found.push(Run { of, ..middle });
    }
    found
}

/// A time on one processor.
fn one(set: &Set, time: impl Fn(&Run) -> Option<Seconds>) -> Option<Seconds> {
    set.runs.iter().find(|run| run.prediction.processors == 1).and_then(time)
}

fn point(run: &Run, time: Seconds, one: Option<Seconds>) -> TimedPoint {
    TimedPoint {
        at: run.processors(),
        time,
        low: None,
        high: None,
        beside: Default::default(),
        scaling: one.map(|one| scaling(run.processors(), time, one)),
        isoefficiency_size: None,
        runs: Some(run.of),
    }
}

fn measured(set: &Set) -> TimedCurve {
    let one = one(set, |run| Some(run.measured));
    TimedCurve {
        name: set.words.clone(),
        kind: if set.of_virtual_processors { "virtual" } else { "measured" },
        of_runs: true,
        points: set.runs.iter().map(|run| point(run, run.measured, one)).collect(),
    }
}

fn predicted(set: &Set) -> TimedCurve {
    let value = |run: &Run, rule| run.said(rule).map(|interval| interval.value);
    let one = one(set, |run| value(run, Rule::ObspStar));
    // Each run has one, or pricing would have failed.
    let points = set.runs.iter().filter_map(|run| {
        let time = run.said(Rule::ObspStar)?;
        let others = [Rule::Bsp, Rule::Obsp];
        let beside = others
            .iter()
            .filter_map(|&rule| Some((rule.name().to_owned(), value(run, rule)?.get().into())));
        Some(TimedPoint {
            low: (time.low < time.high).then_some(time.low),
            high: (time.low < time.high).then_some(time.high),
            beside: beside.collect(),
            ..point(run, time.value, one)
        })
    });
    let (name, kind) = (set.words.clone(), Rule::ObspStar.name());
    TimedCurve { name, kind, of_runs: false, points: points.collect() }
}
