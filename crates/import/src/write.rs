//! Tables as text that Extra-P reads.

use std::io::{self, Write};

use crate::{ResultKind, Table};

/// Most parameters of Extra-P's text format.
const TEXT_PARAMETERS: usize = 4;

/// Why tables cannot be written in a format.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The output cannot be written. For a broken pipe the kind is `BrokenPipe`.
    #[error("cannot write the export: {0}")]
    Io(#[from] io::Error),
    /// There is nothing to write.
    #[error("there are no values to export")]
    Nothing,
    /// A file of Extra-P's has one set of parameters.
    #[error("{} has the parameters {}, and {} has {}: a file of Extra-P's has one set of parameters",
        first.0, first.1, other.0, other.1)]
    OtherParameters {
        /// The first experiment and its parameters.
        first: (String, String),
        /// Another one.
        other: (String, String),
    },
    /// In the text format all regions have the same points.
    #[error(
        "{first} and {other} have other points, and in Extra-P's text all regions have the same"
    )]
    OtherPoints {
        /// The first experiment.
        first: String,
        /// Another one.
        other: String,
    },
    /// The text format has at most four parameters.
    #[error("{0} parameters vary, and Extra-P's text has at most {TEXT_PARAMETERS}")]
    ManyParameters(usize),
    /// Extra-P needs a parameter.
    #[error("{0} has no parameter, which Extra-P needs")]
    NoParameter(String),
}

/// The parts of the parameters that are written.
struct Parameters<'a> {
    /// Those that change, by their index in each table.
    varying: Vec<usize>,
    names: &'a [String],
    /// Names and values of the others.
    fixed: Vec<(&'a str, f64)>,
}

/// Writes JSON lines as Extra-P reads them: `params`, `callpath`, `metric`, `value`, and `unit`, which Extra-P ignores;
/// times are in seconds. Parameters that never change are left out, unless none changes; they are returned.
///
/// # Errors
/// If experiments have different parameters, or `out` cannot be written.
pub fn extrap_lines(
    tables: &[(String, Table)],
    mut out: impl Write,
) -> Result<Vec<(&str, f64)>, WriteError> {
    let parameters = parameters(tables)?;
    for (experiment, table) in tables {
        let mut head = String::new();
        if !experiment.is_empty() {
            head += &format!("\"callpath\":{},", quoted(experiment));
        }
        head += &format!("\"metric\":{},", quoted(&table.result));
        let unit = match &table.quantity {
            ResultKind::Time { .. } | ResultKind::Unknown => "s",
            ResultKind::Other(unit) => unit,
        };
        let tail = format!(",\"unit\":{}", quoted(unit));
        for group in &table.groups {
            let params: Vec<String> = parameters
                .varying
                .iter()
                .map(|&index| {
                    format!("{}:{}", quoted(&table.variables[index]), number(group.values[index]))
                })
                .collect();
            for result in group.results.iter().filter(|result| result.is_finite()) {
                let params = params.join(",");
                writeln!(
                    out,
                    "{{\"params\":{{{params}}},{head}\"value\":{}{tail}}}",
                    number(*result)
                )?;
            }
        }
    }
    out.flush()?;
    Ok(parameters.fixed)
}

/// Writes Extra-P's text: a region for each experiment, a metric for each of its tables.
///
/// # Errors
/// If experiments have different parameters or points, or more than four parameters vary, or `out` cannot be written.
pub fn extrap_text(tables: &[(String, Table)], mut out: impl Write) -> Result<(), WriteError> {
    let parameters = parameters(tables)?;
    let Parameters { varying, names, fixed } = &parameters;
    if varying.len() > TEXT_PARAMETERS {
        return Err(WriteError::ManyParameters(varying.len()));
    }
    let points = |table: &Table| {
        let mut points: Vec<&[f64]> =
            table.groups.iter().map(|group| group.values.as_slice()).collect();
        points.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        points.into_iter().map(<[f64]>::to_vec).collect::<Vec<_>>()
    };
    let (first, table) = &tables[0];
    let all = points(table);
    if let Some((other, _)) = tables.iter().find(|(_, table)| points(table) != all) {
        return Err(WriteError::OtherPoints { first: first.clone(), other: other.clone() });
    }
    for (name, value) in fixed {
        writeln!(out, "# {} is {} throughout", word(name), number(*value))?;
    }
    for &index in varying {
        writeln!(out, "PARAMETER {}", word(&names[index]))?;
    }
    let point = |values: &Vec<f64>| {
        let values: Vec<String> = varying.iter().map(|&index| number(values[index])).collect();
        if varying.len() == 1 { values.join(" ") } else { format!("({})", values.join(" ")) }
    };
    writeln!(out, "POINTS {}", all.iter().map(point).collect::<Vec<_>>().join(" "))?;
    let mut region: Option<&str> = None;
    for (experiment, table) in tables {
        if region != Some(experiment) {
            writeln!(out)?;
            if !experiment.is_empty() {
                writeln!(out, "REGION {}", line(experiment))?;
            }
            region = Some(experiment);
        }
        writeln!(out, "METRIC {}", line(&table.result))?;
        for values in &all {
            let group = table.groups.iter().find(|group| group.values == *values);
            let results = group.map(|group| group.results.as_slice()).unwrap_or_default();
            let results: Vec<String> = results.iter().map(|&result| number(result)).collect();
            writeln!(out, "DATA {}", results.join(" "))?;
        }
    }
    Ok(out.flush()?)
}

/// The parameters of all tables, which are the same.
fn parameters(tables: &[(String, Table)]) -> Result<Parameters<'_>, WriteError> {
    let Some((name, first)) = tables.first() else { return Err(WriteError::Nothing) };
    let known = |table: &Table| table.variables.join(", ");
    if let Some((other, table)) =
        tables.iter().find(|(_, table)| table.variables != first.variables)
    {
        return Err(WriteError::OtherParameters {
            first: (called(name), known(first)),
            other: (called(other), known(table)),
        });
    }
    if first.variables.is_empty() {
        return Err(WriteError::NoParameter(called(name)));
    }
    let Some(start) = first.groups.first() else { return Err(WriteError::Nothing) };
    let varies = |&index: &usize| {
        let mut groups = tables.iter().flat_map(|(_, table)| &table.groups);
        groups.any(|group| group.values[index] != start.values[index])
    };
    let (mut varying, mut fixed): (Vec<usize>, Vec<usize>) =
        (0..first.variables.len()).partition(varies);
    if varying.is_empty() {
        varying.push(fixed.remove(0));
    }
    let fixed =
        fixed.into_iter().map(|index| (first.variables[index].as_str(), start.values[index]));
    Ok(Parameters { varying, names: &first.variables, fixed: fixed.collect() })
}

fn called(experiment: &str) -> String {
    if experiment.is_empty() { "the table".to_owned() } else { experiment.to_owned() }
}

/// A name without spaces.
fn word(name: &str) -> String {
    name.split_whitespace().collect()
}

/// A name on one line.
fn line(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A number with the fewest digits that read back as the same number.
fn number(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-4..1e15).contains(&size) || !value.is_finite() {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// A text of JSON.
fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            c if c.is_control() => literal.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => literal.push(c),
        }
    }
    literal + "\""
}
