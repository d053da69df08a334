//! The page: everything that is known of a model in one HTML file.
//!
//! The texts and tables of the page have the numbers of the text report, and can be read without JavaScript. The
//! viewer, which is embedded, makes its plots and tables live; it reads the data in the page as JSON. The page uses no
//! network: its policy forbids it.

mod answer;
mod bundle;
mod counters;
mod data;
mod environment;
mod experiment;
mod experiments;
mod graph;
mod head;
pub(crate) mod html;
mod overview;
mod picture;
mod policy;
mod profile;
mod samples;
mod sampling;
mod source;
mod upsilon;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cll_fit::Data;
use cll_result::{ExperimentModel, ModelFile, Predicted, PredictionView, Scaling, scalings};
use cll_units::Bytes;

use crate::Style;
use crate::answer::{AnswerParts, answer_parts};
use crate::document::Document;
use crate::document::html::document as render;
use crate::model::{Causes, ComparisonView, TouchedMemory, comparison};
use crate::svg::{Theme, sheet};
use head::{Head, head};
use html::{Html, brief};

pub use graph::{GraphPage, graph_page};
pub use profile::{ProfilePage, profile_page};
pub use source::{PageRegion, PageSource};
pub use upsilon::PageSets;

/// All that a page is made of.
#[derive(Debug)]
pub struct Page<'a> {
    /// The model.
    pub model: &'a ModelFile,
    /// The title of the page; `None`: as the model.
    pub title: Option<&'a str>,
    /// Models compared, if it is of several.
    pub comparisons: &'a [ComparisonView<'a>],
    /// The predictions of the model.
    pub predicted: &'a [Predicted],
    /// For each experiment of the model its samples, if they are at hand.
    pub samples: &'a [Option<Data>],
    /// The program's sources with the regions that were measured.
    pub sources: &'a [PageSource],
    /// Notes on the page.
    pub notes: &'a [String],
    /// The state of a measurement that goes on; `None`: the model is finished.
    pub live: Option<PageLive<'a>>,
}

/// The state of a measurement that goes on: the page is served, and asks for a newer one.
#[derive(Clone, Copy, Debug)]
pub struct PageLive<'a> {
    /// The version of the page, as the server has it.
    pub version: &'a str,
    /// How far it is, in a sentence.
    pub state: &'a str,
}

/// The values of a page by section.
pub(crate) struct PageParts<'a> {
    page: &'a Page<'a>,
    model: &'a ModelFile,
    /// For each experiment its predictions.
    predictions: Vec<Vec<PredictionView>>,
    /// For each experiment its speed-up on more processors.
    scalings: Vec<Vec<Scaling>>,
    caches: Vec<(String, Bytes)>,
    /// For each experiment its answer.
    answers: Vec<AnswerParts>,
}

impl<'a> PageParts<'a> {
    fn new(page: &'a Page<'a>) -> PageParts<'a> {
        let model = page.model;
        let mut predictions = vec![Vec::new(); model.experiments.len()];
        for prediction in page.predicted.iter().filter(|prediction| !prediction.is_missing()) {
            if let Some(own) = predictions.get_mut(prediction.experiment) {
                own.push(prediction.view.clone());
            }
        }
        let scalings =
            (0..model.experiments.len()).map(|index| scalings(model, index, page.predicted));
        PageParts {
            page,
            model,
            predictions,
            scalings: scalings.collect(),
            caches: model.caches(),
            answers: answer_parts(model, page.predicted),
        }
    }

    /// The name of the page.
    fn name(&self) -> String {
        self.page.title.map_or_else(|| self.model.name(), str::to_owned)
    }

    /// Number of experiments with a fit.
    fn fitted(&self) -> usize {
        self.model.experiments.iter().filter(|experiment| experiment.fit.is_some()).count()
    }

    /// Whether a table comes first.
    fn has_table(&self) -> bool {
        self.model.experiments.len() > 1
    }

    /// Whether there are so many experiments that their parts are folded.
    fn is_folded(&self) -> bool {
        self.model.experiments.len() > MAX_OPEN
    }

    /// The experiment on the first screen: that with the largest share, else the first that has a fit, else the first.
    fn first(&self) -> usize {
        let all = &self.model.experiments;
        let fitted = |name: &str| {
            all.iter().position(|experiment| experiment.name == name && experiment.fit.is_some())
        };
        let spots = self.model.ranking.iter().flat_map(|ranking| &ranking.spots);
        let ranked = spots.into_iter().find_map(|spot| fitted(&spot.name));
        let first = || all.iter().position(|experiment| experiment.fit.is_some());
        ranked.or_else(first).unwrap_or_default()
    }

    /// The name of an experiment.
    fn called(&self, index: usize) -> &str {
        self.model.experiments.get(index).map_or("", called)
    }

    /// Known causes of changes of an experiment's constants.
    fn causes(&self, experiment: &'a ExperimentModel) -> Causes<'_> {
        Causes { memory: self.memory(experiment), followed: &experiment.causes }
    }

    /// The memory that an experiment's boundaries are compared with.
    fn memory(&self, experiment: &'a ExperimentModel) -> Option<TouchedMemory<'_>> {
        experiment
            .working_set
            .as_deref()
            .map(|working_set| TouchedMemory { working_set, caches: &self.caches })
    }
}

/// An experiment's name; one that has none is called by its kind.
fn called(experiment: &ExperimentModel) -> &str {
    if experiment.name.is_empty() { "experiment" } else { &experiment.name }
}

/// Experiments whose parts are open.
const MAX_OPEN: usize = 6;

/// Points in the table of the page; the viewer shows all.
const MAX_POINTS: usize = 200;

/// How strongly the program for predictions is compressed: it is the same in every page.
const LEVEL: u8 = 9;

/// The browser wraps text.
const STYLE: Style = Style::PAGE;

/// The page as an HTML document. The same values give the same bytes.
pub fn page(page: &Page<'_>) -> String {
    let parts = &PageParts::new(page);
    let model = parts.model;
    let mut out = Html::default();
    model_head(&mut out, parts);
    out.open("body", &[]);
    out.element("a", &[("class", "skip"), ("href", "#main")], "Skip to the answer");
    top(&mut out, parts);
    out.open("main", &[("id", "main"), ("tabindex", "-1")]);
    out.open("section", &[("class", "story"), ("aria-label", "Summary")]);
    render(&mut out, &overview::head(parts));
    if let Some(PageLive { version, state }) = page.live {
        out.element(
            "p",
            &[("class", "verdict live-state"), ("role", "status"), ("data-live", version)],
            state,
        );
    }
    out.close();
    comparisons(&mut out, parts);
    if parts.has_table() {
        experiments::experiments(&mut out, parts);
    }
    first(&mut out, parts);
    out.open("section", &[("class", "story results"), ("aria-label", "Results")]);
    render(&mut out, &overview::results(parts));
    out.close();
    for index in 0..model.experiments.len() {
        experiment::experiment(&mut out, parts, index);
    }
    if let Some(sampling) = &model.sampling {
        let mut document = sampling::document(sampling);
        document.sections.splice(0..0, overview::whole_verdict(model));
        section(&mut out, "sampling", "Sampling", &document);
    }
    source::sources(&mut out, page.sources, &model.experiments);
    section(&mut out, "environment", "Environment", &environment::document(model));
    samples::data(&mut out, page.samples);
    out.close();
    let notices = [bundle::NOTICE, bundle::PREDICT_NOTICE];
    foot(&mut out, &model.tool, if model.has_fit() { &notices } else { &notices[..1] });
    let attributes = [("type", "application/json"), ("id", "cll-data")];
    out.raw("script", &attributes, &data::json(parts));
    if model.has_fit() {
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(bundle::PREDICT, LEVEL);
        let attributes = [("type", "application/octet-stream"), ("id", "cll-predict")];
        out.raw("script", &attributes, &STANDARD.encode(packed));
    }
    out.finish()
}

/// Writes the changes between models: the reason to put them on one page.
fn comparisons(out: &mut Html, parts: &PageParts<'_>) {
    let all = parts.page.comparisons;
    if all.is_empty() {
        return;
    }
    let sections = all.iter().flat_map(|view| comparison::sections(view, &STYLE));
    section(out, "comparison", "Compared", &Document::new(sections));
}

/// The answer on the first experiment, and below it the field for sizes and the plot of all models.
fn first(out: &mut Html, parts: &PageParts<'_>) {
    if parts.model.experiments.is_empty() {
        return;
    }
    out.open("section", &[("id", "ask"), ("aria-labelledby", "ask-title")]);
    answer::answer(out, parts, parts.first(), true);
    if parts.fitted() > 0 {
        out.open("div", &[("class", "part sizes")]);
        let all = if parts.fitted() > 1 { "Sizes, for all experiments" } else { "Several sizes" };
        out.element("h3", &[], all);
        live(out, "ask");
        out.close();
    }
    if parts.fitted() > 1 {
        let closed = [("id", "together")];
        let open = [("id", "together"), ("open", "")];
        out.open("details", if parts.is_folded() { &closed[..] } else { &open[..] });
        out.element("summary", &[], "All models in one plot");
        live(out, "together");
        out.close();
    }
    out.close();
}

/// A part that only the viewer has.
fn live(out: &mut Html, island: &str) {
    out.open("div", &[("data-island", island)]);
    out.element("p", &[("class", "faint")], "This part needs JavaScript.");
    out.close();
}

/// Writes the name of the program that made the page, and the notices of the libraries in it.
fn foot(out: &mut Html, tool: &str, notices: &[&str]) {
    out.open("footer", &[("class", "foot")]);
    out.element("p", &[], &format!("Made by {tool}. All of it is in this file."));
    out.open("details", &[]);
    out.element("summary", &[], "Libraries in this file");
    out.open("pre", &[]);
    notices.iter().flat_map(|text| text.lines()).for_each(|line| {
        out.verbatim(line);
        out.raw_text("\n");
    });
    out.close();
    out.close();
    out.close();
}

/// A document as a section of the page.
fn section(out: &mut Html, id: &str, title: &str, document: &Document) {
    let title_id = format!("{id}-title");
    out.open("section", &[("id", id), ("aria-labelledby", &title_id)]);
    out.element("h2", &[("id", &title_id)], title);
    render(out, document);
    out.close();
}

/// The invisible part: names, policy, style sheet.
fn model_head(out: &mut Html, parts: &PageParts<'_>) {
    let model = parts.model;
    let sets = || parts.page.sources.iter().filter_map(|source| source.sets.as_ref());
    let has_sets = sets().next().is_some();
    let scripts = if has_sets {
        &[bundle::SCRIPT, bundle::UPSILON_SCRIPT][..]
    } else {
        &[bundle::SCRIPT][..]
    };
    let sheet = sheet(Theme::Auto);
    let permit = if model.has_fit() { policy::policy_with_wasm } else { policy::policy };
    let policy = permit(scripts, &[bundle::STYLE, &sheet]);
    let is_served = sets().any(|sets| sets.version.is_some());
    let is_served = is_served || parts.page.live.is_some();
    let policy = if is_served { policy::with_origin(&policy) } else { policy };
    let title = format!("{} · model", brief(&parts.name()));
    let styles = &[bundle::STYLE][..];
    head(out, &Head { title: &title, tool: &model.tool, policy: &policy, styles, scripts });
}

/// The bar with a link to each part.
fn top(out: &mut Html, parts: &PageParts<'_>) {
    let model = parts.model;
    out.open("header", &[("class", "top")]);
    out.open("p", &[("class", "brand")]);
    out.element("a", &[("href", "#main")], &brief(&parts.name()));
    out.close();
    out.open("nav", &[("aria-label", "Parts of this page")]);
    out.open("ul", &[]);
    let mut entry = |to: &str, text: &str| {
        out.open("li", &[]);
        out.open("a", &[("href", to)]);
        out.element("bdi", &[], &brief(text));
        out.close();
        out.close();
    };
    if !parts.page.comparisons.is_empty() {
        entry("#comparison", "Compared");
    }
    if parts.has_table() {
        entry("#experiments", &format!("{} experiments", model.experiments.len()));
    }
    if parts.fitted() > 0 {
        entry("#ask", "Predict");
    }
    if !parts.is_folded() {
        for (index, experiment) in model.experiments.iter().enumerate() {
            entry(&format!("#e{index}"), called(experiment));
        }
    }
    if model.sampling.is_some() {
        entry("#sampling", "Sampling");
    }
    if !parts.page.sources.is_empty() {
        entry("#source", "Source");
    }
    entry("#environment", "Environment");
    entry("#data", "Data");
    out.close();
    out.close();
    out.element("div", &[("class", "tools"), ("data-island", "theme")], "");
    out.close();
}
