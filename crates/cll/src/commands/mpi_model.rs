//! `cll mpi model`: runs an MPI program at several sizes, and predicts its time.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use cll_analysis::logs::{call_statistics, surveys};
use cll_analysis::mpi_runs::{MpiLaunch, MpiReader, kept_runs};
use cll_analysis::{Location, locations};
use cll_contract as contract;
use cll_counters::Observing;
use cll_diagnostic::counted;
use cll_driver::compiler::{Compiler, CompilerKind, split_words};
use cll_formula::Formula;
use cll_measure::{LoggedGoal, logged_runs};
use cll_mpi_model::{MpiChange, MpiModelRequest, MpiRunTime, mpi_model};
use cll_report::mpi_model_text;
use cll_result::{MpiModel, roman};

use super::environment;
use super::last_words::last_words;
use super::model::progress::Bar;
use crate::calls::{LinkedMpi, words_before};
use crate::cli::{BlockFactor, MpiModelArgs};
use crate::failure::Failure;
use crate::files;
use crate::launch::{Local, Mpirun, Parallelism, ending, find};
use crate::machine_state::Placement;
use crate::sampling::{Campaign, Grid, GridPoint, LoggedRun, Template, Variation};
use crate::terminal::Terminal;

/// Ranks compute so long together before a run counts, unless the environment says how long.
const WARM_UP: Duration = Duration::from_millis(50);

/// Above this share of the processors, other programs disturbed the runs.
const DISTURBED: f64 = 0.05;

/// Runs the program, makes the model, and prints it.
pub fn run(args: &MpiModelArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if args.files.iter().any(|file| is_log(file)) {
        return of_kept(args, terminal);
    }
    let variations: Vec<Variation> = args
        .vary
        .iter()
        .map(|varied| varied.all().map_err(|error| Failure::usage(error.to_string())))
        .collect::<Result<_, _>>()?;
    let names: Vec<String> = variations.iter().map(|variation| variation.name.clone()).collect();
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let template =
        Template::parse(&args.arguments, &words).map_err(crate::sampling::Error::Arguments)?;
    let predict = asked(&args.predict)?;
    let held_out = asked(&args.hold_out)?;
    let change = change(args)?;
    let formula = formula(args, &names)?;
    let grid = grid(args, &variations, &held_out)?;
    let machine = match &args.machine {
        Some(path) => Some(crate::machine::load(path, terminal)?),
        None => None,
    };
    let place = files::temporary_folder()?;
    let program = program(args, place.path())?;
    let folder = match &args.output {
        Some(folder) => {
            files::make_folder(folder)?;
            std::path::absolute(folder).unwrap_or_else(|_| folder.clone())
        }
        None => place.path().to_path_buf(),
    };
    let name = files::base(&args.files[0]);
    let (mut campaign, output) = campaign(args, &program, template, &folder)?;
    let mut bar = Bar::new(&variations, args.quiet || args.json);
    let mut reader = MpiReader::default();
    let logged = logged_runs(
        &mut campaign,
        &grid,
        goal(args.rounds),
        args.seed,
        &mut Local::new(terminal)?,
        &mut bar,
        &mut |run| read(run, &names, &mut reader),
    );
    bar.finish();
    let logged = logged?;
    failed(&logged, &names, &output, args)?;
    let mut model = mpi_model(
        reader.into_runs(),
        &MpiModelRequest {
            program: name,
            variables: &names,
            held_out: &held_out,
            predict: &predict,
            formula,
            machine: machine.as_ref(),
            change,
        },
    )?;
    model.notes.extend(disturbed(&logged));
    if args.counts().iter().any(|&count| count > cores()) {
        model.notes.push(
            "there were more processes than cores: times include waiting for a core".to_owned(),
        );
    }
    print(args, &model, terminal)
}

/// Whether a name is that of logs: no program is a folder, or has such a name.
fn is_log(file: &Path) -> bool {
    file.is_dir() || file.extension().is_some_and(|end| end == "dat" || end == "log")
}

/// Makes the model of logs that were kept.
fn of_kept(args: &MpiModelArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if let Some(program) = args.files.iter().find(|file| !is_log(file)) {
        return Err(Failure::usage(format!("{} is no log, and others are", program.display()))
            .help("name a program that is to be run, or logs that were kept"));
    }
    if let Some(option) = args.of_runs() {
        return Err(Failure::usage(format!("{option}: the runs of logs are already made")).help(
            "arguments behind -- name the variables: cll mpi model logs --predict n=2000 -- {n} 50",
        ));
    }
    let predict = asked(&args.predict)?;
    let held_out = asked(&args.hold_out)?;
    let change = change(args)?;
    let kept = kept_runs(&args.files, &args.arguments)?;
    let formula = formula(args, &kept.variables)?;
    let machine = match &args.machine {
        Some(path) => Some(crate::machine::load(path, terminal)?),
        None => None,
    };
    let mut model = mpi_model(
        kept.runs,
        &MpiModelRequest {
            program: kept.program,
            variables: &kept.variables,
            held_out: &held_out,
            predict: &predict,
            formula,
            machine: machine.as_ref(),
            change,
        },
    )?;
    model.notes.extend(kept.notes);
    print(args, &model, terminal)
}

fn print(args: &MpiModelArgs, model: &MpiModel, terminal: &mut Terminal) -> Result<u8, Failure> {
    if args.json {
        terminal.json(model)?
    } else {
        terminal.print(mpi_model_text(model, &terminal.style()))?
    }
    Ok(0)
}

fn asked(texts: &[String]) -> Result<Vec<Location>, Failure> {
    let mut all = Vec::new();
    for text in texts {
        all.extend(locations(text)?);
    }
    Ok(all)
}

fn cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |count| count.get() as u32)
}

fn change(args: &MpiModelArgs) -> Result<MpiChange, Failure> {
    let mut segments = Vec::new();
    for BlockFactor(name, factor) in &args.block {
        let number = name.parse::<u32>().ok();
        let number =
            number.or_else(|| (1..1000).find(|&number| roman(number) == name.to_uppercase()));
        segments.push((
            number.ok_or_else(|| {
                Failure::usage(format!("--block {name}: segments have numbers, such as II or 2"))
            })?,
            *factor,
        ));
    }
    let (network, computation) = (1.0 / args.network.0, 1.0 / args.computation.0);
    Ok(MpiChange { network, computation, segments })
}

/// The formula of segments, if one is given.
fn formula(args: &MpiModelArgs, names: &[String]) -> Result<Option<Formula>, Failure> {
    let text = match (args.degree, &args.formula) {
        (None, None) => return Ok(None),
        (None, Some(text)) => text.clone(),
        (Some(degree), _) => {
            let first = names.first().ok_or_else(|| {
                Failure::usage("--degree: there is no variable; --vary NAME=RANGE gives one")
            })?;
            let term = |power: u32| match power {
                0 => "c[0]".to_owned(),
                1 => format!("c[1]*{first}"),
                power => format!("c[{power}]*{first}^{power}"),
            };
            (0..=degree).map(term).collect::<Vec<_>>().join(" + ")
        }
    };
    let parsed = cll_formula::parse("c", &text);
    let wrong = parsed.diagnostics.first().map_or("it is no formula", |wrong| &wrong.message);
    let formula = parsed.formula.ok_or_else(|| {
        Failure::usage(format!("--formula '{text}': {wrong}"))
            .help("constants are c[0], c[1], …: --formula 'c[0] + c[1]*n*n'")
    })?;
    let is_known = |name: &str| name == "P" || names.iter().any(|known| known == name);
    match formula.variables().iter().find(|variable| !is_known(&variable.name)) {
        Some(unknown) => Err(Failure::usage(format!(
            "--formula '{text}': there is no variable {}; --vary {}=RANGE gives one",
            unknown.name, unknown.name
        ))),
        None => Ok(Some(formula)),
    }
}

/// The points that are run: all combinations, and what is held out.
fn grid(
    args: &MpiModelArgs,
    variations: &[Variation],
    held_out: &[Location],
) -> Result<Grid, Failure> {
    let counts = args.counts();
    let most = counts.iter().max().copied().unwrap_or(1);
    if most > cores() && !args.oversubscribe {
        return Err(Failure::usage(format!(
            "-n {most}: this machine has {} cores, so the times would be those of processes that compete for them",
            cores()
        ))
        .help("use fewer processes, or --oversubscribe"));
    }
    let mut all: Vec<Vec<f64>> = vec![Vec::new()];
    for variation in variations {
        let with = |prefix: &Vec<f64>| {
            let values = prefix.clone();
            variation
                .range
                .values()
                .iter()
                .map(move |value| [values.clone(), vec![*value]].concat())
        };
        all = all.iter().flat_map(with).collect();
    }
    let mut points: Vec<(Vec<f64>, u32)> = counts
        .iter()
        .flat_map(|&count| all.iter().map(move |values| (values.clone(), count)))
        .collect();
    for asked in held_out {
        let value = |variation: &Variation| {
            let given = asked.values().iter().find(|(name, _)| *name == variation.name);
            given.map_or_else(|| variation.range.values().to_vec(), |(_, value)| vec![*value])
        };
        let mut some: Vec<Vec<f64>> = vec![Vec::new()];
        for variation in variations {
            let values = value(variation);
            some = some
                .iter()
                .flat_map(|prefix| {
                    values.iter().map(|value| [prefix.clone(), vec![*value]].concat())
                })
                .collect();
        }
        let given =
            asked.values().iter().find(|(name, _)| name == "P").map(|(_, value)| *value as u32);
        let counts = given.map_or_else(|| counts.to_vec(), |count| vec![count]);
        let more =
            counts.iter().flat_map(|&count| some.iter().map(move |values| (values.clone(), count)));
        for point in more.collect::<Vec<_>>() {
            if !points.contains(&point) {
                points.push(point);
            }
        }
    }
    let point = |(values, count): (Vec<f64>, u32)| GridPoint {
        values,
        processors: Some(count),
        rounds: 0..u32::MAX,
    };
    Ok(Grid { points: points.into_iter().map(point).collect(), ..Grid::default() })
}

/// The program: as it is given, or compiled into a folder.
fn program(args: &MpiModelArgs, folder: &Path) -> Result<PathBuf, Failure> {
    let is_c = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "c");
    if !args.files.iter().any(is_c) {
        return match &args.files[..] {
            [only] => Ok(find(only.as_os_str())?),
            _ => Err(Failure::usage("give C files (*.c), or one program")
                .help("compile programs in other languages first, with -g")),
        };
    }
    let compiler = Compiler::for_mpi(CompilerKind::C)?;
    let name = files::base(&args.files[0]);
    let program = folder.join(name.strip_suffix(".c").unwrap_or("program"));
    let mut words: Vec<OsString> = vec!["-O2".into(), "-g".into()];
    let split = |texts: &[String]| -> Result<Vec<OsString>, Failure> {
        let mut all = Vec::new();
        for text in texts {
            let words = split_words(OsStr::new(text));
            all.extend(words.map_err(|why| Failure::usage(format!("`{text}`: {why}")))?);
        }
        Ok(all)
    };
    words.extend(split(&args.cflags)?);
    words.extend(args.files.iter().map(|path| path.clone().into_os_string()));
    words.extend(["-o".into(), program.clone().into_os_string()]);
    words.extend(split(&args.libs)?);
    words.push("-lm".into());
    let done = compiler
        .command()
        .args(&words)
        .stdin(Stdio::null())
        .status()
        .map_err(|error| compiler.failure(error))?;
    if done.success() {
        Ok(program)
    } else {
        Err(Failure::compile(format!("{} does not compile", args.files[0].display()))
            .help(format!("the command: {}", compiler.line(&words))))
    }
}

fn campaign(
    args: &MpiModelArgs,
    program: &Path,
    arguments: Template,
    folder: &Path,
) -> Result<(Campaign, PathBuf), Failure> {
    let linked = LinkedMpi::read(program)?.ok_or_else(|| {
        Failure::usage(format!("{} is not linked with MPI", program.display()))
            .help("cll model makes models of other programs")
    })?;
    let mpirun = Mpirun::for_family(program, linked.family)?;
    let (log, output, _) = files::numbered(folder, "output", "log")?;
    let most = args.counts().iter().max().copied().unwrap_or(1);
    let cpus = crate::machine_state::Processors::allowed().choose(most as usize);
    let (name, seconds) = contract::WARM_UP.set(environment::warm_up()?.unwrap_or(WARM_UP));
    let campaign = Campaign {
        logged: Some(words_before(&linked)?),
        variables: vec![(name.to_owned(), seconds)],
        parallelism: Parallelism::Ranks,
        mpirun: Some(mpirun),
        watched: true,
        place: Placement { cpus, ..Placement::default() },
        observing: Observing::from_options(
            &crate::cli::ObservingOptions::default().wanted(),
            None,
        )?,
        ..Campaign::new(program.to_path_buf(), arguments, folder.to_path_buf(), log, args.timeout)
    };
    Ok((campaign, output))
}

/// So many rounds of all points if the user gives no number, and so many of a point at most.
const ROUNDS: (u32, u32) = (5, 15);
/// A point has enough runs if the two quickest of those with whole cores differ by no more than this share.
const SETTLED: f64 = 0.02;

fn goal(rounds: Option<u32>) -> LoggedGoal {
    let (first, most) = rounds.map_or(ROUNDS, |given| (given, given));
    LoggedGoal { first, most, settled: SETTLED }
}

/// Reads the logs of a run and gives its time; `None` if the run did not end as it should.
fn read(
    run: &LoggedRun,
    names: &[String],
    reader: &mut MpiReader,
) -> Result<Option<MpiRunTime>, cll_measure::Error> {
    if run.outcome.interrupted.is_some()
        || run.outcome.lost.is_some()
        || ending(&run.outcome).is_some()
    {
        return Ok(None);
    }
    if run.logs.is_empty() {
        let values = names.iter().cloned().zip(run.launching.values.iter().copied());
        let point = Location::new(values.collect());
        return Err(cll_measure::Error::NoCalls { at: point.to_string() });
    }
    let launch = MpiLaunch {
        values: run.launching.values.clone(),
        processors: run.launching.processors.unwrap_or(1),
        logs: run.logs.clone(),
        wall: Some(run.outcome.wall.as_secs_f64()),
    };
    Ok(Some(reader.read(&launch)?))
}

/// So many lines of the output of a program that failed are shown.
const LAST_LINES: usize = 4;

/// Fails if the last run did: how, which rank was the first, and the cycle of a deadlock.
fn failed(
    runs: &[LoggedRun],
    names: &[String],
    printed: &Path,
    args: &MpiModelArgs,
) -> Result<(), Failure> {
    let Some(run) = runs.last() else { return Ok(()) };
    if run.outcome.interrupted.is_some() {
        let failure = Failure::program("interrupted: no model is made of some of the runs");
        return Err(match &args.output {
            None => failure.help("-o DIR keeps the logs, of which a model can be made"),
            Some(folder) => {
                let words = args.arguments.iter().map(|word| cll_diagnostic::shell_word(word));
                let folder = cll_diagnostic::shell_word(&folder.display().to_string());
                failure.help(format!(
                    "cll mpi model {folder} -- {} makes one of the logs that are kept",
                    words.collect::<Vec<_>>().join(" ")
                ))
            }
        });
    }
    let Some(how) = ending(&run.outcome) else { return Ok(()) };
    let values = names.iter().cloned().zip(run.launching.values.iter().copied());
    let point = Location::new(
        values
            .chain([("P".to_owned(), f64::from(run.launching.processors.unwrap_or(1)))])
            .collect(),
    );
    let mut failure = Failure::program(format!("with {point} the program {how}"));
    // A rank that was killed early leaves a log that cannot be read: then nothing more is said.
    let stats = if run.logs.is_empty() {
        None
    } else {
        surveys(&run.logs)
            .and_then(|surveys| call_statistics(&run.logs, surveys, Vec::new()))
            .unwrap_or_default()
    };
    for link in stats.iter().flat_map(|stats| &stats.detail.deadlock) {
        let text =
            format!("deadlock: rank {} in {} waits for rank {}", link.rank, link.call, link.awaits);
        failure = failure.help(text);
    }
    let text = std::fs::read_to_string(printed).unwrap_or_default();
    let last = last_words(&text, LAST_LINES);
    if !last.is_empty() {
        failure = failure.help(format!("its output ends with: {}", last.join(" / ")));
    }
    Err(failure)
}

/// A note if other programs used the processors.
fn disturbed(runs: &[LoggedRun]) -> Option<String> {
    let shares = runs.iter().filter_map(|run| run.outcome.seen.as_ref()?.others());
    let worst: Vec<f64> = shares.filter(|share| *share > DISTURBED).collect();
    (worst.len() * 4 > runs.len()).then(|| {
        format!(
            "in {} of {} other programs used more than 5 % of the processors: times are too long",
            worst.len(),
            counted(runs.len(), "run", "runs")
        )
    })
}
