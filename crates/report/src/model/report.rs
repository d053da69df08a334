//! The report on a whole model, as text.

use cll_result::{
    Doubt, DoubtKind, ExperimentModel, ModelFile, Notice, Predicted, PredictionView, scalings,
};
use cll_units::Bytes;

use super::part::ReportPart;
use super::sampling_text::{self, disclaimer, flagged};
use super::{
    Causes, ModelView, TouchedMemory, alternatives, constants, head, misses, points, predictions,
    processors, quality, ranking, scaling, search, shared, suggestion, summary, validity, warnings,
};
use crate::document::{Block, Document, Section};
use crate::plot::{PlotOptions, experiment_plot};
use crate::style::{Role, Style};
use crate::svg::{SvgOptions, svg};
use crate::text::escape;

/// The parts of a model that are printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportOptions {
    /// Whether every point is printed, with the model's value.
    pub points: bool,
    /// Numbers without a mark, even if the machine was too disturbed.
    pub accept: bool,
}

/// The report on every experiment, with its predictions, and on the sampling. If the sampling was
/// disturbed too much, every line is marked, unless `accept` is set.
pub fn model_report(
    model: &ModelFile,
    predicted: &[Predicted],
    options: ReportOptions,
    style: &Style,
) -> String {
    let text = document(model, predicted, options, style).text(style);
    with_doubts(model, &text, options, style)
}

/// The text of a report below what is to be said of its numbers.
fn with_doubts(model: &ModelFile, text: &str, options: ReportOptions, style: &Style) -> String {
    match &model.sampling {
        Some(sampling) if sampling.is_not_measurable() && !options.accept => {
            disclaimer(sampling) + &flagged(text)
        }
        _ => Document::new([doubts(model)]).text(style) + text,
    }
}

/// Why the numbers that follow cannot be trusted. Other doubts are told in the report.
fn doubts(model: &ModelFile) -> Section {
    let grave = |doubt: &&Doubt| doubt.kind == DoubtKind::NotMeasurable;
    let all = model.doubts();
    let text = |doubt: &Doubt| {
        Block::marked(format!("NOT MEASURABLE: {}", escape(&doubt.text)), Role::Bad)
    };
    Section::untitled(all.iter().filter(grave).map(text).collect())
}

/// The same report as a part of an HTML page, below a plot of each of the first experiments. It has its styles in
/// it, and what is not measurable is marked at the top. `id` begins the identities of its elements.
pub fn model_html(model: &ModelFile, predicted: &[Predicted], id: &str) -> String {
    const PLOTS: usize = 4;
    let mut out = format!("<div class=\"cll-report\">\n<style>{STYLE}</style>\n");
    out += &Document::new([doubts(model)]).html();
    let fits = model.experiments.iter().filter(|experiment| experiment.fit.is_some());
    for (index, experiment) in fits.take(PLOTS).enumerate() {
        // What cannot be drawn is in the text.
        let drawn = experiment_plot(model, experiment, &[], &PlotOptions::default());
        let Some(Ok(spec)) = drawn else { continue };
        let options = SvgOptions {
            width: 720,
            height: 420,
            id: format!("{id}-{index}"),
            ..SvgOptions::default()
        };
        out += &svg(&spec, &options);
    }
    out += &document(model, predicted, ReportOptions::default(), &Style::default()).html();
    out + "</div>\n"
}

/// For pages with styles of their own, such as notebooks.
const STYLE: &str = "\
.cll-report{max-width:60em;line-height:1.4}\
.cll-report h3{margin:1em 0 .3em;font-size:1em}\
.cll-report .remark{font-weight:normal;opacity:.7;margin-left:.7em}\
.cll-report p{margin:.3em 0}\
.cll-report svg{max-width:100%;height:auto}\
.cll-report table{border-collapse:collapse;margin:.3em 0}\
.cll-report th,.cll-report td{padding:.15em .8em;text-align:left}\
.cll-report .num{text-align:right}\
.cll-report thead th{border-bottom:1px solid currentColor}\
.cll-report dl{display:grid;grid-template-columns:max-content auto;gap:.1em 1em;margin:.3em 0}\
.cll-report dd{margin:0}\
.cll-report ul{list-style:none;padding-left:.2em;margin:.3em 0}\
.cll-report .warnings li{display:flex;gap:.6em}\
.cll-report code{margin:0 .4em 0 0}";

/// The report, before it is text.
fn document(
    model: &ModelFile,
    predicted: &[Predicted],
    options: ReportOptions,
    style: &Style,
) -> Document {
    parts(model, predicted, (&ReportPart::of_report(options.points), false), options, style)
}

/// These parts of the report. If they were chosen, it says which of them there are not.
fn parts(
    model: &ModelFile,
    predicted: &[Predicted],
    (parts, are_chosen): (&[ReportPart], bool),
    options: ReportOptions,
    style: &Style,
) -> Document {
    let has = |part: ReportPart| parts.contains(&part);
    let views = Views::new(model, predicted);
    let mut all = Vec::new();
    if has(ReportPart::Ranking) {
        let sampling = model.sampling.as_ref();
        all.extend(model.ranking.as_ref().map(|ranked| ranking::section(ranked, sampling, style)));
    }
    if has(ReportPart::Experiments) && views.fitted.len() > 1 {
        all.push(summary::section(&views.all(), style));
    }
    for (index, experiment) in model.experiments.iter().enumerate() {
        if model.ranking.as_ref().is_some_and(|ranked| {
            !ranking::is_notable(ranked, &experiment.name, experiment.fit.is_some())
        }) {
            continue;
        }
        let Some(view) = views.view(index) else {
            all.push(without_fit(experiment));
            continue;
        };
        all.push(head::section(&view, style));
        let scaled = scalings(model, index, predicted);
        for part in parts.iter().filter(|part| part.is_of_experiment()) {
            let mut own = of_experiment(*part, experiment, &view, options, style);
            match part {
                ReportPart::Predictions => own.push(missing(predicted, index)),
                ReportPart::SpeedUp => {
                    own.extend(scaled.iter().map(|view| scaling::section(view, None, style)));
                }
                _ => {}
            }
            if are_chosen && own.iter().all(Section::is_empty) {
                own = vec![Section::untitled(vec![Block::line(part.absence())])];
            }
            all.extend(own);
        }
    }
    if has(ReportPart::Shared) {
        all.extend(shared::section(model, style));
    }
    if has(ReportPart::Warnings) && !model.warnings.is_empty() {
        all.push(notices(&model.warnings));
    }
    if has(ReportPart::Sampling) {
        let is_cost_told = model.ranking.as_ref().is_some_and(|ranking| ranking.markers.is_some());
        let sampling = model.sampling.as_ref();
        all.extend(sampling.map(|sampling| sampling_text::section(sampling, is_cost_told)));
    }
    let lacking = [
        (ReportPart::Shared, model.shared.is_empty()),
        (ReportPart::Sampling, model.sampling.is_none()),
    ];
    for (part, is_empty) in lacking {
        if are_chosen && has(part) && is_empty {
            all.push(Section::untitled(vec![Block::at_margin(part.absence())]));
        }
    }
    Document::new(all)
}

/// A part of the report on an experiment.
fn of_experiment(
    part: ReportPart,
    experiment: &ExperimentModel,
    view: &ModelView<'_>,
    options: ReportOptions,
    style: &Style,
) -> Vec<Section> {
    let ModelView { fit, predictions, causes, .. } = *view;
    match part {
        ReportPart::Constants => vec![constants::section(fit, style)],
        ReportPart::Intervals => vec![validity(fit, causes, style)],
        ReportPart::Quality => vec![quality::section(fit, style)],
        ReportPart::Predictions => vec![predictions::section(fit, predictions, style)],
        ReportPart::Warnings => {
            // Beside the warnings of the fit: which points it is of.
            let part = experiment.warnings.iter().filter(|notice| notice.code == "part-of-points");
            let part: Vec<_> = part.cloned().collect();
            let part = (!part.is_empty()).then(|| notices(&part));
            std::iter::once(warnings::section(fit, style)).chain(part).collect()
        }
        ReportPart::Search => {
            let search = experiment.search.as_ref();
            search.map(|search| search::section(search, &fit.unit, style)).into_iter().collect()
        }
        ReportPart::Alternatives => {
            let suggestion = experiment.suggestion.as_ref();
            let text = suggestion.map(|own| suggestion::section(own, &fit.unit, style));
            text.into_iter().chain([alternatives::section(fit, style)]).collect()
        }
        ReportPart::Suggestion => {
            let suggestion = experiment.suggestion.as_ref();
            suggestion.map(|own| suggestion::section(own, &fit.unit, style)).into_iter().collect()
        }
        ReportPart::Processors => {
            let imbalance = experiment.imbalance.as_ref().map(processors::imbalance);
            imbalance.into_iter().chain(experiment.sync.as_ref().map(processors::sync)).collect()
        }
        ReportPart::Misses => {
            vec![misses::section(&experiment.variables, &experiment.misses, options.points, style)]
        }
        ReportPart::Points => vec![points::section(fit, style)],
        ReportPart::Ranking
        | ReportPart::Experiments
        | ReportPart::SpeedUp
        | ReportPart::Shared
        | ReportPart::Sampling => Vec::new(),
    }
}

/// These parts of the report, each experiment below its name and formula.
pub fn parts_report(
    model: &ModelFile,
    predicted: &[Predicted],
    chosen: &[ReportPart],
    options: ReportOptions,
    style: &Style,
) -> String {
    let text = parts(model, predicted, (chosen, true), options, style).text(style);
    with_doubts(model, &text, options, style)
}

/// Predictions alone. If they are not measurable, every line is marked.
pub fn predictions_report(model: &ModelFile, predicted: &[Predicted], style: &Style) -> String {
    let views = Views::new(model, predicted);
    let mut all: Vec<Section> =
        views.all().iter().map(|view| predictions::alone(view, style)).collect();
    all.extend((0..model.experiments.len()).map(|index| missing(predicted, index)));
    let text = Document::new(all).text(style);
    if model.is_not_measurable() { flagged(&text) } else { text }
}

/// Each fitted experiment with the data of its view.
pub(crate) struct Views<'a> {
    model: &'a ModelFile,
    caches: Vec<(String, Bytes)>,
    /// Index of the experiment, its place, its predictions.
    fitted: Vec<(usize, String, Vec<PredictionView>)>,
}

impl<'a> Views<'a> {
    pub(crate) fn new(model: &'a ModelFile, predicted: &[Predicted]) -> Views<'a> {
        let own = |index: usize| {
            let own = predicted
                .iter()
                .filter(|prediction| prediction.experiment == index && !prediction.is_missing());
            own.map(|prediction| prediction.view.clone()).collect()
        };
        let fitted =
            model.experiments.iter().enumerate().filter(|(_, experiment)| experiment.fit.is_some());
        let fitted = fitted.map(|(index, experiment)| (index, experiment.place(), own(index)));
        Views { model, caches: model.caches(), fitted: fitted.collect() }
    }

    /// The fit of an experiment; `None` if it has none.
    pub(crate) fn view(&self, index: usize) -> Option<ModelView<'_>> {
        let (_, place, predictions) = self.fitted.iter().find(|(known, ..)| *known == index)?;
        let experiment = &self.model.experiments[index];
        let fit = experiment.fit.as_ref()?;
        let working_set = experiment.working_set.as_deref();
        let memory =
            working_set.map(|working_set| TouchedMemory { working_set, caches: &self.caches });
        let causes = Causes { memory, followed: &experiment.causes };
        Some(ModelView { fit, name: &experiment.name, place, predictions, causes })
    }

    fn all(&self) -> Vec<ModelView<'_>> {
        self.fitted.iter().filter_map(|(index, ..)| self.view(*index)).collect()
    }
}

/// Predictions for which a value was not given; no table has a row for them.
fn missing(predicted: &[Predicted], index: usize) -> Section {
    let own = predicted
        .iter()
        .filter(|prediction| prediction.experiment == index && prediction.is_missing());
    let mut lines: Vec<String> = own
        .filter_map(|prediction| prediction.failure.as_ref())
        .map(|failure| format!("no prediction: {failure}"))
        .collect();
    lines.dedup();
    let lines = lines.into_iter().map(|text| Block::Line { indent: 0, text });
    Section { is_joined: true, ..Section::untitled(lines.collect()) }
}

fn without_fit(experiment: &ExperimentModel) -> Section {
    let place = match experiment.place() {
        place if place.is_empty() => place,
        place => format!(" ({})", escape(&place)),
    };
    let why = experiment.failure.as_deref().unwrap_or("it has no fit");
    Section::plain(format!("{}{place}: cannot be fitted", escape(&experiment.name)))
        .line(escape(&experiment.formula))
        .line(escape(why))
}

fn notices(warnings: &[Notice]) -> Section {
    warnings.iter().fold(Section::plain("About the data"), |section, notice| {
        section.line(format!("! {}", escape(&notice.text)))
    })
}
