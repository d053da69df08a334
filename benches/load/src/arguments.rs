//! The arguments.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize};

use crate::load::Kind;
use crate::programs::Program;

/// Measures whether `cll model` gives true answers beside other programs.
#[derive(Parser)]
#[command(name = "bench-load", args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub mode: Option<Mode>,
    #[command(flatten)]
    pub beside: Beside,
}

#[derive(Subcommand)]
pub enum Mode {
    /// Models of several quiet occasions, each compared with what the other occasions measured
    Occasions(Occasions),
}

/// The arguments of both modes.
#[derive(Args)]
pub struct Common {
    /// The `cll` that is measured. Default: the one beside this program
    #[arg(long, value_name = "PATH")]
    pub cll: Option<PathBuf>,
    /// The programs
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_enum,
          default_values_t = Program::ALL)]
    pub programs: Vec<Program>,
    /// Time for which a model is sampled
    #[arg(long, value_name = "TIME", default_value = "8s", value_parser = duration)]
    pub budget: Duration,
    /// Number of quiet occasions on which the truth is measured
    #[arg(long, value_name = "COUNT", default_value_t = 3)]
    pub occasions: usize,
    /// Rounds of a direct measurement
    #[arg(long, value_name = "COUNT", default_value_t = 7)]
    pub truth_rounds: u32,
    /// Folder in which all is kept; a run with the same one goes on from what is there
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write all numbers to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Seed of the resampling, and of what comes by chance in the loads
    #[arg(long, value_name = "NUMBER", default_value_t = 2003)]
    pub seed: u64,
}

/// Trials beside load.
#[derive(Args)]
pub struct Beside {
    #[command(flatten)]
    pub common: Common,
    /// The kinds of load
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_enum,
          default_values_t = Kind::ALL)]
    pub kinds: Vec<Kind>,
    /// Trials of each kind and program
    #[arg(long, value_name = "COUNT", default_value_t = 8)]
    pub trials: usize,
    /// Who runs `cll model`; nobody needs root
    #[arg(long = "user", value_name = "USER,…", value_delimiter = ',', value_enum,
          default_values_t = [User::Own])]
    pub users: Vec<User>,
    /// Least time from one quiet occasion to the next
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = duration)]
    pub apart: Duration,
}

/// Models of quiet occasions.
#[derive(Args)]
pub struct Occasions {
    #[command(flatten)]
    pub common: Common,
    /// Least time from one occasion to the next
    #[arg(long, value_name = "TIME", default_value = "20m", value_parser = duration)]
    pub apart: Duration,
}

/// Who runs `cll model`.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum User {
    /// Whoever runs the benchmark
    #[value(alias = "root")]
    Own,
    /// A user without privileges (65534)
    Nobody,
}

impl User {
    /// The name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            User::Own => "own",
            User::Nobody => "nobody",
        }
    }
}

/// `90`, `90s`, `2m`, `1h`.
fn duration(text: &str) -> Result<Duration> {
    let (number, unit) = match text.char_indices().next_back() {
        Some((at, 's')) => (&text[..at], 1.0),
        Some((at, 'm')) => (&text[..at], 60.0),
        Some((at, 'h')) => (&text[..at], 3600.0),
        _ => (text, 1.0),
    };
    let seconds: f64 = number.parse()?;
    ensure!(seconds >= 0.0, "a time is not negative");
    Ok(Duration::try_from_secs_f64(seconds * unit)?)
}
