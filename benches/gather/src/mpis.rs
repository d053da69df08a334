//! Benchmarks of MPI programs, with each MPI that is here.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

/// Measures with each of them, by its name; the first argument is `cll`, as it was built beside the benchmark.
pub fn each(measure: impl Fn(&Path, &str) -> Result<()>) -> Result<()> {
    let cll = std::env::current_exe()?.with_file_name("cll");
    ensure!(cll.is_file(), "{} is not there: cargo build --release -p cll", cll.display());
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load before: {}", load.trim());
    for mpi in ["openmpi", "mpich"] {
        let compiler = format!("mpicc.{mpi}");
        match Command::new(&compiler).arg("-show").output() {
            Ok(_) => measure(&cll, mpi)?,
            Err(_) => println!("{mpi}: no {compiler} here"),
        }
    }
    Ok(())
}

/// Compiles a source by such a command into a program.
pub fn compile(compiler: &mut Command, source: &Path, program: &Path) -> Result<()> {
    let status = compiler.args(["-O2", "-o"]).arg(program).arg(source).status()?;
    ensure!(status.success(), "{} cannot be compiled", source.display());
    Ok(())
}
