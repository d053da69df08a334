//! `join f, notes by run`: what a table says about samples, as columns of theirs.

use super::Phrase;
use crate::evaluate::arguments::Clauses;
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::samples::{Frame, Level};
use crate::syntax::ClauseWord;
use crate::syntax::ast::ExprKind;
use crate::value::{Cells, Value};
use std::collections::HashMap;

impl Evaluator<'_> {
    /// The samples with the columns of a table; rows belong to samples with equal values of the columns in `by`.
    /// A column that depends on variables alone becomes a variable.
    pub(super) fn join(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        let clauses = Clauses::new(phrase.verb, phrase.clauses, &[ClauseWord::By])?;
        let [of, table] = phrase.arguments else {
            let wrong = error("L168", phrase.span, "`join` takes samples and a table");
            return Err(wrong.help("such as `join f, notes by run`").into());
        };
        let samples = self.samples(&of.value, scope)?;
        let span = &table.value.span;
        let value = self.value(&table.value, scope)?;
        let Some(notes) = crate::display::as_table(&value) else {
            return Err(error("L171", span, format!("{} is no table", value.a_kind())).into());
        };
        let mut by: Vec<&str> = Vec::new();
        for item in clauses.get(ClauseWord::By).map_or(&[][..], |clause| &clause.items) {
            let ExprKind::Name(name) = &item.value.kind else {
                return Err(error("L171", &item.value.span, "`by` takes names of columns").into());
            };
            if samples.level(name).is_none() || notes.column(name).is_none() {
                let whose =
                    if notes.column(name).is_none() { "the table has" } else { "the samples have" };
                return Err(
                    error("L171", &item.value.span, format!("{whose} no column `{name}`")).into()
                );
            }
            by.push(name);
        }
        if by.is_empty() {
            let wrong = error("L171", phrase.span, "by which columns do rows belong to samples?");
            return Err(wrong.help("such as `join f, notes by run`").into());
        }
        let level = samples.level_of(by.iter().copied());
        let frame = Frame { samples: &samples, level };
        let rows = frame.len();
        self.step(rows as u64 / 100, phrase.span)?;
        let own: Vec<Cells> = by.iter().filter_map(|name| frame.column(name)).collect();
        let theirs: Vec<&Cells> = by.iter().filter_map(|name| notes.column(name)).collect();
        let mut index: HashMap<Vec<Key>, usize> = HashMap::new();
        for row in 0..notes.rows() {
            let key = theirs.iter().map(|cells| Key::of(cells, row)).collect();
            if index.insert(key, row).is_some() {
                let message =
                    format!("row {} has the same {} as one before it", row + 1, by.join(", "));
                return Err(error("L171", span, message).into());
            }
        }
        let found: Vec<Option<usize>> = (0..rows)
            .map(|row| {
                index.get(&own.iter().map(|cells| Key::of(cells, row)).collect::<Vec<_>>()).copied()
            })
            .collect();
        let missing = found.iter().filter(|row| row.is_none()).count();
        if missing == rows {
            return Err(error("L171", span, "no row of the table belongs to a sample").into());
        }
        if missing > 0 {
            let what = if level == Level::Rows { "samples" } else { "points" };
            self.notice(format!("{missing} of {rows} {what} have no row in the table"));
        }
        let mut joined = crate::samples::Samples::clone(&samples);
        for (name, cells) in notes.columns() {
            if by.contains(&name.as_str()) {
                continue;
            }
            let Cells::Numbers(column) = cells else {
                let message = format!("the column {name} has no numbers and is left out");
                self.notice(message);
                continue;
            };
            let values: Vec<f64> =
                found.iter().map(|row| row.map_or(f64::NAN, |row| column.values[row])).collect();
            joined = match level {
                Level::Groups if column.unit.is_none() => joined.with_variable(name, &values),
                Level::Groups => {
                    let each = joined.groups.iter().zip(&values);
                    let all: Vec<f64> = each
                        .flat_map(|(group, value)| std::iter::repeat_n(*value, group.len()))
                        .collect();
                    joined.with_rows(name, &all, &column.unit)
                }
                Level::Rows => joined.with_rows(name, &values, &column.unit),
            };
            joined.changes.push(format!("{name} by {}", by.join(", ")));
        }
        Ok(Value::samples(joined))
    }
}

/// What makes rows belong to samples.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Number(u64),
    Word(String),
    Truth(bool),
}

impl Key {
    fn of(cells: &Cells, row: usize) -> Key {
        match cells {
            Cells::Numbers(column) => Key::Number((column.values[row] + 0.0).to_bits()),
            Cells::Words(words) => Key::Word(words.word(row).to_owned()),
            Cells::Truths(truths) => Key::Truth(truths[row]),
        }
    }
}
