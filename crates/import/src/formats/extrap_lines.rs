//! JSON lines as Extra-P reads them: a measured value on each line.

use std::collections::HashSet;

use crate::error::ImportError;
use crate::format::{Content, Format, Input, each_file, each_line};
use crate::json::JsonValue;
use crate::measurements::{Measurements, Of};
use crate::place::PlacedText;

/// Extra-P's JSON lines. Each has `params` (names and numbers) and `value` (a number, or a list of repetitions), and
/// may have `callpath` (the experiment), `metric` and `unit`, which Extra-P ignores.
pub(crate) const FORMAT: Format =
    Format { name: "extrap-jsonl", title: "Extra-P's JSON lines", is, read };

fn is(content: &Content<'_>) -> bool {
    let has = |name| content.first().is_some_and(|value| value.get(name).is_some());
    has("params") && (has("value") || has("metric") || has("callpath"))
}

fn read(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    // Extra-P takes the parameters of the first line for all.
    let mut names: Option<Vec<String>> = None;
    each_file(inputs, |input| {
        let skip_bad = to.options.skip_bad;
        let read = |line: &JsonValue<'_>| record(input.source, line, &mut names, to);
        let errors = each_line(input.source, skip_bad, read)?;
        errors.into_iter().try_for_each(|error| to.skip(error))
    })
}

fn record(
    source: PlacedText<'_>,
    line: &JsonValue<'_>,
    names: &mut Option<Vec<String>>,
    to: &mut Measurements<'_>,
) -> Result<(), ImportError> {
    let params = line.member(source, "params")?;
    let mut parameters: Vec<(String, f64)> = Vec::new();
    for (name, value) in params.object(source)? {
        parameters.push((name.to_string(), value.number(source)?));
    }
    match names {
        None => *names = Some(parameters.iter().map(|(name, _)| name.clone()).collect()),
        Some(names) => {
            let own: HashSet<&String> = parameters.iter().map(|(name, _)| name).collect();
            let first: HashSet<&String> = names.iter().collect();
            let missing = names.iter().find(|name| !own.contains(name));
            let new = parameters.iter().map(|(name, _)| name).find(|name| !first.contains(name));
            let what = match (missing, new) {
                (Some(name), _) => format!("`{name}` is missing, which the first line has"),
                (None, Some(name)) => {
                    format!("`{name}` is a parameter here, and not on the first line")
                }
                (None, None) => String::new(),
            };
            if !what.is_empty() {
                return Err(source
                    .wrong(params.span.clone(), cll_diagnostic::escape(&what))
                    .help("all lines of a file have the same parameters"));
            }
        }
    }
    let optional = |name: &str| line.get(name).filter(|value| !value.is_null());
    let text = |name: &str| optional(name).map(|value| value.text(source)).transpose();
    let labels = Of {
        experiment: text("callpath")?.unwrap_or_default(),
        metric: text("metric")?.unwrap_or("time"),
        unit: text("unit")?,
        parameters: &parameters,
    };
    let value = line.member(source, "value")?;
    let values = match &value.kind {
        crate::json::JsonKind::List(values) => values.as_slice(),
        _ => std::slice::from_ref(value),
    };
    for value in values {
        to.add(labels, value.number(source)?, source, value.span.clone());
    }
    Ok(())
}
