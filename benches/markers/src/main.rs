//! Measures what a pair of markers costs beside two clock reads and a store.
//!
//! `cargo run --release -p bench-markers`
//!
//! Compiles `markers.c` with `gcc -O2` and runs it as `cll run` does, with a launcher that takes full blocks away, on
//! one thread and on two. Each figure is the median of 31 interleaved runs; the reference (two reads of the counter and
//! a record of 40 bytes stored in a ring that stays in the cache) is measured in the same runs. A third series runs
//! without a launcher, where the trace is a file of the program: for comparison, without a figure to reach. Disturbed
//! samples do not count: those where others had the processor, or the other half of its core. Where too little is left,
//! or the machine is not quiet otherwise, the figures are printed as not measurable now. A difference is compared by
//! the interval of its median (90 %).

#![forbid(unsafe_code)]

mod launcher;
#[path = "../../kernels/src/quiet.rs"]
mod quiet;
mod samples;

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Result, anyhow, ensure};

use crate::launcher::Launcher;
use crate::quiet::Watch;
use crate::samples::Samples;

/// Runs of each variant.
const RUNS: usize = 31;
/// Undisturbed batches that a figure needs, in percent of the runs.
const FEWEST: usize = 30;
/// An empty region beside the reference.
const RATIO: f64 = 1.2;
/// The time that a region may add to work beyond what the reference adds, nanoseconds.
const ADDED: f64 = 2.0;
/// The time that a region may cost while the gate is closed, nanoseconds.
const OFF: f64 = 0.5;
/// Nanoseconds of work.
const WORKS: [u32; 3] = [50, 500, 5000];

fn main() -> Result<ExitCode> {
    let folder = tempfile::tempdir()?;
    let program = compile(folder.path())?;
    let mut reached = true;
    for (threads, launched) in [(1, true), (2, true), (1, false)] {
        let mut watch = Watch::begin()?;
        watch.round();
        let samples = run(&program, folder.path(), threads, launched)?;
        watch.round();
        let watched = watch.end()?;
        let quiet = watched.is_quiet();
        let place = if launched { "with a launcher" } else { "without a launcher, to a file" };
        let s = if threads == 1 { "" } else { "s" };
        println!("{threads} thread{s}, {place}; {RUNS} runs, medians (quartiles), ns");
        reached &= print(&samples, quiet, launched);
        println!(
            "  machine {watched}; {:.1}% of batches were disturbed and do not count",
            100.0 * samples.disturbed()
        );
        println!();
    }
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the figures; `false` if one that is asked for was not reached on a quiet machine.
fn print(samples: &Samples, quiet: bool, asked: bool) -> bool {
    let mut reached = true;
    // Lowest and highest that the value may be, beside what it is to be at most.
    let mut verdict = |(low, high): (f64, f64), most: f64, count: usize| {
        let quiet = quiet && count >= FEWEST * RUNS / 100;
        reached &= low <= most || !quiet || !asked;
        match (asked, quiet) {
            (false, _) => "",
            (true, false) => "  not measurable now",
            (true, true) if high <= most => "  reached",
            (true, true) if low > most => "  NOT REACHED",
            (true, true) => "  not told apart from it",
        }
    };
    let (marked, floor) = (samples.quartiles(0, "marked"), samples.quartiles(0, "floor"));
    let ratio = marked.median() / floor.median();
    println!(
        "  empty region  {marked}; reference {floor}: {ratio:.3}x (at most {RATIO}x){}",
        verdict((ratio, ratio), RATIO, marked.count().min(floor.count()))
    );
    for work in WORKS {
        let beyond = samples.difference(work, "marked", "floor");
        println!(
            "  work of {work:<5} {}; the reference adds {}, a region beyond that {beyond} (at most {ADDED}){}",
            samples.quartiles(work, "bare"),
            samples.difference(work, "floor", "bare"),
            verdict(beyond.interval(), ADDED, beyond.count())
        );
    }
    let off = samples.difference(0, "off", "nothing");
    println!("  gate closed   {off} (at most {OFF}){}", verdict(off.interval(), OFF, off.count()));
    reached
}

fn compile(folder: &Path) -> Result<std::path::PathBuf> {
    let library = cll_archive::folder(&std::env::current_exe()?, cll_archive::TARGET);
    let libcll =
        cll_archive::build(&library, cll_archive::TARGET).map_err(|error| anyhow!("{error}"))?;
    let program = folder.join("markers");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("markers.c");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-Wall", "-Wextra", "-Werror", "-I"]).arg(libcll.header.with_file_name(""));
    gcc.arg("-o").arg(&program).arg(source).arg(&libcll.archive).args(["-lpthread", "-ldl", "-lm"]);
    ensure!(gcc.status()?.success(), "{gcc:?} failed");
    Ok(program)
}

fn run(program: &Path, folder: &Path, threads: usize, launched: bool) -> Result<Samples> {
    let mut command = Command::new(program);
    command.arg(RUNS.to_string()).arg(threads.to_string()).env("CLL_OUT", folder);
    let output = if launched {
        Launcher::new(&folder.join("trace"))?.run(&mut command)?
    } else {
        command.output()?
    };
    let message = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success() && message.is_empty(),
        "{command:?}: {}\n{message}",
        output.status
    );
    Samples::parse(&String::from_utf8_lossy(&output.stdout))
}
