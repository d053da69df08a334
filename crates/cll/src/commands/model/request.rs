//! The command line as a request.

use std::ffi::OsString;

use cll_analysis::{HoldOut, planning::candidates};
use cll_contract::{self as contract, Engine, Setting};
use cll_measure::{Error, Request, Settings, compiler_words};
use cll_translate::Model;

use crate::cli::{Loaded, ModelArgs, VirtualOptions};
use crate::commands::environment::budget;
use crate::commands::fit::asked;
use crate::failure::Failure;
use crate::files;
use crate::launch::Parallelism;
use crate::sampling::{Budget, Template, Variation, Varied};
use crate::terminal::Terminal;
use crate::virtual_run::VirtualRun;

/// The default time of sampling.
const BUDGET: f64 = 60.0;

/// Reads the whole command line before anything is done.
pub fn request(args: &ModelArgs, loaded: Loaded) -> Result<Request<'_>, Failure> {
    let options = args.fit.options().map_err(|error| Failure::usage(error.to_string()))?;
    let variations = if args.adaptive {
        candidates(&args.vary)?
    } else {
        let all = args.vary.iter().map(Varied::all).collect::<Result<Vec<Variation>, _>>();
        all.map_err(|why| Failure::usage(format!("--vary: {why}")))?
    };
    let names: Vec<&str> = variations.iter().map(|variation| variation.name.as_str()).collect();
    let arguments =
        Template::parse(&args.arguments, &names).map_err(crate::sampling::Error::Arguments)?;
    let settings = settings(args)?;
    // A counter that does not exist is said first.
    let is_simulated = settings.observing()?.is_simulated();
    let observable = settings.fitted.or(is_simulated.then_some("sim::Ir"));
    Ok(Request {
        name: files::stem(&args.files[0]),
        settings,
        variations,
        arguments,
        is_adaptive: args.adaptive,
        asked: asked(&args.predict)?,
        held_out: HoldOut::all(&args.fit.hold_out)?,
        folder: args.output.clone(),
        precision: args.precision,
        budget: args.budget.or(budget()?).unwrap_or(Budget::elapsed(BUDGET)),
        is_strict: args.budget.is_some(),
        launches: args.launches,
        observable: observable.map(str::to_owned),
        seed: args.seed,
        is_fresh: args.fresh,
        accepts_load: loaded == Loaded::Accept,
        compare_code: args.compare_code,
        options,
        experiments: args.experiment.clone(),
        working_sets: args.fit.working_sets.clone(),
        time: args.fit.time,
        shared: args.fit.share.clone(),
    })
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
        vary: args.vary.iter().map(|varied| varied.name.clone()).collect(),
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

/// The settings of virtual processors, if requested.
pub fn virtual_processors(
    args: &ModelArgs,
    model: Model,
    most: Option<u32>,
    terminal: &Terminal,
) -> Result<Option<Vec<Setting>>, Error> {
    let is_bsp = matches!(Parallelism::for_model(model), Parallelism::Bsp | Parallelism::Objects);
    let is_virtual = args.engine == Some(Engine::Virtual);
    match args.engine {
        Some(engine @ (Engine::Threads | Engine::Mpi)) => {
            return Err(Error::EngineForModels(engine.name()));
        }
        Some(engine) if !is_bsp => {
            return Err(Error::NotBsp(engine.name()));
        }
        _ => {}
    }
    let given = [("--machine", args.machine.is_some()), ("--cores", args.cores.is_some())];
    if let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given && !is_virtual) {
        return Err(Error::VirtualOnly(option));
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
    let mut environment =
        VirtualRun::from_options(&options, most, terminal)?.environment_without_log();
    environment.push(contract::ENGINE.set(Engine::Virtual));
    Ok(Some(environment))
}
