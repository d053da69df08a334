//! Arguments of `cll machine`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueHint};
use cll_contract::Engine;

use super::arguments::{duration, engines};
use super::sampling::Loaded;

/// What machines cost: measure this one, show and check machine files
///
/// A machine file says what supersteps of BSP programs cost on a machine: g and L by engine, number
/// of processors, pattern and size, and the (s, g, l) of the literature. `cll obsp` predicts with it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll machine probe --bsp --out mine.toml
  cll machine show mine.toml
  cll machine list")]
pub struct MachineArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: MachineCommand,
}

/// The commands of `cll machine`.
#[derive(Debug, Subcommand)]
pub enum MachineCommand {
    Probe(ProbeArgs),
    List(ListArgs),
    Show(ShowArgs),
    Check(CheckArgs),
}

/// Measure what supersteps cost here, and write a machine file
///
/// Runs small BSP programs with each number of processors up to the cores, on every engine that is
/// there: empty supersteps, and six patterns of communication from 8 bytes to 16 MiB. It takes about
/// a minute, in rounds; the raw samples are kept beside the file. On a machine that is too loaded it
/// says so and writes nothing.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll machine probe --bsp --out mine.toml
  cll machine probe --bsp --out mine.toml --engine processes --processors 8 --budget 5m
  cll machine probe --bsp --out mine.toml --quick")]
pub struct ProbeArgs {
    /// Measure supersteps: l and g of BSP
    #[arg(long, required = true)]
    pub bsp: bool,

    /// The machine file; raw samples go beside it, as NAME.csv
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: PathBuf,

    /// What the machine is called. Default: the host's name
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// Only this engine; may be repeated. Default: all that are there
    #[arg(long, value_parser = engines(), value_name = "ENGINE")]
    pub engine: Vec<Engine>,

    /// The most processors; beyond the cores they are marked as oversubscribed. Default: the cores
    #[arg(short = 'n', long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub processors: Option<u32>,

    /// One size an octave up to 1 MiB, three rounds: some seconds
    #[arg(long)]
    pub quick: bool,

    /// The largest h-relation, such as 64K or 16M
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub largest: Option<u64>,

    /// Measure for about this time, such as 90, 10m; at least three rounds. Default: CLL_BUDGET, else 60s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub budget: Option<Duration>,

    /// On a loaded machine: end with exit code 8, or write a file that is marked. Default: CLL_LOADED, else refuse
    #[arg(long, value_enum, value_name = "WHAT")]
    pub loaded: Option<Loaded>,

    /// Begin the shuffling with this number
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,

    /// Print the machine as JSON
    #[arg(long)]
    pub json: bool,

    /// Print no progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// List the published machines that are in the program
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll machine list
  cll machine list --json")]
pub struct ListArgs {
    /// Print the list as JSON
    #[arg(long)]
    pub json: bool,
}

/// Show what is known of a machine
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll machine show sgi-powerchallenge
  cll machine show mine.toml --json")]
pub struct ShowArgs {
    /// A published machine's name, or a machine file
    #[arg(value_name = "NAME|FILE", value_hint = ValueHint::FilePath)]
    pub machine: PathBuf,

    /// Print all of it as JSON
    #[arg(long)]
    pub json: bool,

    /// Print the machine's file as it is
    #[arg(long, conflicts_with = "json")]
    pub toml: bool,
}

/// Say what is wrong in machine files
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll machine check mine.toml")]
pub struct CheckArgs {
    /// Machine files
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    /// Print what was found as JSON
    #[arg(long)]
    pub json: bool,
}

/// `64K`, `16M`, `4096`.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match &text[digits.len()..] {
        "" | "B" => 0,
        "K" | "KiB" => 10,
        "M" | "MiB" => 20,
        "G" | "GiB" => 30,
        unit => return Err(format!("`{unit}` is no unit of bytes; there are K, M, G")),
    };
    let number = digits.parse::<u64>().map_err(|_| "not a number of bytes such as 64K or 16M")?;
    // What the calls of BSPlib take, and a random relation is larger by half.
    match number.checked_mul(1 << shift).filter(|bytes| (64..=1 << 30).contains(bytes)) {
        Some(bytes) => Ok(bytes),
        None => Err("it is from 64 to 1G".into()),
    }
}
