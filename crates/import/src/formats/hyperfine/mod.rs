//! hyperfine's JSON (`--export-json`) and CSV (`--export-csv`).

mod commands;
mod export_csv;
mod failures;

use crate::error::ImportError;
use crate::format::{Content, Format, Input, each_file};
use crate::json::JsonValue;
use crate::measurements::{Measurements, Of, Wanted};
use crate::place::PlacedText;
use commands::{MeasuredEntry, named};
pub(crate) use export_csv::FORMAT as CSV;
use failures::Failures;

/// `results`: a command each, with all its `times`. The experiment is the command with the names of the parameters
/// in place of their values.
pub(crate) const FORMAT: Format = Format { name: "hyperfine", title: "hyperfine's JSON", is, read };

fn is(content: &Content<'_>) -> bool {
    let Content::Document(document) = content else { return false };
    let first = document.get("results").and_then(|results| match &results.kind {
        crate::json::JsonKind::List(results) => results.first(),
        _ => None,
    });
    first.is_some_and(|first| first.get("command").is_some())
}

fn read(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    to.wanted = Wanted::Preferred(vec!["time".to_owned()]);
    let mut commands = Vec::new();
    each_file(inputs, |input| {
        let source = input.source;
        for result in input.document()?.member(source, "results")?.list(source)? {
            commands.push(MeasuredEntry::new(source, result)?);
        }
        Ok(())
    })?;
    let mut commands = named(commands, to).into_iter();
    let mut failures = Failures::default();
    each_file(inputs, |input| {
        let source = input.source;
        for result in input.document()?.member(source, "results")?.list(source)? {
            let Some((command, name)) = commands.next() else { break };
            add(source, result, &command, &name, &mut failures, to)?;
        }
        Ok(())
    })?;
    failures.done(to)
}

fn add(
    source: PlacedText<'_>,
    result: &JsonValue<'_>,
    command: &MeasuredEntry,
    template: &str,
    failures: &mut Failures,
    to: &mut Measurements<'_>,
) -> Result<(), ImportError> {
    let name = command.with_hidden(template.to_owned());
    let labels_of =
        |metric| Of { experiment: &name, metric, unit: Some("s"), parameters: &command.numbers };
    let codes = match result.get("exit_codes") {
        Some(codes) => codes.list(source)?,
        None => &[],
    };
    let mut has_failed = false;
    match result.get("times").filter(|times| !times.is_null()) {
        Some(times) => {
            for (index, time) in times.list(source)?.iter().enumerate() {
                // Without a code the run was ended by a signal.
                let code = codes.get(index).map(JsonValue::as_number);
                let is_accepted = |code: f64| {
                    code == 0.0 || to.options.exit_codes.iter().any(|kept| f64::from(*kept) == code)
                };
                match code {
                    Some(code) if !code.is_some_and(is_accepted) => {
                        failures.add(&command.text, code);
                        has_failed = true;
                    }
                    _ => {
                        failures.kept += 1;
                        to.add(labels_of("time"), time.number(source)?, source, time.span.clone());
                    }
                }
            }
        }
        None => {
            let mean = result.member(source, "mean")?;
            to.note("the file has no single times: means are taken");
            failures.kept += 1;
            to.add(labels_of("time"), mean.number(source)?, source, mean.span.clone());
        }
    }
    // These are means over all runs.
    for metric in ["user", "system"] {
        if let Some(value) = result.get(metric).filter(|value| !value.is_null() && !has_failed) {
            to.add(labels_of(metric), value.number(source)?, source, value.span.clone());
        }
    }
    Ok(())
}
