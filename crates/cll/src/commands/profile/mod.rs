//! `cll profile`: cost centres, critical paths and differences of BSP programs.

mod diff;
mod export;
mod show;

use crate::cli::{ProfileArgs, ProfileCommand};
use crate::failure::Failure;
use crate::terminal::Terminal;

/// Runs a command.
pub fn run(args: &ProfileArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    match &args.command {
        ProfileCommand::Show(args) => show::run(args, terminal),
        ProfileCommand::Diff(args) => diff::run(args, terminal),
        ProfileCommand::Export(args) => export::run(args, terminal),
    }
}
