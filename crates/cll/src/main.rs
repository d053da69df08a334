//! `cll`: measures, fits and uses complexity formulas in C programs.
//!
//! The other crates turn text and bytes into values. This one accesses files, the clock, processes and the
//! terminal. [`cli`] defines every command once, for help, man pages and completions; `commands` has one module
//! for each; the rest is shared by commands.

#![forbid(unsafe_code)]

mod calls;
mod cli;
mod commands;
mod failure;
mod limits;
mod machine;
mod model;
mod names;
mod rounds;
mod terminal;
mod virtual_run;

use std::ffi::OsString;
use std::process::ExitCode;

use cll_driver::{compiler, library};
use cll_files as files;
use cll_launch as launch;
use cll_launch::{batch, identity, machine_state};
use cll_sampling as sampling;

use crate::failure::Failure;
use crate::terminal::Terminal;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some((code, message)) = launch::die_with_parent::begin(&arguments) {
        if let Some(message) = message {
            eprintln!("cll: {}", cll_diagnostic::escape(&message.to_string()));
        }
        return code;
    }
    limits::report_file_size();
    limits::with_stack(command)
}

fn command() -> ExitCode {
    let (cli, mut terminal) = match cli::parse(std::env::args_os()) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let outcome = commands::run(cli.command, &mut terminal).and_then(|status| {
        terminal.flush()?;
        Ok(status)
    });
    match outcome {
        Ok(status) => ExitCode::from(status),
        Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Err(Failure::Reported(status)) => {
            // Output before the failure should still be shown.
            let _ = terminal.flush();
            ExitCode::from(status.code())
        }
        Err(Failure::Message { status, message, help }) => {
            let _ = terminal.flush();
            Terminal::complain(&terminal, &message, &help);
            ExitCode::from(status.code())
        }
    }
}
