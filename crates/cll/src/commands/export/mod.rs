//! `cll export`: writes samples for other programs.

mod of_extrap;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use cll_calls::{Overview, calls_csv, calls_json, relate};
use cll_samples::export::{CsvExport, ExportError, json};
use cll_supersteps::{LogExport, Stored, stored};
use cll_trace::{Trace, TraceError, share_calibrations};

use crate::cli::{ExportArgs, ExportFormat};
use crate::failure::{Failure, reason, unreadable};
use crate::files::{self, Output};
use crate::terminal::{Terminal, output};
use cll_analysis::empty_files;
use cll_analysis::logs::Source;
use cll_analysis::logs::{opener, superstep_log, surveys, unrecorded_said};
use cll_analysis::{notices, read_traces, traces_in};

/// Writes the samples.
pub fn run(args: &ExportArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if args.format.is_of_extrap() && !args.supersteps && !args.calls {
        return of_extrap::run(args, terminal);
    }
    args.import.refuse_for_traces()?;
    let paths = if args.supersteps {
        traces_in(&args.files)?
    } else {
        empty_files::leave_out(traces_in(&args.files)?, terminal)?
    };
    if !args.format.is_of_extrap() && !args.experiment.is_empty() {
        return Err(Failure::usage("--experiment is for --format extrap and extrap-jsonl only")
            .help("csv and json name the experiment of each sample"));
    }
    match &args.output {
        None => write(args, &paths, terminal, |terminal, export| export(terminal.writer()))?,
        Some(path) => {
            let to = Output::apart_from(path, &paths)?;
            write(args, &paths, terminal, |_, export| to.write_as(|out| export(out)))?;
        }
    }
    Ok(0)
}

/// Why an export stopped.
enum Stopped {
    Io(io::Error),
    Trace(TraceError),
    Unfit(String),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Stopped {
        Stopped::Io(error)
    }
}

impl From<ExportError> for Stopped {
    fn from(error: ExportError) -> Stopped {
        match error {
            ExportError::Io(error) => Stopped::Io(error),
            ExportError::Trace(error) => Stopped::Trace(error),
            error => Stopped::Unfit(error.to_string()),
        }
    }
}

impl From<cll_calls::ExportError> for Stopped {
    fn from(error: cll_calls::ExportError) -> Stopped {
        match error {
            cll_calls::ExportError::Io(error) => Stopped::Io(error),
            cll_calls::ExportError::Trace(error) => Stopped::Trace(error),
            error => Stopped::Unfit(error.to_string()),
        }
    }
}

type Export<'a> = &'a mut dyn FnMut(&mut dyn Write) -> Result<(), Stopped>;

fn write(
    args: &ExportArgs,
    paths: &[PathBuf],
    terminal: &mut Terminal,
    to: impl FnOnce(&mut Terminal, Export<'_>) -> Result<(), Stopped>,
) -> Result<(), Failure> {
    if let Some((surveys, paths)) = calls_of(args, paths)? {
        let paths = &paths[..];
        let warnings = cll_calls::damage_of(&surveys, paths).into_iter();
        warnings.chain(unrecorded_said(&surveys)).for_each(|survey| terminal.warn(&survey));
        return match args.format {
            ExportFormat::Csv => {
                to(terminal, &mut |out| Ok(calls_csv(&surveys, &mut opener(paths), out)?))
                    .map_err(|error| failure(error, args))
            }
            ExportFormat::Json => {
                to(terminal, &mut |out| Ok(calls_json(&surveys, &mut opener(paths), out)?))
                    .map_err(|error| failure(error, args))
            }
            ExportFormat::Extrap | ExportFormat::ExtrapJsonl => {
                Err(Failure::usage("calls can be exported as csv or json"))
            }
        };
    }
    if let Some(sources) = logs(args, paths, terminal)? {
        let mut logs: Vec<Stored<'_>> = Vec::new();
        for (source, path) in sources.iter().zip(paths) {
            logs.push(stored(source).map_err(|error| unusable(path, &error))?);
        }
        if logs.iter().any(|log| !log.processors.is_empty()) {
            return supersteps(args, &logs, paths, terminal, to);
        }
        if args.supersteps {
            return Err(Failure::fit("there are no supersteps to export")
                .help("cll run --log PROGRAM logs the supersteps of a BSP or MPI program"));
        }
    }
    match args.format {
        ExportFormat::Csv => csv(args, paths, terminal, to),
        ExportFormat::Json => {
            let trace = read_traces(paths)?;
            print_notices(&trace, paths, terminal);
            to(terminal, &mut |out| Ok(json(&trace, out)?)).map_err(|error| failure(error, args))
        }
        ExportFormat::Extrap | ExportFormat::ExtrapJsonl => {
            Err(Failure::usage("supersteps and calls can be exported as csv or json"))
        }
    }
}

/// Logs of MPI calls, in the order of the ranks, with their paths.
type CallLogs = (Vec<Overview>, Vec<PathBuf>);

/// The logs of MPI calls, if they are to be exported: on request, or if there are no samples.
fn calls_of(args: &ExportArgs, paths: &[PathBuf]) -> Result<Option<CallLogs>, Failure> {
    if args.supersteps || (!args.calls && has_samples(paths)?) {
        return Ok(None);
    }
    let surveys = surveys(paths)?;
    let none = surveys.iter().all(|survey| survey.mpi.is_none());
    if none && args.calls {
        return Err(Failure::fit("there are no MPI calls to export")
            .help("cll run --log PROGRAM logs the calls of an MPI program"));
    }
    // Files are numbered in the order in which their processes began.
    let mut logs: Vec<(Overview, PathBuf)> = surveys.into_iter().zip(paths.to_vec()).collect();
    logs.sort_by_key(|(survey, _)| survey.rank());
    let (mut surveys, paths): CallLogs = logs.into_iter().unzip();
    relate(&mut surveys);
    Ok((!none).then_some((surveys, paths)))
}

fn has_samples(paths: &[PathBuf]) -> Result<bool, Failure> {
    for path in paths {
        let survey = cll_trace::survey(open(path)?).map_err(|error| unusable(path, &error))?;
        if survey.samples > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The paths of the logs of supersteps, if they are to be exported: on request, or if there are no samples.
fn logs(
    args: &ExportArgs,
    paths: &[PathBuf],
    terminal: &Terminal,
) -> Result<Option<Vec<Source>>, Failure> {
    if !args.supersteps && has_samples(paths)? {
        return Ok(None);
    }
    let source = |path: &Path, file| Source::new(file).map_err(|error| unreadable(path, error));
    if args.supersteps
        && let Some(file) = superstep_log(paths, terminal)?
    {
        return Ok(Some(vec![source(&paths[0], file)?]));
    }
    let sources = paths.iter().map(|path| source(path, open(path)?));
    sources.collect::<Result<_, _>>().map(Some)
}

/// Writes the supersteps of these logs.
fn supersteps(
    args: &ExportArgs,
    logs: &[Stored<'_>],
    paths: &[PathBuf],
    terminal: &mut Terminal,
    to: impl FnOnce(&mut Terminal, Export<'_>) -> Result<(), Stopped>,
) -> Result<(), Failure> {
    for (log, path) in logs.iter().zip(paths) {
        for damage in &log.damage {
            terminal.warn(&format!("{}: {damage}", path.display()));
        }
    }
    let export = LogExport::new(logs).map_err(|processor| {
        Failure::usage(format!("processor {processor} is in two of these logs")).help(
            "give the logs of one run: its log, or the logs of all its \
             processes",
        )
    })?;
    for damage in export.damage() {
        terminal.warn(&damage.to_string());
    }
    let written = match args.format {
        ExportFormat::Csv => to(terminal, &mut |out| Ok(export.csv(out)?)),
        ExportFormat::Json => to(terminal, &mut |out| Ok(export.json(out)?)),
        ExportFormat::Extrap | ExportFormat::ExtrapJsonl => {
            return Err(Failure::usage("supersteps can be exported as csv or json"));
        }
    };
    written.map_err(|error| failure(error, args))
}

fn unusable(path: &Path, error: &TraceError) -> Failure {
    Failure::input(format!("{}: {error}", path.display()))
}

/// Row by row: the traces are read twice and not held in memory.
fn csv(
    args: &ExportArgs,
    paths: &[PathBuf],
    terminal: &mut Terminal,
    to: impl FnOnce(&mut Terminal, Export<'_>) -> Result<(), Stopped>,
) -> Result<(), Failure> {
    let mut surveys = Vec::new();
    for path in paths {
        let survey = cll_trace::survey(open(path)?).map_err(|error| unusable(path, &error))?;
        surveys.push(survey);
    }
    share_calibrations(&mut surveys);
    for (survey, path) in surveys.iter().zip(paths) {
        print_notices(survey, std::slice::from_ref(path), terminal);
    }
    let mut files = Vec::new();
    for path in paths {
        files.push(open(path)?);
    }
    to(terminal, &mut |out| {
        let mut export = CsvExport::new(out, &surveys)?;
        for (file, survey) in files.iter().zip(&surveys) {
            export.add(file, survey)?;
        }
        Ok(export.finish()?)
    })
    .map_err(|error| failure(error, args))
}

fn open(path: &Path) -> Result<File, Failure> {
    File::open(path).map_err(|error| unreadable(path, error))
}

fn print_notices(trace: &Trace, files: &[PathBuf], terminal: &Terminal) {
    for notice in notices(trace, files) {
        terminal.warn(&notice.text);
    }
}

fn failure(error: Stopped, args: &ExportArgs) -> Failure {
    match (error, &args.output) {
        (Stopped::Io(error), Some(path)) => files::Error::unwritten(path, error).into(),
        (Stopped::Io(error), None) => match output(&error) {
            Failure::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::system(format!("cannot write the export: {}", reason(&error))),
        },
        (Stopped::Trace(error), _) => Failure::input(error.to_string()),
        (Stopped::Unfit(why), _) => Failure::fit(why),
    }
}
