//! Builds a program that sends its accesses.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::Error;
use cll_driver::compiler::{CompileUnit, Compiler, CompilerKind, has_directives, sibling_headers};
use cll_driver::library::{Library, Linked};
use cll_files as files;
use cll_launch::{Family, LinkedMpi, Mpirun};
use cll_translate::Model;
use tempfile::TempDir;

/// The largest number of places of a unit: the number of a place is that of its unit times this, plus its own.
const PLACES: usize = 4096;

/// The part in the program.
const SOURCE: &str = include_str!("../../../../probes/accesses.c");
/// The part in programs of MPI.
const MESSAGES: &str = include_str!("../../../../probes/messages.c");
/// Functions of the C library whose accesses and allocations are seen.
const WRAPPED: [&str; 9] = [
    "malloc",
    "calloc",
    "realloc",
    "aligned_alloc",
    "posix_memalign",
    "free",
    "memcpy",
    "memmove",
    "memset",
];

/// An experiment of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltExperiment {
    /// The name.
    pub name: String,
    /// The formula as text; empty if there is none in the source.
    pub formula: String,
    /// The numbers of its places in records.
    pub places: Vec<u64>,
    /// The saved variables, those of the formula first.
    pub variables: Vec<String>,
    /// The number of the formula's variables among them.
    pub of_formula: usize,
}

/// A program that sends its accesses.
#[derive(Debug)]
pub struct Built {
    /// A folder, removed with this value.
    pub folder: TempDir,
    /// The program.
    pub program: PathBuf,
    /// The socket that it connects to.
    pub socket: PathBuf,
    /// The experiments of all its sources.
    pub experiments: Vec<BuiltExperiment>,
    /// The sources as the user named them.
    pub sources: Vec<PathBuf>,
    /// The MPI, if it is an MPI program.
    pub mpi: Option<Mpi>,
    /// The same program without calls at accesses, not compiled yet.
    plain: Plain,
}

/// The MPI of a program.
#[derive(Debug)]
pub struct Mpi {
    /// Which it is.
    pub family: Family,
    /// The launcher.
    pub mpirun: Mpirun,
    /// The numbers of processes that the source names.
    pub processes: Vec<u32>,
    /// The folder for the messages of each process.
    pub messages: PathBuf,
}

/// The command that compiles the program without calls.
#[derive(Debug)]
struct Plain {
    compiler: Compiler,
    /// Each code with its options.
    units: Vec<(PathBuf, Vec<OsString>)>,
    /// Objects and what is linked, behind them.
    linked: Vec<OsString>,
}

/// The words for the compiler by what they are.
struct Words {
    sources: Vec<PathBuf>,
    flags: Vec<OsString>,
    /// Libraries and objects, which stand behind the sources.
    libraries: Vec<OsString>,
}

impl Words {
    fn sorted(file: &Path, words: &[OsString]) -> Words {
        let is_source = |word: &&OsString| {
            !word.to_string_lossy().starts_with('-') && word.to_string_lossy().ends_with(".c")
        };
        let mut sources = vec![file.to_path_buf()];
        sources.extend(words.iter().filter(is_source).map(PathBuf::from));
        let is_linked = |word: &&OsString| {
            let word = word.to_string_lossy();
            word.starts_with("-l")
                || word.starts_with("-L")
                || [".a", ".o", ".so"].iter().any(|end| word.ends_with(end))
        };
        let others: Vec<&OsString> = words.iter().filter(|word| !is_source(word)).collect();
        let (libraries, flags): (Vec<&OsString>, Vec<&OsString>) =
            others.into_iter().partition(is_linked);
        Words {
            sources,
            flags: flags.into_iter().cloned().collect(),
            libraries: libraries.into_iter().cloned().collect(),
        }
    }

    /// The sources with directives, translated; `None` for the others.
    fn translated(&self, compiler: &Compiler) -> Result<Vec<Option<CompileUnit>>, Error> {
        let mut units = Vec::new();
        for source in &self.sources {
            let bytes =
                fs::read(source).map_err(|error| files::Error::unreadable(source, error))?;
            units.push(if has_directives(&bytes) {
                Some(CompileUnit::read(source, compiler, &self.flags, None)?)
            } else {
                None
            });
        }
        Ok(units)
    }
}

/// Builds it, optimised, from a translated source and other words for the compiler: options, libraries, and other
/// sources, which are translated too.
///
/// # Errors
/// If a source is wrong (its messages are shown by `diagnosed`), if the program has threads or supersteps, has no
/// experiment, or does not compile.
pub fn build(
    file: &Path,
    words: &[OsString],
    diagnosed: &dyn Fn(&CompileUnit),
) -> Result<Built, Error> {
    let folder = files::temporary_folder()?;
    let path_of = |name: &str| folder.path().join(name);
    let words = Words::sorted(file, words);
    let mut compiler = Compiler::choose(CompilerKind::C)?;
    let mut units = words.translated(&compiler)?;
    let is_mpi = units.iter().flatten().any(|unit| unit.translation.model == Model::Mpi);
    if is_mpi {
        compiler = Compiler::for_mpi(CompilerKind::C)?;
        units = words.translated(&compiler)?;
    }
    let library = Library::find()?;
    let socket = path_of("accesses");
    let mut objects = Vec::new();
    let mut own = |name: &str, macro_name: &str, place: &Path, source: &str| {
        let text = format!("#define {macro_name} \"{}\"\n{source}", place.display());
        let (code, object) = (path_of(&format!("{name}.c")), path_of(&format!("{name}.o")));
        files::write(&code, text.as_bytes())?;
        compile(&compiler, &["-O2", "-w", "-c"], &code, &object, &[])?;
        objects.push(object);
        Ok::<(), Error>(())
    };
    own("accesses", "CLL_ACCESSES_SOCKET", &socket, SOURCE)?;
    let messages = path_of("messages");
    if is_mpi {
        files::make_folder(&messages)?;
        own("sent", "CLL_MESSAGES_FOLDER", &messages, MESSAGES)?;
    }

    let mut linked: Vec<OsString> = objects.iter().map(|object| object.clone().into()).collect();
    let mut experiments = Vec::new();
    let mut processes = Vec::new();
    let mut plain = Vec::new();
    for (number, (source, unit)) in words.sources.iter().zip(&units).enumerate() {
        let object = path_of(&format!("unit{number}.o"));
        let mut options = sibling_headers(source, folder.path());
        options.extend(library.compile_arguments());
        let code = match unit {
            None => source.clone(),
            Some(unit) => {
                diagnosed(unit);
                let code = written(unit, number, folder.path())?;
                add(&mut experiments, unit, number);
                processes.extend(unit.translation.procs.iter().flatten());
                code
            }
        };
        options.extend(words.flags.iter().cloned());
        let first = ["-O2", "-g", "-w", "-fPIE", "-fsanitize=thread", "-c"];
        compile(&compiler, &first, &code, &object, &options)?;
        objects.push(object);
        plain.push((code, options));
    }
    if experiments.is_empty() {
        return Err(Error::NoExperiment(file.to_path_buf()));
    }
    let program = path_of("program");
    // Some options are of the linker too: -fopenmp.
    let mut behind = [words.flags.clone(), words.libraries.clone()].concat();
    behind.extend(WRAPPED.map(|name| format!("-Wl,--wrap={name}").into()));
    behind.extend(library.link_arguments(Linked::Program));
    behind.push("-lm".into());
    let mut command = compiler.command();
    command.arg("-pie").args(&objects).args(&behind).arg("-o").arg(&program);
    finished(&compiler, command)?;
    let mpi = if is_mpi { Some(mpi(&program, processes, messages)?) } else { None };
    linked.extend(behind);
    let plain = Plain { compiler, units: plain, linked };
    Ok(Built { program, socket, experiments, sources: words.sources, folder, mpi, plain })
}

/// Writes the code and the header of a unit; returns the place of the code.
fn written(unit: &CompileUnit, number: usize, folder: &Path) -> Result<PathBuf, Error> {
    let translation = &unit.translation;
    if translation.failed() {
        return Err(Error::Diagnosed);
    }
    if !matches!(translation.model, Model::Sequential | Model::Mpi) {
        return Err(Error::Model {
            source_name: unit.name().to_string(),
            model: translation.model.name(),
        });
    }
    let code = folder.join(format!("unit{number}.cll.c"));
    files::write(&code, unit.code())?;
    let place = |place: usize| number * PLACES + place.min(PLACES - 1);
    let header = translation.header.as_ref().map(|header| header.reported(place));
    files::write(&folder.join(&unit.header), header.unwrap_or_default().as_bytes())?;
    Ok(code)
}

fn mpi(program: &Path, processes: Vec<u32>, messages: PathBuf) -> Result<Mpi, Error> {
    let linked = LinkedMpi::read(program)?.ok_or(Error::NotLinked)?;
    let mpirun = Mpirun::for_family(program, linked.family)?;
    Ok(Mpi { family: linked.family, mpirun, processes, messages })
}

impl Built {
    /// Compiles the program without calls at accesses.
    ///
    /// # Errors
    /// If it does not compile.
    pub fn plain(&self) -> Result<PathBuf, Error> {
        let Plain { compiler, units, linked } = &self.plain;
        let program = self.folder.path().join("plain");
        let mut objects = Vec::new();
        for (number, (code, options)) in units.iter().enumerate() {
            let object = self.folder.path().join(format!("plain{number}.o"));
            compile(compiler, &["-O2", "-w", "-c"], code, &object, options)?;
            objects.push(object);
        }
        let mut command = compiler.command();
        command.args(&objects).args(linked).arg("-o").arg(&program);
        finished(compiler, command)?;
        Ok(program)
    }
}

fn add(experiments: &mut Vec<BuiltExperiment>, unit: &CompileUnit, number: usize) {
    let translation = &unit.translation;
    for experiment in &translation.experiments {
        let places: Vec<u64> =
            experiment.places.iter().map(|index| (number * PLACES + index) as u64).collect();
        let formula = experiment.formula.as_ref();
        match experiments.iter_mut().find(|known| known.name == experiment.name) {
            Some(known) => known.places.extend(places),
            None => experiments.push(BuiltExperiment {
                name: experiment.name.clone(),
                formula: formula.map_or(String::new(), |formula| formula.shape().text().to_owned()),
                places,
                of_formula: formula
                    .map_or(experiment.variables.len(), |formula| formula.variables().len()),
                variables: experiment.variables.clone(),
            }),
        }
    }
}

fn compile(
    compiler: &Compiler,
    first: &[&str],
    source: &Path,
    object: &Path,
    options: &[OsString],
) -> Result<(), Error> {
    let mut command = compiler.command();
    command.args(first).args(options).arg(source).arg("-o").arg(object);
    finished(compiler, command)
}

fn finished(compiler: &Compiler, mut command: std::process::Command) -> Result<(), Error> {
    let done = command.stdin(Stdio::null()).output().map_err(|error| compiler.failure(error))?;
    if done.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&done.stderr);
    let first = text.lines().find(|line| line.contains("error") || line.contains("undefined"));
    let first = first.unwrap_or("the compiler says nothing").trim();
    Err(Error::NotCompiled(first.to_owned()))
}
