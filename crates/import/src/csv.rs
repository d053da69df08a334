use std::io::BufRead;

use csv::{ReaderBuilder, StringRecord};

use crate::Quantity;
use crate::error::{ImportCause, ImportError};
use crate::field::{Field, Fields};
use crate::header::{self, Column};
use crate::lines::{Lines, latin1};
use crate::table::{Examples, Groups, Remark, Table};

/// How to read a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CsvOptions {
    /// The column with the results; `None` chooses it by its name, its unit, or as the only one that the formulas
    /// do not use.
    pub result: Option<String>,
    /// Its unit; `None` means that of its header.
    pub unit: Option<String>,
    /// The variables of the formulas.
    pub used: Vec<String>,
    /// The separator of fields; `None` finds it in the first line: tab, semicolon, vertical bar, comma or space.
    pub delimiter: Option<u8>,
}

/// The largest number of unusable rows that are listed.
const MAX_LISTED_ROWS: usize = 10;

/// Reads a table with the names of its columns in the first line, even if that is a comment. Space around fields,
/// empty lines and lines that begin with `#` are ignored. The file is read as a stream; only the numbers stay in
/// memory.
///
/// Rows with an empty field, NaN or an infinite number in a column that is used are left out
/// ([`Remark::LeftOut`]). Columns of text that no formula uses are ignored.
///
/// # Errors
/// With line and column; of unusable rows the first ten and their number.
pub fn csv(input: impl BufRead, options: &CsvOptions) -> Result<Table, ImportError> {
    let mut lines = Lines::new(input)?;
    let (mut header, mut comment) = (None, None);
    while let Some((number, line)) = lines.next()? {
        if let Some(text) = line.strip_prefix(b"#") {
            comment = Some((number, words(text)));
        } else if !line.trim_ascii().is_empty() {
            header = Some((number, words(line)));
            break;
        }
    }
    let Some((line, first)) = header else { return Err(ImportCause::Empty.at(0, 0)) };
    let delimiter = options.delimiter.unwrap_or_else(|| delimiter(&first));
    let headers = |text: &str, line| split(text.as_bytes(), delimiter, line);
    // After a comment with the names, numbers may begin at once.
    let fields = headers(&first, line)?;
    let is_numbers = fields.iter().all(|field| field.parse::<f64>().is_ok());
    let named = comment.filter(|_| is_numbers).and_then(|(number, text)| {
        let names = headers(&text, number).ok()?;
        let are_names = names.iter().all(|name| name.parse::<f64>().is_err());
        (names.len() == fields.len() && are_names).then_some((number, names))
    });
    let (header_line, names, mut pending) = match named {
        Some((number, names)) => (number, names, Some((line, fields))),
        None => (line, fields, None),
    };
    let columns = header::columns(&names, header_line, &options.used)?;

    let mut reader = None;
    loop {
        let (number, fields) = match pending.take() {
            Some(row) => row,
            None => match lines.next()? {
                None => break,
                Some((_, line)) if line.starts_with(b"#") || line.trim_ascii().is_empty() => {
                    continue;
                }
                Some((number, line)) => match split(line, delimiter, number) {
                    Ok(fields) => (number, fields),
                    Err(error) => {
                        let rows = match &mut reader {
                            Some(rows) => rows,
                            none => none.insert(Rows::new(
                                &columns,
                                header_line,
                                delimiter,
                                options,
                                &[],
                            )?),
                        };
                        rows.wrong(error);
                        continue;
                    }
                },
            },
        };
        let rows = match &mut reader {
            Some(rows) => rows,
            none => none.insert(Rows::new(&columns, header_line, delimiter, options, &fields)?),
        };
        rows.add(&fields, number);
    }
    match reader {
        Some(rows) => rows.done(),
        None => {
            // If the result cannot be found, a wrong column name is the likely cause.
            Rows::new(&columns, header_line, delimiter, options, &[])?;
            Err(ImportCause::NoRows.at(header_line, 0))
        }
    }
}

/// The rows being read.
struct Rows<'a> {
    columns: &'a [Column],
    variables: Vec<usize>,
    result: usize,
    quantity: Quantity,
    delimiter: u8,
    reader: Fields,
    values: Vec<f64>,
    groups: Groups,
    ignored: Vec<String>,
    left_out: Examples,
    not_positive: Examples,
    wrong: Vec<ImportError>,
    wrongs: u64,
}

impl<'a> Rows<'a> {
    /// With the fields of the first row, which show which columns are text.
    fn new(
        columns: &'a [Column],
        header_line: u64,
        delimiter: u8,
        options: &CsvOptions,
        first: &[String],
    ) -> Result<Rows<'a>, ImportError> {
        let mut reader = Fields::new(delimiter);
        let is_number: Vec<bool> = (0..columns.len())
            .map(|at| first.get(at).is_none_or(|text| reader.read(text) != Field::Text))
            .collect();
        let asked = options.result.as_deref();
        let result = header::result(columns, asked, &options.used, &is_number)
            .map_err(|cause| cause.at(header_line, 0))?;
        let is_used = |at: usize| options.used.contains(&columns[at].name);
        let (variables, ignored): (Vec<usize>, Vec<usize>) = (0..columns.len())
            .filter(|&at| at != result)
            .partition(|&at| is_number[at] || is_used(at));
        let quantity = match &options.unit {
            Some(unit) => Quantity::named(unit),
            None => columns[result].quantity(),
        };
        Ok(Rows {
            columns,
            values: Vec::with_capacity(variables.len()),
            variables,
            result,
            quantity,
            delimiter,
            reader,
            groups: Groups::default(),
            ignored: ignored.iter().map(|&at| columns[at].header.clone()).collect(),
            left_out: Examples::default(),
            not_positive: Examples::default(),
            wrong: Vec::new(),
            wrongs: 0,
        })
    }

    fn wrong(&mut self, error: ImportError) {
        if self.wrong.len() < MAX_LISTED_ROWS {
            self.wrong.push(error);
        }
        self.wrongs += 1;
    }

    fn add(&mut self, fields: &[String], line: u64) {
        let (expected, found) = (self.columns.len(), fields.len());
        if expected != found {
            let is_digits = |field: &String| field.bytes().all(|byte| byte.is_ascii_digit());
            let commas =
                self.delimiter == b',' && found > expected && fields[1..].iter().any(is_digits);
            return self.wrong(ImportCause::Fields { expected, found, commas }.at(line, 0));
        }
        self.values.clear();
        let mut missing = None;
        let columns = self.columns;
        for index in 0..=self.variables.len() {
            let at = self.variables.get(index).copied().unwrap_or(self.result);
            let (text, column) = (&fields[at], &columns[at].header);
            match self.reader.read(text) {
                Field::Number(value) => self.values.push(value),
                Field::NotFinite(value) => missing = Some((column, value.to_string())),
                Field::Missing if text.is_empty() => missing = Some((column, "empty".to_owned())),
                Field::Missing => missing = Some((column, format!("`{text}`"))),
                Field::Text => {
                    let (text, column) = (text.clone(), column.clone());
                    return self.wrong(ImportCause::NotANumber { text, column }.at(line, at + 1));
                }
            }
        }
        if let Some((column, what)) = missing {
            return self.left_out.add(|| format!("line {line}: `{column}` is {what}"));
        }
        let Some(result) = self.values.pop() else { return };
        let result = result * self.quantity.factor();
        if self.quantity.is_time() && result <= 0.0 {
            let what = if result < 0.0 { "a negative time" } else { "a time of zero" };
            let column = &self.columns[self.result].header;
            self.not_positive.add(|| format!("line {line}: `{column}` is {what}"));
        }
        self.groups.add(&self.values, result);
    }

    fn done(mut self) -> Result<Table, ImportError> {
        match self.wrongs {
            0 => {}
            1 => return Err(self.wrong.remove(0)),
            count => return Err(ImportCause::Rows { first: self.wrong, count }.at(0, 0)),
        }
        let groups = self.groups.done();
        if groups.is_empty() {
            let example = self.left_out.first.first().cloned().unwrap_or_default();
            return Err(ImportCause::NothingLeft { example }.at(0, 0));
        }
        let comma = self.reader.decimal_comma().map_err(|cause| cause.at(0, 0))?;
        let mut remarks: Vec<Remark> = self.ignored.into_iter().map(Remark::TextColumn).collect();
        remarks.extend(comma.map(Remark::DecimalComma));
        remarks.extend((self.left_out.count > 0).then_some(Remark::LeftOut(self.left_out)));
        remarks.extend(
            (self.not_positive.count > 0).then_some(Remark::NotPositive(self.not_positive)),
        );
        let columns = self.columns;
        Ok(Table {
            variables: self.variables.iter().map(|&at| columns[at].name.clone()).collect(),
            result: columns[self.result].header.clone(),
            quantity: self.quantity,
            groups,
            renamed: self.variables.iter().filter_map(|&at| columns[at].renamed()).collect(),
            remarks,
        })
    }
}

fn words(line: &[u8]) -> String {
    str::from_utf8(line).map_or_else(|_| latin1(line), str::to_owned)
}

/// The separator of the fields in the first line.
fn delimiter(header: &str) -> u8 {
    let mut quoted = false;
    let mut outside = String::new();
    for c in header.trim().chars() {
        quoted ^= c == '"';
        if !quoted {
            outside.push(c);
        }
    }
    let known = b"\t;|,".iter().find(|&&byte| outside.contains(char::from(byte)));
    match known {
        Some(&byte) => byte,
        None if outside.contains(' ') => b' ',
        None => b',',
    }
}

/// The fields of a line, without the space around them.
fn split(line: &[u8], delimiter: u8, number: u64) -> Result<Vec<String>, ImportError> {
    let field = |bytes: &[u8]| words(bytes.trim_ascii());
    if !line.contains(&b'"') {
        return Ok(match delimiter {
            b' ' => line
                .split(u8::is_ascii_whitespace)
                .filter(|word| !word.is_empty())
                .map(words)
                .collect(),
            _ => line.split(|&byte| byte == delimiter).map(field).collect(),
        });
    }
    let is_open = line.iter().filter(|&&byte| byte == b'"').count() % 2 == 1;
    let text = words(line);
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .delimiter(delimiter)
        .from_reader(text.trim().as_bytes());
    let mut record = StringRecord::new();
    match reader.read_record(&mut record) {
        Ok(true) if !is_open => {
            let fields = record.iter().filter(|field| delimiter != b' ' || !field.is_empty());
            Ok(fields.map(str::to_owned).collect())
        }
        _ => Err(ImportCause::OpenQuote.at(number, 0)),
    }
}
