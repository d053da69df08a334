//! How well two ranks of MPI on one core predict two on separate cores, beside SimGrid's simulator SMPI.
//!
//!     cargo build --release -p cll && cargo run --release -p bench-virtual --bin ranks -- MACHINE
//!
//! MACHINE is a file of this computer with times of MPI (`cll machine probe --mpi`); without it communication takes no
//! time. Each program runs in turn on two cores; on one core with `--engine virtual`; and, with MACHINE and where there is
//! `smpirun`, in SMPI on a platform that is made of MACHINE. Each of them times itself from `MPI_Init` to `MPI_Finalize`.
//! Runs on cores that another virtual machine shared are left out, and pairs before or after which the machine was not at
//! its best (`quiet`). The error is
//! (measured - predicted)/measured of the medians; beside it that of the quickest runs, since disturbances only add. The
//! goal: at most 5 % in the median over programs, and at most 10 % for the conjugate gradient whose matrix fits into a
//! core's cache only in halves.

#![forbid(unsafe_code)]

#[path = "../../../gather/src/mpis.rs"]
mod mpis;
#[path = "../../../kernels/src/quiet.rs"]
#[allow(dead_code, reason = "the verdict on all rounds is not asked for here")]
mod quiet;
#[path = "../smpi.rs"]
mod smpi;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use cll_statistics::median;

use crate::quiet::Watch;

/// Source, arguments.
const PROGRAMS: [(&str, &str); 7] = [
    ("heat", "600 300 blocking"),
    ("heat", "600 300 overlap"),
    ("matrix", "500"),
    ("pipeline", "60 20000"),
    ("farm", "60 400000"),
    ("cg", "24000 7 300"),
    ("cg", "8000 14 600"),
];
/// Milliseconds that ranks on two cores compute before their time is taken (`mpi/whole_cores.h`).
const WARM_UP: &str = "50";
/// Pairs of runs with whole cores and with the machine at its best around them, and pairs at most.
const PAIRS: (usize, usize) = (7, 60);
/// The cores of a run were whole if the additions took no more than so many times the least of all runs.
const WHOLE: f64 = 1.05;
const MOST: f64 = 0.05;

fn main() -> Result<()> {
    mpis::each(measure)
}

fn measure(cll: &Path, mpi: &str) -> Result<()> {
    let place = tempfile::tempdir()?;
    let sources = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("mpi");
    let machine = std::env::args_os().nth(1);
    let simulator = match &machine {
        Some(machine) => smpi::Smpi::new(cll, Path::new(machine), mpi, place.path())?,
        None => None,
    };
    let (mut errors, mut simulated_errors) = (Vec::new(), Vec::new());
    let mut watch = Watch::begin()?;
    let mut least = f64::INFINITY;
    println!("{mpi}: ms on two cores, predicted from one");
    for (name, arguments) in PROGRAMS {
        let program = place.path().join(name);
        let source = sources.join(name).with_extension("c");
        if !program.exists() {
            mpis::compile(&mut Command::new(format!("mpicc.{mpi}")), &source, &program)?;
        }
        let words: Vec<&str> = arguments.split(' ').collect();
        let mut pairs: Vec<Pair> = Vec::new();
        watch.round();
        let has_few = |pairs: &[Pair], least: f64, watch: &Watch| {
            let (whole_cores, best) = good(pairs, least, watch);
            whole_cores.len().min(best.len()) < PAIRS.0
        };
        while has_few(&pairs, least, &watch) && pairs.len() < PAIRS.1 {
            let mut launcher = Command::new(format!("mpirun.{mpi}"));
            launcher.args(["-n", "2"]).arg(&program).args(&words).env("WARM_UP", WARM_UP);
            let real = output(&mut launcher)?;
            let (real, width) = real.trim().split_once(' ').context("two numbers")?;
            let (real, width) = (real.parse::<f64>()?, width.parse::<f64>()?);
            least = least.min(width);
            let mut virtually = Command::new(cll);
            virtually.args(["run", "-n", "2", "--engine", "virtual", "--cores", "1", "--json"]);
            if let Some(machine) = &machine {
                virtually.arg("--machine").arg(machine);
            }
            virtually.env("CLL_MPIRUN", format!("mpirun.{mpi}")).arg(&program).args(&words);
            let predicted = total(&output(&mut virtually)?)?;
            let simulated = match &simulator {
                Some(simulator) => Some(simulator.seconds(&source, name, &words)?),
                None => None,
            };
            watch.round();
            pairs.push(Pair { real, width, predicted, simulated, round: watch.rounds() - 1 });
        }
        let (whole_cores, best) = good(&pairs, least, &watch);
        let real: Vec<f64> = whole_cores.iter().map(|pair| pair.real).collect();
        let predicted: Vec<f64> = best.iter().map(|pair| pair.predicted).collect();
        let simulated: Vec<f64> = best.iter().filter_map(|pair| pair.simulated).collect();
        if real.is_empty() || predicted.is_empty() {
            println!("  {name} {arguments}: not measurable now: no run had whole cores");
            continue;
        }
        let median_of = |all: &[f64]| median(all.iter().copied()).unwrap_or(0.0);
        let least = |all: &[f64]| all.iter().copied().fold(f64::MAX, f64::min);
        let off = |statistic: &dyn Fn(&[f64]) -> f64, all: &[f64]| {
            1.0 - statistic(all) / statistic(&real)
        };
        let error = off(&median_of, &predicted);
        print!(
            "  {name} {arguments}, {} and {} of {} pairs: {:.2}, {:.2}: {:+.1} %; quickest {:+.1} %",
            real.len(),
            predicted.len(),
            pairs.len(),
            1e3 * median_of(&real),
            1e3 * median_of(&predicted),
            100.0 * error,
            100.0 * off(&least, &predicted)
        );
        errors.push(error.abs());
        if simulator.is_some() {
            let error = off(&median_of, &simulated);
            print!("; SMPI {:.2}: {:+.1} %", 1e3 * median_of(&simulated), 100.0 * error);
            print!("; quickest {:+.1} %", 100.0 * off(&least, &simulated));
            simulated_errors.push(error.abs());
        }
        println!();
    }
    let middle = median(errors).unwrap_or(0.0);
    let reached = if middle <= MOST { "reached" } else { "NOT REACHED" };
    println!("  median error {:.1} %: {reached}", 100.0 * middle);
    if let Some(middle) = median(simulated_errors) {
        println!("  SMPI: median error {:.1} %", 100.0 * middle);
    }
    Ok(())
}

/// Seconds of a run on two cores with the longest time of its additions, and of what predicts it; the round of the watch
/// behind them.
struct Pair {
    real: f64,
    width: f64,
    predicted: f64,
    simulated: Option<f64>,
    round: usize,
}

/// Pairs whose run on two cores had whole cores, and those before and after which each canary of the machine was as quick
/// as ever.
fn good<'a>(pairs: &'a [Pair], least: f64, watch: &Watch) -> (Vec<&'a Pair>, Vec<&'a Pair>) {
    let whole_cores = pairs.iter().filter(|pair| pair.width <= WHOLE * least);
    let best = pairs
        .iter()
        .filter(|pair| watch.was_at_its_best(pair.round - 1) && watch.was_at_its_best(pair.round));
    (whole_cores.collect(), best.collect())
}

fn output(command: &mut Command) -> Result<String> {
    let done = command.output()?;
    ensure!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
    Ok(String::from_utf8(done.stdout)?)
}

/// The predicted seconds in the JSON of `cll run`.
fn total(text: &str) -> Result<f64> {
    let (_, rest) = text.split_once("\"total_s\":").context("there is no prediction")?;
    let number = rest.split([',', '}']).next().unwrap_or_default();
    Ok(number.parse()?)
}
