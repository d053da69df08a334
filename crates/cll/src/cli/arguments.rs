//! Arguments of the commands that translate, compile, run and install.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};

pub use cll_campaign::duration;

use cll_contract::{ENGINE, Engine};

use super::batch::BatchOptions;
use super::names::Driver;
use super::observing::ObservingOptions;

/// A share of all cases, such as a confidence.
///
/// # Errors
/// If it is no number between 0 and 1.
pub fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if 0.0 < share && share < 1.0 => Ok(share),
        _ => Err("it must be a number between 0 and 1, such as 0.9".to_owned()),
    }
}

/// Translate annotated C: FILE.c to FILE.cll.c and FILE.cll.h
///
/// The translated program does exactly what the untranslated one does, and times the regions
/// between `#pragma cll NAME formula` and `#pragma cll end NAME`. A file without `#pragma cll`
/// lines is copied as it is. The program must be linked with libcll: `cll cc` does both steps.
///
/// Whether the program has a variable P of its own is asked of the compiler: CLL_CC, else cc,
/// else gcc. What it needs to read the file (-I, -D, …) follows `--`.
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

    /// Folder for the output; made if it is not there. Default: beside each FILE.c
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,

    /// Of a program with `procs = …`: the system that PROGRAM.cll.sh is for. Default: any shell
    #[command(flatten)]
    pub batch: BatchOptions,

    /// Print what was found as JSON
    #[arg(long)]
    pub json: bool,

    /// Options for the compiler
    #[arg(last = true, value_name = "CFLAGS")]
    pub compiler: Vec<OsString>,
}

/// Compile and link annotated C as the C compiler would
///
/// A compiler driver: every argument is the compiler's own. C files with `#pragma cll` lines are
/// translated on the way (those of C++, too; that is untested); everything else is handed on
/// untouched. Messages, debug information and dependency files name your own files and lines.
/// `#include <bsp.h>` is found, behind the folders that you name; when it links, libcll is added,
/// and libbsp for objects that were compiled with another BSPlib's bsp.h.
///
/// `cll install` also makes drivers of one word, for build systems that want one: cllcc, cllc++,
/// cllmpicc and cllmpicxx. CLL_CC chooses the compiler (default: cc, else gcc), CLL_CXX that of
/// cllc++ (c++, g++), CLL_MPICC and CLL_MPICXX those of cllmpicc and cllmpicxx (mpicc, mpicxx). It
/// may have words before or after it, as in CLL_CC="ccache gcc". `-show` prints the commands and runs none. With `#pragma cll parallel
/// OpenMP` give -fopenmp yourself. Nothing is taken away from the compiler's exit code.
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

    /// What the program was called as.
    #[arg(skip)]
    pub driver: Driver,
}

/// Run a program that was built by `cll cc` and keep what it records
///
/// A BSP program (one that includes bsp.h or pub.h) gets as many processors as -n says.
///
/// Writes PROGRAM.cll.RUN.dat, RUN counting from 0, in the folder it is called from (or -o, or
/// CLL_OUT). What the program had recorded is kept however it ends. Its input and output are its
/// own. The exit code is the program's, 128 + the signal's number if a signal ended it, 124 if
/// its time was up; 2 and 7 are ours when it could not be started or recorded.
///
/// With --launcher the program becomes a job of a batch system: it is handed in, waited for, what it prints
/// is printed, and its trace collected. The folder of the trace must be one that all nodes see. Ctrl-C
/// cancels the job.
///
/// A program that was built by `cll cc` also records without this command; then it writes its
/// trace itself.
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

    /// What carries the processors of a BSP program. Default: CLL_ENGINE, else processes
    #[arg(long, value_parser = engines(), value_name = "ENGINE")]
    pub engine: Option<Engine>,

    /// Log the supersteps of a BSP program in PROGRAM.cll.RUN.log: times, places, partners and bytes; of a
    /// program of MPI its calls, without compiling it again
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
            Engine::Processes => "Each is a process with memory of its own",
            Engine::Threads => "All are threads of one process, each with globals of its own",
            Engine::Mpi => "Each is a process that MPI starts, here or on other hosts",
            Engine::Virtual => {
                "Any number of processes that compute in turns, timed apart: what the program would take"
            }
        })
    };
    PossibleValuesParser::new(Engine::ALL.map(value))
        .try_map(|name| ENGINE.read_or_none(Some(name.as_bytes())).ok_or("no such engine"))
}

/// What virtual processors are like, and what is told of them.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Virtual processors")]
pub struct VirtualOptions {
    /// Processors that compute at a time. Default: CLL_CORES, else as many as there are cores
    #[arg(long, value_name = "C", value_parser = clap::value_parser!(u32).range(1..))]
    pub cores: Option<u32>,

    /// The machine whose communication counts: a file of cll machine, or the name of a published one.
    /// Default: none, and communication takes no time
    #[arg(long, value_name = "MACHINE", value_hint = ValueHint::FilePath)]
    pub machine: Option<PathBuf>,

    /// Run every N-th phase of a processor while no other computes, and tell what the others cost it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub alone: Option<u32>,

    /// Multiply phases by this: for a machine whose processors share more than C here do, or less. as-run:
    /// leave in the prediction what phases cost each other here, though --alone has found it
    #[arg(long, value_name = "FACTOR", value_parser = contended)]
    pub contention: Option<Contended>,

    /// The cache that a processor finds as it left it, such as 1M; 0: none, it finds what others left.
    /// Default: CLL_CACHE, else what a core here has by itself
    #[arg(long, value_name = "SIZE", value_parser = size_or_none)]
    pub cache: Option<u64>,

    /// Memory that all processors may need together, such as 500M or 16G. Default: what the system has
    /// available
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,

    /// Go on though the processors need more memory than there is
    #[arg(long)]
    pub overcommit: bool,

    /// Print what each superstep takes
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
    size.filter(|size| size >> power > 0).ok_or_else(|| "a size such as 500M or 16G".to_owned())
}

fn size_or_none(text: &str) -> Result<u64, String> {
    if text == "0" { Ok(0) } else { size(text).map_err(|_| "0, or a size such as 1M".to_owned()) }
}

/// What becomes of what phases cost each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contended {
    /// It stays as it was here.
    AsRun,
    /// All phases are multiplied.
    Factor(f64),
}

fn contended(text: &str) -> Result<Contended, String> {
    if text == "as-run" {
        return Ok(Contended::AsRun);
    }
    let factor: Option<f64> = text.parse().ok().filter(|f: &f64| f.is_finite() && *f > 0.0);
    factor
        .map(Contended::Factor)
        .ok_or_else(|| "a number above 0, such as 1.2, or as-run".to_owned())
}

impl VirtualOptions {
    /// The first that was given.
    pub fn given(&self) -> Option<&'static str> {
        [
            ("--cores", self.cores.is_some()),
            ("--machine", self.machine.is_some()),
            ("--alone", self.alone.is_some()),
            ("--contention", self.contention.is_some()),
            ("--cache", self.cache.is_some()),
            ("--memory", self.memory.is_some()),
            ("--overcommit", self.overcommit),
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
/// completions for bash, zsh and fish. Files of an earlier version are replaced.
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

    /// Also make the links bspcc, bspcxx and bsprun, which understand the options of other BSPlibs' drivers.
    /// Files of these names that are another BSPlib's are never replaced
    #[arg(long)]
    pub bsp_names: bool,
}

/// Print the completions of a shell
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

/// The shells there are completions for.
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
