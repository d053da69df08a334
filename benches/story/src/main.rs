//! Prints the time that each step of making the SQL queries balanced (docs/profiling.md) gained, on every engine.
//!
//! `cargo build --release && cargo run --release -p bench-story`
//!
//! `examples/profile/sql` in its five versions, in rounds: each version once in a round, so that what
//! disturbs the machine for a while disturbs all. A gain is the first version's time beside another's in the
//! same round, as the program tells them; its median over the rounds, and the interval that the median lies in
//! with 98.8 % (order statistics). 1.20 means that the first version takes a fifth longer. On a machine that was
//! not quiet meanwhile the figures are printed all the same, and said to be disturbed.

#![forbid(unsafe_code)]

mod engines;
mod link;
#[path = "../../kernels/src/program.rs"]
mod program;
#[path = "../../kernels/src/quiet.rs"]
mod quiet;

use anyhow::{Context, Result, ensure};

use crate::engines::Setting;
use crate::quiet::Watch;

const ROUNDS: usize = 11;
/// Ranks, from 0, between which the median of so many lies with 98.8 %.
const INTERVAL: (usize, usize) = (1, 9);

/// Records of the largest table, as in Table 1 of the paper.
const RECORDS: &str = "12000";

/// The paper's steps, in its order, and one more.
const STEPS: [[&str; 2]; 5] = [
    ["unbalanced", "experiment"],
    ["balanced", "experiment"],
    ["balanced", "theory"],
    ["balanced", "network"],
    ["balanced", "regular"],
];

fn main() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let cll = program::program()?;
    engines::compile(&cll, folder.path())?;
    print!("{:<28} {:>3} {:>12}", "", "p", "first, ms");
    for step in &STEPS[1..] {
        print!("  {:<20}", step[1]);
    }
    println!();
    let mut watch = Watch::begin()?;
    for setting in engines::all(folder.path())? {
        watch.round();
        let rounds: Result<Vec<[f64; 5]>> =
            (0..ROUNDS).map(|_| round(&cll, &setting, folder.path())).collect();
        let rounds = rounds.with_context(|| setting.name.clone())?;
        let first = sorted(rounds.iter().map(|times| times[0]).collect());
        print!("{:<28} {:>3} {:>12.2}", setting.name, setting.processors, first[ROUNDS / 2]);
        for step in 1..STEPS.len() {
            let gains = sorted(rounds.iter().map(|times| times[0] / times[step]).collect());
            let (low, high) = (gains[INTERVAL.0], gains[INTERVAL.1]);
            print!("  {:4.2} [{low:4.2}, {high:4.2}]  ", gains[ROUNDS / 2]);
        }
        println!();
    }
    watch.round();
    let verdict = watch.end()?;
    println!("{verdict}{}", if verdict.is_quiet() { "" } else { ": times are disturbed" });
    Ok(())
}

/// Milliseconds of each version, one after the other.
fn round(cll: &std::path::Path, setting: &Setting, folder: &std::path::Path) -> Result<[f64; 5]> {
    let mut times = [0.0; 5];
    for (time, step) in times.iter_mut().zip(STEPS) {
        let mut command = setting.command(cll, folder);
        let output = command.args([RECORDS, step[0], step[1]]).output()?;
        let out = String::from_utf8_lossy(&output.stdout);
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{command:?}: {}\n{said}", output.status);
        let number = out.split_once(&format!("sample by {}: ", step[1]));
        let number = number.and_then(|(_, rest)| rest.split_whitespace().next()?.parse().ok());
        *time = number.with_context(|| format!("{command:?} printed {out:?}"))?;
    }
    Ok(times)
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}
