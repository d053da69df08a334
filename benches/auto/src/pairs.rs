//! A program with markers and without, in turn.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};
use nix::sys::resource::{UsageWho, getrusage};

use crate::programs::Program;

/// Pairs of runs.
const PAIRS: usize = 9;

/// The results for a program.
pub struct Found {
    /// Whether the output is the same.
    pub is_same: bool,
    /// Median of the seconds of processor time without markers.
    pub without: f64,
    /// Median of the share by which that with markers takes longer.
    pub share: f64,
    /// The second smallest and the second largest of these: a 96 % interval of the median of nine.
    pub low: f64,
    /// See there.
    pub high: f64,
    /// How many pairs.
    pub pairs: usize,
}

/// Runs both at a size.
pub fn compare(program: &Program, size: u64, plain: &Path, auto: &Path) -> Result<Found> {
    let mut shares = Vec::new();
    let mut without = Vec::new();
    let mut is_same = true;
    for pair in 0..PAIRS {
        let (bare, marked) = if pair % 2 == 0 {
            let bare = run(program, size, plain)?;
            (bare, run(program, size, auto)?)
        } else {
            let marked = run(program, size, auto)?;
            (run(program, size, plain)?, marked)
        };
        is_same &= bare.1 == marked.1 && !bare.1.is_empty();
        without.push(bare.0);
        shares.push(marked.0 / bare.0 - 1.0);
    }
    shares.sort_by(f64::total_cmp);
    without.sort_by(f64::total_cmp);
    Ok(Found {
        is_same,
        without: without[PAIRS / 2],
        share: shares[PAIRS / 2],
        low: shares[1],
        high: shares[PAIRS - 2],
        pairs: PAIRS,
    })
}

/// Seconds of processor time, and the output. A program with markers writes its trace, too: that is part of what
/// measuring costs.
fn run(program: &Program, size: u64, folder: &Path) -> Result<(f64, Vec<u8>)> {
    let size = size.to_string();
    let written = program.output.map(|name| folder.join(name.replace("{N}", &size)));
    if let Some(path) = &written {
        let _ = fs::remove_file(path);
    }
    for entry in fs::read_dir(folder)?.flatten() {
        if entry.path().extension().is_some_and(|end| end == "dat") {
            fs::remove_file(entry.path())?;
        }
    }
    let mut command = Command::new(folder.join(program.program));
    command.args(program.arguments.iter().map(|word| word.replace("{N}", &size)));
    let before = children()?;
    let done = command.current_dir(folder).stdin(Stdio::null()).stderr(Stdio::null()).output()?;
    let after = children()?;
    ensure!(done.status.success(), "{} {size}: {}", program.name, done.status);
    let output = match written {
        Some(path) => fs::read(path)?,
        None => done.stdout,
    };
    Ok((after - before, output))
}

/// Seconds of processor time of all processes that have ended.
fn children() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + 1e-6 * time.tv_usec() as f64;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}
