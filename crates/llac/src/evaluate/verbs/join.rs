//! `join f, notes by run`: the columns of a table beside samples, or beside those of another table.

use super::Phrase;
use super::aggregate::is_single;
use crate::evaluate::arguments::Clauses;
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::samples::{Frame, Level, Samples};
use crate::syntax::ClauseWord;
use crate::syntax::ast::{Expr, ExprKind, Span};
use crate::value::{Cells, Table, Value, Words};
use std::collections::HashMap;

/// The columns by which rows belong to samples. Both have them.
fn columns_in_both<'c>(
    clauses: &Clauses<'c>,
    samples: &Samples,
    notes: &Table,
    span: &Span,
) -> Result<Vec<&'c str>, Wrong> {
    let mut by: Vec<&'c str> = Vec::new();
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
        let wrong = error("L171", span, "by which columns do rows belong to samples?");
        return Err(wrong.help("such as `join f, notes by run`").into());
    }
    Ok(by)
}

/// The row of each key of a table; no two rows have the same.
fn rows_by_key(
    notes: &Table,
    by: &[&str],
    span: &Span,
) -> Result<HashMap<Vec<JoinKey>, usize>, Wrong> {
    let theirs: Vec<&Cells> = by.iter().filter_map(|name| notes.column(name)).collect();
    let mut index: HashMap<Vec<JoinKey>, usize> = HashMap::new();
    for row in 0..notes.rows() {
        let key = theirs.iter().map(|cells| JoinKey::new(cells, row)).collect();
        if index.insert(key, row).is_some() {
            let message =
                format!("row {} has the same {} as one before it", row + 1, by.join(", "));
            return Err(error("L171", span, message).into());
        }
    }
    Ok(index)
}

/// The samples with a column more. `rows`: the row of each sample or point in the table, if it has one.
fn with_column(
    samples: Samples,
    level: Level,
    (name, cells): (&str, &Cells),
    rows: &[Option<usize>],
) -> Samples {
    let column = match cells {
        Cells::Numbers(column) => column,
        Cells::Words(_) | Cells::Truths(_) => {
            let word = |row: usize| match cells {
                Cells::Words(words) => words.word(row).to_owned(),
                Cells::Truths(truths) => truths[row].to_string(),
                Cells::Numbers(_) => String::new(),
            };
            let each = rows.iter().map(|row| row.map_or_else(String::new, word));
            let words = each_sample(&samples, level, Words::from_rows(each));
            return samples.with_words(name, &words);
        }
    };
    let values: Vec<f64> =
        rows.iter().map(|row| row.map_or(f64::NAN, |row| column.values[row])).collect();
    match level {
        Level::Groups if column.unit.is_none() => samples.with_variable(name, &values),
        Level::Groups => {
            let each = samples.groups.iter().zip(&values);
            let all: Vec<f64> =
                each.flat_map(|(group, value)| std::iter::repeat_n(*value, group.len())).collect();
            samples.with_rows(name, &all, &column.unit)
        }
        Level::Rows => samples.with_rows(name, &values, &column.unit),
    }
}

impl Evaluator<'_> {
    /// The samples with the columns of a table; rows belong to samples with equal values of the columns in `by`.
    /// A column that depends on variables alone becomes a variable.
    pub(super) fn join(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        let clauses = Clauses::new(phrase.verb, phrase.clauses, &[ClauseWord::By])?;
        let [source, table] = phrase.arguments else {
            let wrong = error("L168", phrase.span, "`join` takes samples and a table");
            return Err(wrong.help("such as `join f, notes by run`").into());
        };
        let left = self.value(&source.value, scope)?;
        let samples = match &left {
            Value::Samples(samples) => std::sync::Arc::clone(samples.samples()),
            other => match crate::display::as_table(other).filter(|_| !is_single(other)) {
                Some(left) => {
                    return self.join_tables(&left, &table.value, &clauses, scope, phrase);
                }
                None => {
                    let message =
                        format!("`join` takes samples or a table, not {}", other.a_kind());
                    return Err(error("L167", &source.value.span, message).into());
                }
            },
        };
        let span = &table.value.span;
        let value = self.value(&table.value, scope)?;
        let Some(notes) = crate::display::as_table(&value) else {
            return Err(error("L171", span, format!("{} is no table", value.a_kind())).into());
        };
        let by = columns_in_both(&clauses, &samples, &notes, phrase.span)?;
        let level = samples.level_of(by.iter().copied());
        let frame = Frame { samples: &samples, level };
        let rows = frame.len();
        self.step(rows as u64 / 100, phrase.span)?;
        let own: Vec<Cells> = by.iter().filter_map(|name| frame.column(name)).collect();
        let index = rows_by_key(&notes, &by, span)?;
        let found: Vec<Option<usize>> = (0..rows)
            .map(|row| {
                index
                    .get(&own.iter().map(|cells| JoinKey::new(cells, row)).collect::<Vec<_>>())
                    .copied()
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
            joined = with_column(joined, level, (name, cells), &found);
            joined.changes.push(format!("{name} by {}", by.join(", ")));
        }
        Ok(Value::samples(joined))
    }

    /// Each row with the columns of the rows of another table that belong to it; without one they are missing.
    fn join_tables(
        &mut self,
        left: &Table,
        right: &Expr,
        clauses: &Clauses<'_>,
        scope: &Scope<'_>,
        phrase: &Phrase<'_>,
    ) -> Result<Value, Wrong> {
        let value = self.value(right, scope)?;
        let Some(other) = crate::display::as_table(&value).filter(|_| !is_single(&value)) else {
            let message = format!("{} is no table", value.a_kind());
            return Err(error("L171", &right.span, message).into());
        };
        let mut by: Vec<String> = Vec::new();
        for item in clauses.get(ClauseWord::By).map_or(&[][..], |clause| &clause.items) {
            let name = self.key_name(item, scope);
            for (table, which) in [(left, "first"), (&other, "second")] {
                if table.column(&name).is_none() {
                    let message = format!("the {which} table has no column `{name}`");
                    return Err(error("L171", &item.value.span, message).into());
                }
            }
            by.push(name);
        }
        if by.is_empty() {
            let wrong = error("L171", phrase.span, "by which columns do rows belong together?");
            return Err(wrong.help("such as `join t, notes by run`").into());
        }
        let key = |table: &Table, row: usize| -> Vec<JoinKey> {
            by.iter().filter_map(|name| Some(JoinKey::new(table.column(name)?, row))).collect()
        };
        let mut index: HashMap<Vec<JoinKey>, Vec<usize>> = HashMap::new();
        (0..other.rows()).for_each(|row| index.entry(key(&other, row)).or_default().push(row));
        let mut pairs: Vec<(usize, Option<usize>)> = Vec::new();
        let mut missing = 0;
        for row in 0..left.rows() {
            match index.get(&key(left, row)) {
                Some(rows) => pairs.extend(rows.iter().map(|other| (row, Some(*other)))),
                None => {
                    missing += 1;
                    pairs.push((row, None));
                }
            }
            if pairs.len() > self.limits.numbers {
                let message =
                    format!("these are {} rows, more than {}", pairs.len(), self.limits.numbers);
                return Err(error("L143", phrase.span, message).into());
            }
        }
        self.step(pairs.len() as u64 / 100, phrase.span)?;
        if missing == left.rows() {
            let message = "no row of the second table belongs to one of the first";
            return Err(error("L171", &right.span, message).into());
        }
        if missing > 0 {
            let rows = left.rows();
            self.notice(format!(
                "{missing} of {rows} rows {} no row in the second table",
                if missing == 1 { "has" } else { "have" }
            ));
        }
        let places: Vec<usize> = pairs.iter().map(|(row, _)| *row).collect();
        let mut joined = left.select_rows(&places);
        let (filled, rows): (Vec<usize>, Vec<usize>) = pairs
            .iter()
            .enumerate()
            .filter_map(|(place, (_, other))| Some((place, (*other)?)))
            .unzip();
        for (name, cells) in other.columns().iter().filter(|(name, _)| !by.contains(name)) {
            let free = |name: &String| left.column(name).is_none();
            let name = if free(name) { name.clone() } else { format!("{name}_2") };
            joined = joined.with(name, cells.select_rows(&rows).spread(&filled, pairs.len()));
        }
        Ok(Value::Table(std::sync::Arc::new(joined)))
    }
}

/// Words of points or samples as words of samples.
fn each_sample(samples: &Samples, level: Level, words: Words) -> Words {
    if level == Level::Rows {
        return words;
    }
    let each = samples.groups.iter().zip(words.codes.iter());
    let codes = each.flat_map(|(group, code)| std::iter::repeat_n(*code, group.len())).collect();
    Words { codes, ..words }
}

/// The value by which rows belong to samples.
#[derive(PartialEq, Eq, Hash)]
enum JoinKey {
    Number(u64),
    Word(String),
    Truth(bool),
}

impl JoinKey {
    fn new(cells: &Cells, row: usize) -> JoinKey {
        match cells {
            Cells::Numbers(column) => JoinKey::Number((column.values[row] + 0.0).to_bits()),
            Cells::Words(words) => JoinKey::Word(words.word(row).to_owned()),
            Cells::Truths(truths) => JoinKey::Truth(truths[row]),
        }
    }
}
