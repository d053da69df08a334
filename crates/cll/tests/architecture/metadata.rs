//! The answer of `cargo metadata` about the workspace, without a network.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The packages that are built on this machine, ours and others'.
pub fn packages() -> Vec<Value> {
    packages_of_this_machine().unwrap_or_else(|why| panic!("{why}"))
}

fn packages_of_this_machine() -> Result<Vec<Value>, String> {
    let rustc = run("rustc", &["--version", "--verbose"])?;
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let metadata = run(
        env!("CARGO"),
        &["metadata", "--format-version=1", "--locked", "--offline", "--filter-platform", host],
    )?;
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let resolved: Vec<&str> = metadata["resolve"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["id"].as_str().unwrap())
        .collect();
    let packages = metadata["packages"].as_array().unwrap();
    let is_resolved = |p: &&Value| resolved.contains(&p["id"].as_str().unwrap());
    Ok(packages.iter().filter(is_resolved).cloned().collect())
}

/// Whether the package is one of this workspace.
pub fn is_ours(package: &Value) -> bool {
    package["source"].is_null()
}

/// Whether the package is one of `crates/`, and not a tool or a benchmark.
pub fn is_crate(package: &Value) -> bool {
    let manifest = Path::new(package["manifest_path"].as_str().unwrap());
    manifest.starts_with(root().join("crates"))
}

/// The package's name.
pub fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap()
}

fn run(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(arguments).current_dir(root()).output().unwrap();
    if output.status.success() {
        Ok(String::from_utf8(output.stdout).unwrap())
    } else {
        let message = String::from_utf8_lossy(&output.stderr);
        Err(format!("{program} {arguments:?}: {message}"))
    }
}
