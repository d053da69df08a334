//! From the user's files to an instrumented program.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use cll_result::{Notice, SourceModel};
use cll_translate::{Automatic, Experiment, Model};

use crate::Error;
use crate::folder::Folder;
use crate::settings::Settings;
use cll_analysis::{Location, Planned};
use cll_counters::check_clause;
use cll_diagnostic::suggestion;
use cll_driver::Listener;
use cll_driver::compiler::{
    CompileUnit, Compiler, CompilerKind, Language, mismatch, sibling_headers, split_words,
    translated_name,
};
use cll_driver::library::{Library, Linked};
use cll_files::{self as files, Notices};
use cll_launch::identity::digest;
use cll_sampling::{Grid, Variation};

/// The files after translation.
pub struct Sources {
    pub(crate) units: Vec<CompileUnit>,
    pub(crate) flags: Vec<OsString>,
    pub(crate) model: Model,
}

impl Sources {
    /// The sources as in a model file.
    pub fn described(&self) -> Vec<SourceModel> {
        let described = |unit: &CompileUnit| SourceModel {
            file: unit.name(),
            crc32: format!("{:08x}", crc32fast::hash(&unit.text)),
        };
        self.units.iter().map(described).collect()
    }

    /// The compiler's options.
    pub fn flags(&self) -> &[OsString] {
        &self.flags
    }

    /// Whether it has MPI processes with OpenMP threads.
    pub fn has_ranks_with_threads(&self) -> bool {
        self.model == Model::Mpi && has_openmp(&self.flags)
    }

    /// Returns the counters that the places record besides the time, by their clauses.
    pub fn counters(&self) -> Vec<String> {
        let places = self.units.iter().flat_map(|unit| &unit.translation.places);
        places.flat_map(|place| place.counters.iter().cloned()).collect()
    }

    /// Returns the plan of the measurements, as far as sources and command line say it.
    pub fn planned(&self, variations: &[Variation], grid: &Grid) -> Planned {
        let experiments = self.units.iter().flat_map(|unit| &unit.translation.experiments);
        let vary =
            |variation: &Variation| (variation.name.clone(), variation.range.values().to_vec());
        let mut values: Vec<(String, Vec<f64>)> = variations.iter().map(vary).collect();
        let counts: Option<Vec<f64>> =
            grid.processors.iter().map(|count| count.map(f64::from)).collect();
        // A variable of the program may be called P, too.
        let is_own = self.units.iter().any(|unit| unit.has_own_processors);
        if let Some(counts) = counts.filter(|counts| !counts.is_empty() && !is_own) {
            values.push(("P".to_owned(), counts));
        }
        Planned {
            variables: experiments.map(|experiment| experiment.variables.clone()).collect(),
            values,
        }
    }

    /// The largest number of terms of a formula, and the variables of all.
    pub fn formulas(&self) -> (usize, Vec<String>) {
        let all = self.units.iter().flat_map(|unit| &unit.translation.experiments);
        // A search finds two terms beside a constant in most cases.
        let terms =
            |entry: &Experiment| entry.formula.as_ref().map_or(3, |formula| formula.constants());
        let terms = all.clone().map(terms).max().unwrap_or(0);
        let variables = all.flat_map(|experiment| experiment.variables.clone());
        (terms, variables.collect())
    }

    /// The requested values of variables that experiments save. The others are those of `--vary`, which the ranking
    /// takes.
    ///
    /// # Errors
    /// If a name is neither.
    pub fn own(&self, asked: &[Location], args: &Settings<'_>) -> Result<Vec<Location>, Error> {
        let experiments = self.units.iter().flat_map(|unit| &unit.translation.experiments);
        let own: Vec<String> =
            experiments.flat_map(|experiment| experiment.variables.clone()).collect();
        let mut known: Vec<&str> = own.iter().map(String::as_str).collect();
        known.extend(args.vary.iter().map(String::as_str));
        known.push("P");
        let given = asked.iter().flat_map(Location::values).map(|(name, _)| name);
        if let Some(name) = given.into_iter().find(|name| !known.contains(&name.as_str())) {
            let suggestion = suggestion(name, &known).to_string();
            return Err(Error::NoVariable { name: name.clone(), suggestion });
        }
        Ok(asked.iter().filter_map(|point| point.only(&own)).collect())
    }

    /// How it runs on several processors.
    pub fn model(&self) -> Model {
        self.model
    }

    /// Whether it runs on several processors.
    pub fn is_parallel(&self) -> bool {
        self.model != Model::Sequential
    }
}

/// The value of `__DATE__` and `__TIME__`. If it changed, each build would be a different program.
pub(crate) const EPOCH: &str = "SOURCE_DATE_EPOCH";

/// The sources and compiler that the program was built from.
pub struct Built {
    /// The sources.
    pub sources: Vec<SourceModel>,
    /// The program's model.
    pub model: Model,
    /// The compile command, without the files.
    pub command: String,
    /// First line of the compiler's `--version`.
    pub version: String,
    /// Every experiment with its place.
    pub experiments: Vec<String>,
    /// Whether MPI processes have OpenMP threads.
    pub has_threads: bool,
    /// The headers that its sources include, except those of the system, each with its SHA-256.
    pub headers: Vec<(String, String)>,
}

/// Reads and translates all files; also returns the compiler for them. Diagnostics are reported.
///
/// # Errors
/// If a file cannot be read or has errors, or if there is no experiment.
pub fn translate(
    args: &Settings<'_>,
    listener: &dyn Listener,
) -> Result<(Sources, Compiler), Error> {
    let automatic = args.automatic.as_ref();
    let read = |compiler: &Compiler| read_all(args, compiler, automatic);
    let language = Language::in_options(&args.flags);
    let is_cxx =
        |path: &PathBuf| language.or_else(|| Language::from_path(path)) == Some(Language::Cxx);
    let kind = if args.files.iter().any(is_cxx) { CompilerKind::Cxx } else { CompilerKind::C };
    let mut compiler = Compiler::choose(kind)?;
    let mut units = read(&compiler)?;
    if units.iter().any(|unit| unit.translation.model == Model::Mpi) {
        // Only its compiler knows what the program includes.
        compiler = Compiler::for_mpi(kind)?;
        units = read(&compiler)?;
    }
    units.iter().for_each(|unit| unit.report(listener));
    if units.iter().any(|unit| unit.translation.failed()) {
        return Err(Error::Diagnosed);
    }
    if automatic.is_none() && units.iter().all(|unit| unit.translation.experiments.is_empty()) {
        return Err(Error::NoExperiment(units.iter().map(CompileUnit::name).collect()));
    }
    Ok((sources(units, args)?, compiler))
}

/// Translates all files again with another choice of experiments.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn translated(
    args: &Settings<'_>,
    compiler: &Compiler,
    automatic: Option<&Automatic>,
) -> Result<Sources, Error> {
    sources(read_all(args, compiler, automatic)?, args)
}

fn read_all(
    args: &Settings<'_>,
    compiler: &Compiler,
    automatic: Option<&Automatic>,
) -> Result<Vec<CompileUnit>, Error> {
    let mut units: Vec<CompileUnit> = Vec::new();
    for path in &args.files {
        let automatic = automatic.map(|choice| {
            let taken = units.iter().flat_map(|unit| &unit.translation.experiments);
            let taken =
                taken.map(|experiment| experiment.name.clone()).chain(choice.taken.iter().cloned());
            Automatic { taken: taken.collect(), ..choice.clone() }
        });
        units.push(CompileUnit::read(path, compiler, &args.flags, automatic.as_ref())?);
    }
    Ok(units)
}

fn sources(units: Vec<CompileUnit>, args: &Settings<'_>) -> Result<Sources, Error> {
    for unit in &units {
        for place in &unit.translation.places {
            check_clause(&format!("{}:{}", unit.name(), place.line), &place.counters)?;
        }
    }
    let parallel =
        units.iter().map(|unit| unit.translation.model).find(|m| *m != Model::Sequential);
    let model = parallel.unwrap_or_default();
    let mut flags = Language::without(args.flags.clone());
    if model == Model::OpenMp && !has_openmp(&flags) {
        flags.push("-fopenmp".into());
    }
    Ok(Sources { units, flags, model })
}

fn has_openmp(flags: &[OsString]) -> bool {
    flags.iter().any(|flag| flag.as_encoded_bytes().starts_with(b"-fopenmp"))
}

/// The numbers of processors to run with.
///
/// # Errors
/// If a sequential program is asked to run on several, or there are more than cores.
pub fn processors(
    args: &Settings<'_>,
    sources: &Sources,
    notices: &dyn Notices,
) -> Result<Vec<Option<u32>>, Error> {
    let here = cores();
    if let Some(counts) = args.processors {
        if sources.model == Model::Sequential && counts.iter().any(|&count| count > 1) {
            return Err(Error::Sequential(counts.to_vec()));
        }
        let most = counts.iter().max().copied().unwrap_or(1);
        match oversubscribed(args, sources, most) {
            Some(failure) => return Err(failure),
            None => return Ok(counts.iter().copied().map(Some).collect()),
        }
    }
    let procs = sources.units.iter().find_map(|unit| unit.translation.procs.as_ref());
    let Some(procs) = procs else {
        // If we start the program's processors, it receives their number.
        return Ok(match sources.model {
            Model::Bsp | Model::Pub | Model::Mpi => vec![Some(here)],
            Model::Sequential | Model::OpenMp => Vec::new(),
        });
    };
    let (fitting, beyond): (Vec<u32>, Vec<u32>) =
        procs.iter().partition(|&&count| count <= here || args.is_virtual || args.oversubscribe);
    if !beyond.is_empty() {
        let beyond: Vec<String> = beyond.iter().map(u32::to_string).collect();
        notices.note(&format!(
            "`procs` also gives {}, more than the {here} processors here: left out; {}",
            beyond.join(", "),
            match sources.model {
                Model::Bsp | Model::Pub => "--engine virtual simulates a core for each",
                _ => "-n with --oversubscribe runs them anyway",
            }
        ));
    }
    Ok(if fitting.is_empty() { vec![Some(here)] } else { fitting.into_iter().map(Some).collect() })
}

/// Refuses or warns: times of processors that compete for cores are not times of that number of processors.
fn oversubscribed(args: &Settings<'_>, sources: &Sources, most: u32) -> Option<Error> {
    if most <= cores() || args.is_virtual || args.oversubscribe {
        return None;
    }
    let is_bsp = matches!(sources.model, Model::Bsp | Model::Pub);
    Some(Error::FewCores { most, cores: cores(), is_bsp })
}

/// The warning on a model with more processors than cores.
pub fn competition(args: &Settings<'_>, grid: &Grid) -> Option<Notice> {
    let most = grid.processors.iter().flatten().max().copied()?;
    (args.oversubscribe && most > cores() && !args.is_virtual).then(|| {
        Notice::new(
            "oversubscribed",
            format!(
                "up to {most} processors were measured on {} cores: above that the times are those of \
                 processors that compete, and do not apply to a machine with a core for each",
                cores()
            ),
        )
    })
}

/// The cores that programs may use here.
fn cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |count| count.get() as u32)
}

/// Compiles each file and links; the translated sources stay in the folder. What the compiler prints goes to standard
/// error.
///
/// # Errors
/// If a file cannot be written, or the program does not compile.
pub fn compile(
    args: &Settings<'_>,
    compiler: &Compiler,
    sources: &Sources,
    folder: &Folder,
) -> Result<Built, Error> {
    let library = Library::find()?;
    folder.clear_program()?;
    let objects = folder.objects()?;
    // The user's options may write dependencies, too.
    let asks = !sources.flags.iter().any(|flag| flag.as_encoded_bytes().starts_with(b"-M"));
    let mut headers: BTreeMap<String, String> = BTreeMap::new();
    let mut link: Vec<OsString> = sources.flags.clone();
    let mut written: Vec<PathBuf> = Vec::new();
    for (index, unit) in sources.units.iter().enumerate() {
        let source = if unit.translation.directives_found {
            place(unit, folder, &mut written)?
        } else {
            unit.path.clone()
        };
        let object = objects.path().join(format!("{index}.o"));
        let mut arguments = sibling_headers(&unit.path, folder.path());
        arguments.extend(library.compile_arguments());
        arguments.extend(sources.flags.iter().cloned());
        arguments.extend(["-c".into(), "-o".into(), object.clone().into()]);
        let dependencies = objects.path().join(format!("{index}.d"));
        if asks {
            arguments.extend(["-MMD".into(), "-MF".into(), dependencies.clone().into()]);
        }
        let own = source.clone();
        let operand = files::operand(&source);
        arguments.extend(["-x".into(), unit.language.option().into(), operand.into()]);
        step(compiler, &arguments, &format!("{} does not compile", unit.name()))?;
        link.push(object.into());
        let text = fs::read(&dependencies).unwrap_or_default();
        let own = [own.as_path(), folder.path(), &library.include];
        headers.extend(prerequisites(&text, &own));
    }
    link.extend(["-o".into(), folder.program().into()]);
    link.extend(args.libraries.iter().cloned());
    let is_fixed = link.iter().any(|word| word == "-static" || word == "-static-pie");
    link.extend(library.link_arguments(if is_fixed { Linked::Fixed } else { Linked::Program }));
    step(compiler, &link, "the program cannot be linked").map_err(|error| match error {
        Error::NotCompiled { what, command, .. } => {
            Error::NotCompiled { what, command, mismatch: mismatch(compiler, &sources.flags) }
        }
        error => error,
    })?;
    let described = sources.described();
    let units = &sources.units;
    let experiments = units.iter().flat_map(|unit| {
        let place = |p: &cll_translate::RegionPlace| {
            format!("{} ({}:{})", p.experiment, unit.name(), p.line)
        };
        unit.translation.places.iter().map(place)
    });
    Ok(Built {
        sources: described,
        model: sources.model,
        command: compiler.line(&sources.flags),
        version: version(compiler),
        experiments: experiments.collect(),
        has_threads: sources.has_ranks_with_threads(),
        headers: headers.into_iter().collect(),
    })
}

/// Writes a translated source and its header into the folder.
fn place(
    unit: &CompileUnit,
    folder: &Folder,
    written: &mut Vec<PathBuf>,
) -> Result<PathBuf, Error> {
    let path = folder.path().join(translated_name(&unit.path));
    if written.contains(&path) {
        return Err(Error::SameName(files::base(&unit.path)));
    }
    files::write(&path, unit.code())?;
    // __TIMESTAMP__ is that of the user's file.
    files::copy_time(&unit.path, &path);
    if let Some(header) = &unit.translation.header {
        files::write(&folder.path().join(&unit.header), header.timed().as_bytes())?;
    }
    written.push(path.clone());
    Ok(path)
}

/// The files that a make rule names after the colon, with their SHA-256, except those in or under `own`.
fn prerequisites(rule: &[u8], own: &[&Path]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(rule).replace("\\\n", " ");
    let Some((_, names)) = text.split_once(": ") else { return Vec::new() };
    // A space in a name has a backslash before it.
    let names = names.lines().next().unwrap_or_default().replace("\\ ", "\0");
    let names = names.split_whitespace().map(|name| name.replace('\0', " "));
    names
        .filter(|name| !own.iter().any(|own| Path::new(name).starts_with(own)))
        .filter_map(|name| digest(Path::new(&name)).map(|digest| (name, digest)))
        .collect()
}

/// The compiler's output is shown unchanged: it names the user's lines.
fn step(compiler: &Compiler, arguments: &[OsString], failed: &str) -> Result<(), Error> {
    let mut command = compiler.command();
    if std::env::var_os(EPOCH).is_none() {
        command.env(EPOCH, "0");
    }
    let to_stderr = std::io::stderr().as_fd().try_clone_to_owned();
    let status = command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(to_stderr.map_or_else(|_| Stdio::null(), Stdio::from))
        .stderr(Stdio::inherit())
        .status()
        .map_err(|error| compiler.failure(error))?;
    if status.success() {
        Ok(())
    } else {
        let command = compiler.line(arguments);
        Err(Error::NotCompiled { what: failed.to_owned(), command, mismatch: None })
    }
}

/// The words of options, as a shell splits them.
///
/// # Errors
/// If a quote does not end.
pub fn compiler_words(texts: &[String]) -> Result<Vec<OsString>, Error> {
    let mut all = Vec::new();
    for text in texts {
        let words = split_words(OsStr::new(text));
        all.extend(words.map_err(|source| Error::Words { text: text.clone(), source })?);
    }
    Ok(all)
}

/// First line of the compiler's `--version`.
fn version(compiler: &Compiler) -> String {
    let output = compiler.command().arg("--version").stdin(Stdio::null()).output();
    let text = output.map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_from_rules() {
        let place = tempfile::tempdir().unwrap();
        let path_of = |name: &str| place.path().join(name).display().to_string();
        for name in ["a.c", "a b.h", "c.h"] {
            fs::write(path_of(name), name).unwrap();
        }
        let rule = format!(
            "a.o: {} {} \\\n {} {}\n{}:\n",
            path_of("a.c"),
            path_of("a b.h").replace(' ', "\\ "),
            path_of("c.h"),
            path_of("gone.h"),
            path_of("c.h"),
        );
        let source = PathBuf::from(path_of("a.c"));
        let headers = prerequisites(rule.as_bytes(), &[&source]);
        let names: Vec<&String> = headers.iter().map(|(name, _)| name).collect();
        assert_eq!(names, [&path_of("a b.h"), &path_of("c.h")]);
        assert!(prerequisites(b"", &[]).is_empty());
    }
}
