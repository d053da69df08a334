//! Finds the columns of results.

use std::collections::HashMap;

use super::ImportOptions;
use super::content::Content;
use crate::choice;
use crate::error::ImportCause;
use crate::header::{self, HeaderColumn};
use crate::run_columns::run_column;
use crate::words::{is_repeated, is_result};

/// A column of results.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResultColumn {
    pub(super) index: usize,
    /// The value of the parameter that its header gives.
    pub(super) value: Option<f64>,
    /// Whether each of these columns is a run, as `run1`, `run2`.
    pub(super) tells_run: bool,
}

impl ResultColumn {
    pub(super) fn only(at: usize) -> ResultColumn {
        ResultColumn { index: at, value: None, tells_run: false }
    }
}

/// The columns of results, and how they were chosen.
pub(super) struct Results {
    pub(super) results: Vec<ResultColumn>,
    /// The parameter whose values are in their headers.
    pub(super) across: Option<String>,
    /// Whether the last of two columns is the result because nothing says which.
    pub(super) is_guess: bool,
}

/// Chooses them among columns of numbers. `has_metric`: a column names the metric; `value`: the column with its values.
pub(super) fn results(
    columns: &[HeaderColumn],
    contents: &[Content],
    numbers: &[usize],
    (has_metric, value): (bool, Option<usize>),
    options: &ImportOptions,
) -> Result<Results, ImportCause> {
    let is_number = |at: usize| contents[at].is_number() && !columns[at].is_index();
    let asked_column =
        options.result.as_ref().is_some_and(|name| columns.iter().any(|c| c.is_called_like(name)));
    let mut across = None;
    let wide = if options.result.is_some() {
        None
    } else {
        pivoted(columns, numbers).map(|(name, results)| {
            across = Some(name);
            results
        })
    };
    let wide = wide.or_else(|| {
        if options.result.is_none() && !has_metric { repeated(columns, numbers) } else { None }
    });
    let mut is_guess = false;
    let results = match (wide, has_metric, value) {
        (Some(results), _, _) => results,
        (None, true, Some(at)) if !asked_column => vec![ResultColumn::only(at)],
        _ => {
            // Times with colons may be times of day.
            let may_be_result = |index: usize| {
                is_number(index)
                    && run_column(&columns[index].plain).is_none()
                    && (contents[index] != Content::Clock || columns[index].is_time())
            };
            let usable: Vec<bool> = (0..columns.len()).map(may_be_result).collect();
            let asked = options.result.as_deref();
            let at = choice::result(columns, asked, &options.used, &usable)?;
            is_guess = asked.is_none()
                && options.used.is_empty()
                && numbers.len() > 1
                && !is_result(&columns[at].plain)
                && !columns[at].is_time_unit()
                && columns[at].summary.is_none();
            vec![ResultColumn::only(at)]
        }
    };
    Ok(Results { results, across, is_guess })
}

/// Columns whose headers give values of one parameter, such as `P=1`, `P=2`.
fn pivoted(columns: &[HeaderColumn], numbers: &[usize]) -> Option<(String, Vec<ResultColumn>)> {
    let mut name: Option<&str> = None;
    let mut results = Vec::new();
    for &index in numbers {
        let Some((title, value)) = columns[index].header.split_once('=') else { continue };
        let Ok(value) = value.trim().parse::<f64>() else { continue };
        if *name.get_or_insert(title.trim()) == title.trim() && value.is_finite() {
            results.push(ResultColumn { value: Some(value), ..ResultColumn::only(index) });
        }
    }
    let name = header::variable(name?);
    (results.len() > 1).then_some((name, results))
}

/// Columns with the name of a result and a number, such as `run1`, `run2`, or `time`, `time.1`.
fn repeated(columns: &[HeaderColumn], numbers: &[usize]) -> Option<Vec<ResultColumn>> {
    let stem = |index: usize| {
        let plain = columns[index].plain.as_str();
        plain.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_')
    };
    let is_numbered = |index: usize| columns[index].plain.ends_with(|c: char| c.is_ascii_digit());
    let mut numbered: HashMap<&str, usize> = HashMap::new();
    for &index in numbers.iter().filter(|&&index| is_numbered(index)) {
        *numbered.entry(stem(index)).or_default() += 1;
    }
    let first = numbers.iter().copied().find(|&index| {
        let known = is_result(stem(index)) || is_repeated(stem(index));
        let alike = numbered.get(stem(index)).copied().unwrap_or_default();
        known && alike > usize::from(is_numbered(index))
    })?;
    let same = |index: &usize| {
        stem(*index) == stem(first) && columns[*index].quantity() == columns[first].quantity()
    };
    let tells_run = run_column(stem(first)).is_some();
    let column = |index| ResultColumn { tells_run, ..ResultColumn::only(index) };
    let found: Vec<ResultColumn> = numbers.iter().copied().filter(same).map(column).collect();
    // A known name that stands alone is the result.
    let alone = numbers.iter().any(|&index| {
        is_result(&columns[index].plain) && !found.iter().any(|result| result.index == index)
    });
    (found.len() > 1 && !alone).then_some(found)
}
