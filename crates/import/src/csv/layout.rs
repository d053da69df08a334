//! Finds out what each column of a table is.

use std::collections::HashMap;

use crate::Quantity;
use crate::cell::Cell;
use crate::choice;
use crate::error::{ImportCause, ImportError};
use crate::header::{self, Column};
use crate::run_columns::{run_column, telling};
use crate::signs::Signs;
use crate::words::{is_repeated, is_result};

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
/// The content of a column, by its first cell that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Number,
    /// Numbers with a percent sign.
    Percent,
    /// Times with their unit.
    Time,
    /// Times with colons: durations, or times of day.
    Clock,
    Text,
    Empty,
}

impl Content {
    /// The content of a column whose first cells are these.
    fn of<'t>(cells: impl IntoIterator<Item = &'t str>, signs: &Signs) -> Content {
        for text in cells {
            return match signs.read(text) {
                Ok(Cell::Missing) => continue,
                Ok(Cell::Number(_) | Cell::NotFinite(_)) | Err(_) => Content::Number,
                Ok(Cell::Percent(_)) => Content::Percent,
                Ok(Cell::Time(_)) => Content::Time,
                Ok(Cell::Clock(_)) => Content::Clock,
                Ok(Cell::Text) => Content::Text,
            };
        }
        Content::Empty
    }

    fn is_number(self) -> bool {
        !matches!(self, Content::Text | Content::Empty)
    }

    /// Whether its numbers are seconds by what stands in its cells.
    pub(super) fn is_time(self) -> bool {
        matches!(self, Content::Time | Content::Clock)
    }
}

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
    pub(super) quantity: Quantity,
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
        columns: &[Column],
        header_line: u64,
        options: &ImportOptions,
        signs: &Signs,
        rows: &[&[String]],
    ) -> Result<Layout, ImportError> {
        let wrong = |cause: ImportCause| cause.at(header_line, 0);
        let cells = |at: usize| rows.iter().filter_map(move |row| row.get(at).map(String::as_str));
        let contents: Vec<Content> = if rows.is_empty() {
            vec![Content::Number; columns.len()]
        } else {
            (0..columns.len()).map(|at| Content::of(cells(at), signs)).collect()
        };
        let is_number = |at: usize| contents[at].is_number() && !columns[at].is_index();
        let used: Vec<bool> = columns
            .iter()
            .map(|column| options.used.iter().any(|name| column.is_called(name)))
            .collect();
        let is_used = |at: usize| used[at];
        let free: Vec<usize> =
            (0..columns.len()).filter(|&at| !is_used(at) && !columns[at].is_index()).collect();
        let by = by(columns, options, &free, &contents).map_err(wrong)?;
        let text_column = |names: &[&str]| {
            free.iter().copied().find(|&at| {
                contents[at] == Content::Text
                    && !by.contains(&at)
                    && names.contains(&columns[at].plain.as_str())
            })
        };
        let value = free.iter().copied().find(|&at| is_number(at) && columns[at].plain == "value");
        let metric =
            text_column(&["metric", "measure", "quantity", "counter"]).filter(|_| value.is_some());
        let unit = text_column(&["unit", "units"]);
        let numbers: Vec<usize> =
            free.iter().copied().filter(|&at| is_number(at) && !by.contains(&at)).collect();

        let asked_column = options
            .result
            .as_ref()
            .is_some_and(|name| columns.iter().any(|c| c.is_called_like(name)));
        let mut across = None;
        let wide = if options.result.is_some() {
            None
        } else {
            pivoted(columns, &numbers).map(|(name, results)| {
                across = Some(name);
                results
            })
        };
        let wide = wide.or_else(|| {
            if options.result.is_none() && metric.is_none() {
                repeated(columns, &numbers)
            } else {
                None
            }
        });
        let mut is_guess = false;
        let results = match (wide, metric, value) {
            (Some(results), _, _) => results,
            (None, Some(_), Some(at)) if !asked_column => vec![ResultColumn::only(at)],
            _ => {
                // Times with colons may be times of day.
                let may_be_result = |at: usize| {
                    is_number(at)
                        && run_column(&columns[at].plain).is_none()
                        && (contents[at] != Content::Clock || columns[at].is_time())
                };
                let usable: Vec<bool> = (0..columns.len()).map(may_be_result).collect();
                let asked = options.result.as_deref();
                let at = choice::result(columns, asked, &options.used, &usable).map_err(wrong)?;
                is_guess = asked.is_none()
                    && options.used.is_empty()
                    && numbers.len() > 1
                    && !is_result(&columns[at].plain)
                    && !columns[at].is_time_unit()
                    && columns[at].summary.is_none();
                vec![ResultColumn::only(at)]
            }
        };
        let mut taken = vec![false; columns.len()];
        results.iter().for_each(|result| taken[result.at] = true);
        by.iter().chain(&metric).chain(&unit).for_each(|&at| taken[at] = true);
        let rest: Vec<usize> = (0..columns.len()).filter(|&at| !taken[at]).collect();
        let (variables, unused) = variables(columns, &contents, &rest, &used);
        let numbering = unused.iter().filter(|(_, why)| *why == Unused::Numbering);
        let run = telling(numbering.map(|(at, _)| (*at, columns[*at].plain.as_str())));
        let column = &columns[results[0].at];
        let title = match (&across, results.len()) {
            (Some(name), _) => format!("{name}=…"),
            (None, 1) => column.header.clone(),
            (None, count) => {
                format!("{} … {}", column.header, columns[results[count - 1].at].header)
            }
        };
        let quantity = match (&options.unit, column.quantity()) {
            (Some(unit), _) => Quantity::named(unit),
            (None, Quantity::Unknown | Quantity::Other(_)) if contents[results[0].at].is_time() => {
                Quantity::named("s")
            }
            (None, Quantity::Unknown) if contents[results[0].at] == Content::Percent => {
                Quantity::Other("%".to_owned())
            }
            (None, quantity) => quantity,
        };
        let is_result = |at: usize| results.iter().any(|result| result.at == at);
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

/// Which of the columns that are left are variables, and what the others are.
fn variables(
    columns: &[Column],
    contents: &[Content],
    rest: &[usize],
    used: &[bool],
) -> (Vec<usize>, Vec<(usize, Unused)>) {
    let searches = !used.contains(&true);
    let unused = |at: usize| match contents[at] {
        _ if used[at] => None,
        _ if columns[at].is_index() => Some(Unused::Index),
        Content::Empty => Some(Unused::Empty),
        Content::Text if run_column(&columns[at].plain).is_none() => Some(Unused::Text),
        _ if columns[at].summary.is_some() => Some(Unused::Statistic),
        Content::Time | Content::Clock => Some(Unused::Time),
        Content::Number | Content::Percent | Content::Text => None,
    };
    let weak = |at: usize| match () {
        () if used[at] => None,
        () if run_column(&columns[at].plain).is_some() => Some(Unused::Numbering),
        () if searches && columns[at].is_time() => Some(Unused::Time),
        () => None,
    };
    let left: Vec<usize> = rest.iter().copied().filter(|&at| unused(at).is_none()).collect();
    // If nothing else is left, they may be variables.
    let has_others = left.iter().any(|&at| weak(at).is_none());
    let why = |at: usize| match contents[at] {
        Content::Text if !used[at] && !has_others => Some(Unused::Text),
        _ => unused(at).or_else(|| weak(at).filter(|_| has_others)),
    };
    let others = rest.iter().filter_map(|&at| Some((at, why(at)?))).collect();
    (left.into_iter().filter(|&at| why(at).is_none()).collect(), others)
}

/// The columns that name experiments: the requested one, or those of text with a known name.
fn by(
    columns: &[Column],
    options: &ImportOptions,
    free: &[usize],
    contents: &[Content],
) -> Result<Vec<usize>, ImportCause> {
    let Some(name) = &options.by else {
        let is_name = |at: &usize| {
            contents[*at] == Content::Text && EXPERIMENTS.contains(&columns[*at].plain.as_str())
        };
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
    let mut numbered: HashMap<&str, usize> = HashMap::new();
    for &at in numbers.iter().filter(|&&at| is_numbered(at)) {
        *numbered.entry(stem(at)).or_default() += 1;
    }
    let first = numbers.iter().copied().find(|&at| {
        let known = is_result(stem(at)) || is_repeated(stem(at));
        let alike = numbered.get(stem(at)).copied().unwrap_or_default();
        known && alike > usize::from(is_numbered(at))
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
