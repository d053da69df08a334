//! The program for counting: without optimisation, so each line has its own instructions, and with the markers of one
//! source as functions, by whose calls callgrind knows where a passage begins and ends.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use cll_analysis::Messages;
use cll_driver::compiler::{CompileUnit, Compiler, CompilerKind, sibling_headers, translated_name};
use cll_driver::library::{Library, Linked};
use cll_launch::{Instrumented, Parallelism};
use cll_translate::{Header, Model};

use super::super::file::Source;
use crate::failure::{Failure, Status};
use crate::files;

/// Options whose next word is no input.
const WITH_VALUE: [&str; 9] =
    ["-o", "-I", "-D", "-U", "-L", "-include", "-isystem", "-iquote", "-Xlinker"];

/// A program, and how it runs.
pub struct Built {
    pub program: PathBuf,
    pub parallelism: Parallelism,
}

/// The words after `--` by their kind.
#[derive(Default)]
struct Words {
    sources: Vec<PathBuf>,
    /// Options of the compiler.
    options: Vec<OsString>,
    /// Objects and libraries.
    linked: Vec<OsString>,
}

impl Words {
    fn from_words(words: &[OsString]) -> Words {
        let mut sorted = Words::default();
        let mut before = "";
        for word in words {
            let text = word.to_str().unwrap_or_default();
            let is_option = text.starts_with('-') || WITH_VALUE.contains(&before);
            let path = PathBuf::from(word);
            match () {
                () if text.starts_with("-l") => sorted.linked.push(word.clone()),
                () if is_option => sorted.options.push(word.clone()),
                () if path.extension().is_some_and(|end| end == "c") => sorted.sources.push(path),
                () => sorted.linked.push(word.clone()),
            }
            before = text;
        }
        sorted
    }
}

/// Builds the program of a source and of the files and options after `--`.
///
/// # Errors
/// If it is a program of OpenMP, or does not compile.
pub fn build(
    source: &Source,
    words: &[OsString],
    place: &Path,
    messages: &dyn Messages,
) -> Result<Built, Failure> {
    let words = Words::from_words(words);
    let translator = Compiler::choose(CompilerKind::C)?;
    let mut others = Vec::new();
    for path in &words.sources {
        let unit = CompileUnit::read(path, &translator, &words.options, None)?;
        if unit.translation.failed() {
            messages.diagnose(&unit.name(), &unit.text, &unit.translation.diagnostics);
            return Err(Failure::Reported(Status::Input));
        }
        others.push(unit);
    }
    let units: Vec<&CompileUnit> = std::iter::once(&source.unit).chain(&others).collect();
    let models = units.iter().map(|unit| unit.translation.model);
    let model = models.into_iter().find(|model| *model != Model::Sequential).unwrap_or_default();
    if model == Model::OpenMp {
        return Err(Failure::usage(format!(
            "--counts: {} is an OpenMP program: callgrind does not tell its threads' passages apart",
            source.unit.name()
        )));
    }
    let compiler = match model {
        Model::Mpi => Compiler::for_mpi(CompilerKind::C)?,
        _ => translator,
    };
    let library = Library::find()?;
    let mut objects = Vec::new();
    for (number, unit) in units.iter().enumerate() {
        let folder = place.join(format!("source.{number}"));
        files::make_folder(&folder)?;
        let code = folder.join(translated_name(&unit.path));
        files::write(&code, unit.code())?;
        // Names of markers are the same in each file: only those of one are functions.
        let text = |header: &Header| if number == 0 { header.called() } else { header.timed() };
        let header = unit.translation.header.as_ref().map(text).unwrap_or_default();
        files::write(&folder.join(&unit.header), header.as_bytes())?;
        let object = folder.join("object.o");
        let mut arguments = sibling_headers(&unit.path, &folder);
        arguments.extend(words.options.iter().cloned());
        arguments.extend(library.compile_arguments());
        arguments.extend(["-g", "-O0", "-w", "-c", "-o"].map(OsString::from));
        arguments.extend([object.clone().into(), code.into()]);
        run(&compiler, &arguments, &unit.name())?;
        objects.push(OsString::from(object));
    }
    let program = place.join("counted");
    let mut arguments = words.options;
    arguments.extend(["-o".into(), program.clone().into()]);
    arguments.extend(objects.into_iter().chain(words.linked));
    arguments.push("-lm".into());
    arguments.extend(library.link_arguments(Linked::Program));
    run(&compiler, &arguments, "the program")?;
    let instrumented = Instrumented::read(&program)?;
    let parallelism = Parallelism::for_program(&program, &instrumented);
    Ok(Built { program, parallelism })
}

fn run(compiler: &Compiler, arguments: &[OsString], what: &str) -> Result<(), Failure> {
    let done = compiler.command().args(arguments).stdin(Stdio::null()).output();
    let done = done.map_err(|error| compiler.failure(error))?;
    if done.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&done.stderr);
    let first = text.lines().find(|line| line.contains("error") || line.contains("undefined"));
    Err(Failure::compile(format!(
        "--counts: {what} does not compile: {}",
        first.unwrap_or("the compiler says nothing").trim()
    ))
    .help("options, other files and libraries stand after `--`: cll upsilon propose a.c --counts -- b.c -Iinclude"))
}
