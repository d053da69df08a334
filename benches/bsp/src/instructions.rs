//! Instructions of a superstep with one call in it, counted by callgrind.
//!
//! Processor 0 of two is counted. The other one begins with `main` (`CLL_START=exec`), outside of valgrind, and is
//! let into each superstep first: processor 0 finds what it waits for at its first look. A batch in which it had
//! to wait all the same has more instructions, so the smallest of the batches counts.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// Every call, and the instructions of a superstep with one of 8 bytes, `bsp_sync` included: with gcc 12 and
/// Rust 1.95 on x86-64. `get` is the same in each superstep, `other get` is not the same as the one before.
const CALLS: [(&str, f64); 5] =
    [("sync", 297.5), ("put", 696.5), ("get", 663.5), ("other get", 2041.3), ("send", 998.5)];

/// More than this beside the values above is a change to explain.
const TOLERANCE: f64 = 0.02;

/// Supersteps of a batch, as `instructions.c` has it.
const SUPERSTEPS: f64 = 50.0;

/// Runs of a call at most.
const RUNS: usize = 5;

/// Prints what a superstep takes; whether all is as it was.
pub fn print(program: &Path) -> Result<bool> {
    let version = Command::new("valgrind").arg("--version").output();
    if !version.is_ok_and(|output| output.status.success()) {
        println!("not measurable now: valgrind is needed");
        return Ok(true);
    }
    println!("instructions of a superstep with one call, two processors");
    let mut is_same = true;
    for (call, before) in CALLS {
        let (mut each, mut change) = (f64::INFINITY, f64::INFINITY);
        // On a loaded machine the processors may share a core throughout a run.
        for _ in 0..RUNS {
            let smallest =
                count(program, call)?.into_iter().min().context("nothing was counted")?;
            each = each.min(smallest as f64 / SUPERSTEPS);
            change = each / before - 1.0;
            if change <= TOLERANCE {
                break;
            }
        }
        is_same &= change.abs() <= TOLERANCE;
        println!("  {call:<10} {each:>7.1}, before {before:>7.1}: {:+.1} %", 100.0 * change);
    }
    Ok(is_same)
}

/// Instructions of each batch.
fn count(program: &Path, call: &str) -> Result<Vec<u64>> {
    let out = program.with_extension("calls");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--quiet", "--trace-children=no", "--combine-dumps=yes"]);
    valgrind.args(["--toggle-collect=superstep", "--dump-after=batch"]);
    valgrind.arg(format!("--callgrind-out-file={}.%p", out.display())).arg(program).arg(call);
    valgrind.env("CLL_NPROCS", "2").env("CLL_ENGINE", "processes").env("CLL_START", "exec");
    let child = valgrind.stderr(Stdio::piped()).spawn()?;
    // The process that watches over the machine writes a file, too.
    let out = format!("{}.{}", out.display(), child.id());
    let output = child.wait_with_output()?;
    let printed = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{valgrind:?}: {}\n{printed}", output.status);
    let text = std::fs::read_to_string(out)?;
    let totals = text.lines().filter_map(|line| line.strip_prefix("totals: "));
    let mut totals: Vec<u64> =
        totals.map(|total| total.trim().parse()).collect::<Result<_, _>>()?;
    // What is counted behind the last batch: nothing.
    totals.pop();
    Ok(totals)
}
