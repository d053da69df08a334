//! `cll why` against the caches that valgrind's callgrind simulates.
//!
//! `cargo build --release && cargo run --release -p bench-why`
//!
//! Ten programs, five of them examples, run once with their accesses followed and once under callgrind, with caches of
//! two pairs of odd sizes. Where `cll why` says that an array leaves a level, misses of that level must become more
//! frequent: of the accesses that it names, at least half must begin to miss within 25 % of the size that it says. The array and the line must be the ones that the table names. The same two runs give the slow-down of following
//! against a run without it.

#![forbid(unsafe_code)]

mod caches;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::caches::{Caches, Misses};

/// How far misses may begin from the size that is said.
const NEAR: f64 = 1.25;
/// The part of the named accesses that must begin to miss there.
const PART: f64 = 0.5;
/// How fine the size is looked for at which half of the accesses miss, as a ratio.
const STEP: f64 = 1.01;
/// Wanted: so many of ten right.
const TARGET: f64 = 0.9;
/// The largest slow-down that is allowed.
const SLOWEST: f64 = 200.0;

struct Program {
    source: &'static str,
    experiment: &'static str,
    /// The array with most weight at each level, or those with as much, and the lines where it is used.
    array: &'static str,
    lines: &'static [u32],
    /// The function of the size that the accesses grow with: callgrind counts those of the library too.
    unit: fn(f64) -> f64,
    /// The replacements in the source, so that callgrind ends.
    smaller: &'static [(&'static str, &'static str)],
}

const PROGRAMS: [Program; 10] = [
    Program {
        source: "examples/matrix_init/matrix_init.c",
        experiment: "columns",
        unit: |n| n * n,
        array: "a",
        lines: &[26],
        smaller: &[("LARGEST = 3600, REPETITIONS = 5", "LARGEST = 300, REPETITIONS = 1")],
    },
    Program {
        source: "examples/matrix_init/matrix_init.c",
        experiment: "rows",
        unit: |n| n * n,
        array: "a",
        lines: &[36],
        smaller: &[("LARGEST = 3600, REPETITIONS = 5", "LARGEST = 300, REPETITIONS = 1")],
    },
    Program {
        source: "examples/quicksort/quicksort.c",
        experiment: "sort",
        unit: |n| n * n.log2(),
        array: "v",
        lines: &[18, 19, 20, 32, 35, 37, 40, 41, 42, 43, 44],
        smaller: &[("LARGEST = 1500000", "LARGEST = 60000"), ("VOLUME = 200000", "VOLUME = 9")],
    },
    Program {
        source: "examples/pointer_chase/pointer_chase.c",
        experiment: "walk",
        unit: |n| n,
        array: "ring",
        lines: &[46],
        smaller: &[("LARGEST = 600000, VOLUME = 40000", "LARGEST = 9000, VOLUME = 100")],
    },
    Program {
        source: "examples/matrix_product/matrix_product.c",
        experiment: "product",
        unit: |n| n * n * n,
        array: "b",
        lines: &[26],
        smaller: &[("LARGEST = 640, REPETITIONS = 2", "LARGEST = 170, REPETITIONS = 1")],
    },
    own("stencil", "stencil", "old|new", &[17, 18], |n| n * n),
    own("lookup", "lookup", "table", &[26], |n| n),
    own("transpose", "transpose", "a|b", &[13], |n| n * n),
    own("list", "list", "node", &[29, 30], |n| n),
    own("gather", "gather", "x|value|column", &[27], |n| n),
];

const fn own(
    name: &'static str,
    experiment: &'static str,
    array: &'static str,
    lines: &'static [u32],
    unit: fn(f64) -> f64,
) -> Program {
    Program { source: name, experiment, array, lines, unit, smaller: &[] }
}

fn main() -> Result<ExitCode> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let folder = tempfile::tempdir()?;
    let own = std::env::current_exe()?;
    let cll = own.parent().context("this program lies in no folder")?.join("cll");
    ensure!(cll.exists(), "{} is missing: cargo build --release first", cll.display());
    let (mut named, mut located, mut all) = (0, 0, 0);
    let (mut halved, mut of_halved) = (0, 0);
    let mut slowest = 0.0f64;
    println!(
        "{:<24} {:>5} {:>9} {:>22} {:>9} {:>13} {:>5} {:>6}  {:>6}",
        "experiment", "level", "bytes", "said", "misses", "half", "right", "named", "slower"
    );
    for program in &PROGRAMS {
        let source = prepared(program, &root, folder.path())?;
        let slower = slow_down(&cll, &source)?;
        slowest = slowest.max(slower);
        for caches in [Caches::FIRST, Caches::SECOND] {
            let misses = caches::misses(&cll, &source, program.experiment, caches, program.unit)?;
            let explanation = explain(&cll, &source, program.experiment, caches)?;
            for (level, bytes) in [("L1", caches.first), ("L2", caches.last)] {
                let Some(crossing) = heaviest(&explanation, level) else { continue };
                let Some(part) = risen(&misses, &explanation, level, crossing) else { continue };
                let is_named = program.array.split('|').any(|name| crossing["array"] == *name)
                    && crossing["lines"].as_array().is_some_and(|lines| {
                        lines.iter().any(|line| program.lines.iter().any(|number| *line == *number))
                    });
                let half = half(&misses, level, crossing);
                let is_halved = half
                    .zip(crossing["half"].as_f64())
                    .map(|(value, stated)| (1.0 / NEAR..NEAR).contains(&(value / stated)));
                of_halved += usize::from(half.is_some());
                halved += usize::from(is_halved == Some(true));
                all += 1;
                named += usize::from(is_named);
                located += usize::from(part >= PART);
                println!(
                    "{:<24} {:>5} {:>9} {:>22} {:>8.0}% {:>13} {:>5} {:>6}  {:>5.0}x",
                    program.experiment,
                    level,
                    bytes,
                    format!(
                        "{}:{} N = {:.0}",
                        crossing["array"].as_str().unwrap_or_default(),
                        crossing["line"],
                        crossing["at"].as_f64().unwrap_or(0.0)
                    ),
                    100.0 * part,
                    format!(
                        "{}/{}",
                        crossing["half"].as_f64().map_or("-".to_owned(), |one| format!("{one:.0}")),
                        half.map_or("-".to_owned(), |one| format!("{one:.0}"))
                    ),
                    is_halved.map_or("-", |is| if is { "yes" } else { "no" }),
                    if is_named { "yes" } else { "NO" },
                    slower,
                );
            }
        }
    }
    let share = |number: usize| number as f64 / f64::from(u32::try_from(all).unwrap_or(1).max(1));
    println!(
        "\n{named} of {all} name the array and the line, {located} have the place within 25 %; of {of_halved} the place where half of \
         the accesses miss is right within 25 % for {halved}; slow-down at most {slowest:.0}x"
    );
    let reached =
        share(named) >= TARGET && share(located) >= TARGET && slowest <= SLOWEST && all >= 10;
    println!(
        "target: 9 of 10 of both, at most {SLOWEST:.0}x: {}",
        if reached { "reached" } else { "MISSED" }
    );
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The source in the folder, with smaller sizes.
fn prepared(program: &Program, root: &Path, folder: &Path) -> Result<PathBuf> {
    let from = if program.source.ends_with(".c") {
        root.join(program.source)
    } else {
        root.join(format!("benches/why/programs/{}.c", program.source))
    };
    let mut text = std::fs::read_to_string(&from).with_context(|| from.display().to_string())?;
    for (old, new) in program.smaller {
        ensure!(text.contains(old), "{} has no {old}", from.display());
        text = text.replace(old, new);
    }
    let to = folder.join(from.file_name().context("a source has a name")?);
    std::fs::write(&to, text)?;
    Ok(to)
}

/// Returns the output of `cll why` for an experiment on a machine with these caches.
fn explain(cll: &Path, source: &Path, experiment: &str, caches: Caches) -> Result<Value> {
    let machine = source.with_extension("toml");
    std::fs::write(&machine, caches.machine())?;
    let output = Command::new(cll)
        .args(["why", "--json", "--budget", "60s", "-e", experiment, "--machine"])
        .args([&machine, source])
        .output()?;
    ensure!(
        output.status.success(),
        "cll why {}: {}",
        source.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The crossing of a level with most weight, of those at sizes that were followed.
fn heaviest<'a>(explanation: &'a Value, level: &str) -> Option<&'a Value> {
    let crossings = explanation["experiments"][0]["crossings"].as_array()?;
    crossings.iter().find(|crossing| crossing["level"] == level && crossing["measured"] == true)
}

/// The part of the accesses that a crossing names which begins to miss near it; `None` if it was not simulated on both
/// sides. All accesses that leave the level within the simulated sizes make the whole rise.
fn risen(misses: &Misses, explanation: &Value, level: &str, crossing: &Value) -> Option<f64> {
    let (crossing_size, share) = (crossing["at"].as_f64()?, crossing["share"].as_f64()?);
    let misses_of = |size: f64| misses.misses_at(level, size);
    let crossings = explanation["experiments"][0]["crossings"].as_array()?;
    let inside = crossings
        .iter()
        .filter(|crossing| crossing["level"] == level && crossing["measured"] == true);
    let all: f64 = inside.filter_map(|value| value["share"].as_f64()).sum();
    let part =
        (misses_of(crossing_size * NEAR)? - misses_of(crossing_size / NEAR)?) / misses.rise(level);
    Some(part / (share / all))
}

/// The size from which on half of the accesses that a crossing names miss; `None` if that was not simulated. What missed
/// before is not counted.
fn half(misses: &Misses, level: &str, crossing: &Value) -> Option<f64> {
    let (crossing_size, share) = (crossing["at"].as_f64()?, crossing["share"].as_f64()?);
    let mut size = crossing_size / NEAR;
    let before = misses.misses_at(level, size)?;
    while misses.misses_at(level, size)? - before < 0.5 * share * misses.accesses(size)? {
        size *= STEP;
    }
    Some(size)
}

/// How many times as long the program takes with its accesses followed.
fn slow_down(cll: &Path, source: &Path) -> Result<f64> {
    let plain = source.with_extension("plain");
    let built = Command::new("cc").args(["-O2", "-w", "-o"]).args([&plain, source]).status()?;
    ensure!(built.success(), "{} does not compile", source.display());
    let program = source.with_extension("marked");
    let built =
        Command::new(cll).args(["cc", "-O2", "-w", "-o"]).args([&program, source]).status()?;
    ensure!(built.success(), "cll cc: {} does not compile", source.display());
    let mut times = Vec::new();
    for _ in 0..3 {
        let begin = Instant::now();
        let status = Command::new(&program)
            .current_dir(source.parent().context("a source has a folder")?)
            .stdout(std::process::Stdio::null())
            .status()?;
        ensure!(status.success(), "{} fails", program.display());
        times.push(begin.elapsed().as_secs_f64());
    }
    let native = times.into_iter().fold(f64::MAX, f64::min);
    let output =
        Command::new(cll).args(["why", "--json", "--budget", "10m"]).arg(source).output()?;
    let said: Value = serde_json::from_slice(&output.stdout)?;
    let runs = said["runs"].as_array().context("no run")?;
    let followed: f64 = runs.iter().filter_map(|run| run["time_s"].as_f64()).sum();
    Ok(followed / native)
}
