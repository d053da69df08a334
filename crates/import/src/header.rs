//! The columns of a table, from its first line.

use crate::error::{ImportCause, ImportError};
use crate::{Quantity, Renamed};

/// Names of times, in the order of the search; without unit, in lower case, with `_` between words.
const RESULTS: [&str; 19] = [
    "time",
    "walltime",
    "wall_time",
    "wallclock",
    "wall_clock",
    "wallclock_time",
    "wall_clock_time",
    "wall",
    "elapsed",
    "elapsed_time",
    "runtime",
    "run_time",
    "duration",
    "real_time",
    "real",
    "total_time",
    "cpu_time",
    "seconds",
    "t",
];

/// A column of a table.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// The header in the file.
    pub(crate) header: String,
    /// The name in formulas.
    pub(crate) name: String,
    /// The header without its unit, normalised: `wall_time`.
    pub(crate) plain: String,
    /// The unit that the header names.
    unit: Option<Quantity>,
    /// Whether the whole header is a unit of time, such as `ms`.
    is_unit: bool,
}

/// The columns of the first line.
pub(crate) fn columns(
    headers: &[String],
    line: u64,
    used: &[String],
) -> Result<Vec<Column>, ImportError> {
    let mut columns: Vec<Column> = Vec::with_capacity(headers.len());
    for (index, header) in headers.iter().enumerate() {
        let error = |cause: ImportCause| Err(cause.at(line, index + 1));
        if header.is_empty() {
            return error(ImportCause::Unnamed);
        }
        if header.parse().is_ok_and(f64::is_finite) {
            return error(ImportCause::HeaderIsNumber(header.clone()));
        }
        if let Some(other) = columns.iter().position(|known| known.header == *header) {
            return error(ImportCause::Duplicate { name: header.clone(), other: other + 1 });
        }
        let mut column = Column::from_header(header, used);
        while columns.iter().any(|known| known.name == column.name) {
            column.name += "_";
        }
        columns.push(column);
    }
    Ok(columns)
}

impl Column {
    fn from_header(header: &str, used: &[String]) -> Column {
        let (base, unit) = split(header);
        let is_unit = unit.is_none() && header.chars().count() > 1;
        let whole = is_unit.then(|| Quantity::time(header)).flatten();
        let is_unit = whole.is_some() || base.is_empty();
        let plain = plain(base);
        let is_plain = used.iter().any(|name| name == header) || is_lvalue(header);
        let name = match (is_plain, base.is_empty()) {
            (true, _) => header.to_owned(),
            (false, true) => identifier(header),
            (false, false) => identifier(base),
        };
        Column { header: header.to_owned(), name, plain, unit: unit.or(whole), is_unit }
    }

    /// The quantity of its numbers, if it is the result.
    pub(crate) fn quantity(&self) -> Quantity {
        self.unit.clone().unwrap_or_default()
    }

    pub(crate) fn renamed(&self) -> Option<Renamed> {
        (self.name != self.header)
            .then(|| Renamed { header: self.header.clone(), name: self.name.clone() })
    }

    /// Whether a formula calls it so.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.header == name || self.name == name
    }

    /// Whether a user may mean it.
    pub(crate) fn is_called_like(&self, name: &str) -> bool {
        self.is_called(name) || self.plain == name
    }
}

/// Whether a header of this name, normalised and without unit, is that of a result.
pub(crate) fn is_result(plain: &str) -> bool {
    RESULTS.contains(&plain)
}

/// Whether a header is the name of a time, with or without a number behind it.
pub(crate) fn names_time(header: &str) -> bool {
    let plain = Column::from_header(header, &[]).plain;
    let stem = plain.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
    is_result(&plain) || is_result(stem)
}

/// Which column is the result: the requested one; one with a known name; the only one that the formulas do not use
/// and that has numbers (`is_number`), or the only one of these with a unit of time; without formulas the last
/// one.
pub(crate) fn result(
    columns: &[Column],
    asked: Option<&str>,
    used: &[String],
    is_number: &[bool],
) -> Result<usize, ImportCause> {
    let headers = |of: &[usize]| of.iter().map(|&at| columns[at].header.clone()).collect();
    let all: Vec<usize> = (0..columns.len()).collect();
    if let Some(name) = asked {
        let found = all.iter().find(|&&at| columns[at].is_called_like(name));
        let error = || ImportCause::NoColumn { name: name.to_owned(), known: headers(&all) };
        return found.copied().ok_or_else(error);
    }
    let is_used = |column: &Column| used.iter().any(|name| column.is_called(name));
    let free: Vec<usize> = all.iter().copied().filter(|&at| !is_used(&columns[at])).collect();
    for known in RESULTS {
        if let Some(&at) = free.iter().find(|&&at| columns[at].plain == known) {
            return Ok(at);
        }
    }
    let numbers: Vec<usize> = free.iter().copied().filter(|&at| is_number[at]).collect();
    let only = |of: &dyn Fn(&Column) -> bool| {
        let mut found = numbers.iter().filter(|&&at| of(&columns[at]));
        found.next().copied().filter(|_| found.next().is_none())
    };
    let is_time = |column: &Column| matches!(column.unit, Some(Quantity::Time { .. }));
    if let Some(at) =
        only(&|column| column.is_unit).or_else(|| only(&is_time)).or_else(|| only(&|_| true))
    {
        return Ok(at);
    }
    let is_known = used.iter().all(|name| columns.iter().any(|column| column.is_called(name)));
    match (numbers.as_slice(), used.is_empty() || !is_known) {
        ([], false) => Err(ImportCause::NoResult { used: headers(&all) }),
        (numbers, true) => Ok(numbers.last().copied().unwrap_or(columns.len() - 1)),
        _ => Err(ImportCause::WhichResult { candidates: headers(&numbers) }),
    }
}

/// A header without its unit, and the unit: `time [ms]`, `time (ms)`, `time / ms`, `time_ms`.
fn split(header: &str) -> (&str, Option<Quantity>) {
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some((base, unit)) = header.strip_suffix(close).and_then(|h| h.rsplit_once(open))
            && unit.chars().any(char::is_alphabetic)
        {
            return (base.trim_end(), Some(Quantity::named(unit)));
        }
    }
    for separator in [" / ", "_", "-", ".", " "] {
        if let Some((base, unit)) = header.rsplit_once(separator)
            && !base.trim().is_empty()
            && let Some(quantity) = Quantity::time(unit)
        {
            return (base.trim_end(), Some(quantity));
        }
    }
    (header, None)
}

/// A name in lower case with `_` between words.
pub(crate) fn plain(name: &str) -> String {
    identifier(name).to_lowercase()
}

/// The name of a parameter in formulas: its own, if that can stand there.
pub(crate) fn variable(name: &str) -> String {
    if is_lvalue(name) { name.to_owned() } else { identifier(name) }
}

/// Whether it can be used in a formula unchanged: a C identifier, or an expression of some.
fn is_lvalue(name: &str) -> bool {
    let plain = name.replace("->", ".");
    let first = plain.chars().next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && plain.chars().all(|c| c.is_ascii_alphanumeric() || "_.[]".contains(c))
        && !plain.ends_with('.')
}

/// An identifier for a name: `problem size` becomes `problem_size`.
fn identifier(name: &str) -> String {
    let mut made = String::new();
    for c in name.chars() {
        match c.is_ascii_alphanumeric() {
            true => made.push(c),
            false if made.is_empty() || made.ends_with('_') => {}
            false => made.push('_'),
        }
    }
    made.truncate(made.trim_end_matches('_').len());
    match made.chars().next() {
        None => "column".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("_{made}"),
        Some(_) => made,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_headers() {
        let milli = Quantity::Time { unit: "ms", factor: 1e-3 };
        for header in
            ["time [ms]", "time[ms]", "time (ms)", "time / ms", "time_ms", "time ms", "ms"]
        {
            assert_eq!(Column::from_header(header, &[]).quantity(), milli, "{header}");
        }
        let micro = Quantity::Time { unit: "µs", factor: 1e-6 };
        for header in ["wall (µs)", "wall [μs]", "wall_us", "t_usec", "Microseconds"] {
            assert_eq!(Column::from_header(header, &[]).quantity(), micro, "{header}");
        }
        for header in ["time", "rows_s2", "nodes", "a[0]", "s"] {
            assert_eq!(Column::from_header(header, &[]).quantity(), Quantity::Unknown, "{header}");
        }
        assert_eq!(
            Column::from_header("L2 [misses]", &[]).quantity(),
            Quantity::Other("misses".into())
        );
    }

    #[test]
    fn names_that_formulas_can_use() {
        for (header, name) in [
            ("N", "N"),
            ("s->atoms->n", "s->atoms->n"),
            ("v[2]", "v[2]"),
            ("problem size", "problem_size"),
            ("size [MB]", "size"),
            ("mesh-size", "mesh_size"),
            ("2nd", "_2nd"),
            ("%", "column"),
            ("n_s", "n_s"),
        ] {
            assert_eq!(Column::from_header(header, &[]).name, name, "{header}");
        }
        assert_eq!(Column::from_header("size[n]", &["size[n]".into()]).name, "size[n]");
    }
}
