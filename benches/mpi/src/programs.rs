//! The programs in C: compiled by an MPI's compiler, run by its launcher, read.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, anyhow, ensure};

use crate::samples::Samples;
use cll_archive::Libcll;

/// An MPI that is here.
pub struct Mpi {
    name: &'static str,
}

impl Mpi {
    pub fn installed() -> Vec<Mpi> {
        let answers = |name: &&str| {
            let asked = Command::new(format!("mpirun.{name}")).arg("--version").output();
            asked.is_ok_and(|output| output.status.success())
        };
        ["openmpi", "mpich"].into_iter().filter(answers).map(|name| Mpi { name }).collect()
    }

    /// Returns the launcher's command for so many processes.
    fn launcher(&self, processes: usize) -> Command {
        let mut command = Command::new(format!("mpirun.{}", self.name));
        command.args(["-n", &processes.to_string()]);
        if self.name == "openmpi" {
            command.args(["--oversubscribe", "--bind-to", "none"]);
            command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        }
        command.env_remove("CLL_ENGINE").env_remove("CLL_NPROCS");
        command
    }
}

impl fmt::Display for Mpi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Folder with what was compiled, and the library.
pub struct Programs {
    folder: tempfile::TempDir,
    libcll: Libcll,
}

impl Programs {
    pub fn new() -> Result<Programs> {
        let folder = cll_archive::folder(&std::env::current_exe()?, cll_archive::TARGET);
        let libcll =
            cll_archive::build(&folder, cll_archive::TARGET).map_err(|error| anyhow!("{error}"))?;
        Ok(Programs { folder: tempfile::tempdir()?, libcll })
    }

    fn compile(&self, compiler: &str, source: &Path) -> Result<PathBuf> {
        let name = source.file_stem().unwrap_or_default();
        let path = self.folder.path().join(name).with_extension(compiler);
        let mut command = Command::new(compiler);
        // gcc takes MPICH's MPI_STATUSES_IGNORE for an array.
        command
            .args(["-O2", "-Wno-stringop-overflow", "-I"])
            .arg(self.libcll.header.with_file_name(""));
        command.arg("-o").arg(&path).arg(source).arg(&self.libcll.archive);
        command.args(["-lpthread", "-ldl", "-lm"]);
        ensure!(command.status()?.success(), "{command:?} failed");
        Ok(path)
    }

    /// Two processes that measure themselves and what is done by hand.
    pub fn two(&self, mpi: &Mpi, batches: usize) -> Result<Samples> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("two.c");
        let program = self.compile(&format!("mpicc.{}", mpi.name), &source)?;
        let output = mpi.launcher(2).arg(program).arg(batches.to_string()).output()?;
        let message = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{mpi}: {}\n{message}", output.status);
        Samples::parse(&String::from_utf8_lossy(&output.stdout))
    }

    /// Seconds of an example with so many processes.
    pub fn example(&self, mpi: &Mpi, processes: usize) -> Result<f64> {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bsp");
        let program = self.compile("gcc", &examples.join("sample_sort.c"))?;
        let begin = Instant::now();
        let output = mpi.launcher(processes).arg(program).output()?;
        ensure!(output.status.success(), "{mpi}, {processes} processes: {}", output.status);
        Ok(begin.elapsed().as_secs_f64())
    }
}
