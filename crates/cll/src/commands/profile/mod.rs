//! `cll profile`: cost centres, critical paths and differences of BSP programs.

mod diff;
mod export;
mod load;
mod show;
mod source;
mod symbols;

use crate::cli::{ProfileArgs, ProfileCommand};
use crate::failure::Failure;
use crate::terminal::Terminal;

pub use source::Source;
pub use symbols::Symbols;

/// Runs a command.
pub fn run(args: &ProfileArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    match &args.command {
        ProfileCommand::Show(args) => show::run(args, terminal),
        ProfileCommand::Diff(args) => diff::run(args, terminal),
        ProfileCommand::Export(args) => export::run(args, terminal),
    }
}
