//! The user's C compiler: which one, what it is asked, what is compiled by it.

mod beside;
mod probe;
mod unit;
mod words;

use std::env::{split_paths, var_os};
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

pub use beside::{HERE, beside};
pub use unit::{Unit, is_c};
pub use words::split as split_words;

use crate::failure::Failure;
use crate::names::nearest;

/// Environment variable that chooses the compiler.
pub const ENV: &str = "CLL_CC";

/// Names the compiler of the MPI that is used.
const MPICC: &str = "CLL_MPICC";

/// A compiler with the words that go before every command, such as `ccache gcc`.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiler {
    words: Vec<OsString>,
}

impl Compiler {
    /// `CLL_CC`, else `cc`, else `gcc`.
    pub fn choose() -> Result<Compiler, Failure> {
        match var_os(ENV).filter(|text| !text.is_empty()) {
            Some(text) => Compiler::parse(&text),
            None => {
                let found = ["cc", "gcc"].into_iter().find(|name| in_path(name).is_some());
                let name = found.ok_or_else(|| {
                    Failure::system("no C compiler: there is neither cc nor gcc in PATH")
                        .help("install one (Debian: apt-get install gcc), or name it by CLL_CC")
                })?;
                Ok(Compiler { words: vec![name.into()] })
            }
        }
    }

    /// The compiler of MPI programs: `CLL_CC`, else `CLL_MPICC`, else `mpicc`.
    ///
    /// # Errors
    /// If there is none.
    pub fn for_mpi() -> Result<Compiler, Failure> {
        if var_os(ENV).is_some_and(|text| !text.is_empty()) {
            return Compiler::choose();
        }
        let named = var_os(MPICC).filter(|name| !name.is_empty());
        let word = named.unwrap_or_else(|| "mpicc".into());
        let is_path = word.as_encoded_bytes().contains(&b'/');
        if !is_path && in_path(&word).is_none() {
            return Err(Failure::system(format!(
                "the program is one of MPI's, and there is no {}",
                word.display()
            ))
            .help(
                "install an MPI (on Debian libopenmpi-dev or libmpich-dev), or name its compiler: \
                 CLL_CC=/opt/mpi/bin/mpicc",
            ));
        }
        Ok(Compiler { words: vec![word] })
    }

    /// The compiler of this name.
    pub fn named(word: OsString) -> Compiler {
        Compiler { words: vec![word] }
    }

    fn parse(text: &OsStr) -> Result<Compiler, Failure> {
        let words = words::split(text)
            .map_err(|why| Failure::usage(format!("{ENV} is {}: {why}", text.display())))?;
        match words.first() {
            None => Err(Failure::usage(format!("{ENV} holds only white space"))),
            // It would call itself for ever.
            Some(first) if is_ourselves(first) && words.get(1).is_some_and(|w| w == "cc") => {
                Err(Failure::usage(format!(
                    "{ENV} is {}: it must name the compiler behind cll cc",
                    text.display()
                ))
                .help("write CC=\"cll cc\", and CLL_CC=gcc"))
            }
            Some(_) => Ok(Compiler { words }),
        }
    }

    /// A command that runs it, without arguments.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        command
    }

    /// The words and these arguments as one line that a shell would read back.
    pub fn line(&self, arguments: &[OsString]) -> String {
        let mut line = String::new();
        for word in self.words.iter().chain(arguments) {
            if !line.is_empty() {
                line.push(' ');
            }
            let _ = write!(line, "{}", words::quoted(word));
        }
        line
    }

    /// Why it could not be started.
    pub fn failure(&self, error: &io::Error) -> Failure {
        let name = Path::new(&self.words[0]).display();
        let failure = Failure::system(format!(
            "cannot run the compiler {name}: {}",
            crate::failure::reason(error)
        ));
        match error.kind() {
            io::ErrorKind::NotFound => {
                let known = ["cc", "gcc", "clang", "icx", "ccache", "distcc"];
                let here = known.into_iter().filter(|name| in_path(name).is_some());
                let near = nearest(&name.to_string(), here)
                    .map_or(String::new(), |near| format!(" ({near} is there)"));
                failure.help(format!("install it, or name another by {ENV}{near}"))
            }
            _ => failure,
        }
    }
}

/// Whether a command's word is this program.
fn is_ourselves(word: &OsStr) -> bool {
    let resolve = |path: &Path| path.canonicalize().ok();
    let named = Path::new(word);
    let path = match named.components().count() {
        1 => in_path(word),
        _ => Some(named.to_path_buf()),
    };
    let own = std::env::current_exe().ok().and_then(|path| resolve(&path));
    own.is_some() && path.and_then(|path| resolve(&path)) == own
}

/// The program of this name, as a shell would find it.
pub fn in_path(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    split_paths(&var_os("PATH")?)
        .map(|folder| folder.join(name.as_ref()))
        .find(|path| crate::files::is_executable(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_may_have_words_before_it() {
        let compiler = Compiler::parse(OsStr::new("ccache 'my gcc' -m64")).unwrap();
        assert_eq!(compiler.words, ["ccache", "my gcc", "-m64"]);
        assert_eq!(
            compiler.line(&["-c".into(), "a b.c".into(), "it's.c".into()]),
            "ccache 'my gcc' -m64 -c 'a b.c' 'it'\\''s.c'"
        );
        assert!(Compiler::parse(OsStr::new("  ")).is_err());
        assert!(Compiler::parse(OsStr::new("gcc 'x")).is_err());
    }
}
