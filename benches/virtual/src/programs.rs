//! The programs in C: compiled, run, read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, ensure};

use crate::costs;

/// A program among the examples.
pub struct Example {
    pub name: &'static str,
    folder: &'static str,
    pub arguments: &'static str,
    /// The text before the time that the program prints, and the microseconds of its unit.
    before: &'static str,
    unit: f64,
}

const fn example(
    folder: &'static str,
    name: &'static str,
    arguments: &'static str,
    before: &'static str,
    unit: f64,
) -> Example {
    Example { name, folder, arguments, before, unit }
}

/// Each with little data, of which phases take microseconds, and with more.
pub const EXAMPLES: [Example; 12] = [
    example("pub", "fft", "16384", "right; ", 1e3),
    example("bsp", "sample_sort", "400000", "processors: ", 1e3),
    example("bsp", "lu", "400", "processors: ", 1e3),
    example("bsp", "matrix_vector", "500", "processors: ", 1.0),
    example("bsp", "life", "480 640 40", "processors: ", 1.0),
    example("bsp", "prefix_sums", "200000", "directly ", 1.0),
    example("pub", "fft", "131072", "right; ", 1e3),
    example("bsp", "sample_sort", "1000000", "processors: ", 1e3),
    example("bsp", "lu", "600", "processors: ", 1e3),
    example("bsp", "matrix_vector", "2000", "processors: ", 1.0),
    example("bsp", "life", "1000 1000 40", "processors: ", 1.0),
    example("bsp", "prefix_sums", "1000000", "directly ", 1.0),
];

/// Folder with what was compiled.
pub struct Programs {
    folder: tempfile::TempDir,
    /// Whether the system lets a program come before all others, so that they take no core from it.
    first: bool,
}

/// How such a program is started.
const FIRST: [&str; 3] = ["chrt", "-f", "20"];

fn may_be_first() -> bool {
    let mut try_it = Command::new(FIRST[0]);
    try_it.args(&FIRST[1..]).arg("true").stderr(Stdio::null());
    try_it.status().is_ok_and(|status| status.success())
}

impl Programs {
    /// Compiles all of them.
    pub fn compile() -> Result<Programs> {
        let folder = cll_archive::folder(&std::env::current_exe()?, cll_archive::TARGET);
        let libcll =
            cll_archive::build(&folder, cll_archive::TARGET).map_err(|error| anyhow!("{error}"))?;
        let programs = Programs { folder: tempfile::tempdir()?, first: may_be_first() };
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let ours = ["phases", "exchange", "messages"].map(|name| here.join(name));
        let examples = EXAMPLES
            .iter()
            .map(|example| here.join("../../examples").join(example.folder).join(example.name));
        let broadcast = here.join("../../examples/bsp/broadcast");
        let all: BTreeSet<PathBuf> = ours.into_iter().chain(examples).chain([broadcast]).collect();
        for source in all {
            let source = source.with_extension("c");
            let name = source.file_stem().context("a source has a name")?;
            let mut gcc = Command::new("gcc");
            gcc.args(["-O2", "-I"]).arg(libcll.header.with_file_name(""));
            gcc.arg("-o").arg(programs.folder.path().join(name)).arg(&source);
            gcc.arg(&libcll.archive).args(["-lpthread", "-ldl", "-lm"]);
            ensure!(gcc.status()?.success(), "{gcc:?} failed");
        }
        Ok(programs)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Whether short runs come before all that others do on this machine.
    pub fn come_first(&self) -> bool {
        self.first
    }

    fn run_first(&self, name: &str, engine: &str, processors: usize) -> Command {
        let mut command = Command::new(FIRST[0]);
        command.args(&FIRST[1..]).arg(self.path(name));
        let command = if self.first { command } else { Command::new(self.path(name)) };
        prepared(command, engine, processors)
    }

    fn run(&self, name: &str, engine: &str, processors: usize) -> Command {
        prepared(Command::new(self.path(name)), engine, processors)
    }

    /// Supersteps of phases of known time on virtual processors.
    pub fn phases(&self, processors: usize, supersteps: usize, milliseconds: f64) -> Result<()> {
        let mut command = self.run("phases", "virtual", processors);
        command.args([supersteps.to_string(), milliseconds.to_string()]);
        printed(command).map(drop)
    }

    /// Measures the costs of supersteps of two real processors: the table for virtual ones.
    pub fn costs(&self) -> Result<String> {
        let all: Result<String> = ["exchange", "messages"]
            .iter()
            .map(|name| printed(self.run_first(name, "processes", 2)))
            .collect();
        costs::table(&all?)
    }

    /// The time that an example says it took, microseconds: on two real processors, or with these costs on two
    /// virtual ones that have one core.
    pub fn example(&self, example: &Example, costs: Option<&str>) -> Result<f64> {
        let mut command = match costs {
            None => self.run_first(example.name, "processes", 2),
            Some(costs) => {
                let mut command = self.run_first(example.name, "virtual", 2);
                command.env("CLL_COSTS", costs).env("CLL_CORES", "1");
                command
            }
        };
        command.args(example.arguments.split_whitespace());
        let text = printed(command)?;
        let rest = text.split_once(example.before).map(|(_, rest)| rest);
        let number = rest.and_then(|rest| rest.split_whitespace().next());
        let time: Option<f64> = number.and_then(|number| number.parse().ok());
        Ok(example.unit * time.with_context(|| format!("{} printed {text:?}", example.name))?)
    }

    /// Microseconds of a broadcast of so many doubles in one stage and in two, on virtual processors.
    pub fn broadcast(&self, processors: usize, doubles: usize, costs: &str) -> Result<(f64, f64)> {
        let mut command = self.run("broadcast", "virtual", processors);
        command.arg(doubles.to_string()).env("CLL_COSTS", costs);
        let text = printed(command)?;
        let after = |words: &str| -> Option<f64> {
            text.split_once(words)?.1.split_whitespace().next()?.parse().ok()
        };
        let both = after("one stage ").zip(after("two stages "));
        both.with_context(|| format!("broadcast printed {text:?}"))
    }
}

fn prepared(mut command: Command, engine: &str, processors: usize) -> Command {
    for variable in ["CLL_CORES", "CLL_COSTS", "CLL_CACHE", "CLL_LOG", "CLL_START"] {
        command.env_remove(variable);
    }
    command.env("CLL_ENGINE", engine).env("CLL_NPROCS", processors.to_string());
    command
}

fn printed(mut command: Command) -> Result<String> {
    let output = command.output()?;
    let message = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?}: {}\n{message}", output.status);
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
