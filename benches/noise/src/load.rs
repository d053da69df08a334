use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::program::program;
use anyhow::{Context, Result, bail, ensure};
use cll_fit::{Fit, Residual};
use cll_report::{PlotSpec, Scale, Whiskers};

use crate::{axis, bare, point, points, series};

const ROUNDS: &str = "5";

/// Measured times of the matrix product beside the model of the quiet machine.
pub fn picture(root: &Path) -> Result<PlotSpec> {
    let cll = program()?;
    let quiet = measured(&cll, root, &[])?;
    let busy = [Busy::begin()?, Busy::begin()?];
    let defended = measured(&cll, root, &[])?;
    let exposed = measured(&cll, root, &["--no-pin"])?;
    drop(busy);
    let reference: Vec<(f64, f64)> =
        quiet.residuals.iter().map(|residual| (residual.values[0], residual.fitted)).collect();
    let beside = |label: &str, fit: &Fit| {
        let against = |residual: &Residual| {
            let (n, spread) = (residual.values[0], &residual.spread);
            let (_, model) = reference.iter().find(|(known, _)| *known == n)?;
            let whiskers = Whiskers {
                count: spread.count,
                minimum: spread.minimum / model,
                lower_quartile: spread.lower_quartile / model,
                upper_quartile: spread.upper_quartile / model,
                maximum: spread.maximum / model,
            };
            Some(point(n, residual.measured / model, whiskers))
        };
        series(label, fit.residuals.iter().filter_map(against).collect())
    };
    Ok(points(
        "The matrix product beside two busy programs, on two processors",
        "Measured times over the model of the quiet machine, by N: on the quiet machine, beside \
         two busy programs as cll model measures, and without processors and priority of its own.",
        axis("N", bare(), Scale::Log),
        axis("measured / quiet model", bare(), Scale::Log),
        vec![
            beside("two busy programs, cll model --no-pin", &exposed),
            beside("two busy programs, cll model", &defended),
            beside("quiet", &quiet),
        ],
    ))
}

/// All that was measured in a few rounds, whatever the machine was like.
fn measured(cll: &Path, root: &Path, more: &[&str]) -> Result<Fit> {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("model");
    let output = Command::new(cll)
        .args(["model", "--quiet", "--loaded", "accept", "--launches", ROUNDS])
        .args(more)
        .arg(root.join("examples/matrix_product/matrix_product.c"))
        .arg("-o")
        .arg(&out)
        .output()?;
    ensure!(output.status.success(), "cll model: {}", String::from_utf8_lossy(&output.stderr));
    let model: serde_json::Value = serde_json::from_slice(&std::fs::read(out.join("model.json"))?)?;
    match model.pointer("/experiments/0/fit") {
        Some(fit) => Ok(serde_json::from_value(fit.clone())?),
        None => bail!("the model has no fit"),
    }
}

/// A program that keeps a processor busy until this goes.
struct Busy(Child);

impl Busy {
    fn begin() -> Result<Busy> {
        let mut command = Command::new("sh");
        command.args(["-c", "while :; do :; done"]).stdin(Stdio::null());
        Ok(Busy(command.spawn().context("sh cannot be run")?))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        // Whatever comes of it, there is nothing else to try.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
