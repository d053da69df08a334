//! The page: everything that is known of a model in one HTML file.
//!
//! What it says in words and tables is written here, with the numbers of the text report, and can
//! be read without JavaScript. The viewer, which is embedded, makes its plots and tables live; it
//! reads the data that stand in the page as JSON. The page asks nothing of a network: its policy
//! forbids it.

mod bundle;
mod counted;
mod data;
mod environment;
mod experiment;
mod html;
mod policy;
mod samples;
mod sampling;
mod source;
mod story;
mod told;

use cll_fit::Data;

use crate::Style;
use crate::model::{PredictionView, ScalingView};
use html::{Html, brief};

pub use source::{PageRegion, PageSource};
pub use told::{ModelJson, ModelJsonError};

/// All that a page is made of.
#[derive(Debug)]
pub struct Page<'a> {
    /// The model.
    pub model: &'a ModelJson,
    /// For each experiment of the model what it predicts.
    pub predictions: &'a [Vec<PredictionView>],
    /// For each experiment of the model what more processors bring.
    pub scalings: &'a [Vec<ScalingView>],
    /// For each experiment of the model its samples, if they are at hand.
    pub samples: &'a [Option<Data>],
    /// The program's sources with the regions that were measured.
    pub sources: &'a [PageSource],
    /// What the reader should know about the page itself.
    pub notes: &'a [String],
}

/// Text on the page wraps by itself.
const STYLE: Style = Style { width: 10_000, color: false, unicode: true };

/// The page as an HTML document. The same values give the same bytes.
pub fn page(page: &Page<'_>) -> String {
    let told = page.model.told();
    let mut out = Html::default();
    head(&mut out, page);
    out.open("body", &[]);
    out.element("a", &[("class", "skip"), ("href", "#main")], "Skip to the answer");
    top(&mut out, page);
    out.open("main", &[("id", "main"), ("tabindex", "-1")]);
    story::story(&mut out, page);
    for index in 0..told.experiments.len() {
        experiment::experiment(&mut out, page, index);
    }
    if let Some(sampling) = &told.sampling {
        sampling::sampling(&mut out, sampling);
    }
    source::sources(&mut out, page.sources, &told.experiments);
    environment::environment(&mut out, told);
    samples::data(&mut out, page);
    out.close();
    out.open("footer", &[("class", "foot")]);
    out.element("p", &[], &format!("Made by {}. All of it is in this file.", told.tool));
    out.open("details", &[]);
    out.element("summary", &[], "Libraries in this file");
    out.open("pre", &[]);
    bundle::NOTICE.lines().for_each(|line| {
        out.verbatim(line);
        out.raw_text("\n");
    });
    out.close();
    out.close();
    out.close();
    let attributes = [("type", "application/json"), ("id", "cll-data")];
    out.raw("script", &attributes, &data::json(page));
    out.finish()
}

/// What is not seen: names, policy, style sheet.
fn head(out: &mut Html, page: &Page<'_>) {
    let told = page.model.told();
    out.raw_text("<!doctype html>\n");
    out.open("html", &[("lang", "en")]);
    out.open("head", &[]);
    out.leaf("meta", &[("charset", "utf-8")]);
    let policy = policy::policy();
    out.leaf("meta", &[("http-equiv", "Content-Security-Policy"), ("content", &policy)]);
    let viewport = "width=device-width, initial-scale=1";
    out.leaf("meta", &[("name", "viewport"), ("content", viewport)]);
    out.leaf("meta", &[("name", "color-scheme"), ("content", "light dark")]);
    out.leaf("meta", &[("name", "generator"), ("content", &told.tool)]);
    out.leaf("link", &[("rel", "icon"), ("href", policy::ICON)]);
    out.element("title", &[], &format!("{} · model", brief(&told.name())));
    out.raw("style", &[], bundle::STYLE);
    // Here it knows the reader's colours before anything is seen.
    out.raw("script", &[], bundle::SCRIPT);
    out.close();
}

/// The bar with the way to each part.
fn top(out: &mut Html, page: &Page<'_>) {
    let told = page.model.told();
    out.open("header", &[("class", "top")]);
    out.open("p", &[("class", "brand")]);
    out.element("a", &[("href", "#main")], &brief(&told.name()));
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
    for (index, one) in told.experiments.iter().enumerate() {
        entry(&format!("#e{index}"), one.name());
    }
    if told.sampling.is_some() {
        entry("#sampling", "Sampling");
    }
    if !page.sources.is_empty() {
        entry("#source", "Source");
    }
    entry("#environment", "Environment");
    entry("#data", "Data");
    out.close();
    out.close();
    out.element("div", &[("class", "tools"), ("data-island", "theme")], "");
    out.close();
}
