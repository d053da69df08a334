//! The names of a table's columns, in the forms in which programs write them.

use crate::ImportOptions;
use crate::cell::Cell;
use crate::decimal::Decimal;
use crate::header::names_result;

use super::{CsvRow, Start};

/// The names of the columns, and where they stand.
pub(super) struct Heading {
    pub(super) line: u64,
    /// Empty for a column without a name.
    pub(super) names: Vec<String>,
    /// Values that were read otherwise than they stand there.
    pub(super) notes: Vec<String>,
}

impl Heading {
    /// From the first line and the rows behind it; takes those that belong to the names. `is_all` says whether the
    /// table has no other rows.
    pub(super) fn new(
        fields: Vec<String>,
        start: &Start,
        rows: &mut Vec<CsvRow>,
        is_all: bool,
        options: &ImportOptions,
    ) -> Heading {
        let mut heading = Heading { line: start.line, names: fields, notes: Vec::new() };
        if let Some(names) = &options.columns {
            let first = std::mem::replace(&mut heading.names, names.clone());
            rows.insert(0, start.row(first));
        } else if let Some((line, names)) = start.names_above(&heading.names) {
            heading.line = line;
            let first = std::mem::replace(&mut heading.names, names);
            rows.insert(0, start.row(first));
        } else {
            heading.join_levels(rows);
            if is_all {
                heading.transpose(rows, &options.used);
            }
        }
        if options.columns.is_none() {
            heading.add_index(rows, start.delimiter);
        }
        heading.fit_trailing(rows);
        heading.names = corner(heading.names);
        heading
    }

    /// Joins the levels of names that pandas writes below each other, with the names of the index below them.
    fn join_levels(&mut self, rows: &mut Vec<CsvRow>) {
        let mut levels = 0;
        while let Some(level) = rows.first().and_then(|row| self.level(row)) {
            for (name, part) in self.names.iter_mut().zip(level) {
                if !part.is_empty() && !part.starts_with("Unnamed: ") {
                    let joined = if name.is_empty() { part } else { format!("{name}_{part}") };
                    *name = joined;
                }
            }
            rows.remove(0);
            levels += 1;
        }
        let index = self.names.iter().take_while(|name| name.is_empty()).count();
        let names_index = |row: &CsvRow| {
            let fields = row.fields.as_ref().ok()?;
            let (first, rest) = fields.split_at_checked(index)?;
            let is_named = first.iter().all(|name| is_name(name));
            let is_alone = !rest.is_empty() && rest.iter().all(String::is_empty);
            (index > 0 && is_named && is_alone).then(|| first.to_vec())
        };
        if let Some(names) = rows.first().and_then(names_index) {
            for (name, known) in self.names.iter_mut().zip(names) {
                *name = known;
            }
            rows.remove(0);
        }
        if levels > 0 {
            self.notes.push(format!(
                "the names of the columns stand in {} lines: they are joined, such as `{}`",
                levels + 1,
                self.names.last().map_or("", String::as_str)
            ));
        }
    }

    /// The next level of names: nothing below the index, a text below every other name.
    fn level(&self, row: &CsvRow) -> Option<Vec<String>> {
        let fields = row.fields.as_ref().ok().filter(|fields| fields.len() == self.names.len())?;
        let index = fields.iter().take_while(|field| field.is_empty()).count();
        let (_, parts) = fields.split_at(index);
        let is_level = index > 0
            && !parts.is_empty()
            && parts.iter().all(|part| is_name(part))
            && self.names[index..].iter().all(|name| !name.is_empty());
        is_level.then(|| fields.clone())
    }

    /// Turns a table whose names are in its first column, if one of them is a result's.
    fn transpose(&mut self, rows: &mut Vec<CsvRow>, used: &[String]) {
        let is_value = |text: &String| Cell::read(text, Decimal::Point).number().is_some();
        let Some((first, values)) = self.names.split_first() else { return };
        if !is_name(first)
            || first.contains('\\')
            || values.len() < 2
            || !values.iter().all(is_value)
        {
            return;
        }
        let mut names = vec![first.clone()];
        let mut columns: Vec<&[String]> = vec![values];
        for row in rows.iter() {
            let Some((name, values)) = row.fields.as_ref().ok().and_then(|row| row.split_first())
            else {
                return;
            };
            if !is_name(name) || values.len() != columns[0].len() {
                return;
            }
            names.push(name.clone());
            columns.push(values);
        }
        let is_used = !used.is_empty() && used.iter().all(|name| names.contains(name));
        if rows.is_empty() || !(is_used || names.iter().any(|name| names_result(name))) {
            return;
        }
        let turned = (0..values.len()).map(|row_index| CsvRow {
            line: self.line,
            fields: Ok(columns.iter().map(|column| column[row_index].clone()).collect()),
            is_quoted: false,
        });
        *rows = turned.collect();
        self.names = names;
        self.notes.push("the names are in the first column: the table is read by columns".into());
    }

    /// A column without a name in front, if all rows have one field more than the names: R's row names.
    fn add_index(&mut self, rows: &[CsvRow], delimiter: u8) {
        let count = self.names.len();
        let whole: Vec<&Vec<String>> =
            rows.iter().filter_map(|row| row.fields.as_ref().ok()).collect();
        let is_longer = |row: &&Vec<String>| row.len() == count + 1;
        let is_index = !whole.is_empty()
            && whole.iter().all(is_longer)
            && !whole.iter().all(|row| row[count].is_empty())
            && self.names.iter().all(|name| !name.is_empty());
        if !is_index {
            return;
        }
        let is_quoted = rows.iter().all(|row| row.is_quoted);
        // A comma or space may stand inside of numbers, too: `0,5`, `1 000`.
        let is_certain = match delimiter {
            b',' => whole.iter().any(|row| row[1..].iter().any(|field| field.contains('.'))),
            b' ' => !whole.iter().any(|row| row[1].len() == 3 && row[1].starts_with('0')),
            _ => true,
        };
        if is_quoted || is_certain {
            self.names.insert(0, String::new());
        }
    }

    /// A column without a name for the separator behind the last field.
    fn fit_trailing(&mut self, rows: &[CsvRow]) {
        let count = self.names.len();
        let is_longer = |row: &CsvRow| {
            row.fields
                .as_ref()
                .is_ok_and(|row| row.len() > count && row[count..].iter().all(String::is_empty))
        };
        if !rows.is_empty() && rows.iter().all(is_longer) {
            self.names.push(String::new());
        }
    }
}

/// Whether a field is a name: neither empty nor a number.
fn is_name(text: &str) -> bool {
    Cell::read(text, Decimal::Point) == Cell::Text
}

/// In a table whose first name is `N\P` the other names are values of P.
fn corner(names: Vec<String>) -> Vec<String> {
    let Some((row, column)) = names.first().and_then(|first| first.split_once('\\')) else {
        return names;
    };
    let (row, column) = (row.trim().to_owned(), column.trim().to_owned());
    let others = &names[1..];
    if row.is_empty() || column.is_empty() || others.iter().any(|name| name.parse::<f64>().is_err())
    {
        return names;
    }
    let others = others.iter().map(|value| format!("{column}={value}"));
    std::iter::once(row).chain(others).collect()
}
