//! The first screen: what was measured, the answer, how far to trust it.

use cll_fit::{Fit, Unit};

use cll_fit::rounds::State;
use cll_result::{ExperimentModel, ModelFile, PredictionView, Verdict};

use super::html::{Html, brief};
use super::{Parts, STYLE, called};
use crate::document::html;
use crate::model::{head, predictions};
use crate::notation::Notation;

/// Intervals whose formulas stand in an answer; the others are in the experiment's part.
const FORMULAS: usize = 3;
/// Predictions that stand in an answer.
const PREDICTIONS: usize = 3;

/// The answer for every experiment, with what was measured above it and the warnings below.
pub(crate) fn story(out: &mut Html, parts: &Parts<'_>) {
    let model = parts.model;
    out.open("section", &[("class", "story"), ("aria-label", "Summary")]);
    out.open("h1", &[]);
    out.element("bdi", &[], &brief(&model.name()));
    out.close();
    out.open("p", &[("class", "lede")]);
    out.text(&measured(model));
    out.close();
    trust(out, model);
    let several = if model.experiments.len() > 1 { "answers several" } else { "answers" };
    out.open("div", &[("class", several)]);
    for (index, one) in model.experiments.iter().enumerate() {
        let predictions = parts.predictions.get(index).map_or(&[][..], Vec::as_slice);
        answer(out, index, one, predictions, model.is_not_measurable());
    }
    out.close();
    let notes = parts.page.notes.iter().map(|text| ("page", text.as_str()));
    let warnings = model.warnings.iter().map(|w| (w.code.as_str(), w.text.as_str())).chain(notes);
    html::notices(out, warnings);
    out.close();
}

/// `2 experiments, 600 samples in 5 runs, on HOST, 21 November 2026`
fn measured(model: &ModelFile) -> String {
    let notation = Notation::Unicode;
    let samples: u64 = model.experiments.iter().map(|one| one.samples).sum();
    let mut text = notation.count(model.experiments.len(), "experiment", "experiments");
    if samples > 0 {
        text += &format!(", {}", notation.count(samples as usize, "sample", "samples"));
    }
    match model.runs.len() {
        0 => {}
        count => text += &format!(" from {}", notation.count(count, "run", "runs")),
    }
    if let Some(machine) = &model.machine {
        let names = [&machine.cpu, &machine.host].map(|name| brief(&notation.text(name)));
        match &names {
            [cpu, host] if !cpu.is_empty() && !host.is_empty() => {
                text += &format!(", on {cpu} ({host})");
            }
            [one, other] if !(one.is_empty() && other.is_empty()) => {
                text += &format!(", on {one}{other}");
            }
            _ => {}
        }
    }
    if let Some(date) = date(&model.created) {
        text += &format!(", {date}");
    }
    text
}

/// `2026-01-31T12:00:00Z` as people write it.
fn date(created: &str) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let (day, time) = created.split_once('T')?;
    let mut parts = day.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let month = MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?)?;
    let day: u32 = day.parse().ok()?;
    Some(format!("{day} {month} {year}, {} UTC", time.get(..5)?))
}

/// The state of the machine while it was measured, and what concerns all of it.
fn trust(out: &mut Html, model: &ModelFile) {
    let Some(verdict) = model.sampling.as_ref().map(|sampling| &sampling.verdict) else { return };
    let (class, mark, name) = words(verdict);
    out.open("div", &[("class", &format!("verdict {class}"))]);
    out.open("p", &[]);
    out.element("span", &[("class", "mark"), ("aria-hidden", "true")], mark);
    out.element("b", &[], name);
    let reasons: Vec<&str> = verdict.reasons.iter().map(|reason| reason.text.as_str()).collect();
    if !reasons.is_empty() {
        out.element("span", &[("class", "said")], &format!(" {}. ", reasons.join("; ")));
    }
    out.element("a", &[("href", "#sampling")], "How it was sampled");
    out.close();
    if !verdict.advice.is_empty() {
        out.open("ul", &[]);
        for advice in &verdict.advice {
            out.element("li", &[], advice);
        }
        out.close();
    }
    out.close();
}

/// Class, mark and words.
fn words(verdict: &Verdict) -> (&'static str, &'static str, &'static str) {
    match verdict.state {
        State::Quiet => ("good", "✓", "The machine was quiet."),
        State::Disturbed => ("caution", "▲", "The machine was disturbed."),
        State::NotMeasurable => {
            ("bad", "✕", "Not measurable now: no number on this page is to be believed.")
        }
    }
}

fn answer(
    out: &mut Html,
    index: usize,
    one: &ExperimentModel,
    predictions: &[PredictionView],
    doubtful: bool,
) {
    out.open("article", &[("class", "answer")]);
    out.open("h2", &[]);
    out.open("a", &[("href", &format!("#e{index}"))]);
    out.element("bdi", &[], &brief(called(one)));
    out.close();
    out.close();
    match &one.fit {
        Some(fit) => {
            formulas(out, fit, doubtful);
            predicted(out, fit, predictions, doubtful);
            facts(out, fit, doubtful);
        }
        None => {
            let why = one.failure.as_deref().unwrap_or("It has no fit.");
            out.element("p", &[("class", "caution")], why);
        }
    }
    out.close();
}

/// The formula with constants, for the first intervals.
fn formulas(out: &mut Html, fit: &Fit, doubtful: bool) {
    let notation = Notation::Unicode;
    let all = head::formulas(fit, doubtful, notation);
    html::formulas(out, &all, FORMULAS);
    if all.lines.len() > FORMULAS {
        let more = notation.count(all.lines.len() - FORMULAS, "interval", "intervals");
        out.element("p", &[("class", "faint")], &format!("and {more} more"));
    }
}

fn predicted(out: &mut Html, fit: &Fit, views: &[PredictionView], doubtful: bool) {
    let notation = Notation::Unicode;
    if views.is_empty() {
        return;
    }
    out.open("ul", &[("class", "predictions")]);
    for view in views.iter().take(PREDICTIONS) {
        out.open("li", &[]);
        out.element("bdi", &[("class", "at")], &predictions::place(fit, &view.at, &STYLE));
        match &view.result {
            Ok(prediction) => {
                let value = match prediction.band {
                    Some(b) => notation.within(prediction.value, b.low, b.high, &prediction.unit),
                    None => notation.quantity(prediction.value, &prediction.unit),
                };
                match doubtful {
                    true => out.element("span", &[("class", "doubt")], &format!("? {value}")),
                    false => out.element("b", &[("class", "value")], &value),
                }
                let range = match prediction.band {
                    Some(band) => {
                        let range = notation.range(band.low, band.high, &prediction.unit);
                        let share = notation.percent(prediction.confidence);
                        format!("{range}, with {share} confidence")
                    }
                    None => "its interval is not known".to_owned(),
                };
                out.element("span", &[("class", "range")], &range);
                let (words, role) = predictions::where_it_lies(fit, prediction, notation);
                let class = format!("where{}", super::html::role(role));
                out.element("span", &[("class", &class)], &words);
            }
            Err(error) => {
                out.element("span", &[("class", "caution")], &error.to_string());
            }
        }
        out.close();
    }
    out.close();
    if views.len() > PREDICTIONS {
        let more = notation.count(views.len() - PREDICTIONS, "prediction", "predictions");
        out.element("p", &[("class", "faint")], &format!("and {more} more"));
    }
}

/// Error and warnings at a glance.
fn facts(out: &mut Html, fit: &Fit, doubtful: bool) {
    let notation = Notation::Unicode;
    let quality = &fit.quality;
    out.open("p", &[("class", "facts")]);
    out.text(&format!(
        "Error of the model: median {}, largest {}. ",
        notation.percent(quality.median_error),
        notation.percent(quality.largest_error)
    ));
    match fit.warnings.len() {
        0 if doubtful => out.element("span", &[("class", "bad")], "✕ not measurable now"),
        0 => out.element("span", &[("class", "good")], "✓ no warnings"),
        count => {
            let text = format!("▲ {}", notation.count(count, "warning", "warnings"));
            out.element("span", &[("class", "caution")], &text);
        }
    }
    out.close();
    if let Some(text) = head::other(fit, notation) {
        out.element("p", &[("class", "caution")], &format!("▲ {text}"));
    }
    if fit.unit != Unit::Seconds {
        let unit = notation.observable(fit);
        out.element("p", &[("class", "faint")], &format!("What was measured: {unit}"));
    }
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_as_people_write_them() {
        assert_eq!(date("2026-01-31T12:05:00Z").as_deref(), Some("31 January 2026, 12:05 UTC"));
        for odd in ["", "yesterday", "2026-13-01T00:00:00Z", "2026-01-31T1"] {
            assert_eq!(date(odd), None, "{odd}");
        }
    }
}
