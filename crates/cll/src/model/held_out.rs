//! Points that were measured and kept from the fit, beside what it predicts there.

use cll_fit::Fit;
use cll_report::PredictionView;
use serde::{Deserialize, Serialize};

use super::file::ModelFile;
use super::predictions::{At, Predicted};
use crate::failure::Failure;

/// A point that the fit has not seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldOutModel {
    /// Values of the recorded variables, in their order.
    pub values: Vec<f64>,
    /// What its repetitions are together, in the experiment's unit.
    pub measured: f64,
}

/// Whether a point is among those that were asked for. Points of an experiment that does not have the
/// variables are not.
pub fn is_held_out(variables: &[String], values: &[f64], asked: &[At]) -> bool {
    asked.iter().any(|at| {
        at.values().iter().all(|(name, wanted)| {
            let found = variables.iter().position(|known| known == name);
            found.is_some_and(|k| (values[k] - wanted).abs() <= 1e-9 * wanted.abs())
        })
    })
}

/// Whether what was to be held out is anywhere.
///
/// # Errors
/// If it is not.
pub fn check_held_out(model: &ModelFile, asked: &[At]) -> Result<(), Failure> {
    let is_there = model.experiments.iter().any(|one| !one.held_out.is_empty());
    if asked.is_empty() || is_there || !model.has_fit() {
        return Ok(());
    }
    let names: Vec<String> = asked.iter().map(ToString::to_string).collect();
    Err(Failure::usage(format!("--hold-out {}: nothing was measured there", names.join("; ")))
        .help("it keeps from the fit what was measured, and compares it with the prediction"))
}

/// What the fits predict at the points that they have not seen, beside what was measured there.
pub fn predicted_held_out(model: &ModelFile) -> Vec<Predicted> {
    let mut all = Vec::new();
    for (experiment, one) in model.experiments.iter().enumerate() {
        let Some(fit) = &one.fit else { continue };
        all.extend(one.held_out.iter().filter_map(|held| of(experiment, fit, held)));
    }
    all
}

fn of(experiment: usize, fit: &Fit, held: &HeldOutModel) -> Option<Predicted> {
    let value = |variable: &String| {
        let k = fit.recorded.iter().position(|known| known == variable)?;
        Some((variable.clone(), *held.values.get(k)?))
    };
    let at: Vec<(String, f64)> = fit.variables.iter().map(value).collect::<Option<_>>()?;
    let values: Vec<f64> = at.iter().map(|(_, value)| *value).collect();
    let view = PredictionView { measured: Some(held.measured), ..PredictionView::of(fit, &values) };
    Some(Predicted { experiment, at, assumed: Vec::new(), view })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_held_out_by_some_of_their_values() {
        let names = ["N".to_owned(), "P".to_owned()];
        let is =
            |text: &str, values: [f64; 2]| is_held_out(&names, &values, &At::parse(text).unwrap());
        assert!(is("N=2", [2.0, 1.0]) && is("N=2,P=1", [2.0, 1.0]) && is("N=1,2", [2.0, 1.0]));
        assert!(!is("N=2,P=2", [2.0, 1.0]) && !is("M=2", [2.0, 1.0]) && !is("N=3", [2.0, 1.0]));
        assert!(is("N=0.1", [0.1, 0.0]) && is("N=0", [0.0, 0.0]));
    }
}
