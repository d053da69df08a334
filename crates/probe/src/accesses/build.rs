//! Builds a program that sends its accesses.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use cll_driver::compiler::{Compiler, CompilerKind, Unit, has_directives, sibling_headers};
use cll_driver::library::{Library, Linked};
use cll_files as files;
use cll_files::Failure;
use cll_translate::Model;
use tempfile::TempDir;

use super::header::{PLACES, reporting};

/// The part in the program.
const SOURCE: &str = include_str!("../../../../probes/accesses.c");
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
pub struct Experiment {
    /// Its name.
    pub name: String,
    /// Its formula as text; empty if it has none in the source.
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
    pub experiments: Vec<Experiment>,
    /// The sources as the user named them.
    pub sources: Vec<PathBuf>,
}

/// Builds it, optimised, from a translated source and other words for the compiler: options, libraries, and other
/// sources, which are translated too.
///
/// # Errors
/// If a source is wrong (its messages are shown by `diagnosed`), if the program is parallel, has no experiment, or does
/// not compile.
pub fn build(file: &Path, words: &[OsString], diagnosed: &dyn Fn(&Unit)) -> Result<Built, Failure> {
    let folder = files::temporary_folder()?;
    let at = |name: &str| folder.path().join(name);
    let is_source = |word: &&OsString| {
        !word.to_string_lossy().starts_with('-') && word.to_string_lossy().ends_with(".c")
    };
    let mut sources = vec![file.to_path_buf()];
    sources.extend(words.iter().filter(is_source).map(PathBuf::from));
    let others: Vec<&OsString> = words.iter().filter(|word| !is_source(word)).collect();
    // Libraries and objects stand behind the sources.
    let is_linked = |word: &OsString| {
        let word = word.to_string_lossy();
        word.starts_with("-l")
            || word.starts_with("-L")
            || [".a", ".o", ".so"].iter().any(|end| word.ends_with(end))
    };
    let flags: Vec<OsString> =
        others.iter().filter(|word| !is_linked(word)).map(|word| (*word).clone()).collect();
    let libraries: Vec<OsString> =
        others.iter().filter(|word| is_linked(word)).map(|word| (*word).clone()).collect();
    let compiler = Compiler::choose(CompilerKind::C)?;
    let library = Library::find()?;
    let socket = at("accesses");
    let text = format!("#define CLL_ACCESSES_SOCKET \"{}\"\n{SOURCE}", socket.display());
    files::write(&at("accesses.c"), text.as_bytes())?;
    compile(&compiler, &["-O2", "-w", "-c"], &at("accesses.c"), &at("accesses.o"), &[])?;

    let mut experiments = Vec::new();
    let mut objects = vec![at("accesses.o")];
    for (number, source) in sources.iter().enumerate() {
        let object = at(&format!("unit{number}.o"));
        let bytes = fs::read(source).map_err(|error| files::failure::unreadable(source, &error))?;
        let mut options = sibling_headers(source, folder.path());
        options.extend(library.compile_arguments());
        let code = match has_directives(&bytes) {
            false => source.clone(),
            true => {
                let unit = Unit::read(source, &compiler, &flags, None)?;
                diagnosed(&unit);
                let translation = &unit.translation;
                if translation.failed() {
                    return Err(Failure::Reported(files::Status::Input));
                }
                if translation.model != Model::Sequential {
                    return Err(Failure::usage(format!(
                        "{} uses {}; cll why follows accesses in sequential programs",
                        unit.name(),
                        translation.model.name()
                    ))
                    .help(
                        "`cll obsp` and `cll profile` say where a parallel program spends its time",
                    ));
                }
                let code = at(&format!("unit{number}.cll.c"));
                files::write(&code, unit.code())?;
                let header = translation.header.as_deref().unwrap_or_default();
                files::write(&at(&unit.header), reporting(header, number).as_bytes())?;
                add(&mut experiments, &unit, number);
                code
            }
        };
        options.extend(flags.iter().cloned());
        let first = ["-O2", "-g", "-w", "-fPIE", "-fsanitize=thread", "-c"];
        compile(&compiler, &first, &code, &object, &options)?;
        objects.push(object);
    }
    if experiments.is_empty() {
        return Err(Failure::input(format!("{} has no experiment", file.display()))
            .help("a region is marked so: #pragma cll f f[0] + f[1]*N … #pragma cll end f"));
    }
    let program = at("program");
    let mut command = compiler.command();
    command.arg("-pie").args(&objects).args(&libraries);
    command.args(WRAPPED.map(|name| format!("-Wl,--wrap={name}")));
    command.args(library.link_arguments(Linked::Program)).arg("-lm").arg("-o").arg(&program);
    finished(&compiler, command)?;
    Ok(Built { program, socket, experiments, sources, folder })
}

fn add(experiments: &mut Vec<Experiment>, unit: &Unit, number: usize) {
    let translation = &unit.translation;
    for one in &translation.experiments {
        let places: Vec<u64> =
            one.places.iter().map(|index| (number * PLACES + index) as u64).collect();
        let formula = one.formula.as_ref();
        match experiments.iter_mut().find(|known| known.name == one.name) {
            Some(known) => known.places.extend(places),
            None => experiments.push(Experiment {
                name: one.name.clone(),
                formula: formula.map_or(String::new(), |formula| formula.text().to_owned()),
                places,
                of_formula: formula.map_or(one.variables.len(), |found| found.variables().len()),
                variables: one.variables.clone(),
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
) -> Result<(), Failure> {
    let mut command = compiler.command();
    command.args(first).args(options).arg(source).arg("-o").arg(object);
    finished(compiler, command)
}

fn finished(compiler: &Compiler, mut command: std::process::Command) -> Result<(), Failure> {
    let done = command.stdin(Stdio::null()).output().map_err(|error| compiler.failure(&error))?;
    if done.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&done.stderr);
    let first = text.lines().find(|line| line.contains("error") || line.contains("undefined"));
    Err(Failure::compile(format!(
        "the program does not compile: {}",
        first.unwrap_or("the compiler says nothing").trim()
    ))
    .help("options, other files and libraries stand after `--`: cll why a.c -- b.c -Iinclude"))
}
