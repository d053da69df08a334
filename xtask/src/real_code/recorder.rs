//! The compiler that a project's own build is given: it compiles as the real
//! one does and writes down what it was asked.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// The word by which this program knows that it is called as a compiler.
pub const NAME: &str = "record-compile";

const LOG: &str = "CLL_REAL_CODE_LOG";

/// One call of the compiler that made one object file of one C source.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compilation {
    /// Folder in which the compiler ran.
    pub folder: PathBuf,
    /// The source, as it was named.
    pub source: PathBuf,
    /// All other arguments that bear on the code: neither the output, nor
    /// dependency files, nor debugging information.
    pub flags: Vec<String>,
}

impl Compilation {
    /// Lists the objects that `arguments` compile, one entry for each C source.
    fn from_arguments(folder: &Path, arguments: &[String]) -> Vec<Compilation> {
        let mut sources = Vec::new();
        let mut flags = Vec::new();
        let mut compiles = false;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "-c" => compiles = true,
                "-o" | "-MF" | "-MT" | "-MQ" => {
                    rest.next();
                }
                "-I" | "-D" | "-U" | "-include" | "-isystem" | "-iquote" | "-idirafter" | "-x" => {
                    flags.push(argument.clone());
                    flags.extend(rest.next().cloned());
                }
                text if text.starts_with("-M") || text.starts_with("-g") => {}
                text if text.starts_with("-Werror") || text == "-pipe" => {}
                text if text.ends_with(".c") && !text.starts_with('-') => sources.push(text),
                _ => flags.push(argument.clone()),
            }
        }
        sources
            .iter()
            .filter(|_| compiles)
            .map(|source| Compilation {
                folder: folder.into(),
                source: source.into(),
                flags: flags.clone(),
            })
            .collect()
    }

    /// The source's full path.
    pub fn path(&self) -> PathBuf {
        self.folder.join(&self.source)
    }
}

/// The value of `CC` that makes a build record into `log`, and its environment.
pub fn compiler(log: &Path) -> Result<(String, (&'static str, PathBuf))> {
    let program = std::env::current_exe().context("cannot name this program")?;
    Ok((format!("{} {NAME}", program.display()), (LOG, log.to_path_buf())))
}

/// Compiles as `cc` does with `arguments`; what succeeded is recorded.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    let status = compile(arguments)?;
    if let (true, Some(log)) = (status.success(), std::env::var_os(LOG)) {
        let folder = std::env::current_dir()?;
        for compilation in Compilation::from_arguments(&folder, arguments) {
            let mut line = serde_json::to_string(&compilation)?;
            line.push('\n');
            OpenOptions::new().create(true).append(true).open(&log)?.write_all(line.as_bytes())?;
        }
    }
    Ok(ExitCode::from(status.code().unwrap_or(1) as u8))
}

/// Compiles a source without optimisation, which is faster: what a build makes is thrown away. Where that fails, the
/// source is compiled as the build asks.
fn compile(arguments: &[String]) -> Result<ExitStatus> {
    if arguments.iter().any(|argument| argument == "-c") {
        let unoptimised = Command::new("cc").args(arguments).arg("-O0").output();
        let output = unoptimised.context("cannot start cc")?;
        if output.status.success() {
            return Ok(output.status);
        }
    }
    Command::new("cc").args(arguments).status().context("cannot start cc")
}

/// The compilations in a log, each source once.
pub fn read(log: &Path) -> Result<Vec<Compilation>> {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let mut seen = std::collections::HashSet::new();
    let mut all = Vec::new();
    for line in text.lines() {
        let compilation: Compilation = serde_json::from_str(line)?;
        if compilation.path().exists() && seen.insert(compilation.path()) {
            all.push(compilation);
        }
    }
    Ok(all)
}
