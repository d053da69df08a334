//! The wrapper: compiled by the compiler of the program's MPI when it is needed for the first time.

use std::env::var_os;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use cll_mpicc::{NoMpi, Output, Recipe, find};
use cll_trace::layout::call;

use crate::failure::Failure;
use crate::library::Library;

use super::linked::{Family, Linked};

/// Names the compiler.
const VARIABLE: &str = "CLL_MPICC";
/// What is loaded before a program's libraries.
const PRELOAD: &str = "LD_PRELOAD";

macro_rules! source {
    ($name:literal) => {
        ($name, include_bytes!(concat!("../../../runtime/src/mpi/wrapper/", $name)))
    };
}

/// The wrapper's C, without the header that is made of the trace's table of calls.
const SOURCES: [(&str, &[u8]); 9] = [
    source!("wrapper.h"),
    source!("handles.h"),
    source!("life.c"),
    source!("messages.c"),
    source!("requests.c"),
    source!("collectives.c"),
    source!("windows.c"),
    source!("files.c"),
    source!("communicators.c"),
];

/// What is loaded before the program: libcll and the wrapper.
pub fn preload(linked: &Linked) -> Result<OsString, Failure> {
    let wrapper = compiled(linked.family)?;
    let shared = Library::find()?.shared()?;
    let mut words = OsString::new();
    for path in [&shared, &wrapper] {
        // The loader separates names by both, and has no way to write them.
        if path.as_os_str().as_encoded_bytes().iter().any(|byte| b" :".contains(byte)) {
            return Err(Failure::system(format!(
                "{} has a space or a colon in its name, so it cannot be loaded before a program",
                path.display()
            ))
            .help("XDG_CACHE_HOME names another folder for what is compiled and unpacked"));
        }
        words.push(path);
        words.push(":");
    }
    words.push(var_os(PRELOAD).unwrap_or_default());
    let mut preload = OsString::from(format!("{PRELOAD}="));
    preload.push(words.to_string_lossy().trim_end_matches(':'));
    Ok(preload)
}

/// The wrapper for an MPI.
fn compiled(family: Family) -> Result<PathBuf, Failure> {
    let codes = call::c_header();
    let sources: Vec<(&str, &[u8])> =
        SOURCES.into_iter().chain([("codes.h", codes.as_bytes())]).collect();
    let files = SOURCES.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".c"));
    let mut arguments = vec!["-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-pthread"];
    arguments.extend(files);
    arguments.push("-ldl");
    let recipe = Recipe {
        sources: &sources,
        outputs: &[Output { name: "wrapper.so", arguments: &arguments }],
    };
    let made = |compiler: PathBuf| {
        let made = recipe.made_by(&compiler).map_err(failure)?;
        let is_its = made.family == family.name();
        let file = made.files.into_iter().next();
        Ok::<_, Failure>((file.filter(|_| is_its), made.compiler, made.family))
    };
    let refused = |compiler: PathBuf, of: &str| {
        Failure::usage(format!(
            "the program is linked with {}, but {} is {of}'s",
            family.name(),
            compiler.display()
        ))
        .help(format!("{VARIABLE} names the compiler of the MPI that the program is linked with"))
    };
    if let Some(named) = var_os(VARIABLE).filter(|name| !name.is_empty()) {
        let compiler = find(&named).ok_or_else(|| {
            Failure::usage(format!("{VARIABLE}={}: there is no such program", named.display()))
        })?;
        return match made(compiler)? {
            (Some(file), _, _) => Ok(file),
            (None, compiler, of) => Err(refused(compiler, &of)),
        };
    }
    let mut other = None;
    for compiler in family.programs("mpicc").iter().filter_map(|name| find(OsStr::new(name))) {
        match made(compiler)? {
            (Some(file), _, _) => return Ok(file),
            (None, compiler, of) => other = Some((compiler, of)),
        }
    }
    Err(match other {
        Some((compiler, of)) => refused(compiler, &of),
        None => Failure::system(format!(
            "the program is linked with {}, whose compiler is not there: the calls of an MPI are logged by \
             what its own mpicc compiles",
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
