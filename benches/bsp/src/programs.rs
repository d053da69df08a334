//! The programs in C: compiled, run, read.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, anyhow, ensure};

use crate::samples::Samples;

/// Folder with what was compiled.
pub struct Programs {
    folder: tempfile::TempDir,
}

impl Programs {
    /// Compiles all of them.
    pub fn compile() -> Result<Programs> {
        let folder = cll_archive::folder(&std::env::current_exe()?, cll_archive::TARGET);
        let libcll =
            cll_archive::build(&folder, cll_archive::TARGET).map_err(|error| anyhow!("{error}"))?;
        let programs = Programs { folder: tempfile::tempdir()? };
        for name in ["two", "many", "objects", "waiting", "start", "logged", "instructions"] {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(name).with_extension("c");
            let mut gcc = Command::new("gcc");
            gcc.args(["-O2", "-Wall", "-Wextra", "-Werror", "-I"]);
            gcc.arg(libcll.header.with_file_name("")).arg("-o").arg(programs.path(name));
            gcc.arg(source).arg(&libcll.archive).args(["-lpthread", "-ldl", "-lm"]);
            ensure!(gcc.status()?.success(), "{gcc:?} failed");
        }
        Ok(programs)
    }

    /// Returns the path of the program that was compiled from a source.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Supersteps of 10 us without a log and with one, so many times in turn. What is logged
    /// goes to a file in the programs' folder.
    pub fn run_logged(&self, batches: usize) -> Result<Samples> {
        let run = |argument: &str, log: &str| -> Result<f64> {
            let mut command = Command::new(self.path("logged"));
            command.arg(argument).env("CLL_LOG", log).env("CLL_OUT", self.folder.path());
            command.env("CLL_NPROCS", "2").env("CLL_ENGINE", "processes");
            let output = command.output()?;
            ensure!(output.status.success(), "{command:?}: {}", output.status);
            Ok(String::from_utf8_lossy(&output.stdout).trim().parse()?)
        };
        let steps = run("0", "0")?.to_string();
        let mut samples = Samples::default();
        for batch in 0..batches {
            let (without, with) = (run(&steps, "0")?, run(&steps, "1")?);
            samples.add(Samples::parse(&format!("log 10 {batch} {without} {with}\n"))?);
        }
        Ok(samples)
    }

    /// Runs one with so many processors; its argument says how many batches, or which one.
    pub fn run(&self, name: &str, processors: usize, argument: usize) -> Result<Samples> {
        let mut command = Command::new(self.path(name));
        command.arg(argument.to_string());
        command.env("CLL_NPROCS", processors.to_string()).env("CLL_ENGINE", "processes");
        let output = command.output()?;
        let message = String::from_utf8_lossy(&output.stderr);
        ensure!(
            output.status.success() && message.is_empty(),
            "{command:?}: {}\n{message}",
            output.status
        );
        Samples::parse(&String::from_utf8_lossy(&output.stdout))
    }
}
