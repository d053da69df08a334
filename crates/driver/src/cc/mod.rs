//! `cll cc`: the C compiler, for annotated C.

mod dependencies;
mod engine;
mod invocation;
mod other_bsp;
mod other_header;
mod plan;
mod preprocessed;
mod response;
mod work_folder;

use std::ffi::OsString;
use std::io::Read;
use std::process::Stdio;

use crate::Error;
use crate::compiler::{
    CompileUnit, Compiler, CompilerKind, Language, complaints, has_directives, mismatch,
    not_automatic,
};
use crate::files::{Kept, Output, is_apart};
use crate::library::Library;
use crate::{Driver, Listener, left_out};
use cll_contract::Engine;
use cll_translate::{Automatic, Model};

use engine::Loadable;
use invocation::{Input, Invocation, Product};
use plan::{Plan, Sources};

/// Compiles as the user's compiler would.
///
/// # Errors
/// If an option of `cll` is wrong, a source cannot be translated, or the compiler cannot be run. Errors of the
/// compiler are its exit code.
pub fn run(
    arguments: Vec<OsString>,
    driver: Driver,
    listener: &mut dyn Listener,
) -> Result<u8, Error> {
    let kind = driver.kind;
    let (compiler, arguments) = compiler(arguments, kind)?;
    let (shows, arguments) = has(arguments, &["-show", "--show"]);
    let (is_pub, arguments) = has(arguments, &["-pub"]);
    let (automatic, arguments) = automatic(arguments)?;
    let (engine, arguments) = engine::wanted(arguments)?;
    let mut original = response::expand(arguments);
    if driver.for_bsp {
        original = other_bsp::understood(original, kind, listener)?;
    }
    if is_pub {
        // Before the user's folders, since the user has requested it.
        let folder = Library::find()?.include.join("pub");
        original.splice(0..0, ["-I".into(), folder.into()]);
    }
    let mut invocation = Invocation::parse(original.clone());
    let for_threads = engine == Some(Engine::Threads);
    if for_threads && invocation.product != Product::Information {
        original.extend(engine::compiling());
        invocation = Invocation::parse(original.clone());
    }
    let loadable = if for_threads && links(&invocation) && !invocation.shared {
        Some(Loadable::new(&compiler, &invocation)?)
    } else {
        None
    };
    // Exported names would be those of the first copy for all.
    invocation.shared |= loadable.is_some();
    let as_it_is = || Plan::with_headers(&invocation, original.clone(), Library::find);
    let mut of_mpi = None;
    let mut plan = match invocation.product {
        Product::Information => Plan::untouched(original),
        // The untranslated source has the same dependencies, and no program is made.
        Product::Dependencies => as_it_is()?,
        _ => {
            let sources = sources(&invocation, &compiler, kind, automatic.as_ref(), listener)?;
            of_mpi = sources.of_mpi();
            if sources.stdin.is_none() && !sources.any() && !links(&invocation) {
                as_it_is()?
            } else {
                plan::plan(&invocation, sources, Library::find)?
            }
        }
    };
    if let (Some(loadable), Some(last)) = (&loadable, plan.steps.last_mut()) {
        last.arguments.extend(loadable.linking());
    }
    if shows {
        for step in &plan.steps {
            let line = format!("{}\n", compiler.line(&step.arguments));
            listener.print(line.as_bytes()).map_err(Error::Print)?;
        }
        return Ok(0);
    }
    if let Some(output) = &invocation.output {
        let sources = invocation.inputs().filter(|input| input.is_source());
        is_apart(output, &sources.map(|input| input.path.clone()).collect::<Vec<_>>())?;
    }
    plan.prepare()?;
    let code = execute_all(&compiler, &plan, listener)?;
    if code != 0
        && let Some(name) = &of_mpi
        && lacks_mpi(&compiler, &invocation)?
    {
        listener.note(&no_mpi(name, &compiler));
    }
    if links(&invocation)
        && (code != 0 || (invocation.shared && uses_library(&invocation)))
        && let Some(why) = mismatch(&compiler, &invocation.flags())
    {
        listener.note(&why);
    }
    plan.finish()?;
    Ok(code)
}

/// Says that the compiler is not one of an MPI, which the source of this name needs.
fn no_mpi(name: &str, compiler: &Compiler) -> String {
    format!(
        "{name} says `parallel MPI`, and {} finds no mpi.h: use the compiler of an MPI, by cllmpicc or CLL_CC=mpicc",
        compiler.line(&[])
    )
}

/// Carries out the steps; returns the first exit code that is not 0. As compilers do, it compiles the other files after an
/// error, and links nothing.
fn execute_all(compiler: &Compiler, plan: &Plan, listener: &mut dyn Listener) -> Result<u8, Error> {
    let mut code = 0;
    for step in &plan.steps {
        if code != 0 && step.needs_others {
            break;
        }
        let done = execute(compiler, plan, step, listener)?;
        code = if code == 0 { done } else { code };
    }
    Ok(code)
}

/// The user's compiler. After `--launch` it is the next word, since build systems put a compiler launcher before
/// the compiler.
fn compiler(
    mut arguments: Vec<OsString>,
    kind: CompilerKind,
) -> Result<(Compiler, Vec<OsString>), Error> {
    if arguments.first().is_none_or(|word| word != "--launch") {
        return Ok((Compiler::choose(kind)?, arguments));
    }
    if arguments.len() < 2 {
        return Err(Error::NoLaunched);
    }
    let rest = arguments.split_off(2);
    Ok((Compiler::named(arguments.swap_remove(1)), rest))
}

/// `--auto`, and names by `--auto-without=NAME,…`.
fn automatic(arguments: Vec<OsString>) -> Result<(Option<Automatic>, Vec<OsString>), Error> {
    let (is_wanted, arguments) = has(arguments, &["--auto"]);
    let mut without = Vec::new();
    let mut rest = Vec::new();
    for word in arguments {
        match word.to_str().and_then(|word| word.strip_prefix("--auto-without=")) {
            Some(names) => without.extend(left_out(names).map_err(|why| Error::AutoWithout {
                names: names.to_owned(),
                why: Box::new(why),
            })?),
            None => rest.push(word),
        }
    }
    let is_wanted = is_wanted || !without.is_empty();
    Ok((is_wanted.then(|| Automatic { without, ..Automatic::default() }), rest))
}

/// Whether an option of `cll` is present, and the arguments without it.
fn has(arguments: Vec<OsString>, option: &[&str]) -> (bool, Vec<OsString>) {
    let count = arguments.len();
    let is_it = |word: &OsString| option.iter().any(|option| word == option);
    let rest: Vec<_> = arguments.into_iter().filter(|word| !is_it(word)).collect();
    (rest.len() < count, rest)
}

/// Whether the compiler has no header of MPI, with these options.
fn lacks_mpi(compiler: &Compiler, invocation: &Invocation) -> Result<bool, Error> {
    let (language, folder) = (Language::C, std::path::Path::new("."));
    let question = b"#include <mpi.h>\n";
    let complaint = complaints(compiler, language, &invocation.flags(), folder, question)?;
    Ok(complaint.contains("mpi.h"))
}

fn links(invocation: &Invocation) -> bool {
    invocation.product == Product::Linked && !invocation.relocatable
}

/// Whether the linked file names the library: the linker does not require that of a shared object.
fn uses_library(invocation: &Invocation) -> bool {
    const NAME: &[u8] = b"cll_register_unit";
    let output = invocation.output.clone().unwrap_or_else(|| "a.out".into());
    std::fs::read(output).is_ok_and(|bytes| bytes.windows(NAME.len()).any(|word| word == NAME))
}

/// Reads and translates every C and C++ file among the inputs.
fn sources(
    invocation: &Invocation,
    compiler: &Compiler,
    kind: CompilerKind,
    automatic: Option<&Automatic>,
    listener: &dyn Listener,
) -> Result<Sources, Error> {
    let flags = invocation.flags();
    let mut sources = Sources::default();
    let mut failed = false;
    for input in invocation.inputs() {
        let unit = match input.translated(kind) {
            Some(language) => {
                read(input, language, compiler, &flags, automatic, &mut sources, listener)?
            }
            None => None,
        };
        if input.is_objective_c() {
            warn_other(input, listener);
        }
        if let Some(unit) = &unit {
            other_header::check(unit, compiler, &flags, listener)?;
            unit.report(listener);
            failed |= unit.translation.failed();
            // `#pragma omp` alone may be compiled serially on purpose.
            let is_said = unit.translation.has_parallel_line;
            if is_said && unit.translation.model == Model::OpenMp && !invocation.openmp {
                listener.warn(&format!(
                    "{} says `parallel OpenMP`, and -fopenmp is not among the compiler's options: \
                     its regions are timed on one thread",
                    unit.name()
                ));
            }
        }
        sources.units.push(unit.filter(|unit| unit.translation.directives_found));
    }
    if failed { Err(Error::Diagnosed) } else { Ok(sources) }
}

/// `None` if there is nothing to translate, or the file cannot be read: the compiler reports that.
fn read(
    input: &Input,
    language: Language,
    compiler: &Compiler,
    flags: &[OsString],
    automatic: Option<&Automatic>,
    sources: &mut Sources,
    listener: &dyn Listener,
) -> Result<Option<CompileUnit>, Error> {
    let text = if input.is_stdin() {
        let mut text = Vec::new();
        std::io::stdin().read_to_end(&mut text).map_err(Error::StandardInput)?;
        sources.stdin = Some(text.clone());
        text
    } else {
        match std::fs::read(&input.path) {
            Ok(text) => text,
            Err(_) => return Ok(None),
        }
    };
    // The translator knows C only: its diagnostics on C++ without `#pragma cll` are not relevant.
    if language == Language::Cxx && !has_directives(&text) {
        if automatic.is_some() {
            listener.warn(&not_automatic(&input.path.to_string_lossy()));
        }
        return Ok(None);
    }
    CompileUnit::from_text(input.path.clone(), language, text, compiler, flags, automatic).map(Some)
}

/// Objective-C is passed on; a warning says that `#pragma cll` lines have no effect in it.
fn warn_other(input: &Input, listener: &dyn Listener) {
    let Ok(text) = std::fs::read(&input.path) else { return };
    if has_directives(&text) {
        listener.warn(&format!(
            "{}: only C and C++ are translated; its `#pragma cll` lines have no effect",
            input.path.display()
        ));
    }
}

fn execute(
    compiler: &Compiler,
    plan: &Plan,
    step: &plan::CommandStep,
    listener: &mut dyn Listener,
) -> Result<u8, Error> {
    let mut command = compiler.command();
    command.args(&step.arguments);
    if plan.stdin.is_some() {
        command.stdin(Stdio::piped());
    }
    if step.preprocesses {
        command.stdout(Stdio::piped());
    }
    let mut child = command.spawn().map_err(|error| compiler.failure(error))?;
    let feeder = plan.stdin.clone().zip(child.stdin.take()).map(|(text, mut pipe)| {
        // A compiler that does not read its input closes the pipe.
        std::thread::spawn(move || std::io::Write::write_all(&mut pipe, &text).is_ok())
    });
    if let Some(mut output) = child.stdout.take() {
        let mut text = Vec::new();
        output.read_to_end(&mut text).map_err(Error::CompilerOutput)?;
        let text = plan.workplace.own_names(&text);
        match &plan.streamed {
            Some(path) => Output::of_kind(path, Kept::Source)?.write(&text)?,
            None => listener.print(&text).map_err(Error::Print)?,
        }
    }
    let status = child.wait().map_err(|error| compiler.failure(error))?;
    if let Some(feeder) = feeder {
        let _ = feeder.join();
    }
    Ok(cll_files::exit_code(status))
}
