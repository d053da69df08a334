//! `cll mpi`: reports the logged calls of an MPI program.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use cll_calls::{
    ExportError, LeftOut, Overview, chrome, damage_of, goal, holds_calls, join, of_different_runs,
    time_independent,
};
use cll_diagnostic::counted;
use cll_report::{
    GraphPage, graph_page, mpi_diff_text, mpi_graph_dot, mpi_graph_svg, mpi_graph_text,
    mpi_page_text,
};

use cll_analysis::logs::{
    call_graph, call_statistics, count_supersteps, opener, surveys, unrecorded_said,
    without_supersteps,
};
use cll_analysis::mpi_runs::unused_parallelism;
use cll_analysis::{empty_files, export_otf2, sources_of};
use cll_mpi_model::{fill, source_graph, task_graph};
use cll_result::{MpiDiff, MpiGraph};

use crate::cli::{
    MpiArgs, MpiCommand, MpiDiffArgs, MpiExportArgs, MpiFormat, MpiGraphArgs, MpiStatsArgs,
};
use crate::failure::{Failure, unreadable};
use crate::files::{Output, folder};
use crate::terminal::Terminal;

/// The largest number of warnings of one kind.
const MAX_WARNINGS: usize = 8;
/// The largest number of calls of which supersteps are counted, too: that reads the logs once more.
const MAX_CALLS: u64 = 2_000_000;

/// Runs a command.
pub fn run(args: &MpiArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    match &args.command {
        MpiCommand::Model(args) => super::mpi_model::run(args, terminal),
        MpiCommand::Stats(args) => stats(args, terminal),
        MpiCommand::Diff(args) => diff(args, terminal),
        MpiCommand::Graph(args) => graph(args, terminal),
        MpiCommand::Export(args) => export(args, terminal),
    }
}

fn stats(args: &MpiStatsArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let (paths, surveys, damage) = run_of(&args.files, terminal)?;
    let no_supersteps = without_supersteps(&surveys);
    let Some(mut stats) = call_statistics(&paths, surveys, damage)? else {
        return Err(no_calls(&paths));
    };
    if let Some(why) = no_supersteps {
        stats.detail.no_supersteps = why;
    } else if stats.calls <= MAX_CALLS {
        match count_supersteps(&paths)? {
            Ok(count) => stats.detail.supersteps = Some(count),
            Err(why) => stats.detail.no_supersteps = cll_report::escape(&why.to_string()),
        }
    }
    if args.json {
        terminal.json(&stats)?
    } else {
        terminal.print(mpi_page_text(&stats, &terminal.style()))?
    }
    Ok(0)
}

fn diff(args: &MpiDiffArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let mut runs = Vec::new();
    for files in [&args.files, &args.with] {
        let (paths, surveys, damage) = run_of(files, terminal)?;
        unrecorded_said(&surveys).iter().for_each(|survey| terminal.warn(survey));
        runs.push(call_statistics(&paths, surveys, damage)?.ok_or_else(|| no_calls(&paths))?);
    }
    let diff = MpiDiff::new(&runs[0], &runs[1]);
    if args.json {
        terminal.json(&diff)?
    } else {
        terminal.print(mpi_diff_text(&diff, &terminal.style()))?
    }
    Ok(0)
}

fn graph(args: &MpiGraphArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if let Some(path) = args.files.iter().find(|path| is_of_another_language(path)) {
        return Err(Failure::input(format!("{}: only sources in C are read", path.display()))
            .help("the graph of any program is made of its log: cll run --log"));
    }
    let is_source = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "c");
    let (paths, mut graph) = if args.files.iter().any(is_source) {
        (args.files.clone(), of_source(args, terminal)?)
    } else {
        if !args.run.is_empty() {
            return Err(Failure::usage("--run is for the source of a program; a log is a run"));
        }
        if args.processors.is_some() {
            return Err(Failure::usage("-n is for the source of a program; a log has its ranks"));
        }
        let (paths, surveys, _) = run_of(&args.files, terminal)?;
        unrecorded_said(&surveys).iter().for_each(|survey| terminal.warn(survey));
        let Some(graph) = call_graph(&paths, surveys)? else { return Err(no_calls(&paths)) };
        (paths, graph)
    };
    if args.parallelism {
        graph.unused = Some(unused_parallelism(&graph, &paths));
    }
    let tasks = task_graph(&graph);
    if let Some(path) = &args.html {
        let sources = sources_of(graph.files.iter().map(String::as_str), folder(&paths[0]));
        let tool = concat!("cll ", env!("CARGO_PKG_VERSION"));
        let page = GraphPage { graph: &graph, tasks: &tasks, sources: &sources, tool };
        Output::apart_from(path, &paths)?.write(graph_page(&page).as_bytes())?;
    }
    let graph = if args.tasks { tasks } else { graph };
    if args.json {
        terminal.json(&graph)?;
        return Ok(0);
    }
    for (path, text) in [
        (&args.svg, mpi_graph_svg as fn(&_) -> String),
        (&args.dot, mpi_graph_dot as fn(&_) -> String),
    ] {
        if let Some(path) = path {
            Output::apart_from(path, &paths)?.write(text(&graph).as_bytes())?;
        }
    }
    if args.svg.is_none() && args.dot.is_none() && args.html.is_none() {
        terminal.print(mpi_graph_text(&graph, &terminal.style()))?;
    }
    Ok(0)
}

/// The graph of a source, with what a run of it shows if one is given.
fn of_source(args: &MpiGraphArgs, terminal: &Terminal) -> Result<MpiGraph, Failure> {
    let mut files = Vec::new();
    for path in &args.files {
        let bytes = fs::read(path).map_err(|error| unreadable(path, error))?;
        files.push((path.display().to_string(), bytes));
    }
    let run = if args.run.is_empty() {
        None
    } else {
        let (paths, surveys, _) = run_of(&args.run, terminal)?;
        Some(call_graph(&paths, surveys)?.ok_or_else(|| no_calls(&paths))?)
    };
    if let (Some(run), Some(ranks)) = (&run, args.processors)
        && run.ranks != ranks
    {
        return Err(Failure::usage(format!("-n {ranks}: the run had {} ranks", run.ranks))
            .help("without -n the source is followed for the ranks of the run"));
    }
    let ranks = args.processors.or(run.as_ref().map(|run| run.ranks)).unwrap_or(4);
    let mut graph = source_graph(&files, ranks).ok_or_else(|| {
        let wrong = "there is no main in these files that calls MPI, itself or by their functions";
        Failure::input(format!("{}: {wrong}", files[0].0)).help("give all files of the program")
    })?;
    if let Some(run) = &run {
        let missing = fill(&mut graph, run);
        if !missing.is_empty() {
            let shown: Vec<&str> = missing.iter().take(MAX_WARNINGS).map(String::as_str).collect();
            let more = missing.len().saturating_sub(MAX_WARNINGS);
            let more = if more > 0 { format!(" and {more} others") } else { String::new() };
            terminal.warn(&format!(
                "the run has calls that the graph of the source does not have: {}{more}",
                cll_report::escape(&shown.join(", "))
            ));
        }
    }
    Ok(graph)
}

fn export(args: &MpiExportArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if !(args.speed.is_finite() && args.speed > 0.0) {
        return Err(Failure::usage(format!("--speed {}: it must be above 0", args.speed)));
    }
    let (paths, mut surveys, _) = run_of(&args.files, terminal)?;
    unrecorded_said(&surveys).iter().for_each(|survey| terminal.warn(survey));
    let left_out = match args.format {
        MpiFormat::Otf2 => export_otf2(&paths, &mut surveys, &args.out)?,
        _ => export_file(args, &paths, &mut surveys)?,
    };
    if left_out.all() > 0 {
        terminal.warn(&format!(
            "left out, since the format or the log has no such thing: {}",
            [
                (left_out.one_sided, "one-sided call", "one-sided calls"),
                (left_out.outside, "message to another program", "messages to other programs"),
                (
                    left_out.collectives,
                    "collective of neighbours or of two groups",
                    "collectives of neighbours or of two groups",
                ),
            ]
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| counted(count as usize, one, many))
            .collect::<Vec<_>>()
            .join(", ")
        ));
    }
    Ok(0)
}

fn export_file(
    args: &MpiExportArgs,
    paths: &[PathBuf],
    surveys: &mut [Overview],
) -> Result<LeftOut, Failure> {
    let output = Output::apart_from(&args.out, paths)?;
    let mut left_out = LeftOut::default();
    let written = output.write_as(|out| {
        left_out = match args.format {
            MpiFormat::Goal => goal(surveys, &mut opener(paths), out),
            MpiFormat::Simgrid => time_independent(surveys, &mut opener(paths), args.speed, out),
            MpiFormat::Chrome | MpiFormat::Otf2 => {
                chrome(surveys, &mut opener(paths), out).map(|()| LeftOut::default())
            }
        }?;
        Ok(())
    });
    written.map_err(|error| match error {
        ExportError::Io(error) => {
            Failure::system(format!("cannot write {}: {error}", args.out.display()))
        }
        error => Failure::input(error.to_string()),
    })?;
    Ok(left_out)
}

/// Logs with their tables, and what is damaged in them.
type LogsOfRun = (Vec<PathBuf>, Vec<Overview>, Vec<String>);

/// The logs of one run with their tables, and what is damaged in them, which is also reported.
fn run_of(files: &[PathBuf], terminal: &Terminal) -> Result<LogsOfRun, Failure> {
    let mut paths = logs(files, terminal)?;
    let mut surveys = surveys(&paths)?;
    join(&mut surveys);
    if files.iter().any(|path| path.is_dir()) {
        without_started(&mut paths, &mut surveys, terminal);
    }
    one_run(&paths, &surveys)?;
    let damage = damage_of(&surveys, &paths);
    damage.iter().take(MAX_WARNINGS).for_each(|text| terminal.warn(text));
    if damage.len() > MAX_WARNINGS {
        terminal.warn(&format!("{} more errors in these logs", damage.len() - MAX_WARNINGS));
    }
    Ok((paths, surveys, damage))
}

/// Leaves out the logs in a folder of processes that the program has started. They are a run of their own, unless it is
/// known how they are connected with the program.
fn without_started(paths: &mut Vec<PathBuf>, surveys: &mut Vec<Overview>, terminal: &Terminal) {
    let is_started = |survey: &Overview| {
        survey.world.is_none() && survey.mpi.as_ref().is_some_and(|mpi| mpi.started)
    };
    let all = surveys.len();
    if surveys.iter().all(is_started) {
        return;
    }
    let mut keeps =
        surveys.iter().map(|survey| !is_started(survey)).collect::<Vec<_>>().into_iter();
    paths.retain(|_| keeps.next().unwrap_or(true));
    surveys.retain(|survey| !is_started(survey));
    if surveys.len() < all {
        terminal.note(&format!(
            "{} other logs there are of processes that the program has started: give these files to see them",
            all - surveys.len()
        ));
    }
}

/// Whether a file is a source in C++ or Fortran, by its name.
fn is_of_another_language(path: &Path) -> bool {
    const OTHERS: [&str; 12] =
        ["cc", "cpp", "cxx", "c++", "C", "f", "for", "f77", "f90", "F90", "f03", "f08"];
    path.extension().is_some_and(|extension| OTHERS.iter().any(|other| extension == *other))
}

fn no_calls(paths: &[PathBuf]) -> Failure {
    Failure::input(format!("{}: it has no MPI calls", paths[0].display()))
        .help("cll run --log records the calls of a program")
}

/// The files with content, and for folders the logs of calls in them.
fn logs(given: &[PathBuf], terminal: &Terminal) -> Result<Vec<PathBuf>, Failure> {
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) =
        given.iter().cloned().partition(|path| path.is_dir());
    let mut all = Vec::new();
    for folder in &folders {
        all.extend(logs_in(folder)?);
    }
    if !files.is_empty() {
        files = empty_files::leave_out(files, terminal)?;
    }
    for path in &files {
        let failure = |error| unreadable(path, error);
        let file = File::open(path).map_err(failure)?;
        if !holds_calls(file).map_err(failure)? {
            return Err(Failure::input(format!("{}: not a log of MPI calls", path.display()))
                .help("cll run --log records the calls of a program"));
        }
        all.push(path.clone());
    }
    all.sort();
    all.dedup();
    Ok(all)
}

fn logs_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, error))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unreadable(folder, error))?.path();
        if path.extension().is_none_or(|extension| extension != "dat") || !path.is_file() {
            continue;
        }
        let failure = |error| unreadable(&path, error);
        if holds_calls(File::open(&path).map_err(failure)?).map_err(failure)? {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        Err(Failure::input(format!("{}: it has no log of MPI calls", folder.display()))
            .help("cll run --log -o FOLDER writes the logs of a run there"))
    } else {
        Ok(paths)
    }
}

/// Refuses logs of several runs.
fn one_run(paths: &[PathBuf], surveys: &[Overview]) -> Result<(), Failure> {
    let Some((other, number)) = of_different_runs(surveys) else { return Ok(()) };
    Err(Failure::usage(format!(
        "{} and {} are logs of different runs",
        paths[other].display(),
        paths[number].display()
    ))
    .help("give the logs of one run; cll run --log -o FOLDER writes a run to a separate folder"))
}
