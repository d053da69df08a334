//! The state of the system that runs depend on besides their plan.

use std::path::Path;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use cll_counters::this_machine;
use cll_launch::Instrumented;
use cll_launch::identity::{Identity, digest};

/// The environment of a run. Two environments are equal only if all fields are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// The computer that started it.
    pub host: String,
    /// The name of the processor.
    pub cpu: String,
    /// How many processors it has.
    pub processors: u32,
    /// The version of the kernel.
    pub kernel: String,
    /// Scheduling of runs.
    pub scheduler: String,
    /// The launcher.
    pub launcher: String,
    /// The program's SHA-256, hexadecimal.
    pub program: String,
    /// Compilers with their options, each once.
    pub compilers: Vec<String>,
    /// The sources at the time of the run, each with its SHA-256, if they were found.
    pub sources: Vec<(String, String)>,
    /// The commit that is checked out in the program's folder; empty if there is none.
    pub commit: String,
    /// Whether files differ from the commit.
    pub changed: bool,
    /// Variables that the plan sets.
    pub variables: Vec<(String, String)>,
    /// The identity of the program and its environment; `None` in databases of older versions.
    pub identity: Option<Identity>,
}

impl Environment {
    /// For a program here.
    pub fn read(
        program: &Path,
        instrumented: &Instrumented,
        scheduler: &str,
        launcher: &str,
        variables: &[(String, String)],
        identity: Identity,
    ) -> Environment {
        let machine = this_machine();
        let release = rustix::system::uname();
        let folder = cll_files::folder(program).to_path_buf();
        let git = |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.arg("-C").arg(&folder).args(arguments);
            command.stdin(Stdio::null()).stderr(Stdio::null());
            let output = command.output().ok().filter(|output| output.status.success());
            output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let mut compilers: Vec<String> =
            instrumented.units.iter().map(|unit| unit.compiler.clone()).collect();
        compilers.retain(|compiler| !compiler.is_empty());
        compilers.sort();
        compilers.dedup();
        let source = |unit: &cll_launch::TranslatedUnit| {
            let beside = [Path::new(&unit.file).to_path_buf(), folder.join(&unit.file)];
            let text = beside.iter().find_map(|path| digest(path));
            text.map(|digest| (unit.file.clone(), digest))
        };
        Environment {
            host: machine.host,
            cpu: machine.cpu,
            processors: machine.processors,
            kernel: release.release().to_string_lossy().into_owned(),
            scheduler: scheduler.to_owned(),
            launcher: launcher.to_owned(),
            program: identity.program.clone(),
            compilers,
            sources: instrumented.units.iter().filter_map(source).collect(),
            commit: git(&["rev-parse", "HEAD"]).unwrap_or_default(),
            changed: git(&["status", "--porcelain", "-uno"]).is_some_and(|text| !text.is_empty()),
            variables: variables.to_vec(),
            identity: Some(identity),
        }
    }

    /// Why a run made now would be of another program than one in an earlier environment, or be run in another
    /// way: a sentence for each reason, without a full stop.
    pub fn is_other(&self, before: &Environment) -> Vec<String> {
        let mut all = Vec::new();
        if self.program != before.program {
            let short = |digest: &str| digest.get(..8).unwrap_or("unknown").to_owned();
            let (old, new) = (short(&before.program), short(&self.program));
            let mut text = format!("the program was another one (SHA-256 {old}…, and is {new}…)");
            let changed: Vec<&str> = self
                .sources
                .iter()
                .filter(|(name, digest)| {
                    before.sources.iter().any(|(n, d)| n == name && d != digest)
                })
                .map(|(name, _)| name.as_str())
                .collect();
            if !changed.is_empty() {
                text += &format!(": {} changed", changed.join(", "));
            }
            all.push(text);
        }
        match (&self.identity, &before.identity) {
            (Some(now), Some(before)) => all.extend(now.differs(before)),
            _ if self.launcher != before.launcher => {
                all.push(format!(
                    "the launcher was `{}`, and is `{}`",
                    before.launcher, self.launcher
                ));
            }
            _ => {}
        }
        all
    }

    /// The differences from an earlier one: what, before, now.
    pub fn differs(&self, before: &Environment) -> Vec<(&'static str, String, String)> {
        let list = |pairs: &[(String, String)]| {
            let texts: Vec<String> =
                pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
            texts.join(" ")
        };
        let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
        let identity = |environment: &Environment| environment.identity.clone().unwrap_or_default();
        let libraries = |environment: &Environment| {
            let all = identity(environment).libraries;
            let texts: Vec<String> = all
                .iter()
                .map(|library| format!("{} {}", library.file, library.known_by))
                .collect();
            texts.join("; ")
        };
        let entries_of = |environment: &Environment| {
            [
                ("host", environment.host.clone()),
                ("processor", environment.cpu.clone()),
                ("processors", environment.processors.to_string()),
                ("kernel", environment.kernel.clone()),
                ("scheduling", environment.scheduler.clone()),
                ("launcher", environment.launcher.clone()),
                ("program (SHA-256)", environment.program.clone()),
                ("compilers", environment.compilers.join("; ")),
                ("sources", list(&environment.sources)),
                ("commit", environment.commit.clone()),
                ("files that differ from it", yes(environment.changed)),
                ("variables", list(&environment.variables)),
                ("inherited variables", list(&identity(environment).variables)),
                ("libraries", libraries(environment)),
                ("launcher's version", list(&identity(environment).launcher)),
                ("clock", identity(environment).clock),
            ]
        };
        let of_identity = ["inherited variables", "libraries", "launcher's version", "clock"];
        let unknown = self.identity.is_none() || before.identity.is_none();
        let pairs = entries_of(before).into_iter().zip(entries_of(self));
        pairs
            .filter(|((what, _), _)| !(unknown && of_identity.contains(what)))
            .filter(|((_, before), (_, now))| before != now)
            .map(|((what, before), (_, now))| (what, before, now))
            .collect()
    }
}

/// The load of the last minute, if the system reports it.
pub fn load() -> Option<f64> {
    cll_system::load().map(|load| load.minute)
}
