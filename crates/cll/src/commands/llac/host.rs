//! Files and commands for a session.

use std::env::current_exe;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cll_llac::value::Value;
use cll_llac::{Host, Opened, Refusal, Regions, TableOptions};
use cll_result::ModelFile;

use super::open::open;
use super::planned::plan;
use super::sets::upsilon;
use crate::commands::page;
use crate::failure::Failure;
use crate::files::{self, Output};
use crate::terminal::ColorChoice;

/// This program, as a session sees it.
#[derive(Clone, Debug)]
pub struct SessionHost {
    /// The user's choice of colour, which holds for commands of the session, too.
    color: ColorChoice,
    /// The files that the session has opened: no output replaces them.
    opened: Arc<Mutex<Vec<PathBuf>>>,
}

impl SessionHost {
    /// For a new session.
    pub fn new(color: ColorChoice) -> SessionHost {
        SessionHost { color, opened: Arc::default() }
    }

    fn opened(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for SessionHost {
    fn open(&self, files: &[String], options: &TableOptions) -> Result<Opened, Refusal> {
        let opened = open(files, options)?;
        self.opened().extend(files.iter().map(PathBuf::from));
        Ok(opened)
    }

    fn plan(
        &self,
        model: &ModelFile,
        points: &[Vec<(String, f64)>],
        options: &[(String, String)],
    ) -> Result<Value, Refusal> {
        plan(model, points, options).map_err(refusal)
    }

    fn upsilon(&self, asked: &Regions) -> Result<Opened, Refusal> {
        upsilon(asked)
    }

    fn page(&self, model: &ModelFile, beside: &[String]) -> Result<String, Refusal> {
        let folder = beside.first().map_or(Path::new("."), |file| files::folder(Path::new(file)));
        page::of_model(model, folder).map_err(refusal)
    }

    fn read(&self, file: &Path) -> Result<String, Refusal> {
        read(file).map_err(refusal)
    }

    fn write(&self, file: &Path, content: &[u8]) -> Result<(), Refusal> {
        let output = Output::apart_from(file, &self.opened());
        output.and_then(|output| output.write(content)).map_err(|error| refusal(error.into()))
    }

    fn command(&self, arguments: &[String]) -> Result<u8, Refusal> {
        let failed = |error: &dyn std::fmt::Display| Refusal {
            message: format!("cannot start this program again: {error}"),
            help: Vec::new(),
        };
        let own = current_exe().map_err(|error| failed(&error))?;
        let status = Command::new(own)
            .args(with_color(arguments, self.color))
            .status()
            .map_err(|error| failed(&error))?;
        let by_signal = || status.signal().map(|signal| 128 + signal);
        Ok(status.code().or_else(by_signal).and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
    }
}

/// The command with the session's choice of colour, unless it has its own. The arguments of `cc` are the compiler's.
fn with_color(arguments: &[String], color: ColorChoice) -> Vec<String> {
    let mut all = arguments.to_vec();
    let own = arguments.iter().take_while(|word| *word != "--");
    let has_own = own.clone().any(|word| word == "--color" || word.starts_with("--color="));
    let is_compiler = arguments.first().is_none_or(|word| word == "cc");
    if color != ColorChoice::Auto && !has_own && !is_compiler {
        all.splice(1..1, ["--color".to_owned(), color.name().to_owned()]);
    }
    all
}

/// The text of a script.
pub fn read(file: &Path) -> Result<String, Failure> {
    text(files::read_text(file)?, &file.display().to_string())
}

/// Bytes as the text of a script.
pub fn text(bytes: Vec<u8>, name: &str) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let position = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..position].iter().filter(|&&byte| byte == b'\n').count() + 1;
        Failure::input(format!("{name} is no text in UTF-8: line {line}"))
            .help("data are read by `open`, or given as FILE")
    })
}

/// A failure, for a session.
fn refusal(failure: Failure) -> Refusal {
    match failure {
        Failure::Message { message, help, .. } => Refusal { message, help },
        Failure::BrokenPipe | Failure::Reported(_) => {
            Refusal { message: "the output cannot be written".to_owned(), help: Vec::new() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_the_colours_of_the_session_unless_they_have_their_own() {
        let colored = |line: &str, color| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            with_color(&words, color).join(" ")
        };
        assert_eq!(colored("fit a.dat", ColorChoice::Never), "fit --color never a.dat");
        assert_eq!(
            colored("profile show a.log", ColorChoice::Always),
            "profile --color always show a.log"
        );
        assert_eq!(colored("fit a.dat", ColorChoice::Auto), "fit a.dat");
        assert_eq!(
            colored("fit --color=always a.dat", ColorChoice::Never),
            "fit --color=always a.dat"
        );
        assert_eq!(
            colored("run -- p --color", ColorChoice::Never),
            "run --color never -- p --color"
        );
        assert_eq!(colored("cc -c a.c", ColorChoice::Never), "cc -c a.c");
    }
}
