//! What each column of a table is.

use crate::Quantity;
use crate::error::{ImportCause, ImportError};
use crate::field::{Field, Fields};
use crate::header::{self, Column, is_result};
use crate::run_columns::{run_column, telling};

use super::ImportOptions;

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
/// Names of several columns of results with a number behind each, besides those of times.
const REPEATED: [&str; 8] =
    ["run", "rep", "repetition", "repeat", "trial", "sample", "measurement", "value"];

/// A column of results.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResultColumn {
    pub(super) at: usize,
    /// The value of the parameter that its header gives.
    pub(super) value: Option<f64>,
    /// Whether each of these columns is a run, as `run1`, `run2`.
    pub(super) tells_run: bool,
}

impl ResultColumn {
    fn only(at: usize) -> ResultColumn {
        ResultColumn { at, value: None, tells_run: false }
    }
}

/// What each column is.
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
    /// What the results are called.
    pub(super) title: String,
    pub(super) quantity: Quantity,
    /// Columns of text that are ignored.
    pub(super) ignored: Vec<usize>,
    /// Columns that number runs, repetitions or rows.
    pub(super) numbering: Vec<usize>,
    /// The one of them that tells which run a row is of.
    pub(super) run: Option<usize>,
}

/// In a table whose first name is `N\P` the other names are values of P.
pub(super) fn corner(names: Vec<String>) -> Vec<String> {
    let Some((row, column)) = names.first().and_then(|first| first.split_once('\\')) else {
        return names;
    };
    let (row, column) = (row.trim().to_owned(), column.trim().to_owned());
    let others = &names[1..];
    if row.is_empty() || column.is_empty() || others.iter().any(|name| name.parse::<f64>().is_err())
    {
        return names;
    }
    let others = others.iter().map(|value| format!("{column}={value}"));
    std::iter::once(row).chain(others).collect()
}

impl Layout {
    /// With the fields of the first row, which show which columns are text.
    pub(super) fn new(
        columns: &[Column],
        header_line: u64,
        options: &ImportOptions,
        delimiter: u8,
        first: &[String],
    ) -> Result<Layout, ImportError> {
        let wrong = |cause: ImportCause| cause.at(header_line, 0);
        let mut reader = Fields::new(delimiter);
        let is_number: Vec<bool> = (0..columns.len())
            .map(|at| first.get(at).is_none_or(|text| reader.read(text) != Field::Text))
            .collect();
        let is_used = |at: usize| options.used.iter().any(|name| columns[at].is_called(name));
        let free: Vec<usize> = (0..columns.len()).filter(|&at| !is_used(at)).collect();
        let by = by(columns, options, &free, &is_number).map_err(wrong)?;
        let text_column = |names: &[&str]| {
            free.iter().copied().find(|&at| {
                !is_number[at] && !by.contains(&at) && names.contains(&columns[at].plain.as_str())
            })
        };
        let value = free.iter().copied().find(|&at| is_number[at] && columns[at].plain == "value");
        let metric =
            text_column(&["metric", "measure", "quantity", "counter"]).filter(|_| value.is_some());
        let unit = text_column(&["unit", "units"]);
        let numbers: Vec<usize> =
            free.iter().copied().filter(|&at| is_number[at] && !by.contains(&at)).collect();

        let asked_column = options
            .result
            .as_ref()
            .is_some_and(|name| columns.iter().any(|c| c.is_called_like(name)));
        let mut across = None;
        let wide = match options.result.is_some() {
            true => None,
            false => pivoted(columns, &numbers).map(|(name, results)| {
                across = Some(name);
                results
            }),
        };
        let wide = wide.or_else(|| match options.result.is_none() && metric.is_none() {
            true => repeated(columns, &numbers),
            false => None,
        });
        let results = match (wide, metric, value) {
            (Some(results), _, _) => results,
            (None, Some(_), Some(at)) if !asked_column => vec![ResultColumn::only(at)],
            _ => {
                let usable: Vec<bool> = (0..columns.len())
                    .map(|at| is_number[at] && run_column(&columns[at].plain).is_none())
                    .collect();
                let asked = options.result.as_deref();
                let at = header::result(columns, asked, &options.used, &usable).map_err(wrong)?;
                vec![ResultColumn::only(at)]
            }
        };
        let is_result = |at: usize| results.iter().any(|result| result.at == at);
        let mut rest: Vec<usize> = (0..columns.len())
            .filter(|&at| !is_result(at) && !by.contains(&at))
            .filter(|&at| metric != Some(at) && unit != Some(at))
            .collect();
        let counts = |at: usize| !is_used(at) && run_column(&columns[at].plain).is_some();
        let has_others = rest.iter().any(|&at| is_number[at] && !counts(at));
        let numbering: Vec<usize> =
            rest.iter().copied().filter(|&at| has_others && counts(at)).collect();
        rest.retain(|at| !numbering.contains(at));
        let run = telling(numbering.iter().map(|&at| (at, columns[at].plain.as_str())));
        let (variables, ignored): (Vec<usize>, Vec<usize>) =
            rest.into_iter().partition(|&at| is_number[at] || is_used(at));
        let column = &columns[results[0].at];
        let title = match (&across, results.len()) {
            (Some(name), _) => format!("{name}=…"),
            (None, 1) => column.header.clone(),
            (None, count) => {
                format!("{} … {}", column.header, columns[results[count - 1].at].header)
            }
        };
        let quantity = match &options.unit {
            Some(unit) => Quantity::named(unit),
            None => column.quantity(),
        };
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
            ignored,
            numbering,
            run,
        })
    }
}

/// The columns that name experiments: the requested one, or those of text with a known name.
fn by(
    columns: &[Column],
    options: &ImportOptions,
    free: &[usize],
    is_number: &[bool],
) -> Result<Vec<usize>, ImportCause> {
    let Some(name) = &options.by else {
        let is_name =
            |at: &usize| !is_number[*at] && EXPERIMENTS.contains(&columns[*at].plain.as_str());
        return Ok(free.iter().copied().filter(is_name).collect());
    };
    match columns.iter().position(|column| column.is_called_like(name)) {
        Some(at) => Ok(vec![at]),
        None => Err(ImportCause::NoColumn {
            name: name.clone(),
            known: columns.iter().map(|column| column.header.clone()).collect(),
        }),
    }
}

/// Columns whose headers give values of one parameter, such as `P=1`, `P=2`.
fn pivoted(columns: &[Column], numbers: &[usize]) -> Option<(String, Vec<ResultColumn>)> {
    let mut name: Option<&str> = None;
    let mut results = Vec::new();
    for &at in numbers {
        let Some((title, value)) = columns[at].header.split_once('=') else { continue };
        let Ok(value) = value.trim().parse::<f64>() else { continue };
        if *name.get_or_insert(title.trim()) == title.trim() && value.is_finite() {
            results.push(ResultColumn { value: Some(value), ..ResultColumn::only(at) });
        }
    }
    let name = header::variable(name?);
    (results.len() > 1).then_some((name, results))
}

/// Columns with the name of a result and a number, such as `run1`, `run2`, or `time`, `time.1`.
fn repeated(columns: &[Column], numbers: &[usize]) -> Option<Vec<ResultColumn>> {
    let stem = |at: usize| {
        let plain = columns[at].plain.as_str();
        plain.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_')
    };
    let is_numbered = |at: usize| columns[at].plain.ends_with(|c: char| c.is_ascii_digit());
    let first = numbers.iter().copied().find(|&at| {
        let known = is_result(stem(at)) || REPEATED.contains(&stem(at));
        let alike = numbers.iter().filter(|&&other| stem(other) == stem(at) && is_numbered(other));
        known && alike.count() > usize::from(is_numbered(at))
    })?;
    let same = |at: &usize| {
        stem(*at) == stem(first) && columns[*at].quantity() == columns[first].quantity()
    };
    let tells_run = run_column(stem(first)).is_some();
    let column = |at| ResultColumn { tells_run, ..ResultColumn::only(at) };
    let found: Vec<ResultColumn> = numbers.iter().copied().filter(same).map(column).collect();
    // A known name that stands alone is the result.
    let alone = numbers
        .iter()
        .any(|&at| is_result(&columns[at].plain) && !found.iter().any(|result| result.at == at));
    (found.len() > 1 && !alone).then_some(found)
}
