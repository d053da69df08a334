//! The table of several experiments: what each costs and how far it can be trusted, with a link to its part.

use cll_fit::{Fit, sentences};
use cll_result::{DoubtKind, ExperimentModel, Growth, PredictionView};

use super::html::{Html, brief, role};
use super::{PageParts, STYLE, called};
use crate::model::predictions;
use crate::notation::Notation;
use crate::style::Role;

const NOTATION: Notation = Notation::Unicode;

/// The text of a row in a column, and the number by which it is sorted.
struct ShownValue {
    text: String,
    /// `None`: nothing is known; such rows come last.
    order: Option<f64>,
    role: Role,
}

impl ShownValue {
    fn new(text: impl Into<String>, order: f64) -> ShownValue {
        ShownValue { text: text.into(), order: Some(order), role: Role::Plain }
    }

    fn none() -> ShownValue {
        ShownValue { text: String::new(), order: None, role: Role::Plain }
    }
}

/// A column of the table.
struct Column {
    title: String,
    /// Whether it shows numbers; else text.
    is_number: bool,
    /// Whether it is sorted by numbers; else by its text.
    is_sorted_by_number: bool,
    values: Vec<ShownValue>,
}

/// The table, which the viewer sorts and filters.
pub(super) fn experiments(out: &mut Html, parts: &PageParts<'_>) {
    let all: Vec<Column> = columns(parts)
        .into_iter()
        .filter(|column| column.values.iter().any(|value| !value.text.is_empty()))
        .collect();
    out.open("section", &[("id", "experiments"), ("aria-labelledby", "experiments-title")]);
    out.element("h2", &[("id", "experiments-title")], "Experiments");
    let label = [("class", "scroll"), ("role", "group"), ("aria-label", "Experiments")];
    out.open("div", &[&label[..], &[("tabindex", "0"), ("data-sortable", "experiments")]].concat());
    out.open("table", &[]);
    out.open("thead", &[]);
    out.open("tr", &[]);
    out.element("th", &[("scope", "col"), ("data-kind", "text")], "experiment");
    for column in &all {
        let kind = if column.is_sorted_by_number { "number" } else { "text" };
        let class = if column.is_number { "num" } else { "left" };
        let attributes = [("scope", "col"), ("class", class), ("data-kind", kind)];
        out.element("th", &attributes, &column.title);
    }
    out.close();
    out.close();
    out.open("tbody", &[]);
    for (index, experiment) in parts.model.experiments.iter().enumerate() {
        out.open("tr", &[]);
        out.open("td", &[("class", "left")]);
        out.open("a", &[("href", &format!("#e{index}"))]);
        out.element("bdi", &[], &brief(called(experiment)));
        out.close();
        out.close();
        for column in &all {
            let value = &column.values[index];
            let align = if column.is_number { "num" } else { "left" };
            // A path may be longer than there is room.
            let path = if column.title == "place" { " path" } else { "" };
            let class = format!("{align}{path}{}", role(value.role));
            let order = value.order.map(|order| order.to_string()).unwrap_or_default();
            out.open("td", &[("class", &class), ("data-order", &order)]);
            out.element("bdi", &[], &value.text);
            out.close();
        }
        out.close();
    }
    out.close();
    out.close();
    out.close();
    out.close();
}

fn columns(parts: &PageParts<'_>) -> Vec<Column> {
    let model = parts.model;
    let each = |value_of: &dyn Fn(usize, &ExperimentModel) -> ShownValue| -> Vec<ShownValue> {
        model
            .experiments
            .iter()
            .enumerate()
            .map(|(index, experiment)| value_of(index, experiment))
            .collect()
    };
    let of_fit = |value_of: &dyn Fn(&Fit) -> ShownValue| {
        each(&|_, experiment| experiment.fit.as_ref().map_or_else(ShownValue::none, value_of))
    };
    let first = |index: usize| parts.predictions.get(index).and_then(|all| all.first());
    let column = |title: &str, is_number, is_sorted_by_number, values| Column {
        title: title.to_owned(),
        is_number,
        is_sorted_by_number,
        values,
    };
    vec![
        column("place", false, false, each(&|_, entry| text(&entry.place()))),
        column("share", true, true, each(&|_, one| share(parts, one))),
        column("formula", false, false, each(&|index, _| formula(parts, index))),
        column("grows like", false, true, of_fit(&growth)),
        column("error", true, true, of_fit(&|fit| percent(fit.quality.median_error))),
        column("prediction", true, true, each(&|index, _| predicted(parts, index))),
        column("at", false, false, each(&|index, one| place(one, first(index)))),
        column("doubts", false, true, each(&|index, one| doubts(parts, one, first(index)))),
    ]
}

/// The share of the program's time, if that was ranked.
fn share(parts: &PageParts<'_>, experiment: &ExperimentModel) -> ShownValue {
    let spots = parts.model.ranking.iter().flat_map(|ranking| &ranking.spots);
    let spot = spots.into_iter().find(|spot| spot.name == experiment.name);
    spot.filter(|spot| spot.time.estimate.is_some())
        .map_or_else(ShownValue::none, |s| percent(s.share))
}

/// A text of a program.
fn text(text: &str) -> ShownValue {
    ShownValue { text: NOTATION.text(&brief(text)), order: None, role: Role::Plain }
}

/// The formula with its constants, or why there is none.
fn formula(parts: &PageParts<'_>, index: usize) -> ShownValue {
    let Some(answer) = parts.answers.get(index) else { return ShownValue::none() };
    let more = if answer.formula.rows.len() > 1 { " …" } else { "" };
    match (&answer.failure, answer.formula.rows.first()) {
        (Some(why), _) => ShownValue { role: Role::Caution, ..text(&format!("no fit: {why}")) },
        (None, Some((right, _))) => {
            let doubt = if answer.is_doubtful { "? " } else { "" };
            let right = right.replace('*', "·");
            text(&format!("{doubt}{} = {right}{more}", answer.formula.left))
        }
        (None, None) => ShownValue::none(),
    }
}

fn percent(share: f64) -> ShownValue {
    ShownValue::new(NOTATION.percent(share), share)
}

fn growth(fit: &Fit) -> ShownValue {
    let text = |growth: Growth| {
        ShownValue::new(NOTATION.text(&growth.term.replace('*', "·")), growth.factor)
    };
    Growth::from_fit(fit).map_or_else(ShownValue::none, text)
}

/// The value with its interval; sorted by the value.
fn predicted(parts: &PageParts<'_>, index: usize) -> ShownValue {
    let Some(answer) = parts.answers.get(index) else { return ShownValue::none() };
    let view = parts.predictions.get(index).and_then(|all| all.first());
    let prediction = view.and_then(|view| view.result.as_ref().ok());
    let numbers = answer.predictions.first().and_then(|own| own.result.as_ref().ok());
    let Some((prediction, numbers)) = prediction.zip(numbers) else { return ShownValue::none() };
    let (mark, role) = if answer.is_doubtful { ("? ", Role::Bad) } else { ("", Role::Value) };
    let text = format!("{mark}{} {}", numbers.value, numbers.range);
    ShownValue { role, ..ShownValue::new(text, prediction.value) }
}

fn place(experiment: &ExperimentModel, view: Option<&PredictionView>) -> ShownValue {
    let text = experiment
        .fit
        .as_ref()
        .zip(view)
        .map(|(fit, view)| predictions::place(fit, &view.at, &STYLE));
    ShownValue { text: text.unwrap_or_default(), order: None, role: Role::Plain }
}

/// The doubts in an experiment, in words; sorted by their number.
fn doubts(
    parts: &PageParts<'_>,
    experiment: &ExperimentModel,
    view: Option<&PredictionView>,
) -> ShownValue {
    let mut texts: Vec<String> = Vec::new();
    let mut role = Role::Plain;
    for doubt in &parts.model.doubts_of(experiment) {
        texts.push(
            match doubt.kind {
                DoubtKind::NotMeasurable => "not measurable",
                DoubtKind::Disturbed => "disturbed",
                DoubtKind::Predicted => "not measured here",
            }
            .to_owned(),
        );
        role = match doubt.kind {
            DoubtKind::NotMeasurable => Role::Bad,
            _ => Role::Caution,
        };
    }
    if experiment.fit.is_none() {
        texts.push("no fit".to_owned());
    }
    if let Some(Err(_)) = view.map(|view| &view.result) {
        texts.push("no prediction".to_owned());
    }
    if let Some(Ok(prediction)) = view.map(|view| &view.result)
        && prediction.domain.is_extrapolation()
    {
        texts.push("beyond the data".to_owned());
    }
    let warnings =
        experiment.fit.as_ref().map_or(0, |fit| sentences(&fit.warnings, &fit.unit).len());
    let count = texts.len() + warnings;
    if warnings > 0 {
        texts.push(NOTATION.count(warnings, "warning", "warnings"));
    }
    if count > 0 && role == Role::Plain {
        role = Role::Caution;
    }
    ShownValue { role, ..ShownValue::new(texts.join(", "), count as f64) }
}
