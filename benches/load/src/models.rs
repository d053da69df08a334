//! Models by `cll model`, and how far two of them are apart.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use cll_fit::Fit;
use serde_json::Value;

/// What `cll model` made.
pub enum Made {
    /// A fit.
    Model(Box<Fit>),
    /// Why nothing.
    NotMeasurable(String),
}

/// Samples a program of one experiment anew, for at most so long.
pub fn sample(cll: &Path, source: &Path, out: &Path, budget: &str) -> Result<Made> {
    let output = Command::new(cll)
        .args(["model", "--fresh", "--quiet", "--loaded", "refuse", "--budget", budget, "-o"])
        .arg(out)
        .arg(source)
        .output()?;
    let code = output.status.code();
    ensure!(
        matches!(code, Some(0 | 8)),
        "cll model {}: {}",
        source.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    let text = std::fs::read(out.join("model.json"))?;
    let model: Value = serde_json::from_slice(&text)?;
    if code == Some(8) {
        let reasons = model["sampling"]["verdict"]["reasons"].as_array().into_iter().flatten();
        let words: Vec<&str> = reasons.filter_map(|reason| reason["text"].as_str()).collect();
        return Ok(Made::NotMeasurable(words.join("; ")));
    }
    let fit = model["experiments"][0]["fit"].clone();
    Ok(Made::Model(Box::new(serde_json::from_value(fit).context("no fit in model.json")?)))
}

/// The largest error of a model's predictions between the sizes that another was made from.
pub fn largest_error(quiet: &Fit, other: &Fit) -> Result<f64> {
    let mut sizes: Vec<f64> = quiet.residuals.iter().map(|point| point.values[0]).collect();
    sizes.sort_by(f64::total_cmp);
    let mut largest = 0.0f64;
    for pair in sizes.windows(2) {
        let at = [(pair[0] * pair[1]).sqrt()];
        let (quiet, other) = (quiet.predict(&at)?.value, other.predict(&at)?.value);
        largest = largest.max(((quiet - other) / quiet).abs());
    }
    Ok(largest)
}
