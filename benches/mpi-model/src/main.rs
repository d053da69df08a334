//! How well `cll mpi model` predicts runs that it does not know: the experiment of Laine, Midorikawa, Sato, Ching (2003),
//! the product of matrices on two processes, with each MPI that is here.
//!
//!     cargo build --release -p cll && cargo run --release -p bench-mpi-model -- [ROUNDS]
//!
//! Nine sizes make the model, ten between and beyond them are held out. Without ROUNDS it is run as often as `cll` does by
//! itself: five times, and more where the quickest runs differ. The goal on a quiet computer: a mean error of at
//! most 1 % at the held-out sizes, and 3 % at most (the paper: 8.4 %).

#![forbid(unsafe_code)]

#[path = "../../gather/src/mpis.rs"]
#[allow(dead_code)]
mod mpis;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Sizes that make the model, and those that are held out.
const IN: &str = "n=100:500:+50";
const OUT: &str = "n=125,175,225,275,325,375,425,475,550,600";
/// Goals: mean and largest error.
const MEAN: f64 = 0.01;
const LARGEST: f64 = 0.03;

fn main() -> Result<()> {
    mpis::each(measure)
}

fn measure(cll: &Path, mpi: &str) -> Result<()> {
    let rounds = std::env::args().nth(1);
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/mpi/matmul.c");
    let mut model = Command::new(cll);
    model
        .args(["mpi", "model"])
        .arg(source)
        .args(["--vary", IN, "--hold-out", OUT, "-n", "2"])
        .args(rounds.iter().flat_map(|count| ["--rounds", count.as_str()]))
        .args(["--json", "--quiet", "--", "{n}"])
        .env("CLL_MPIRUN", format!("mpirun.{mpi}"))
        .env("CLL_MPICC", format!("mpicc.{mpi}"));
    let output = model.output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let model: Value = serde_json::from_slice(&output.stdout)?;
    let number =
        |object: &Value, name: &str| object[name].as_f64().with_context(|| format!("no {name}"));
    println!(
        "{mpi}, {} runs: n, runs, measured ms, predicted ms, (measured - predicted)/measured",
        model["made"]
    );
    let points = model["held_out"].as_array().context("no held-out points")?;
    for point in points {
        println!(
            "  {:>4} {:>3} {:>9.3} {:>9.3} {:>+7.2} %",
            point["values"][0],
            point["rounds"],
            1e3 * number(point, "measured_s")?,
            1e3 * number(point, "predicted_s")?,
            100.0 * number(point, "error")?
        );
    }
    let errors = &model["errors"];
    let (mean, largest) = (number(errors, "mean")?, number(errors, "largest")?);
    let verdict = if mean <= MEAN && largest <= LARGEST { "reached" } else { "missed" };
    println!(
        "  mean {:.2} %, median {:.2} %, largest {:.2} %: {verdict} (1 %, 3 %)",
        100.0 * mean,
        100.0 * number(errors, "median")?,
        100.0 * largest
    );
    Ok(())
}
