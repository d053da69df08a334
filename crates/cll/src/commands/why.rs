//! `cll why`: the array and the line, or the messages, to which a boundary is due.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cll_analysis::{model_file, read_model, select, write_model};
use cll_counters::this_machine;
use cll_diagnostic::counted;
use cll_machine::Machine;
use cll_probe::accesses::{
    Built, BuiltExperiment, ExplainedProgram, FollowedRun, Following, SourceLines, build, follow,
    wanted,
};
use cll_report::why_text;
use cll_result::{Known, ModelFile, Why, WhyRun, levels, translation_levels};
use cll_reuse::Level;

use crate::cli::WhyArgs;
use crate::failure::Failure;
use crate::files;
use crate::launch::Local;
use crate::machine::load;
use crate::terminal::{Terminal, Text};

/// Accesses beyond a level of which only the size is known, in accesses to the first one.
const TYPICAL: [f64; 3] = [3.0, 10.0, 50.0];

/// A program that was followed.
pub struct Followed {
    source: PathBuf,
    model: Option<ModelFile>,
    /// The chosen experiments.
    pub experiments: Vec<BuiltExperiment>,
    /// The accesses and messages of the program.
    pub accesses: ExplainedProgram,
    runs: Vec<FollowedRun>,
}

/// Follows the accesses and prints what they explain.
pub fn run(args: &WhyArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let machine = match &args.machine {
        Some(path) => Some(load(path, terminal)?),
        None => None,
    };
    let (source, model, built) = built(args, terminal)?;
    if args.keep && model.is_none() {
        return Err(Failure::usage("--keep needs a model that the causes are noted in")
            .help("cll model makes one; then: cll why NAME.cll --keep"));
    }
    let (name, known) = known(machine.as_ref(), &built, terminal)?;
    let pages = pages(&known);
    let followed = followed(args, (source, model, &built), &known, terminal)?;
    let source = followed.source.display().to_string();
    let mut why = Why::new(source, name, machine.is_some(), &known);
    why.runs.extend(followed.runs.iter().map(run_of));
    for experiment_model in &followed.experiments {
        let fits = followed.model.iter().flat_map(|model| &model.experiments);
        let fit = fits
            .filter(|known| known.name == experiment_model.name)
            .find_map(|known| known.fit.as_ref());
        let (experiment, explained) = followed.accesses.explained(experiment_model, &pages);
        why.add(experiment, &explained, &known, fit);
    }
    if args.json {
        terminal.json(&why)?;
    } else {
        terminal.print(why_text(&why, &terminal.style()))?;
    }
    if let Some(model) = followed.model.filter(|_| args.keep) {
        keep(model, &why, &args.program, terminal)?;
    }
    Ok(0)
}

/// Notes the causes of changes in the model.
fn keep(
    mut model: ModelFile,
    why: &Why,
    program: &Path,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    let mut count = 0;
    for experiment in &why.experiments {
        let causes = experiment.causes_of_changes();
        count += causes.len();
        let known = model.experiments.iter_mut().filter(|known| known.name == experiment.name);
        known.for_each(|known| known.causes.clone_from(&causes));
    }
    let path = model_file(&model_of(program));
    write_model(&model, files::Output::at(&path)?)?;
    let causes = counted(count, "cause", "causes");
    terminal.note(&format!("{} has {causes} of changes now: cll show names them", path.display()));
    Ok(())
}

/// Follows the accesses of a program for levels that are not known yet.
pub fn accesses(args: &WhyArgs, terminal: &Terminal) -> Result<Followed, Failure> {
    let (source, model, built) = built(args, terminal)?;
    let level = Level { name: String::new(), size: 0.0, penalty: 0.0 };
    let known = Known { levels: vec![level], ..Known::default() };
    followed(args, (source, model, &built), &known, terminal)
}

fn built(
    args: &WhyArgs,
    terminal: &Terminal,
) -> Result<(PathBuf, Option<ModelFile>, Built), Failure> {
    let (source, model) = program(&args.program, terminal)?;
    let built = build(&source, &words_of(args, &source, model.as_ref()), &|unit| {
        terminal.diagnose(
            Text { name: &unit.name(), bytes: &unit.text },
            &unit.translation.diagnostics,
        );
    })?;
    Ok((source, model, built))
}

/// Runs the program as its model did, or as it is asked for.
fn followed(
    args: &WhyArgs,
    (source, model, built): (PathBuf, Option<ModelFile>, &Built),
    known: &Known,
    terminal: &Terminal,
) -> Result<Followed, Failure> {
    let experiments =
        select(built.experiments.clone(), &args.experiment, |experiment| &experiment.name)?;
    let processes = args.processors.as_ref().map(|asked| asked.counts());
    let following = Following {
        runs: &wanted(built, model.as_ref(), &args.arguments, processes)?,
        sample: args.sample,
        budget: args.budget,
        accesses: !known.levels.is_empty() || !known.translation.is_empty(),
        pages: &pages(known),
    };
    if !args.json {
        let (name, seconds) = (source.display(), args.budget.as_secs());
        let what = match (following.accesses, &built.mpi) {
            (true, None) => "accesses",
            (true, Some(_)) => "accesses and messages",
            (false, _) => "messages",
        };
        terminal.note(&format!("following the {what} of {name}, at most {seconds} s"));
    }
    let (stream, sent, runs) = follow(built, following, &mut Local::new(terminal)?)?;
    let accesses = ExplainedProgram::new(stream, sent, SourceLines::read(built)?);
    Ok(Followed { source, model, experiments, accesses, runs })
}

fn run_of(run: &FollowedRun) -> WhyRun {
    WhyRun {
        arguments: run.wanted.text.clone(),
        processes: run.wanted.processes,
        one_line_of: run.rate,
        accesses: run.accesses,
        whole: run.is_complete,
        seconds: run.seconds,
        slower: run.slower,
    }
}

/// The sizes of pages whose translation is known.
fn pages(known: &Known) -> Vec<f64> {
    let mut pages: Vec<f64> = known.translation.iter().map(|tlb| tlb.page).collect();
    pages.dedup();
    pages
}

/// The source, and the model: of a source the one in the folder beside it.
fn program(path: &Path, terminal: &Terminal) -> Result<(PathBuf, Option<ModelFile>), Failure> {
    if is_source(path) {
        let folder = model_of(path);
        let model = read_model(&folder).ok();
        if model.is_none() {
            terminal.note(&format!(
                "there is no model in {}: no boundaries to compare with; `cll model {}` makes one",
                folder.display(),
                path.display()
            ));
        }
        return Ok((path.to_path_buf(), model));
    }
    let model = read_model(path)?;
    let sources = model.program.iter().flat_map(|program| &program.sources);
    let first = sources.map(|source| PathBuf::from(&source.file)).next().ok_or_else(|| {
        Failure::input(format!("{} does not say of which source it is", path.display()))
            .help("give the source: cll why FILE.c")
    })?;
    let source = near(&first, path).ok_or_else(|| {
        Failure::input(format!("the source of the model, {}, is not there", first.display()))
            .help("run cll why where cll model was run, or give the source: cll why FILE.c")
    })?;
    Ok((source, Some(model)))
}

/// The model of a program: of a source in the folder beside it.
fn model_of(program: &Path) -> PathBuf {
    if is_source(program) { program.with_extension("cll") } else { program.to_path_buf() }
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "c")
}

/// A source of a model: as it was named, or in the folder of the model's folder.
fn near(source: &Path, model: &Path) -> Option<PathBuf> {
    let beside = files::in_folder(files::folder(model), &files::base(source));
    [source.to_path_buf(), beside].into_iter().find(|path| path.is_file())
}

/// The words that the compiler gets: other sources of the model too.
fn words_of(args: &WhyArgs, source: &Path, model: Option<&ModelFile>) -> Vec<OsString> {
    let mut words = args.compiler.clone();
    let sources =
        model.iter().flat_map(|model| &model.program).flat_map(|program| &program.sources);
    for path in sources.filter_map(|source| near(Path::new(&source.file), &args.program)) {
        let is_known = |word: &OsString| files::base(Path::new(word)) == files::base(&path);
        if files::base(&path) != files::base(source) && !words.iter().any(is_known) {
            words.push(path.into());
        }
    }
    words
}

/// Finds the known facts about the machine, and its name. Without a machine the caches are those that the system names.
fn known(
    machine: Option<&Machine>,
    built: &Built,
    terminal: &Terminal,
) -> Result<(String, Known), Failure> {
    let mpi = built.mpi.as_ref().map(|mpi| mpi.family.name());
    let Some(machine) = machine else {
        let levels = caches(terminal)?;
        if let Some(mpi) = mpi {
            terminal.note(&format!(
                "the eager limit of {mpi} is not known: cll machine probe --mpi --out mine.toml measures it; then \
                 --machine mine.toml"
            ));
        }
        return Ok((this_machine().host, Known { levels, ..Known::default() }));
    };
    let limits = mpi.map_or_else(Vec::new, |mpi| machine.message_passing.limits(mpi, 1));
    let known = Known {
        levels: levels(&machine.memory),
        translation: translation_levels(&machine.memory),
        limits,
    };
    let what = match mpi {
        Some(mpi) if known.limits.is_empty() => {
            terminal.note(&format!(
                "{} has no eager limit of {mpi} on one host: no boundary is compared with it; `cll machine probe --mpi` \
                 measures it; in a file: [[mpi]] with eager",
                machine.name
            ));
            format!("no levels of memory, and no limits of {mpi}")
        }
        _ => "no levels of memory".to_owned(),
    };
    if known.levels.is_empty() && known.limits.is_empty() {
        Err(Failure::input(format!("{} has {what}", machine.name)).help(
            "`cll machine probe --memory --out FILE`, run on that machine, measures them; in a file: [[level]]",
        ))
    } else {
        Ok((machine.name.clone(), known))
    }
}

/// The caches that the system names.
fn caches(terminal: &Terminal) -> Result<Vec<Level>, Failure> {
    let host = this_machine();
    let caches = host.caches.iter().enumerate().map(|(k, cache)| Level {
        name: cache.name.clone(),
        size: cache.bytes.get() as f64,
        penalty: TYPICAL[k.min(TYPICAL.len() - 1)],
    });
    let levels: Vec<Level> = caches.collect();
    if levels.is_empty() {
        return Err(Failure::system("the system does not name its caches").help(
            "measure them: cll machine probe --memory --out mine.toml; then --machine mine.toml",
        ));
    }
    terminal.note(
        "the caches are those that the system names; cll machine probe --memory measures what accesses find of them",
    );
    Ok(levels)
}
