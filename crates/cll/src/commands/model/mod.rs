//! `cll model`: from annotated files to a model.

mod live;
mod outcome;
pub(super) mod progress;

use std::ffi::OsString;
use std::time::Instant;

use cll_contract::{self as contract, Engine};
use cll_report::{PlotOptions, SvgOptions, experiment_plot, svg};
use cll_result::{
    Against, Compiled, ModelComparison, ModelFile, ModelJson, Notice, Predicted, ProgramModel,
};

use super::environment::{budget, loaded};
use super::fit::asked;
use super::page;
use super::report::{self, Shown};
use crate::cli::{Loaded, ModelArgs, VirtualOptions};
use crate::commands::wrong_arguments;
use crate::failure::{Failure, Status};
use crate::files;
use crate::launch::{Local, Mpirun, Parallelism};
use crate::machine_state::{BestSeen, LaunchBaseline};
use crate::model::Older;
use crate::sampling::{Budget, Campaign, Goal, Grid, Template, Variation, Varied};
use crate::terminal::Terminal;
use crate::virtual_run::VirtualRun;
use cll_analysis::planning::candidates;
use cll_analysis::{
    At, Choices, HoldOut, SearchChoice, Source, about_observable, check_held_out, check_planned,
    describe, now, predict_all, predicted_held_out, references, share_constants, write_model,
};
use cll_counters::{is_own_doing, this_machine};
use cll_files::Notices;

use cll_measure::{
    Built, Fitting, Folder, Guided, Overhead, Pilot, Ranked, RunSettings, Sampled, Sampler,
    Settings, Sources, account, compare_code, competition, compile, compiler_words, empty,
    own_doing, plain, processors, rank, regions, unseen,
};
use cll_sampling::CPU_TIME;
use live::{Live, Watched};
use progress::Bar;

/// The default time of sampling.
const BUDGET: f64 = 60.0;

/// Translates, compiles, runs, fits, reports.
pub fn run(args: &ModelArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    // Checks the whole command line before anything is done.
    let options = args.fit.options().map_err(Failure::usage)?;
    let mut asked = asked(&args.predict)?;
    let held_out = HoldOut::all(&args.fit.hold_out)?;
    // Before the new model replaces it.
    let older = Older::read(&args.comparison, args.fit.confidence)?;
    let variations = match args.adaptive {
        true => candidates(&args.vary)?,
        false => {
            let all = args.vary.iter().map(Varied::all).collect::<Result<Vec<Variation>, _>>();
            all.map_err(|why| Failure::usage(format!("--vary: {why}")))?
        }
    };
    let names: Vec<&str> = variations.iter().map(|variation| variation.name.as_str()).collect();
    let template = Template::parse(&args.arguments, &names).map_err(wrong_arguments)?;
    let loaded = loaded(args.loaded)?;
    let settings = settings(args)?;
    let mut observing = settings.observing()?;
    let simulated = observing.is_simulated();
    let fitted = args.fit.fitted().or(simulated.then_some("sim::Ir"));
    let observable = fitted.map(str::to_owned);

    let name = files::stem(&args.files[0]);
    let live = args.live.then(|| Live::start(&name, args.port, terminal)).transpose()?;
    let (mut sources, compiler) = cll_measure::translate(&settings, terminal)?;
    observing.divide(&sources.counters());
    let divided = observing.in_words();
    if let Some(text) = &divided {
        terminal.note(text);
    }
    let mut grid = Grid {
        values: variations.iter().map(|variation| variation.range.values().to_vec()).collect(),
        processors: processors(&settings, &sources, terminal)?,
        groups: observing.groups.len(),
        points: Vec::new(),
    };
    template
        .check_processors(&names, grid.processors.iter().any(Option::is_some))
        .map_err(wrong_arguments)?;
    for text in check_planned(&held_out, &sources.planned(&variations, &grid))? {
        terminal.warn(&text);
    }
    let virtually = virtually(args, &sources, &grid, terminal)?;
    let path = args.output.clone().unwrap_or_else(|| format!("{name}.cll").into());
    let folder = Folder::claim(path, &name)?;
    let (mut left_out, mut names_left_out, mut marker) = (Vec::new(), None, (f64::NAN, false));
    if args.auto.auto {
        let virtually = virtually.clone();
        let pilot = Pilot {
            args: &settings,
            variations: &variations,
            compiler: &compiler,
            folder: &folder,
            grid: &grid,
            template: &template,
            virtually,
        };
        let mut launcher = Local::new(terminal)?;
        let chosen = pilot.choose(sources, &mut launcher)?;
        names_left_out = Some(chosen.names);
        (sources, left_out, marker) = (chosen.sources, chosen.left_out, chosen.marker);
    }
    let regions = regions(&sources);
    // The size for the ranking is that of the arguments; experiments have variables of their own.
    let wanted = std::mem::take(&mut asked);
    asked = match args.auto.auto {
        true => sources.own(&wanted, &settings)?,
        false => wanted.clone(),
    };
    let place = cll_measure::place(&settings, &sources, &grid);
    let flags = sources.flags().to_vec();
    let built = compile(&settings, &compiler, &sources, &folder)?;
    if let Some(names) = names_left_out {
        let lines: String = names.iter().map(|name| format!("{name}\n")).collect();
        files::replace(&folder.left_out(), lines.as_bytes())?;
    }
    let program = folder.program();
    let mpirun = match Parallelism::for_model(built.model) {
        Parallelism::Ranks => Some(Mpirun::for_program(&program)?),
        _ => None,
    };
    let how = RunSettings {
        built: &built,
        program: &program,
        mpirun: mpirun.as_ref(),
        observing: &observing,
        virtually: virtually.as_deref(),
    };
    let plan = cll_measure::plan(&settings, &flags, &compiler, &grid, &place, how)?;
    let said: &dyn Notices = if args.quiet { &Warnings(terminal) } else { terminal };
    let saved = cll_measure::resume(plan, args.seed, args.fresh, &folder, said)?;

    let limit = args.budget.or(budget()?).unwrap_or(Budget::elapsed(BUDGET));
    let limits = (args.precision, limit);
    let guided = match args.adaptive {
        true => Some(Guided::new(&sources, &variations, &mut grid, &saved, &asked, limits)?),
        false => None,
    };

    // A simulation gives no meaningful times; and with MPI only the launcher would be observed.
    let is_compared = !observing.is_simulated() && mpirun.is_none();
    let without = match is_compared {
        true => plain(&settings, &compiler, &sources, &folder),
        false => Err(String::new()),
    };
    let against = match &without {
        Ok(_) => Against::Plain,
        Err(_) => Against::Gate,
    };
    let overhead = Overhead::new(is_compared.then_some(against), without.as_ref().err().cloned());
    let overhead = overhead.with_empty(|place| empty(&settings, &compiler, &sources, place));

    let machine = this_machine();
    let machine_name = format!("{}: {}", machine.host, machine.cpu);
    let baseline = LaunchBaseline::measure(&place).unwrap_or_default();
    let best_seen = BestSeen { baseline, ..BestSeen::read(&machine_name) };
    let experiments = args.experiment.clone();
    let working_sets = args.fit.working_sets.clone();
    let formulas = Vec::new();
    let searching = cll_search::Options {
        weights: options.weights,
        confidence: options.confidence,
        unsure: cll_analysis::MARKERS_ERROR,
        ..cll_search::Options::default()
    };
    let searching_again = searching.clone();
    let choices = Choices {
        options,
        formulas,
        powers: Vec::new(),
        experiments,
        working_sets,
        observable,
        by: None,
        held_out,
        search: None,
        suggest: None,
        auto: SearchChoice { options: searching, at: asked.clone() },
    };
    let mut sampler = Sampler {
        campaign: Campaign {
            program,
            plain: without.ok(),
            name: name.clone(),
            arguments: template,
            folder: folder.path().to_path_buf(),
            work: None,
            log: folder.open_log()?,
            logged: None,
            timeout: args.timeout,
            number: None,
            watched: true,
            variables: Vec::new(),
            parallelism: Parallelism::for_model(built.model),
            mpirun,
            has_threads: built.has_threads,
            virtually,
            place,
            observing,
            too_long: Vec::new(),
        },
        grid,
        goal: Goal {
            precision: args.precision,
            budget: limit,
            strict: args.budget.is_some(),
            // The values are equal each time: one round is enough.
            launches: args.launches.or(simulated.then_some(1)),
        },
        fitting: Fitting {
            choices,
            time: args.fit.time,
            asked: &asked,
            folder: folder.path(),
            exact: fitted.is_some_and(is_own_doing),
            in_turns: args.engine == Some(Engine::Virtual),
        },
        saved,
        guided,
        best_seen,
        overhead,
        notices: terminal,
    };
    let mut watched = Watched {
        bar: Bar::new(&variations, args.quiet),
        live: live.clone(),
        name: &sampler.campaign.name.clone(),
        asked: &asked,
        folder: folder.path().to_path_buf(),
        rounds: 0,
        spent: 0.0,
        began: Instant::now(),
    };
    let sampled = sampler.sample(&mut Local::new(terminal)?, &mut watched);
    watched.bar.finish();
    let Sampled { made, stopped, evaluation } = sampled?;
    sampler.best_seen.write(&machine_name);
    let is_asked = args.compare_code;
    compare_code(is_asked, &settings, &compiler, &sources, &folder, &mut sampler, terminal);

    let status =
        outcome::assess(&made, &variations, evaluation.is_some(), &folder, &built, terminal)?;
    let Some(evaluation) = evaluation else {
        return Err(Failure::fit("nothing was recorded"));
    };
    let mut model = ModelFile::new(now());
    model.machine = Some(machine);
    model.program = Some(described(name, &built));
    model.runs = sampler.saved.runs();
    model.seed = Some(sampler.saved.seed);
    if let Some(trace) = evaluation.source.trace() {
        describe(&mut model, trace);
        if !args.auto.auto {
            model.warnings = unseen(&variations, trace);
        }
        model.warnings.extend(about_observable(trace, fitted));
        if let Some(simulation) = &sampler.campaign.observing.simulation {
            let caches = simulation.caches().join(" ");
            let text = format!("simulated caches (bytes, lines per set, bytes per line): {caches}");
            model.warnings.push(Notice::new("simulated-caches", text));
        }
    }
    model.sampling = Some(account(
        &sampler,
        &evaluation,
        stopped,
        best_seen.is_known(),
        loaded == Loaded::Accept,
    ));
    model.warnings.extend(divided.map(|text| Notice::new("counters", text)));
    model.warnings.extend(own_doing(&sampler.saved.rounds));
    if let Some(competition) = competition(&settings, &sampler.grid) {
        // It was asked for.
        model.warnings.retain(|warning| warning.code != competition.code);
        model.warnings.push(competition);
    }
    model.warnings.extend(evaluation.notices.iter().cloned());
    model.experiments.clone_from(&evaluation.experiments);
    if let Err(failure) = share_constants(&mut model, &args.fit.share) {
        // What was measured is not lost for that.
        model.warnings.push(Notice::new("not-shared", failure));
    }
    if args.auto.auto {
        let rounds = &sampler.saved.rounds;
        // Regions and their formulas are of one time: where wall times are disturbed both are of processor time.
        let observable = fitted.or(evaluation.by_processor_time.then_some(CPU_TIME));
        let (ranking, notice) = rank(
            &settings,
            Ranked { regions: &regions, left_out, marker, observable },
            rounds,
            &evaluation,
            &wanted,
            &folder,
            &searching_again,
        )?;
        model.experiments.retain(|one| !ranking.not_reached.contains(&one.name));
        model.ranking = Some(ranking);
        model.warnings.extend(notice);
    }
    let seed = sampler.saved.seed;
    drop(sampler);
    let (source, older) = (&evaluation.source, older.as_ref());
    let Finished { drawn, comparison, page } =
        finish(args, &model, source, (&asked, older), &folder, loaded, terminal)?;
    if let Some(live) = live {
        live.finish(page);
    }
    if !args.quiet {
        let made = if drawn { "traces, model and plots" } else { "traces and model (no plots)" };
        terminal.note(&format!(
            "source, program, page, {made} are in {} (seed {seed})",
            folder.path().display()
        ));
    }
    let is_found = model.has_fit() || model.has_ranked_formula();
    match (status, is_found, model.is_not_measurable()) {
        (0, false, _) => Err(Failure::Reported(Status::Fit)),
        (0, true, true) if loaded == Loaded::Refuse => Ok(Status::NotMeasurable.code()),
        (code, ..) => Ok(match (older, &comparison) {
            (Some(older), Some(comparison)) => older.status(comparison, code),
            _ => code,
        }),
    }
}

/// The options as the crate `measure` takes them.
fn settings(args: &ModelArgs) -> Result<Settings<'_>, Failure> {
    let mut flags: Vec<OsString> = vec!["-O2".into()];
    flags.extend(compiler_words(&args.cflags)?);
    Ok(Settings {
        files: args.files.clone(),
        flags,
        libraries: compiler_words(&args.libs)?,
        automatic: args.auto.choice(),
        vary: args.vary.iter().map(|one| one.name.clone()).collect(),
        arguments: &args.arguments,
        processors: args.processors.as_ref().map(|given| given.counts()),
        is_virtual: args.engine == Some(Engine::Virtual),
        oversubscribe: args.oversubscribe,
        pin: !args.no_pin,
        timeout: args.timeout,
        wanted: args.observing.wanted(),
        fitted: args.fit.fitted(),
    })
}

/// Passes warnings on, and no notes.
struct Warnings<'a>(&'a Terminal);

impl Notices for Warnings<'_> {
    fn note(&self, _: &str) {}

    fn warn(&self, text: &str) {
        self.0.warn(text);
    }
}

/// The settings of virtual processors, if requested.
fn virtually(
    args: &ModelArgs,
    sources: &Sources,
    grid: &Grid,
    terminal: &Terminal,
) -> Result<Option<Vec<(&'static str, OsString)>>, Failure> {
    let is_bsp =
        matches!(Parallelism::for_model(sources.model()), Parallelism::Bsp | Parallelism::Objects);
    let is_virtual = args.engine == Some(Engine::Virtual);
    match args.engine {
        Some(engine @ (Engine::Threads | Engine::Mpi)) => {
            return Err(Failure::usage(format!("--engine {}: not for models", engine.name()))
                .help(
                    "--engine processes measures on this machine's cores, --engine virtual on any number",
                ));
        }
        Some(engine) if !is_bsp => {
            return Err(Failure::usage(format!("--engine {}: not a BSP program", engine.name()))
                .help(
                    "a BSP program needs #pragma cll parallel BSP, or #pragma cll parallel PUB bsp",
                ));
        }
        _ => {}
    }
    let given = [("--machine", args.machine.is_some()), ("--cores", args.cores.is_some())];
    if let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given && !is_virtual) {
        return Err(Failure::usage(format!("{option} is for virtual processors only"))
            .help("--engine virtual measures a BSP program on any number of them"));
    }
    if !is_virtual {
        return Ok(None);
    }
    let options = VirtualOptions {
        cores: args.cores,
        machine: args.machine.clone(),
        ..VirtualOptions::default()
    };
    if args.machine.is_none() {
        terminal
            .note("communication takes no time, since no machine was given (--machine MACHINE)");
    }
    let most = grid.processors.iter().flatten().max().copied();
    let mut environment =
        VirtualRun::from_options(&options, most, terminal)?.environment_without_log();
    environment.push(contract::ENGINE.set(Engine::Virtual));
    Ok(Some(environment))
}

/// The results of a model that was written and reported.
struct Finished {
    /// Whether plots were drawn.
    drawn: bool,
    comparison: Option<ModelComparison>,
    page: String,
}

/// Writes the model and reports it.
fn finish(
    args: &ModelArgs,
    model: &ModelFile,
    source: &Source,
    (asked, older): (&[At], Option<&Older>),
    folder: &Folder,
    loaded: Loaded,
    terminal: &mut Terminal,
) -> Result<Finished, Failure> {
    write_model(model, files::Output::at(&folder.model())?)?;
    check_held_out(model, &HoldOut::all(&args.fit.hold_out)?)?;
    let mut predicted = predict_all(model, asked)?;
    predicted.extend(predicted_held_out(model));
    let accept = loaded == Loaded::Accept;
    // A plot cannot show that a fit is unreliable.
    let may_draw = accept || !model.is_not_measurable();
    let drawn = may_draw && plots(model, &predicted, folder)?;
    let measured = page::Measured::from_source(model, source);
    let output = files::Output::at(&folder.page())?;
    let page = page::write(model, &predicted, measured, folder.path(), output)?;
    if accept && let Some(reservation) = model.reservation() {
        terminal.warn(&reservation);
    }
    let comparison = older.map(|older| older.compare(model, !args.json, terminal)).transpose()?;
    match args.json {
        true => terminal.json(&ModelJson::of(model, &predicted).compared(comparison.as_ref()))?,
        false => {
            let path = folder.page();
            let shown = Shown {
                details: args.details,
                points: args.points,
                accept,
                model: Some(folder.path()),
                page: Some(&path),
            };
            report::print(model, &predicted, shown, terminal)?;
        }
    }
    terminal.flush()?;
    Ok(Finished { drawn, comparison, page })
}

fn described(name: String, built: &Built) -> ProgramModel {
    ProgramModel {
        name,
        sources: built.sources.clone(),
        model: built.model.name().to_owned(),
        compiled: Some(Compiled { command: built.command.clone(), version: built.version.clone() }),
    }
}

/// One SVG for each fit.
fn plots(model: &ModelFile, predicted: &[Predicted], folder: &Folder) -> Result<bool, Failure> {
    let mut drawn = false;
    for (index, one) in model.experiments.iter().enumerate() {
        let views: Vec<_> = predicted
            .iter()
            .filter(|predicted| predicted.experiment == index && predicted.view.result.is_ok())
            .map(|predicted| predicted.view.clone())
            .collect();
        // A fit without a variable has no plot.
        let drawn_fit = experiment_plot(model, one, &views, &PlotOptions::default());
        let Some(Ok(mut spec)) = drawn_fit else { continue };
        spec.references = references(model.machine.as_ref(), one, &spec.x.title);
        let twin = model.experiments[..index].iter().filter(|other| other.name == one.name).count();
        let name = match twin {
            0 => one.name.clone(),
            _ => format!("{}-{}", one.name, twin + 1),
        };
        files::replace(&folder.plot(&name)?, svg(&spec, &SvgOptions::default()).as_bytes())?;
        drawn = true;
    }
    Ok(drawn)
}
