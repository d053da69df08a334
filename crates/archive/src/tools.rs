//! The compiler's tools, and the environment of the inner Cargo.

use std::env;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::process::Command;

/// Whether a variable of the environment is a setting of the Cargo that calls.
pub fn belongs_to_outer_cargo(name: &str) -> bool {
    let kept = ["CARGO_HOME", "CARGO_NET_OFFLINE", "RUSTC"];
    let outer = ["CARGO", "RUST", "CLIPPY", "MAKEFLAGS", "MFLAGS", "DEP_"];
    let exact = ["OUT_DIR", "TARGET", "HOST", "NUM_JOBS", "OPT_LEVEL", "PROFILE", "DEBUG"];
    !kept.contains(&name)
        // The user's: without RUSTUP_AUTO_INSTALL=0 a build might change their toolchains.
        && !name.starts_with("RUSTUP_")
        && !name.starts_with("CARGO_HTTP_")
        && !name.starts_with("CARGO_REGISTR")
        && (outer.iter().any(|prefix| name.starts_with(prefix)) || exact.contains(&name))
}

/// The command of a tool: what the variable says, or the default.
pub fn tool(variable: &str, default: &str) -> Command {
    let set = env::var_os(variable).filter(|value| !value.is_empty());
    let set = set.unwrap_or_else(|| OsString::from(default));
    let text = set.to_string_lossy();
    let mut words = text.split_whitespace();
    let mut command = Command::new(words.next().map_or(OsStr::new(default), OsStr::new));
    command.args(words);
    command
}

/// Runs a command; returns its standard output.
pub fn run(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot run {name}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{name} failed ({}):\n{errors}\nthe command: {command:?}", output.status).into())
}

#[cfg(test)]
mod tests {
    use super::belongs_to_outer_cargo;

    #[test]
    fn settings_for_rustup_reach_the_inner_build() {
        for name in ["RUSTUP_AUTO_INSTALL", "RUSTUP_TOOLCHAIN", "RUSTUP_HOME", "RUSTC", "PATH"] {
            assert!(!belongs_to_outer_cargo(name), "{name}");
        }
        for name in ["RUSTFLAGS", "CARGO_MANIFEST_DIR", "OUT_DIR"] {
            assert!(belongs_to_outer_cargo(name), "{name}");
        }
    }
}
