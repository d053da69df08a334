//! Models made on a loaded machine, beside one made on a quiet machine.
//!
//! `cargo build --release && cargo run --release -p bench-load`
//!
//! The matrix product and quicksort are sampled by `cll model` first on a quiet machine, then in
//! ten trials each beside two busy programs: in every second trial they are there all the time, in
//! the others they come and go. A trial passes if `cll model` says that nothing can be measured
//! now, or if its predictions at sizes between the measured ones are within 5 % of the quiet
//! model's. Error is (quiet - loaded)/quiet. If the machine is not quiet to begin with, nothing is
//! said.

#![forbid(unsafe_code)]

mod load;
mod models;
#[path = "../../kernels/src/program.rs"]
mod program;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use crate::load::Load;
use crate::models::{Made, largest_error, sample};
use crate::program::program;

const EXAMPLES: [&str; 2] = ["matrix_product", "quicksort"];
const TRIALS: usize = 10;
/// Largest error of a prediction.
const TARGET: f64 = 0.05;

fn main() -> Result<ExitCode> {
    if load::is_wanted() {
        return load::be_busy();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let folder = tempfile::tempdir()?;
    let cll = program()?;
    let mut passed = 0;
    let mut measured = 0;
    for example in EXAMPLES {
        let source = root.join(format!("examples/{example}/{example}.c"));
        let quiet = match sample(&cll, &source, &folder.path().join("quiet"), "180s")? {
            Made::Model(model) => model,
            Made::NotMeasurable(why) => {
                println!("{example}: {why}");
                println!("not measurable now: the machine is not quiet to begin with");
                return Ok(ExitCode::SUCCESS);
            }
        };
        for trial in 0..TRIALS {
            let steady = trial % 2 == 0;
            let load = Load::begin(2, steady)?;
            let made = sample(&cll, &source, &folder.path().join("loaded"), "10s")?;
            load.end();
            let (pass, what) = match made {
                Made::NotMeasurable(why) => (true, format!("not measurable now: {why}")),
                Made::Model(model) => {
                    measured += 1;
                    let error = largest_error(&quiet, &model)?;
                    let wide = model.disagreement;
                    (
                        error <= TARGET,
                        format!(
                            "largest error {:.1}%{}",
                            100.0 * error,
                            if wide > 0.0 {
                                format!(", widened by {:.1}%", 100.0 * wide)
                            } else {
                                String::new()
                            }
                        ),
                    )
                }
            };
            passed += usize::from(pass);
            let kind = if steady { "steady" } else { "coming and going" };
            let verdict = if pass { "" } else { "  WRONG" };
            println!("{example:<16} {kind:<17} {what}{verdict}");
        }
    }
    let trials = EXAMPLES.len() * TRIALS;
    println!(
        "\n{passed} of {trials} trials right, in {measured} of them by a number; target: all: {}",
        if passed == trials { "reached" } else { "MISSED" }
    );
    Ok(if passed == trials { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
