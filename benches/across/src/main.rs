//! How well the log of one engine predicts the same program on another, from the two machine files alone: here
//! processes with shared memory, there Open MPI between two hosts with a link of 100 Mbit/s.
//!
//! `cargo build --release && cargo run --release -p bench-across`
//!
//! Both machines are probed first. Then each program runs in turn on both: its log here is priced with the machine
//! file of there (OBSP*), and what is predicted is put beside what the run over the link took. The error of a
//! program is the median over the rounds. The hosts are network namespaces on this machine, so computation is
//! what it is here; what differs is all that hangs on g and L. On a machine that was not quiet meanwhile nothing
//! is judged.

#![forbid(unsafe_code)]

#[path = "../../story/src/link.rs"]
mod link;
#[path = "../../kernels/src/program.rs"]
mod program;
#[path = "../../kernels/src/quiet.rs"]
mod quiet;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::link::Link;
use crate::quiet::Watch;

const ROUNDS: usize = 7;
/// The limit for the median over the programs.
const GOAL: f64 = 0.10;
const PROCESSORS: &str = "2";
const RATE: &str = "100mbit";
/// The largest h-relation that is probed: that of the programs below is smaller.
const LARGEST: &str = "4M";

/// Folder, name, arguments.
const PROGRAMS: [(&str, &str, &str); 6] = [
    ("pub", "fft", "65536"),
    ("bsp", "sample_sort", "400000"),
    ("bsp", "lu", "300"),
    ("bsp", "matrix_vector", "2000"),
    ("bsp", "life", "480 640 40"),
    ("bsp", "prefix_sums", "2000000"),
];

/// Where a program runs.
struct Place {
    engine: &'static str,
    machine: PathBuf,
    mpirun: Option<PathBuf>,
}

/// The bench's own folder, and the program.
struct Bench {
    cll: PathBuf,
    folder: tempfile::TempDir,
}

fn main() -> Result<ExitCode> {
    let bench = Bench { cll: program::program()?, folder: tempfile::tempdir()? };
    let Some(link) = Link::new(RATE) else {
        println!(
            "not measurable here: Open MPI and the right to make network namespaces are needed"
        );
        return Ok(ExitCode::SUCCESS);
    };
    let launcher = link.launcher(bench.folder.path())?;
    let here = bench.place("processes", None);
    let there = bench.place("mpi", Some(launcher));
    bench.compile()?;
    let mut watch = Watch::begin()?;
    for place in [&here, &there] {
        watch.round();
        bench.probe(place)?;
    }
    let mut pairs = vec![Vec::new(); PROGRAMS.len()];
    for _ in 0..ROUNDS {
        watch.round();
        for ((_, name, arguments), pairs) in PROGRAMS.iter().zip(&mut pairs) {
            let log = bench.logged(&here, name, arguments)?;
            let predicted = bench.priced(&log, &there, Some(&here))?.0;
            let log = bench.logged(&there, name, arguments)?;
            pairs.push((predicted, bench.priced(&log, &there, None)?.1));
        }
    }
    let watched = watch.end()?;
    let mut errors = Vec::new();
    for ((_, name, arguments), pairs) in PROGRAMS.iter().zip(&pairs) {
        let of = |value: fn(&(f64, f64)) -> f64| sorted(pairs.iter().map(value).collect());
        let ratios = of(|(predicted, measured)| predicted / measured - 1.0);
        let error = ratios[ROUNDS / 2];
        errors.push(error.abs());
        println!(
            "  {name:<14} {arguments:<11} measured {:>8.2} ms, predicted {:>8.2} ms: {:>+6.1}%, in all rounds \
             within [{:+.1}%, {:+.1}%]",
            1e3 * of(|pair| pair.1)[ROUNDS / 2],
            1e3 * of(|pair| pair.0)[ROUNDS / 2],
            100.0 * error,
            100.0 * ratios[0],
            100.0 * ratios[ROUNDS - 1],
        );
    }
    let errors = sorted(errors);
    let middle = (errors[2] + errors[3]) / 2.0;
    let reached = middle <= GOAL;
    let verdict = match (watched.is_quiet(), reached) {
        (false, _) => "not measurable now",
        (true, true) => "reached",
        (true, false) => "NOT REACHED",
    };
    println!(
        "MPI over {RATE} from a log of processes: median error {:.1}%, at most {:.0}%  {verdict}",
        100.0 * middle,
        100.0 * GOAL
    );
    println!("machine {watched}");
    Ok(if reached || !watched.is_quiet() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Bench {
    fn place(&self, engine: &'static str, mpirun: Option<PathBuf>) -> Place {
        let machine = self.folder.path().join(format!("{engine}.toml"));
        Place { engine, machine, mpirun }
    }

    fn command(&self, place: Option<&Place>) -> Command {
        let mut command = Command::new(&self.cll);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CLL_") {
                command.env_remove(name);
            }
        }
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        if let Some(mpirun) = place.and_then(|place| place.mpirun.as_ref()) {
            command.env("CLL_MPIRUN", mpirun);
        }
        command
    }

    fn compile(&self) -> Result<()> {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        for (folder, name, _) in PROGRAMS {
            let mut command = self.command(None);
            command.args(["cc", "-O2", "-o", name]);
            command.arg(examples.join(folder).join(name).with_extension("c")).arg("-lm");
            printed(command)?;
        }
        Ok(())
    }

    fn probe(&self, place: &Place) -> Result<()> {
        let mut command = self.command(Some(place));
        command.args(["machine", "probe", "--bsp", "--quiet", "--loaded", "accept"]);
        command.args(["--engine", place.engine, "-n", PROCESSORS, "--largest", LARGEST, "--out"]);
        printed({
            command.arg(&place.machine);
            command
        })
        .map(drop)
    }

    /// Runs a program there, and gives its log: a file, or one of each process.
    fn logged(&self, place: &Place, name: &str, arguments: &str) -> Result<Vec<PathBuf>> {
        let folder = self.folder.path().join("logs");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir(&folder)?;
        let mut command = self.command(Some(place));
        command.args(["run", "-n", PROCESSORS, "--engine", place.engine, "--log", "-o"]);
        command.arg(&folder).arg(format!("./{name}")).args(arguments.split_whitespace());
        printed(command)?;
        let mut logs: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(&folder)? {
            logs.push(entry?.path());
        }
        ensure!(!logs.is_empty(), "{name} left no log");
        logs.sort();
        Ok(logs)
    }

    /// The time by OBSP* on the machine of a place, and the measured one; seconds.
    fn priced(
        &self,
        logs: &[PathBuf],
        on: &Place,
        measured_on: Option<&Place>,
    ) -> Result<(f64, f64)> {
        let mut command = self.command(None);
        command.arg("obsp").args(logs).args(["--json", "--engine", on.engine, "--machine"]);
        command.arg(&on.machine);
        if let Some(place) = measured_on {
            command.arg("--measured-on").arg(&place.machine);
        }
        let answer: Value = serde_json::from_str(&printed(command)?)?;
        let value = &answer["predictions"][0];
        let models = value["models"].as_array().context("no models")?;
        let star = models.iter().find(|model| model["model"] == "obsp-star");
        let predicted = star.and_then(|model| model["value_s"].as_f64()).context("no time")?;
        Ok((predicted, value["measured_s"].as_f64().context("no measured time")?))
    }
}

fn printed(mut command: Command) -> Result<String> {
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}
