//! What a program's times depend on beside its arguments: the program itself, and what runs it.
//! Samples of different identities do not belong together.

mod digest;
mod libraries;
mod variables;

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Mpirun;

pub use digest::digest;
pub use libraries::{Library, file};
pub use variables::variables;

/// What is measured, and what runs it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Identity {
    /// The program's SHA-256, hexadecimal.
    pub program: String,
    /// The shared libraries that the loader loads with it.
    pub libraries: Vec<Library>,
    /// What starts its processes: names and values; empty where they are not started by MPI.
    pub launcher: Vec<(String, String)>,
    /// Variables of the environment that change what is measured.
    pub variables: Vec<(String, String)>,
    /// The system's source of time.
    pub clock: String,
}

impl Identity {
    /// Of a program here. Variables of these names are set for each run and do not count.
    pub fn of(program: &Path, mpirun: Option<&Mpirun>, set: &[&str]) -> Identity {
        let clock = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
        Identity {
            program: digest(program).unwrap_or_default(),
            libraries: libraries::of(program),
            launcher: mpirun.map(Mpirun::identity).unwrap_or_default(),
            variables: variables(set),
            clock: fs::read_to_string(clock).unwrap_or_default().trim().to_owned(),
        }
    }

    /// In what it differs from an earlier one beside the program: a sentence for each, without its
    /// end.
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

/// Which of named values differ.
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
