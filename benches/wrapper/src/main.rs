//! Measures what the log of MPI's calls costs, with each MPI that is here:
//!
//!     cargo build --release -p cll && cargo run --release -p bench-wrapper
//!
//! The same program with the log and without, in turns: a call that does nothing, beside two reads of the
//! clock; a step of about 10 µs of work and an exchange between two processes; bytes of log a call.
//!
//! With `-- reading`: what reading a log takes, of a million messages and of 4·10^7 calls (1 GB of disk for a while).

#[path = "../../gather/src/mpis.rs"]
mod mpis;
mod reading;

use cll_statistics::{quantile, sorted};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// How often the program is run with the log and without.
const ROUNDS: usize = 7;

/// Nanoseconds.
#[derive(Clone, Copy)]
struct Run {
    call: f64,
    clock: f64,
    step: f64,
    calls: u64,
}

fn main() -> Result<()> {
    match std::env::args().nth(1).as_deref() {
        None => mpis::each(measure),
        Some("reading") => mpis::each(reading::measure),
        Some(other) => bail!("{other}: reading, or nothing"),
    }
}

fn measure(cll: &Path, mpi: &str) -> Result<()> {
    let place = tempfile::tempdir()?;
    let program = place.path().join("calls");
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("calls.c");
    mpis::compile(&mut Command::new(format!("mpicc.{mpi}")), &source, &program)?;
    let launcher = format!("mpirun.{mpi}");
    let (mut plain, mut logged, mut bytes) = (Vec::new(), Vec::new(), 0);
    for round in 0..ROUNDS {
        let mut without = Command::new(&launcher);
        if mpi == "openmpi" {
            without.arg("--oversubscribe");
        }
        plain.push(run(without.args(["-n", "2"]).arg(&program))?);
        let folder = place.path().join(format!("log{round}"));
        let mut with = Command::new(cll);
        with.args(["run", "-n", "2", "--log", "-o"]).arg(&folder).arg(&program);
        logged.push(run(with.env("CLL_MPIRUN", &launcher))?);
        bytes = std::fs::read_dir(&folder)?
            .map(|file| Ok(file?.metadata()?.len()))
            .collect::<Result<Vec<u64>>>()?
            .into_iter()
            .max()
            .context("no log")?;
        std::fs::remove_dir_all(&folder)?;
    }
    let median_and_least = |runs: &[Run], value: fn(&Run) -> f64| {
        let all = sorted(runs.iter().map(value));
        (quantile(&all, 0.5), all[0])
    };
    let (call, least_call) = median_and_least(&logged, |run| run.call);
    let (bare, least_bare) = median_and_least(&plain, |run| run.call);
    let (clock, least_clock) = median_and_least(&logged, |run| run.clock);
    let (step, _) = median_and_least(&logged, |run| run.step);
    let (bare_step, _) = median_and_least(&plain, |run| run.step);
    println!("{mpi}: medians of {ROUNDS} runs (least in parentheses)");
    println!("  a call that does nothing      {bare:.1} ns ({least_bare:.1})");
    println!("  the same, logged              {call:.1} ns ({least_call:.1})");
    println!("  two reads of the clock        {clock:.1} ns ({least_clock:.1})");
    println!(
        "  wrapper beyond these          {:.1} ns ({:.1}); goal 15",
        call - bare - clock,
        least_call - least_bare - least_clock
    );
    println!(
        "  a step of work and exchange   {:.2} µs, logged {:.2} µs: {:+.1} %; goal 2 % at 10 µs",
        bare_step / 1e3,
        step / 1e3,
        100.0 * (step / bare_step - 1.0)
    );
    println!(
        "  log                           {:.1} bytes a call; goal 16",
        bytes as f64 / logged[0].calls as f64
    );
    Ok(())
}

fn run(command: &mut Command) -> Result<Run> {
    command.envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [call, clock, step, calls] if output.status.success() => {
            Ok(Run { call, clock, step, calls: calls as u64 })
        }
        _ => bail!("{command:?}: {text}{}", String::from_utf8_lossy(&output.stderr)),
    }
}
