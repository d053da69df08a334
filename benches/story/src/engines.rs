//! The program on every engine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use crate::link::Link;

const PROGRAM: &str = "sql_queries";

/// A way to run the program.
pub struct Setting {
    pub name: String,
    pub processors: usize,
    engine: &'static [&'static str],
    mpirun: Option<PathBuf>,
    /// Goes with the last setting that needs it.
    _link: Option<std::rc::Rc<Link>>,
}

impl Setting {
    /// The program, to which arguments are to be added.
    pub fn command(&self, cll: &Path, folder: &Path) -> Command {
        let mut command = Command::new(cll);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CLL_") {
                command.env_remove(name);
            }
        }
        command.current_dir(folder).args(["run", "-n", &self.processors.to_string()]);
        command.args(self.engine).arg(folder.join(PROGRAM));
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        if let Some(mpirun) = &self.mpirun {
            command.env("CLL_MPIRUN", mpirun);
        }
        command
    }
}

/// Compiles it, without its experiments: what is timed is the program alone.
pub fn compile(cll: &Path, folder: &Path) -> Result<()> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/profile");
    let mut command = Command::new(cll);
    command.args(["cc", "--engine", "threads", "-O2", "-DCLL_OFF", "-o"]).arg(folder.join(PROGRAM));
    for part in ["sql", "relations"] {
        for entry in fs::read_dir(examples.join(part))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "c") {
                command.arg(path);
            }
        }
    }
    ensure!(command.arg("-lm").status()?.success(), "{command:?} failed");
    Ok(())
}

/// Every setting that can be had here; what cannot is told.
pub fn all(folder: &Path) -> Result<Vec<Setting>> {
    let mut settings = Vec::new();
    let mut add = |name: &str,
                   processors,
                   engine,
                   mpirun: Option<&PathBuf>,
                   link: Option<&std::rc::Rc<Link>>| {
        settings.push(Setting {
            name: name.to_owned(),
            processors,
            engine,
            mpirun: mpirun.cloned(),
            _link: link.cloned(),
        });
    };
    for processors in [2, 4] {
        add("processes", processors, &["--engine", "processes"], None, None);
        add("threads", processors, &["--engine", "threads"], None, None);
    }
    for mpi in ["openmpi", "mpich"] {
        let launcher = PathBuf::from(format!("mpirun.{mpi}"));
        match Command::new(&launcher).arg("--version").output() {
            Ok(answer) if answer.status.success() => {
                for processors in [2, 4] {
                    let name = format!("MPI ({mpi})");
                    add(&name, processors, &["--engine", "mpi"], Some(&launcher), None);
                }
            }
            _ => println!("not measured: MPI ({mpi}) is not here"),
        }
    }
    match Link::new("100mbit") {
        Some(link) => {
            let launcher = link.launcher(folder)?;
            let link = std::rc::Rc::new(link);
            for processors in [2, 4] {
                let name = "MPI, 100 Mbit/s between hosts";
                add(name, processors, &["--engine", "mpi"], Some(&launcher), Some(&link));
            }
        }
        None => println!(
            "not measured: a slow link needs Open MPI and the right to make network namespaces"
        ),
    }
    add("virtual, no communication", 16, &["--engine", "virtual"], None, None);
    for machine in ["sgi-origin-2000", "pentium-ii-cluster"] {
        let engine: &'static [&'static str] = match machine {
            "sgi-origin-2000" => &["--engine", "virtual", "--machine", "sgi-origin-2000"],
            _ => &["--engine", "virtual", "--machine", "pentium-ii-cluster"],
        };
        add(&format!("virtual, {machine}"), 16, engine, None, None);
    }
    Ok(settings)
}
