//! Times of programs from counts of the same binary and the costs of a machine file, without times of the program.
//!
//! `cargo build --release && cargo run --release -p bench-counts`
//!
//! Each program is compiled once. Callgrind counts how often each instruction of this binary is executed, misses caches of
//! the sizes that the machine file has, is beyond the reach of translation, uses a page first, and is predicted wrongly as a
//! branch. The instructions are followed over the most likely paths on a core with the latencies and throughputs of the
//! file. Misses that do not need each other are under way at the same time, as the file's independent accesses are. The
//! predicted time of the whole process, with that of an empty one and of its pages ("of system"), is put beside the measured
//! one (the smallest of 31). The published error of
//! PPT-Multicore is 9.08 %.
//! With a machine file as argument that is used, else the machine is probed. Names after it choose programs.

#![forbid(unsafe_code)]

mod callgrind;
mod core;
mod decode;
mod values;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use cll_machine::{Machine, read};

use crate::callgrind::Sizes;
use crate::core::Core;

/// The mean error of PPT-Multicore's predictions, as published.
const PUBLISHED: f64 = 0.0908;
/// A prediction further off is named as a miss.
const MISS: f64 = 0.25;
const RUNS: usize = 31;
/// The size of a page, where the file has no levels of translation.
const PAGE: f64 = 4096.0;

/// A source, what is replaced in it so that callgrind ends in seconds and it takes longer than the start of a process,
/// arguments.
type Program = (
    &'static str,
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
    &'static [&'static str],
);

const PROGRAMS: [Program; 12] = [
    (
        "matrix_init",
        &["examples/matrix_init/matrix_init.c"],
        &[("LARGEST = 3600, REPETITIONS = 5", "LARGEST = 900, REPETITIONS = 2")],
        &[],
    ),
    (
        "matrix_product",
        &["examples/matrix_product/matrix_product.c"],
        &[("LARGEST = 640, REPETITIONS = 2", "LARGEST = 260, REPETITIONS = 1")],
        &[],
    ),
    (
        "quicksort",
        &["examples/quicksort/quicksort.c"],
        &[("LARGEST = 1500000", "LARGEST = 200000"), ("VOLUME = 200000", "VOLUME = 20000")],
        &[],
    ),
    (
        "pointer_chase",
        &["examples/pointer_chase/pointer_chase.c"],
        &[("LARGEST = 600000, VOLUME = 40000", "LARGEST = 60000, VOLUME = 400000")],
        &[],
    ),
    ("fft", &["examples/fft/sequential.c"], &[("LARGEST = 262144", "LARGEST = 32768")], &[]),
    ("sieve", &["examples/sieve/sieve.c"], &[], &["6000000"]),
    (
        "nbody",
        &["examples/nbody/main.c", "examples/nbody/forces.c", "examples/nbody/bodies.c"],
        &[],
        &["700"],
    ),
    ("stencil", &["benches/why/programs/stencil.c"], &[("r < 3", "r < 30")], &[]),
    ("lookup", &["benches/why/programs/lookup.c"], &[], &[]),
    ("transpose", &["benches/why/programs/transpose.c"], &[("r < 3", "r < 30")], &[]),
    ("list", &["benches/why/programs/list.c"], &[("r < 3", "r < 30")], &[]),
    ("gather", &["benches/why/programs/gather.c"], &[], &[]),
];

fn main() -> Result<ExitCode> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let folder = tempfile::tempdir()?;
    let machine = machine(std::env::args_os().nth(1).map(PathBuf::from), folder.path())?;
    let core = Core::of(&machine)?;
    let caches = core::bounds(&machine);
    ensure!(caches.len() >= 2, "{} has less than two caches with sizes", machine.name);
    let steps = &machine.memory.translation;
    let sizes = Sizes {
        caches,
        page: steps.first().map_or(PAGE, |translation| translation.page),
        reaches: steps.iter().map(|translation| translation.reach.value).collect(),
    };
    let empty = empty(folder.path())?;
    let start = measured(&empty, &[])?;
    let own = callgrind::new_pages(&callgrind::counted(&empty, &[], &sizes)?);
    let mut errors = Vec::new();
    println!(
        "{:<15} {:>10} {:>10} {:>10} {:>8}",
        "program", "measured", "predicted", "of system", "error"
    );
    let chosen: Vec<String> = std::env::args().skip(2).collect();
    let is_chosen = |name: &str| chosen.is_empty() || chosen.iter().any(|text| text == name);
    for (name, sources, smaller, arguments) in
        PROGRAMS.into_iter().filter(|argument| is_chosen(argument.0))
    {
        let program = built(name, sources, smaller, (&root, folder.path()))?;
        let code = decode::decoded(&program)?;
        let counts = callgrind::counted(&program, arguments, &sizes)?;
        let (walked, pages) = core.time(&code, &counts, own);
        let predicted = walked + pages + start;
        let measured = measured(&program, arguments)?;
        let error = (measured - predicted) / measured;
        errors.push(error.abs());
        println!(
            "{name:<15} {:>7.2} ms {:>7.2} ms {:>7.2} ms {:>+7.1}%{}",
            1e3 * measured,
            1e3 * predicted,
            1e3 * (start + pages),
            100.0 * error,
            if error.abs() > MISS { "  MISS" } else { "" }
        );
    }
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    errors.sort_by(f64::total_cmp);
    println!(
        "\nmean error {:.1} %, median {:.1} %, over {:.0} %: {} of {}; PPT-Multicore, as published: {:.2} %: {}",
        100.0 * mean,
        100.0 * errors[errors.len() / 2],
        100.0 * MISS,
        errors.iter().filter(|error| **error > MISS).count(),
        errors.len(),
        100.0 * PUBLISHED,
        if mean <= PUBLISHED { "reached" } else { "NOT REACHED" }
    );
    println!("not in the machine file: {}", core.missing.join("; "));
    Ok(ExitCode::SUCCESS)
}

fn machine(given: Option<PathBuf>, folder: &Path) -> Result<Machine> {
    let path = match given {
        Some(path) => path,
        None => {
            let own = std::env::current_exe()?;
            let cll = own.parent().context("this program lies in no folder")?.join("cll");
            ensure!(cll.exists(), "{} is missing: cargo build --release first", cll.display());
            let path = folder.join("machine.toml");
            let words = [
                "machine",
                "probe",
                "--memory",
                "--operations",
                "--quick",
                "--quiet",
                "--loaded",
                "accept",
            ];
            let mut command = Command::new(cll);
            command.args(words).arg("--out").arg(&path).stdout(Stdio::null());
            ensure!(command.status()?.success(), "the machine cannot be probed");
            path
        }
    };
    read(&std::fs::read(&path)?)
        .machine
        .with_context(|| format!("{} is no machine file", path.display()))
}

/// Compiles the program without cll, its loops over sizes included.
fn built(
    name: &str,
    sources: &[&str],
    smaller: &[(&str, &str)],
    (root, folder): (&Path, &Path),
) -> Result<PathBuf> {
    let place = folder.join(name);
    std::fs::create_dir_all(&place)?;
    let program = place.join("program");
    let mut command = Command::new("cc");
    command.args(["-O2", "-g", "-w", "-static", "-no-pie", "-o"]).arg(&program);
    for source in sources {
        let from = root.join(source);
        let mut text =
            std::fs::read_to_string(&from).with_context(|| from.display().to_string())?;
        for (old, new) in smaller {
            ensure!(text.contains(old), "{source} has no {old}");
            text = text.replace(old, new);
        }
        let loops = text.lines().map(|line| {
            let line = line.trim();
            match line.strip_prefix("#pragma cll for") {
                Some(head) => format!("for {head} {{"),
                None if line.starts_with("#pragma cll end for") => "}".to_owned(),
                None => line.to_owned(),
            }
        });
        let text = loops.collect::<Vec<String>>().join("\n");
        let to = place.join(from.file_name().context("a source has a name")?);
        std::fs::write(&to, text)?;
        command.arg(to).arg("-I").arg(from.parent().context("a source has a folder")?);
    }
    ensure!(command.arg("-lm").status()?.success(), "{name} does not compile");
    Ok(program)
}

/// A program that does nothing, linked as the others are: what its process takes is no time of theirs.
fn empty(folder: &Path) -> Result<PathBuf> {
    let source = folder.join("empty.c");
    std::fs::write(&source, "int main(void) { return 0; }\n")?;
    let program = folder.join("empty");
    let mut command = Command::new("cc");
    command.args(["-O2", "-g", "-w", "-static", "-no-pie", "-o"]).arg(&program).arg(&source);
    ensure!(command.arg("-lm").status()?.success(), "an empty program does not compile");
    Ok(program)
}

/// Seconds of the process, the smallest of several.
fn measured(program: &Path, arguments: &[&str]) -> Result<f64> {
    let mut best = f64::MAX;
    for _ in 0..RUNS {
        let begin = Instant::now();
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        ensure!(command.status()?.success(), "{} fails", program.display());
        best = best.min(begin.elapsed().as_secs_f64());
    }
    Ok(best)
}
