//! What runs depend on beside their plan.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::launch::Instrumented;
use crate::model::Machine;

/// The environment of a run: two that differ in anything are two.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// The computer that started it.
    pub host: String,
    /// Its processor.
    pub cpu: String,
    /// How many processors it has.
    pub processors: u32,
    /// Its kernel.
    pub kernel: String,
    /// How runs are scheduled there.
    pub scheduler: String,
    /// What starts them.
    pub launcher: String,
    /// The program's SHA-256, hexadecimal.
    pub program: String,
    /// Compilers with their options, each once.
    pub compilers: Vec<String>,
    /// The sources as they are now, each with its SHA-256, as far as they are found.
    pub sources: Vec<(String, String)>,
    /// The commit that is checked out where the program lies; empty if none is.
    pub commit: String,
    /// Whether files differ from it.
    pub changed: bool,
    /// Variables that change what is measured.
    pub variables: Vec<(String, String)>,
}

impl Environment {
    /// Of a program here.
    pub fn of(
        program: &Path,
        instrumented: &Instrumented,
        scheduler: &str,
        launcher: &str,
        variables: &[(String, String)],
    ) -> Environment {
        let machine = Machine::here();
        let release = rustix::system::uname();
        let folder = crate::files::folder(program).to_path_buf();
        let git = |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.arg("-C").arg(&folder).args(arguments);
            command.stdin(Stdio::null()).stderr(Stdio::null());
            let output = command.output().ok().filter(|output| output.status.success());
            output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let mut compilers: Vec<String> =
            instrumented.units.iter().map(|unit| unit.compiler.clone()).collect();
        compilers.retain(|one| !one.is_empty());
        compilers.sort();
        compilers.dedup();
        let source = |unit: &crate::launch::Unit| {
            let beside = [Path::new(&unit.file).to_path_buf(), folder.join(&unit.file)];
            let found = beside.iter().find_map(|path| digest(path));
            found.map(|digest| (unit.file.clone(), digest))
        };
        Environment {
            host: machine.host,
            cpu: machine.cpu,
            processors: machine.processors,
            kernel: release.release().to_string_lossy().into_owned(),
            scheduler: scheduler.to_owned(),
            launcher: launcher.to_owned(),
            program: digest(program).unwrap_or_default(),
            compilers,
            sources: instrumented.units.iter().filter_map(source).collect(),
            commit: git(&["rev-parse", "HEAD"]).unwrap_or_default(),
            changed: git(&["status", "--porcelain", "-uno"]).is_some_and(|text| !text.is_empty()),
            variables: variables.to_vec(),
        }
    }

    /// In what it differs from an earlier one: what, before, now.
    pub fn differs(&self, before: &Environment) -> Vec<(&'static str, String, String)> {
        let list = |pairs: &[(String, String)]| {
            let texts: Vec<String> =
                pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
            texts.join(" ")
        };
        let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
        let of = |one: &Environment| {
            [
                ("host", one.host.clone()),
                ("processor", one.cpu.clone()),
                ("processors", one.processors.to_string()),
                ("kernel", one.kernel.clone()),
                ("scheduling", one.scheduler.clone()),
                ("launcher", one.launcher.clone()),
                ("program (SHA-256)", one.program.clone()),
                ("compilers", one.compilers.join("; ")),
                ("sources", list(&one.sources)),
                ("commit", one.commit.clone()),
                ("files that differ from it", yes(one.changed)),
                ("variables", list(&one.variables)),
            ]
        };
        let pairs = of(before).into_iter().zip(of(self));
        pairs
            .filter(|((_, before), (_, now))| before != now)
            .map(|((what, before), (_, now))| (what, before, now))
            .collect()
    }
}

/// The load of the last minute, as far as the system says.
pub fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

fn digest(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    Some(Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}
