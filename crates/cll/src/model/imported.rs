//! Data of other programs: files that are no traces.

use std::fs;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use cll_fit::{Data, Point, Unit};
use cll_import::{ImportCause, ImportError, ImportOptions, Quantity, Remark, Table};
use cll_result::{ColumnModel, Notice};
use cll_trace::{Trace, TraceError};

use super::data::{Observed, Source, traces_in};
use crate::failure::{Failure, unreadable};

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

/// The files that the user means: a folder stands for the traces in it, else for Caliper's files in it, or for
/// Criterion's below it.
///
/// # Errors
/// If a folder cannot be read or has no data.
pub fn data_in(files: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut all = Vec::new();
    for path in files {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let found = match traces_in(std::slice::from_ref(path)) {
            Ok(found) => found,
            Err(failure) => {
                let mut found = Vec::new();
                let is_cali = |path: &Path| path.extension().is_some_and(|end| end == "cali");
                for entry in entries(path)? {
                    if is_cali(&entry) {
                        found.push(entry);
                    }
                }
                if found.is_empty() {
                    of_criterion(path, &mut found)?;
                }
                if found.is_empty() {
                    return Err(failure);
                }
                found
            }
        };
        all.extend(found);
    }
    Ok(all)
}

/// The paths in a folder by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let found = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let mut paths: Vec<PathBuf> = found.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Criterion's newest samples below a folder, each with the file that names the benchmark.
fn of_criterion(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let new = folder.join("new");
    let both = ["benchmark.json", "sample.json"].map(|name| new.join(name));
    if both.iter().all(|path| path.is_file()) {
        found.extend(both);
    }
    for path in entries(folder)? {
        // Links could lead back.
        if path.is_dir() && !path.is_symlink() {
            of_criterion(&path, found)?;
        }
    }
    Ok(())
}

/// The content of a file; text is read only if `options` are given.
pub fn content(path: &Path, options: Option<&ImportOptions>) -> Result<Content, Failure> {
    if path == Path::new("-") {
        let stdin = io::stdin().lock();
        return read_content(path, stdin, options);
    }
    if path.is_dir() {
        return Err(Failure::input(format!(
            "{} is a folder: name the files in it",
            path.display()
        )));
    }
    let file = fs::File::open(path).map_err(|error| unreadable(path, &error))?;
    read_content(path, file, options)
}

fn read_content(
    path: &Path,
    mut input: impl Read,
    options: Option<&ImportOptions>,
) -> Result<Content, Failure> {
    let name = path.display().to_string();
    let wrong = |what: &dyn std::fmt::Display| Failure::input(format!("{name}: {what}"));
    let mut start = Vec::new();
    (&mut input).take(START).read_to_end(&mut start).map_err(|error| unreadable(path, &error))?;
    if start.trim_ascii().is_empty() {
        return Err(wrong(&"the file is empty"));
    }
    if start.starts_with(b"PK\x03\x04") {
        return Err(wrong(&"this is an archive, such as an experiment that Extra-P has saved")
            .help("unzip -p FILE experiment.json | cll fit - reads that experiment"));
    }
    let is_text = cll_import::text(start.clone()).ok();
    let Some(text) = is_text else {
        // Blocks of a trace begin with numbers: text never does.
        return match cll_trace::read(Cursor::new(start).chain(input)) {
            Ok(trace) => Ok(Content::Trace(Box::new(trace))),
            Err(TraceError::Io(error)) => Err(unreadable(path, &error)),
            Err(error) => Err(wrong(&error)),
        };
    };
    let Some(options) = options else {
        return Err(match text.trim_start().starts_with(['{', '[']) {
            true => wrong(&"this is JSON, not a trace or a table")
                .help("cll predict and cll plot read models"),
            false => wrong(&not_a_trace()),
        });
    };
    if cll_import::is_table(&text, options.format.as_deref()) {
        let input = BufReader::with_capacity(START as usize, Cursor::new(start).chain(input));
        let tables = cll_import::csv(input, options).map_err(|error| failure(error, &name))?;
        return Ok(Content::Tables(of_file(&name, tables)));
    }
    input.read_to_end(&mut start).map_err(|error| unreadable(path, &error))?;
    let text = cll_import::text(start).map_err(|error| failure(error, &name))?;
    Ok(Content::Text(cll_import::File { name, text }))
}

/// The tables of files of one format.
pub fn imported(
    files: &[cll_import::File],
    options: &ImportOptions,
) -> Result<Vec<Imported>, Failure> {
    let name = match files {
        [] => String::new(),
        [one] => one.name.clone(),
        [first, others @ ..] => format!("{} and {} more", first.name, others.len()),
    };
    let tables = cll_import::read(files, options).map_err(|error| failure(error, &name))?;
    Ok(of_file(&name, tables))
}

fn of_file(file: &str, tables: Vec<(String, Table)>) -> Vec<Imported> {
    let imported = |(region, table)| Imported { file: file.to_owned(), region, table };
    tables.into_iter().map(imported).collect()
}

fn failure(error: ImportError, name: &str) -> Failure {
    let help = match (&error.help, &error.cause) {
        (Some(help), _) => Some(help.clone()),
        (None, ImportCause::WhichResult { .. }) => Some("--column NAME chooses it".to_owned()),
        (None, _) => None,
    };
    let failure = Failure::input(match &error.file {
        Some(_) => error.to_string(),
        None => format!("{name}: {error}"),
    });
    match help {
        Some(help) => failure.help(help),
        None => failure,
    }
}

pub fn not_a_trace() -> &'static str {
    "this is not a trace: no block begins with \"CLL1\""
}

/// If the file has several results, the name says which one it is.
pub fn of_table(imported: &Imported, several: bool) -> Observed {
    let Imported { file, region, table } = imported;
    let observable = match &table.quantity {
        Quantity::Other(_) => Some(table.result.clone()),
        Quantity::Time { .. } | Quantity::Unknown => None,
    };
    let unit = match &table.quantity {
        Quantity::Other(unit) => Unit::Other(unit.clone()),
        Quantity::Time { .. } | Quantity::Unknown => Unit::Seconds,
    };
    let points = table
        .groups
        .iter()
        .map(|group| Point { values: group.values.clone(), observations: group.results.clone() });
    Observed {
        name: match (several, region.is_empty()) {
            (false, _) => region.clone(),
            (true, true) => table.result.clone(),
            (true, false) => format!("{region}:{}", table.result),
        },
        formula: String::new(),
        places: Vec::new(),
        time: "",
        observable,
        column: Some(ColumnModel {
            file: file.clone(),
            name: table.result.clone(),
            unit: match &table.quantity {
                Quantity::Time { unit, .. } => Some((*unit).to_owned()),
                Quantity::Other(unit) => Some(unit.clone()),
                Quantity::Unknown => None,
            },
        }),
        samples: table.rows() as u64,
        imbalance: None,
        sync: None,
        counters: Vec::new(),
        misses: Vec::new(),
        first_calls: Vec::new(),
        data: Data { variables: table.variables.clone(), points: points.collect(), unit },
    }
}

/// What was read as what, left out or interpreted.
pub fn remarks(source: &Source) -> Vec<Notice> {
    let Source::Tables(tables) = source else { return Vec::new() };
    let mut notices: Vec<Notice> = Vec::new();
    for one in tables {
        let region = match one.region.is_empty() {
            true => String::new(),
            false => format!("{}: ", one.region),
        };
        let is_first = |remark: &&Remark| matches!(remark, Remark::Format(_) | Remark::Note(_));
        let (first, others): (Vec<&Remark>, Vec<&Remark>) =
            one.table.remarks.iter().partition(is_first);
        notices.extend(first.into_iter().map(|remark| notice(remark, &region)));
        let renamed = one.table.renamed.iter().map(|renamed| {
            let text = format!("column `{}` is {} in formulas", renamed.header, renamed.name);
            Notice::new("renamed", text)
        });
        notices.extend(renamed);
        notices.extend(others.into_iter().map(|remark| notice(remark, &region)));
    }
    let mut seen: Vec<Notice> = Vec::new();
    notices.retain(|notice| {
        let is_new = !seen.contains(notice);
        if is_new {
            seen.push(notice.clone());
        }
        is_new
    });
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
        Remark::NotPositive(rows) => {
            Notice::new("odd-number", format!("{region}{}", examples(rows)))
        }
        Remark::DecimalComma(number) => {
            Notice::new("decimal-comma", format!("numbers have decimal commas: `{number}`"))
        }
        Remark::TextColumn { header, several } => {
            let how = match several {
                true => format!(" (--by '{header}' makes an experiment of each)"),
                false => String::new(),
            };
            Notice::new("text-column", format!("column `{header}` has text: it is ignored{how}"))
        }
        Remark::RepetitionColumn(header) => Notice::new(
            "repetition-column",
            format!("column `{header}` numbers repetitions: it is no variable"),
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
