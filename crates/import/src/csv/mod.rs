//! Tables: CSV and its relatives.

mod layout;
mod rows;
mod split;

use std::io::BufRead;

use crate::error::{ImportCause, ImportError};
use crate::header;
use crate::lines::Lines;
use crate::table::Table;
use layout::Layout;
use rows::Rows;
use split::{delimiter, framed, is_rule, split, words};

/// How to read files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// The format, one of [`crate::format_names`]; `None` recognises it.
    pub format: Option<String>,
    /// The column with the results, or the metric; `None` chooses a column by its name, its unit, or as the only one
    /// that the formulas do not use.
    pub result: Option<String>,
    /// Its unit; `None` means that of the file.
    pub unit: Option<String>,
    /// The variables of the formulas.
    pub used: Vec<String>,
    /// The column of a table that names the experiment; `None` takes columns of text with a known name.
    pub by: Option<String>,
    /// Names of the columns of a table that has no line with them.
    pub columns: Option<Vec<String>>,
    /// The separator of fields; `None` finds it in the first line: tab, semicolon, vertical bar, comma or space.
    pub delimiter: Option<u8>,
}

/// Reads a table with the names of its columns in the first line, even if that is a comment. Space around fields,
/// empty lines and lines that begin with `#` are ignored. The file is read as a stream; only the numbers stay in
/// memory. Returns a table for each experiment, with its name (empty if no column names one).
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
    let Some(start) = start(&mut lines)? else { return Err(ImportCause::Empty.at(0, 0)) };
    let delimiter = options.delimiter.unwrap_or_else(|| delimiter(&start.first));
    let fields = split(start.first.as_bytes(), delimiter, start.line)?;
    let (line, names, mut pending) = match &options.columns {
        Some(names) => (start.line, names.clone(), Some((start.line, Ok(fields)))),
        None => named(fields, &start, delimiter),
    };
    let columns = header::columns(&layout::corner(names), line, &options.used)?;

    let mut reader: Option<Rows<'_>> = None;
    loop {
        let row = match pending.take() {
            Some(row) => Some(row),
            None => next(&mut lines, delimiter, start.is_framed)?,
        };
        let Some((number, fields)) = row else { break };
        let rows = match &mut reader {
            Some(rows) => rows,
            none => {
                let first = fields.as_deref().unwrap_or_default();
                let layout = Layout::new(&columns, line, options, delimiter, first)?;
                none.insert(Rows::new(&columns, layout, options, delimiter))
            }
        };
        match fields {
            Ok(fields) => rows.add(&fields, number),
            Err(error) => rows.wrong(error),
        }
    }
    match reader {
        Some(rows) => rows.done(line),
        None => {
            // If the result cannot be found, a wrong column name is the likely cause.
            Layout::new(&columns, line, options, delimiter, &[])?;
            Err(ImportCause::NoRows.at(line, 0))
        }
    }
}

/// The first line, and the comment above it.
struct Start {
    line: u64,
    first: String,
    /// Whether rows stand between `|`.
    is_framed: bool,
    comment: Option<(u64, String)>,
}

fn start<R: BufRead>(lines: &mut Lines<R>) -> Result<Option<Start>, ImportError> {
    let mut comment = None;
    while let Some((line, text)) = lines.next()? {
        if let Some(text) = text.strip_prefix(b"#") {
            comment = Some((line, words(text)));
            continue;
        }
        let row = text.trim_ascii();
        // JUBE writes the name of a table above it.
        let is_title = row.ends_with(b":") && !row.iter().any(|byte| b"|,;\t".contains(byte));
        if row.is_empty() || is_rule(row) || is_title {
            continue;
        }
        let inner = framed(row);
        let first = words(inner.unwrap_or(text));
        return Ok(Some(Start { line, first, is_framed: inner.is_some(), comment }));
    }
    Ok(None)
}

/// A line with its number, and its fields.
type Row = (u64, Result<Vec<String>, ImportError>);

/// The next line with fields.
fn next<R: BufRead>(
    lines: &mut Lines<R>,
    delimiter: u8,
    is_framed: bool,
) -> Result<Option<Row>, ImportError> {
    while let Some((number, line)) = lines.next()? {
        if line.starts_with(b"#") || line.trim_ascii().is_empty() || is_rule(line) {
            continue;
        }
        let row = framed(line).filter(|_| is_framed).unwrap_or(line);
        return Ok(Some((number, split(row, delimiter, number))));
    }
    Ok(None)
}

/// The names of the columns with their line, and the first row if that was read with them: after a comment with the
/// names, numbers may begin at once.
fn named(fields: Vec<String>, start: &Start, delimiter: u8) -> (u64, Vec<String>, Option<Row>) {
    let is_numbers = fields.iter().all(|field| field.parse::<f64>().is_ok());
    let above = start.comment.as_ref().filter(|_| is_numbers).and_then(|(number, text)| {
        let names = split(text.as_bytes(), delimiter, *number).ok()?;
        let are_names = names.iter().all(|name| name.parse::<f64>().is_err());
        (names.len() == fields.len() && are_names).then_some((*number, names))
    });
    match above {
        Some((number, names)) => (number, names, Some((start.line, Ok(fields)))),
        None => (start.line, fields, None),
    }
}
