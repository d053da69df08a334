//! Reads data from files: traces and tables.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cll_fit::{Data, Point, RunStretch, Unit};
use cll_import::{ImportOptions, ResultKind};
use cll_samples::{Policy, Prepared, Quantity as Of, first_calls, prepare};
use cll_trace::{Trace, Warning};
use cll_units::Seconds;

use crate::Error;
use crate::fit_options::Words;
use crate::time::Time;
use cll_diagnostic::suggestion;

use super::counters::counters;
use super::imported::{Content, Imported, content, imported, not_a_trace, of_csv};
use super::misses::misses;

use cll_result::CounterModel;
use cll_result::MissesModel;
use cll_result::{ColumnModel, ImbalanceModel, SyncModel};

/// Data of one experiment, ready to be fitted.
#[derive(Clone, Debug)]
pub struct Observed {
    /// Name of the experiment; empty for a table without one.
    pub name: String,
    /// The part of the data that it is of, if experiments are fitted apart; else empty.
    pub part: String,
    /// The formula in the source; empty if there is none.
    pub formula: String,
    /// The places in the source where it is measured.
    pub places: Vec<String>,
    /// How many threads ended in it, and left no sample.
    pub thread_ends: u64,
    /// Which time it is, as text; empty for a table.
    pub time: &'static str,
    /// The observable, if it is not the time.
    pub observable: Option<String>,
    /// The table's column; `None` for a trace.
    pub column: Option<ColumnModel>,
    /// Number of recorded samples.
    pub samples: u64,
    /// How equal the times of the processors were.
    pub imbalance: Option<ImbalanceModel>,
    /// How the processors began together.
    pub sync: Option<SyncModel>,
    /// The counters that were recorded besides the time.
    pub counters: Vec<CounterModel>,
    /// Misses per access, if both were recorded.
    pub misses: Vec<MissesModel>,
    /// Values of the points that only the first call of each launch has measured.
    pub first_calls: Vec<Vec<f64>>,
    /// The data.
    pub data: Data,
}

/// The content of the files.
#[derive(Debug)]
pub enum DataSource {
    /// Traces, read together.
    Trace(Box<Prepared>),
    /// Tables.
    Tables(Vec<Imported>),
}

impl DataSource {
    /// Reads files: traces, one table, or files of another program's format.
    ///
    /// # Errors
    /// If one cannot be read, or they cannot be fitted together.
    pub fn read(files: &[PathBuf], options: &ImportOptions) -> Result<DataSource, Error> {
        if files.len() > 1 && files.iter().all(|path| begins_as_trace(path)) {
            return Ok(DataSource::of_trace(read_together(files)?));
        }
        let mut traces = Vec::new();
        let mut tables = Vec::new();
        let mut texts = Vec::new();
        for path in files {
            match content(path, Some(options))? {
                Content::Trace(trace) => traces.push(*trace),
                Content::Tables(importeds) => tables.extend(importeds),
                Content::Text(file) => texts.push(file),
            }
        }
        if texts.len() == files.len() {
            return Ok(DataSource::Tables(imported(&texts, options)?));
        }
        match (traces.len(), files.len() - traces.len()) {
            (0, 1) => Ok(DataSource::Tables(tables)),
            (_, 0) if traces.len() == 1 => Ok(DataSource::of_trace(traces.remove(0))),
            (_, 0) => Ok(DataSource::of_trace(Trace::merge(traces))),
            (0, _) if texts.is_empty() => Err(Error::request(
                "only one table can be fitted at a time",
            )
            .advise("without `-` each table is an experiment; or put their rows into one table")),
            (0, _) => Err(Error::request("these files are of different formats")
                .advise("--from FORMAT names the format of all")),
            _ => Err(Error::request("traces and tables cannot be fitted together")),
        }
    }

    /// A table in memory, as CSV with the columns' names in the first line. `name` is what messages call it.
    ///
    /// # Errors
    /// If it cannot be used; the message has the line and the column.
    pub fn of_csv(name: &str, text: &[u8], options: &ImportOptions) -> Result<DataSource, Error> {
        Ok(DataSource::Tables(of_csv(name, text, options)?))
    }

    /// Traces. In a parallel program the slowest processor counts.
    fn of_trace(trace: Trace) -> DataSource {
        DataSource::Trace(Box::new(prepare(trace, &Policy::default()).0))
    }

    /// The tables; none for traces.
    pub fn tables(&self) -> &[Imported] {
        match self {
            DataSource::Trace(_) => &[],
            DataSource::Tables(tables) => tables,
        }
    }

    /// The tables themselves; none for traces.
    pub fn into_tables(self) -> Vec<Imported> {
        match self {
            DataSource::Trace(_) => Vec::new(),
            DataSource::Tables(tables) => tables,
        }
    }

    /// The traces; `None` for tables.
    pub fn trace(&self) -> Option<&Trace> {
        match self {
            DataSource::Trace(trace) => Some(trace),
            DataSource::Tables(_) => None,
        }
    }

    /// All observables that are recorded besides the time, each once.
    pub fn observables(&self) -> Vec<&str> {
        let DataSource::Trace(trace) = self else { return Vec::new() };
        let all = trace.experiments.iter().flat_map(|experiment| &experiment.observables);
        let mut names: Vec<&str> = Vec::new();
        for observed in all {
            if !names.contains(&observed.name.as_str()) {
                names.push(&observed.name);
            }
        }
        names
    }

    /// Why an observable is not in a trace whose run asked for it; `None` if it did not.
    pub fn refused(&self, wanted: &str) -> Option<&str> {
        let DataSource::Trace(trace) = self else { return None };
        trace.warnings.iter().find_map(|warning| match warning {
            Warning::Refused { name, why, .. } if name == wanted => Some(why.as_str()),
            _ => None,
        })
    }

    /// The data of each experiment: its times, or the values of an observable.
    pub fn observed(&self, time: Time, observable: Option<&str>) -> Vec<Observed> {
        match self {
            DataSource::Trace(trace) => {
                let observe = |index| Observed {
                    data: trace.data(index, quantity(time, observable)),
                    ..of_trace(trace, index, time, observable)
                };
                (0..trace.experiments.len()).map(observe).collect()
            }
            DataSource::Tables(tables) => {
                let several = are_several(tables);
                tables.iter().map(|imported| of_table(imported.clone(), several)).collect()
            }
        }
    }

    /// The same, moved out of the source and not copied: samples may fill the memory.
    pub fn take_observed(&mut self, time: Time, observable: Option<&str>) -> Vec<Observed> {
        match self {
            DataSource::Trace(trace) => {
                let count = trace.experiments.len();
                let observe = |index| {
                    let about = of_trace(trace, index, time, observable);
                    Observed { data: trace.take_data(index, quantity(time, observable)), ..about }
                };
                (0..count).map(observe).collect()
            }
            DataSource::Tables(tables) => {
                let several = are_several(tables);
                std::mem::take(tables)
                    .into_iter()
                    .map(|imported| of_table(imported, several))
                    .collect()
            }
        }
    }
}

/// Reads traces alone, merged into one.
///
/// # Errors
/// If one cannot be read or is not a trace.
pub fn read_traces(files: &[PathBuf]) -> Result<Trace, Error> {
    let mut traces = Vec::new();
    for path in files {
        match content(path, None)? {
            Content::Trace(trace) => traces.push(*trace),
            Content::Tables(_) | Content::Text(_) => {
                return Err(Error::content(format!("{}: {}", path.display(), not_a_trace())));
            }
        }
    }
    Ok(match traces.len() {
        1 => traces.remove(0),
        _ => Trace::merge(traces),
    })
}

/// Reads traces of one machine and one uptime as one file. The clocks of short runs are then calibrated over the
/// time of all of them.
///
/// # Errors
/// If one cannot be read or is not a trace.
pub fn read_together(files: &[PathBuf]) -> Result<Trace, Error> {
    let together = Together { files: files.iter(), current: None };
    let mut trace = cll_trace::read(together)
        .map_err(|error| Error::content(format!("the traces: {error}")))?;
    let length = |path: &PathBuf| fs::metadata(path).map_or(0, |file| file.len());
    let lengths: Vec<u64> = files.iter().map(length).collect();
    for damage in &mut trace.damage {
        let Some(offset) = &mut damage.offset else { continue };
        // The file, and the position in it.
        while lengths.get(damage.trace as usize).is_some_and(|length| *offset >= *length) {
            *offset -= lengths[damage.trace as usize];
            damage.trace += 1;
        }
    }
    Ok(trace)
}

/// Reads one file after the other; one is open at a time.
struct Together<'a> {
    files: std::slice::Iter<'a, PathBuf>,
    current: Option<File>,
}

impl Read for Together<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(file) = &mut self.current {
                match file.read(buffer) {
                    Ok(0) if !buffer.is_empty() => self.current = None,
                    read => return read,
                }
            }
            match self.files.next() {
                Some(path) => self.current = Some(File::open(path)?),
                None => return Ok(0),
            }
        }
    }
}

/// Keeps the experiments with these names; all if there are no names.
///
/// # Errors
/// If an experiment does not exist.
pub fn select<T>(
    items: Vec<T>,
    asked: &[String],
    name: impl Fn(&T) -> &str,
) -> Result<Vec<T>, Error> {
    for wanted in asked {
        if !items.iter().any(|item| name(item) == wanted) {
            let known: Vec<&str> = items.iter().map(&name).collect();
            return Err(Error::content(format!(
                "there is no experiment {wanted}: {}",
                suggestion(wanted, &known)
            )));
        }
    }
    let keep =
        |candidate: &T| asked.is_empty() || asked.iter().any(|wanted| wanted == name(candidate));
    Ok(items.into_iter().filter(keep).collect())
}

/// Whether a file begins with a block of a trace.
pub fn begins_as_trace(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && u32::from_le_bytes(start) == cll_trace::layout::BLOCK_MAGIC
}

fn quantity(time: Time, observable: Option<&str>) -> Of<'_> {
    Of { observable, exclusive: time == Time::Exclusive }
}

/// Whether tables have several results.
fn are_several(tables: &[Imported]) -> bool {
    let first = tables.first().map(|imported| imported.table.result.as_str());
    tables.iter().any(|imported| Some(imported.table.result.as_str()) != first)
}

/// All but the data.
fn of_trace(prepared: &Prepared, index: usize, time: Time, observable: Option<&str>) -> Observed {
    let experiment = &prepared.experiments[index];
    let first_calls = first_calls(experiment).into_iter();
    Observed {
        name: experiment.name.clone(),
        part: String::new(),
        formula: experiment.formula.clone(),
        places: experiment.places.iter().map(ToString::to_string).collect(),
        thread_ends: thread_ends(experiment, &prepared.processes),
        time: time.word(),
        observable: observable.map(str::to_owned),
        column: None,
        samples: experiment.samples(),
        imbalance: experiment.imbalance.as_ref().and_then(imbalance),
        sync: sync(experiment, &prepared.processes),
        counters: counters(experiment, time),
        misses: misses(experiment, time),
        first_calls: first_calls.map(|index| experiment.cells[index].values.clone()).collect(),
        data: Data::default(),
    }
}

/// If the file has several results, the name says which one it is.
fn of_table(imported: Imported, several: bool) -> Observed {
    let Imported { file, region, table } = imported;
    let samples = table.rows() as u64;
    let observable = match &table.quantity {
        ResultKind::Other(_) => Some(table.result.clone()),
        ResultKind::Time { .. } | ResultKind::Unknown => None,
    };
    let unit = match &table.quantity {
        ResultKind::Other(unit) => Unit::Other(unit.clone()),
        ResultKind::Time { .. } | ResultKind::Unknown => Unit::Seconds,
    };
    let stretch =
        |stretch: cll_import::RunStretch| RunStretch { run: stretch.run, count: stretch.count };
    let points = table.groups.into_iter().map(|group| Point {
        values: group.values,
        observations: group.results.into(),
        runs: group.runs.into_iter().map(stretch).collect(),
    });
    let points = points.collect();
    Observed {
        name: match (several, region.is_empty()) {
            (false, _) => region.clone(),
            (true, true) => table.result.clone(),
            (true, false) => format!("{region}:{}", table.result),
        },
        part: String::new(),
        formula: String::new(),
        places: Vec::new(),
        thread_ends: 0,
        time: "",
        observable,
        column: Some(ColumnModel {
            file,
            name: table.result.clone(),
            unit: match &table.quantity {
                ResultKind::Time { unit, .. } => Some((*unit).to_owned()),
                ResultKind::Other(unit) => Some(unit.clone()),
                ResultKind::Unknown => None,
            },
        }),
        samples,
        imbalance: None,
        sync: None,
        counters: Vec::new(),
        misses: Vec::new(),
        first_calls: Vec::new(),
        data: Data { variables: table.variables, points, unit },
    }
}

/// How equal the times of the processors were, from the trace.
fn imbalance(imbalance: &cll_trace::Imbalance) -> Option<ImbalanceModel> {
    let cll_trace::Imbalance { passages, processors, longest, mean, shortest } = *imbalance;
    (mean > Seconds::ZERO).then(|| ImbalanceModel {
        processors,
        passages,
        slowest: longest / mean,
        fastest: shortest / mean,
    })
}

/// How many threads ended in an experiment's regions.
fn thread_ends(experiment: &cll_trace::Experiment, processes: &[cll_trace::Process]) -> u64 {
    let ends = processes.iter().flat_map(|process| {
        let ends = process.end.iter().flat_map(|end| &end.thread_ends);
        ends.map(move |ends| (process, ends))
    });
    let is_in = |(process, ends): &(&cll_trace::Process, &cll_trace::meta::ThreadEnds)| {
        let place = u16::try_from(ends.place).ok().and_then(|id| process.place(id));
        place.is_some_and(|place| place.experiment == experiment.name)
    };
    ends.filter(is_in).map(|(_, ends)| ends.count).sum()
}

/// How the processors began together, from the trace.
fn sync(experiment: &cll_trace::Experiment, processes: &[cll_trace::Process]) -> Option<SyncModel> {
    let cll_trace::Starts { barrier, window, late, left_out } = experiment.starts;
    let known = processes.iter().flat_map(|process| &process.sync);
    let within_ns = known.map(|sync| sync.within_ns).max().unwrap_or(0);
    let window = window + late;
    (barrier + window > 0).then_some(SyncModel { barrier, window, late, left_out, within_ns })
}
