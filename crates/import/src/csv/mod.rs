//! Tables: CSV and its relatives.

mod content;
mod heading;
mod job_state;
mod layout;
mod remarks;
mod results;
mod rows;
mod split;

use std::io::BufRead;

use crate::decimal::Decimal;
use crate::error::{ImportCause, ImportError};
use crate::header;
use crate::lines::Lines;
use crate::signs::{Evidence, Signs};
use crate::table::Table;
use heading::Heading;
use layout::Layout;
use rows::Rows;
pub(crate) use split::split;
use split::{delimiter, framed, is_rule, words};

/// How to read files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// The format, one of [`crate::format_names`]; `None` recognises it.
    pub format: Option<String>,
    /// The column with the results, or the metric; `None` chooses a column by its name, its unit, or as the only one
    /// that the formulas do not use.
    pub result: Option<String>,
    /// The unit; `None` means that of the file.
    pub unit: Option<String>,
    /// The variables of the formulas.
    pub used: Vec<String>,
    /// The column of a table that names the experiment; `None` takes columns of text with a known name.
    pub by: Option<String>,
    /// Names of the columns of a table that has no line with them.
    pub columns: Option<Vec<String>>,
    /// The separator of fields; `None` finds it in the first line: tab, semicolon, vertical bar, comma or space.
    pub delimiter: Option<u8>,
    /// The decimal sign of a table; `None` finds it.
    pub decimal: Option<Decimal>,
    /// Whether lines that cannot be used are left out.
    pub skip_bad: bool,
    /// Exit codes besides 0 of runs that count.
    pub exit_codes: Vec<i32>,
}

/// The largest number of rows, and of bytes, from which it is found what columns are.
const SAMPLE: (usize, usize) = (1000, 1 << 20);

/// Reads a table with the names of its columns in the first line, even if that is a comment. Space around fields,
/// empty lines and lines that begin with `#` are ignored. The file is read as a stream; only the numbers and the first
/// rows stay in memory. Returns a table for each experiment, with its name (empty if no column names one).
///
/// Rows with an empty field, NaN or an infinite number in a column that is used are left out
/// ([`crate::Remark::LeftOut`]). Columns of text that no formula uses are ignored.
///
/// # Errors
/// With line and column; of unusable rows the first ten and their number.
pub fn csv(
    input: impl BufRead,
    options: &ImportOptions,
) -> Result<Vec<(String, Table)>, ImportError> {
    let mut lines = Lines::new(input)?;
    let Some(start) = start(&mut lines, options)? else {
        return Err(ImportCause::Empty.error_at(0, 0));
    };
    let fields = split(start.first.as_bytes(), start.delimiter, start.line)?;
    let (mut sample, is_all) = sample(&mut lines, &start)?;
    let heading = Heading::new(fields, &start, &mut sample, is_all, options);
    let line = heading.line;
    let columns = header::columns(&heading.names, line, &options.used)?;
    let signs = signs(&sample, options, start.delimiter)?;
    let first: Vec<&[String]> =
        sample.iter().filter_map(|row| row.fields.as_deref().ok()).collect();
    let layout = Layout::new(&columns, line, options, &signs, &first)?;
    if sample.is_empty() {
        return Err(ImportCause::NoRows.error_at(line, 0));
    }
    let mut rows = Rows::new(&columns, layout, options, signs, start.delimiter);
    rows.notes.extend(heading.notes);
    let mut sampled = sample.into_iter();
    loop {
        let row = match sampled.next() {
            Some(row) => Some(row),
            None => next(&mut lines, &start)?,
        };
        let Some(row) = row else { break };
        match row.fields {
            Ok(fields) => rows.add(&fields, row.line),
            Err(error) => rows.wrong(error),
        }
    }
    rows.done(line)
}

/// The first line, and the comment above it.
struct Start {
    line: u64,
    first: String,
    delimiter: u8,
    /// Whether rows stand between `|`.
    is_framed: bool,
    comment: Option<(u64, String)>,
}

impl Start {
    /// The first line as a row.
    fn row(&self, fields: Vec<String>) -> CsvRow {
        CsvRow { line: self.line, fields: Ok(fields), is_quoted: self.first.starts_with('"') }
    }

    /// The names in the comment above, if the first line has numbers only.
    fn names_above(&self, fields: &[String]) -> Option<(u64, Vec<String>)> {
        let (number, text) = self.comment.as_ref()?;
        if !fields.iter().all(|field| field.parse::<f64>().is_ok()) {
            return None;
        }
        let names = split(text.as_bytes(), self.delimiter, *number).ok()?;
        let are_names = names.iter().all(|name| name.parse::<f64>().is_err());
        (names.len() == fields.len() && are_names).then_some((*number, names))
    }
}

fn start<R: BufRead>(
    lines: &mut Lines<R>,
    options: &ImportOptions,
) -> Result<Option<Start>, ImportError> {
    let mut comment = None;
    let mut known_delimiter = options.delimiter;
    while let Some((line, text)) = lines.next()? {
        if let Some(text) = text.strip_prefix(b"#") {
            comment = Some((line, words(text)));
            continue;
        }
        let row = text.trim_ascii();
        // Spreadsheets write which separator follows.
        if let Some(separator) = separator(row).filter(|_| line == 1) {
            known_delimiter = known_delimiter.or(Some(separator));
            continue;
        }
        // JUBE writes the name of a table above it.
        let is_title = row.ends_with(b":") && !row.iter().any(|byte| b"|,;\t".contains(byte));
        if row.is_empty() || is_rule(row) || is_title {
            continue;
        }
        let inner = framed(row);
        let first = words(inner.unwrap_or(text));
        let delimiter = known_delimiter.unwrap_or_else(|| delimiter(&first));
        return Ok(Some(Start { line, first, delimiter, is_framed: inner.is_some(), comment }));
    }
    Ok(None)
}

/// The separator that a line `sep=;` names.
fn separator(line: &[u8]) -> Option<u8> {
    let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    match line.strip_prefix(b"sep=")? {
        [separator] => Some(*separator),
        [] => Some(b'\t'),
        _ => None,
    }
}

/// A line with fields.
struct CsvRow {
    line: u64,
    fields: Result<Vec<String>, ImportError>,
    /// Whether its first field stands in quotes.
    is_quoted: bool,
}

/// The next line with fields.
fn next<R: BufRead>(lines: &mut Lines<R>, start: &Start) -> Result<Option<CsvRow>, ImportError> {
    while let Some((number, line)) = lines.next()? {
        if line.starts_with(b"#") || line.trim_ascii().is_empty() || is_rule(line) {
            continue;
        }
        let row = framed(line).filter(|_| start.is_framed).unwrap_or(line);
        let is_quoted = row.trim_ascii_start().starts_with(b"\"");
        let fields = split(row, start.delimiter, number);
        // Spreadsheets write empty rows as separators only.
        if fields.as_ref().is_ok_and(|fields| fields.iter().all(String::is_empty)) {
            continue;
        }
        return Ok(Some(CsvRow { line: number, fields, is_quoted }));
    }
    Ok(None)
}

/// The first rows, and whether these are all.
fn sample<R: BufRead>(
    lines: &mut Lines<R>,
    start: &Start,
) -> Result<(Vec<CsvRow>, bool), ImportError> {
    let (mut rows, mut bytes) = (Vec::new(), 0);
    while rows.len() < SAMPLE.0 && bytes < SAMPLE.1 {
        let Some(row) = next(lines, start)? else { return Ok((rows, true)) };
        bytes += row.fields.iter().flatten().map(String::len).sum::<usize>();
        rows.push(row);
    }
    Ok((rows, false))
}

/// How numbers are written, by the first rows.
fn signs(sample: &[CsvRow], options: &ImportOptions, delimiter: u8) -> Result<Signs, ImportError> {
    if let Some(decimal) = options.decimal {
        return Ok(Signs::given(decimal));
    }
    let mut evidence = Evidence::default();
    for text in sample.iter().filter_map(|row| row.fields.as_ref().ok()).flatten() {
        evidence.add(text);
    }
    evidence.signs(delimiter).map_err(|cause| cause.error_at(0, 0).help_with_decimal())
}
