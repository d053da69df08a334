//! Extra-P on the same data.

use std::path::PathBuf;
use std::process::Command;

use cll_fit::Data;

use crate::truth::TARGET;

/// The version that the figures of the documentation are of.
const VERSION: &str = "extrap==4.2.5";
const SCRIPT: &str = include_str!("peer.py");

/// The share of predictions within 5 %; `None` if Extra-P cannot be had, with the reason printed once.
pub fn share(sampled: &[(Data, f64)]) -> Option<f64> {
    let python = python()?;
    let folder = tempfile::tempdir().ok()?;
    let functions: Vec<serde_json::Value> = sampled
        .iter()
        .map(|(data, goal)| {
            let points: Vec<_> = data.points.iter().map(|p| (&p.values, &p.observations)).collect();
            serde_json::json!({ "variables": data.variables, "points": points, "goal": goal })
        })
        .collect();
    let file = folder.path().join("functions.json");
    let text = serde_json::json!({ "target": TARGET, "functions": functions });
    std::fs::write(&file, text.to_string()).ok()?;
    let script = folder.path().join("peer.py");
    std::fs::write(&script, SCRIPT).ok()?;
    let output = Command::new(python).arg(script).arg(file).output().ok()?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        eprintln!("Extra-P failed: {}", text.lines().last().unwrap_or_default());
        return None;
    }
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

/// The Python of a virtual environment with Extra-P, made when it is first needed.
fn python() -> Option<PathBuf> {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let folder = target.join("bench-search-extrap");
    let python = folder.join("bin/python");
    if !folder.join("ready").exists() {
        let made =
            Command::new("python3").args(["-m", "venv"]).arg(&folder).status().ok()?.success()
                && Command::new(&python)
                    .args(["-m", "pip", "install", "--quiet", VERSION])
                    .status()
                    .ok()?
                    .success();
        if !made {
            eprintln!("Extra-P is not run: {VERSION} could not be installed");
            return None;
        }
        std::fs::write(folder.join("ready"), VERSION).ok()?;
    }
    Some(python)
}
