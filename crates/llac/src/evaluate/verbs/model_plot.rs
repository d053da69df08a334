//! The plot of a fitted model: its measured points, curves and predictions.

use cll_analysis::{Location, predict_all};
use cll_fit::Fit;
use cll_report::{PlotOptions, PlotSpec};

use super::fit::failed;
use super::places::Asked;
use crate::evaluate::{Evaluator, Wrong, error};
use crate::model::Model;
use crate::syntax::ast::Span;

impl Evaluator<'_> {
    /// The measured points and the model, as `cll plot` draws them.
    pub(super) fn model_plot(
        &mut self,
        model: &Model,
        asked: &Asked,
        span: &Span,
    ) -> Result<PlotSpec, Wrong> {
        let only = model.only().map_err(|why| error("L136", span, why))?;
        let fit = model.fit(only).map_err(|why| error("L136", span, why))?;
        let unknown = asked.variations.iter().map(|(name, _)| name).chain(&asked.each);
        let mut unknown = unknown.filter(|name| !fit.variables.contains(name));
        if let Some(name) = unknown.next() {
            let message = format!("the model has no variable {name}: {}", fit.variables.join(", "));
            return Err(error("L177", span, message).into());
        }
        let by = asked.by.clone().or_else(|| chosen_axis(fit, asked));
        // Values along x are predictions, for each series; the others choose series.
        let (along, others): (Vec<_>, Vec<_>) =
            asked.variations.iter().cloned().partition(|(name, _)| Some(name) == by.as_ref());
        let is_given = |name: &String| asked.variations.iter().any(|(known, _)| known == name);
        let at: Vec<Location> = if fit.variables.iter().all(is_given) {
            self.combinations(&asked.variations, span)?.into_iter().map(Location::new).collect()
        } else {
            let mut all = Vec::new();
            for series in measured_series(fit, &others, &along) {
                let tuples = self.combinations(&along, span)?.into_iter();
                all.extend(tuples.map(|tuple| Location::new([series.clone(), tuple].concat())));
            }
            all
        };
        let predicted =
            predict_all(&model.chosen(), &at).map_err(|failure| failed(&failure, span))?;
        let views: Vec<_> = predicted.into_iter().map(|prediction| prediction.view).collect();
        let options = PlotOptions { only: others, x: by, ..PlotOptions::default() };
        let experiment = &model.file.experiments[only];
        let drawn = cll_report::experiment_plot(&model.file, experiment, &views, &options);
        let drawn = drawn.ok_or_else(|| error("L136", span, "the model has no fit"))?;
        drawn.map_err(|why| error("L177", span, why.to_string()).into())
    }
}

/// The variable along x of a model, if none is named: one that has neither a value nor a curve for each.
fn chosen_axis(fit: &Fit, asked: &Asked) -> Option<String> {
    if asked.variations.is_empty() && asked.each.is_empty() {
        return None;
    }
    let free = |name: &&String| {
        !asked.each.contains(name) && !asked.variations.iter().any(|(known, _)| known == *name)
    };
    fit.variables.iter().find(free).cloned()
}

/// The measured values of the variables that are not along x, where they are among the given ones; none if nothing is
/// given along x.
fn measured_series(
    fit: &Fit,
    given: &[(String, Vec<f64>)],
    along: &[(String, Vec<f64>)],
) -> Vec<Vec<(String, f64)>> {
    let mut all: Vec<Vec<(String, f64)>> = Vec::new();
    for residual in fit.residuals.iter().filter(|_| !along.is_empty()) {
        let values = fit.recorded.iter().cloned().zip(residual.values.iter().copied());
        let others = values.filter(|(name, _)| {
            fit.variables.contains(name) && !along.iter().any(|(known, _)| known == name)
        });
        let series: Vec<(String, f64)> = others.collect();
        let is_asked = series.iter().all(|(name, value)| {
            given.iter().all(|(known, values)| known != name || values.contains(value))
        });
        if is_asked && !all.contains(&series) {
            all.push(series);
        }
    }
    all
}
