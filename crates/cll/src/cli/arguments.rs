//! Arguments of the commands that translate, compile, run and install.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};

pub use cll_campaign::{budget, duration};

use cll_contract::{ENGINE, Engine};

use super::automatic::AutoOptions;
use super::batch::BatchOptions;
use super::names::Driver;
use super::observing::ObservingOptions;

/// A share above 0 and below 1: `0.9`, `90%`.
///
/// # Errors
/// If it is no such share.
pub fn share(text: &str) -> Result<f64, String> {
    match cll_units::share(text) {
        Some(share) if share > 0.0 && share < 1.0 => Ok(share),
        Some(_) => Err("it must be above 0 and below 1, such as 2% or 0.02".into()),
        None => Err("not a share such as 2% or 0.02".into()),
    }
}

/// A share above 0, perhaps more than a whole: `10%`, `0.1`, `1.5`.
///
/// # Errors
/// If it is no such share.
pub fn positive_share(text: &str) -> Result<f64, String> {
    match cll_units::share(text) {
        Some(share) if share > 0.0 && share.is_finite() => Ok(share),
        _ => Err("not a share above 0 such as 2% or 0.02".into()),
    }
}

/// Translate annotated C: FILE.c to FILE.cll.c and FILE.cll.h
///
/// The translated program does exactly what the untranslated one does, and times the regions
/// between `#pragma cll NAME formula` and `#pragma cll end NAME`. A file without `#pragma cll`
/// lines is copied unchanged. The program must be linked with libcll: `cll cc` does both steps.
///
/// The compiler (CLL_CC, else cc, else gcc) reads the file to find out whether the program has its own
/// variable P. The options that it needs for that (-I, -D, …) follow `--`.
#[derive(Debug, Args)]
#[command(
    visible_alias = "call",
    after_help = "\
Examples:
  cll translate matrix.c
  cll translate src/solver.c -o build -- -Iinclude -DNDEBUG
  cll translate matrix.c --json | jq '.files[0].experiments[].formula'"
)]
pub struct TranslateArgs {
    /// The C files
    #[arg(required = true, value_name = "FILE.c", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    /// Folder for the output; made if it is not there. Default: the folder of each FILE.c
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub auto: AutoOptions,

    #[command(flatten)]
    pub batch: BatchOptions,

    /// Replace files that cll has not made
    #[arg(long)]
    pub force: bool,

    /// Print what was found as JSON
    #[arg(long)]
    pub json: bool,

    /// Options for the compiler
    #[arg(last = true, value_name = "CFLAGS")]
    pub compiler: Vec<OsString>,
}

/// Compile and link annotated C as the C compiler would
///
/// This is a compiler driver: all arguments are those of the compiler. C files with `#pragma cll` lines
/// are translated first (C++ files, too; that is untested). Everything else is passed on unchanged.
/// Messages, debug information and dependency files name your files and lines. `#include <bsp.h>`
/// is found after the folders that you name. When it links, it adds libcll, and libbsp for objects
/// that were compiled with another BSPlib's bsp.h.
///
/// `cll install` also makes links with names of one word, for build systems that need one: cllcc,
/// cllc++, cllmpicc and cllmpicxx. CLL_CC chooses the compiler (default: cc, else gcc), CLL_CXX that
/// of cllc++ (c++, g++), CLL_MPICC and CLL_MPICXX those of cllmpicc and cllmpicxx (mpicc, mpicxx).
/// The value may have several words, as in CLL_CC="ccache gcc". `-show` prints the commands and
/// runs none. With `#pragma cll parallel OpenMP` give -fopenmp yourself. The exit code is the
/// compiler's.
#[derive(Debug, Args)]
#[command(
    disable_help_flag = true,
    after_help = "\
Examples:
  cll cc -O2 -o matrix matrix.c
  cll cc -O2 -o lu lu.c                 # a BSP program
  make CC=cllcc
  CC=cllcc CXX=cllc++ ./configure
  cmake -DCMAKE_C_COMPILER=cllcc ..
  CLL_CC=\"ccache clang\" cll cc -c -fopenmp sort.c
  cll cc -show -O2 matrix.c"
)]
pub struct CcArgs {
    /// The compiler's arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    pub arguments: Vec<OsString>,

    /// The name by which the program was called.
    #[arg(skip)]
    pub driver: Driver,
}

/// Run a program that was built by `cll cc`, and write its trace
///
/// A BSP program (one that includes bsp.h or pub.h) gets -n processors.
///
/// Writes PROGRAM.cll.RUN.dat in the current folder (or that of -o, or CLL_OUT). RUN is 0, 1, … Recorded
/// samples are kept even if the program fails. Standard input and output are the program's. The exit code is
/// the program's, 128 + the signal's number if a signal ended it, or 124 after --timeout. Exit codes
/// of cll itself: 2 and 7 if the program could not be started or recorded.
///
/// With --launcher the program is submitted as a job of a batch system. cll waits for it, prints its
/// output and collects its trace. All nodes must share the folder of the trace. Ctrl-C cancels the job.
///
/// Without this command a program that was built by `cll cc` writes its trace itself.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll run ./matrix 1000
  cll run -n 4 ./sort
  cll run -n 8 ./lu 1000
  cll run -n 8 --engine mpi ./lu 1000
  cll run -n 256 --engine virtual --machine mine.toml ./lu 1000
  cll run -n 64 --launcher slurm --queue short ./heat 1000
  cll run --counters page-faults,cpu-time ./matrix 1000
  cll run --timeout 10m -o traces ./solver input.txt < points")]
pub struct RunArgs {
    /// Number of processors; for OpenMP the number of threads. -np and -npes mean the same
    #[arg(short = 'n', long = "processors", value_name = "P",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub processors: Option<u32>,

    /// How the processors of a BSP program run and communicate. Default: CLL_ENGINE, else processes
    #[arg(long, value_parser = engines(), value_name = "ENGINE")]
    pub engine: Option<Engine>,

    /// BSP program: log its supersteps in PROGRAM.cll.RUN.log, with times, call sites, partners and bytes. MPI
    /// program: log its calls; it is not recompiled
    #[arg(long)]
    pub log: bool,

    /// End the program after this time, such as 90, 90s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,

    /// Folder for the trace; made if it is not there
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub observing: ObservingOptions,

    #[command(flatten)]
    pub virtually: VirtualOptions,

    #[command(flatten)]
    pub batch: BatchOptions,

    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM",
          value_hint = ValueHint::CommandWithArguments)]
    pub command: Vec<OsString>,
}

/// The values of `--engine`.
pub fn engines() -> impl TypedValueParser<Value = Engine> {
    let value = |engine: Engine| {
        PossibleValue::new(engine.name()).help(match engine {
            Engine::Processes => "Each processor is a process",
            Engine::Threads => "Processors are threads of one process, each with its own globals",
            Engine::Mpi => "Each processor is a process that MPI starts, here or on other hosts",
            Engine::Virtual => {
                "Any number of processes that compute in turns and are timed separately: predicts the program's time"
            }
        })
    };
    PossibleValuesParser::new(Engine::ALL.map(value))
        .try_map(|name| ENGINE.read_or_none(Some(name.as_bytes())).ok_or("no such engine"))
}

/// Options of virtual processors and of their report.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Virtual processors")]
pub struct VirtualOptions {
    /// Processors that compute at the same time. Default: CLL_CORES, else the number of cores
    #[arg(long, value_name = "C", value_parser = clap::value_parser!(u32).range(1..))]
    pub cores: Option<u32>,

    /// The machine on which communication is predicted: a machine file, or the name of a published machine.
    /// Default: none, and communication takes no time
    #[arg(long, value_name = "MACHINE", value_hint = ValueHint::FilePath)]
    pub machine: Option<PathBuf>,

    /// Measure contention: run every N-th phase (computation between two synchronisations) of each processor alone
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub alone: Option<u32>,

    /// Multiply the time of phases by this, for a machine with more or less contention than this one has with C
    /// processors. as-run: keep the contention of this machine in the prediction, although --alone has measured it
    #[arg(long, value_name = "FACTOR", value_parser = contended)]
    pub contention: Option<Contended>,

    /// Size of the cache whose content is restored for each processor before a phase, such as 1M; 0: none.
    /// Default: CLL_CACHE, else that of the private caches of a core of this machine
    #[arg(long, value_name = "SIZE", value_parser = size_or_none)]
    pub cache: Option<u64>,

    /// Memory that all processors together may use, such as 500M or 16G. Default: the memory that is
    /// available
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,

    /// Continue even if the processors need more memory than is available
    #[arg(long)]
    pub overcommit: bool,

    /// Run the program so many times: the interval then says where another run lies. Only the first run has its output
    /// and input
    #[arg(long, value_name = "COUNT", default_value_t = 1, hide_default_value = true,
          value_parser = clap::value_parser!(u32).range(1..=100))]
    pub rounds: u32,

    /// Print the time of each superstep
    #[arg(long)]
    pub supersteps: bool,

    /// Print the prediction as JSON, in the last line of the output
    #[arg(long)]
    pub json: bool,
}

/// Bytes: `500M`, `16G`.
pub fn size(text: &str) -> Result<u64, String> {
    let units = [('K', 10), ('M', 20), ('G', 30), ('T', 40)];
    let unit = units.into_iter().find(|(letter, _)| text.ends_with(*letter));
    let (digits, power) = unit.map_or((text, 0), |(_, power)| (&text[..text.len() - 1], power));
    let size: Option<u64> = digits.parse().ok().and_then(|size: u64| size.checked_shl(power));
    size.filter(|size| size >> power > 0).ok_or_else(|| "not a size such as 500M or 16G".to_owned())
}

fn size_or_none(text: &str) -> Result<u64, String> {
    if text == "0" {
        Ok(0)
    } else {
        size(text).map_err(|_| "neither 0 nor a size such as 1M".to_owned())
    }
}

/// `--contention`: what the prediction does with contention between phases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contended {
    /// Keep it as it was here.
    AsRun,
    /// Multiply the time of all phases by this.
    Factor(f64),
}

fn contended(text: &str) -> Result<Contended, String> {
    if text == "as-run" {
        return Ok(Contended::AsRun);
    }
    let factor: Option<f64> = text.parse().ok().filter(|f: &f64| f.is_finite() && *f > 0.0);
    factor
        .map(Contended::Factor)
        .ok_or_else(|| "neither a number above 0, such as 1.2, nor as-run".to_owned())
}

impl VirtualOptions {
    /// The first option of these that was given.
    pub fn given(&self) -> Option<&'static str> {
        [
            ("--cores", self.cores.is_some()),
            ("--machine", self.machine.is_some()),
            ("--alone", self.alone.is_some()),
            ("--contention", self.contention.is_some()),
            ("--cache", self.cache.is_some()),
            ("--memory", self.memory.is_some()),
            ("--overcommit", self.overcommit),
            ("--rounds", self.rounds > 1),
            ("--supersteps", self.supersteps),
            ("--json", self.json),
        ]
        .into_iter()
        .find_map(|(name, is_given)| is_given.then_some(name))
    }
}

/// Install cll, the library, headers, man pages and completions
///
/// Writes PREFIX/bin (cll; call, cllcc, cllc++, cllmpicc, cllmpicxx are links to it), lib (libcll.a, libcll.so,
/// libbsp.a, pkgconfig/cll.pc, cmake/cll), include (cll.h, bsp.h, bsp_level1.h, mcbsp.h), share/man, and
/// completions for bash, zsh and fish. It replaces the files of an earlier version.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll install --prefix ~/.local
  cll install --prefix ~/.local --bsp-names
  DESTDIR=build/package cll install --prefix /usr
  cc $(pkg-config --cflags cll) prog.cll.c $(pkg-config --libs cll)")]
pub struct InstallArgs {
    /// Folder to install into
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub prefix: PathBuf,

    /// Also make the links bspcc, bspcxx and bsprun, which accept the options of other BSPlibs' drivers.
    /// Files of these names that belong to another BSPlib are never replaced
    #[arg(long)]
    pub bsp_names: bool,
}

/// Print the completion script of a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll completions bash > ~/.local/share/bash-completion/completions/cll
  cll completions zsh > ~/.zfunc/_cll
  cll completions fish > ~/.config/fish/completions/cll.fish")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Shells that have a completion script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// Print the man page, or write all pages into a folder
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll man | man -l -
  cll man ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Folder for cll.1, cll-model.1 and the others; made if it is not there
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub folder: Option<PathBuf>,
}
