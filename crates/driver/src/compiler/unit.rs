//! A source file with its translation.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cll_diagnostic::Diagnostic;
use cll_translate::{Automatic, Options, Source, Translation, translate};

use super::unread::{self, UnreadLine};
use super::{Compiler, Language, probe};
use crate::Error;
use crate::Listener;
use crate::files;

/// Regions that are not read, and of which each is told.
const MAX_UNREAD: usize = 8;

/// A source with its translation.
#[derive(Debug)]
pub struct CompileUnit {
    /// The file as the user named it.
    pub path: PathBuf,
    /// The language.
    pub language: Language,
    /// The bytes of the source.
    pub text: Vec<u8>,
    /// The translation.
    pub translation: Translation,
    /// Name of the generated header, without its folder.
    pub header: String,
    /// Whether a place that saves `P` saves a variable of the program with that name.
    pub has_own_processors: bool,
    /// Whether experiments that no pragma names were asked for. There are none in C++.
    pub is_automatic: bool,
    /// Regions that the compiler sees and the translator does not.
    pub unread: Vec<UnreadLine>,
}

/// The message on a line that has no place by the rules of C: what `cll` does not know of C++ is no fault of the source.
fn not_known_of_cxx(diagnostic: &mut Diagnostic) {
    if diagnostic.code != "T005" {
        return;
    }
    let message = &diagnostic.message;
    diagnostic.message = message
        .replace("is outside of all functions", "is in no function that cll knows")
        .replace("is inside a statement", "is in a part of C++ that cll does not know");
    diagnostic.help = vec![
        "functions inside of classes, and lambdas, are not known: move the region into a function outside of the class, \
         such as `X::f`"
            .to_owned(),
    ];
}

impl CompileUnit {
    /// Reads and translates a file. `flags` are the compiler's for this file; an `-x` among them gives the
    /// language, else the file's name does. `automatic` asks for experiments that no pragma names; not in C++.
    ///
    /// # Errors
    /// If the file cannot be read, or the compiler cannot be run. Errors in the text are diagnostics.
    pub fn read(
        path: &Path,
        compiler: &Compiler,
        flags: &[OsString],
        automatic: Option<&Automatic>,
    ) -> Result<CompileUnit, Error> {
        let text = std::fs::read(path).map_err(|error| files::Error::unreadable(path, error))?;
        let language = Language::in_options(flags).or_else(|| Language::from_path(path));
        let language = language.unwrap_or_default();
        CompileUnit::from_text(path.to_path_buf(), language, text, compiler, flags, automatic)
    }

    /// Translates a text.
    ///
    /// # Errors
    /// If the compiler is needed to find out about `P` and cannot be run.
    pub fn from_text(
        path: PathBuf,
        language: Language,
        text: Vec<u8>,
        compiler: &Compiler,
        flags: &[OsString],
        automatic: Option<&Automatic>,
    ) -> Result<CompileUnit, Error> {
        let stem = if path == Path::new("-") { "stdin".into() } else { files::stem(&path) };
        // These characters cannot be in an #include line.
        let stem = stem.replace(['"', '\\', '\n', '\r'], "_");
        let name = name(&path);
        let source = Source { name: &name, text: &text };
        let mut options =
            Options { unit: stem.clone(), compiler: compiler.line(flags), ..Options::default() };
        options.automatic = automatic.filter(|_| language == Language::C).cloned();
        let mut translation = translate(&source, &options);
        if translation.directives_found {
            compiler.must_have_extensions()?;
        }
        if language == Language::Cxx {
            translation.diagnostics.iter_mut().for_each(not_known_of_cxx);
        }
        if let Some(question) = &translation.probe {
            let folder = files::folder(&path);
            options.own = probe::ask(compiler, language, flags, folder, question)?;
            if options.own != Default::default() {
                translation = translate(&source, &options);
                if language == Language::Cxx {
                    translation.diagnostics.iter_mut().for_each(not_known_of_cxx);
                }
            }
        }
        let names_it = translation
            .experiments
            .iter()
            .any(|experiment| experiment.named.iter().any(|n| n == "P"));
        let has_own_processors = !options.own.processors.is_empty() || names_it;
        let header = generated_header(&stem);
        let mut unread = unread::unread(&path, &text, language, compiler, flags);
        // What is an operator in the text is told already, with its place.
        let operators =
            translation.diagnostics.iter().filter(|diagnostic| diagnostic.code == "T018");
        let line = |offset: usize| 1 + text[..offset].iter().filter(|&&byte| byte == b'\n').count();
        let told: Vec<usize> =
            operators.map(|diagnostic| line(diagnostic.primary.span.start)).collect();
        unread.retain(|line| !line.is_made_at(&told));
        let is_automatic = automatic.is_some();
        Ok(CompileUnit {
            path,
            language,
            text,
            translation,
            header,
            has_own_processors,
            is_automatic,
            unread,
        })
    }

    /// The source's name in messages and in `__FILE__`.
    pub fn name(&self) -> String {
        name(&self.path)
    }

    /// Prints warnings and diagnostics.
    pub fn report(&self, listener: &dyn Listener) {
        let name = self.name();
        if self.language == Language::Cxx && self.translation.directives_found {
            listener.warn(&format!(
                "{name}: the translation of C++ is untested: compare what the program prints with what it \
                 prints when compiled with -DCLL_OFF"
            ));
        }
        if self.language == Language::Cxx && self.is_automatic {
            listener.warn(&not_automatic(&name));
        }
        listener.diagnose(&name, &self.text, &self.translation.diagnostics);
        for line in self.unread.iter().take(MAX_UNREAD) {
            listener.warn(&line.warning(&name));
        }
        if let Some(more) = self.unread.len().checked_sub(MAX_UNREAD).filter(|more| *more > 0) {
            listener
                .warn(&format!("{name}: {more} more regions are not measured for these reasons"));
        }
    }

    /// The text to compile: the translated one, or the source if nothing is to be translated.
    pub fn code(&self) -> &[u8] {
        self.translation.code.as_deref().unwrap_or(&self.text)
    }
}

/// `--auto` was given for a source in C++.
pub(crate) fn not_automatic(name: &str) -> String {
    format!(
        "{name}: --auto makes experiments of functions and loops in C, not in C++: only regions between \
         `#pragma cll` lines are measured"
    )
}

/// `matrix.c` becomes `matrix.cll.c`.
pub fn translated_name(path: &Path) -> String {
    let extension = path.extension().map_or("c".into(), |extension| extension.to_string_lossy());
    format!("{}.cll.{extension}", files::stem(path))
}

/// Name of the header that belongs to a translated source.
pub fn generated_header(stem: &str) -> String {
    format!("{stem}.cll.h")
}

fn name(path: &Path) -> String {
    if path == Path::new("-") { "<stdin>".to_owned() } else { path.to_string_lossy().into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_translated_files() {
        assert_eq!(translated_name(Path::new("src/matrix.c")), "matrix.cll.c");
        assert_eq!(translated_name(Path::new("a.b.c")), "a.b.cll.c");
    }
}
