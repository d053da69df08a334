use std::fmt;
use std::io;

/// Why a file of data cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}{place}{cause}{}", file_name(file), shown(excerpt))]
pub struct ImportError {
    /// The file, if there are several.
    pub file: Option<Box<str>>,
    /// The place, if there is one.
    pub place: Spot,
    /// The cause.
    pub cause: ImportCause,
    /// The text at the place, if fields do not tell it.
    pub excerpt: Option<Box<Excerpt>>,
    /// The advice for the user.
    pub help: Option<Box<str>>,
}

impl ImportError {
    /// The same error of a file of this name.
    #[must_use]
    pub fn of_file(mut self, name: &str) -> ImportError {
        self.file = Some(name.into());
        self
    }

    /// With a sentence on how to name the decimal sign.
    #[must_use]
    pub(crate) fn help_with_decimal(self) -> ImportError {
        self.help("--decimal , or --decimal . says which sign stands before a fraction")
    }

    /// With a sentence on what to do.
    #[must_use]
    pub(crate) fn help(mut self, text: impl Into<String>) -> ImportError {
        self.help = Some(text.into().into());
        self
    }
}

fn file_name(file: &Option<Box<str>>) -> String {
    file.as_ref().map_or(String::new(), |file| format!("{file}: "))
}

fn shown(excerpt: &Option<Box<Excerpt>>) -> String {
    excerpt.as_ref().map_or(String::new(), ToString::to_string)
}

/// A place in a file of data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// Line, from 1; 0 for the file as a whole.
    pub line: u64,
    /// Field in the line, from 1; 0 for the line as a whole.
    pub column: usize,
    /// Character in the line, from 1, where lines have no fields; else 0.
    pub character: usize,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column, self.character) {
            (0, _, _) => Ok(()),
            (line, 0, 0) => write!(f, "line {line}: "),
            (line, 0, character) => write!(f, "line {line}, character {character}: "),
            (line, column, _) => write!(f, "line {line}, column {column}: "),
        }
    }
}

/// The text around a place, on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// A part of the line, with control characters as escapes.
    pub line: String,
    /// Characters of it before the place.
    pub before: usize,
    /// Characters of the place, at least 1.
    pub length: usize,
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Excerpt { line, before, length } = self;
        write!(f, "\n  {line}\n  {:before$}{}", "", "^".repeat(*length))
    }
}

/// The cause of an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportCause {
    /// It cannot be read.
    #[error("cannot read the data: {0}")]
    Io(#[from] io::Error),
    /// It is empty.
    #[error(
        "the data are empty: a first line with the names of the columns is expected, such as `N,time`"
    )]
    Empty,
    /// There is a header and no row.
    #[error("there is no row of numbers below the names of the columns")]
    NoRows,
    /// There are rows, and all of them are left out.
    #[error("no row has a number in every column that is used, such as {example}")]
    NothingLeft {
        /// The first row that was left out, and why.
        example: String,
    },
    /// It is not text.
    #[error("this is not text, but perhaps a trace or a compressed file")]
    NotText,
    /// The first line has numbers.
    #[error(
        "`{0}` is a number where a column's name is expected: put a first line with the names, such as `N,time`"
    )]
    HeaderIsNumber(String),
    /// Two columns have one name.
    #[error("two columns are called `{name}`, the other is column {other}")]
    Duplicate {
        /// The name.
        name: String,
        /// The first column with it, from 1.
        other: usize,
    },
    /// The requested column does not exist.
    #[error("there is no column `{name}`; there are: {}", known.join(", "))]
    NoColumn {
        /// The name.
        name: String,
        /// The existing columns.
        known: Vec<String>,
    },
    /// Several columns could be the result.
    #[error(
        "the column of the result is not known: it may be {}; none has a known name, such as `time`",
        quoted(candidates)
    )]
    WhichResult {
        /// Headers of the columns that the formulas do not use.
        candidates: Vec<String>,
    },
    /// Every column is a variable of the formulas.
    #[error("no column is left for the result: the formula uses {}", quoted(used))]
    NoResult {
        /// Headers of the columns.
        used: Vec<String>,
    },
    /// A row has more or fewer fields than there are columns.
    #[error("{}, and there are {expected} columns{}", fields(*found),
        if *commas { "; a comma cannot separate fields and begin fractions, too" } else { "" })]
    Fields {
        /// Columns of the header.
        expected: usize,
        /// Fields of the row.
        found: usize,
        /// Whether decimal commas would explain it.
        commas: bool,
    },
    /// A quoted field continues after the end of its line.
    #[error("a quoted field does not end in its line")]
    OpenQuote,
    /// A field is not a number.
    #[error("`{text}` is not a number (for `{column}`)")]
    NotANumber {
        /// The field.
        text: String,
        /// Header of its column.
        column: String,
    },
    /// A number with a unit in a column of numbers without, or the reverse.
    #[error("`{text}` has another unit than the cells above it (for `{column}`)")]
    OtherUnit {
        /// The field.
        text: String,
        /// Header of its column.
        column: String,
    },
    /// Numbers with a comma and with a point before the fraction.
    #[error("`{comma}` and `{point}`: the decimal sign may be the comma or the point")]
    TwoDecimalSigns {
        /// A number with a comma.
        comma: String,
        /// A number with a point.
        point: String,
    },
    /// A comma that may be a decimal sign or separate thousands.
    #[error("`{0}`: the comma may begin a fraction or separate thousands")]
    AmbiguousComma(String),
    /// A comma in the midst of a table whose other numbers have no sign at all.
    #[error("`{0}` has the first comma in a number of this table, after more than a thousand rows")]
    LateComma(String),
    /// Several rows cannot be used.
    #[error("{} rows cannot be used:{}", count, listed(first, *count))]
    Rows {
        /// The first of them.
        first: Vec<ImportError>,
        /// How many there are.
        count: u64,
    },
    /// A line of an Extra-P file is unknown, or in the wrong place.
    #[error("{0}")]
    Extrap(String),
    /// Something in a file of a known format is not as the format has it.
    #[error("{0}")]
    Unexpected(String),
    /// The format is not known.
    #[error("{0}")]
    UnknownFormat(String),
    /// The requested metric does not exist.
    #[error("there is no metric `{name}`: {}", suggestion(name, known))]
    NoMetric {
        /// The name.
        name: String,
        /// The existing metrics.
        known: Vec<String>,
    },
}

impl ImportCause {
    pub(crate) fn error_at(self, line: u64, column: usize) -> ImportError {
        let place = Spot { line, column, character: 0 };
        ImportError { file: None, place, cause: self, excerpt: None, help: None }
    }
}

fn fields(count: usize) -> String {
    match count {
        1 => "1 field".to_owned(),
        count => format!("{count} fields"),
    }
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        [text] => text.clone(),
        [all @ .., last] => format!("{} or {last}", all.join(", ")),
    }
}

fn listed(first: &[ImportError], count: u64) -> String {
    let mut text: String = first.iter().map(|error| format!("\n  {error}")).collect();
    let more = count - first.len() as u64;
    if more > 0 {
        text += &format!("\n  and {more} more");
    }
    text
}

fn suggestion(name: &str, known: &[String]) -> String {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    cll_diagnostic::suggestion(name, &known)
}
