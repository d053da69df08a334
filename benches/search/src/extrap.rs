//! Extra-P on the same data.

use std::process::Command;

use cll_fit::Data;

use crate::python::python;
use crate::truth::TARGET;

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
