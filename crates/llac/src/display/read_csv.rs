//! Tables of this program's exports, and of other programs, as tables of the language.

use std::collections::{HashMap, HashSet};

use cll_import::ResultKind;

use crate::value::{Cells, Column, Table, Unit, Words};

/// A column of a table of another program.
#[derive(Clone, Debug, PartialEq)]
pub struct CsvColumn {
    /// The header in the file.
    pub header: String,
    /// The name in the language: the header without its unit.
    pub name: String,
    /// The unit that the header names, and what a number of the file is multiplied by.
    unit: (Unit, f64),
    fields: Fields,
}

/// The fields of a column; empty numbers are NaN.
#[derive(Clone, Debug, PartialEq)]
enum Fields {
    Numbers(Vec<f64>),
    Words(Vec<String>),
}

impl CsvColumn {
    /// The numbers as they stand in the file; `None`: they are text.
    pub fn numbers(&self) -> Option<&[f64]> {
        match &self.fields {
            Fields::Numbers(values) => Some(values),
            Fields::Words(_) => None,
        }
    }

    /// The texts; `None`: they are numbers.
    pub fn words(&self) -> Option<&[String]> {
        match &self.fields {
            Fields::Words(words) => Some(words),
            Fields::Numbers(_) => None,
        }
    }

    fn cells(&self) -> Cells {
        let (unit, factor) = &self.unit;
        match &self.fields {
            Fields::Words(words) => Cells::Words(Words::from_rows(words)),
            Fields::Numbers(values) => {
                // By a whole number, which is exact: 2.5 µs are 2.5e-6 s.
                let scaled = |value: &f64| {
                    if *factor < 1.0 { value / (1.0 / factor).round() } else { value * factor }
                };
                let values = values.iter().map(scaled).collect();
                Cells::Numbers(Column { values, unit: unit.clone() })
            }
        }
    }
}

/// A table in CSV with a line of names. A column whose fields are all numbers or empty is of numbers; one whose name
/// ends in `_s` or `_bytes` has that unit.
pub fn csv_table(text: &[u8]) -> Table {
    let (names, columns) = read(text, b',').unwrap_or_default();
    Table::from_columns(names.iter().zip(columns).map(|(name, fields)| {
        let (name, unit) = match (name.strip_suffix("_s"), name.strip_suffix("_bytes")) {
            (Some(bare), _) => (bare, Unit::seconds()),
            (_, Some(bare)) => (bare, Unit::bytes()),
            _ => (name.as_str(), Unit::NONE),
        };
        let cells = match typed(fields) {
            Fields::Numbers(values) => Cells::Numbers(Column { values: values.into(), unit }),
            Fields::Words(words) => Cells::Words(Words::from_rows(words)),
        };
        (name.to_owned(), cells)
    }))
}

/// The columns of a table of another program, with names in the first line that is no comment, separated by tabs,
/// semicolons or commas. Units are those of the headers: `time [ms]`, `time (ms)`, `time_ms`. `None`: it is no such
/// table.
pub fn csv_columns(text: &[u8]) -> Option<Vec<CsvColumn>> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"))?;
    if first.starts_with(b"{") || first.starts_with(b"[") {
        return None;
    }
    let delimiter = [b'\t', b';', b','].into_iter().find(|mark| first.contains(mark));
    let (headers, columns) = read(text, delimiter?)?;
    let mut names = ColumnNames::default();
    let columns = headers.into_iter().zip(columns).map(|(header, fields)| {
        let (name, unit) = split(&header);
        let name = names.free(identifier(name));
        CsvColumn { header, name, unit, fields: typed(fields) }
    });
    Some(columns.collect())
}

/// The names that columns have.
#[derive(Default)]
struct ColumnNames {
    taken: HashSet<String>,
    /// How many columns wanted a name that was taken.
    wanted: HashMap<String, usize>,
}

impl ColumnNames {
    /// The name, or with `_` or `_NUMBER` behind it if another column has it.
    fn free(&mut self, name: String) -> String {
        if self.taken.insert(name.clone()) {
            return name;
        }
        let again = self.wanted.entry(name.clone()).or_insert(1);
        loop {
            *again += 1;
            let other = match *again {
                2 => format!("{name}_"),
                number => format!("{name}_{number}"),
            };
            if self.taken.insert(other.clone()) {
                return other;
            }
        }
    }
}

/// Columns as a table.
pub fn columns_table(columns: &[CsvColumn]) -> Table {
    Table::from_columns(columns.iter().map(|column| (column.name.clone(), column.cells())))
}

/// Names, and the fields of each column.
fn read(text: &[u8], delimiter: u8) -> Option<(Vec<String>, Vec<Vec<String>>)> {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .delimiter(delimiter)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text);
    let lossy = |field: &[u8]| String::from_utf8_lossy(field).into_owned();
    let names: Vec<String> = reader.byte_headers().ok()?.iter().map(lossy).collect();
    let mut columns: Vec<Vec<String>> = vec![Vec::new(); names.len()];
    for record in reader.byte_records().flatten() {
        for (k, column) in columns.iter_mut().enumerate() {
            column.push(lossy(record.get(k).unwrap_or_default()));
        }
    }
    Some((names, columns))
}

/// Numbers, if all fields are numbers or empty, and one is a number.
fn typed(fields: Vec<String>) -> Fields {
    let number =
        |field: &String| if field.is_empty() { Some(f64::NAN) } else { field.parse().ok() };
    let numbers: Option<Vec<f64>> = fields.iter().map(number).collect();
    match numbers.filter(|all| all.iter().any(|value| !value.is_nan())) {
        Some(values) => Fields::Numbers(values),
        None => Fields::Words(fields),
    }
}

/// A header without its unit, and the unit.
fn split(header: &str) -> (&str, (Unit, f64)) {
    let named = |unit: &str| match ResultKind::named(unit) {
        ResultKind::Time { factor, .. } => (Unit::seconds(), factor),
        ResultKind::Other(name) => (Unit::base(&name), 1.0),
        ResultKind::Unknown => (Unit::NONE, 1.0),
    };
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some((base, unit)) = header.strip_suffix(close).and_then(|h| h.rsplit_once(open))
            && unit.chars().any(char::is_alphabetic)
            && !base.trim().is_empty()
        {
            return (base.trim_end(), named(unit));
        }
    }
    if let Some(base) = header.strip_suffix("_bytes").filter(|base| !base.is_empty()) {
        return (base, (Unit::bytes(), 1.0));
    }
    if let Some((base, unit)) = header.rsplit_once('_')
        && !base.is_empty()
        && matches!(ResultKind::named(unit), ResultKind::Time { .. })
    {
        return (base, named(unit));
    }
    (header, (Unit::NONE, 1.0))
}

/// A name that stands without backquotes.
fn identifier(header: &str) -> String {
    let letter = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '_' };
    let name: String = header.trim().chars().map(letter).collect();
    match name.chars().next() {
        None => "column".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("_{name}"),
        Some(_) => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_types_and_units() {
        let text = "# notes\nrun;room temp [C];label;left;size_bytes;wait_ms\n0;40;warm;;8;2.5\n1;;\"a;b\";;16;1\n";
        let columns = csv_columns(text.as_bytes()).unwrap();
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["run", "room_temp", "label", "left", "size", "wait"]);
        assert_eq!(columns[2].words().unwrap(), ["warm", "a;b"]);
        assert_eq!(columns[3].words().unwrap(), ["", ""]);
        let table = columns_table(&columns);
        let number = |name: &str| match table.column(name) {
            Some(Cells::Numbers(column)) => (column.values.to_vec(), column.unit.to_string()),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(number("run"), (vec![0.0, 1.0], String::new()));
        assert!(number("room_temp").0[1].is_nan());
        assert_eq!(number("room_temp").1, "C");
        assert_eq!(number("size"), (vec![8.0, 16.0], "B".to_owned()));
        assert_eq!(number("wait"), (vec![2.5e-3, 1e-3], "s".to_owned()));
        assert!(csv_columns(b"one column\n1\n").is_none());
    }

    #[test]
    fn equal_headers_get_names_of_their_own_in_linear_room() {
        let names = |text: &str| -> Vec<String> {
            let columns = csv_columns(text.as_bytes()).unwrap();
            columns.into_iter().map(|column| column.name).collect()
        };
        assert_eq!(names("a,a,a_,a,a_3\n1,2,3,4,5\n"), ["a", "a_", "a__", "a_3", "a_3_"]);
        let many = 100_000;
        let text = format!("{}\n{}\n", vec!["a"; many].join(","), vec!["1"; many].join(","));
        let columns = csv_columns(text.as_bytes()).unwrap();
        let letters: usize = columns.iter().map(|column| column.name.len()).sum();
        assert!(letters <= 8 * many, "{letters}");
        assert_eq!(columns_table(&columns).columns().len(), many);
        assert_eq!(csv_table(text.as_bytes()).columns().len(), 1);
    }
}
