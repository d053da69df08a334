//! The user's C compiler: which one it is, queries and compilations.

mod kind;
mod language;
mod probe;
mod shell_words;
mod sibling_headers;
mod target;
mod unit;
mod unread;

use std::env::var_os;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::Command;

pub use crate::files::in_path;
pub use kind::CompilerKind;
pub use language::{Language, has_directives};
pub use probe::complaints;
pub use shell_words::split as split_words;
pub use sibling_headers::{HERE, sibling_headers};
pub use target::mismatch;
pub(crate) use unit::not_automatic;
pub use unit::{CompileUnit, translated_name};

use crate::Driver;
use crate::Error;
use cll_diagnostic::{nearest, shell_word};

/// A compiler with the words that go before every command, such as `ccache gcc`.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiler {
    words: Vec<OsString>,
    /// The environment variable that selects another compiler.
    variable: &'static str,
}

impl Compiler {
    /// The one that the kind's variable names, else the first of its usual names that exists.
    pub fn choose(kind: CompilerKind) -> Result<Compiler, Error> {
        let variable = kind.variable();
        match var_os(variable).filter(|text| !text.is_empty()) {
            Some(text) => Compiler::parse(&text, variable),
            None => Ok(Compiler { words: vec![kind.usual()?.into()], variable }),
        }
    }

    /// Whether translated programs can be compiled by it.
    ///
    /// # Errors
    /// If it is one that lacks the extensions of GCC and Clang in `cll.h`.
    pub fn must_have_extensions(&self) -> Result<(), Error> {
        let lacking = ["tcc", "pcc", "chibicc"];
        let word = self.words.iter().rev().find(|word| !word.as_encoded_bytes().starts_with(b"-"));
        let name = word.map(|word| cll_files::base(Path::new(word))).unwrap_or_default();
        if !lacking.contains(&name.as_str()) {
            return Ok(());
        }
        Err(Error::NoExtensions { name, variable: self.variable })
    }

    /// The compiler of MPI programs: `CLL_CC`, else `CLL_MPICC`, else `mpicc`; of those in C++ `CLL_CXX`, else
    /// `CLL_MPICXX`, else `mpicxx`.
    ///
    /// # Errors
    /// If there is none.
    pub fn for_mpi(kind: CompilerKind) -> Result<Compiler, Error> {
        if var_os(kind.variable()).is_some_and(|text| !text.is_empty()) {
            return Compiler::choose(kind);
        }
        let compiler = Compiler::choose(kind.of_mpi());
        let is_there = |compiler: &Compiler| {
            let word = &compiler.words[0];
            word.as_encoded_bytes().contains(&b'/') || in_path(word).is_some()
        };
        compiler.ok().filter(is_there).ok_or_else(|| {
            let variable = kind.of_mpi().variable();
            let usual = if kind.is_cxx() { "mpicxx" } else { "mpicc" };
            let word = var_os(variable).filter(|name| !name.is_empty());
            Error::NoMpi { name: word.unwrap_or_else(|| usual.into()), usual, variable }
        })
    }

    /// The compiler of this name.
    pub fn named(word: OsString) -> Compiler {
        Compiler { words: vec![word], variable: CompilerKind::C.variable() }
    }

    fn parse(text: &OsStr, variable: &'static str) -> Result<Compiler, Error> {
        let words = shell_words::split(text).map_err(|why| Error::CompilerWords {
            variable,
            text: text.to_owned(),
            why: Box::new(why),
        })?;
        if words.is_empty() {
            return Err(Error::BlankCompiler(variable));
        }
        let is_own = |(index, word): (usize, &OsString)| {
            let is_driver = words.get(index + 1).is_some_and(|next| next == "cc")
                || Path::new(word).file_name().and_then(Driver::named).is_some();
            is_driver && is_ourselves(word)
        };
        // It would call itself forever.
        if words.iter().enumerate().any(is_own) {
            return Err(Error::OwnCompiler { variable, text: text.to_owned() });
        }
        Ok(Compiler { words, variable })
    }

    /// A command that runs it, without arguments.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        command
    }

    /// The words and these arguments as one line for a shell.
    pub fn line(&self, arguments: &[OsString]) -> String {
        let mut line = String::new();
        for word in self.words.iter().chain(arguments) {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&shell_word(&word.to_string_lossy()));
        }
        line
    }

    /// The failure to start it.
    pub fn failure(&self, source: io::Error) -> Error {
        let name = Path::new(&self.words[0]).display().to_string();
        let known = ["cc", "gcc", "clang", "icx", "ccache", "distcc"];
        let here = known.into_iter().filter(|name| in_path(name).is_some());
        let near = nearest(&name, here);
        Error::Compiler { name, variable: self.variable, near, source }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_may_have_words_before_it() {
        let compiler = Compiler::parse(OsStr::new("ccache 'my gcc' -m64"), "CLL_CC").unwrap();
        assert_eq!(compiler.words, ["ccache", "my gcc", "-m64"]);
        assert_eq!(
            compiler.line(&["-c".into(), "a b.c".into(), "it's.c".into()]),
            "ccache 'my gcc' -m64 -c 'a b.c' 'it'\\''s.c'"
        );
        assert!(Compiler::parse(OsStr::new("  "), "CLL_CC").is_err());
        assert!(Compiler::parse(OsStr::new("gcc 'x"), "CLL_CC").is_err());
    }
}
