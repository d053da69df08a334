//! The report on a whole model, as text.

use cll_result::{
    ExperimentModel, ImbalanceModel, ModelFile, Notice, Predicted, PredictionView, SyncModel,
    scalings,
};

use super::account::{disclaimer, flagged, sampling_text};
use super::misses::misses_text;
use super::{
    Memory, ModelView, model_text, points_text, predictions_text, scaling_text, summary_text,
};
use crate::Style;
use crate::text::escape;

/// What of a model is printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown {
    /// Every point beside the model.
    pub points: bool,
    /// Numbers as they are, on however loaded a machine they were measured.
    pub accept: bool,
}

/// The report on every experiment, with its predictions, and on the sampling. Where that could not
/// be done properly, no number is shown as if it were true.
pub fn model_report(
    model: &ModelFile,
    predicted: &[Predicted],
    shown: Shown,
    style: &Style,
) -> String {
    let mut text = experiments(model, predicted, shown, style);
    let Some(sampling) = &model.sampling else { return text };
    text.push('\n');
    text += &sampling_text(sampling);
    match sampling.is_not_measurable() && !shown.accept {
        true => disclaimer(sampling) + &flagged(&text),
        false => text,
    }
}

fn experiments(model: &ModelFile, predicted: &[Predicted], shown: Shown, style: &Style) -> String {
    let views = Views::of(model, predicted);
    let mut parts = Vec::new();
    if views.fitted.len() > 1 {
        parts.push(summary_text(&views.all(), style));
    }
    for (index, one) in model.experiments.iter().enumerate() {
        parts.push(match views.view(index) {
            Some(view) => {
                let mut text = model_text(&view, style);
                text += &one.imbalance.as_ref().map_or_else(String::new, imbalance);
                text += &one.sync.as_ref().map_or_else(String::new, sync);
                text += &misses_text(&one.variables, &one.misses, shown.points, style);
                text += &missing(predicted, index);
                for view in scalings(model, index, predicted) {
                    text.push('\n');
                    text += &scaling_text(&view, style);
                }
                if shown.points {
                    text.push('\n');
                    text += &points_text(view.fit, style);
                }
                text
            }
            None => without_fit(one),
        });
    }
    if !model.warnings.is_empty() {
        parts.push(notices(&model.warnings));
    }
    parts.join("\n")
}

/// Predictions alone.
pub fn predictions_report(model: &ModelFile, predicted: &[Predicted], style: &Style) -> String {
    let views = Views::of(model, predicted);
    let mut text = predictions_text(&views.all(), style);
    for index in 0..model.experiments.len() {
        text += &missing(predicted, index);
    }
    text
}

/// Each fitted experiment with what its view needs.
struct Views<'a> {
    model: &'a ModelFile,
    caches: Vec<(String, u64)>,
    /// Index of the experiment, its place, its predictions.
    fitted: Vec<(usize, String, Vec<PredictionView>)>,
}

impl<'a> Views<'a> {
    fn of(model: &'a ModelFile, predicted: &[Predicted]) -> Views<'a> {
        let own = |index: usize| {
            let own = predicted.iter().filter(|one| one.experiment == index && !one.is_missing());
            own.map(|one| one.view.clone()).collect()
        };
        let fitted = model.experiments.iter().enumerate().filter(|(_, one)| one.fit.is_some());
        let fitted = fitted.map(|(index, one)| (index, one.place(), own(index)));
        Views { model, caches: model.caches(), fitted: fitted.collect() }
    }

    fn view(&self, index: usize) -> Option<ModelView<'_>> {
        let (_, place, predictions) = self.fitted.iter().find(|(known, ..)| *known == index)?;
        let one = &self.model.experiments[index];
        let fit = one.fit.as_ref()?;
        let working_set = one.working_set.as_deref();
        let memory = working_set.map(|working_set| Memory { working_set, caches: &self.caches });
        Some(ModelView { fit, name: &one.name, place, predictions, memory })
    }

    fn all(&self) -> Vec<ModelView<'_>> {
        self.fitted.iter().filter_map(|(index, ..)| self.view(*index)).collect()
    }
}

/// Predictions for which a value was not given; no table has a row for them.
fn missing(predicted: &[Predicted], index: usize) -> String {
    let own = predicted.iter().filter(|one| one.experiment == index && one.is_missing());
    let mut lines: Vec<String> = own
        .filter_map(|one| one.failure.as_ref())
        .map(|failure| format!("no prediction: {failure}\n"))
        .collect();
    lines.dedup();
    lines.concat()
}

fn imbalance(of: &ImbalanceModel) -> String {
    format!(
        "\nProcessors (up to {})\n  the slowest of each passage is fitted: it took {:.2} times the mean, the fastest {:.2}\n",
        of.processors, of.slowest, of.fastest
    )
}

fn sync(of: &SyncModel) -> String {
    let SyncModel { barrier, window, late, left_out, within_ns } = *of;
    let mut text = "\nBegun together\n".to_owned();
    if window > 0 {
        let clocks = match within_ns {
            0 => String::new(),
            _ => format!(" by clocks that are known within {:.1} µs", within_ns as f64 * 1e-3),
        };
        text +=
            &format!("  {window} samples at a time that the processors had agreed upon{clocks}");
        text += &match (late, left_out) {
            (0, _) => "\n".to_owned(),
            (_, 0) => format!("; {late} began late\n"),
            _ => format!("; {late} began late: {left_out} of their passages are left out\n"),
        };
    }
    if barrier > 0 {
        text += &format!("  {barrier} samples behind a barrier\n");
    }
    text
}

fn without_fit(one: &ExperimentModel) -> String {
    let place = match one.place() {
        place if place.is_empty() => place,
        place => format!(" ({})", escape(&place)),
    };
    let why = one.failure.as_deref().unwrap_or("it has no fit");
    format!(
        "{}{place}: cannot be fitted\n  {}\n  {}\n",
        escape(&one.name),
        escape(&one.formula),
        escape(why)
    )
}

fn notices(warnings: &[Notice]) -> String {
    let lines = warnings.iter().map(|notice| format!("  ! {}\n", escape(&notice.text)));
    format!("About the data\n{}", lines.collect::<String>())
}
