//! Whether `cll model` gives true answers on a machine that is not quiet.
//!
//! `cargo build --release && cargo run --release -p bench-load -- --out DIR --json FILE`
//!
//! Five programs are sampled by `cll model` beside five kinds of load, in interleaved trials: the
//! first of all kinds and programs, then the second. Each model predicts held-out sizes, which the
//! same program measures directly on three quiet occasions, at the begin, in the middle and at the
//! end. The truth of a size is from the least to the largest of the occasions' medians; a prediction
//! covers it if the 90 % band overlaps it. For each kind of load: how many trials answered, the share
//! of predictions that cover, their errors, and how many are wrong though their band is narrow.
//! A run with the same `--out` goes on from what is there. Ctrl-C prints what there is.
//!
//! `cargo run --release -p bench-load -- occasions --apart 20m`
//!
//! makes a model and measures directly on several quiet occasions, and compares the predictions of
//! each inside and beyond the data with what the others measured.

#![forbid(unsafe_code)]

mod arguments;
mod beside;
mod constants;
mod load;
mod occasions;
mod programs;
mod record;
mod score;
mod stop;
mod table;
mod tool;
mod truth;
mod works;

#[path = "../../kernels/src/program.rs"]
mod program;
#[path = "../../kernels/src/quiet.rs"]
mod quiet;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use crate::arguments::{Arguments, Mode};

fn main() -> Result<ExitCode> {
    if let Some(part) = load::wanted() {
        load::be(part);
    }
    match Arguments::parse() {
        Arguments { mode: Some(Mode::Occasions(own)), .. } => occasions::run(&own)?,
        Arguments { mode: None, beside } => beside::run(&beside)?,
    }
    Ok(ExitCode::SUCCESS)
}
