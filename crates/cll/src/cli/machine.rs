//! Arguments of `cll machine`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use cll_contract::Engine;

use super::arguments::{duration, engines};
use super::sampling::Loaded;

/// Measure this machine's costs; show, compare and check machine files
///
/// A machine file has the costs of a machine: of supersteps of BSP programs (g and L by engine, number of
/// processors, pattern and size, and the (s, g, l) of the literature), of memory (latency, bandwidth, contention) and of
/// operations. `cll obsp` predicts with it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll machine probe --out mine.toml
  cll machine show mine.toml
  cll machine compare mine.toml theirs.toml
  cll machine list")]
pub struct MachineArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub command: MachineCommand,
}

/// The commands of `cll machine`.
#[derive(Debug, Subcommand)]
pub enum MachineCommand {
    Probe(ProbeArgs),
    List(ListArgs),
    Show(MachineShowArgs),
    Compare(MachineCompareArgs),
    Check(CheckArgs),
    Import(MachineImportArgs),
    Export(MachineExportArgs),
}

/// Measure supersteps, memory, operations and MPIs here, and write a machine file
///
/// Supersteps: small BSP programs with each number of processors up to the cores, on every available engine, with six
/// patterns of communication from 8 bytes to 16 MiB. Memory: latency by working set and stride, from which the levels are
/// found; address translation, bandwidth by cores, latency under load. Operations: latency and throughput, and the start
/// of a process. MPI: messages by size, with the busy times of sender and receiver, the eager limit, collectives, for each
/// MPI that is there. It takes some minutes, in rounds, and writes the raw samples into the same folder. If the machine is
/// too loaded, it reports that and writes nothing.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll machine probe --out mine.toml
  cll machine probe --out mine.toml --quick
  cll machine probe --memory --operations --out mine.toml
  cll machine probe --mpi --out mine.toml
  cll machine probe --bsp --out mine.toml --engine processes --processors 8 --budget 5m")]
pub struct ProbeArgs {
    /// Measure supersteps: l and g of BSP. Without --bsp, --memory, --operations and --mpi all are measured
    #[arg(long)]
    pub bsp: bool,

    /// Measure memory: levels, latency, address translation, bandwidth, contention
    #[arg(long)]
    pub memory: bool,

    /// Measure operations: latency and throughput, mispredicted branches, the start of a process
    #[arg(long)]
    pub operations: bool,

    /// Measure MPIs: messages, eager limits, collectives, start of processes. CLL_MPICC chooses one MPI
    #[arg(long)]
    pub mpi: bool,

    /// The machine file to write; raw samples are written to NAME.csv, NAME.memory.csv and NAME.mpi.csv in the same folder
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: PathBuf,

    /// The machine's name. Default: the host's name
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// Measure only this engine; may be repeated. Default: all available engines
    #[arg(long, value_parser = engines(), value_name = "ENGINE")]
    pub engine: Vec<Engine>,

    /// The largest number of processors, of supersteps and collectives. Measurements with more processors than cores are marked as oversubscribed.
    /// Default: the number of cores
    #[arg(short = 'n', long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub processors: Option<u32>,

    /// Fewer and smaller sizes, three rounds; takes less than a minute
    #[arg(long)]
    pub quick: bool,

    /// The largest h-relation of supersteps, such as 64K or 16M
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub largest: Option<u64>,

    /// Measure for about this time, such as 90, 10m; at least three rounds. Default: CLL_BUDGET, else 60s for supersteps,
    /// 120s for memory, 20s for operations, 60s for MPIs
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub budget: Option<Duration>,

    /// On a loaded machine: end with exit code 8 (refuse), or write a file with a mark (accept). Default: CLL_LOADED,
    /// else refuse
    #[arg(long, value_enum, value_name = "WHAT")]
    pub loaded: Option<Loaded>,

    /// Seed of the shuffled order
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,

    /// Replace files beside FILE that have the names of the raw samples and that cll has not made
    #[arg(long)]
    pub force: bool,

    /// Print the machine as JSON
    #[arg(long)]
    pub json: bool,

    /// Print no progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// List the machines of the project, of the user, and the published ones in the program
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

/// Show a machine's data
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll machine show sgi-powerchallenge
  cll machine show mine.toml --json")]
pub struct MachineShowArgs {
    /// A published machine's name, or a machine file
    #[arg(value_name = "NAME|FILE", value_hint = ValueHint::FilePath)]
    pub machine: PathBuf,

    /// Print all data as JSON
    #[arg(long)]
    pub json: bool,

    /// Print the machine's file unchanged
    #[arg(long, conflicts_with = "json")]
    pub toml: bool,
}

/// Say in what two machines differ beyond their intervals
///
/// Values are compared one by one. Two values differ if their intervals do not overlap.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll machine compare before.toml after.toml
  cll machine compare mine.toml sgi-origin-2000 --all")]
pub struct MachineCompareArgs {
    /// A machine's name, or a machine file
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub first: PathBuf,

    /// Another one
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub second: PathBuf,

    /// Also print values that do not differ
    #[arg(long)]
    pub all: bool,

    /// Print all values as JSON
    #[arg(long)]
    pub json: bool,
}

/// Report errors in machine files
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

/// Make a machine file of what other programs have measured
///
/// A table of (s, g, l) of the Oxford BSP Toolset, the last line of bspbench (BSPedupack), the output of the OSU
/// micro-benchmarks, of the Intel MPI Benchmarks, of NetPIPE, or a table of MPBench. Which it is follows from the text. Of
/// several files what each has is taken.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll machine import params.txt --out cluster.toml
  cll machine import osu_latency.txt osu_allreduce.txt --processes 16 --hosts 2 --mpi 'Open MPI 5' --out cluster.toml")]
pub struct MachineImportArgs {
    /// The files that hold the printed text
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    /// The machine file to write
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: PathBuf,

    /// The machine's name. Default: the first file's name
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// The MPI that was measured
    #[arg(long, value_name = "NAME", default_value = "MPI")]
    pub mpi: String,

    /// How many hosts its processes were on
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub hosts: u32,

    /// The processes of collectives, if the output does not say it
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub processes: Option<u32>,

    /// Print the machine as JSON
    #[arg(long)]
    pub json: bool,
}

/// The format of a machine for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MachineFormat {
    /// A platform of SimGrid, with the settings of SMPI
    Simgrid,
    /// (s, g, l) as JSON, for schedulers of BSP
    Bsp,
    /// An architecture file of the scheduler OneStopParallel
    Arch,
}

/// Write a machine for other programs: SimGrid, schedulers of BSP
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll machine export mine.toml --to simgrid --out platform.xml
  cll machine export mine.toml --to arch -n 2 --out two.arch")]
pub struct MachineExportArgs {
    /// A machine's name, or a machine file
    #[arg(value_name = "NAME|FILE", value_hint = ValueHint::FilePath)]
    pub machine: PathBuf,

    /// For which program
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: MachineFormat,

    /// The number of processors. Default: the largest one of the machine's (s, g, l); of a platform 2, or the cores
    #[arg(short = 'n', long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub processors: Option<u32>,

    /// arch: the engine. Default: the first one of the machine
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,

    /// simgrid: the MPI, by the beginning of its name. Default: the first one of the machine
    #[arg(long, value_name = "NAME")]
    pub mpi: Option<String>,

    /// simgrid: operations per second of a host. Default: the machine's s
    #[arg(long, value_name = "NUMBER")]
    pub speed: Option<f64>,

    /// Write to this file. Default: standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,
}

/// `64K`, `16M`, `4096`.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match &text[digits.len()..] {
        "" | "B" => 0,
        "K" | "KiB" => 10,
        "M" | "MiB" => 20,
        "G" | "GiB" => 30,
        unit => return Err(format!("`{unit}` is not a unit of bytes; units are K, M, G")),
    };
    let number = digits.parse::<u64>().map_err(|_| "not a number of bytes such as 64K or 16M")?;
    // The limit of BSPlib's calls. A random relation may be half as large again.
    match number.checked_mul(1 << shift).filter(|bytes| (64..=1 << 30).contains(bytes)) {
        Some(bytes) => Ok(bytes),
        None => Err("it must be from 64 to 1G".into()),
    }
}
