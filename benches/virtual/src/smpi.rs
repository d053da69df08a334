//! Programs of MPI in SimGrid's simulator SMPI, with a platform that is made of a machine file.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{mpis, output};

/// SimGrid measures how long a computation takes here and divides by the ratio of these speeds (operations per second),
/// so that any number does.
const SPEED: &str = "1e9";

/// The simulator, and its files.
pub struct Smpi {
    folder: PathBuf,
}

impl Smpi {
    /// With the costs of this MPI in the machine file; `None` if there is no simulator.
    pub fn new(cll: &Path, machine: &Path, mpi: &str, folder: &Path) -> Result<Option<Smpi>> {
        if Command::new("smpirun").arg("-version").output().is_err() {
            println!("no smpirun here: without a comparison with SMPI");
            return Ok(None);
        }
        let folder = folder.to_path_buf();
        let name = if mpi == "mpich" { "MPICH" } else { "Open MPI" };
        let mut export = Command::new(cll);
        export.args(["machine", "export"]).arg(machine).args(["--to", "simgrid", "--mpi", name]);
        export.args(["--speed", SPEED, "--out"]).arg(folder.join("platform.xml"));
        output(&mut export)?;
        std::fs::write(folder.join("hosts"), "process-0\nprocess-1\n")?;
        Ok(Some(Smpi { folder }))
    }

    /// The seconds that a program says its two ranks have taken, simulated.
    pub fn seconds(&self, source: &Path, name: &str, words: &[&str]) -> Result<f64> {
        let program = self.folder.join(format!("{name}.smpi"));
        if !program.exists() {
            mpis::compile(&mut Command::new("smpicc"), source, &program)?;
        }
        let mut run = Command::new("smpirun");
        run.args(["-np", "2", "-platform"]).arg(self.folder.join("platform.xml"));
        run.arg("-hostfile").arg(self.folder.join("hosts"));
        // Computations of any length count; a platform has the network's own factors.
        run.args(["--cfg=smpi/cpu-threshold:0", "--log=root.thres:critical"]);
        run.arg(format!("--cfg=smpi/host-speed:{SPEED}")).arg(&program).args(words);
        let text = output(&mut run)?;
        let mut numbers = text.lines().filter_map(|line| line.trim().parse::<f64>().ok());
        numbers.next().with_context(|| format!("{run:?} printed no seconds: {text}"))
    }
}
