//! The columns of a table, from its first line.

use std::collections::{HashMap, HashSet};

use crate::error::{ImportCause, ImportError};
use crate::quantity::ResultKind;
use crate::statistic::{self, Summary};
use crate::table::{Renamed, Table};
use crate::words::{is_count, is_repeated, is_result, is_time};

/// A column of a table.
#[derive(Clone, Debug)]
pub(crate) struct HeaderColumn {
    /// The header in the file; empty if it has none.
    pub(crate) header: String,
    /// The name in formulas.
    pub(crate) name: String,
    /// The header without its unit, normalised: `wall_time`.
    pub(crate) plain: String,
    /// The statistic of repetitions that it is.
    pub(crate) summary: Option<Summary>,
    /// The unit that the header names.
    unit: Option<ResultKind>,
    /// Whether the whole header is a unit of time, such as `ms`.
    is_unit: bool,
}

/// The columns of the first line.
///
/// # Errors
/// If a name is that of two columns and may be needed.
pub(crate) fn columns(
    headers: &[String],
    line: u64,
    used: &[String],
) -> Result<Vec<HeaderColumn>, ImportError> {
    let mut columns: Vec<HeaderColumn> = Vec::with_capacity(headers.len());
    let mut firsts: HashMap<&str, usize> = HashMap::new();
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut copies: HashMap<&str, usize> = HashMap::new();
    for (index, header) in headers.iter().enumerate() {
        let error = |cause: ImportCause| Err(cause.error_at(line, index + 1));
        if header.parse().is_ok_and(f64::is_finite) {
            return error(ImportCause::HeaderIsNumber(header.clone()));
        }
        let mut column = HeaderColumn::from_header(header, used);
        if let Some(&other) = firsts.get(header.as_str()).filter(|_| !header.is_empty()) {
            // pandas calls a second column `time` so.
            let copy = copies.entry(header).or_default();
            *copy += 1;
            let is_needed = used.iter().any(|name| column.is_called(name));
            let is_repeated = is_result(&column.plain) || is_repeated(&column.plain);
            if is_needed || !is_repeated && used.is_empty() {
                return error(ImportCause::Duplicate { name: header.clone(), other: other + 1 });
            }
            column.plain = format!("{}_{copy}", column.plain);
            column.name = format!("{}_{copy}", column.name);
        } else {
            firsts.insert(header, index);
        }
        let count = names.entry(column.name.clone()).or_default();
        *count += 1;
        if *count > 1 && !header.is_empty() {
            column.name = format!("{}_{count}", column.name);
            *names.entry(column.name.clone()).or_default() += 1;
        }
        columns.push(column);
    }
    let mut summaries: Vec<Option<Summary>> =
        columns.iter_mut().map(|column| column.summary.take()).collect();
    let plains: HashSet<&str> = columns.iter().map(|column| column.plain.as_str()).collect();
    statistic::certain(&mut summaries, |position, stem| {
        columns[position].is_time_unit() || is_time(stem) || plains.contains(stem)
    });
    for (column, summary) in columns.iter_mut().zip(summaries) {
        column.summary = summary;
    }
    Ok(columns)
}

impl HeaderColumn {
    fn from_header(header: &str, used: &[String]) -> HeaderColumn {
        let (base, unit) = split(header);
        let is_unit = unit.is_none() && header.chars().count() > 1;
        let time_quantity = is_unit.then(|| ResultKind::time_in_name(header)).flatten();
        let is_unit = time_quantity.is_some() || (base.is_empty() && !header.is_empty());
        let plain = plain(base);
        let is_plain = used.iter().any(|name| name == header) || is_lvalue(header);
        let name = match (is_plain, base.is_empty()) {
            (true, _) => header.to_owned(),
            (false, true) => identifier(header),
            (false, false) => identifier(base),
        };
        let summary = Summary::from_header(base);
        HeaderColumn {
            header: header.to_owned(),
            name,
            plain,
            summary,
            unit: unit.or(time_quantity),
            is_unit,
        }
    }

    /// The quantity of its numbers, if it is the result: an unknown one may be a time, if its name says nothing else.
    pub(crate) fn quantity(&self) -> ResultKind {
        match &self.unit {
            Some(unit) => unit.clone(),
            None if is_count(&self.header) && !is_time(&self.plain) => {
                ResultKind::Other(self.header.clone())
            }
            None => ResultKind::Unknown,
        }
    }

    pub(crate) fn renamed(&self) -> Option<Renamed> {
        (self.name != self.header)
            .then(|| Renamed { header: self.header.clone(), name: self.name.clone() })
    }

    /// Whether a formula calls it so.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        !self.header.is_empty() && (self.header == name || self.name == name)
    }

    /// Whether a user may mean it.
    pub(crate) fn is_called_like(&self, name: &str) -> bool {
        self.is_called(name) || !self.header.is_empty() && self.plain == name
    }

    /// Whether its header names a unit of time.
    pub(crate) fn is_time_unit(&self) -> bool {
        matches!(self.unit, Some(ResultKind::Time { .. }))
    }

    /// Whether it is a time by its name, so that it hardly explains another one. `t` may be a time step.
    pub(crate) fn is_time(&self) -> bool {
        self.is_time_unit() || (self.plain != "t" && is_time(&self.plain))
    }

    /// Whether it is an index that a program has written without a name.
    pub(crate) fn is_index(&self) -> bool {
        let pandas = self.header.strip_prefix("Unnamed: ");
        self.header.is_empty() || pandas.is_some_and(|number| number.parse::<u32>().is_ok())
    }

    /// Whether the whole header is a unit of time.
    pub(crate) fn is_unit(&self) -> bool {
        self.is_unit
    }
}

impl Table {
    /// Whether the file says what was measured: by a unit, or by the name of a time.
    pub fn names_its_quantity(&self) -> bool {
        self.quantity != ResultKind::Unknown || names_time(&self.result)
    }
}

/// Whether a header is the name of a time, with or without a number behind it.
fn names_time(header: &str) -> bool {
    let plain = HeaderColumn::from_header(header, &[]).plain;
    let stem = plain.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
    is_result(&plain) || is_result(stem)
}

/// Whether a header is that of a result: it has a known name or a unit of time.
pub(crate) fn names_result(header: &str) -> bool {
    let column = HeaderColumn::from_header(header, &[]);
    is_result(&column.plain) || column.is_time_unit()
}

/// A header without its unit, and the unit: `time [ms]`, `time (ms)`, `time / ms`, `time_ms`.
fn split(header: &str) -> (&str, Option<ResultKind>) {
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some((base, unit)) = header.strip_suffix(close).and_then(|h| h.rsplit_once(open))
            && unit.chars().any(char::is_alphabetic)
        {
            return (base.trim_end(), Some(ResultKind::named(unit)));
        }
    }
    for separator in [" / ", "_", "-", ".", " "] {
        if let Some((base, unit)) = header.rsplit_once(separator)
            && !base.trim().is_empty()
            && let Some(quantity) = match separator {
                " / " => ResultKind::time(unit),
                // `mb_s` is a rate.
                _ => ResultKind::time_in_name(unit).filter(|_| !is_count(base)),
            }
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
    let mut text = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            text.push(c)
        } else if text.is_empty() || text.ends_with('_') {
        } else {
            text.push('_')
        }
    }
    text.truncate(text.trim_end_matches('_').len());
    match text.chars().next() {
        None => "column".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("_{text}"),
        Some(_) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_headers() {
        let milli = ResultKind::Time { unit: "ms", factor: 1e-3 };
        for header in
            ["time [ms]", "time[ms]", "time (ms)", "time / ms", "time_ms", "time ms", "ms"]
        {
            assert_eq!(HeaderColumn::from_header(header, &[]).quantity(), milli, "{header}");
        }
        let micro = ResultKind::Time { unit: "µs", factor: 1e-6 };
        for header in ["wall (µs)", "wall [μs]", "wall_us", "t_usec", "Microseconds"] {
            assert_eq!(HeaderColumn::from_header(header, &[]).quantity(), micro, "{header}");
        }
        for header in ["time", "rows_s2", "nodes", "a[0]", "s"] {
            assert_eq!(
                HeaderColumn::from_header(header, &[]).quantity(),
                ResultKind::Unknown,
                "{header}"
            );
        }
        assert_eq!(
            HeaderColumn::from_header("L2 [misses]", &[]).quantity(),
            ResultKind::Other("misses".into())
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
            assert_eq!(HeaderColumn::from_header(header, &[]).name, name, "{header}");
        }
        assert_eq!(HeaderColumn::from_header("size[n]", &["size[n]".into()]).name, "size[n]");
    }
}
