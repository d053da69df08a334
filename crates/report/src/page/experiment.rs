//! The part on one experiment.

use cll_fit::Fit;
use cll_result::{ExperimentModel, ImbalanceModel, PredictionView, Scaling, SyncModel};

use super::counted::counted;
use super::html::{self, Html};
use super::story::{formulas, notices};
use super::{Parts, STYLE, called, source};
use crate::model::predictions::Remark;
use crate::model::{Memory, constants, head, intervals, points, predictions, quality, scaling};
use crate::plot::{PlotOptions, plot};
use crate::svg::{SvgOptions, svg};
use crate::text::Table;

/// Points in the table that stands in the page; the viewer shows all.
pub(crate) const POINTS: usize = 200;

/// Formula, plot, predictions, constants, quality, warnings, points.
pub(crate) fn experiment(out: &mut Html, parts: &Parts<'_>, index: usize) {
    let Some(one) = parts.model.experiments.get(index) else { return };
    let id = format!("e{index}");
    // Experiments may have the same name.
    let label = format!("Experiment {}: {}", index + 1, html::brief(called(one)));
    out.open("section", &[("id", &id), ("class", "experiment"), ("aria-label", &label)]);
    out.open("h2", &[]);
    out.element("bdi", &[], &html::brief(called(one)));
    out.close();
    places(out, parts, index, one);
    if parts.model.is_not_measurable() {
        let text = "✕ The machine was not fit to be measured on: no number here is to be believed.";
        out.element("p", &[("class", "bad")], text);
    }
    out.open("p", &[("class", "given")]);
    out.open("code", &[]);
    out.element("bdi", &[], &one.formula.replace('*', "·"));
    out.close();
    out.close();
    match &one.fit {
        Some(fit) => {
            let predictions = parts.predictions.get(index).map_or(&[][..], Vec::as_slice);
            fitted(out, parts, index, (fit, parts.memory(one)), predictions);
            if let Some(imbalance) = &one.imbalance {
                processors(out, imbalance);
            }
            if let Some(sync) = &one.sync {
                together(out, sync);
            }
            data(out, fit, index);
        }
        None => {
            let why = one.failure.as_deref().unwrap_or("It has no fit.");
            out.element("p", &[("class", "caution")], why);
            counted(out, parts.model, one, index);
        }
    }
    out.close();
}

/// Where it is measured, with the way there.
fn places(out: &mut Html, parts: &Parts<'_>, index: usize, one: &ExperimentModel) {
    out.open("p", &[("class", "places")]);
    for place in &one.places {
        match source::target(parts.page.sources, index, place) {
            Some(target) => {
                out.open("a", &[("href", &target)]);
                out.element("bdi", &[], place);
                out.close();
            }
            None => out.element("bdi", &[], place),
        }
        out.text(" ");
    }
    let observable = match one.observable.as_str() {
        "" | "time" => "time",
        name => name,
    };
    if !one.time.is_empty() {
        out.text(&format!("{} {observable}", one.time));
    }
    out.close();
}

fn fitted(
    out: &mut Html,
    parts: &Parts<'_>,
    index: usize,
    (fit, memory): (&Fit, Option<Memory<'_>>),
    predictions: &[PredictionView],
) {
    let doubtful = parts.model.is_not_measurable();
    formulas(out, fit, usize::MAX, doubtful);
    out.element("p", &[("class", "faint")], &head::data(fit, &STYLE));
    picture(out, index, fit, memory, predictions, doubtful);
    if let Some(one) = parts.model.experiments.get(index) {
        counted(out, parts.model, one, index);
    }
    let island = index.to_string();
    out.element("div", &[("data-island", "residuals"), ("data-experiment", &island)], "");
    if !predictions.is_empty() {
        predicted(out, fit, predictions);
    }
    for (number, view) in parts.scalings.get(index).into_iter().flatten().enumerate() {
        scaled(out, view, &format!("{index}-{number}"), doubtful);
    }
    part(out, "Constants", &constants::remark(fit, &STYLE));
    out.table(&constants::table(fit, &STYLE), "Constants");
    out.close();
    if fit.intervals.len() > 1 {
        part(out, "Where intervals meet", "");
        for text in intervals::boundaries(fit, memory, &STYLE) {
            out.element("p", &[], &text);
        }
        if let Some(text) = intervals::others(fit, &STYLE) {
            out.element("p", &[("class", "faint")], &text);
        }
        out.close();
    }
    part(out, "Quality", quality::REMARK);
    out.open("dl", &[("class", "named")]);
    for (name, text, role) in quality::rows(fit, &STYLE) {
        out.element("dt", &[], name);
        out.element("dd", &[("class", html::role(role).trim_start())], &text);
    }
    out.close();
    out.close();
    if !fit.warnings.is_empty() {
        part(out, "Warnings", "");
        let all: Vec<_> = fit.warnings.iter().map(|w| (w.code(), w.to_string())).collect();
        notices(out, all.iter().map(|(code, text)| (*code, text.as_str())));
        out.close();
    }
}

/// How alike the processors of a parallel program took.
fn processors(out: &mut Html, of: &ImbalanceModel) {
    part(out, "Processors", "the slowest of each passage is fitted");
    out.open("dl", &[("class", "named")]);
    let rows = [
        ("processors", format!("up to {} together, in {} passages", of.processors, of.passages)),
        ("slowest", format!("{:.2} times the mean", of.slowest)),
        ("fastest", format!("{:.2} times the mean", of.fastest)),
        // While one is still at work the others wait, if they meet behind the passage.
        (
            "in use",
            format!(
                "{:.0} % of the processors' time until the slowest is done",
                100.0 / of.slowest.max(1.0)
            ),
        ),
    ];
    for (name, text) in &rows {
        out.element("dt", &[], name);
        out.element("dd", &[], text);
    }
    out.close();
    out.close();
}

/// How the processors began the samples together.
fn together(out: &mut Html, of: &SyncModel) {
    part(out, "Begun together", "before each sample the processors wait for each other");
    out.open("dl", &[("class", "named")]);
    let clocks = match of.within_ns {
        0 => "all have one clock".to_owned(),
        within => format!("their clocks are known within {:.1} µs", within as f64 * 1e-3),
    };
    let rows = [
        ("at an agreed time", of.window, format!("{} samples; {clocks}", of.window)),
        ("late", of.late, format!("{}; {} samples of passages left out", of.late, of.left_out)),
        ("behind a barrier", of.barrier, format!("{} samples", of.barrier)),
    ];
    for (name, _, text) in rows.iter().filter(|(_, count, _)| *count > 0) {
        out.element("dt", &[], name);
        out.element("dd", &[], text);
    }
    out.close();
    out.close();
}

fn data(out: &mut Html, fit: &Fit, index: usize) {
    let island = index.to_string();
    part(out, "Points", "measured, and what the model says");
    out.open("div", &[("data-island", "points"), ("data-experiment", &island)]);
    out.table(&points::table(fit, POINTS, &STYLE), "Points");
    if fit.residuals.len() > POINTS {
        let text = format!("The first {POINTS} of {}.", fit.residuals.len());
        out.element("p", &[("class", "faint")], &text);
    }
    out.close();
    out.close();
}

/// The plot as it is printed, which the viewer makes live.
fn picture(
    out: &mut Html,
    index: usize,
    fit: &Fit,
    memory: Option<Memory<'_>>,
    predictions: &[PredictionView],
    doubtful: bool,
) {
    let Ok(mut spec) = plot(fit, predictions, &PlotOptions::default()) else { return };
    spec.references =
        memory.map(|memory| memory.references(fit, &spec.x.title)).unwrap_or_default();
    if doubtful {
        spec.notes.push("not measurable now: no number here is to be believed".to_owned());
        spec.markers.iter_mut().for_each(|marker| marker.label.insert_str(0, "? "));
    }
    // Title and formula stand above it.
    spec.title = spec.title.chars().take(100).collect();
    spec.description = spec.description.chars().take(2000).collect();
    spec.formula.clear();
    let options = SvgOptions {
        width: 960,
        height: 560,
        id: format!("plot-{index}"),
        ..SvgOptions::default()
    };
    let island = index.to_string();
    let attributes = [("class", "picture"), ("data-island", "plot"), ("data-experiment", &island)];
    out.open("div", &attributes);
    out.open("div", &[("class", "still")]);
    out.raw_text(&svg(&spec, &options));
    out.close();
    out.close();
}

fn predicted(out: &mut Html, fit: &Fit, views: &[PredictionView]) {
    let title = if views.len() == 1 { "Prediction" } else { "Predictions" };
    part(out, title, "of a new measurement");
    let table: Table = predictions::table(fit, views, &STYLE);
    out.table(&table, title);
    let remarks: Vec<(&str, String)> = predictions::remarks(fit, views, &STYLE)
        .into_iter()
        .map(|remark| match remark {
            Remark::Warning(warning, place) if place.is_empty() => {
                (warning.code(), warning.to_string())
            }
            Remark::Warning(warning, place) => (warning.code(), format!("{place}: {warning}")),
            Remark::Failure(text) => ("", text),
        })
        .collect();
    notices(out, remarks.iter().map(|(code, text)| (*code, text.as_str())));
    out.close();
}

/// Speed-up and efficiency.
fn scaled(out: &mut Html, view: &Scaling, id: &str, doubtful: bool) {
    part(out, "Speed-up", &scaling::remark(view, &STYLE));
    out.table(&scaling::table(view, &STYLE), "Speed-up");
    for (name, mut spec) in
        ["speed-up", "efficiency"].into_iter().zip(scaling::pictures(view, &STYLE))
    {
        if doubtful {
            spec.notes.push("not measurable now: no number here is to be believed".to_owned());
        }
        let options = SvgOptions {
            width: 960,
            height: 400,
            id: format!("{name}-{id}"),
            ..SvgOptions::default()
        };
        out.open("div", &[("class", "picture")]);
        out.open("div", &[("class", "still")]);
        out.raw_text(&svg(&spec, &options));
        out.close();
        out.close();
    }
    out.close();
}

/// Begins a part of a section.
pub(crate) fn part(out: &mut Html, title: &str, remark: &str) {
    out.open("div", &[("class", "part")]);
    out.open("h3", &[]);
    out.text(title);
    if !remark.is_empty() {
        out.element("span", &[("class", "remark")], remark);
    }
    out.close();
}
