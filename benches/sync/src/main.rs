//! How far apart two processes of an MPI program begin, with each MPI that is here:
//!
//!     cargo build --release -p cll && cargo run --release -p bench-sync
//!
//! In turns, within one run: behind an `MPI_Barrier` by hand, and behind `sync`, by a barrier and in a window. A window is
//! to bring them closer together than the barrier does.

#[path = "../../gather/src/mpis.rs"]
mod mpis;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

/// How often each is run.
const ROUNDS: usize = 5;
const PASSAGES: &str = "20000";

fn main() -> Result<()> {
    mpis::each(measure)
}

fn measure(cll: &Path, mpi: &str) -> Result<()> {
    let place = tempfile::tempdir()?;
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("together.c");
    let program = place.path().join("together");
    let mut compiler = Command::new(cll);
    compiler.arg("cc").env("CLL_CC", format!("mpicc.{mpi}"));
    mpis::compile(&mut compiler, &source, &program)?;
    let run = |asked: &str| -> Result<Vec<f64>> {
        let folder = tempfile::tempdir_in(place.path())?;
        let mut command = Command::new(format!("mpirun.{mpi}"));
        command.args(["-n", "2"]).arg(&program).arg(PASSAGES).current_dir(folder.path());
        command.envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
        let output = command.env("CLL_SYNC", asked).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let numbers: Vec<f64> =
            text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        match numbers.len() {
            7 if output.status.success() => Ok(numbers),
            _ => bail!("{command:?}: {text}{}", String::from_utf8_lossy(&output.stderr)),
        }
    };
    let (mut barrier, mut window) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        barrier.push(run("barrier")?);
        window.push(run("window")?);
    }
    let median = |runs: &[Vec<f64>], which: usize| {
        let mut values: Vec<f64> = runs.iter().map(|run| run[which]).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    println!("{mpi}: {PASSAGES} passages, medians of {ROUNDS} runs; nanoseconds");
    let by_hand: Vec<Vec<f64>> = [&barrier[..], &window].concat();
    let line = |name: &str, runs: &[Vec<f64>], from: usize| {
        let [apart, most, took] = [0, 1, 2].map(|which| median(runs, from + which));
        println!("  {name:<20} apart {apart:.0}, nine of ten within {most:.0}; takes {took:.0}");
        apart
    };
    let reference = line("MPI_Barrier by hand", &by_hand, 0);
    let barrier = line("sync by a barrier", &barrier, 3);
    let window = line("sync in a window", &window, 3);
    println!(
        "  apart beside the barrier by hand: {:.2}x by a barrier, {:.2}x in a window",
        barrier / reference,
        window / reference
    );
    Ok(())
}
