//! Data from elsewhere: rows of values of variables and a time.

mod csv;
mod extrap;

use std::fmt;
use std::io;

pub use csv::{CsvOptions, csv};
pub use extrap::extrap;

/// Names by which the column with the times is known, in this order, whatever their case.
pub const TIME_COLUMNS: [&str; 4] = ["time", "time_s", "seconds", "t"];

/// Rows of values and times, as they were in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Names of the variables.
    pub variables: Vec<String>,
    /// Name of what was measured.
    pub time: String,
    /// The rows, in the file's order. Repetitions are rows of equal values.
    pub rows: Vec<Row>,
    /// Numbers that are allowed and probably not meant; the rows are kept.
    pub oddities: Vec<Oddity>,
}

/// One measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// One value per variable.
    pub values: Vec<f64>,
    /// The time, in the file's unit.
    pub time: f64,
    /// Line of the file it is from, from 1.
    pub line: u64,
}

/// A number to look at twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Oddity {
    /// Line of the file, from 1.
    pub line: u64,
    /// Name of the column.
    pub column: String,
    /// What is odd.
    pub kind: OddityKind,
}

/// What is odd about a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OddityKind {
    /// Not a number.
    NotANumber,
    /// Infinite, or too large for a double.
    Infinite,
    /// A time below zero.
    NegativeTime,
    /// A time of zero.
    ZeroTime,
}

impl OddityKind {
    fn of(value: f64, is_time: bool) -> Option<OddityKind> {
        match value {
            value if value.is_nan() => Some(OddityKind::NotANumber),
            value if value.is_infinite() => Some(OddityKind::Infinite),
            value if is_time && value < 0.0 => Some(OddityKind::NegativeTime),
            value if is_time && value == 0.0 => Some(OddityKind::ZeroTime),
            _ => None,
        }
    }
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            OddityKind::NotANumber => "is not a number (NaN)",
            OddityKind::Infinite => "is infinite",
            OddityKind::NegativeTime => "is a negative time",
            OddityKind::ZeroTime => "is a time of zero",
        };
        write!(f, "line {}: `{}` {what}", self.line, self.column)
    }
}

/// Why a file of data cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{place}{cause}")]
pub struct ImportError {
    /// Where, as far as it is a place.
    pub place: Spot,
    /// Why.
    pub cause: ImportCause,
}

/// A place in a file of data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// Line, from 1; 0 if it is the file as a whole.
    pub line: u64,
    /// Field in the line, from 1; 0 if it is the line as a whole.
    pub column: usize,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => Ok(()),
            (line, 0) => write!(f, "line {line}: "),
            (line, column) => write!(f, "line {line}, column {column}: "),
        }
    }
}

/// Why a file of data cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportCause {
    /// It cannot be read.
    #[error("cannot read the data: {0}")]
    Io(#[from] io::Error),
    /// There is nothing in it.
    #[error(
        "the data are empty: a first line with the names of the columns is expected, such as `N,time`"
    )]
    Empty,
    /// There is a header and no row.
    #[error("there is no row of numbers below the names of the columns")]
    NoRows,
    /// It is not text.
    #[error("this is not text (UTF-8): is it a trace or a compressed file?")]
    NotText,
    /// The first line has numbers.
    #[error(
        "`{0}` is a number where a column's name is expected: put a first line with the names, such as `N,time`"
    )]
    HeaderIsNumber(String),
    /// A column has no name.
    #[error("this column has no name")]
    Unnamed,
    /// Two columns have one name.
    #[error("two columns are called `{name}`, the other is column {other}")]
    Duplicate {
        /// The name.
        name: String,
        /// The first column with it, from 1.
        other: usize,
    },
    /// A column that was asked for is not there.
    #[error("there is no column `{name}`; there are: {}", known.join(", "))]
    NoColumn {
        /// The name.
        name: String,
        /// The columns there are.
        known: Vec<String>,
    },
    /// A row has more or fewer fields than there are columns.
    #[error("{found} fields, and there are {expected} columns")]
    Fields {
        /// Columns of the header.
        expected: usize,
        /// Fields of the row.
        found: usize,
    },
    /// A field is empty.
    #[error("no value for `{0}`")]
    Missing(String),
    /// A field is no number.
    #[error("`{text}` is not a number (for `{column}`)")]
    NotANumber {
        /// The field.
        text: String,
        /// Name of its column.
        column: String,
    },
    /// A line of an Extra-P file is not one of its fields, or stands in the wrong place.
    #[error("{0}")]
    Extrap(String),
}

impl ImportCause {
    fn at(self, line: u64, column: usize) -> ImportError {
        ImportError { place: Spot { line, column }, cause: self }
    }
}
