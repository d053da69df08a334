//! How quickly `cll profile show` makes a profile of a log that lies in the page cache, and how much memory it
//! takes.
//!
//! `cargo build --release && cargo run --release -p bench-profile`
//!
//! Made-up logs of 64 processors: 10^6 records in all, 10^6 supersteps of each processor (64·10^6 records, 2.6 GB),
//! and 10^6 records again that end at 3000 places instead of 27. The reference, taken in turns with it, is what
//! any reader does at least: both cores read the same file in blocks and work out their checksums. The peak of
//! memory is the system's account of the ended program.

#![forbid(unsafe_code)]

mod layout;
#[path = "../../kernels/src/program.rs"]
mod program;
mod written;

use cll_statistics::median;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Result, ensure};
use nix::sys::resource::{UsageWho, getrusage};

use crate::program::program;
use crate::written::{Shape, write};

/// Rounds of both; the median is told.
const ROUNDS: usize = 5;
/// The longest time allowed, seconds.
const GOAL_S: f64 = 1.0;
/// The largest memory allowed for 64 times the records, as a multiple of that for the smaller log.
const GOAL_MEMORY: f64 = 1.25;
const FEW: Shape = Shape { processors: 64, supersteps: 15_625, places: 27 };
const MANY: Shape = Shape { supersteps: 1_000_000, ..FEW };
const PLACES: Shape = Shape { places: 3000, ..FEW };

/// The argument with which this program is started to tell the peak of a child's memory.
const PEAK: &str = "peak-of";

fn main() -> Result<ExitCode> {
    let cll = program()?;
    if let [_, word, path] = &std::env::args().collect::<Vec<_>>()[..]
        && word == PEAK
    {
        shown(&cll, Path::new(path))?;
        println!("{}", getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss());
        return Ok(ExitCode::SUCCESS);
    }
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("made-up.cll.0.log");
    println!("records     nodes  seconds  million/s  reference  ratio   memory");
    let (few_s, few) = measured(&cll, &path, FEW)?;
    let (many_s, many) = measured(&cll, &path, MANY)?;
    measured(&cll, &path, PLACES)?;
    let verdict = |is_so| if is_so { "reached" } else { "MISSED" };
    let (quick, constant) = (many_s.max(few_s) <= GOAL_S, many / few <= GOAL_MEMORY);
    println!("\nat most {GOAL_S} s: {}", verdict(quick));
    println!("64 times the records, {:.2} times the memory: {}", many / few, verdict(constant));
    let laid_out = layout::layout();
    Ok(if quick && constant && laid_out { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Seconds, and the peak of memory in bytes.
fn measured(cll: &Path, path: &Path, shape: Shape) -> Result<(f64, f64)> {
    write(path, shape)?;
    // What it prints has a line for each node.
    let nodes = shown(cll, path)?.1;
    let mut times = Vec::new();
    let mut references = Vec::new();
    for _ in 0..ROUNDS {
        references.push(reference(path)?);
        times.push(shown(cll, path)?.0);
    }
    let peak = peak(path)?;
    let (seconds, reference) =
        (median(times).unwrap_or(f64::NAN), median(references).unwrap_or(f64::NAN));
    let records = shape.supersteps as f64 * f64::from(shape.processors);
    println!(
        "{records:<10}  {nodes:5}  {seconds:7.3}  {:9.1}  {reference:9.3}  {:5.2}  {:4.0} MB",
        records / seconds / 1e6,
        seconds / reference,
        peak / 1e6
    );
    Ok((seconds, peak))
}

/// The most memory that it has, bytes.
fn peak(path: &Path) -> Result<f64> {
    let output = Command::new(std::env::current_exe()?).arg(PEAK).arg(path).output()?;
    let kilobytes: f64 = String::from_utf8_lossy(&output.stdout).trim().parse()?;
    Ok(kilobytes * 1024.0)
}

/// Seconds that it takes, and the nodes that it shows.
fn shown(cll: &Path, path: &Path) -> Result<(f64, usize)> {
    let begin = Instant::now();
    let output = Command::new(cll)
        .args(["profile", "show"])
        .arg(path)
        .stderr(Stdio::inherit())
        .env("CLL_LOADED", "accept")
        .output()?;
    let seconds = begin.elapsed().as_secs_f64();
    ensure!(output.status.success(), "cll profile show: {}", output.status);
    let text = String::from_utf8_lossy(&output.stdout);
    let tree = text.lines().skip_while(|line| !line.starts_with("call tree"));
    Ok((seconds, tree.skip(1).take_while(|line| !line.is_empty()).count()))
}

/// Seconds in which all cores read the file and add up what is in it.
fn reference(path: &Path) -> Result<f64> {
    const BLOCK: u64 = 1 << 16;
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    let next = AtomicU64::new(0);
    let begin = Instant::now();
    let sum = || -> Result<u32> {
        let mut buffer = vec![0; BLOCK as usize];
        let mut sum = 0;
        loop {
            let offset = next.fetch_add(BLOCK, Ordering::Relaxed);
            if offset >= size {
                return Ok(sum);
            }
            let wanted = BLOCK.min(size - offset) as usize;
            file.read_exact_at(&mut buffer[..wanted], offset)?;
            sum ^= crc32fast::hash(&buffer[..wanted]);
        }
    };
    let threads = std::thread::available_parallelism()?.get();
    std::thread::scope(|scope| -> Result<()> {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(sum)).collect();
        for handle in all {
            match handle.join() {
                Ok(sum) => std::hint::black_box(sum?),
                Err(panic) => std::panic::resume_unwind(panic),
            };
        }
        Ok(())
    })?;
    Ok(begin.elapsed().as_secs_f64())
}
