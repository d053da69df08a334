use std::io::Read;

use csv::{ErrorKind, ReaderBuilder, StringRecord, Trim};

use super::{ImportCause, ImportError, Oddity, OddityKind, Row, TIME_COLUMNS, Table};

/// How to read a file of comma-separated values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CsvOptions {
    /// The column with the times; `None` chooses the first of [`TIME_COLUMNS`]
    /// that is there, else the last column.
    pub time: Option<String>,
    /// The columns that are variables, others are ignored; `None` takes all but the time.
    pub variables: Option<Vec<String>>,
    /// What separates fields; `None` finds it out from the first line: tab,
    /// semicolon or comma.
    pub delimiter: Option<u8>,
}

/// Reads comma-separated values with the names of the columns in the first
/// line. Space around fields is ignored, and so are empty lines and lines that begin with `#`.
///
/// # Errors
/// With line and column, at the first field that cannot be used. NaN,
/// infinities and times not above zero can: see [`Table::oddities`].
pub fn csv(mut input: impl Read, options: &CsvOptions) -> Result<Table, ImportError> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(|error| ImportCause::from(error).at(0, 0))?;
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .trim(Trim::All)
        .delimiter(options.delimiter.unwrap_or_else(|| delimiter(bytes)))
        .from_reader(bytes);
    let mut record = StringRecord::new();
    let mut next = |record: &mut StringRecord| -> Result<Option<u64>, ImportError> {
        loop {
            let found = reader.read_record(record).map_err(|error| {
                let line = line_at(bytes, error.position());
                match error.into_kind() {
                    ErrorKind::Utf8 { .. } => ImportCause::NotText,
                    other => ImportCause::Io(std::io::Error::other(format!("{other:?}"))),
                }
                .at(line, 0)
            })?;
            if !found {
                return Ok(None);
            }
            // A line of nothing but space.
            if record.len() > 1 || record.iter().any(|field| !field.is_empty()) {
                return Ok(Some(line_at(bytes, record.position())));
            }
        }
    };

    let Some(header_line) = next(&mut record)? else { return Err(ImportCause::Empty.at(0, 0)) };
    let names = names(&record, header_line)?;
    let columns = Columns::choose(names, header_line, options)?;
    let mut table = Table {
        variables: columns.variables.iter().map(|&index| columns.names[index].clone()).collect(),
        time: columns.names[columns.time].clone(),
        ..Table::default()
    };
    while let Some(line) = next(&mut record)? {
        columns.row(&record, line, &mut table)?;
    }
    match table.rows.is_empty() {
        true => Err(ImportCause::NoRows.at(header_line, 0)),
        false => Ok(table),
    }
}

/// The line of the record at `position`, where the reader began to look for it:
/// before the empty lines and comments in front of it.
fn line_at(bytes: &[u8], position: Option<&csv::Position>) -> u64 {
    let Some(position) = position else { return 0 };
    let mut line = position.line();
    let mut rest = bytes.get(position.byte() as usize..).unwrap_or_default();
    loop {
        let length = match rest {
            [b'\n', ..] => 0,
            [b'\r', b'\n', ..] => 1,
            [b'#', ..] => match memchr::memchr(b'\n', rest) {
                Some(length) => length,
                None => return line,
            },
            _ => return line,
        };
        line += 1;
        rest = &rest[length + 1..];
    }
}

/// The separator of the first line that is no comment.
fn delimiter(bytes: &[u8]) -> u8 {
    let mut lines = bytes.split(|&byte| byte == b'\n' || byte == b'\r');
    let header = lines.find(|line| !line.trim_ascii().is_empty() && line[0] != b'#');
    let header = header.unwrap_or_default();
    *b"\t;".iter().find(|byte| header.contains(byte)).unwrap_or(&b',')
}

fn names(header: &StringRecord, line: u64) -> Result<Vec<String>, ImportError> {
    let mut names: Vec<String> = Vec::new();
    for (index, name) in header.iter().enumerate() {
        let error = |cause: ImportCause| Err(cause.at(line, index + 1));
        if name.is_empty() {
            return error(ImportCause::Unnamed);
        }
        if let Ok(number) = name.parse::<f64>()
            && number.is_finite()
        {
            return error(ImportCause::HeaderIsNumber(name.to_owned()));
        }
        if let Some(other) = names.iter().position(|known| known == name) {
            let name = name.to_owned();
            return error(ImportCause::Duplicate { name, other: other + 1 });
        }
        names.push(name.to_owned());
    }
    Ok(names)
}

/// Which column is what.
struct Columns {
    names: Vec<String>,
    variables: Vec<usize>,
    time: usize,
}

impl Columns {
    fn choose(names: Vec<String>, line: u64, options: &CsvOptions) -> Result<Self, ImportError> {
        let find = |name: &String| {
            names.iter().position(|known| known == name).ok_or_else(|| {
                ImportCause::NoColumn { name: name.clone(), known: names.clone() }.at(line, 0)
            })
        };
        let known = |time: &&str| names.iter().position(|name| name.eq_ignore_ascii_case(time));
        let asked = options.variables.as_deref().unwrap_or_default();
        let time = match &options.time {
            Some(name) => find(name)?,
            None => TIME_COLUMNS
                .iter()
                .filter_map(known)
                .find(|&index| !asked.contains(&names[index]))
                .unwrap_or(names.len() - 1),
        };
        let variables = match &options.variables {
            Some(variables) => variables.iter().map(find).collect::<Result<_, _>>()?,
            None => (0..names.len()).filter(|&index| index != time).collect(),
        };
        Ok(Columns { names, variables, time })
    }

    fn row(&self, record: &StringRecord, line: u64, table: &mut Table) -> Result<(), ImportError> {
        let (expected, found) = (self.names.len(), record.len());
        if expected != found {
            return Err(ImportCause::Fields { expected, found }.at(line, 0));
        }
        let mut number = |index: usize, is_time: bool| {
            let (text, column) = (&record[index], &self.names[index]);
            let value = parse(text).ok_or_else(|| {
                let (text, column) = (text.to_owned(), column.clone());
                match text.is_empty() {
                    true => ImportCause::Missing(column),
                    false => ImportCause::NotANumber { text, column },
                }
                .at(line, index + 1)
            })?;
            if let Some(kind) = OddityKind::of(value, is_time) {
                table.oddities.push(Oddity { line, column: column.clone(), kind });
            }
            Ok(value)
        };
        let values = self.variables.iter().map(|&index| number(index, false));
        let values = values.collect::<Result<_, ImportError>>()?;
        let time = number(self.time, true)?;
        table.rows.push(Row { values, time, line });
        Ok(())
    }
}

/// A number as programs write it, also `nan` and `inf` in any case.
pub(super) fn parse(text: &str) -> Option<f64> {
    text.parse().ok()
}
