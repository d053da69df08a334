//! Identifies what a program's times depend on besides its arguments: the program and its environment. Samples of
//! different identities are not fitted together.

mod digest;
mod libraries;
mod variables;

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Mpirun;

pub use digest::digest;
pub use libraries::{Library, file};
pub use variables::variables;

/// The program and its environment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Identity {
    /// The program's SHA-256, hexadecimal.
    pub program: String,
    /// The shared libraries that the loader loads with it.
    pub libraries: Vec<Library>,
    /// The launcher of its processes: names and values; empty without MPI.
    pub launcher: Vec<(String, String)>,
    /// Variables of the environment that change what is measured.
    pub variables: Vec<(String, String)>,
    /// The system's clock source.
    pub clock: String,
}

impl Identity {
    /// The identity of a program here, without variables of these names: they are set for each run.
    pub fn read(program: &Path, mpirun: Option<&Mpirun>, set: &[&str]) -> Identity {
        let clock = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
        Identity {
            program: digest(program).unwrap_or_default(),
            libraries: libraries::loaded_by(program),
            launcher: mpirun.map(Mpirun::identity).unwrap_or_default(),
            variables: variables(set),
            clock: cll_system::text(clock),
        }
    }

    /// The differences from an earlier identity besides the program: a sentence for each, without a full stop.
    pub fn differs(&self, before: &Identity) -> Vec<String> {
        let mut all = libraries::differ(&before.libraries, &self.libraries);
        all.extend(changed(&before.launcher, &self.launcher, |name| {
            format!("the launcher's {name}")
        }));
        all.extend(changed(&before.variables, &self.variables, |name| {
            format!("the variable {name}")
        }));
        if self.clock != before.clock {
            all.push(format!("the system's clock was {}, and is {}", before.clock, self.clock));
        }
        all
    }
}

/// The named values that differ.
fn changed(
    before: &[(String, String)],
    now: &[(String, String)],
    call: impl Fn(&str) -> String,
) -> Vec<String> {
    let find = |all: &[(String, String)], name: &str| {
        all.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    let quoted = |value: Option<String>| value.map_or("not set".to_owned(), |v| format!("`{v}`"));
    let mut names: Vec<&str> = before.iter().chain(now).map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .map(|name| (name, find(before, name), find(now, name)))
        .filter(|(_, before, now)| before != now)
        .map(|(name, before, now)| {
            format!("{} was {}, and is {}", call(name), quoted(before), quoted(now))
        })
        .collect()
}

#[cfg(test)]
mod tests;
