//! Five kernels through the whole pipeline, every third size held out.
//!
//! `cargo build --release && cargo run --release -p bench-kernels`
//!
//! Each kernel is an example, sampled by `cll model` as a user would. Its trace
//! is split by size: two thirds are fitted, the others predicted and compared.
//! Error is (measured - model)/measured; measured is the median of a size's
//! repetitions. Beside the errors: where the boundaries of the intervals lie in
//! bytes, what the system says of its caches, and whether the machine was quiet.
//! On a machine that was not, the figures are printed as not measurable now.

#![forbid(unsafe_code)]

mod caches;
mod hold_out;
mod program;
mod quiet;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use cll_trace::Trace;

use crate::quiet::Watch;

/// Median error on held-out sizes that is aimed at.
const TARGET: f64 = 0.05;

struct Kernel {
    example: &'static str,
    experiment: &'static str,
    /// Bytes the kernel goes through again and again, by its size.
    bytes: fn(f64) -> f64,
}

const KERNELS: [Kernel; 5] = [
    Kernel { example: "matrix_init", experiment: "columns", bytes: |n| 8.0 * n * n },
    Kernel { example: "matrix_init", experiment: "rows", bytes: |n| 8.0 * n * n },
    Kernel { example: "quicksort", experiment: "sort", bytes: |n| 4.0 * n },
    Kernel { example: "pointer_chase", experiment: "walk", bytes: |n| 64.0 * n },
    Kernel { example: "matrix_product", experiment: "product", bytes: |n| 8.0 * n * n },
];

fn main() -> Result<ExitCode> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let folder = tempfile::tempdir()?;
    let cll = program::program()?;

    println!("caches, as the system says: {}\n", caches::as_the_system_says());
    println!(
        "{:<22} {:>6} {:>8} {:>8} {:>8} {:>8}  intervals end at",
        "experiment", "sizes", "held out", "median", "p90", "largest"
    );
    let mut sampled: Option<(&str, Trace)> = None;
    let mut reached = true;
    let mut watch = Watch::begin()?;
    for kernel in &KERNELS {
        if sampled.as_ref().is_none_or(|(example, _)| *example != kernel.example) {
            watch.round();
            sampled = Some((kernel.example, sample(&cll, &root, kernel.example, folder.path())?));
        }
        let (_, trace) = sampled.as_ref().expect("sampled above");
        let result = hold_out::evaluate(trace, kernel.experiment)
            .with_context(|| format!("{}: {}", kernel.example, kernel.experiment))?;
        reached &= result.median <= TARGET;
        let ends: Vec<String> = result
            .boundaries
            .iter()
            .map(|&(left, right)| {
                let (low, high) = ((kernel.bytes)(left), (kernel.bytes)(right));
                format!("{}..{}", caches::bytes(low), caches::bytes(high))
            })
            .collect();
        println!(
            "{:<22} {:>6} {:>8} {:>7.1}% {:>7.1}% {:>7.1}%  {}",
            format!("{}: {}", kernel.example, kernel.experiment),
            result.sizes,
            result.held_out,
            100.0 * result.median,
            100.0 * result.p90,
            100.0 * result.largest,
            if ends.is_empty() { "-".to_owned() } else { ends.join(", ") },
        );
    }
    watch.round();

    let verdict = watch.end()?;
    println!("\n{verdict}");
    if !verdict.is_quiet() {
        println!("not measurable now: target of {:.0}% neither reached nor missed", 100.0 * TARGET);
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "target: median at most {:.0}% on each: {}",
        100.0 * TARGET,
        if reached { "reached" } else { "MISSED" }
    );
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Lets `cll model` sample an example; its traces, one a launch.
fn sample(cll: &Path, root: &Path, example: &str, folder: &Path) -> Result<Trace> {
    let out = folder.join(example);
    let output = Command::new(cll)
        .args(["model", "--loaded", "accept"])
        .arg(root.join(format!("examples/{example}/{example}.c")))
        .arg("-o")
        .arg(&out)
        .output()?;
    ensure!(
        output.status.success(),
        "cll model {example}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut traces: Vec<PathBuf> = std::fs::read_dir(&out)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "dat"))
        .collect();
    traces.sort();
    ensure!(!traces.is_empty(), "cll model {example} left no trace in {}", out.display());
    let read = |path: &PathBuf| -> Result<Trace> {
        cll_trace::read(std::fs::File::open(path)?).with_context(|| path.display().to_string())
    };
    Ok(Trace::merge(traces.iter().map(read).collect::<Result<_>>()?))
}
