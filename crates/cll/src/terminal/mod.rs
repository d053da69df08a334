//! Output: colour, width, and closed pipes.

mod choice;
mod diagnostics;
mod live;
mod names;

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use anstyle::{AnsiColor, Style};
use cll_analysis::Messages;
use cll_diagnostic::Diagnostic;
use cll_driver::Listener;
use cll_files::Notices;
use schemars::JsonSchema;
use serde::Serialize;

pub use choice::ColorChoice;
pub use diagnostics::Text;
pub use live::Live;
pub use names::EscapedNames;

use crate::failure::Failure;

/// Standard output and standard error of the program.
#[derive(Debug)]
pub struct Terminal {
    out: BufWriter<StdoutLock<'static>>,
    /// Columns for formatted text.
    width: usize,
    /// Whether Unicode characters can be shown.
    unicode: bool,
    /// Whether standard output is a terminal.
    is_terminal: bool,
    /// The user's choice of colour.
    choice: ColorChoice,
    /// Whether standard output accepts colour.
    color_out: bool,
    /// Whether standard error accepts colour.
    color_err: bool,
    /// Names of the command line that would break a message into lines.
    names: EscapedNames,
}

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();

impl Terminal {
    /// The terminal of this process, with the user's choice of colour.
    pub fn new(choice: ColorChoice) -> Terminal {
        Terminal {
            out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
            width: choice::width(),
            unicode: choice::unicode(),
            is_terminal: io::stdout().is_terminal(),
            choice,
            color_out: choice.applies(io::stdout().is_terminal()),
            color_err: choice.applies(io::stderr().is_terminal()),
            names: EscapedNames::of_command_line(),
        }
    }

    /// The user's choice of colour, for this program's own commands.
    pub fn color_choice(&self) -> ColorChoice {
        self.choice
    }

    /// The style of reports on standard output.
    pub fn style(&self) -> cll_report::Style {
        cll_report::Style { width: self.width, color: self.color_out, unicode: self.unicode }
    }

    /// How reports to standard error are to look.
    pub fn error_style(&self) -> cll_report::Style {
        cll_report::Style { color: self.color_err, ..self.style() }
    }

    /// Whether standard output is a terminal. Only there is text shortened to the width.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Rows of the terminal; `None` if standard output is none.
    pub fn rows(&self) -> Option<usize> {
        choice::rows().filter(|_| self.is_terminal)
    }

    /// Writes to standard output.
    pub fn print(&mut self, text: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.out.write_all(text.as_ref()).map_err(|error| output(&error))
    }

    /// Writes a sentence to standard output, on one line: names in it are escaped.
    pub fn line(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        self.print(cll_diagnostic::escape(text.as_ref()))?;
        self.print("\n")
    }

    /// Writes a value as JSON, and a newline. A value without a schema cannot be written.
    pub fn json(&mut self, value: &(impl Serialize + JsonSchema)) -> Result<(), Failure> {
        serde_json::to_writer_pretty(&mut self.out, value)
            .map_err(|error| output(&io::Error::from(error)))?;
        self.print("\n")
    }

    /// The same, on one line.
    pub fn json_line(&mut self, value: &(impl Serialize + JsonSchema)) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.out, value)
            .map_err(|error| output(&io::Error::from(error)))?;
        self.print("\n")
    }

    /// A writer to standard output, for streams.
    pub fn writer(&mut self) -> &mut impl Write {
        &mut self.out
    }

    /// Writes buffered output.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(|error| output(&error))
    }

    /// Prints on standard error why the command failed.
    pub fn complain(&self, message: &str, help: &[String]) {
        self.print_message(ERROR, "error", message);
        for sentence in help {
            self.print_message(NOTE, "help", sentence);
        }
    }

    /// A warning on standard error.
    pub fn warn(&self, message: &str) {
        self.print_message(WARNING, "warning", message);
    }

    /// A note on standard error.
    pub fn note(&self, message: &str) {
        self.print_message(NOTE, "note", message);
    }

    /// Writes text to standard error unchanged; errors are ignored.
    pub fn error_text(&self, text: &[u8]) {
        let _ = io::stderr().write_all(text);
    }

    fn print_message(&self, style: Style, word: &str, message: &str) {
        let message = escaped(&self.names.on_one_line(message));
        let text = if self.color_err {
            format!("{style}{word}{style:#}: {message}\n")
        } else {
            format!("{word}: {message}\n")
        };
        self.error_text(text.as_bytes());
    }
}

/// A message without what a terminal obeys, but for its lines and tabs: it may hold a name or a cell of a file.
fn escaped(message: &str) -> String {
    let pieces = message.split_inclusive(['\n', '\t']).map(|piece| {
        let end = piece.trim_end_matches(['\n', '\t']).len();
        let (text, space) = piece.split_at(end);
        cll_diagnostic::escape(text) + space
    });
    pieces.collect()
}

impl Notices for Terminal {
    fn note(&self, text: &str) {
        Terminal::note(self, text);
    }

    fn warn(&self, text: &str) {
        Terminal::warn(self, text);
    }
}

impl Messages for Terminal {
    fn diagnose(&self, name: &str, text: &[u8], diagnostics: &[Diagnostic]) {
        Terminal::diagnose(self, Text { name, bytes: text }, diagnostics);
    }
}

impl Listener for Terminal {
    fn diagnose(&self, name: &str, text: &[u8], diagnostics: &[Diagnostic]) {
        Terminal::diagnose(self, Text { name, bytes: text }, diagnostics);
    }

    fn print(&mut self, text: &[u8]) -> io::Result<()> {
        self.out.write_all(text)
    }
}

/// The failure for an error of writing to standard output.
pub fn output(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
        _ => Failure::system(format!("cannot write the output: {}", crate::failure::reason(error))),
    }
}
