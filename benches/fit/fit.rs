//! 1000 experiments with intervals, and Extra-P on the same data: `cargo bench -p cll-fit`.
//!
//! The experiments have 25 sizes of 5 repetitions and up to two breaks. With a Python that has
//! `extrap` (see `extra_p.py` for how) its time is measured too; `EXTRAP_PYTHON` names it, else
//! `benches/fit/venv/bin/python` is tried. Seeds are fixed; each time is the least of several runs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use cll_fit::{Data, Intervals, Options, fit};
use cll_formula::Formula;
use fastrand::Rng;

const EXPERIMENTS: usize = 1000;
const REPETITIONS: usize = 5;
const SEED: u64 = 20_030_401;
const GOAL: f64 = 0.3;

fn main() {
    let formula = cll_formula::parse("f", "f[0] + f[1]*N + f[2]*N*log2(N)").formula;
    let Some(formula) = formula else {
        eprintln!("the benchmark's formula cannot be read");
        std::process::exit(1);
    };
    let dynamic = Options::default();
    let none = Options { intervals: Intervals::None, ..Options::default() };
    println!("{EXPERIMENTS} experiments, {REPETITIONS} repetitions, seed {SEED}, one thread");
    let mut ours = Vec::new();
    for points in [25, 5] {
        let experiments = experiments(points);
        let with = least(7, || run(&formula, &experiments, &dynamic));
        let without = least(7, || run(&formula, &experiments, &none));
        println!("{points:>6} points: {with:.4} s with intervals, {without:.4} s without");
        ours.push((points, with, experiments));
    }
    let goal = ours[0].1;
    println!("goal: {GOAL} s for 25 points with intervals: {} (wall time)", verdict(goal <= GOAL));
    for size in [1_000, 10_000, 100_000] {
        let mut rng = Rng::with_seed(SEED);
        let data = [experiment(size, &mut rng)];
        let seconds = least(3, || run(&formula, &data, &dynamic));
        println!("one experiment of {size:>6} sizes, with intervals: {seconds:.4} s");
    }
    beside(&ours);
}

fn verdict(reached: bool) -> &'static str {
    if reached { "reached" } else { "not reached" }
}

fn run(formula: &Formula, experiments: &[Data], options: &Options) -> usize {
    experiments
        .iter()
        .map(|data| fit(formula, data, options).map_or(0, |f| f.intervals.len()))
        .sum()
}

fn least(runs: usize, mut work: impl FnMut() -> usize) -> f64 {
    (0..runs)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(work());
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

fn experiments(points: usize) -> Vec<Data> {
    let mut rng = Rng::with_seed(SEED);
    (0..EXPERIMENTS).map(|_| experiment(points, &mut rng)).collect()
}

/// Sizes spread geometrically from 16; the constants jump at up to two places; 5 % noise and a
/// spike now and then.
fn experiment(points: usize, rng: &mut Rng) -> Data {
    let ratio = (1e6_f64 / 16.0).powf(1.0 / (points as f64 - 1.0)).max(1.0);
    let breaks = [rng.usize(..points), rng.usize(..points)];
    let mut constants = [rng.f64() * 1e-5, rng.f64() * 1e-8, 1e-9 + rng.f64() * 1e-8];
    let mut rows = Vec::with_capacity(points * REPETITIONS);
    for i in 0..points {
        if breaks.contains(&i) {
            constants[2] *= 1.2 + rng.f64();
        }
        let n = if points > 100 { 16.0 + i as f64 } else { (16.0 * ratio.powi(i as i32)).round() };
        let time = constants[0] + constants[1] * n + constants[2] * n * n.log2();
        for _ in 0..REPETITIONS {
            let noise: f64 = (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0;
            let spike = if rng.usize(..200) == 0 { 5.0 } else { 1.0 };
            rows.push((vec![n], time * (1.0 + 0.05 * noise).max(0.1) * spike));
        }
    }
    Data::from_rows(vec!["N".to_owned()], rows)
}

/// Extra-P on the same numbers.
fn beside(ours: &[(usize, f64, Vec<Data>)]) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/fit");
    let python = std::env::var_os("EXTRAP_PYTHON")
        .map_or_else(|| here.join("venv/bin/python"), PathBuf::from);
    let script = here.join("extra_p.py");
    let result = Command::new(&python).arg(&script).arg("--version").output();
    let version = match result {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
        _ => {
            println!("Extra-P: not found with {} (see benches/fit/extra_p.py)", python.display());
            return;
        }
    };
    for (points, seconds, experiments) in ours {
        let file =
            std::env::temp_dir().join(format!("cll-bench-{}-{points}.txt", std::process::id()));
        let written = std::fs::write(&file, extrap_text(experiments));
        let output = written.and_then(|()| Command::new(&python).arg(&script).arg(&file).output());
        // The file is temporary; that it stays is no failure of the benchmark.
        let _ = std::fs::remove_file(&file);
        match output {
            Ok(output) if output.status.success() => {
                let text = String::from_utf8_lossy(&output.stdout);
                let theirs: f64 = text.trim().parse().unwrap_or(f64::NAN);
                println!(
                    "Extra-P {}, {points} points: {theirs:.2} s, {:.0} times ours",
                    version.trim(),
                    theirs / seconds
                );
            }
            Ok(output) => println!("Extra-P failed: {}", String::from_utf8_lossy(&output.stderr)),
            Err(error) => println!("Extra-P could not be run: {error}"),
        }
    }
}

/// Extra-P's text format.
fn extrap_text(experiments: &[Data]) -> String {
    let mut text = String::from("PARAMETER N\nPOINTS");
    for point in &experiments[0].points {
        let _ = write!(text, " ({})", point.values[0]);
    }
    text.push_str("\nMETRIC time\n");
    for (i, data) in experiments.iter().enumerate() {
        let _ = writeln!(text, "REGION f{i}");
        for point in &data.points {
            let cells: Vec<String> = point.observations.iter().map(f64::to_string).collect();
            let _ = writeln!(text, "DATA {}", cells.join(" "));
        }
    }
    text
}
