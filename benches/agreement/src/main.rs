//! Pairs of models of the same program: do the constants agree within their intervals?
//!
//! `cargo build --release && cargo run --release -p bench-agreement`
//!
//! Each program is an example and is sampled twice by `cll model`, as a user would, each time from
//! the beginning. Two values of a constant agree if their intervals (90 %) overlap. Where a constant
//! has other values in other intervals of validity, the values that hold in the middle of each
//! are compared. Only pairs count of which both were made on a quiet machine, or with what was
//! disturbed left out; if there are too few, nothing is said.

#![forbid(unsafe_code)]

mod compare;
#[path = "../../kernels/src/program.rs"]
mod program;

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Result, ensure};
use cll_fit::Fit;
use serde_json::Value;

use crate::compare::{Agreement, compare};
use crate::program::program;

const PROGRAMS: [&str; 4] = ["matrix_init", "matrix_product", "pointer_chase", "quicksort"];
const PAIRS: usize = 3;
/// Share of the constants that agree.
const TARGET: f64 = 0.90;
/// With fewer constants than this nothing is said.
const FEWEST: usize = 20;

fn main() -> Result<ExitCode> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let folder = tempfile::tempdir()?;
    let cll = program()?;
    let mut all = Agreement::default();
    for program in PROGRAMS {
        let source = root.join(format!("examples/{program}/{program}.c"));
        let mut own = Agreement::default();
        for _ in 0..PAIRS {
            let sample = || sample(&cll, &source, &folder.path().join(program));
            let (first, second) = (sample()?, sample()?);
            let (Some(first), Some(second)) = (first, second) else {
                println!("{program:<16} a pair was not measurable");
                continue;
            };
            for ((name, a), (_, b)) in first.iter().zip(&second) {
                let found = compare(a, b);
                found.apart.iter().for_each(|what| println!("{program:<16} {name}: {what}"));
                own.add(found);
            }
        }
        println!("{program:<16} {own}");
        all.add(own);
    }
    println!("\nall programs     {all}");
    if all.constants < FEWEST {
        println!("not measurable now: fewer than {FEWEST} constants of undisturbed pairs");
        return Ok(ExitCode::SUCCESS);
    }
    let reached = all.share() >= TARGET;
    println!(
        "target: at least {:.0}% agree: {}",
        100.0 * TARGET,
        if reached { "reached" } else { "MISSED" }
    );
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The fits of a program's experiments; `None` if nothing can be measured now.
fn sample(cll: &Path, source: &Path, out: &Path) -> Result<Option<Vec<(String, Fit)>>> {
    let output = Command::new(cll)
        .args(["model", "--fresh", "--quiet", "--loaded", "refuse", "-o"])
        .arg(out)
        .arg(source)
        .output()?;
    if output.status.code() == Some(8) {
        return Ok(None);
    }
    ensure!(
        output.status.success(),
        "cll model {}: {}",
        source.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    let model: Value = serde_json::from_slice(&std::fs::read(out.join("model.json"))?)?;
    let mut fits = Vec::new();
    for experiment in model["experiments"].as_array().into_iter().flatten() {
        let name = experiment["name"].as_str().unwrap_or_default().to_owned();
        fits.push((name, serde_json::from_value(experiment["fit"].clone())?));
    }
    Ok(Some(fits))
}
