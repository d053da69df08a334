//! The formats that Extra-P reads: JSON lines and its text, of traces and of data of other programs.

use std::path::PathBuf;

use cll_import::{Group, ResultKind, Table, WriteError, extrap_lines, extrap_text};
use cll_samples::export::{extrap, extrap_groups};
use cll_trace::{Experiment, Trace};

use super::{Export, Stopped, failure, print_notices};
use crate::cli::{ExportArgs, ExportFormat};
use crate::failure::Failure;
use crate::files::Output;
use crate::terminal::Terminal;
use cll_analysis::empty_files;
use cll_analysis::{DataSource, begins_as_trace, data_in, read_traces, remarks, select};

impl From<WriteError> for Stopped {
    fn from(error: WriteError) -> Stopped {
        match error {
            WriteError::Io(error) => Stopped::Io(error),
            error => Stopped::Unfit(error.to_string()),
        }
    }
}

/// Writes the samples or the data.
pub fn run(args: &ExportArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let paths = empty_files::leave_out(data_in(&args.files)?, terminal)?;
    if paths.iter().all(|path| begins_as_trace(path)) {
        of_traces(args, &paths, terminal)?
    } else {
        of_others(args, &paths, terminal)?
    }
    Ok(0)
}

fn of_traces(args: &ExportArgs, paths: &[PathBuf], terminal: &mut Terminal) -> Result<(), Failure> {
    args.import.refuse_for_traces()?;
    let mut trace = read_traces(paths)?;
    print_notices(&trace, paths, terminal);
    trace.experiments =
        select(std::mem::take(&mut trace.experiments), &args.experiment, |experiment| {
            &experiment.name
        })?;
    if args.format == ExportFormat::ExtrapJsonl {
        let tables = tables(&trace);
        return lines(args, paths, &tables, terminal);
    }
    let groups = extrap_groups(&trace);
    match &groups[..] {
        [group] => written(args, paths, terminal, &mut |out| Ok(extrap(group, out)?)),
        [] => Err(Failure::fit("there are no samples to export")),
        _ => {
            let names = |group: &Vec<&Experiment>| {
                group
                    .iter()
                    .map(|experiment| experiment.name.as_str())
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            let names: Vec<String> = groups.iter().map(names).collect();
            Err(Failure::fit(format!(
                "in Extra-P's format all experiments have the same variables and values; \
                 here there are {} kinds: {}",
                names.len(),
                names.join("; ")
            ))
            .help("choose by --experiment, and write several files"))
        }
    }
}

fn of_others(args: &ExportArgs, paths: &[PathBuf], terminal: &mut Terminal) -> Result<(), Failure> {
    let source = DataSource::read(paths, &args.import.options())?;
    for notice in remarks(source.tables()) {
        terminal.note(&notice.text);
    }
    let DataSource::Tables(imported) = source else {
        return Err(Failure::usage(
            "traces and data of other programs cannot be exported together",
        ));
    };
    let tables: Vec<(String, Table)> =
        imported.into_iter().map(|imported| (imported.region, imported.table)).collect();
    let tables = select(tables, &args.experiment, |(name, _)| name)?;
    match args.format {
        ExportFormat::ExtrapJsonl => lines(args, paths, &tables, terminal),
        _ => written(args, paths, terminal, &mut |out| Ok(extrap_text(&tables, out)?)),
    }
}

fn lines(
    args: &ExportArgs,
    paths: &[PathBuf],
    tables: &[(String, Table)],
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    let mut fixed = Vec::new();
    written(args, paths, terminal, &mut |out| {
        fixed = extrap_lines(tables, out)?;
        Ok(())
    })?;
    for (name, value) in fixed {
        terminal.note(&format!("{name} is {value} throughout: it is left out"));
    }
    Ok(())
}

/// Writes to the output that the user wants.
fn written(
    args: &ExportArgs,
    paths: &[PathBuf],
    terminal: &mut Terminal,
    export: Export<'_>,
) -> Result<(), Failure> {
    let done = match &args.output {
        None => export(terminal.writer()),
        Some(path) => Output::apart_from(path, paths)?.write_as(|out| export(out)),
    };
    done.map_err(|error| match error {
        Stopped::Unfit(why) => {
            Failure::fit(why).help("choose by --experiment, and write several files")
        }
        error => failure(error, args),
    })
}

/// The times of a trace and what was recorded beside them. Points that are not finite are left out.
fn tables(trace: &Trace) -> Vec<(String, Table)> {
    let mut tables = Vec::new();
    for experiment in trace.experiments.iter().filter(|experiment| !experiment.cells.is_empty()) {
        let mut add = |result: &str, quantity: ResultKind, series: &dyn Fn(usize) -> Vec<f64>| {
            let cells = experiment.cells.iter().enumerate();
            let cells = cells.filter(|(_, cell)| cell.values.iter().all(|value| value.is_finite()));
            let group = |(index, cell): (usize, &cll_trace::Cell)| {
                let results: Vec<f64> =
                    series(index).into_iter().filter(|value| value.is_finite()).collect();
                (!results.is_empty()).then(|| Group {
                    values: cell.values.clone(),
                    results,
                    ..Group::default()
                })
            };
            let groups: Vec<Group> = cells.filter_map(group).collect();
            if !groups.is_empty() {
                let table = Table {
                    variables: experiment.variables.clone(),
                    result: result.to_owned(),
                    quantity,
                    groups,
                    ..Table::default()
                };
                tables.push((experiment.name.clone(), table));
            }
        };
        let cells = &experiment.cells;
        add("time", ResultKind::named("s"), &|position| cells[position].inclusive.clone());
        if cells.iter().any(|cell| cell.exclusive() != cell.inclusive) {
            add("exclusive_time", ResultKind::named("s"), &|position| {
                cells[position].exclusive().to_vec()
            });
        }
        for (index, observed) in experiment.observables.iter().enumerate() {
            let unit = ResultKind::named(&observed.unit);
            add(&observed.name, unit, &|position| {
                cells[position].observed[index].inclusive.clone()
            });
        }
    }
    tables
}
