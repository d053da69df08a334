//! hyperfine's CSV (`--export-csv`).

use crate::csv::split;
use crate::error::{ImportCause, ImportError};
use crate::format::{Content, Format, Input, each_file};
use crate::measurements::{Measurements, Of, Wanted};

use super::commands::{MeasuredEntry, named};

/// A line with statistics for each command, and its parameters.
pub(crate) const FORMAT: Format =
    Format { name: "hyperfine-csv", title: "hyperfine's CSV", is, read };

/// The first columns of the CSV.
const COLUMNS: [&str; 8] = ["command", "mean", "stddev", "median", "user", "system", "min", "max"];
/// Before the name of a parameter among these columns.
const PARAMETER: &str = "parameter_";

fn is(content: &Content<'_>) -> bool {
    let Content::Text(text) = content else { return false };
    text.lines().next().is_some_and(|first| first.trim_end().starts_with(&COLUMNS.join(",")))
}

/// The median of each command, with the parameters.
fn read(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    to.wanted = Wanted::Preferred(vec!["median".to_owned()]);
    let mut rows = Vec::new();
    each_file(inputs, |input| {
        let source = input.source;
        let mut names: Vec<String> = Vec::new();
        let mut offset = 0;
        for (index, line) in source.text.split_inclusive('\n').enumerate() {
            let start = offset;
            offset += line.len();
            let fields = split(line.trim_end().as_bytes(), b',', index as u64 + 1)?;
            if names.is_empty() {
                names = fields;
                continue;
            }
            if fields.len() != names.len() {
                let (expected, number) = (names.len(), fields.len());
                let cause = ImportCause::Fields { expected, found: number, commas: false };
                return Err(cause.error_at(index as u64 + 1, 0));
            }
            let given = names.iter().zip(&fields).filter_map(|(name, word)| {
                Some((name.strip_prefix(PARAMETER)?.to_owned(), word.clone()))
            });
            let command = MeasuredEntry::from_words(fields[0].clone(), given.collect());
            let mut values = Vec::new();
            for (name, text) in names.iter().zip(&fields) {
                if COLUMNS[1..].contains(&name.as_str()) && !text.is_empty() {
                    let error = || {
                        let (text, column) = (text.clone(), name.clone());
                        let span = start..start + line.trim_end().len();
                        source.error(span, ImportCause::NotANumber { text, column })
                    };
                    values.push((name.clone(), text.parse::<f64>().map_err(|_| error())?));
                }
            }
            rows.push((source, start, command, values));
        }
        Ok(())
    })?;
    let commands = rows.iter().map(|(_, _, command, _)| command.clone()).collect();
    to.note("the file has no single times: medians are taken");
    for ((source, offset, _, values), (command, name)) in rows.into_iter().zip(named(commands, to))
    {
        let experiment = command.with_hidden(name);
        for (metric, value) in values {
            let parameters = &command.numbers;
            let labels =
                Of { experiment: &experiment, metric: &metric, unit: Some("s"), parameters };
            to.add(labels, value, source, offset..offset);
        }
    }
    Ok(())
}
