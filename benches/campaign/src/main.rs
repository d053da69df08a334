//! Measures what a campaign costs beside its runs, and whether it loses any when it is killed:
//!
//!     cargo build --release -p cll && cargo run --release -p bench-campaign [RUNS]
//!
//! A campaign of 10,000 runs (or RUNS) of a program that does nothing, beside the same program started as often by
//! a loop of this benchmark: what is left is the work of `cll`, and what it needs to bind a run to its
//! processors and to look after it; and the processor time of `cll` alone, which other programs do not
//! change as much. Then the same campaign, killed 100 times at random instants.

#![forbid(unsafe_code)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

/// Runs of the campaign.
const RUNS: u32 = 10_000;
/// Different values of its parameter.
const VALUES: u32 = 100;
/// How often the program is started by itself, for comparison.
const BARE: u32 = 2_000;
/// How often the campaign is killed.
const KILLS: u32 = 100;

fn main() -> Result<()> {
    let cll = std::env::current_exe()?.with_file_name("cll");
    if !cll.is_file() {
        bail!("{} is not there: cargo build --release -p cll", cll.display());
    }
    println!(
        "load before: {}",
        std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim()
    );
    let runs: u32 = std::env::args().nth(1).map_or(Ok(RUNS), |word| word.parse())?;
    ensure!(runs > 0 && runs.is_multiple_of(VALUES), "RUNS is a multiple of {VALUES}");
    let before = bare()?;
    let place = tempfile::tempdir()?;
    let begin = Instant::now();
    let mut child = campaign(&cll, place.path(), "steady", runs).spawn()?;
    let mut own = 0.0;
    while child.try_wait()?.is_none() {
        own = processor_time(child.id()).unwrap_or(own);
        std::thread::sleep(Duration::from_millis(20));
    }
    let run_time = begin.elapsed().as_secs_f64() / f64::from(runs);
    let after = bare()?;
    ensure!(done(&cll, place.path(), "steady")? == runs, "not all runs are done");
    println!("a start of the program: {:.3} and {:.3} ms", 1e3 * before, 1e3 * after);
    println!("a run of a campaign of {runs}: {:.3} ms", 1e3 * run_time);
    println!("the tool's own work: {:.3} ms a run", 1e3 * (run_time - before.max(after)));
    println!("its own processor time: {:.3} ms a run", 1e3 * own / f64::from(runs));
    killed(&cll, place.path(), run_time * f64::from(runs), runs)
}

/// Seconds from start to end of the program.
fn bare() -> Result<f64> {
    let begin = Instant::now();
    for _ in 0..BARE {
        let mut command = Command::new("true");
        command.stdin(Stdio::null()).stdout(Stdio::null());
        ensure!(command.status()?.success(), "true fails");
    }
    Ok(begin.elapsed().as_secs_f64() / f64::from(BARE))
}

/// Seconds that a process has computed, without those that it has started.
fn processor_time(pid: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |k: usize| fields.get(k)?.parse::<f64>().ok();
    // In hundredths of a second on every Linux that there is.
    Some((ticks(11)? + ticks(12)?) / 100.0).filter(|time| *time > 0.0)
}

fn campaign(cll: &Path, place: &Path, name: &str, runs: u32) -> Command {
    let mut command = Command::new(cll);
    let book = format!("{name}.campaign");
    let rounds = (runs / VALUES).to_string();
    command.current_dir(place).args(["campaign", "run", "-q", "-o", &book, "--name", name]);
    command.args(["--vary", "N=1:100:+1", "--rounds", &rounds, "--yes", "--", "true", "{N}"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// How many runs of a book are done, each with what it took.
fn done(cll: &Path, place: &Path, name: &str) -> Result<u32> {
    let status = Command::new(cll)
        .current_dir(place)
        .args(["campaign", "status", "--json", &format!("{name}.campaign")])
        .output()?;
    let answer: serde_json::Value = serde_json::from_slice(&status.stdout)?;
    let runs = answer["runs"].as_array().context("no runs")?;
    let whole = |run: &&serde_json::Value| run["state"] == "done" && run["time_s"].is_number();
    Ok(runs.iter().filter(whole).count() as u32)
}

fn killed(cll: &Path, place: &Path, campaign_s: f64, runs: u32) -> Result<()> {
    let mut random = u64::from(std::process::id()) | 1 << 40;
    let mut last = 0;
    for kill in 1..=KILLS {
        let mut child = campaign(cll, place, "killed", runs).spawn()?;
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        // All of them together last about as long as the campaign.
        let most = (2e6 * campaign_s / f64::from(KILLS)) as u64;
        std::thread::sleep(Duration::from_micros(random % most.max(1)));
        child.kill()?;
        child.wait()?;
        if place.join("killed.campaign/book.sqlite").is_file() {
            let now = done(cll, place, "killed")?;
            ensure!(now >= last, "kill {kill}: of {last} runs {now} are left");
            last = now;
        }
    }
    let status = campaign(cll, place, "killed", runs).status()?;
    ensure!(status.success(), "after {KILLS} kills it does not go on");
    ensure!(done(cll, place, "killed")? == runs, "not all runs are done");
    println!("killed {KILLS} times, with {last} of {runs} runs done at the last: none was lost");
    Ok(())
}
