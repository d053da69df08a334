//! Measures how long it takes to gather 10^7 samples of an MPI program at processor 0, with each MPI that is here:
//!
//!     cargo build --release -p cll && cargo run --release -p bench-gather
//!
//! In turns: the samples of two processes, gathered; the same without `report`, whose MPI_Finalize is what MPI takes
//! itself; the same samples recorded by one process into its file. The gather is to take at most twice what that takes.
//! As many bytes are also written plainly, in each of these runs: less than that no gather can take.

mod mpis;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

/// How often each is run.
const ROUNDS: usize = 5;
const SAMPLES: &str = "10000000";

/// Seconds.
#[derive(Clone, Copy)]
struct Run {
    recorded: f64,
    ended: f64,
    written: f64,
    bytes: f64,
}

fn main() -> Result<()> {
    mpis::each(measure)
}

fn measure(cll: &Path, mpi: &str) -> Result<()> {
    let place = tempfile::tempdir()?;
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("samples.c");
    let program = place.path().join("samples");
    let mut compiler = Command::new(cll);
    compiler.arg("cc").env("CLL_CC", format!("mpicc.{mpi}"));
    mpis::compile(&mut compiler, &source, &program)?;
    let run = |processes: &str, how: &str| -> Result<Run> {
        let folder = tempfile::tempdir_in(place.path())?;
        let mut command = Command::new(format!("mpirun.{mpi}"));
        if mpi == "openmpi" {
            command.arg("--oversubscribe");
        }
        command.args(["-n", processes]).arg(&program).args([SAMPLES, how]);
        command.current_dir(folder.path());
        command.envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
        let output = command.output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let numbers: Vec<f64> =
            text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [recorded, ended, written, bytes] if output.status.success() => {
                Ok(Run { recorded, ended, written, bytes })
            }
            _ => bail!("{command:?}: {text}{}", String::from_utf8_lossy(&output.stderr)),
        }
    };
    let (mut gathered, mut apart, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        gathered.push(run("2", "gather")?);
        apart.push(run("2", "apart")?);
        alone.push(run("1", "apart")?);
    }
    let median = |values: Vec<f64>| {
        let mut values = values;
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let median_of = |runs: &[Run], value: fn(&Run) -> f64| median(runs.iter().map(value).collect());
    let all: Vec<Run> = [&gathered[..], &apart, &alone].concat();
    let (written, recorded) =
        (median_of(&all, |run| run.written), median_of(&alone, |run| run.recorded));
    let gather = median_of(&gathered, |run| run.ended) - median_of(&apart, |run| run.ended);
    let gigabytes = gathered[0].bytes / 1e9;
    println!("{mpi}: {SAMPLES} samples, {gigabytes:.2} GB, medians of {ROUNDS} runs");
    println!("  written by one process, plainly   {written:.3} s");
    println!("  recorded by one process           {recorded:.3} s");
    println!(
        "  gathered from two                 {gather:.3} s: {:.2}x of recording (goal 2x), {:.2}x of plain writing",
        gather / recorded,
        gather / written
    );
    Ok(())
}
