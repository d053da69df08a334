//! The error of this crate.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use cll_files::{Advice, reason};

/// Why nothing can be compiled.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder.
    #[error(transparent)]
    Files(#[from] cll_files::Error),
    /// A source cannot be translated: the listener has the diagnostics.
    #[error("a source cannot be translated")]
    Diagnosed,
    /// The output of the compiler cannot be handed on.
    #[error("cannot write the output: {}", reason(.0))]
    Print(io::Error),
    /// Standard input cannot be read.
    #[error("cannot read standard input: {0}")]
    StandardInput(io::Error),
    /// The output of the compiler cannot be read.
    #[error("cannot read from the compiler: {0}")]
    CompilerOutput(io::Error),
    /// The compiler cannot be run.
    #[error("cannot run the compiler {name}: {}", reason(.source))]
    Compiler {
        /// Name of the compiler.
        name: String,
        /// The variable that names another one.
        variable: &'static str,
        /// A similar name that exists.
        near: Option<&'static str>,
        /// The system's error.
        source: io::Error,
    },
    /// There is no compiler.
    #[error("{missing} in PATH")]
    NoCompiler {
        /// As a message has it: `no C compiler: there is neither cc nor gcc`.
        missing: &'static str,
        /// The package of Debian that has one.
        package: &'static str,
        /// The variable that names one.
        variable: &'static str,
    },
    /// There is no compiler of an MPI.
    #[error("the program needs MPI, and there is no {}", .name.display())]
    NoMpi {
        /// Name of the compiler.
        name: OsString,
        /// The usual name.
        usual: &'static str,
        /// The variable that names one.
        variable: &'static str,
    },
    /// The compiler lacks extensions of C.
    #[error(
        "{name} does not know the extensions of C by which regions are measured, such as code that runs when a block is left"
    )]
    NoExtensions {
        /// Name of the compiler.
        name: String,
        /// The variable that names another one.
        variable: &'static str,
    },
    /// The words of a variable that names the compiler cannot be told apart.
    #[error("{variable} is {}: {why}", .text.display())]
    CompilerWords {
        /// The variable.
        variable: &'static str,
        /// Its text.
        text: OsString,
        /// The error in it.
        why: Box<Error>,
    },
    /// A variable that names the compiler is blank.
    #[error("{0} holds only white space")]
    BlankCompiler(&'static str),
    /// A variable that names the compiler names this program.
    #[error("{variable} is {}: it must name the compiler that cll cc calls", .text.display())]
    OwnCompiler {
        /// The variable.
        variable: &'static str,
        /// Its text.
        text: OsString,
    },
    /// `--launch` has no compiler.
    #[error("--launch is not followed by a compiler")]
    NoLaunched,
    /// The names of `--auto-without` are wrong.
    #[error("--auto-without={names}: {why}")]
    AutoWithout {
        /// The names.
        names: String,
        /// The error in them.
        why: Box<Error>,
    },
    /// A file of names cannot be read.
    #[error("{path}: {source}")]
    Names {
        /// The file.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// There is no name.
    #[error("a name of an experiment is missing")]
    NoName,
    /// A text of words ends in a backslash.
    #[error("it ends in a backslash")]
    Backslash,
    /// A quote in a text of words is not closed.
    #[error("the quote {0} is not closed")]
    OpenQuote(char),
    /// The words of an option of another BSPlib's driver cannot be told apart.
    #[error("{} {}: {why}", .option.display(), .value.display())]
    OptionWords {
        /// The option.
        option: OsString,
        /// Its value.
        value: OsString,
        /// The error in it.
        why: Box<Error>,
    },
    /// There is no such engine.
    #[error("--engine {}: there is no such engine", .0.display())]
    NoEngine(OsString),
    /// The engine `threads` loads the program again, and it is static.
    #[error("--engine threads: a static program cannot be loaded again")]
    StaticThreads,
    /// The compiler does not report what the engine `threads` needs.
    #[error("--engine threads: the compiler does not report {0}")]
    NotReported(&'static str),
    /// The compiler does not compile an object that the engine `threads` needs.
    #[error(
        "--engine threads: the compiler does not compile the object for each processor:\n{messages}"
    )]
    OwnObject {
        /// Its messages.
        messages: String,
    },
    /// There can be no folder for objects.
    #[error("cannot make a temporary folder: {0}")]
    NoFolder(#[source] io::Error),
    /// There can be no folder for translated sources.
    #[error("cannot make the folder {}: {}", .path.display(), reason(.source))]
    NoWorkFolder {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// There can be no folder for caches.
    #[error("cannot make the folder {}: {}", .path.display(), reason(.source))]
    NoCache {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The folder for caches belongs to another user.
    #[error("{} belongs to another user: set HOME or XDG_CACHE_HOME", .0.display())]
    OthersCache(PathBuf),
    /// `CLL_HOME` is no installation.
    #[error(
        "CLL_HOME is {}, which has neither lib/libcll.a with include/cll.h nor both files in one folder",
        .0.display()
    )]
    NoInstallation(PathBuf),
    /// The library cannot be built.
    #[error("cannot build libcll in {}: {why}", .folder.display())]
    LibraryNotBuilt {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        why: String,
    },
    /// The library was removed after it was unpacked.
    #[error("the unpacked library was removed")]
    LibraryRemoved,
}

impl Advice for Error {
    fn help(&self) -> Vec<String> {
        let sentence = match self {
            Error::Files(error) => return error.help(),
            Error::Compiler { source, .. } if source.kind() != io::ErrorKind::NotFound => {
                return Vec::new();
            }
            Error::Compiler { variable, near, .. } => {
                let near = near.map_or(String::new(), |near| format!(" ({near} exists)"));
                return vec![format!("install it, or name another one by {variable}{near}")];
            }
            Error::NoCompiler { package, variable, .. } => {
                return vec![format!(
                    "install one (Debian: apt-get install {package}), or name it by {variable}"
                )];
            }
            Error::NoMpi { usual, variable, .. } => {
                return vec![format!(
                    "install an MPI (on Debian libopenmpi-dev or libmpich-dev), or name its compiler: \
                     {variable}=/opt/mpi/bin/{usual}"
                )];
            }
            Error::NoExtensions { variable, .. } => {
                return vec![format!("use gcc or clang: {variable}=gcc")];
            }
            Error::OwnCompiler { variable, .. } => {
                return vec![format!("write CC=\"cll cc\" or CC=cllcc, and {variable}=gcc")];
            }
            Error::NoEngine(_) => "use processes, threads or mpi",
            Error::StaticThreads => "do not use -static",
            Error::NotReported(_) | Error::OwnObject { .. } => {
                "gcc and clang do; CLL_CC chooses the compiler"
            }
            Error::NoWorkFolder { .. } => "set TMPDIR to another folder for temporary files",
            Error::NoCache { .. } => {
                "set XDG_CACHE_HOME to another folder for caches, or CLL_HOME to an installation"
            }
            Error::NoInstallation(_) => {
                "unset it, or make an installation there: cll install --prefix DIR"
            }
            Error::LibraryNotBuilt { .. } => {
                "this is a development build, which uses the library in its target folder: build with --release, or set \
                 CLL_HOME to an installation"
            }
            Error::Diagnosed
            | Error::Print(_)
            | Error::StandardInput(_)
            | Error::CompilerOutput(_)
            | Error::CompilerWords { .. }
            | Error::BlankCompiler(_)
            | Error::NoLaunched
            | Error::AutoWithout { .. }
            | Error::Names { .. }
            | Error::NoName
            | Error::Backslash
            | Error::OpenQuote(_)
            | Error::OptionWords { .. }
            | Error::NoFolder(_)
            | Error::OthersCache(_)
            | Error::LibraryRemoved => return Vec::new(),
        };
        vec![sentence.to_owned()]
    }
}
