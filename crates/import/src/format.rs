//! The formats, and which of them a file has.

use std::borrow::Cow;

use crate::ImportOptions;
use crate::error::{ImportCause, ImportError};
use crate::formats;
use crate::json::{self, JsonValue};
use crate::measurements::Measurements;
use crate::place::{LineEnds, PlacedText};
use crate::table::Table;

/// A format that is read as a whole. Its file in `formats/` has one of these.
pub(crate) struct Format {
    /// As `--from` names it.
    pub(crate) name: &'static str,
    /// As messages call it.
    pub(crate) title: &'static str,
    /// Whether a file has it.
    pub(crate) is: fn(&Content<'_>) -> bool,
    /// Adds what files hold.
    pub(crate) read: fn(&[Input<'_>], &mut Measurements<'_>) -> Result<(), ImportError>,
}

/// Every format but tables, in the order in which they are tried.
const FORMATS: &[Format] = &[
    formats::extrap_lines::FORMAT,
    formats::extrap_json::FORMAT,
    formats::extrap_old_json::FORMAT,
    formats::talpas::FORMAT,
    formats::google_benchmark::FORMAT,
    formats::hyperfine::FORMAT,
    formats::hyperfine::CSV,
    formats::criterion::FORMAT,
    formats::pytest_benchmark::FORMAT,
    formats::jmh::FORMAT,
    formats::go_test::FORMAT,
    formats::reframe::REPORT,
    formats::reframe::LOG,
    formats::caliper::FORMAT,
];

/// The name of tables for `--from`.
const TABLE: &str = "csv";
/// The name of Extra-P's text for `--from`.
const EXTRAP: &str = "extrap";

/// The names of all formats, for `--from`.
pub fn format_names() -> Vec<&'static str> {
    let others = FORMATS.iter().map(|format| format.name);
    [TABLE, formats::records::RECORDS, EXTRAP].into_iter().chain(others).collect()
}

/// A file and its text.
#[derive(Clone, Debug)]
pub struct File {
    /// The name, for messages.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A file being read.
pub(crate) struct Input<'a> {
    pub(crate) name: &'a str,
    pub(crate) source: PlacedText<'a>,
    pub(crate) content: Content<'a>,
}

impl<'a> Input<'a> {
    /// The JSON document.
    ///
    /// # Errors
    /// If the file is something else.
    pub(crate) fn document(&self) -> Result<&JsonValue<'a>, ImportError> {
        match &self.content {
            Content::Document(document) => Ok(document),
            _ => Err(self.source.wrong(0..0, "one JSON document is expected in this file")),
        }
    }
}

/// The form of a text.
pub(crate) enum Content<'a> {
    /// One JSON value.
    Document(JsonValue<'a>),
    /// A JSON value on each line: the first of them.
    Lines(JsonValue<'a>),
    /// Something else.
    Text(&'a str),
}

impl Content<'_> {
    /// The value, or the first of several.
    pub(crate) fn first(&self) -> Option<&JsonValue<'_>> {
        match self {
            Content::Document(value) | Content::Lines(value) => Some(value),
            Content::Text(_) => None,
        }
    }
}

/// Whether the start of a text is that of a table, which is read as a stream by [`crate::csv`].
pub fn is_table(start: &str, format: Option<&str>) -> bool {
    match format {
        Some(name) => name == TABLE,
        None => {
            !start.trim_start().starts_with(['{', '['])
                && !is_extrap(start)
                && !FORMATS.iter().any(|format| (format.is)(&Content::Text(start)))
        }
    }
}

/// Whether a text is in Extra-P's text format.
fn is_extrap(start: &str) -> bool {
    let first = start.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.split_whitespace().next() == Some("PARAMETER"))
}

/// Reads files of one format, which is recognised by the first file's content unless the options name it. Returns a
/// table for each experiment and metric, with the experiment's name (empty if the file has none).
///
/// # Errors
/// With file, line, place and the text there.
pub fn read(files: &[File], options: &ImportOptions) -> Result<Vec<(String, Table)>, ImportError> {
    let format = options.format.as_deref();
    let several = files.len() > 1;
    let named = |error: ImportError, name: &str| {
        if several && error.file.is_none() { error.of_file(name) } else { error }
    };
    let mut inputs = Vec::new();
    let ends: Vec<LineEnds> = files.iter().map(|_| LineEnds::default()).collect();
    for (file, ends) in files.iter().zip(&ends) {
        inputs.push(input(file, ends).map_err(|error| named(error, &file.name))?);
    }
    let Some(first) = inputs.first() else { return Err(ImportCause::Empty.error_at(0, 0)) };
    if format == Some(EXTRAP) || (format.is_none() && is_extrap(first.source.text)) {
        return extrap(&inputs, options);
    }
    let option = match format {
        Some(name) => FORMATS.iter().find(|known| known.name == name),
        None => FORMATS.iter().find(|known| (known.is)(&first.content)),
    };
    if format == Some(formats::records::RECORDS)
        || (format.is_none() && option.is_none() && formats::records::is_records(&first.content))
    {
        let [only] = inputs.as_slice() else {
            let message = "only one file of JSON records can be read at a time";
            return Err(ImportCause::Unexpected(message.into()).error_at(0, 0));
        };
        return formats::records::records(only, options);
    }
    let format = option.ok_or_else(|| named(unknown(first), first.name))?;
    let mut measurements = Measurements::new(options);
    (format.read)(&inputs, &mut measurements)?;
    measurements.done(format.title)
}

/// Extra-P's text.
fn extrap(
    inputs: &[Input<'_>],
    options: &ImportOptions,
) -> Result<Vec<(String, Table)>, ImportError> {
    let [input] = inputs else {
        let message = "only one file of Extra-P's text format can be read at a time";
        return Err(ImportCause::Unexpected(message.into()).error_at(0, 0));
    };
    let mut tables = crate::extrap(input.source.text, options.unit.as_deref())?;
    if let Some(metric) = &options.result {
        let known: Vec<String> = tables.iter().map(|(_, table)| table.result.clone()).collect();
        tables.retain(|(_, table)| table.result == *metric);
        if tables.is_empty() {
            return Err(ImportCause::NoMetric { name: metric.clone(), known }.error_at(0, 0));
        }
    }
    Ok(tables)
}

fn input<'a>(file: &'a File, ends: &'a LineEnds) -> Result<Input<'a>, ImportError> {
    let text = file.text.as_str();
    let source = PlacedText::new(text, ends);
    let is_json = text.trim_start().starts_with(['{', '[']) && !formats::talpas::is_talpas(text);
    let content = if is_json {
        let (value, rest) = json::value(source, 0)?;
        let behind = text[rest..].trim_start();
        if behind.starts_with(['{', '[']) {
            Content::Lines(value)
        } else if behind.is_empty() {
            Content::Document(value)
        } else {
            let position = text.len() - behind.len();
            return Err(
                source.wrong(position..position + 1, "the end is expected behind the value")
            );
        }
    } else {
        Content::Text(text)
    };
    Ok(Input { name: &file.name, source, content })
}

/// The error that no format is known of this content.
fn unknown(input: &Input<'_>) -> ImportError {
    let known = format_names().join(", ");
    let help = format!("--from FORMAT names the format, if it is one of {known}");
    let what: Cow<'_, str> = match &input.content {
        Content::Document(value) if is_of_cll(value) => {
            return ImportError {
                help: Some("cll predict and cll plot read models".into()),
                ..ImportCause::UnknownFormat("this is JSON of cll, not data to fit".into())
                    .error_at(0, 0)
            };
        }
        Content::Document(value) | Content::Lines(value) => {
            let names: Vec<&str> = match &value.kind {
                json::JsonKind::Object(members) => {
                    members.iter().take(8).map(|(name, _)| name.as_ref()).collect()
                }
                _ => Vec::new(),
            };
            if names.is_empty() {
                "this JSON is in no known format".into()
            } else {
                let names = cll_diagnostic::escape(&names.join(", "));
                format!("this JSON is in no known format: it has {names}").into()
            }
        }
        Content::Text(_) => "this text is in no known format".into(),
    };
    ImportError {
        help: Some(help.into()),
        ..ImportCause::UnknownFormat(what.into_owned()).error_at(0, 0)
    }
}

/// Whether it is a result of cll.
fn is_of_cll(value: &JsonValue<'_>) -> bool {
    let format = value.get("format").and_then(JsonValue::as_text);
    format.is_some_and(|format| format.starts_with("cll-"))
}

/// Reads file by file; errors have the file's name if there are several.
///
/// # Errors
/// From `read`.
pub(crate) fn each_file<'a, 'i>(
    inputs: &'i [Input<'a>],
    mut read: impl FnMut(&'i Input<'a>) -> Result<(), ImportError>,
) -> Result<(), ImportError> {
    for input in inputs {
        read(input).map_err(|error| match inputs.len() {
            1 => error,
            _ => error.of_file(input.name),
        })?;
    }
    Ok(())
}

/// Every value of JSON lines with its place. With `skip_bad` lines with an error are passed over, and the errors are
/// returned.
///
/// # Errors
/// From `each`, or with the place where a line is no JSON.
pub(crate) fn each_line<'a>(
    source: PlacedText<'a>,
    skip_bad: bool,
    mut each: impl FnMut(&JsonValue<'a>) -> Result<(), ImportError>,
) -> Result<Vec<ImportError>, ImportError> {
    let mut offset = 0;
    let mut errors = Vec::new();
    loop {
        let behind = source.text[offset..].trim_start();
        if behind.is_empty() {
            return Ok(errors);
        }
        let start = source.text.len() - behind.len();
        let end = behind.find('\n').map_or(source.text.len(), |end| start + end);
        let read = json::value(source, start).and_then(|(value, rest)| each(&value).map(|()| rest));
        offset = match read {
            Ok(rest) => rest,
            Err(error) if skip_bad => {
                errors.push(error);
                end
            }
            Err(error) => return Err(error),
        };
    }
}
