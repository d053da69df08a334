//! `cll why`: the array and the line to which a boundary is due.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cll_analysis::{read_model, select};
use cll_counters::this_machine;
use cll_driver::compiler::split_words;
use cll_machine::Machine;
use cll_probe::accesses::{Built, End, Experiment, Names, Place, build, record};
use cll_report::why_text;
use cll_result::{ModelFile, Named, Why, WhyExperiment, WhyRun, levels};
use cll_reuse::{Group, Level, Stream, populations};

use crate::cli::WhyArgs;
use crate::failure::Failure;
use crate::files;
use crate::machine::load;
use crate::terminal::{Terminal, Text};

/// Without a number: one line of so many, in the second run.
const SAMPLED: u64 = 32;
/// Different arguments of a model's runs that are used.
const RUNS: usize = 8;
/// Accesses beyond a level of which only the size is known, in accesses to the first one.
const TYPICAL: [f64; 3] = [3.0, 10.0, 50.0];

/// A program whose accesses were followed.
pub struct Followed {
    source: PathBuf,
    model: Option<ModelFile>,
    /// The chosen experiments.
    pub experiments: Vec<Experiment>,
    /// What its accesses were.
    pub stream: Stream,
    names: Names,
    /// The lines of the stream's instructions.
    places: Vec<Place>,
    runs: Vec<WhyRun>,
}

/// Follows the accesses and prints what they explain.
pub fn run(args: &WhyArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let (machine, levels) = match &args.machine {
        Some(path) => {
            let machine = load(path, terminal)?;
            let levels = levels_of(&machine)?;
            (machine.name, levels)
        }
        None => caches(terminal)?,
    };
    let followed = follow(args, terminal)?;
    let name = followed.source.display().to_string();
    let mut why = Why::new(name, machine, args.machine.is_some(), &levels);
    why.runs.clone_from(&followed.runs);
    for one in &followed.experiments {
        let fits = followed.model.iter().flat_map(|model| &model.experiments);
        let fit = fits.filter(|known| known.name == one.name).find_map(|known| known.fit.as_ref());
        let (experiment, named) = explained(one, &followed);
        why.add(experiment, &named, &levels, fit);
    }
    match args.json {
        true => terminal.json(&why)?,
        false => terminal.print(why_text(&why, &terminal.style()))?,
    }
    Ok(0)
}

/// Builds the program and follows its accesses.
pub fn follow(args: &WhyArgs, terminal: &Terminal) -> Result<Followed, Failure> {
    let (source, model) = program(&args.program, terminal)?;
    let built = build(&source, &words_of(args, &source, model.as_ref()), &|unit| {
        terminal.diagnose(
            Text { name: &unit.name(), bytes: &unit.text },
            &unit.translation.diagnostics,
        );
    })?;
    let experiments = select(built.experiments.clone(), &args.experiment, |one| &one.name)?;
    if !args.json {
        let (name, seconds) = (source.display(), args.budget.as_secs());
        terminal.note(&format!("following the accesses of {name}, at most {seconds} s"));
    }
    let (stream, runs) = streamed(args, &built, model.as_ref())?;
    let names = Names::read(&built)?;
    let places = stream.instructions.iter().map(|one| names.place(*one)).collect();
    Ok(Followed { source, model, experiments, stream, names, places, runs })
}

/// The source, and the model: of a source the one in the folder beside it.
fn program(path: &Path, terminal: &Terminal) -> Result<(PathBuf, Option<ModelFile>), Failure> {
    if path.extension().is_some_and(|end| end == "c") {
        let folder = path.with_extension("cll");
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

/// A source of a model: as it was named, or in the folder of the model's folder.
fn near(source: &Path, model: &Path) -> Option<PathBuf> {
    let beside = files::in_folder(files::folder(model), &files::base(source));
    [source.to_path_buf(), beside].into_iter().find(|path| path.is_file())
}

/// What the compiler gets: other sources of the model too.
fn words_of(args: &WhyArgs, source: &Path, model: Option<&ModelFile>) -> Vec<OsString> {
    let mut words = args.compiler.clone();
    let sources = model.iter().flat_map(|model| &model.program).flat_map(|one| &one.sources);
    for one in sources.filter_map(|one| near(Path::new(&one.file), &args.program)) {
        let is_known = |word: &OsString| files::base(Path::new(word)) == files::base(&one);
        if files::base(&one) != files::base(source) && !words.iter().any(is_known) {
            words.push(one.into());
        }
    }
    words
}

/// The caches that the system names, and the name of this machine.
fn caches(terminal: &Terminal) -> Result<(String, Vec<Level>), Failure> {
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
    Ok((host.host, levels))
}

/// The levels of a machine.
fn levels_of(machine: &Machine) -> Result<Vec<Level>, Failure> {
    let found = levels(&machine.memory);
    match found.is_empty() {
        true => Err(Failure::input(format!("{} has no levels of memory", machine.name)).help(
            "`cll machine probe --memory --out FILE`, run on that machine, measures them; in a file: [[level]]",
        )),
        false => Ok(found),
    }
}

/// Runs the program with all arguments: all lines; if the time is up, again with some lines.
fn streamed(
    args: &WhyArgs,
    built: &Built,
    model: Option<&ModelFile>,
) -> Result<(Stream, Vec<WhyRun>), Failure> {
    let mut runs: Vec<(String, Vec<OsString>)> = Vec::new();
    for text in &args.arguments {
        let words = split_words(text.as_ref())
            .map_err(|wrong| Failure::usage(format!("--arguments {text}: {wrong}")))?;
        runs.push((text.clone(), words));
    }
    if runs.is_empty() {
        for run in model.iter().flat_map(|model| &model.runs) {
            let words: Vec<OsString> = run.arguments.iter().map(OsString::from).collect();
            if runs.len() < RUNS && !runs.iter().any(|(_, known)| *known == words) {
                runs.push((run.arguments.join(" "), words));
            }
        }
    }
    if runs.is_empty() {
        runs.push((String::new(), Vec::new()));
    }
    let mut stream = Stream::default();
    let mut done = Vec::new();
    let mut follow = |text: &str, words: &[OsString], rate: u64, budget: Duration| {
        let run = record(built, words, rate, budget)?;
        stream.add(&run.accesses);
        done.push(WhyRun {
            arguments: text.to_owned(),
            one_line_of: rate,
            accesses: run.accesses.followed(),
            whole: run.end == End::Whole,
            seconds: run.took.as_secs_f64(),
        });
        Ok::<End, Failure>(run.end)
    };
    let each = args.budget / u32::try_from(runs.len()).unwrap_or(u32::MAX).max(1);
    for (text, words) in &runs {
        match args.sample {
            Some(rate) => {
                follow(text, words, rate, each)?;
            }
            None => {
                if follow(text, words, 1, each / 2)? == End::Late {
                    follow(text, words, SAMPLED, each / 2)?;
                }
            }
        }
    }
    Ok((stream, done))
}

/// The distances of an experiment, with their names.
pub fn explained(one: &Experiment, followed: &Followed) -> (WhyExperiment, Vec<Named>) {
    let Followed { stream, names, places, .. } = followed;
    let groups: Vec<&Group> =
        stream.groups.iter().filter(|group| one.places.contains(&group.place)).collect();
    let mut lines: Vec<&Place> = places.iter().collect();
    lines.sort();
    lines.dedup();
    let line = |instruction: usize| lines.binary_search(&&places[instruction]).unwrap_or(0);
    let found = populations(&groups, one.of_formula, line);
    let named = found.into_iter().map(|population| {
        let place = lines[population.line];
        Named {
            array: names.array(&stream.arrays[population.array], stream, place),
            file: place.file.clone(),
            line: place.line,
            function: place.function.clone(),
            population,
        }
    });
    let named: Vec<Named> = named.collect();
    let variables = &one.variables[..one.of_formula];
    let experiment = WhyExperiment::of(&one.name, &one.formula, variables, &groups);
    (experiment, named)
}
