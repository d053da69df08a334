//! The commands, one module each.

mod campaign;
mod counters;
mod curves;
mod environment;
mod export;
mod fit;
mod in_launch;
mod install;
mod last_words;
mod llac;
mod machine;
mod model;
mod mpi;
mod mpi_model;
mod obsp;
mod on_machine;
mod page;
mod pages;
mod plan;
mod plot;
mod predict;
pub mod profile;
mod report;
mod run;
mod schema;
mod show;
mod submitted;
mod sweep;
mod translate;
mod upsilon;
mod what_if;
mod why;

use cll_driver::cc;

use crate::cli::Command;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// Runs a command; returns the exit code.
pub fn run(command: Command, terminal: &mut Terminal) -> Result<u8, Failure> {
    match command {
        Command::Translate(args) => translate::run(&args, terminal),
        Command::Cc(args) => Ok(cc::run(args.arguments, args.driver, terminal)?),
        Command::Run(args) => run::run(args, terminal),
        Command::Model(args) => model::run(&args, terminal),
        Command::Campaign(args) => campaign::run(&args, terminal),
        Command::Fit(args) => fit::run(&args, terminal),
        Command::Show(args) => show::run(&args, terminal),
        Command::Predict(args) => predict::run(&args, terminal),
        Command::Plan(args) => plan::run(&args, terminal),
        Command::Plot(args) => plot::run(&args, terminal),
        Command::Llac(args) => llac::run(&args, terminal),
        Command::Page(args) => page::run(&args, terminal),
        Command::Obsp(args) => obsp::run(&args, terminal),
        Command::Profile(args) => profile::run(&args, terminal),
        Command::Mpi(args) => mpi::run(&args, terminal),
        Command::Counters(args) => counters::run(&args, terminal),
        Command::Export(args) => export::run(&args, terminal),
        Command::Machine(args) => machine::run(&args, terminal),
        Command::Upsilon(args) => upsilon::run(&args, terminal),
        Command::Why(args) => why::run(&args, terminal),
        Command::WhatIf(args) => what_if::run(&args, terminal),
        Command::Schema(args) => schema::run(&args, terminal),
        Command::Install(args) => install::run(&args, terminal),
        Command::Completions(args) => pages::completions(&args, terminal),
        Command::Man(args) => pages::man(&args, terminal),
    }
}
