//! The statements of each constant, beside the source.

use std::collections::BTreeMap;

use cll_fit::{Fit, Segment};
use cll_result::ExperimentModel;
use cll_upsilon::{ExperimentSets, Sets, Statement};
use serde::Serialize;

use super::STYLE;
use super::html::Html;
use crate::document::Document;
use crate::document::html;
use crate::model::{place_of_segment, value_with_half};
use crate::text::escape;
use crate::upsilon::section;

/// Letters of the column beside the source.
const MAX_WIDTH: usize = 32;

/// The Υ sets of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageSets {
    /// The sets.
    pub sets: Sets,
    /// The name of the file with the sets, without folder.
    pub file: String,
    /// Whether there is such a file; else the sets were proposed.
    pub is_kept: bool,
    /// The statements of the source, which may be put into sets, too.
    pub statements: Vec<Statement>,
    /// If the page is served: the version of the file that a correction is of.
    pub version: Option<String>,
}

/// The sets of a source for the viewer.
#[derive(Debug, Serialize)]
pub(crate) struct SetsOfSource<'a> {
    /// The number of the source in the page.
    source: usize,
    file: &'a str,
    kept: bool,
    version: Option<&'a str>,
    sets: &'a Sets,
    /// Line, text, function.
    statements: Vec<(usize, &'a str, &'a str)>,
    /// The constants of each experiment, in their order.
    constants: Vec<Vec<Constant>>,
}

#[derive(Debug, Serialize)]
struct Constant {
    name: String,
    /// The values of the constant and where these hold, if the page has a fit.
    values: Vec<String>,
}

/// The fit of an experiment in the page, if it has the same formula.
fn fit<'a>(experiment: &ExperimentSets, experiments: &'a [ExperimentModel]) -> Option<&'a Fit> {
    let same = |model: &&ExperimentModel| {
        model.name == experiment.name && model.formula == experiment.formula
    };
    experiments.iter().find(same).and_then(|model| model.fit.as_ref())
}

/// The sets of sources, with the sources' numbers in the page.
pub(crate) fn data<'a>(
    all: impl Iterator<Item = (usize, &'a PageSets)>,
    experiments: &'a [ExperimentModel],
) -> Vec<SetsOfSource<'a>> {
    all.map(|(number, page)| {
        let statements = page.statements.iter();
        let constants = page.sets.experiments.iter().map(|experiment| {
            let fit = fit(experiment, experiments);
            let constants = experiment.constants().into_iter();
            constants.map(|name| Constant { values: values(&name, fit), name }).collect()
        });
        SetsOfSource {
            source: number,
            file: &page.file,
            kept: page.is_kept,
            version: page.version.as_deref(),
            sets: &page.sets,
            statements: statements
                .map(|statement| {
                    (statement.line, statement.text.as_str(), statement.function.as_str())
                })
                .collect(),
            constants: constants.collect(),
        }
    })
    .collect()
}

fn values(constant: &str, fit: Option<&Fit>) -> Vec<String> {
    let Some(fit) = fit else { return Vec::new() };
    let own = fit.constants.iter().find(|values| values.constant == constant);
    let segments = own.into_iter().flat_map(|values| &values.segments);
    let text = |segment: &Segment| {
        let value = value_with_half(&segment.estimate, fit, &STYLE);
        match place_of_segment(fit, segment, STYLE.notation()) {
            Some(place) => format!("{value} for {place}"),
            None => value,
        }
    };
    segments.map(text).collect()
}

/// The tables, which the viewer replaces.
pub(crate) fn tables(
    out: &mut Html,
    number: usize,
    page: &PageSets,
    experiments: &[ExperimentModel],
) {
    let number = number.to_string();
    out.open("div", &[("data-island", "upsilon"), ("data-source", &number), ("class", "upsilon")]);
    let each = page.sets.experiments.iter();
    let each = each.map(|experiment| {
        section(experiment, &page.sets.source, fit(experiment, experiments), &STYLE)
    });
    html::document(out, &Document::new(each));
    let text = if page.is_kept {
        format!("The sets of {}.", escape(&page.file))
    } else {
        "Proposed by the nesting of loops.".to_owned()
    };
    out.element("p", &[("class", "faint")], &text);
    out.close();
}

/// A column beside the source: the constants of each line.
pub(crate) struct Column {
    lines: BTreeMap<usize, String>,
    width: usize,
}

impl Column {
    pub(crate) fn new(sets: &Sets) -> Column {
        let mut lines: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for statement in sets.experiments.iter().flat_map(|experiment| &experiment.statements) {
            let constants = lines.entry(statement.line).or_default();
            for constant in &statement.constants {
                if !constants.contains(&constant.as_str()) {
                    constants.push(constant);
                }
            }
        }
        let text = |constants: Vec<&str>| {
            if constants.is_empty() {
                "in no set".to_owned()
            } else {
                shortened(&escape(&constants.join(", ")))
            }
        };
        let lines: BTreeMap<usize, String> =
            lines.into_iter().map(|(line, constants)| (line, text(constants))).collect();
        let width = lines.values().map(|text| text.chars().count()).max().unwrap_or_default();
        Column { lines, width }
    }

    /// The lines that have statements.
    pub(crate) fn lines(&self) -> impl Iterator<Item = usize> {
        self.lines.keys().copied()
    }

    /// The part of a line, all of one width.
    pub(crate) fn write(&self, out: &mut Html, line: usize) {
        let text = self.lines.get(&line).map_or("", String::as_str);
        let free = self.width - text.chars().count().min(self.width);
        let class = if text.is_empty() { "sets" } else { "sets of" };
        out.open("span", &[("class", class)]);
        if !text.is_empty() {
            out.element("bdi", &[], text);
        }
        out.verbatim(&" ".repeat(free + 2));
        out.close();
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() > MAX_WIDTH {
        text.chars().take(MAX_WIDTH - 1).chain(['…']).collect()
    } else {
        text.to_owned()
    }
}
