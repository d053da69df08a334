//! Data of other programs: files that are no traces.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use cll_import::{ImportCause, ImportError, ImportOptions, Remark, Table};
use cll_result::Notice;
use cll_trace::{Trace, TraceError};

use crate::Error;

/// A table and its origin.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The file's name as given; of several the first, and how many others there are.
    pub file: String,
    /// The experiment that it names; empty if it names none.
    pub region: String,
    /// The table.
    pub table: Table,
}

/// The content of a file.
pub enum Content {
    /// A trace.
    Trace(Box<Trace>),
    /// Tables of a file that is read as a stream.
    Tables(Vec<Imported>),
    /// A text that is read as a whole, perhaps together with others.
    Text(cll_import::File),
}

/// Number of bytes that identify the type of a file.
const START: u64 = 1 << 16;

/// The content of a file; text is read only if `options` are given.
pub fn content(path: &Path, options: Option<&ImportOptions>) -> Result<Content, Error> {
    if path == Path::new("-") {
        let stdin = io::stdin().lock();
        return read_content(path, stdin, options);
    }
    if path.is_dir() {
        return Err(Error::content(format!(
            "{} is a folder: name the files in it",
            path.display()
        )));
    }
    let file = fs::File::open(path).map_err(|error| cll_files::Error::unreadable(path, error))?;
    read_content(path, file, options)
}

fn read_content(
    path: &Path,
    mut input: impl Read,
    options: Option<&ImportOptions>,
) -> Result<Content, Error> {
    let name = path.display().to_string();
    let wrong = |what: &dyn std::fmt::Display| Error::content(format!("{name}: {what}"));
    let mut start = Vec::new();
    (&mut input)
        .take(START)
        .read_to_end(&mut start)
        .map_err(|error| cll_files::Error::unreadable(path, error))?;
    if start.trim_ascii().is_empty() {
        return Err(wrong(&"the file is empty"));
    }
    if let Some((what, help)) = cll_import::binary(&start) {
        return Err(wrong(&format!("this is {what}, which is not read")).advise(help));
    }
    let is_text = cll_import::text(start.clone()).ok();
    let Some(text) = is_text else {
        // Blocks of a trace begin with numbers: text never does.
        return match cll_trace::read(Cursor::new(start).chain(input)) {
            Ok(trace) => Ok(Content::Trace(Box::new(trace))),
            Err(TraceError::Io(error)) => Err(cll_files::Error::unreadable(path, error).into()),
            Err(error) => Err(wrong(&error)),
        };
    };
    let Some(options) = options else {
        return Err(if text.trim_start().starts_with(['{', '[']) {
            wrong(&"this is JSON, not a trace or a table")
                .advise("cll predict and cll plot read models")
        } else {
            wrong(&not_a_trace())
        });
    };
    if cll_import::is_table(&text, options.format.as_deref()) {
        let input = BufReader::with_capacity(START as usize, Cursor::new(start).chain(input));
        let tables = cll_import::csv(input, options).map_err(|error| failure(error, &name))?;
        return Ok(Content::Tables(of_file(&name, tables)));
    }
    input.read_to_end(&mut start).map_err(|error| cll_files::Error::unreadable(path, error))?;
    let text = cll_import::text(start).map_err(|error| failure(error, &name))?;
    Ok(Content::Text(cll_import::File { name, text }))
}

/// Whether a file begins as a table does; standard input is not looked at.
pub fn begins_as_table(path: &Path, options: &ImportOptions) -> bool {
    let mut start = Vec::new();
    let Ok(file) = fs::File::open(path) else { return false };
    let is_read = path.is_file() && file.take(START).read_to_end(&mut start).is_ok();
    let text = if is_read { cll_import::text(start).ok() } else { None };
    text.is_some_and(|text| {
        !text.trim().is_empty() && cll_import::is_table(&text, options.format.as_deref())
    })
}

/// The tables of a text in memory.
pub fn of_csv(name: &str, text: &[u8], options: &ImportOptions) -> Result<Vec<Imported>, Error> {
    let tables = cll_import::csv(text, options).map_err(|error| failure(error, name))?;
    Ok(of_file(name, tables))
}

/// The tables of files of one format.
pub fn imported(
    files: &[cll_import::File],
    options: &ImportOptions,
) -> Result<Vec<Imported>, Error> {
    let name = match files {
        [] => String::new(),
        [file] => file.name.clone(),
        [first, others @ ..] => format!("{} and {} more", first.name, others.len()),
    };
    let tables = cll_import::read(files, options).map_err(|error| failure(error, &name))?;
    Ok(of_file(&name, tables))
}

fn of_file(file: &str, tables: Vec<(String, Table)>) -> Vec<Imported> {
    let imported = |(region, table)| Imported { file: file.to_owned(), region, table };
    tables.into_iter().map(imported).collect()
}

fn failure(error: ImportError, name: &str) -> Error {
    let help = match (&error.help, &error.cause) {
        (Some(help), _) => Some(help.to_string()),
        (None, ImportCause::WhichResult { .. }) => Some("--column NAME chooses it".to_owned()),
        (
            None,
            ImportCause::Rows { .. } | ImportCause::NotANumber { .. } | ImportCause::Fields { .. },
        ) => Some("--skip-bad leaves such lines out and counts them".to_owned()),
        (None, _) => None,
    };
    let failure = Error::content(match &error.file {
        Some(_) => error.to_string(),
        None => format!("{name}: {error}"),
    });
    match help {
        Some(help) => failure.advise(help),
        None => failure,
    }
}

/// Returns the message about a text where a trace is needed.
pub fn not_a_trace() -> &'static str {
    "this is not a trace: no block begins with \"CLL1\""
}

/// Returns notices about the formats of the tables and about the parts that were left out or interpreted.
pub fn remarks(tables: &[Imported]) -> Vec<Notice> {
    let mut notices: Vec<Notice> = Vec::new();
    for imported in tables {
        let region = if imported.region.is_empty() {
            String::new()
        } else {
            format!("{}: ", imported.region)
        };
        let is_first = |remark: &&Remark| matches!(remark, Remark::Format(_) | Remark::Note(_));
        let (first, others): (Vec<&Remark>, Vec<&Remark>) =
            imported.table.remarks.iter().partition(is_first);
        notices.extend(first.into_iter().map(|remark| notice(remark, &region)));
        let renamed = imported.table.renamed.iter().map(|renamed| {
            let text = format!("column `{}` is {} in formulas", renamed.header, renamed.name);
            Notice::new("renamed", text)
        });
        notices.extend(renamed);
        notices.extend(others.into_iter().map(|remark| notice(remark, &region)));
    }
    // A wide table has a notice for each column.
    let mut seen = HashSet::with_capacity(notices.len());
    notices.retain(|notice| seen.insert(notice.clone()));
    notices
}

fn notice(remark: &Remark, region: &str) -> Notice {
    match remark {
        Remark::Format(text) => Notice::new("format", text.clone()),
        Remark::Note(text) => Notice::new("read-as", text.clone()),
        Remark::LeftOut(rows) => {
            let count = match rows.count {
                1 => "1 row is".to_owned(),
                count => format!("{count} rows are"),
            };
            Notice::new("left-out", format!("{region}{count} left out: {}", examples(rows)))
        }
        Remark::Skipped(lines) => {
            let count = match lines.count {
                1 => "1 line that cannot be used is".to_owned(),
                count => format!("{count} lines that cannot be used are"),
            };
            Notice::new("skipped", format!("{region}{count} left out: {}", examples(lines)))
        }
        Remark::NotPositive(rows) => {
            Notice::new("odd-number", format!("{region}{}", examples(rows)))
        }
        Remark::DecimalComma(number) => {
            Notice::new("decimal-comma", format!("numbers have decimal commas: `{number}`"))
        }
        Remark::TextColumn { header, several } => {
            let how = if *several {
                format!(" (--by '{header}' makes an experiment of each)")
            } else {
                String::new()
            };
            Notice::new("text-column", format!("column `{header}` has text: it is ignored{how}"))
        }
        Remark::RepetitionColumn(header) => Notice::new(
            "repetition-column",
            format!("column `{header}` numbers runs, repetitions or rows: it is no variable"),
        ),
    }
}

fn examples(rows: &cll_import::Examples) -> String {
    let more = match rows.more() {
        0 => String::new(),
        more => format!("; {more} more"),
    };
    format!("{}{more}", rows.first.join("; "))
}
