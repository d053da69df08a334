//! `cll plot`: plots of fits.

use std::path::{Path, PathBuf};

use cll_fit::Options;
use cll_import::ImportOptions;
use cll_report::{PlotOptions, PlotSpec, Scale, SvgOptions, experiment_plot, svg, terminal_plot};
use cll_result::{ExperimentModel, ModelFile};
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::{Axes, PlotArgs};
use crate::failure::Failure;
use crate::files::{self, Output};
use crate::terminal::Terminal;
use cll_analysis::Time;
use cll_analysis::empty_files;
use cll_analysis::{
    Choices, DataSource, describe, fit_all, notices, now, read_model, references, select, traces_in,
};

/// Rows of a plot on the terminal, without axes and titles.
const ROWS: usize = 18;

/// The JSON of `--json`.
#[derive(Serialize, JsonSchema)]
pub struct PlotsJson {
    format: &'static str,
    version: u32,
    plots: Vec<PlotSpec>,
}

/// Draws every chosen experiment.
pub fn run(args: &PlotArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let model = model(args, terminal)?;
    if let Some(reservation) = model.reservation() {
        terminal.warn(&reservation);
    }
    let chosen =
        select(model.experiments.clone(), &args.experiment, |experiment| &experiment.name)?;
    let mut plots = Vec::new();
    for experiment in &chosen {
        let options = PlotOptions {
            x: args.x.clone(),
            x_scale: scale(args.axes),
            y_scale: scale(args.axes),
            ..PlotOptions::default()
        };
        match experiment_plot(&model, experiment, &[], &options) {
            Some(drawn) => {
                let mut spec = drawn
                    .map_err(|error| Failure::usage(format!("{}: {error}", experiment.name)))?;
                spec.references = references(model.machine.as_ref(), experiment, &spec.x.title);
                plots.push((experiment, spec));
            }
            None => terminal.warn(&format!(
                "{} cannot be drawn: {}",
                experiment.name,
                experiment.failure.as_deref().unwrap_or("it has no fit")
            )),
        }
    }
    if plots.is_empty() {
        return Err(Failure::fit("there is no fitted experiment to draw"));
    }
    if args.json {
        let plots = plots.into_iter().map(|(_, spec)| spec).collect();
        terminal.json(&PlotsJson { format: "cll-plots", version: 1, plots })?;
        return Ok(0);
    }
    let several = plots.len() > 1;
    if let Some(path) = args.svg.as_ref().filter(|_| several)
        && !Output::at(path)?.is_file()
    {
        return Err(Failure::usage(format!(
            "{} is not a regular file, and there are {} experiments to draw, each in its own file",
            path.display(),
            plots.len()
        ))
        .help("--experiment chooses one of them"));
    }
    let style = terminal.style();
    let mut named: Vec<PathBuf> = Vec::new();
    for (index, (experiment, spec)) in plots.iter().enumerate() {
        match &args.svg {
            Some(path) => {
                let path =
                    if several { of_experiment(path, experiment, &named) } else { path.clone() };
                named.push(path.clone());
                let output = Output::apart_from(&path, &args.files)?;
                output.write(svg(spec, &SvgOptions::default()).as_bytes())?;
                if several {
                    terminal.note(&format!("{}: {}", experiment.name, path.display()));
                }
            }
            None => {
                let gap = if index > 0 { "\n" } else { "" };
                terminal.print(format!("{gap}{}", terminal_plot(spec, &style, ROWS)))?;
            }
        }
    }
    Ok(0)
}

/// A model file, or traces fitted with the default options.
fn model(args: &PlotArgs, terminal: &Terminal) -> Result<ModelFile, Failure> {
    let paths = &args.files;
    let observable = args.observable.clone().filter(|name| name != "time");
    if let [path] = &paths[..]
        && is_model(path)
    {
        if observable.is_some() {
            return Err(Failure::usage("--observable is for traces only")
                .help("cll fit TRACE --observable NAME -o model.json, then cll plot model.json"));
        }
        return Ok(read_model(path)?);
    }
    let files = empty_files::leave_out(traces_in(paths)?, terminal)?;
    let source = DataSource::read(&files, &ImportOptions::default())?;
    let DataSource::Trace(trace) = &source else {
        return Err(Failure::usage("a table must be fitted before it can be drawn")
            .help("cll fit TABLE --formula '…' -o model.json, then cll plot model.json"));
    };
    let mut model = ModelFile::new(now());
    describe(&mut model, trace);
    for notice in notices(trace, &files) {
        terminal.warn(&notice.text);
    }
    let choices = Choices { options: Options::default(), observable, ..Choices::default() };
    model.experiments = fit_all(&source, Time::Inclusive, &choices)?;
    Ok(model)
}

fn is_model(path: &Path) -> bool {
    if path.is_dir() {
        path.join(cll_analysis::FILE_NAME).is_file()
    } else {
        path.extension().is_some_and(|extension| extension == "json")
    }
}

fn scale(axes: Axes) -> Option<Scale> {
    match (axes.log, axes.linear) {
        (true, _) => Some(Scale::Log),
        (_, true) => Some(Scale::Linear),
        _ => None,
    }
}

/// `plot.svg` becomes `plot-rows.svg`. If that is used already, since names of experiments may differ in
/// characters that are not in file names, `plot-rows-2.svg`.
fn of_experiment(path: &Path, experiment: &ExperimentModel, taken: &[PathBuf]) -> PathBuf {
    let extension = path.extension().map_or("svg".into(), |extension| extension.to_string_lossy());
    let stem = format!("{}-{}", files::stem(path), files::named_by(&experiment.name));
    let mut named = path.with_file_name(format!("{stem}.{extension}"));
    let mut number = 2;
    while taken.contains(&named) {
        named = path.with_file_name(format!("{stem}-{number}.{extension}"));
        number += 1;
    }
    named
}
