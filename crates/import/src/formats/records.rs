//! Tables as JSON: a list of objects, or an object on each line, as pandas writes them.

use std::collections::HashMap;

use crate::csv::{ImportOptions, csv};
use crate::distinct::distinct;
use crate::error::{ImportCause, ImportError};
use crate::format::{Content, Input, each_line};
use crate::json::{JsonKind, JsonValue};
use crate::table::{Examples, Remark, Table};

/// The name for `--from`.
pub(crate) const RECORDS: &str = "json-records";

/// Whether a file has objects of numbers and texts only.
pub(crate) fn is_records(content: &Content<'_>) -> bool {
    match content {
        Content::Document(JsonValue { kind: JsonKind::List(rows), .. }) => {
            !rows.is_empty() && rows.iter().all(is_flat)
        }
        Content::Lines(first) => is_flat(first),
        Content::Document(_) | Content::Text(_) => false,
    }
}

fn is_flat(row: &JsonValue<'_>) -> bool {
    let JsonKind::Object(members) = &row.kind else { return false };
    !members.is_empty()
        && members
            .iter()
            .all(|(_, value)| !matches!(value.kind, JsonKind::Object(_) | JsonKind::List(_)))
}

/// Reads them by the rules of a table. Rows are counted from 2, as if the names stood above them.
///
/// # Errors
/// As of a table.
pub(crate) fn records(
    input: &Input<'_>,
    options: &ImportOptions,
) -> Result<Vec<(String, Table)>, ImportError> {
    let mut rows: Vec<Vec<(String, String)>> = Vec::new();
    let mut skipped = Examples::default();
    let mut add = |row: &JsonValue<'_>| {
        let members = row.object(input.source)?;
        rows.push(members.iter().map(|(name, value)| (name.to_string(), cell(value))).collect());
        Ok(())
    };
    match &input.content {
        Content::Document(document) => {
            document.list(input.source)?.iter().try_for_each(&mut add)?;
        }
        Content::Lines(_) => {
            for error in each_line(input.source, options.skip_bad, add)? {
                skipped.add(|| error.to_string().lines().next().unwrap_or_default().to_owned());
            }
        }
        Content::Text(_) => {
            let message = "a list of JSON objects is expected, or one on each line";
            return Err(ImportCause::Unexpected(message.into()).error_at(0, 0));
        }
    }
    let names = distinct(rows.iter().flatten().map(|(name, _)| name.as_str()));
    let mut text = line(names.iter().copied());
    for row in &rows {
        let own: HashMap<&str, &str> =
            row.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        text += &line(names.iter().map(|name| own.get(name).copied().unwrap_or_default()));
    }
    let options = ImportOptions { delimiter: Some(b','), columns: None, ..options.clone() };
    let mut tables = csv(text.as_bytes(), &options)?;
    if skipped.count > 0 {
        tables[0].1.remarks.push(Remark::Skipped(skipped));
    }
    Ok(tables)
}

fn cell(value: &JsonValue<'_>) -> String {
    match &value.kind {
        JsonKind::Number(number) => number.to_string(),
        JsonKind::Text(text) => text.replace(['\n', '\r'], " "),
        JsonKind::Bool(bool) => bool.to_string(),
        JsonKind::Null | JsonKind::List(_) | JsonKind::Object(_) => String::new(),
    }
}

fn line<'t>(fields: impl Iterator<Item = &'t str>) -> String {
    let quoted = |field: &str| format!("\"{}\"", field.replace('"', "\"\""));
    fields.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}
