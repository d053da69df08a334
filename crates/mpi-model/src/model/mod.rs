//! A model of an MPI program, from its logged runs at several sizes (`docs/mpi.md`).
//!
//! The method of Laine, Midorikawa, Sato, Ching (2003), made automatic: what the ranks do becomes a graph whose loops and
//! bytes are formulas of the sizes (`structure`, `count`, `peers`), each segment and each primitive gets a time by size
//! (`timed`), and the longest path through the graph is the prediction.

mod classes;
mod common;
mod count;
mod growing;
mod machine;
mod passages;
mod peers;
mod program;
mod refused;
mod run;
mod runs;
mod structure;
mod timed;
mod unused;
mod write;

use std::collections::BTreeMap;

use crate::Error;
use cll_campaign::Location;
use cll_diagnostic::counted;
use cll_formula::Formula;
use cll_machine::Machine;
use cll_model::graph::longest_path;
use cll_result::{
    MpiModel, MpiModelErrors, MpiModelPoint, MpiModelPrediction, MpiModelStart, MpiUnrecorded,
};
use cll_statistics::{median, quantile, sorted};
use cll_units::Seconds;

use classes::{Different, classes};
use machine::Prices;
use passages::bits;
use program::{Instance, ProgramModel};
use refused::Known;
use runs::Made;
use timed::Shape;
use write::Writer;

pub use program::MpiChange;
pub use run::{MeasuredRun, Passed, RankSteps, RunStep, Site, Sites};
pub use runs::{MpiRunTime, MpiRuns, had_whole_cores};
pub use unused::unused_parallelism;

/// Half the width of an interval with the confidence of fits and searches, 90 %, in standard deviations.
const NORMAL_90: f64 = 1.644_853_626_951_472_2;
/// So many differing runs are named.
const NAMED: usize = 3;
/// Runs whose errors of the sum are above this share are named as not understood.
const FAR: f64 = 0.10;

/// The request for a model of an MPI program.
#[derive(Clone, Debug)]
pub struct MpiModelRequest<'a> {
    /// The program's name.
    pub program: String,
    /// The variables, without the number of processors.
    pub variables: &'a [String],
    /// Points that are not used for the model.
    pub held_out: &'a [Location],
    /// Where to predict.
    pub predict: &'a [Location],
    /// The formula of all segments; `None`: each is searched.
    pub formula: Option<Formula>,
    /// The machine that primitives cost as on; `None`: as in the runs.
    pub machine: Option<&'a Machine>,
    /// The times that are made shorter.
    pub change: MpiChange,
}

/// The model.
///
/// # Errors
/// If no run can be used.
pub fn mpi_model(runs: MpiRuns, request: &MpiModelRequest<'_>) -> Result<MpiModel, Error> {
    let (sites, runs) = (runs.sites, runs.runs);
    let names: Vec<String> = request.variables.iter().cloned().chain(["P".to_owned()]).collect();
    let is_out = |run: &MeasuredRun| {
        let values = point_of(run);
        request.held_out.iter().any(|location| location.is_of(&names, &values))
    };
    let point_runs = Made::from_runs(&runs);
    let runs = point_runs.quickest(runs);
    let (held_out, used): (Vec<MeasuredRun>, Vec<MeasuredRun>) = runs.into_iter().partition(is_out);
    if used.is_empty() {
        return Err(Error::AllHeldOut);
    }
    let (classes, different, apart) = classes(&used, &sites);
    if different
        .iter()
        .map(|different| different.run)
        .collect::<std::collections::BTreeSet<_>>()
        .len()
        == used.len()
    {
        return Err(nothing_in_common(&used, &different, &names));
    }
    let seconds = longest(&used);
    let shape = request.formula.clone().map_or(Shape::Searched, Shape::Given);
    let mut program = ProgramModel::new(names, &classes, apart, &seconds, &shape);
    if let Some(why) = program.unknown_segment().filter(|_| matches!(shape, Shape::Given(_))) {
        return Err(Error::Segment(why.to_owned()));
    }
    let library = used.first().map_or(String::new(), |run| run.library.clone());
    let prices = match request.machine {
        None => None,
        Some(machine) => Some(Prices::new(machine, &library)?),
    };
    if let Some(limit) = prices.as_ref().and_then(Prices::eager) {
        program.rendezvous = Some(limit + 1.0);
    }
    let mut model = MpiModel::new();
    model.program.clone_from(&request.program);
    model.library = library.lines().next().unwrap_or("").to_owned();
    model.variables = request.variables.to_vec();
    let is_used = |index: usize| !different.iter().any(|different| different.run == index);
    let understood: Vec<&MeasuredRun> =
        used.iter().enumerate().filter(|(index, _)| is_used(*index)).map(|(_, run)| run).collect();
    (model.runs, model.made, model.rounds) =
        (understood.len(), point_runs.runs(), point_runs.rounds());
    model.rendezvous_bytes = program.rendezvous;
    model.start = starts(&used);
    let writer = Writer::new(&program, &sites, prices.as_ref(), &understood);
    writer.describe(&mut model);
    let held_out: Vec<&MeasuredRun> = held_out.iter().collect();
    let known = Known::from_runs(&understood, &program.names);
    model.fitted = points(&understood, &writer, &point_runs, &known);
    model.held_out = points(&held_out, &writer, &point_runs, &known);
    model.errors = errors(&model);
    let residual = residual(&model.fitted);
    let contradiction = refused::contradiction(&model, &program.names);
    for asked in request.predict {
        let values = values_of(asked, &program.names, &understood)?;
        let mut prediction = writer.predict(&values, residual.unwrap_or(0.0), &request.change);
        let why = known
            .refusal(&values)
            .or_else(|| contradiction.clone())
            .or_else(|| residual.is_none().then(|| refused::SINGLE_RUN.to_owned()));
        if let (true, Some(why)) = (prediction.time.is_some(), why) {
            prediction = MpiModelPrediction {
                values: prediction.values,
                processors: prediction.processors,
                why,
                ..MpiModelPrediction::default()
            };
        }
        prediction.is_outside |= is_beyond(&values, &understood);
        prediction.start = start_of(values.last().copied().unwrap_or(1.0) as u32, &model, &prices);
        model.predictions.push(prediction);
    }
    model.notes = notes(&used, &different, &writer, &model);
    Ok(model)
}

/// Values of a run, then its number of processors.
fn point_of(run: &MeasuredRun) -> Vec<f64> {
    run.values.iter().copied().chain([f64::from(run.processors)]).collect()
}

/// The median time of each point, by its values.
fn longest(runs: &[MeasuredRun]) -> BTreeMap<Vec<u64>, f64> {
    let mut by: BTreeMap<Vec<u64>, Vec<f64>> = BTreeMap::new();
    for run in runs {
        by.entry(bits(&point_of(run))).or_default().push(run.seconds);
    }
    by.into_iter().map(|(key, all)| (key, median(all).unwrap_or(0.0))).collect()
}

fn starts(runs: &[MeasuredRun]) -> Vec<MpiModelStart> {
    let mut by: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for run in runs {
        if let Some(around) = run.around {
            by.entry(run.processors).or_default().push(around);
        }
    }
    by.into_iter()
        .map(|(processes, all)| {
            let all = sorted(all);
            let quantile_at = |share: f64| Seconds(quantile(&all, share));
            MpiModelStart {
                processes,
                time: quantile_at(0.5),
                low: quantile_at(0.1),
                high: quantile_at(0.9),
            }
        })
        .collect()
}

/// The start of so many processes: measured, by the machine, or by the line through two numbers of processes.
fn start_of(processes: u32, model: &MpiModel, prices: &Option<Prices<'_>>) -> Option<Seconds> {
    let measured = model.start.iter().find(|start| start.processes == processes);
    if let Some(measured) = measured {
        return Some(measured.time);
    }
    if let Some(known) = prices.as_ref().and_then(|prices| prices.start(processes)) {
        return Some(Seconds(known));
    }
    let (first, last) = (model.start.first()?, model.start.last()?);
    if first.processes == last.processes {
        return None;
    }
    let slope = (last.time - first.time).get() / f64::from(last.processes - first.processes);
    let from = f64::from(processes) - f64::from(first.processes);
    Some(Seconds((first.time.get() + slope * from).max(0.0)))
}

/// Measured and predicted times by point.
fn points(
    runs: &[&MeasuredRun],
    writer: &Writer<'_>,
    point_runs: &Made,
    known: &Known,
) -> Vec<MpiModelPoint> {
    let mut by: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    for run in runs {
        let values = point_of(run);
        match by.iter_mut().find(|pair| pair.0 == values) {
            Some(entry) => entry.1.push(run.seconds),
            None => by.push((values, vec![run.seconds])),
        }
    }
    by.sort_by(|left, other| left.0.partial_cmp(&other.0).unwrap_or(std::cmp::Ordering::Equal));
    let point = |(values, all): (Vec<f64>, Vec<f64>)| {
        let measured = median(all.iter().copied())?;
        let path = writer.path(&values, &writer.unchanged).ok()?.1;
        let time = known.refusal(&values).is_none().then_some(path.time);
        let (rounds, whole_rounds, spread) = point_runs.summary_at(&values);
        let (processors, values) = values.split_last()?;
        Some(MpiModelPoint {
            values: values.to_vec(),
            processors: *processors as u32,
            measured: Seconds(measured),
            predicted: time.map(Seconds),
            error: time.map(|time| (measured - time) / measured),
            runs: all.len(),
            rounds,
            whole: whole_rounds,
            spread,
        })
    };
    by.into_iter().filter_map(point).collect()
}

fn errors(model: &MpiModel) -> MpiModelErrors {
    let is_held_out = !model.held_out.is_empty();
    let points = if is_held_out { &model.held_out } else { &model.fitted };
    let all = sorted(points.iter().filter_map(|point| point.error).map(f64::abs));
    // Without a comparison nothing is known of them.
    let known = |value: Option<f64>| value.unwrap_or(f64::NAN);
    MpiModelErrors {
        is_held_out,
        mean: all.iter().sum::<f64>() / all.len() as f64,
        median: known(median(all.iter().copied())),
        largest: known(all.last().copied()),
    }
}

/// The error of the model where it was run, as a share: root of the mean square. Few points are met exactly; then it is how
/// far the runs of a point are apart. `None`: each point was run once.
fn residual(points: &[MpiModelPoint]) -> Option<f64> {
    /// Fewer points are met by a formula of two constants.
    const ENOUGH: usize = 3;
    let sum: f64 = points.iter().filter_map(|point| point.error).map(|error| error * error).sum();
    let square = (sum / points.len().max(1) as f64).sqrt();
    if points.len() >= ENOUGH {
        return Some(square);
    }
    let spreads = points.iter().filter_map(|point| point.spread);
    Some(square.max(spreads.reduce(f64::max)?))
}

/// The values of a prediction in the order of the model's names. P may be left out if there is only one.
fn values_of(asked: &Location, names: &[String], runs: &[&MeasuredRun]) -> Result<Vec<f64>, Error> {
    for (name, _) in asked.values() {
        if !names.contains(name) {
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            let near = cll_diagnostic::suggestion(name, &known);
            return Err(Error::Unknown { location: asked.to_string(), name: name.clone(), near });
        }
    }
    let value = |(index, name): (usize, &String)| {
        if let Some((_, value)) = asked.values().iter().find(|(known, _)| known == name) {
            return Ok(*value);
        }
        let mut all: Vec<f64> = runs.iter().map(|run| point_of(run)[index]).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        match all[..] {
            [only] => Ok(only),
            _ => Err(Error::Missing { location: asked.to_string(), name: name.clone() }),
        }
    };
    let values: Vec<f64> = names.iter().enumerate().map(value).collect::<Result<_, _>>()?;
    match values.last() {
        Some(count) if *count < 1.0 || count.fract() != 0.0 || *count > 65_536.0 => {
            Err(Error::NoProcesses(asked.to_string()))
        }
        _ => Ok(values),
    }
}

/// Whether a value is outside of those that were run.
fn is_beyond(values: &[f64], runs: &[&MeasuredRun]) -> bool {
    values.iter().enumerate().any(|(index, value)| {
        let all = runs.iter().map(|run| point_of(run)[index]);
        let (least, most) = all
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)));
        *value < least || *value > most
    })
}

/// A note if a core was shared in all runs of a point.
fn shared_cores(model: &MpiModel) -> Option<String> {
    let points = || model.fitted.iter().chain(&model.held_out);
    let shared = points().filter(|point| point.whole == 0).count();
    (shared > 0).then(|| {
        format!(
            "at {shared} of {} each run shared a core (independent additions took longer: another program or virtual \
             machine used its other hardware thread): times are too long there; more --rounds, or a quiet machine",
            counted(points().count(), "point", "points")
        )
    })
}

fn words(run: &MeasuredRun, names: &[String]) -> String {
    let all = names.iter().zip(point_of(run)).map(|(name, value)| format!("{name}={value}"));
    all.collect::<Vec<_>>().join(" ")
}

fn nothing_in_common(runs: &[MeasuredRun], different: &[Different], names: &[String]) -> Error {
    let first = different.first();
    let place = first.map_or(String::new(), |different| {
        format!(
            ": rank {} at {}, at {}",
            different.rank,
            words(&runs[different.run], names),
            different.place
        )
    });
    Error::NothingInCommon(place)
}

fn notes(
    runs: &[MeasuredRun],
    different: &[Different],
    writer: &Writer<'_>,
    model: &MpiModel,
) -> Vec<String> {
    let mut notes = Vec::new();
    let mut first: BTreeMap<usize, &Different> = BTreeMap::new();
    for different in different {
        first.entry(different.run).or_insert(different);
    }
    if !first.is_empty() {
        let names = &writer.program.names;
        let each = first.values().take(NAMED).map(|different| {
            format!(
                "rank {} with {}, from {}",
                different.rank,
                words(&runs[different.run], names),
                different.place
            )
        });
        let others = runs.iter().enumerate().filter(|(run, _)| !first.contains_key(run));
        let mut left: Vec<String> = others.map(|(_, run)| words(run, names)).collect();
        left.sort();
        left.dedup();
        notes.push(format!(
            "{} of {} {} other calls and {} left out: {}; the model is of {}",
            first.len(),
            counted(runs.len(), "run", "runs"),
            if first.len() == 1 { "makes" } else { "make" },
            if first.len() == 1 { "is" } else { "are" },
            each.collect::<Vec<_>>().join("; "),
            left.join(", ")
        ));
    }
    let mut unrecorded: BTreeMap<&str, u64> = BTreeMap::new();
    for mpi_unrecorded in runs.iter().flat_map(|run| &run.unrecorded) {
        *unrecorded.entry(&mpi_unrecorded.call).or_default() += mpi_unrecorded.calls;
    }
    let unrecorded = unrecorded.into_iter();
    let to_unrecorded = |(call, calls): (&str, u64)| MpiUnrecorded { call: call.to_owned(), calls };
    notes.extend(cll_result::unrecorded_text(&unrecorded.map(to_unrecorded).collect::<Vec<_>>()));
    let errors: u64 = runs.iter().map(|run| run.errors).sum();
    if errors > 0 {
        notes.push(match errors {
            1 => "1 call returned an error; its messages are not in the model".to_owned(),
            _ => format!("{errors} calls returned an error; their messages are not in the model"),
        });
    }
    if writer.has_any_source() {
        notes.push(
            "a rank receives from any rank: in the model, the message that was sent first; the order may differ in each run"
                .to_owned(),
        );
    }
    let unknown = model.loops.iter().filter(|mpi_model_loop| !mpi_model_loop.is_exact).count();
    if unknown > 0 {
        notes.push(format!(
            "the passages of {} do not follow exactly from the variables",
            counted(unknown, "loop", "loops")
        ));
    }
    notes.extend(shared_cores(model));
    let is_far = |point: &&MpiModelPoint| point.error.is_some_and(|error| error.abs() > FAR);
    let far = model.fitted.iter().filter(is_far).count();
    if far > 0 {
        notes.push(format!(
            "at {far} of {} the model is off by more than 10 %: what these runs do is not understood, or they were \
             disturbed",
            counted(model.fitted.len(), "point", "points")
        ));
    }
    notes
}
