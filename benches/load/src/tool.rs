//! `cll` as a user runs it.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tempfile::TempDir;

use crate::arguments::User;
use crate::programs::Program;

const NOBODY: u32 = 65534;

/// `cll`, a user, and a folder of that user's own with the programs' sources, which is also its home.
pub struct Tool {
    cll: PathBuf,
    user: User,
    folder: TempDir,
}

/// The result of `cll model`.
pub struct Made {
    /// The exit code; 128 if a signal ended it.
    pub exit: i32,
    /// How long it took.
    pub seconds: f64,
    /// The messages that it printed while it ran.
    pub messages: String,
    /// `model.json`; null if there is none.
    pub model: Value,
    /// Where that lies.
    pub file: PathBuf,
}

/// The prediction of a model for a size, in seconds; the band is of 90 %.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Predicted {
    pub size: u64,
    pub value: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

impl Tool {
    /// Makes the folder, with a copy of `cll`: that may lie where the user nobody cannot go, and be
    /// built anew while the benchmark runs.
    pub fn new(cll: &Path, user: User) -> Result<Tool> {
        let folder = tempfile::Builder::new().prefix("bench-load-").tempdir()?;
        let own = folder.path().join("cll");
        fs::copy(cll, &own).with_context(|| cll.display().to_string())?;
        fs::set_permissions(&own, fs::Permissions::from_mode(0o755))?;
        let tool = Tool { cll: own, user, folder };
        for program in Program::ALL {
            fs::write(tool.source(program), program.source())?;
        }
        if user == User::Nobody {
            for entry in fs::read_dir(tool.folder.path())? {
                chown(entry?.path(), Some(NOBODY), Some(NOBODY))?;
            }
            chown(tool.folder.path(), Some(NOBODY), Some(NOBODY))?;
        }
        let output = tool.command().arg("--version").output()?;
        ensure!(
            output.status.success(),
            "{} --version as {}: {}",
            tool.cll.display(),
            user.name(),
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(tool)
    }

    /// Why a user cannot be had here; `None` if nothing is against it.
    pub fn lacks(user: User) -> Option<&'static str> {
        if user == User::Own {
            return None;
        }
        if !rustix::process::geteuid().is_root() {
            return Some("only root can run programs as nobody");
        }
        let there = Command::new("setpriv").arg("--version").stdout(Stdio::null()).status();
        if there.is_ok_and(|status| status.success()) { None } else { Some("setpriv is missing") }
    }

    /// Builds a program anew and samples it.
    pub fn model(&self, program: Program, sizes: &[u64], more: &[&str]) -> Result<Made> {
        let out = self.out();
        if out.exists() {
            fs::remove_dir_all(&out)?;
        }
        let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
        let begin = Instant::now();
        let output = self
            .command()
            .args(["model", "--fresh", "--quiet", "--color", "never", "--confidence", "0.9"])
            .args(more)
            .arg("--vary")
            .arg(format!("N={}", sizes.join(",")))
            .arg("-o")
            .arg(&out)
            .arg(self.source(program))
            .args(["--", "{N}"])
            .output()?;
        let seconds = begin.elapsed().as_secs_f64();
        let file = out.join("model.json");
        let model = match fs::read(&file) {
            Ok(text) => serde_json::from_slice(&text).context("model.json")?,
            Err(_) => Value::Null,
        };
        let messages = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Ok(Made { exit: output.status.code().unwrap_or(128), seconds, messages, model, file })
    }

    /// Predicts with the model that was made last; nothing where there is no value.
    pub fn predict(&self, sizes: &[u64]) -> Result<Vec<Predicted>> {
        let at = sizes.iter().flat_map(|size| ["--at".to_owned(), format!("N={size}")]);
        let output =
            self.command().arg("predict").arg(self.out()).args(at).arg("--json").output()?;
        let text: Value = serde_json::from_slice(&output.stdout).with_context(|| {
            format!("cll predict: {}", String::from_utf8_lossy(&output.stderr).trim())
        })?;
        let Some(all) = text["predictions"].as_array() else {
            bail!("cll predict: no predictions")
        };
        let predicted = all.iter().filter_map(|value| {
            Some(Predicted {
                size: value["at"]["N"].as_f64()? as u64,
                value: value["value"].as_f64()?,
                low: value["low"].as_f64(),
                high: value["high"].as_f64(),
            })
        });
        Ok(predicted.collect())
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("model")
    }

    fn source(&self, program: Program) -> PathBuf {
        self.folder.path().join(format!("{}.c", program.name()))
    }

    /// `cll` by the user, with nothing of this process's settings.
    fn command(&self) -> Command {
        let mut command = match self.user {
            User::Own => Command::new(&self.cll),
            User::Nobody => {
                let id = NOBODY.to_string();
                let mut command = Command::new("setpriv");
                command.args(["--reuid", &id, "--regid", &id, "--clear-groups", "--"]);
                command.arg(&self.cll);
                command
            }
        };
        for (name, _) in std::env::vars_os() {
            let is_ours = name.to_str().is_some_and(|name| {
                name.starts_with("CLL_") || name.starts_with("XDG_") || name == "TMPDIR"
            });
            if is_ours {
                command.env_remove(name);
            }
        }
        command.env("HOME", self.folder.path()).current_dir(self.folder.path());
        command.stdin(Stdio::null());
        command
    }
}
