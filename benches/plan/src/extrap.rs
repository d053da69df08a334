//! Extra-P's choice of points, by a Gaussian process, for the same truths and budgets.
//!
//! Extra-P needs five values along each parameter and one more point before its process chooses: the cross through
//! (4, 4) and the cheapest other point are measured first, and cost nothing here. Then its process may spend the
//! budget, in single runs, and its models predict.

use std::process::Command;

use fastrand::Rng;

use crate::python::python;
use crate::truth::{SIZES, TARGET, Truth};
use crate::ways::RUNS;

const SCRIPT: &str = include_str!("peer.py");

/// For each budget the errors |ln(predicted/true)| of all truths; `None` if Extra-P cannot be had, with the reason
/// printed.
pub fn errors(truths: &[(Truth, Rng)], budgets: &[f64], noise: f64) -> Option<Vec<Vec<f64>>> {
    let python = python()?;
    let functions: Vec<serde_json::Value> = truths
        .iter()
        .map(|(truth, random)| {
            let mut random = random.clone();
            let points: Vec<serde_json::Value> = SIZES
                .iter()
                .flat_map(|&x| SIZES.map(|y| [x, y]))
                .map(|point| {
                    let runs = truth.runs(&point, RUNS, noise, &mut random);
                    let runs: Vec<f64> = runs.into_iter().map(|(_, value)| value).collect();
                    serde_json::json!({ "at": point, "true": truth.value(point[0], point[1]), "runs": runs })
                })
                .collect();
            serde_json::json!({ "points": points, "goal": truth.value(TARGET, TARGET) })
        })
        .collect();
    let folder = tempfile::tempdir().ok()?;
    let file = folder.path().join("truths.json");
    let text = serde_json::json!({ "target": TARGET, "budgets": budgets, "functions": functions });
    std::fs::write(&file, text.to_string()).ok()?;
    let script = folder.path().join("peer.py");
    std::fs::write(&script, SCRIPT).ok()?;
    let output = Command::new(python).arg(script).arg(file).output().ok()?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        eprintln!("Extra-P failed: {}", text.lines().last().unwrap_or_default());
        return None;
    }
    serde_json::from_slice(&output.stdout).ok()
}
