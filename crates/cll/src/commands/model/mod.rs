//! `cll model`: from annotated files to a model.

mod build;
mod folder;
mod outcome;
mod progress;

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;

use cll_fit::Unit;
use cll_report::{PlotOptions, SvgOptions, plot, svg};

use super::fit::{Answer, asked};
use crate::cli::ModelArgs;
use crate::compiler::Compiler;
use crate::failure::{Failure, Status};
use crate::files;
use crate::launch::Local;
use crate::model::{
    At, Choices, Compiled, Machine, ModelFile, Predicted, ProgramModel, RunModel, Shown, Source,
    describe, fit_all, notices, now, predict_all, read_together, references, report,
};
use crate::sampling::{Campaign, Grid, Launched, Template, Variation, order};
use crate::terminal::Terminal;

use build::Built;
use folder::Folder;
use progress::Bar;

/// Translates, compiles, runs, fits, reports.
pub fn run(args: &ModelArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    // Everything that can be wrong with the command line, before anything is done.
    let options = args.fit.options().map_err(Failure::usage)?;
    let asked = asked(&args.predict)?;
    let names: Vec<&str> = args.vary.iter().map(|variation| variation.name.as_str()).collect();
    let template = Template::parse(&args.arguments, &names).map_err(Failure::usage)?;
    let compiler = Compiler::choose()?;

    let name = files::stem(&args.files[0]);
    let sources = build::translate(args, &compiler, terminal)?;
    let grid = Grid {
        values: args.vary.iter().map(|variation| variation.range.values().to_vec()).collect(),
        processors: build::processors(args, &sources, terminal)?,
    };
    let path = args.output.clone().unwrap_or_else(|| format!("{name}.cll").into());
    let folder = Folder::claim(path, &name)?;
    let built = build::compile(args, &compiler, sources, &folder, terminal)?;

    let seed = args.seed.unwrap_or_else(|| u64::from(fastrand::u32(..)));
    let launches = order(&grid, args.launches, seed);
    let campaign = Campaign {
        program: folder.program(),
        name: name.clone(),
        arguments: template,
        folder: folder.path().to_path_buf(),
        log: log(&folder)?,
        timeout: args.timeout,
    };
    let mut bar = Bar::new(&launches, &args.vary, args.quiet);
    let made = campaign.carry_out(launches, &mut Local::new(terminal)?, &mut bar)?;
    bar.finish();

    let verdict = outcome::assess(&made, &folder, &built, terminal)?;
    let traces: Vec<PathBuf> =
        made.iter().filter_map(|launched| launched.outcome.trace.clone()).collect();
    let trace = read_together(&traces)?;
    let mut model = ModelFile::new(now());
    model.machine = Some(Machine::here());
    model.program = Some(program(name, &built));
    model.runs = made.iter().map(|launched| of_launch(launched, &campaign.arguments)).collect();
    model.seed = Some(seed);
    describe(&mut model, &trace);
    model.warnings = notices(&trace, &traces);
    model.warnings.extend(outcome::unseen(&args.vary, &trace));
    let experiments = args.experiment.clone();
    let working_sets = args.fit.working_sets.clone();
    let choices = Choices { options, formulas: Vec::new(), experiments, working_sets };
    let source = Source::Trace(Box::new(trace));
    model.experiments = fit_all(&source, args.fit.time, &Unit::Seconds, &choices)?;
    model.write(&folder.model())?;
    let predicted = predict_all(&model, &asked)?;
    plots(&model, &predicted, &folder)?;
    show(args, &model, &predicted, &asked, terminal)?;
    terminal.flush()?;
    if !args.quiet {
        terminal.note(&format!(
            "source, program, traces, model and plots are in {} (seed {seed})",
            folder.path().display()
        ));
    }
    match (verdict, model.has_fit()) {
        (0, false) => Err(Failure::Told(Status::Fit)),
        (code, _) => Ok(code),
    }
}

fn show(
    args: &ModelArgs,
    model: &ModelFile,
    predicted: &[Predicted],
    asked: &[At],
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    match args.json {
        true => terminal.json(&Answer::of(model, predicted, asked)),
        false => {
            let shown = Shown { points: args.points };
            terminal.print(report(model, predicted, asked, shown, &terminal.style()))
        }
    }
}

fn log(folder: &Folder) -> Result<File, Failure> {
    let path = folder.log();
    File::options()
        .create(true)
        .append(true)
        .open(&path)
        .map_err(|error| Failure::file("write", &path, &error))
}

fn program(name: String, built: &Built) -> ProgramModel {
    ProgramModel {
        name,
        sources: built.sources.clone(),
        model: built.model.name().to_owned(),
        compiled: Some(Compiled { command: built.command.clone(), version: built.version.clone() }),
    }
}

fn of_launch(launched: &Launched, arguments: &Template) -> RunModel {
    let Launched { launching, outcome } = launched;
    let arguments = arguments.fill(&launching.values);
    RunModel {
        trace: outcome.trace.as_deref().map(files::base).unwrap_or_default(),
        arguments: arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
        processors: launching.processors,
        order: format!("shuffled {}", launching.seed),
        exit: outcome.status.code(),
        signal: outcome.status.signal(),
        timed_out: outcome.timed_out,
        seconds: Some(outcome.wall.as_secs_f64()),
    }
}

/// One SVG for each fit.
fn plots(model: &ModelFile, predicted: &[Predicted], folder: &Folder) -> Result<(), Failure> {
    for (index, one) in model.experiments.iter().enumerate() {
        let Some(fit) = &one.fit else { continue };
        let views: Vec<_> = predicted
            .iter()
            .filter(|predicted| predicted.experiment == index && predicted.view.result.is_ok())
            .map(|predicted| predicted.view.clone())
            .collect();
        // Without a variable to draw along there is nothing to see.
        let Ok(mut spec) = plot(fit, &views, &PlotOptions::default()) else { continue };
        spec.references = references(model.machine.as_ref(), one, &spec.x.title);
        let twin = model.experiments[..index].iter().filter(|other| other.name == one.name).count();
        let name = match twin {
            0 => one.name.clone(),
            _ => format!("{}-{}", one.name, twin + 1),
        };
        files::replace(&folder.plot(&name)?, svg(&spec, &SvgOptions::default()).as_bytes())?;
    }
    Ok(())
}

/// The variables of `--vary` in words, for progress and messages.
pub(super) fn in_words(variations: &[Variation], values: &[f64]) -> String {
    let pairs = variations.iter().zip(values);
    let words: Vec<String> = pairs
        .map(|(variation, value)| {
            format!("{}={}", variation.name, crate::sampling::argument(*value))
        })
        .collect();
    words.join(" ")
}
