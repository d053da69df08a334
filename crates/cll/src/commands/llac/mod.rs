//! `cll llac`: the analyzer's language, at a prompt and in scripts.

mod editor;
mod heard;
mod history;
mod host;
mod open;
mod pager;
mod planned;
mod prompt;
mod runner;
mod sets;
mod tables;
mod things;

use std::io::{self, IsTerminal, Read};
use std::path::Path;

pub use self::heard::Heard;
pub use self::runner::StatementJson;
use self::runner::{Mode, Runner, Script};
use crate::cli::LlacArgs;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;

/// Runs scripts and statements, or prompts for them.
pub fn run(args: &LlacArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let has_script = !args.file.is_empty() || !args.evaluate.is_empty();
    let on_terminal = io::stdin().is_terminal() && terminal.is_terminal();
    if args.interactive && !on_terminal {
        return Err(Failure::usage("a prompt needs a terminal")
            .help("without --interactive statements are read from standard input"));
    }
    let prompts = args.interactive || !has_script && on_terminal;
    let mode = Mode {
        json: args.json,
        quiet: args.quiet,
        prompts,
        go_on: args.go_on,
        pages: prompts && !args.json,
    };
    // All are read before the first one runs, which may change them.
    let mut scripts = Vec::new();
    for file in &args.file {
        scripts.push(Script { name: name_of(file), text: read(file)? });
    }
    for text in &args.evaluate {
        scripts.push(Script { name: "--evaluate".to_owned(), text: text.clone() });
    }
    if !has_script && !prompts {
        scripts.push(Script { name: name_of(Path::new("-")), text: read(Path::new("-"))? });
    }
    let mut runner = Runner::new(terminal, mode);
    for script in &scripts {
        runner.check(script)?;
    }
    if !args.files.is_empty() {
        runner.open(&args.files, prompts && !args.json)?;
    }
    for script in &scripts {
        if runner.run(script)?.ends {
            return Ok(runner.code());
        }
    }
    if prompts { prompt::run(&mut runner) } else { Ok(runner.code()) }
}

fn name_of(file: &Path) -> String {
    if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() }
}

/// The text of a script.
fn read(file: &Path) -> Result<String, Failure> {
    if file != Path::new("-") {
        return host::read(file);
    }
    let mut bytes = Vec::new();
    io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::system(format!("cannot read standard input: {error}")))?;
    host::text(bytes, "standard input")
}

/// The failure for what was said already.
fn reported() -> Failure {
    Failure::Reported(Status::Input)
}
