//! The wrapper around a program's MPI calls, and the program that starts others with it. The compiler of the
//! program's MPI compiles both when they are needed for the first time.

use std::env::var_os;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use cll_mpicc::{Derived, NoMpi, Output, Recipe, find};
use cll_trace::layout::call;

use crate::failure::Failure;
use crate::library::Library;

use crate::launch::{Family, LinkedMpi};

use super::entries::entries;

/// The variable that names the compiler.
const VARIABLE: &str = cll_contract::MPICC.name();
/// The library that is preloaded.
const PRELOAD: &str = "LD_PRELOAD";
/// The source of the starting program.
const START: &str = "start.c";

macro_rules! source {
    ($name:literal) => {
        ($name, include_bytes!(concat!("../../../runtime/src/mpi/wrapper/", $name)))
    };
}

/// The wrapper's C, without the header that is generated from the trace's table of calls.
const SOURCES: [(&str, &[u8]); 12] = [
    source!("wrapper.h"),
    source!("handles.h"),
    source!("cores.c"),
    source!("life.c"),
    source!("messages.c"),
    source!("requests.c"),
    source!("collectives.c"),
    source!("windows.c"),
    source!("files.c"),
    source!("communicators.c"),
    source!("turns.c"),
    source!("start.c"),
];

/// Entries for calls that are only counted: what is preprocessed for them, the file, and what it depends on besides.
const HEADER: (&str, &[u8]) = ("mpi_header.c", b"#include <mpi.h>\n");
const ENTRIES: &str = "entries.c";
const GENERATOR: &[u8] = concat!(
    include_str!("entries.rs"),
    include_str!("../../../trace/src/layout/call/unrecorded.rs")
)
.as_bytes();

/// The compiled files for an MPI.
struct Compiled {
    /// The wrapper, a shared object.
    wrapper: PathBuf,
    /// The program that starts another one with the wrapper preloaded.
    start: PathBuf,
}

/// The command before a program whose calls are logged. It sets the loader's variable for that program only, with
/// the list of preloaded libraries. Launchers are MPI programs, too, and must not load it.
///
/// # Errors
/// If the MPI's compiler is missing or fails, or a path cannot be written in the loader's variable.
pub fn words(linked: &LinkedMpi) -> Result<Vec<OsString>, Failure> {
    words_for(linked, None)
}

/// The same for a program that this launcher starts: the compiler beside the launcher is that of its MPI.
///
/// # Errors
/// As [`words`].
pub fn words_for(linked: &LinkedMpi, launcher: Option<&OsStr>) -> Result<Vec<OsString>, Failure> {
    let beside = launcher.and_then(find).and_then(|path| Some(path.parent()?.to_owned()));
    let compiled = compiled(linked.family, beside.as_deref())?;
    Ok(vec![compiled.start.clone().into_os_string(), preload(&compiled)?])
}

/// The preloaded libraries: libcll and the wrapper.
fn preload(compiled: &Compiled) -> Result<OsString, Failure> {
    let wrapper = &compiled.wrapper;
    let shared = Library::find()?.shared()?;
    let mut words = OsString::new();
    for path in [&shared, wrapper] {
        // The loader separates names by both characters, and has no escape for them.
        if path.as_os_str().as_encoded_bytes().iter().any(|byte| b" :".contains(byte)) {
            return Err(Failure::system(format!(
                "{} has a space or a colon in its name, so it cannot be preloaded",
                path.display()
            ))
            .help("set XDG_CACHE_HOME to another folder for compiled and unpacked files"));
        }
        words.push(path);
        words.push(":");
    }
    words.push(var_os(PRELOAD).unwrap_or_default());
    let words = words.into_vec();
    let end = words.iter().rposition(|byte| *byte != b':').map_or(0, |last| last + 1);
    Ok(OsString::from_vec(words[..end].to_vec()))
}

/// The wrapper for an MPI, and the program that starts others with it.
fn compiled(family: Family, beside: Option<&Path>) -> Result<Compiled, Failure> {
    let codes = call::c_header();
    let sources: Vec<(&str, &[u8])> =
        SOURCES.into_iter().chain([("codes.h", codes.as_bytes()), HEADER]).collect();
    let files =
        SOURCES.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".c") && *name != START);
    let mut arguments = vec!["-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-pthread"];
    arguments.extend(files);
    arguments.push(ENTRIES);
    arguments.push("-ldl");
    let recipe = Recipe {
        sources: &sources,
        derived: &[Derived { name: ENTRIES, from: HEADER.0, by: entries, version: GENERATOR }],
        outputs: &[
            Output { name: "wrapper.so", arguments: &arguments },
            // It makes no MPI call, and loading the MPI library takes milliseconds.
            Output { name: "start", arguments: &["-O2", "-Wl,--as-needed", START] },
        ],
    };
    let try_compiler = |compiler: PathBuf| {
        let product = recipe.made_by(&compiler).map_err(failure)?;
        let is_its = product.family == family.name();
        let mut files = product.files.into_iter();
        let files = files.next().zip(files.next());
        let compiled = files.map(|(wrapper, start)| Compiled { wrapper, start });
        Ok::<_, Failure>((compiled.filter(|_| is_its), product.compiler, product.family))
    };
    let refused = |compiler: PathBuf, of: &str| {
        Failure::usage(format!(
            "the program is linked with {}, but {} is the compiler of {of}",
            family.name(),
            compiler.display()
        ))
        .help(format!("{VARIABLE} names the compiler of the MPI that the program is linked with"))
    };
    if let Some(named) = var_os(VARIABLE).filter(|name| !name.is_empty()) {
        let compiler = find(&named).ok_or_else(|| {
            Failure::usage(format!("{VARIABLE}={}: there is no such program", named.display()))
        })?;
        return match try_compiler(compiler)? {
            (Some(compiled), _, _) => Ok(compiled),
            (None, compiler, family_name) => Err(refused(compiler, &family_name)),
        };
    }
    let mut other = None;
    let names = family.programs("mpicc");
    let beside = names.iter().filter_map(|name| find(beside?.join(name).as_os_str()));
    for compiler in beside.chain(names.iter().filter_map(|name| find(OsStr::new(name)))) {
        match try_compiler(compiler)? {
            (Some(compiled), _, _) => return Ok(compiled),
            (None, compiler, family_name) => other = Some((compiler, family_name)),
        }
    }
    Err(match other {
        Some((compiler, family_name)) => refused(compiler, &family_name),
        None => Failure::system(format!(
            "the program is linked with {}, whose compiler is missing: MPI calls are logged by a wrapper \
             that the MPI's own mpicc compiles",
            family.name()
        ))
        .help(format!(
            "install it (on Debian libopenmpi-dev or libmpich-dev), or name it: \
             {VARIABLE}=/opt/mpi/bin/mpicc"
        )),
    })
}

fn failure(none: NoMpi) -> Failure {
    Failure::system(none.what).help(none.help)
}
