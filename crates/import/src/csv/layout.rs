//! Finds out what each column of a table is.

use crate::ResultKind;
use crate::error::{ImportCause, ImportError};
use crate::header::HeaderColumn;
use crate::run_columns::{run_column, telling};
use crate::signs::Signs;

use super::ImportOptions;
use super::content::Content;
use super::results::{ResultColumn, Results, results};

/// Names of columns of text that tell experiments apart; normalised.
const EXPERIMENTS: [&str; 19] = [
    "experiment",
    "benchmark",
    "bench",
    "name",
    "test",
    "case",
    "kernel",
    "function",
    "region",
    "callpath",
    "call_path",
    "program",
    "command",
    "algorithm",
    "algo",
    "method",
    "variant",
    "implementation",
    "solver",
];

/// A column that the table's variables do not have, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unused {
    Text,
    /// It has no name.
    Index,
    /// It has no value.
    Empty,
    /// It is a statistic of repetitions.
    Statistic,
    /// It is a time beside the result.
    Time,
    /// It numbers runs, repetitions or rows.
    Numbering,
}

/// The role of each column.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) variables: Vec<usize>,
    pub(super) results: Vec<ResultColumn>,
    /// The parameter whose values are in the headers of the results.
    pub(super) across: Option<String>,
    /// The columns that name the experiment.
    pub(super) by: Vec<usize>,
    /// The column that names the metric.
    pub(super) metric: Option<usize>,
    /// The column with the unit.
    pub(super) unit: Option<usize>,
    /// The name of the results.
    pub(super) title: String,
    pub(super) quantity: ResultKind,
    /// The other columns.
    pub(super) unused: Vec<(usize, Unused)>,
    /// The one of these that tells which run a row is of.
    pub(super) run: Option<usize>,
    /// The content of each column.
    pub(super) contents: Vec<Content>,
    /// Whether the last of two columns is the result because nothing says which.
    pub(super) is_guess: bool,
}

impl Layout {
    /// With the fields of the first rows, which show which columns are text.
    pub(super) fn new(
        columns: &[HeaderColumn],
        header_line: u64,
        options: &ImportOptions,
        signs: &Signs,
        rows: &[&[String]],
    ) -> Result<Layout, ImportError> {
        let wrong = |cause: ImportCause| cause.error_at(header_line, 0);
        let cells =
            |index: usize| rows.iter().filter_map(move |row| row.get(index).map(String::as_str));
        let contents: Vec<Content> = if rows.is_empty() {
            vec![Content::Number; columns.len()]
        } else {
            (0..columns.len()).map(|index| Content::of(cells(index), signs)).collect()
        };
        let is_number = |index: usize| contents[index].is_number() && !columns[index].is_index();
        let used: Vec<bool> = columns
            .iter()
            .map(|column| options.used.iter().any(|name| column.is_called(name)))
            .collect();
        let is_used = |index: usize| used[index];
        let free: Vec<usize> = (0..columns.len())
            .filter(|&index| !is_used(index) && !columns[index].is_index())
            .collect();
        let by = by(columns, options, &free, &contents).map_err(wrong)?;
        let text_column = |names: &[&str]| {
            free.iter().copied().find(|&index| {
                contents[index] == Content::Text
                    && !by.contains(&index)
                    && names.contains(&columns[index].plain.as_str())
            })
        };
        let value =
            free.iter().copied().find(|&index| is_number(index) && columns[index].plain == "value");
        let metric =
            text_column(&["metric", "measure", "quantity", "counter"]).filter(|_| value.is_some());
        let unit = text_column(&["unit", "units"]);
        let numbers: Vec<usize> = free
            .iter()
            .copied()
            .filter(|&index| is_number(index) && !by.contains(&index))
            .collect();

        let Results { results, across, is_guess } =
            results(columns, &contents, &numbers, (metric.is_some(), value), options)
                .map_err(wrong)?;
        let mut taken = vec![false; columns.len()];
        results.iter().for_each(|result| taken[result.index] = true);
        by.iter().chain(&metric).chain(&unit).for_each(|&index| taken[index] = true);
        let rest: Vec<usize> = (0..columns.len()).filter(|&index| !taken[index]).collect();
        let (variables, unused) = variables(columns, &contents, &rest, &used);
        let numbering = unused.iter().filter(|(_, why)| *why == Unused::Numbering);
        let run = telling(numbering.map(|(index, _)| (*index, columns[*index].plain.as_str())));
        let column = &columns[results[0].index];
        let title = title(columns, &results, across.as_deref());
        let quantity = quantity(column, contents[results[0].index], options);
        let is_result = |index: usize| results.iter().any(|result| result.index == index);
        let metric = metric.filter(|_| value.is_some_and(is_result));
        Ok(Layout {
            variables,
            results,
            across,
            by,
            metric,
            unit,
            title,
            quantity,
            unused,
            run,
            contents,
            is_guess,
        })
    }
}

/// The name of the results.
fn title(columns: &[HeaderColumn], results: &[ResultColumn], across: Option<&str>) -> String {
    match (across, results.len()) {
        (Some(name), _) => format!("{name}=…"),
        (None, 1) => columns[results[0].index].header.clone(),
        (None, count) => {
            format!(
                "{} … {}",
                columns[results[0].index].header,
                columns[results[count - 1].index].header
            )
        }
    }
}

/// The quantity of the results: by the option, by the header, or by their cells.
fn quantity(column: &HeaderColumn, content: Content, options: &ImportOptions) -> ResultKind {
    match (&options.unit, column.quantity()) {
        (Some(unit), _) => ResultKind::named(unit),
        (None, ResultKind::Unknown | ResultKind::Other(_)) if content.is_time() => {
            ResultKind::named("s")
        }
        (None, ResultKind::Unknown) if content == Content::Percent => {
            ResultKind::Other("%".to_owned())
        }
        (None, quantity) => quantity,
    }
}

/// Which of the columns that are left are variables, and what the others are.
fn variables(
    columns: &[HeaderColumn],
    contents: &[Content],
    rest: &[usize],
    used: &[bool],
) -> (Vec<usize>, Vec<(usize, Unused)>) {
    let searches = !used.contains(&true);
    let unused = |index: usize| match contents[index] {
        _ if used[index] => None,
        _ if columns[index].is_index() => Some(Unused::Index),
        Content::Empty => Some(Unused::Empty),
        Content::Text if run_column(&columns[index].plain).is_none() => Some(Unused::Text),
        _ if columns[index].summary.is_some() => Some(Unused::Statistic),
        Content::Time | Content::Clock => Some(Unused::Time),
        Content::Number | Content::Percent | Content::Text => None,
    };
    let weak = |index: usize| match () {
        () if used[index] => None,
        () if run_column(&columns[index].plain).is_some() => Some(Unused::Numbering),
        () if searches && columns[index].is_time() => Some(Unused::Time),
        () => None,
    };
    let left: Vec<usize> = rest.iter().copied().filter(|&index| unused(index).is_none()).collect();
    // If nothing else is left, they may be variables.
    let has_others = left.iter().any(|&index| weak(index).is_none());
    let why = |index: usize| match contents[index] {
        Content::Text if !used[index] && !has_others => Some(Unused::Text),
        _ => unused(index).or_else(|| weak(index).filter(|_| has_others)),
    };
    let others = rest.iter().filter_map(|&index| Some((index, why(index)?))).collect();
    (left.into_iter().filter(|&index| why(index).is_none()).collect(), others)
}

/// The columns that name experiments: the requested one, or those of text with a known name.
fn by(
    columns: &[HeaderColumn],
    options: &ImportOptions,
    free: &[usize],
    contents: &[Content],
) -> Result<Vec<usize>, ImportCause> {
    let Some(name) = &options.by else {
        let is_name = |index: &usize| {
            contents[*index] == Content::Text
                && EXPERIMENTS.contains(&columns[*index].plain.as_str())
        };
        return Ok(free.iter().copied().filter(is_name).collect());
    };
    match columns.iter().position(|column| column.is_called_like(name)) {
        Some(index) => Ok(vec![index]),
        None => Err(ImportCause::NoColumn {
            name: name.clone(),
            known: columns.iter().map(|column| column.header.clone()).collect(),
        }),
    }
}
